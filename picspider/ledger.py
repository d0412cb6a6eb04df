"""What pipelines and reports may ask of the frontier, and say to it, without knowing how it is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy import Request
    from scrapy.crawler import Crawler

    from picspider.places import Places
    from picspider.records import Outcome


class Lookups(Protocol):
    """Which row holds a file name or a content; see `picspider.frontier.turn.lookups.Lookups`."""

    @property
    def places(self) -> Places:
        """Places of pages."""
        ...

    async def ready_place(self, row: int) -> None:
        """Have the place of the page *row* at hand in `places`, without keeping the loop waiting."""
        ...

    async def claim_name(self, file_key: int, row: int, file: str = "") -> bool:
        """Take a name, that of *file*, for *row*; False when another picture has it."""
        ...

    async def claim_content(self, sha256: str, row: int) -> int | None:
        """The row that already has these bytes; None when *row* is the first, and then they are its own."""
        ...

    def release(self, row: int, file_key: int | None, sha256: str | None) -> None:
        """Give claims back: the picture was not stored after all."""
        ...

    def sighting_of(self, row: int) -> tuple[str, int, str] | None:
        """(URL, parent row, link text) of *row*."""
        ...


class Ledger(Protocol):
    """The frontier as others see it."""

    @property
    def lookups(self) -> Lookups:
        """Names and contents."""
        ...

    def end(self, request: Request, outcome: Outcome) -> None:
        """Say what became of *request*."""
        ...

    def file_of(self, row: int) -> str | None:
        """The stored file of the picture *row*; None while it has none."""
        ...

    def revoke(self, sha256: str, message: str) -> list[str]:
        """Take pictures with this content back as failures `placeholder`; returns the files that have to go."""
        ...

    def reopen(self, rows: Iterable[int]) -> set[int]:
        """Have those of *rows* fetched again that are failures `placeholder` in the table; returns which."""
        ...

    def ask_differently(self, host: str, referer: str) -> None:
        """From now on pictures of *host* get this Referer; its failures `placeholder` are fetched again."""
        ...


def ledger_of(crawler: Crawler) -> Ledger:
    """The frontier of a running crawl."""
    frontier: Any = crawler.engine.scheduler
    return cast("Ledger", frontier.ledger)
