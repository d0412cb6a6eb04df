"""Where links lead: internal (same server), external, or other (*Web robot*), and which of them a scope follows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal
from urllib.parse import urlsplit

from picspider.links.looks import PICTURES
from picspider.urls import host_key

LinkKind = Literal["internal", "external", "other"]
Scope = Literal["internal", "external", "all"]

# The second paper's crawler took .ico and .css for pages, and calls it a weakness (*Multi-threaded breadth-first
# crawler*).
_FILE = re.compile(
    rf"\.(?:{'|'.join(PICTURES)}|ico|cur|svgz?|psd|eps|ps|raw|dng"
    r"|pdf|docx?|xlsx?|pptx?|od[tspg]|rtf|epub|mobi|djvu|csv|tsv|bib|tex|ipynb"
    r"|zip|rar|7z|tar|gz|tgz|bz2|xz|zst|iso|dmg|exe|msi|apk|deb|rpm|jar|whl"
    r"|mp[34]|m4[av]|og[gv]|opus|wav|flac|avi|mov|mkv|webm|wmv|flv|midi?"
    r"|css|js|mjs|map|json|xml|rss|atom|woff2?|ttf|otf|eot|swf|wasm)\Z",
    re.IGNORECASE,
)
_OWN_PORTS = {":80", ":443"}


def path_of(url: str) -> str:
    """*url* without query and fragment."""
    return url.partition("#")[0].partition("?")[0]


def server_of(url: str) -> str:
    """The server of *url*: its host, and its port unless that is the scheme's own, so that http and https are one."""
    key = host_key(url)
    host, _, port = key.rpartition(":")
    return host if f":{port}" in _OWN_PORTS else key


class LinkKinds:
    """Tells the kinds of links apart, seen from the servers of the entry pages."""

    def __init__(self, entry: Iterable[str], scope: Scope) -> None:
        self._servers = {server_of(url) for url in entry}
        self._scope = scope

    def add_entry(self, url: str) -> None:
        """An entry page turned out to be at *url*, after redirects: that server is internal, too."""
        self._servers.add(server_of(url))

    def kind_of(self, url: str) -> LinkKind:
        """The kind of the link to *url* (absolute)."""
        if not url.startswith(("http://", "https://")):
            return "other"
        if _FILE.search(path_of(url)) and urlsplit(url).path:
            return "other"
        return "internal" if server_of(url) in self._servers else "external"

    def follows(self, kind: LinkKind) -> bool:
        """Whether links of *kind* are followed."""
        return kind != "other" and self._scope in ("all", kind)
