"""From a picture's place and facts to a file name that no other picture has."""

from __future__ import annotations

from datetime import datetime, timezone
from hashlib import blake2b
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from picspider.pictures.file_names import Fields, fold, render, with_suffix_tag
from picspider.urls import fingerprint

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from picspider.feeds.places import Places
    from picspider.records import Facts
    from picspider.visit import Note


class Names:
    """Fills in the name template of the config."""

    def __init__(self, template: str, places: Places) -> None:
        self._template = template
        self._places = places

    async def choose(
        self, url: str, note: Note, facts: Facts, sha256: str, claim: Callable[[int, int], Awaitable[bool]]
    ) -> tuple[str, int]:
        """(file, its key): the rendered name, made unique by a tag of the URL when another picture has it.

        The thesis appends the time to a name that exists (*Mass picture downloader*, 3.2.3); a tag made from the URL
        does the same and comes out alike in every run. `claim(key, row)` says whether the name is free for the row.
        """
        for candidate, key in self.candidates(url, note, facts, sha256):
            if await claim(key, note.id):
                return candidate, key
        raise OSError(f"no free file name for {url}")

    def candidates(
        self, url: str, note: Note, facts: Facts, sha256: str, stored: datetime | None = None
    ) -> Iterator[tuple[str, int]]:
        """The names (file, its key) to try one after the other; *stored*: when, if that is not now."""
        file = render(self._template, self._fields(url, note, facts, sha256, stored), facts.extension)
        tag = blake2b(url.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
        for length in (0, 4, 8, 32):
            candidate = with_suffix_tag(file, tag[:length]) if length else file
            yield candidate, fingerprint(fold(candidate))

    def _fields(self, url: str, note: Note, facts: Facts, sha256: str, stored: datetime | None) -> Fields:
        place = self._places.of(note.parent)
        return Fields(
            url=url,
            layers=tuple(text or stem_of(head) for head, text in place.heads[1:]),
            text=note.text,
            title=place.heads[-1][1] if place.heads else "",
            page=place.page,
            index=note.position + 1,
            width=facts.width,
            height=facts.height,
            format=facts.format,
            sha256=sha256,
            date=stored or datetime.now(timezone.utc),
            layer=note.layer,
            parent_url=place.url,
            bytes=facts.bytes,
        )


def stem_of(url: str) -> str:
    """The last part of a URL's path, without extension; its host when there is none."""
    parts = urlsplit(url)
    last = parts.path.rstrip("/").rpartition("/")[2]
    return unquote(last.rpartition(".")[0] or last) or parts.netloc
