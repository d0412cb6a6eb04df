from __future__ import annotations

import re

from picspider.propose.widen import widened

NAMES = [f"https://a.example/{name}/1.jpg" for name in ("alps", "baltic", "corsica")]


def test_names_become_any_name() -> None:
    """Kinds of letters and lists of names are no rule of a site; numbers and formats are."""
    regex = r"^https://a\.example/(?:alps|baltic|corsica)/[a-z-]+_\d+\.(?:jpe?g|png|gif)$"
    assert widened(regex, NAMES) == r"^https://a\.example/[^/?#]+/[^/?#]+_\d+\.(?:jpe?g|png|gif)$"


def test_not_wider_than_the_pages_allow() -> None:
    """A name stays as it is when the wider rule would take a link that the narrow one refuses."""
    regex = r"^https://a\.example/[a-z]+/1\.jpg$"
    assert widened(regex, [*NAMES, "https://a.example/t_small/1.jpg"]) == regex
    assert re.search(widened(regex, NAMES), "https://a.example/saint-malo_2/1.jpg")
