"""The server that a URL names, parsed once for each server rather than once for each request."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from picspider.errors import Failed
from picspider.urls import DEFAULT_PORTS, host_key

_ROOT_END = re.compile(r"[/?#]")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where to connect for a URL.

    `host` is lower case without brackets, `key` is "host:port" (`urls.host_key`), `netloc` what the Host header says.
    """

    scheme: str
    host: str
    port: int
    netloc: str
    key: str

    @property
    def tls(self) -> bool:
        """Whether the connection is encrypted."""
        return self.scheme == "https"


def split(url: str) -> tuple[Origin, str]:
    """The origin of *url* and the request target exactly as written (never re-escaped, no fragment).

    Raises Failed("scheme") unless it is http or https, Failed("bad-url") when host or port is unusable.
    """
    end = _ROOT_END.search(url, url.find("://") + 3)
    root, target = (url[: end.start()], url[end.start() :]) if end else (url, "")
    target = target.partition("#")[0]
    return origin(root), target if target.startswith("/") else "/" + target


@lru_cache(maxsize=4096)
def origin(root: str) -> Origin:
    """The origin of a URL without its path, such as ``https://example.org:8443``."""
    try:
        parts = urlsplit(root)
        scheme, host, _ = parts.scheme, parts.hostname, parts.port  # raises for a port that is none
    except ValueError as error:
        raise Failed("bad-url", f"{root}: {error}") from error
    if scheme not in ("http", "https"):
        raise Failed("scheme", f"{scheme or root}: only http and https are fetched")
    if not host:
        raise Failed("bad-url", f"{root}: no host")
    key = host_key(root)
    if not key.isascii():
        raise Failed("bad-url", f"{host}: not a host name")
    bracketed, _, port = key.rpartition(":")
    netloc = bracketed if int(port) == DEFAULT_PORTS[scheme] else key
    return Origin(scheme, bracketed.strip("[]"), int(port), netloc, key)
