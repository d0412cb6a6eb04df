"""Entry addresses: checked, and their braces {1..9}, {001..120}, {0..90..10} expanded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from urllib.parse import urlsplit

from picspider.errors import wrong
from picspider.urls import ascii_host

MAX_ENTRIES = 100_000
_RANGE = re.compile(r"\{(-?\d{1,12})\.\.(-?\d{1,12})(?:\.\.(-?\d{1,9}))?\}")


def expand(pattern: str) -> Iterator[str]:
    """The addresses that *pattern* stands for, the last brace running fastest; padded when a bound starts with 0.

    Raises PydanticCustomError when there are more than MAX_ENTRIES of them.
    """
    pieces = _RANGE.split(pattern)
    fixed, spans = pieces[::4], [_numbers(*pieces[at : at + 3]) for at in range(1, len(pieces), 4)]
    total = 1
    for numbers, _ in spans:
        total *= len(numbers)
    if total > MAX_ENTRIES:
        wrong(f"expands to {total} addresses", f"at most {MAX_ENTRIES} are allowed; use shorter ranges")
    texts = ([f"{number:0{width}d}" for number in numbers] for numbers, width in spans)
    for chosen in product(*texts):
        yield fixed[0] + "".join(number + rest for number, rest in zip(chosen, fixed[1:], strict=True))


def _numbers(first: str, last: str, step: str | None) -> tuple[range, int]:
    """The numbers of one brace, and the width they are padded to (0: none)."""
    start, end, stride = int(first), int(last), abs(int(step or 1))
    if not stride:
        wrong("steps by 0", "write {first..last..step} with a step of 1 or more")
    padded = any(re.match("-?0[0-9]", bound) for bound in (first, last))
    down = end < start
    return range(start, end + (-1 if down else 1), -stride if down else stride), (
        max(len(first), len(last)) if padded else 0
    )


def check_url(url: str) -> str:
    """*url* without white space around it, its host as a browser asks for it.

    Raises PydanticCustomError when it is no http(s) address.
    """
    url = url.strip()
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        wrong("is not a valid address", "write it as the browser shows it")
    if parts.scheme.lower() not in ("http", "https"):
        wrong("is not an http or https address", "write the whole address, such as https://gallery.example/")
    if not host or re.search(r"[\s<>{}|\\^`]", parts.netloc):
        wrong("has no valid host", "write the whole address, such as https://gallery.example/")
    if "@" in parts.netloc:
        wrong("holds a user or a password", "write them as fetch: {auth: {user: …, password: …}}")
    return url if parts.netloc.isascii() else _with_ascii_host(url, parts.netloc)


def _with_ascii_host(url: str, netloc: str) -> str:
    host, colon, port = netloc.partition(":")
    name = ascii_host(host)
    if not name.isascii():
        wrong("has no valid host", "write the address as the browser shows it")
    return url.replace(netloc, f"{name}{colon}{port}", 1)
