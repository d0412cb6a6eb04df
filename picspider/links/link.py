"""What is found on a page: a URL, where it stood, and what a person would read there."""

from __future__ import annotations

from typing import NamedTuple


class Reference(NamedTuple):
    """A URL as written on the page, before it is resolved.

    `origin` names the place (see `Link`), `width` is the pixel width that a srcset declares (0: none).
    """

    raw: str
    origin: str
    width: int = 0


class Link(NamedTuple):
    """A resolved URL of a page.

    `origin`: href, src, srcset, lazy (an attribute of any name), lazy-list (one of several in an attribute), style,
    meta, refresh, json-ld, script, frame, text (of a feed), source (raw page source), template (counted up).
    `text`: the visible text with white space folded, else title or alternative text. `labels`: title, aria-label and
    the alternative texts of pictures inside. `rel`: the rel words in small letters. `width`: pixels as a srcset
    declares them (a density of 2x counts as 2000), 0: unknown. `group`: not 0 for the sizes of one picture (a srcset
    with its src, the link around a picture). `disabled`: shown, but leads nowhere. `hidden`: not shown.
    """

    url: str
    text: str = ""
    origin: str = "href"
    labels: tuple[str, ...] = ()
    rel: tuple[str, ...] = ()
    width: int = 0
    group: int = 0
    disabled: bool = False
    hidden: bool = False


class BadLink(NamedTuple):
    """A reference that is no URL: `raw` as written (shortened), `message` says why."""

    raw: str
    message: str
