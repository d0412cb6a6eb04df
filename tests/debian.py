"""Debian packages as test data: unpacked into a cache outside the project, never installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "picspider-tests"


class PackageMissingError(Exception):
    """The package is neither in the cache nor to be had from apt."""


def unpacked(package: str) -> Path:
    """The folder that holds the files of *package*, fetched on first use."""
    folder = CACHE / package
    if folder.is_dir():
        return folder
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        raise PackageMissingError(f"{package}: this is no Debian system")
    debs = CACHE / f"{package}.debs"
    part = CACHE / f"{package}.part"
    shutil.rmtree(part, ignore_errors=True)
    debs.mkdir(parents=True, exist_ok=True)
    fetched = subprocess.run(["apt-get", "download", package], cwd=debs, capture_output=True, text=True, check=False)
    if fetched.returncode:
        raise PackageMissingError(f"apt-get download {package} (apt-get update first?): {fetched.stderr.strip()}")
    for deb in debs.glob("*.deb"):
        subprocess.run(["dpkg-deb", "-x", str(deb), str(part)], check=True)
    shutil.rmtree(debs)
    return part.rename(folder)
