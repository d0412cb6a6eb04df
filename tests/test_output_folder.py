from __future__ import annotations

from pathlib import Path

from picspider.output_folder import OutputFolder, partial_of, sidecar_of


def test_names_of_the_contract() -> None:
    """The names that users rely on."""
    folder = OutputFolder(Path("/crawls/site"))
    assert [str(path) for path in (folder.pictures, folder.store, folder.report, folder.feed("tree"))] == [
        "/crawls/site/pictures",
        "/crawls/site/crawl.db",
        "/crawls/site/report.html",
        "/crawls/site/tree.json",
    ]
    assert folder.store_url == "sqlite:////crawls/site/crawl.db"


def test_what_is_being_written(tmp_path: Path) -> None:
    """It lies beside its place, under a name that the next run knows for a rest."""
    path = tmp_path / "report.html"
    assert partial_of(path, 12) == tmp_path / "report.html.12.partial"
    partial_of(path).write_text("")
    assert list(tmp_path.glob("*.partial")) == [tmp_path / "report.html.partial"]


def test_sidecars_lie_beside_the_pictures() -> None:
    """Nothing but pictures lies in their folder."""
    assert sidecar_of("album/1.jpg") == "../sidecars/album/1.jpg.json"
