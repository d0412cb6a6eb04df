"""A site of files together with the truth about it: what a right crawl finds, and what it must leave alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from picspider.demo.pictures import landscape

SIZE = (120, 80)


@dataclass
class Site:
    """Paths (with their query, if any) and what they serve; the truth is kept while the site is built."""

    files: dict[str, bytes] = field(default_factory=dict)
    pages: set[str] = field(default_factory=set)
    pictures: dict[str, bytes] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    skips: dict[str, str] = field(default_factory=dict)
    repeats: dict[str, int] = field(default_factory=dict)
    left_alone: set[str] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)

    def page(self, path: str, body: str, *, head: str = "", encoding: str = "utf-8") -> None:
        """A page that the crawl must visit."""
        text = f'<!doctype html><html><head><meta charset="{encoding}">{head}</head><body>\n{body}\n</body></html>\n'
        self.files[path] = text.encode(encoding)
        self.pages.add(path)

    def picture(self, path: str, seed: int, kind: str = "JPEG", *, name: str | None = None) -> str:
        """A picture that must be stored (under *name* in the pictures folder, if given). The path comes back."""
        self.files[path] = self.pictures[path] = landscape(seed, *SIZE, kind)
        if name is not None:
            self.names[path] = name
        return path

    def truncated(self, path: str, seed: int) -> str:
        """A picture whose end is missing."""
        self.files[path] = landscape(seed, *SIZE)[:1200]
        self.failures[path] = "truncated"
        return path

    def missing(self, path: str) -> str:
        """A link to nothing."""
        self.failures[path] = "http"
        return path

    def small(self, path: str, seed: int, size: tuple[int, int] = (30, 20)) -> str:
        """A picture that the config's filters refuse."""
        self.files[path] = landscape(seed, *size)
        self.skips[path] = "too-small"
        return path

    def decoy(self, path: str, seed: int = 1) -> str:
        """A thumbnail, button or icon: it must not even be asked for."""
        self.files[path] = landscape(seed, 24, 16)
        self.left_alone.add(path)
        return path

    def decoy_page(self, path: str) -> str:
        """A page that the crawl must not visit."""
        self.files[path] = b"<!doctype html><title>elsewhere</title>"
        self.left_alone.add(path)
        return path

    def again(self, path: str, times: int = 1) -> str:
        """Note *times* more sightings of *path*, which has been linked already."""
        self.repeats[path] = self.repeats.get(path, 0) + times
        return path

    def write(self, root: Path) -> Path:
        """Put the files where a web server finds them, and return the folder."""
        for path, body in self.files.items():
            place, mark, query = path.partition("?")
            file = root / (place.lstrip("/") + "index.html" * place.endswith("/") + mark + query)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(body)
        return root
