"""The store of picture files on a disk."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from picspider.pictures.files_store import HOST, LONGEST_WRITE_SECONDS, PARTIAL_SUFFIX, AtomicFilesStore


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """The folder of the pictures."""
    return tmp_path / "out" / "pictures"


def test_file_is_whole_or_not_there(pictures: Path) -> None:
    """A write that fails leaves neither the file nor a part of it; the one before stays."""
    store = AtomicFilesStore(pictures)
    store.write("album/a.jpg", b"first")
    assert (pictures / "album/a.jpg").read_bytes() == b"first"
    (pictures / "b.jpg").mkdir()  # no file can take this name
    with pytest.raises(OSError, match=r"b\.jpg"):
        store.write("b.jpg", b"second")
    assert list((pictures.parent / "partial").iterdir()) == []
    store.clean()
    assert not (pictures.parent / "partial").exists()


def test_another_worker_has_tidied_up(pictures: Path) -> None:
    """The folder for what is half written is made again when somebody has removed it."""
    store = AtomicFilesStore(pictures)
    store.write("a.jpg", b"a")
    shutil.rmtree(pictures.parent / "partial")
    store.write("b.jpg", b"b")
    assert sorted(path.name for path in pictures.iterdir()) == ["a.jpg", "b.jpg"]


def test_same_content_under_two_names(pictures: Path) -> None:
    """A hard link is made once, and each name can be taken away without the other; an empty folder goes too."""
    store = AtomicFilesStore(pictures)
    store.write("a.jpg", b"a")
    for _ in range(2):
        store.link("a.jpg", "album/b.jpg")
    assert (pictures / "a.jpg").samefile(pictures / "album/b.jpg")
    for _ in range(2):
        store.remove("album/b.jpg")
    assert [path.name for path in pictures.iterdir()] == ["a.jpg"]
    store.write("album/c.jpg", b"c")
    store.remove("a.jpg")
    assert [path.name for path in pictures.rglob("*.jpg")] == ["c.jpg"]


def test_only_what_nobody_writes_is_removed(pictures: Path) -> None:
    """Halves of dead processes and very old ones go; those of the living, here or on another machine, stay."""
    store = AtomicFilesStore(pictures)
    store.write("a.jpg", b"a")
    partial = pictures.parent / "partial"
    with subprocess.Popen([sys.executable, "-c", ""]) as dead:
        dead.wait()
    gone = [f"{HOST}-{dead.pid}-1", f"{HOST}-{os.getpid()}-2", "elsewhere-1-3", "no process"]
    kept = [f"{HOST}-{os.getppid()}-4", "elsewhere-1-5"]
    for name in (*gone, *kept):
        (partial / f"{name}{PARTIAL_SUFFIX}").touch()
    old = time.time() - LONGEST_WRITE_SECONDS - 60
    for name in gone[2:]:
        os.utime(partial / f"{name}{PARTIAL_SUFFIX}", (old, old))
    store.clean()
    assert sorted(path.name.removesuffix(PARTIAL_SUFFIX) for path in partial.iterdir()) == sorted(kept)
