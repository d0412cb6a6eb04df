"""A local web of real pages with real links, and topics whose relevant pages are known by their place in it.

The pages come from Debian packages, unpacked into a cache folder. Nothing is served: a page is fetched by reading it.
"""

from __future__ import annotations

import gzip
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin

from picspider.topic import PageText, link_texts, page_text

HANDBOOK = ("debian-handbook", "usr/share/doc/debian-handbook/html")
# site → (Debian package, folder of its root in the package, start page)
SITES: dict[str, tuple[str, str, str]] = {
    "sagemath": ("sagemath-doc", "usr/share/doc/sagemath/html", "en/index.html"),
    "postgresql": ("postgresql-doc-15", "usr/share/doc/postgresql-doc-15/html", "index.html"),
    "libreoffice": ("libreoffice-help-zh-cn", "usr/share/libreoffice/help", "zh-CN/text/swriter/main0000.html"),
    "handbook-en": (*HANDBOOK, "en-US/index.html"),
    "handbook-zh": (*HANDBOOK, "zh-CN/index.html"),
    "handbook-tw": (*HANDBOOK, "zh-TW/index.html"),
}
_BASE = re.compile(r'<base\s+href="([^"]*)"')


@dataclass(frozen=True, slots=True)
class WebLink:
    """A link inside the site: the path that it leads to, its text and the text around it."""

    path: str
    text: str
    context: str


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page of the site."""

    text: PageText
    links: tuple[WebLink, ...]


@dataclass(frozen=True, slots=True)
class Web:
    """All pages of one site that can be reached from `start`, by path."""

    name: str
    start: str
    pages: Mapping[str, WebPage]

    def url(self, path: str) -> str:
        """The URL of *path*; the host is made up."""
        return f"http://{self.name}.example/{path}"


def unpacked(package: str, cache: Path) -> Path:
    """The folder of *package*'s files below *cache*, fetched by apt-get on first use."""
    folder = cache / package
    if not folder.is_dir():
        part = cache / f"{package}.part"
        part.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", package], cwd=part, check=True)
        for deb in part.glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", str(deb), str(part)], check=True)
            deb.unlink()
        part.rename(folder)
    return folder


def load(site: str, cache: Path) -> Web:
    """The web of *site*: every page that links reach, links to pages that are missing left out."""
    package, folder, start = SITES[site]
    root = unpacked(package, cache) / folder
    web = Web(site, start, pages := {})
    waiting, seen = [start], {start}
    while waiting:
        path = waiting.pop()
        pages[path] = page = _page(web, root, path)
        new = [link.path for link in page.links if link.path not in seen]
        seen.update(new)
        waiting.extend(dict.fromkeys(new))
    return web


def _page(web: Web, root: Path, path: str) -> WebPage:
    html = _read(root / path)
    url = web.url(path)
    written = _BASE.search(html)
    base = urljoin(url, written.group(1)) if written else url
    links = []
    for link in link_texts(html):
        target = _inside(web, base, link.href)
        if target and target != path and _exists(root / target):
            links.append(WebLink(target, link.text, link.context))
    return WebPage(page_text(html, url), tuple(links))


def _inside(web: Web, base: str, href: str) -> str | None:
    """The path that *href* leads to, when it is a page of the site."""
    try:
        url = urldefrag(urljoin(base, href)).url
    except ValueError:
        return None
    root = web.url("")
    return unquote(url[len(root) :]) if url.startswith(root) and url.endswith(".html") else None


def _exists(file: Path) -> bool:
    return file.is_file() or file.with_name(file.name + ".gz").is_file()


def _read(file: Path) -> str:
    data = file.read_bytes() if file.is_file() else gzip.decompress(file.with_name(file.name + ".gz").read_bytes())
    return data.decode("utf-8", "replace")
