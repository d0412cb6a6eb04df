from __future__ import annotations

from picspider.propose.form import Mould, split, spread


def test_mould_holds_what_is_constant() -> None:
    """Numbers may differ where all URLs have one, words where they differ; hosts, depths and endings may not."""
    mould = Mould.of(["https://a.example/album/1/p2.html", "https://a.example/album/77/p31.html"])
    assert mould.fits("https://a.example/album/3/p4.html")
    assert not mould.fits("https://a.example/tag/3/p4.html")
    assert not mould.fits("https://a.example/album/3/p4.php")
    assert not mould.fits("https://b.example/album/3/p4.html")
    assert not mould.fits("https://a.example/album/p4.html")


def test_pictures_have_one_ending() -> None:
    """The formats of pictures are one form."""
    assert split("https://a.example/1.jpg").form == split("https://a.example/2.png").form


def test_spread_takes_first_and_last() -> None:
    """Samples are taken at even distances, each once."""
    assert spread(["a", "b", "b", "c", "d", "e"], 3) == ["a", "c", "e"]
    assert spread(["a", "a"], 3) == ["a"]
    assert spread(["a", "b"], 0) == []
