"""Scrapy's disk store, made safe: a file appears under its name only when it is whole."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from scrapy.pipelines.files import FSFilesStore

if TYPE_CHECKING:
    from io import BytesIO
    from os import PathLike

PARTIAL_SUFFIX = ".partial"


class AtomicFilesStore(FSFilesStore):
    """Writes to `OUTPUT/partial/` and renames into place. Raises OSError as the disk does; nothing is left then."""

    def __init__(self, basedir: str | PathLike[str]) -> None:
        super().__init__(basedir)
        self._partial = os.path.join(os.path.dirname(os.path.abspath(self.basedir)), "partial")
        self._made: set[str] = set()

    def persist_file(
        self,
        path: str | PathLike[str],
        buf: BytesIO,
        info: Any,
        meta: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        """Store *buf* as *path* (relative, with slashes)."""
        self.write(str(path), buf.getbuffer())

    def write(self, path: str, content: bytes | memoryview) -> None:
        """Store *content* as *path* (relative, with slashes)."""
        final = os.path.join(self.basedir, path)
        self._make(os.path.dirname(final))
        self._make(self._partial)
        partial = os.path.join(self._partial, f"{os.getpid()}-{id(content):x}{PARTIAL_SUFFIX}")
        try:
            descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
            try:
                while content:
                    content = content[os.write(descriptor, content) :]
            finally:
                os.close(descriptor)
            os.replace(partial, final)
        except BaseException:
            if os.path.exists(partial):
                os.unlink(partial)
            raise

    def link(self, existing: str, path: str) -> None:
        """Make *path* a hard link to *existing*, both relative."""
        final = os.path.join(self.basedir, path)
        self._make(os.path.dirname(final))
        if not os.path.exists(final):
            os.link(os.path.join(self.basedir, existing), final)

    def remove(self, path: str) -> None:
        """Take the file *path* away again, and its folder if it was the last in it."""
        final = os.path.join(self.basedir, path)
        if os.path.exists(final):
            os.unlink(final)
        folder = os.path.dirname(final)
        if folder != self.basedir and os.path.isdir(folder) and not os.listdir(folder):
            os.rmdir(folder)
            self._made.discard(folder)

    def clean(self) -> None:
        """Remove what a killed run left half-written."""
        if not os.path.isdir(self._partial):
            return
        for name in os.listdir(self._partial):
            if name.endswith(PARTIAL_SUFFIX):
                os.unlink(os.path.join(self._partial, name))
        if not os.listdir(self._partial):
            os.rmdir(self._partial)
            self._made.discard(self._partial)

    def _make(self, folder: str) -> None:
        if folder not in self._made:
            os.makedirs(folder, exist_ok=True)
            self._made.add(folder)
