"""One run per output folder: a lock file that names its holder."""

from __future__ import annotations

import json
import logging
import os
import socket
import time
from typing import TYPE_CHECKING

from picspider.errors import StoreError

if TYPE_CHECKING:
    from pathlib import Path


logger = logging.getLogger(__name__)


class FolderLock:
    """Holds `path` while a run goes on. A lock whose process has died is taken over.

    The operating system's lock decides, so a killed holder leaves nothing behind; the text in the file (process id
    and host) is for the message.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None

    def acquire(self) -> None:
        """Take the lock. Raises `StoreError` naming the holder when it is held."""
        descriptor = self._locked_descriptor()
        left_by = os.read(descriptor, 300).decode("utf-8", "replace")
        if left_by:
            logger.info(
                "%s: the run that held this folder is gone (%s); its lock is taken over",
                self.path.parent,
                _holder(left_by),
            )
        os.ftruncate(descriptor, 0)
        note = {"pid": os.getpid(), "host": socket.gethostname(), "since": time.strftime("%Y-%m-%d %H:%M:%S")}
        os.pwrite(descriptor, json.dumps(note).encode(), 0)
        self._descriptor = descriptor

    def _locked_descriptor(self) -> int:
        while True:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
            try:
                _lock_or_raise(descriptor)
            except OSError:
                holder = os.read(descriptor, 300).decode("utf-8", "replace")
                os.close(descriptor)
                raise StoreError(_held_message(self.path, holder)) from None
            if _is_file_of(descriptor, self.path):
                return descriptor
            os.close(descriptor)  # its holder removed the file between our opening and locking it

    def release(self) -> None:
        """Let go; the file is removed."""
        if self._descriptor is not None:
            self.path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = None


def holder_lives(path: Path) -> bool:
    """Whether the process that the lock file *path* names lives; one on another machine is taken to. The lock itself
    is not tried: a run that begins in that moment would be refused.
    """
    try:
        note = json.loads(path.read_text(encoding="utf-8"))
        if note["host"] != socket.gethostname():
            return True
        os.kill(int(note["pid"]), 0)
    except PermissionError:
        return True  # it lives, as someone else's
    except (OSError, ValueError, KeyError, TypeError):
        return False
    return True


def _lock_or_raise(descriptor: int) -> None:
    try:
        import fcntl  # noqa: PLC0415 - not there on Windows
    except ImportError:
        import msvcrt  # noqa: PLC0415 - only there on Windows

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]  # typed on Windows only
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_file_of(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _holder(text: str) -> str:
    try:
        note = json.loads(text)
        return f"process {note['pid']} on {note['host']} since {note['since']}"
    except (ValueError, KeyError, TypeError):
        return "another process"


def _held_message(path: Path, holder: str) -> str:
    return (
        f"{path.parent}: another run is using this output folder ({_holder(holder)}). Wait for it, or choose another "
        f"output."
    )
