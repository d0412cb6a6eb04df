"""Cookies that a browser of this machine holds, read by browser-cookie3 (the extra `browser`)."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from picspider.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from http.cookiejar import Cookie


def from_browser(source: str, keys: Iterable[str]) -> list[Cookie]:
    """The cookies for the hosts of *keys* ("host:port") from *source*: `browser:NAME` or `browser:NAME:PATH`.

    Nothing of other hosts is kept. Raises ConfigError when the extra is not installed, or the browser's cookies
    cannot be read.
    """
    _, name, *file = source.split(":", 2)
    library = _library()
    hosts = {key.rpartition(":")[0].strip("[]") for key in keys}
    found: dict[tuple[str, str, str], Cookie] = {}
    # The library looks for a part of the domain: the last two labels find those of the domains above, too.
    for part in {".".join(host.split(".")[-2:]) for host in hosts}:
        try:
            jar = getattr(library, name)(cookie_file=file[0] if file else None, domain_name=part)
        except Exception as error:  # the library's own, SQLite's, the key ring's …
            raise ConfigError(f"fetch.cookies: the cookies of {name} cannot be read: {error}") from error
        found.update({(c.domain, c.path, c.name): c for c in jar if any(_is_for(c, host) for host in hosts)})
    return [*found.values()]


def _library() -> Any:
    try:
        return importlib.import_module("browser_cookie3")
    except ImportError as error:
        raise ConfigError(
            "fetch.cookies: to read a browser's cookies, install the extra: pip install 'picspider[browser]'"
        ) from error


def _is_for(cookie: Cookie, host: str) -> bool:
    """Whether *cookie* is sent to *host* (RFC 6265, 5.1.3)."""
    domain = cookie.domain.lstrip(".").lower()
    return host == domain or (cookie.domain.startswith(".") and host.endswith("." + domain))
