"""Answers as servers really give them: one crawl over a page that links to one of each kind."""

from __future__ import annotations

import gzip
import sys
import time
import zlib
from collections.abc import Callable
from email.utils import formatdate

import brotli  # type: ignore[import-untyped]  # has no stubs
import pytest

from tests.wild.crawling import Fates, crawled, picture
from tests.wild.raw_server import Answer, Asked, answer_of, moved, page_of, serving

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

OK = "picture"


def plain(status: str = "200 OK", *lines: str) -> bytes:
    """A picture behind a head of exactly these lines, `LENGTH` filled in."""
    body = picture()
    head = "\r\n".join([f"HTTP/1.1 {status}", *lines]).replace("LENGTH", str(len(body)))
    return head.encode("latin-1") + b"\r\n\r\n" + body


def part(*, of_all: bool) -> bytes:
    """A 206 that nobody asked for."""
    body = picture()
    size = len(body) if of_all else 9 * len(body)
    return answer_of(body, "206 Partial Content", "image/png", f"Content-Range: bytes 0-{len(body) - 1}/{size}")


def started(first_line: bytes) -> bytes:
    """A picture behind another first line."""
    body = picture()
    return first_line + b"\r\nContent-Type: image/png\r\nContent-Length: %d\r\n\r\n" % len(body) + body


def chunked(size: int = 50, end: bytes = b"0\r\n\r\n", form: str = "%x\r\n", coding: str = "chunked") -> bytes:
    """A picture in chunks whose sizes are written as *form*."""
    body = picture()
    pieces = [body[start : start + size] for start in range(0, len(body), size)]
    data = b"".join((form % len(piece)).encode() + piece + b"\r\n" for piece in pieces) + end
    return answer_of(data, "200 OK", "image/png", f"Transfer-Encoding: {coding}", length=-1)


def coded(name: str, pack: Callable[[bytes], bytes], cut: int | None = None) -> bytes:
    """A picture packed by *pack*, which is called *name*."""
    return answer_of(pack(picture())[:cut], "200 OK", "image/png", f"Content-Encoding: {name}")


def as_it_is(body: bytes) -> bytes:
    """The body, not packed."""
    return body


def in_turn(*answers: bytes) -> Callable[[Asked], bytes]:
    """The answers one after the other, the last for ever."""
    return lambda asked: answers[min(asked.times, len(answers)) - 1]


def busy(retry_after: str) -> Callable[[Asked], bytes]:
    """A 503 with Retry-After, then the picture."""
    return in_turn(answer_of(b"", "503 Busy", None, f"Retry-After: {retry_after}"), answer_of(picture()))


def a_second_from_now() -> Callable[[Asked], bytes]:
    """A 503 until a moment named as a date."""
    good = answer_of(picture())
    later = time.time() + 2
    wait = f"Retry-After: {formatdate(later, usegmt=True)}"
    return lambda asked: good if asked.times > 1 else answer_of(b"", "503 Busy", None, wait)


def reset_after(data: bytes) -> Callable[[Asked], None]:
    """Sends *data*, then resets the connection."""

    def answer(asked: Asked) -> None:
        asked.send(data, 0.1)
        asked.reset()

    return answer


def silent_after(data: bytes) -> Callable[[Asked], None]:
    """Sends *data*, then nothing, and keeps the connection open."""
    return lambda asked: asked.send(data, 8)


def slowly(data: bytes) -> Callable[[Asked], bytes]:
    """Sends the head byte by byte."""

    def answer(asked: Asked) -> bytes:
        for byte in data[:40]:
            asked.send(bytes([byte]), 0.005)
        return data[40:]

    return answer


def once_wet(good: bytes) -> Callable[[Asked], bytes]:
    """Sets a cookie and sends back to the same address; with the cookie the picture comes."""
    again = moved("/p/cookie-first", "302 Found", "Set-Cookie: seen=1; path=/")
    return lambda asked: good if "seen=1" in asked.headers.get("cookie", "") else again


def sinking(path: str) -> Callable[[Asked], bytes]:
    """Sends back to the same address with another cookie each time."""
    return lambda asked: moved(path, "302 Found", f"Set-Cookie: tide=x{asked.times}; path=/")


ZEROS = b"\0" * 150_000_000
NO_LENGTH = "Content-Type: image/png"

# The lengths of bodies
LENGTHS: dict[str, tuple[Answer, str]] = {
    "length-twice": (plain("200 OK", "Content-Length: LENGTH", "Content-Length: LENGTH"), OK),
    "length-listed": (plain("200 OK", "Content-Length: LENGTH, LENGTH"), OK),
    "lengths-differ": (plain("200 OK", "Content-Length: LENGTH", "Content-Length: 7"), "bad-response"),
    "length-negative": (plain("200 OK", "Content-Length: -1"), OK),
    "length-empty": (plain("200 OK", "Content-Length:"), OK),
    "length-is-a-word": (plain("200 OK", "Content-Length: unknown"), OK),
    "length-none": (plain("200 OK", NO_LENGTH), OK),
    "length-too-long": (answer_of(picture(), length=5000), "truncated"),
    "length-too-short": (answer_of(picture(), length=60), "truncated"),
    "length-of-the-unpacked": (
        answer_of(gzip.compress(picture()), "200 OK", "image/png", "Content-Encoding: gzip", length=9000), OK,
    ),
    "old-http": (b"HTTP/1.0 200 OK\r\n\r\n" + picture(), OK),
    "nothing": (answer_of(b""), "empty"),
    "white-space": (answer_of(b"\r\n \r\n"), "not-a-picture"),
    "reset-in-the-middle": (reset_after(answer_of(picture()[:40], length=-1)), "truncated"),
    "reset-after-the-head": (reset_after(answer_of(b"", length=900)), "truncated"),
    "silent-in-the-body": (silent_after(answer_of(b"x" * 50, length=900)), "timeout"),
    "silent-in-the-head": (silent_after(b"HTTP/1.1 200 OK\r\nContent-Le"), "timeout"),
    "slow-head": (slowly(answer_of(picture())), OK),
}  # fmt: skip

# Chunks
CHUNKS: dict[str, tuple[Answer, str]] = {
    "trailers": (chunked(end=b"0\r\nX-Checksum: 1\r\nServer-Timing: x\r\n\r\n"), OK),
    "extensions": (chunked(form="%x;name=value\r\n"), OK),
    "capitals-and-zeros": (chunked(form="000%X\r\n", end=b"000\r\n\r\n"), OK),
    "blanks-behind-sizes": (chunked(form="%x  \r\n"), OK),
    "no-last-chunk": (chunked(end=b""), "truncated"),
    "size-that-is-no-number": (chunked(form="0x%xg\r\n"), "bad-response"),
    "chunks-that-are-none": (
        answer_of(picture(), "200 OK", "image/png", "Transfer-Encoding: chunked", length=-1), "bad-response",
    ),
    "identity": (answer_of(picture(), "200 OK", "image/png", "Transfer-Encoding: identity"), OK),
    "gzip-as-transfer-coding": (
        answer_of(gzip.compress(picture()), "200 OK", "image/png", "Transfer-Encoding: gzip", length=-1), OK,
    ),
}  # fmt: skip

# Heads
HEADS: dict[str, tuple[Answer, str]] = {
    "no-colon": (plain("200 OK", "this is no header", "Content-Length: LENGTH"), OK),
    "blank-before-colon": (plain("200 OK", "Content-Type : image/png", "Content-Length : LENGTH"), OK),
    "no-name": (plain("200 OK", ": x", "Content-Length: LENGTH"), OK),
    "odd-names": (plain("200 OK", "X(a): 1", "X b: 2", "Xä: 3", "Content-Length: LENGTH"), OK),
    "controls": (plain("200 OK", "X-A: \x00\x01\x1b[31m\x7f", "Content-Length: LENGTH"), OK),
    "bare-return": (plain("200 OK", "X: a\rb", "Content-Length: LENGTH"), OK),
    "folded": (plain("200 OK", "Content-Type: image/png;\r\n charset=x", "Content-Length: LENGTH"), OK),
    "line-feeds-only": (plain("200 OK", "Content-Length: LENGTH").replace(b"\r\n", b"\n", 3), OK),
    "hundreds": (plain("200 OK", *(f"X-{number}: y" for number in range(500)), "Content-Length: LENGTH"), OK),
    "no-reason": (started(b"HTTP/1.1 200"), OK),
    "http-2-in-words": (started(b"HTTP/2 200"), OK),
    "radio": (started(b"ICY 200 OK"), OK),
    "small-letters": (started(b"http/1.1 200 ok"), OK),
    "blank-lines-first": (b"\r\n\r\n" + answer_of(picture()), OK),
    "early-hints": (b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + answer_of(picture()), OK),
    "early-hints-and-mess": (b"HTTP/1.1 103 Hints\r\n\r\n" + plain("200 OK", "no header", NO_LENGTH), OK),
    "another-protocol": (b"SSH-2.0-OpenSSH_9\r\n", "bad-response"),
    "upgrade": (b"HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", "bad-response"),
    "no-head": (picture(), "bad-response"),
    "endless-interim": (b"HTTP/1.1 100 Continue\r\n\r\n" * 20_000, "bad-response"),
    "more-than-the-answer": (answer_of(picture()) + b"HTTP/1.1 200 OK\r\n\r\njunk", OK),
    "broken-then-cut": (b"HTTP/1.1 200 OK\r\nno header", "bad-response"),
}

# Content codings
CODINGS: dict[str, tuple[Answer, str]] = {
    "gzip": (coded("gzip", gzip.compress), OK),
    "gzip-unsaid": (answer_of(gzip.compress(picture())), OK),
    "gzip-twice": (coded("gzip", lambda body: gzip.compress(gzip.compress(body))), OK),
    "gzip-and-junk": (coded("gzip", lambda body: gzip.compress(body) + b"junk"), OK),
    "gzip-in-two": (coded("gzip", lambda body: gzip.compress(body[:40]) + gzip.compress(body[40:])), OK),
    "gzip-cut": (coded("gzip", gzip.compress, -6), "encoding"),
    "deflate": (coded("deflate", zlib.compress), OK),
    "deflate-raw": (coded("deflate", lambda body: zlib.compress(body)[2:-4]), OK),
    "brotli": (coded("br", brotli.compress), OK),
    "brotli-cut": (coded("br", brotli.compress, -6), "encoding"),
    "zstd": (coded("zstd", zstd.compress), OK),
    "zstd-cut": (coded("zstd", zstd.compress, -6), "encoding"),
    **{f"not-really-{name}": (coded(name, as_it_is), OK) for name in ("gzip", "deflate", "br", "zstd", "gzip, br")},
    **{f"unheard-of-{name}": (coded(name, as_it_is), OK) for name in ("none", "UTF-8", "image", "aws-chunked")},
    "unheard-of-and-packed": (coded("compress", lambda body: b"\x1f\x9d\x90" + bytes(range(256))), "encoding"),
    "bomb-gzip": (coded("gzip", lambda _: gzip.compress(ZEROS, 1)), "bomb"),
    "bomb-gzip-gzip": (coded("gzip, gzip", lambda _: gzip.compress(gzip.compress(ZEROS, 1))), "bomb"),
    "bomb-brotli": (coded("br", lambda _: brotli.compress(ZEROS, quality=1)), "bomb"),
    "bomb-zstd": (coded("zstd", lambda _: zstd.compress(ZEROS)), "bomb"),
}

# Statuses
STATUSES: dict[str, tuple[Answer, str]] = {
    **{f"with-{status}": (answer_of(picture(), f"{status} x"), OK) for status in (201, 202, 203, 226)},
    **{f"empty-{status}": (answer_of(b"", f"{status} x", None, length=-1), f"http {status}") for status in (204, 304)},
    **{f"not-{status}": (answer_of(picture(), f"{status} x"), f"http {status}") for status in (300, 404, 410, 999)},
    "whole-range": (part(of_all=True), OK),
    "part-range": (part(of_all=False), "truncated"),
    "json-error": (answer_of(b'{"error": "expired"}', kind="application/json"), "not-a-picture"),
    "page-as-picture": (answer_of(b"<html><title>Sorry</title>"), "not-a-picture"),
    **{f"once-{status}": (in_turn(answer_of(b"", f"{status} x", None), answer_of(picture())), OK)
       for status in (408, 425, 429, 500, 502, 503, 504, 520, 522)},
    "retry-after-date": (a_second_from_now(), OK),
    **{f"retry-after-{number}": (busy(value), OK)
       for number, value in enumerate(("Wed, 21 Oct 2015 07:28:00 GMT", "soon", "-5", "1.5", "\xb2", "0", ""))},
    "short-404": (answer_of(b"gone", "404 x", length=900), "http 404"),
    "reset-404": (reset_after(answer_of(b"gone", "404 x", length=-1)), "http 404"),
    "always-500": (answer_of(b"", "500 x", None), "http 500"),
}  # fmt: skip

# Redirects
REDIRECTS: dict[str, tuple[Answer, str]] = {
    **{f"to-{status}": (moved(f"../q/{status}", f"{status} x"), OK) for status in (301, 302, 303, 307, 308)},
    "to-and-short": (moved("/q/short", "302 x").replace(b"Content-Length: 0", b"Content-Length: 900"), OK),
    "to-itself": (moved("/p/to-itself"), "redirect-loop"),
    "cookie-first": (once_wet(answer_of(picture())), OK),
    "cookie-for-ever": (sinking("/p/cookie-for-ever"), "redirect-loop"),
    "to-growing": (moved("/grow/"), "redirect-loop"),
    "to-nowhere": (moved(""), "http 302"),
    "to-no-location": (answer_of(picture(), "302 x"), "http 302"),
    "to-file": (moved("file:///etc/passwd"), "scheme"),
    "to-script": (moved("javascript:alert(1)"), "scheme"),
    "to-ftp": (moved("ftp://127.0.0.1/x.png"), "scheme"),
    "to-bad-host": (moved("http://exa mple/x.png"), "bad-url"),
    "to-bad-port": (moved("http://127.0.0.1:99999/x.png"), "bad-url"),
    "to-login": (moved("/login?next=x"), "not-a-picture"),
    "to-fragment": (moved("/q/fragment#x"), OK),
    "to-utf-8": (moved("/q/\xc3\xa9"), OK),
    "to-latin-1": (moved("/q/\xe9"), OK),
    "to-blank": (moved("/q/a b "), OK),
    "to-backslash": (moved("\\q\\backslash"), OK),
    "to-percent": (moved("/q/100%"), OK),
    "to-long": (moved("/q/" + "x" * 9000), OK),
}

KINDS = {**LENGTHS, **CHUNKS, **HEADS, **CODINGS, **STATUSES, **REDIRECTS}
ENDS = [*map(str, (301, 302, 303, 307, 308)), "fragment", "short", "%C3%A9", "%E9", "a%20b", "backslash", "100%"]


@pytest.fixture(scope="module")
def fates(tmp_path_factory: pytest.TempPathFactory) -> Fates:
    """One crawl over all of them."""
    answers: dict[str, Answer] = {f"/p/{name.replace(', ', '-')}": answer for name, (answer, _) in KINDS.items()}
    answers |= {f"/q/{end}": answer_of(picture()) for end in [*ENDS, "x" * 9000]}
    answers |= {f"/grow/{'x/' * times}": moved("x/") for times in range(40)}
    answers["/login?next=x"] = answer_of(b"<html><title>Log in</title><form method=post>", kind="text/html")
    answers["/"] = page_of(*(target for target in answers if target.startswith("/p/")))
    fetch = {"timeout": 3, "retries": 1, "concurrency": 50, "per_host": 50}
    with serving(answers) as server:
        return crawled(server, tmp_path_factory.mktemp("responses"), {"layers": ["/p/.+"], "fetch": fetch})


@pytest.mark.parametrize("name", KINDS)
def test_answer(fates: Fates, name: str) -> None:
    """Each answer ends as what a browser would show, or as a failure that says what is wrong."""
    assert fates.fates.get(f"/p/{name.replace(', ', '-')}", "lost") == KINDS[name][1], fates.crawl.complaints()


def test_the_crawl_ends_well(fates: Fates) -> None:
    """Nothing went wrong that nobody foresaw, and the totals add up."""
    assert fates.crawl.exit_code == 2, fates.crawl.log[-3000:]
    assert "Traceback" not in fates.crawl.log
    assert "parse" not in fates.fates.values()
    assert len(fates.fates) == len(KINDS)
