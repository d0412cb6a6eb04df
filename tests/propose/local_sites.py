"""Sites of different make with the pictures that a person would want of each, by content."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path

from lxml import html

from picspider.demo.gallery import build_gallery
from picspider.demo.pictures import landscape
from picspider.pictures.inspect import Failed, inspect
from tests.crawls.test_sigal import gallery
from tests.debian import CACHE, unpacked
from tests.propose.made_sites import decoys, one_script, plain, scripted
from tests.sites.site import Site
from tests.sites.worked import site_of

SHARED = Path(__file__).parents[3] / "shared"


@dataclass(frozen=True)
class LocalSite:
    """A folder to serve, where to begin, and the SHA-256 of each picture wanted.

    `either`: pictures that are right to take as well as to leave (emblems of the page, too small ones).
    """

    root: Path
    entry: str
    wanted: frozenset[str]
    either: frozenset[str] = field(default_factory=frozenset)


class NotHereError(Exception):
    """A program or package that makes the site is missing."""


def digest(body: bytes) -> str:
    """SHA-256 as the feeds write it."""
    return sha256(body).hexdigest()


def digests(files: list[Path]) -> frozenset[str]:
    """The same of whole files."""
    return frozenset(digest(file.read_bytes()) for file in files)


def example(name: str, entry: str, *parts: str) -> Callable[[Path], LocalSite]:
    """The site of a worked config; *parts*: only pictures with one of these in their path hang below *entry*."""

    def build(folder: Path) -> LocalSite:
        site = site_of(name)
        wanted = frozenset(digest(body) for path, body in site.pictures.items() if _has(path, parts))
        either = frozenset(digest(site.files[path]) for path in site.skips if path in site.files)
        return LocalSite(site.write(folder), entry, wanted, either)

    return build


def _has(path: str, parts: tuple[str, ...]) -> bool:
    return not parts or any(part in path for part in parts)


def made(build_site: Callable[[], Site], entry: str = "/") -> Callable[[Path], LocalSite]:
    """A site of `made_sites`."""

    def build(folder: Path) -> LocalSite:
        site = build_site()
        return LocalSite(site.write(folder), entry, frozenset(map(digest, site.pictures.values())))

    return build


def demo(folder: Path) -> LocalSite:
    """The gallery of `picspider demo`."""
    site = Site({path: answer.body for path, answer in build_gallery().items()})
    full = {path: body for path, body in site.files.items() if path.startswith("/full/")}
    good = frozenset(digest(body) for path, body in full.items() if path != "/full/tiny.jpg" and _is_whole(body))
    return LocalSite(site.write(folder), "/", good, frozenset({digest(full["/full/tiny.jpg"])}))


def _is_whole(body: bytes) -> bool:
    try:
        return bool(inspect(body))
    except Failed:
        return False


def bench(size: str) -> Callable[[Path], LocalSite]:
    """The handed benchmark site."""

    def build(folder: Path) -> LocalSite:
        if not (SHARED / "bench").is_dir():
            raise NotHereError("the benchmark site is not beside the project")
        sys.path.insert(0, str(SHARED / "bench"))
        sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
        try:
            site = importlib.import_module("make_site").ensure_site(CACHE / "bench", size, 1)
        finally:
            sys.path.remove(str(SHARED / "bench"))
            sys.dont_write_bytecode = before
        lines = (site / "truth.jsonl").read_text(encoding="utf-8").splitlines()
        records = [json.loads(line) for line in lines]
        return LocalSite(site / "www", "/", frozenset(each["sha256"] for each in records if each["status"] == "ok"))

    return build


def sigal(folder: Path) -> LocalSite:
    """796 stamps: category → album → page of a picture → picture."""
    made_by = gallery(unpacked("tuxpaint-stamps-default") / "usr/share/tuxpaint/stamps")
    return LocalSite(made_by / "site", "/", digests([*(made_by / "source").rglob("*.png")]))


def photographs(folder: Path, albums: tuple[str, ...], count: int) -> list[Path]:
    """Drawn landscapes, *count* for each of *albums*."""
    files = []
    for number, album in enumerate(albums):
        place = folder / album
        place.mkdir(parents=True, exist_ok=True)
        for picture in range(count):
            file = place / f"{('DSC', 'IMG')[number % 2]}_{1000 + 37 * number + picture}.jpg"
            file.write_bytes(landscape(1000 * number + picture, 1350, 900))
            files.append(file)
    return files


def _generated(name: str, program: str, build: Callable[[Path], None]) -> Path:
    """The folder that *build* fills once, if *program* is installed."""
    if shutil.which(program) is None:
        raise NotHereError(f"{program} is not installed")
    folder = CACHE / name
    if not (folder / "done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        build(folder)
        (folder / "done").touch()
    return folder


def _run(*command: str, cwd: Path) -> None:
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    subprocess.run(command, cwd=cwd, env=environment, check=True, capture_output=True, timeout=300)


def lazygal(folder: Path) -> LocalSite:
    """Albums with numbered index pages; thumbnail → page → reduced picture → original."""

    def build(place: Path) -> None:
        photographs(place / "source", ("Alps", "Baltic", "Corsica"), 8)
        _run("lazygal", "-O", "-n", "5", "--quiet", "-o", "site", "source", cwd=place)

    place = _generated("lazygal-of-landscapes", "lazygal", build)
    return LocalSite(place / "site", "/", digests([*(place / "source").rglob("*.jpg")]))


def llgal(folder: Path) -> LocalSite:
    """One album: thumbnail → slide with a scaled picture → full picture."""

    def build(place: Path) -> None:
        files = photographs(place, ("site",), 14)
        _run("llgal", "--sx", "300", "--sy", "200", "-d", "site", cwd=place)
        (place / "names").write_text("\n".join(file.name for file in files), encoding="utf-8")

    place = _generated("llgal-of-landscapes", "llgal", build)
    names = (place / "names").read_text(encoding="utf-8").split()
    return LocalSite(place / "site", "/", digests([place / "site" / name for name in names]))


def skimage(folder: Path) -> LocalSite:
    """The gallery of scikit-image: thumbnail → example → its figures."""
    root = unpacked("python-skimage-doc") / "usr/share/doc/python-skimage-doc/html"
    figures = set()
    for page in (root / "auto_examples").glob("*/*.html"):
        sources = html.parse(page).xpath(
            "//*[contains(@class, 'sphx-glr')]/@src | //img[contains(@src, 'sphx_glr')]/@src"
        )
        figures |= {(page.parent / source).resolve() for source in sources if "_thumb" not in source}
    return LocalSite(root, "/auto_examples/index.html", digests([file for file in figures if file.exists()]))


def gimp_help(folder: Path) -> LocalSite:
    """The manual of the GIMP: table of contents → pages, chained by rel=next → figures."""
    root = unpacked("gimp-help-en") / "usr/share/gimp/2.0/help"
    uses: dict[Path, int] = {}
    for page in sorted((root / "en").glob("*.html")):
        for source in set(html.parse(page).xpath("//*[local-name()='img']/@src")):
            file = root / "en" / source
            uses[file] = uses.get(file, 0) + 1
    emblems = [file for file in uses if file.parent.name == "images" and _is_emblem(file)]
    everything, either = digests([*uses]), digests(emblems)
    return LocalSite(root, "/en/index.html", everything - either, either)


def _is_emblem(file: Path) -> bool:
    return file.stem in {"next", "prev", "up", "home", "gimp-org", "note", "tip", "warning", "important", "caution"}


SITES: dict[str, Callable[[Path], LocalSite]] = {
    "benchmark tiny": bench("tiny"),
    "benchmark small": bench("small"),
    "demo": demo,
    "next-by-text": example("next-by-text", "/board/1/", "/files/1-", "/files/2-"),
    "chinese": example("chinese", "/list.html"),
    "lazy-load": example("lazy-load", "/gallery/"),
    "thumbnails": example("thumbnails", "/"),
    "next-by-rel": example("next-by-rel", "/"),
    "next-by-template": example("next-by-template", "/list/001?page=1", "/large/001"),
    "next-per-layer": example("next-per-layer", "/rooms"),
    "page-source": example("page-source", "/index.html"),
    "depth-first": example("depth-first", "/"),
    "decoys": made(decoys),
    "scripted": made(scripted),
    "one script": made(one_script, "/show.php"),
    "plain, a word": made(partial(plain, "word")),
    "plain, numbers": made(partial(plain, "numbers")),
    "plain, both": made(partial(plain, "both")),
    "sigal": sigal,
    "lazygal": lazygal,
    "llgal": llgal,
    "skimage gallery": skimage,
    "gimp help": gimp_help,
}
