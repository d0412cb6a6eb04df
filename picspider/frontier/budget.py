"""The limits of a run: when enough has been fetched, what waits stays waiting for the next run."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from picspider.visit import Kind


@dataclass(slots=True)
class Budget:
    """Counts what this run fetched against its limits (None: no limit)."""

    pages: int | None = None
    pictures: int | None = None
    size_bytes: int | None = None
    seconds: float | None = None
    fetched: dict[Kind, int] = field(default_factory=lambda: {"page": 0, "picture": 0})
    received_bytes: int = 0
    started: float = field(default_factory=time.monotonic)

    @classmethod
    def from_settings_of(cls, settings: BaseSettings) -> Budget:
        """Settings: PICSPIDER_LIMIT_PAGES, _PICTURES, _BYTES, _SECONDS."""
        return cls(
            pages=settings.get("PICSPIDER_LIMIT_PAGES"),
            pictures=settings.get("PICSPIDER_LIMIT_PICTURES"),
            size_bytes=settings.get("PICSPIDER_LIMIT_BYTES"),
            seconds=settings.get("PICSPIDER_LIMIT_SECONDS"),
        )

    def allows(self, kind: Kind) -> bool:
        """Whether one more of *kind* may be fetched."""
        limit = self.pages if kind == "page" else self.pictures
        return (limit is None or self.fetched[kind] < limit) and not self.spent

    @property
    def spent(self) -> bool:
        """Whether nothing more may be fetched, of whatever kind."""
        if self.size_bytes is not None and self.received_bytes >= self.size_bytes:
            return True
        return self.seconds is not None and time.monotonic() - self.started >= self.seconds

    def reached(self) -> dict[str, float]:
        """The limits that are used up, by their key in the config, with their values."""
        used: dict[str, tuple[float, float | None]] = {
            "limits.pages": (self.fetched["page"], self.pages),
            "limits.pictures": (self.fetched["picture"], self.pictures),
            "limits.bytes": (self.received_bytes, self.size_bytes),
            "limits.seconds": (time.monotonic() - self.started, self.seconds),
        }
        return {key: limit for key, (now, limit) in used.items() if limit is not None and now >= limit}

    def spend(self, kind: Kind) -> None:
        """One of *kind* is being fetched."""
        self.fetched[kind] += 1

    def refund(self, kind: Kind) -> None:
        """It did not count after all (a picture that was not stored)."""
        self.fetched[kind] -= 1
