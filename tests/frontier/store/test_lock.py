from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from picspider.errors import StoreError
from picspider.frontier.store import lock
from picspider.frontier.store.lock import FolderLock, holder_lives

HOLDER = """
import sys, time
from pathlib import Path
from picspider.frontier.store.lock import FolderLock
FolderLock(Path(sys.argv[1])).acquire()
print("held", flush=True)
time.sleep(60)
"""


def test_second_run_is_told_who_holds_the_folder(tmp_path: Path) -> None:
    """While one process holds the lock, another is refused with the holder's process id and host."""
    path = tmp_path / "crawl.lock"
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(StoreError, match=rf"process {holder.pid} on {os.uname().nodename} since"):
            FolderLock(path).acquire()
        assert holder_lives(path)
        holder.kill()
        holder.wait()
    assert not holder_lives(path)
    FolderLock(path).acquire()
    assert json.loads(path.read_text())["pid"] == os.getpid(), "a lock whose process has died is taken over"


def test_lock_can_be_taken_again_after_release(tmp_path: Path) -> None:
    """Releasing, even twice, removes the file; the next run makes its own."""
    folder_lock = FolderLock(tmp_path / "crawl.lock")
    for _ in range(2):
        folder_lock.acquire()
        folder_lock.release()
        folder_lock.release()
        assert not folder_lock.path.exists()


def test_removed_lock_file_is_not_held(tmp_path: Path) -> None:
    """A lock on a file that its holder has just removed counts for nothing: the next one locks the new file."""
    first, second = FolderLock(tmp_path / "crawl.lock"), FolderLock(tmp_path / "crawl.lock")
    first.acquire()
    first.path.unlink()
    second.acquire()
    assert second.path.exists()
    second.release()
    first.release()


@pytest.mark.parametrize("replaced", [False, True])
def test_lock_file_removed_after_its_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, replaced: bool
) -> None:
    """A file that its holder removes between our opening and locking it, and may have made anew, is no lock of ours."""
    folder_lock, at_once = FolderLock(tmp_path / "crawl.lock"), lock._lock_or_raise
    opened: list[int] = []

    def late(descriptor: int) -> None:
        if not opened:
            folder_lock.path.unlink()
            if replaced:
                folder_lock.path.touch()
        opened.append(descriptor)
        at_once(descriptor)

    monkeypatch.setattr(lock, "_lock_or_raise", late)
    folder_lock.acquire()
    assert len(opened) == 2
    with pytest.raises(StoreError, match=f"process {os.getpid()} on"):
        FolderLock(folder_lock.path).acquire()
    folder_lock.release()


@pytest.mark.parametrize("left", ["", "{", "[]", "{}"])
def test_lock_that_does_not_say_whose_it_is(tmp_path: Path, left: str) -> None:
    """A folder that is held by a process that could not write its name is refused, too."""
    first = FolderLock(tmp_path / "crawl.lock")
    first.acquire()
    first.path.write_text(left, encoding="utf-8")
    with pytest.raises(StoreError, match=r"this output folder \(another process\)"):
        FolderLock(first.path).acquire()
    first.release()


@pytest.mark.parametrize(
    ("note", "lives"), [('{"pid": 1, "host": "elsewhere.example"}', True), ("", False), ("[]", False)]
)
def test_holder_that_cannot_be_asked(tmp_path: Path, note: str, lives: bool) -> None:  # noqa: FBT001 - a parameter of pytest
    """A holder on another machine is taken to live; a file that names none is held by nobody."""
    path = tmp_path / "crawl.lock"
    assert not holder_lives(path)
    path.write_text(note, encoding="utf-8")
    assert holder_lives(path) is lives


def test_what_is_left_need_be_no_text(tmp_path: Path) -> None:
    """A lock file with bytes that are no UTF-8 is taken over, and told apart from one that is held."""
    path = tmp_path / "crawl.lock"
    path.write_bytes(b"\xff")
    first = FolderLock(path)
    first.acquire()
    path.write_bytes(b"\xff")
    with pytest.raises(StoreError, match="another process"):
        FolderLock(path).acquire()
    first.release()
