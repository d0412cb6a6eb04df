"""From a picture's place and facts to a file name that no other picture has."""

from __future__ import annotations

from datetime import datetime, timezone
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from picspider.pictures.file_names import Fields, fold, render, with_suffix_tag
from picspider.pictures.url_names import page_name
from picspider.records import Facts
from picspider.urls import fingerprint

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from picspider.places import Place, Places
    from picspider.visit import Note


class Content(NamedTuple):
    """What is known of a picture by its bytes; `stored`: when."""

    facts: Facts = Facts("", 0, 0, "", 0)
    sha256: str = ""
    stored: datetime | None = None


NOT_FETCHED = Content()


class Names:
    """Fills in the name template of the config."""

    def __init__(self, template: str, places: Places) -> None:
        self._template = template
        self._places = places

    async def choose(
        self, url: str, note: Note, facts: Facts, sha256: str, claim: Callable[[int, int, str], Awaitable[bool]]
    ) -> tuple[str, int]:
        """(file, its key): the rendered name, made unique by a tag of the URL when another picture has it.

        The thesis appends the time to a name that exists (*Mass picture downloader*, 3.2.3); a tag made from the URL
        does the same and comes out alike in every run. `claim(key, row, file)` says whether it is free for the row.
        """
        for candidate, key in self.candidates(url, note, facts, sha256):
            if await claim(key, note.id, candidate):
                return candidate, key
        raise OSError(f"no free file name for {url}")

    def candidates(
        self, url: str, note: Note, facts: Facts, sha256: str, stored: datetime | None = None
    ) -> Iterator[tuple[str, int]]:
        """The names (file, its key) to try one after the other; *stored*: when, if that is not now."""
        content = Content(facts, sha256, stored or datetime.now(timezone.utc))
        return candidates(self._template, fields_at(self._places.of(note.parent), url, note, content), facts.extension)


def candidates(template: str, fields: Fields, extension: str) -> Iterator[tuple[str, int]]:
    """The names (file, its key) by *template*: the plain one, then with ever longer tags of the URL."""
    file = render(template, fields, extension)
    yield file, fingerprint(fold(file))
    tag = blake2b(fields.url.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    for length in (4, 8, 32):
        candidate = with_suffix_tag(file, tag[:length])
        yield candidate, fingerprint(fold(candidate))


def fields_at(place: Place, url: str, note: Note, content: Content = NOT_FETCHED) -> Fields:
    """What is known of a picture: its address, the link with *note* on the page at *place*, and its *content*."""
    return Fields(
        url=url,
        layers=tuple(text or page_name(head) for head, text in place.heads[1:]),
        text=note.text,
        title=place.heads[-1][1] if place.heads else "",
        page=place.page,
        index=note.position + 1,
        layer=note.layer,
        parent_url=place.url,
        width=content.facts.width,
        height=content.facts.height,
        format=content.facts.format,
        bytes=content.facts.bytes,
        sha256=content.sha256,
        date=content.stored,
    )
