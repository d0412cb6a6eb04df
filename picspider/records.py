"""The records that rooms hand to each other: what was sighted, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from picspider.visit import Kind

if TYPE_CHECKING:
    from picspider.visit import Note


@dataclass(frozen=True, slots=True)
class Facts:
    """What a look at a picture's bytes says. `width` and `height` in pixels, upright; 0 when they cannot be read."""

    format: str
    width: int
    height: int
    extension: str
    bytes: int
    animated: bool = False


class Sighting(NamedTuple):
    """One link that a layer rule or a paging rule took, on its way into the store.

    `again`: the same page linked it before; `request`: JSON, when it is more than a GET; `token`: what the seen-cache
    knows it by, the URL as written if None; `repeats`: when the URL is known, this is told as a repeat; `lifts`: and
    the row, if it waits, gets this `priority` when that is higher.
    """

    url: str
    key: int
    host: str
    layer: int
    page: int
    kind: Kind
    parent: int
    position: int
    chain: int
    text: str
    priority: int
    rank: int
    again: bool = False
    request: str | None = None
    token: str | None = None
    repeats: bool = True
    lifts: bool = False


class KeptPage(NamedTuple):
    """A page on the topic whose files are in place. `file` and `text_file` are relative to OUTPUT/pages.

    `date`: what the server says, in seconds since 1970; the cosines are those of the topic with title and body.
    """

    file: str
    text_file: str
    title: str
    content_type: str
    bytes: int
    date: float
    title_cosine: float
    body_cosine: float


class Answer(NamedTuple):
    """What a request was answered with: `status` (None: there was no answer), `final_url` where redirects ended if they
    did elsewhere, `attempts` how many downloads it took.
    """

    status: int | None = None
    final_url: str | None = None
    attempts: int = 1

    @classmethod
    def to(cls, note: Note, url: str, status: int | None) -> Answer:
        """What came from *url* at last for the request with *note*."""
        return cls(status, url if note.redirects else None, note.attempts + 1)


class PageRead(NamedTuple):
    """A page's links are on their way into the store. `stated`: how many pictures the page says it has."""

    answer: Answer
    links: int
    content: int
    score: float | None = None
    stated: int | None = None
    kept: KeptPage | None = None


class Stored(NamedTuple):
    """A picture's file is in place."""

    answer: Answer
    file: str
    file_key: int
    sha256: str
    facts: Facts


class Skipped(NamedTuple):
    """A filter of the user's refused it."""

    answer: Answer
    reason: str
    message: str
    width: int | None = None
    height: int | None = None
    bytes: int | None = None
    score: float | None = None


class Repeated(NamedTuple):
    """The same as `original` (a row id): a picture by its bytes, a page by its links or by where it redirects to."""

    answer: Answer
    original: int
    by: Literal["url", "content"]
    sha256: str | None = None


class Lost(NamedTuple):
    """It could not be had; `reason` is a key of `picspider.failures.REASONS`."""

    answer: Answer
    reason: str
    message: str


Outcome = PageRead | Stored | Skipped | Repeated | Lost


class Row(NamedTuple):
    """A row of the store that is to be fetched."""

    id: int
    url: str
    host: str
    layer: int
    page: int
    kind: Kind
    parent: int
    parent_url: str | None
    position: int
    chain: int
    text: str
    request: str | None
    priority: int = 0


class ChainPage(NamedTuple):
    """A page as its chain of next pages knows it. `parent`: the row of the page before it, 0: none; `content`: see
    `Look.content`, None: not read yet.
    """

    parent: int
    content: int | None


@dataclass(frozen=True, slots=True)
class Totals:
    """Every sighting ends in exactly one of these. `sightings` is their sum for pictures and pages alike."""

    pages: int = 0
    pictures: int = 0
    skips: int = 0
    failures: int = 0
    repeats: int = 0
    waiting: int = 0

    @property
    def sightings(self) -> int:
        """All sightings."""
        return self.pages + self.pictures + self.skips + self.failures + self.repeats + self.waiting


@dataclass(frozen=True, slots=True)
class Suspect:
    """Something that looks incomplete although nothing failed. `place_url` is the page to look at, `path` the URLs
    from the entry to it.
    """

    kind: str
    place_url: str
    path: tuple[str, ...]
    message: str


@dataclass(frozen=True, slots=True)
class RunResult:
    """What the end of a run found out besides the totals. `missing`: files of stored pictures that are gone; `limits`:
    those that ended the run, by their key in the config.
    """

    suspects: tuple[Suspect, ...] = ()
    missing: tuple[str, ...] = ()
    limits: Mapping[str, float] = field(default_factory=dict)
