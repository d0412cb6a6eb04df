from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from picspider.errors import StoreError
from picspider.frontier.lock import FolderLock

HOLDER = """
import sys, time
from pathlib import Path
from picspider.frontier.lock import FolderLock
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
        holder.kill()
        holder.wait()
    FolderLock(path).acquire()
    assert json.loads(path.read_text())["pid"] == os.getpid(), "a lock whose process has died is taken over"


def test_lock_can_be_taken_again_after_release(tmp_path: Path) -> None:
    """Releasing removes the file; the next run makes its own."""
    lock = FolderLock(tmp_path / "crawl.lock")
    for _ in range(2):
        lock.acquire()
        lock.release()
        assert not lock.path.exists()


def test_removed_lock_file_is_not_held(tmp_path: Path) -> None:
    """A lock on a file that its holder has just removed counts for nothing: the next one locks the new file."""
    first, second = FolderLock(tmp_path / "crawl.lock"), FolderLock(tmp_path / "crawl.lock")
    first.acquire()
    first.path.unlink()
    second.acquire()
    assert second.path.exists()
    second.release()
