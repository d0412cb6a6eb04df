"""Scrapy's disk store, made safe: a file appears under its name only when it is whole."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import time
from typing import TYPE_CHECKING, Any

from scrapy.pipelines.files import FSFilesStore

from picspider.output_folder import PARTIAL_SUFFIX

if TYPE_CHECKING:
    from io import BytesIO
    from os import PathLike

HOST = re.sub(r"[^\w.-]", "_", socket.gethostname())[:60]
LONGEST_WRITE_SECONDS = 3600


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
        partial = os.path.join(self._partial, f"{HOST}-{os.getpid()}-{id(content):x}{PARTIAL_SUFFIX}")
        try:
            descriptor = self._open(partial)
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

    def _open(self, partial: str) -> int:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        try:
            return os.open(partial, flags, 0o644)
        except FileNotFoundError:  # another worker that uses this folder has ended, and tidied up
            os.makedirs(self._partial, exist_ok=True)
            return os.open(partial, flags, 0o644)

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
        """Remove what killed runs left half-written; other workers that use this folder keep theirs."""
        with contextlib.suppress(FileNotFoundError):
            for name in os.listdir(self._partial):
                if name.endswith(PARTIAL_SUFFIX) and _is_left(os.path.join(self._partial, name)):
                    os.unlink(os.path.join(self._partial, name))
        # Not empty while another worker writes; gone if that one has removed it.
        with contextlib.suppress(OSError):
            os.rmdir(self._partial)
        self._made.discard(self._partial)

    def _make(self, folder: str) -> None:
        if folder not in self._made:
            os.makedirs(folder, exist_ok=True)
            self._made.add(folder)


def _is_left(partial: str) -> bool:
    """Whether nobody writes to *partial* any more."""
    host, _, process = os.path.basename(partial).rpartition("-")[0].rpartition("-")
    if host == HOST and process.isdigit():
        return int(process) == os.getpid() or not _lives(int(process))
    return time.time() - os.stat(partial).st_mtime > LONGEST_WRITE_SECONDS


def _lives(process: int) -> bool:
    if os.name != "posix":  # asking would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
