"""A URL as the learner sees it: raw parts, nothing decoded (RFC 3986, appendix B)."""

import re
from dataclasses import dataclass
from functools import lru_cache

_SPLIT = re.compile(r"(https?)://([^/?#]+)([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Parts:
    """Raw parts of one URL; `query` is None without a question mark, `fragment` likewise."""

    scheme: str
    host: str
    segments: tuple[str, ...]
    slash: bool
    query: str | None
    fragment: str | None

    def __str__(self) -> str:
        path = "".join("/" + segment for segment in self.segments) + "/" * self.slash
        query = "" if self.query is None else "?" + self.query
        fragment = "" if self.fragment is None else "#" + self.fragment
        return f"{self.scheme}://{self.host}{path}{query}{fragment}"

    @property
    def parameters(self) -> tuple[tuple[str, str | None], ...]:
        """Key and raw value of each query parameter in order; value None without an equals sign."""
        if not self.query:
            return ()
        pairs = (item.partition("=") for item in self.query.split("&"))
        return tuple((key, value if equals else None) for key, equals, value in pairs)

    @property
    def keys(self) -> tuple[str, ...]:
        """Parameter names in order; an item without an equals sign keeps its own spelling."""
        return tuple(key for key, _ in self.parameters)


@lru_cache(maxsize=4096)
def split_url(url: str) -> Parts | None:
    """Split an absolute http(s) URL; None for anything else."""
    found = _SPLIT.fullmatch(url)
    if found is None:
        return None
    scheme, host, path, query, fragment = found.groups()
    pieces = path.split("/")[1:]
    slash = bool(pieces) and pieces[-1] == ""
    return Parts(scheme, host, tuple(pieces[:-1] if slash else pieces), slash, query, fragment)
