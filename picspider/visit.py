"""What a request carries about its place in the site: one typed note in `request.meta`.

Other people's middleware may read it: ``note = note_of(request)``. No other module knows where it lies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from scrapy import Request

Kind = Literal["page", "picture"]
_META_KEY = "picspider"


class Note(NamedTuple):
    """The place of one request in the crawl.

    `id` is the row in the store (0: not stored yet), `layer` the clicks from the entry, `page` counts
    1, 2, 3 … along a chain of next pages, `parent` is the row of the page it was found on (0: none),
    `parent_url` that page's URL (the Referer), `position` the place among that page's links, `chain` the row of the
    first page of its run of next pages (0: itself), `again` whether the same page linked it before, `attempts` the
    downloads tried before this one, `redirects` the URLs it was sent on from, `priority` what `order: best` goes by,
    `referer` the rule for its Referer when it differs from the config's, `repeats` whether a later sighting of its URL
    is told as a repeat.
    """

    id: int = 0
    layer: int = 0
    page: int = 1
    kind: Kind = "page"
    parent: int = 0
    parent_url: str | None = None
    position: int = 0
    chain: int = 0
    text: str = ""
    again: bool = False
    attempts: int = 0
    redirects: tuple[str, ...] = ()
    priority: int = 0
    referer: str | None = None
    repeats: bool = True


def note_of(request: Request) -> Note | None:
    """The note of *request*; None for requests that are not part of the crawl (robots.txt, other people's)."""
    note = request.meta.get(_META_KEY)
    return note if isinstance(note, Note) else None


def meta_of(note: Note) -> dict[str, Any]:
    """`request.meta` for a URL that the page's links gave: it is sent just as it is written."""
    return {_META_KEY: note, "verbatim_url": True}


def attach(request: Request, note: Note) -> Request:
    """Put *note* on *request* and return it."""
    request.meta[_META_KEY] = note
    return request


def without_note(meta: dict[str, Any]) -> dict[str, Any]:
    """*meta*, a request's, but for the note."""
    return {key: value for key, value in meta.items() if key != _META_KEY}
