"""URLs as browsers read them (WHATWG URL standard), and when two of them are the same (Seeds 2: trailing slash).

`resolve` makes what is requested: nothing in it is re-escaped, sorted or dropped but the fragment.
`identity` makes what is compared: it is never requested.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_from_bytes

import ada_url

from picspider.errors import Failed

if TYPE_CHECKING:
    from collections.abc import Callable

    from picspider.visit import Kind

DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}
LONGEST_SHOWN = 200
MOST_KNOWN = 5_000

# References that a browser would change nothing in: safe characters and, but for the start, no step that is empty or
# begins with a dot, plain or escaped.
_SAFE = r"A-Za-z0-9_~!$&()*+,;=@%.\-"
_QUERY = rf"(?:\?[{_SAFE}:/?]*)?"
_STEPS = rf"(?:/(?![./])[{_SAFE}:]*)"
_ROOTED = re.compile(rf"({_STEPS}+{_QUERY})(?:#|\Z)")
_PLAIN = re.compile(rf"((?:\.\.?/)*)((?:(?!\.)[{_SAFE}]+{_STEPS}*{_QUERY})?)(?:#|\Z)")
_ABSOLUTE = re.compile(rf"(https?://[^/?#\\\s@]+)((?:{_STEPS}+{_QUERY})?)(?:#|\Z)")
_ESCAPED_DOT = re.compile("%2[eE]")
_ODD = re.compile(r"/\.|%2[eE]")
# What a browser would have escaped in a path.
_ESCAPED = re.compile(r"[^\x21-\x7e]|[\\\"<>^`{}]")
_CONTROL = "".join(map(chr, range(0x21)))
_REMOVED = str.maketrans("", "", "\t\r\n")
_ABSOLUTE_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*):")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_ESCAPE = re.compile(r"%[0-9a-fA-F]{2}")
_SIMPLE = re.compile(r"https?://[a-z0-9.\-]+(?::\d+)?/[^?#%]*\Z")
_ORIGIN = re.compile(r"[^/?#]*(?:/[^/?#]*){0,2}")
_PORT = re.compile(r":0*([0-9]+)\Z")
_HAS_DEFAULT_PORT = re.compile(r"http://[^/]*:80/|https://[^/]*:443/")


@dataclass(frozen=True, slots=True)
class IdentityRules:
    """What does not make two URLs different: parameters by name (`utm_*` covers all that begin so), a last slash."""

    ignore_parameters: tuple[str, ...] = ()
    strip_trailing_slash: bool = True


DEFAULT_RULES = IdentityRules()


def resolve(base: str, raw: str, encoding: str = "utf-8") -> str:
    """The absolute URL, of whatever scheme and without fragment, that *raw* means on a page at *base*.

    *encoding* is the page's: a browser writes the characters of a query in it. Escapes stay as they are written.
    Raises Failed("bad-url") when it is no URL (impossible host or port, relative to nothing).
    """
    return resolver(base, encoding).resolve(raw)


class Resolver:
    """`resolve` for many references of one page: knows the base's parts."""

    __slots__ = ("base", "directories", "known", "origin", "query_encoding", "scheme")

    def __init__(self, base: str, encoding: str = "utf-8") -> None:
        self.base = base.split("#", 1)[0]
        # UTF-16 and UTF-8 pages both send UTF-8 (URL standard, "output encoding").
        self.query_encoding = "" if encoding.lower().startswith(("utf", "ascii")) else encoding
        self.scheme, _, rest = self.base.partition("://")
        authority, _, path = rest.partition("/")
        self.origin = f"{self.scheme}://{authority}"
        # Where "", "../", "../../" lead: one entry for each; empty when the base itself needs the slow way.
        self.directories = _directories(self.scheme, self.origin, path.partition("?")[0].rpartition("/")[0])
        if self.directories and (_ODD.search(path) or _ESCAPED.search(path)):
            self.directories = ()

        # What means the same on every page of the origin; sites repeat most of it.
        self.known = _known_on(self.origin)

    def resolve(self, raw: str) -> str:
        """See `picspider.urls.resolve`."""
        return self.resolve_common(raw) or self.resolve_any(raw)

    def resolve_common(self, raw: str) -> str | None:
        """The absolute URL of a reference in one of the common forms, fast; None for the others."""
        url = self.known.get(raw)
        if url is not None:
            return url
        if "%" in raw and _ESCAPED_DOT.search(raw):
            return None
        if self.directories:
            if rooted := _ROOTED.match(raw):
                return self._keep(raw, self.origin + rooted[1])
            if plain := _PLAIN.match(raw):
                ups, rest = plain.groups()
                if not ups:
                    return self.directories[0] + rest if rest else None
                return self.directories[min(ups.count(".."), len(self.directories) - 1)] + rest
        absolute = _ABSOLUTE.match(raw)
        origin = _origin(absolute[1]) if absolute else ""
        return self._keep(raw, origin + (absolute[2] or "/")) if absolute and origin else None

    def _keep(self, raw: str, url: str) -> str:
        if len(self.known) >= MOST_KNOWN:
            self.known.clear()
        self.known[raw] = url
        return url

    def resolve_any(self, raw: str) -> str:
        """The absolute URL by the letter of the standard; raises Failed("bad-url")."""
        cleaned = raw.strip(_CONTROL).translate(_REMOVED).split("#", 1)[0]
        if not cleaned:
            return self.base
        if self.query_encoding and "?" in cleaned and not cleaned.isascii():
            cleaned = _with_query_in(cleaned, self.query_encoding)
        try:
            return ada_url.join_url(self.base, cleaned.encode("utf-8", "replace").decode())
        except ValueError:
            raise Failed("bad-url", f"not a valid URL: {_shown(raw)}") from None


@lru_cache(maxsize=1024)
def _directories(scheme: str, origin: str, path: str) -> tuple[str, ...]:
    """The folder *path* (without slashes around it) of *origin* and all above it, the deepest first."""
    if scheme not in ("http", "https") or _origin(origin) != origin:
        return ()
    steps = path.split("/") if path else []
    return tuple(origin + "/" + "".join(step + "/" for step in steps[:count]) for count in range(len(steps), -1, -1))


@lru_cache(maxsize=64)
def _known_on(origin: str) -> dict[str, str]:  # noqa: ARG001 (the key)
    return {}


@lru_cache(maxsize=256)
def resolver(base: str, encoding: str = "utf-8") -> Resolver:
    """The `Resolver` of a page, kept for the next reference."""
    return Resolver(base, encoding)


@lru_cache(maxsize=4096)
def _origin(written: str) -> str:
    """`scheme://host:port` as the standard writes it; empty when that has to be looked at more closely."""
    try:
        return ada_url.URL(written).href.removesuffix("/")
    except ValueError:
        return ""


def _with_query_in(url: str, encoding: str) -> str:
    """*url* with the query's characters escaped in the page's *encoding* (standard: percent-encode after encoding)."""
    scheme = _ABSOLUTE_SCHEME.match(url)
    if scheme and scheme[1].lower() not in ("http", "https", "ftp", "file"):
        return url
    start, _, query = url.partition("?")

    def escape(run: re.Match[str]) -> str:
        encoded = run[0].encode(encoding, "xmlcharrefreplace")
        return quote_from_bytes(encoded, safe="")

    return start + "?" + _NOT_ASCII.sub(escape, query)


def _shown(raw: str) -> str:
    text = raw if len(raw) <= LONGEST_SHOWN else raw[:LONGEST_SHOWN] + "…"
    return repr(text)


def identity(url: str, rules: IdentityRules = DEFAULT_RULES) -> str:
    """The text under which two URLs are the same one; for comparing only.

    Fragment and default port dropped, scheme and host in small letters, escapes in capitals, parameters sorted and the
    ignorable ones left out, the path's last slash stripped if the *rules* say so. Never raises.
    """
    return _identity(url, rules.ignore_parameters, strip_slash=rules.strip_trailing_slash)


def _identity(url: str, ignored: tuple[str, ...], *, strip_slash: bool) -> str:
    if _SIMPLE.match(url) and not _HAS_DEFAULT_PORT.match(url):
        return url.removesuffix("/") if strip_slash else url
    rest, _, _ = url.partition("#")
    rest, mark, query = rest.partition("?")
    scheme, separator, rest = rest.partition("://")
    if not separator:
        return url
    scheme = scheme.lower()
    authority, slash, path = rest.partition("/")
    userinfo, at, host = authority.rpartition("@")
    host = host.lower()
    if (default := DEFAULT_PORTS.get(scheme)) is not None:
        host = host.removesuffix(f":{default}")
    path = slash + path
    if strip_slash:
        path = path.removesuffix("/")
    if query:
        query = _sorted_query(query, ignored)
        mark = "?" if query else ""
    return f"{scheme}://{userinfo}{at}{host}" + _ESCAPE.sub(_in_capitals, f"{path}{mark}{query}")


def _sorted_query(query: str, ignored: tuple[str, ...]) -> str:
    pairs = [pair for pair in query.split("&") if pair and not _is_ignored(pair.partition("=")[0], ignored)]
    return "&".join(sorted(pairs))


def _is_ignored(name: str, ignored: tuple[str, ...]) -> bool:
    return any(name.startswith(rule[:-1]) if rule.endswith("*") else name == rule for rule in ignored)


def _in_capitals(escape: re.Match[str]) -> str:
    return escape[0].upper()


def fingerprint(identity: str) -> int:
    """A signed 64-bit number for *identity*, the same on every machine and in every run (Seeds 1, 3.2.1: the index)."""
    digest = blake2b(identity.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def key_of(url: str, kind: Kind, rules: IdentityRules = DEFAULT_RULES) -> int:
    """The store's key of *url*: the fingerprint of its identity. Only pages may differ by a last slash."""
    strip_slash = kind == "page" and rules.strip_trailing_slash
    return fingerprint(_identity(url, rules.ignore_parameters, strip_slash=strip_slash))


def ascii_host(host: str) -> str:
    """*host* in small letters as a browser asks for it (IDNA, UTS 46); not ASCII still when that cannot be."""
    if host.isascii():
        return host.lower()
    try:
        return ada_url.URL(f"http://{host}").hostname
    except ValueError:
        return host.lower()


@lru_cache(maxsize=4096)
def _host_key(origin: str) -> str:
    scheme, _, authority = origin.partition("://")
    host = authority.rpartition("@")[2]
    written = _PORT.search(host)
    if written:
        return f"{ascii_host(host[: written.start()])}:{written[1]}"
    port = DEFAULT_PORTS.get(scheme.lower())
    return ascii_host(host.removesuffix(":")) + (f":{port}" if port else "")


def host_key(url: str) -> str:
    """`host:port` in small letters, the scheme's own port filled in: what limits per host are counted by.

    A host in other letters than ASCII is as `ascii_host` writes it, so that an entry and a request have one key.
    """
    origin = _ORIGIN.match(url)
    return _host_key(origin[0] if origin else url)


@lru_cache(maxsize=4096)
def _site_of_host(host: str) -> str:
    return _extract(private=False)(host).top_domain_under_public_suffix or host


@lru_cache(maxsize=4096)
def is_public_suffix(host: str) -> bool:
    """Whether strangers share *host* (`co.uk`, `github.io`), so that no cookie may be for all below it."""
    return not _extract(private=True)(host).domain


# The list of public suffixes that comes with tldextract: nothing is fetched, nothing is cached on disk.
@lru_cache(maxsize=2)
def _extract(*, private: bool) -> Callable[[str], Any]:
    import tldextract  # noqa: PLC0415 - slow to import, and few crawls ask for the site of a URL

    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=private)


def site_of(url: str) -> str:
    """The registrable domain of *url* (`example.co.uk`); the host itself for addresses and local names."""
    return _site_of_host(_PORT.sub("", host_key(url)))
