"""What lies where in an output folder: names that users and their scripts rely on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

# What a file is called while it is being written. One of a killed run is removed by the next.
PARTIAL_SUFFIX = ".partial"


@dataclass(frozen=True, slots=True)
class OutputFolder:
    """The folder of one crawl. Nothing but pictures lies in `pictures`; `store` is there unless the config names a
    database, `pages` after a focused crawl, `log` after `picspider crawl`, `lock` while a run goes on.
    """

    path: Path

    @property
    def pictures(self) -> Path:
        """The stored pictures."""
        return self.path / "pictures"

    @property
    def pages(self) -> Path:
        """The stored pages on the topic."""
        return self.path / "pages"

    @property
    def thumbnails(self) -> Path:
        """Small versions of the pictures."""
        return self.path / "thumbnails"

    @property
    def store(self) -> Path:
        """The state of the crawl."""
        return self.path / "crawl.db"

    @property
    def store_url(self) -> str:
        """The same as SQLAlchemy writes it."""
        return f"sqlite:///{self.store.absolute()}"

    @property
    def lock(self) -> Path:
        """Who holds the folder."""
        return self.path / "crawl.lock"

    @property
    def report(self) -> Path:
        """The page for people."""
        return self.path / "report.html"

    @property
    def log(self) -> Path:
        """All that was said."""
        return self.path / "crawl.log"

    def feed(self, name: str) -> Path:
        """The records of the feed *name*."""
        return self.path / f"{name}.json"


def sidecar_of(file: str) -> str:
    """Where what is told of the picture *file* lies; both relative to the folder of the pictures."""
    return f"../sidecars/{file}.json"


def partial_of(path: Path, writer: object = None) -> Path:
    """What *path* is called while it is being written; *writer* sets several of them apart."""
    mine = "" if writer is None else f".{writer}"
    return path.with_name(f"{path.name}{mine}{PARTIAL_SUFFIX}")
