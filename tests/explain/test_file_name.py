from __future__ import annotations

import re

from picspider.explain.file_name import Found, file_name
from picspider.places import Place

HEADS = (("http://g.example/", ""), ("http://g.example/a", "Coast"))
PLACE = Place(3, "http://g.example/a/7", 1, 2, ("http://g.example/",), HEADS)


def test_all_known() -> None:
    """With the page at hand the name is what the crawl would give."""
    found = Found("http://g.example/full/x.png", 2, PLACE, "Sunset", 4)
    assert file_name("{layer1}/{index:03}-{text}{ext}", found).file == "Coast/005-Sunset.png"


def test_what_is_known_later_is_shown_by_its_name() -> None:
    """Fields of the content, and without a page those of the page, stay as names and are listed."""
    name = file_name("{layer1}/{sha256:.8}-{stem}{ext}", Found("http://g.example/full/x.png", 2))
    assert name.unknown == ("layer1", "sha256")
    assert "sha256" in name.file
    assert name.file.endswith("-x.png")


def test_names_that_are_shown_are_the_crawls() -> None:
    """The title is that of the page's link, and the name for a second picture carries the crawl's tag."""
    name = file_name("{title}-{stem}{ext}", Found("http://g.example/full/x.png", 2, PLACE))
    assert (name.file, name.unknown) == ("Coast-x.png", ())
    assert re.fullmatch(r"Coast-x-[0-9a-f]{4}\.png", name.tagged)
    assert file_name("{title}{ext}", Found("http://g.example/full/x.png", 2)).unknown == ("title",)
