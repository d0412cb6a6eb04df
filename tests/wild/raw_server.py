"""A server whose answers are written byte by byte: for all that a well-behaved one never sends."""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

Answer = bytes | Callable[["Asked"], bytes | None]
HEAD_LIMIT_BYTES = 65_536


@dataclass
class Asked:
    """One request: its target, its headers by lower-case name, which time it came, and the connection to answer on."""

    target: str
    headers: dict[str, str]
    times: int
    connection: socket.socket

    def send(self, data: bytes, pause_seconds: float = 0.0) -> None:
        """Send *data* now, then wait."""
        self.connection.sendall(data)
        time.sleep(pause_seconds)

    def reset(self) -> None:
        """End the connection with a RST instead of a FIN."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()


@dataclass
class RawServer:
    """Answers by request target (a target that is not there: 404), one request a connection unless `keep`."""

    answers: dict[str, Answer]
    keep: bool = False
    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def handle(self, connection: socket.socket) -> None:
        """Serve one connection."""
        with connection, suppress(OSError):
            while (head := self._head(connection)) is not None:
                if not self._answer(head, connection) or not self.keep:
                    break
            connection.shutdown(socket.SHUT_WR)
            connection.settimeout(2)
            while connection.recv(HEAD_LIMIT_BYTES):
                pass

    def _head(self, connection: socket.socket) -> str | None:
        data = b""
        while b"\r\n\r\n" not in data:
            piece = connection.recv(HEAD_LIMIT_BYTES)
            if not piece:
                return None
            data += piece
        return data.decode("latin-1")

    def _answer(self, head: str, connection: socket.socket) -> bool:
        first, *lines = head.strip().split("\r\n")
        target = first.split(" ")[1]
        self.counts[target] += 1
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        asked = Asked(target, headers, self.counts[target], connection)
        self.asked.append(asked)
        answer = self.answers.get(target, answer_of(b"no such page", "404 Not Found", "text/html"))
        data = answer(asked) if callable(answer) else answer
        if data is not None:
            connection.sendall(data)
        return data is not None


def answer_of(
    body: bytes = b"", status: str = "200 OK", kind: str | None = "image/png", *headers: str, length: int | None = None
) -> bytes:
    """The bytes of an answer; *kind*: its Content-Type, *length*: what it says of its length (-1: nothing)."""
    lines = [f"HTTP/1.1 {status}", *([f"Content-Type: {kind}"] if kind is not None else []), *headers]
    if length != -1:
        lines.append(f"Content-Length: {len(body) if length is None else length}")
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def page_of(*links: str, more: str = "") -> bytes:
    """The answer of a page with *links*."""
    body = "<!doctype html><title>t</title>" + "".join(f'<p><a href="{link}">{link[:40]}</a>' for link in links) + more
    return answer_of(body.encode(), kind="text/html; charset=utf-8")


def moved(location: str, status: str = "302 Found", *headers: str) -> bytes:
    """The answer of a redirect."""
    return answer_of(b"", status, None, f"Location: {location}", *headers)


@contextmanager
def serving(answers: dict[str, Answer], *, keep: bool = False) -> Iterator[RawServer]:
    """A running `RawServer` on a free port of loopback."""
    server = RawServer(answers, keep)
    with socket.create_server(("127.0.0.1", 0), backlog=128) as listener:
        server.url = f"http://127.0.0.1:{listener.getsockname()[1]}"

        def accept() -> None:
            with suppress(OSError):
                while True:
                    connection = listener.accept()[0]
                    threading.Thread(target=server.handle, args=(connection,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        try:
            yield server
        finally:
            listener.shutdown(socket.SHUT_RDWR)
