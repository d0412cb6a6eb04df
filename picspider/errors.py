"""The exceptions that cross rooms, and words for them. Only the command line turns them into exit codes."""

from __future__ import annotations

import errno
import re
import socket
from collections.abc import Iterable
from difflib import get_close_matches
from typing import NoReturn

# Of a log record that the command line tells as well, in its own words.
TOLD_BY_COMMAND = {"told_by_command": True}


class PicspiderError(Exception):
    """Something a user can act on; the text is shown as it is, without a traceback."""


class ConfigError(PicspiderError):
    """The config is refused. Raised while it is read, before the first request."""


class StoreError(PicspiderError):
    """The crawl store is foreign, damaged, of another version, or locked by another run. Raised on opening it."""


class Interrupted(Exception):
    """Ctrl-C ended a command that has nothing to show for it. Raised by what it waited for."""


class Failed(Exception):
    """A URL could not be had. Raised by whoever finds out (handler, middleware, inspection, storage).

    `reason` is a key of `picspider.failures.REASONS`; `message` says what happened in words;
    `retry_after_seconds` is what the server asked for, if it did.
    """

    def __init__(
        self, reason: str, message: str, *, status: int | None = None, retry_after_seconds: float | None = None
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.status = status
        self.retry_after_seconds = retry_after_seconds


class Unwanted(Failed):
    """A filter of the user's refused a picture by its first bytes. Raised by the judge of `picspider.pictures.early`;
    the spider makes a skip of it.
    """

    def __init__(self, reason: str, message: str, width: int, height: int, size_bytes: int | None) -> None:
        super().__init__(reason, message, status=200)
        self.width = width
        self.height = height
        self.size_bytes = size_bytes


_WORDS = {
    errno.ECONNREFUSED: "the connection was refused, as nothing listens there",
    errno.ECONNRESET: "the connection was dropped",
    errno.EPIPE: "the connection was dropped",
    errno.EHOSTUNREACH: "no way leads to the host",
    errno.ENETUNREACH: "no way leads to the network of the host",
    errno.ETIMEDOUT: "no answer came in time",
    errno.EADDRINUSE: "another program uses it",
    errno.ENOENT: "there is no such file or folder",
    errno.EACCES: "you may not",
    errno.ENOSPC: "the disk is full",
}
_NUMBER = re.compile(r"\[Errno -?\d+\] ")
_PEER = re.compile(r"\('([^']+)', (\d+)")


def in_words(error: BaseException) -> str:
    """What an error of the operating system says, without numbers and without the file, which the caller names."""
    inner = getattr(error, "reason", None)
    if isinstance(inner, OSError):
        return in_words(inner)
    if isinstance(error, socket.gaierror):
        again = error.errno == getattr(socket, "EAI_AGAIN", None)
        return "the name server gives no answer" if again else "the name of the host is not known"
    text = _NUMBER.sub("", str(error))
    # The numbers of TLS are others.
    if not isinstance(error, OSError) or type(error).__module__ == "ssl":
        return text
    peer = _PEER.search(text)
    words = _WORDS.get(error.errno or 0) or error.strerror or text or type(error).__name__
    return _NUMBER.sub("", f"{words} ({peer[1]}, port {peer[2]})" if peer is not None else words)


def counted(count: int, noun: str) -> str:
    """As in `1 file`, `1,200 files`; *noun* is in the singular, and what stands last in it gets the s."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


def nearest(value: str, choices: Iterable[str], least: float = 0.6) -> str | None:
    """The one of *choices* that *value* is likely to stand for, small and capital letters alike; None: none is.

    *least* is the similarity (difflib's ratio, 0 to 1) that it must have.
    """
    by_small = {choice.lower(): choice for choice in choices}
    near = get_close_matches(value.lower(), by_small, 1, least)
    return by_small[near[0]] if near else None


def no_database(url: str) -> StoreError:
    """What to raise when SQLAlchemy cannot make anything of *url*, or has no driver for it."""
    scheme = url.partition("://")[0] if "://" in url else url
    return StoreError(
        f"store: is no address of a database that can be used here: {scheme!r}: write "
        "postgresql+psycopg://user@host/name, with the extra `postgres` installed"
    )


def wrong(what: str, advice: str = "", *, below: tuple[str | int, ...] = ()) -> NoReturn:
    """Refuse a value. *what* completes "key: …" in the message, *advice* says what to do.

    *below* leads from the section that is checked to the key that is meant. Raises PydanticCustomError, which
    pydantic collects with the place of the value.
    """
    from pydantic_core import PydanticCustomError  # noqa: PLC0415 - only where a config is read

    raise PydanticCustomError("picspider", "{what}", {"what": what, "advice": advice, "below": below})
