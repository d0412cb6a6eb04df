"""What the download handler asks of an HTTP client, so that clients can be exchanged."""

from __future__ import annotations

from typing import NamedTuple, Protocol

RawHeaders = list[tuple[bytes, bytes]]
# How long the body of an error or a redirect is waited for, from its head on: the status is known.
UNWANTED_BODY_SECONDS = 2.0


class Call(NamedTuple):
    """One request to make: no redirects, no cookies, no retries; `url` is sent exactly as written."""

    url: str
    headers: RawHeaders
    timeout_seconds: float
    method: str = "GET"
    body: bytes = b""
    proxy: str | None = None


class Sink(Protocol):
    """Takes what arrives. Whatever it raises ends the transfer and reaches the caller of `Client.fetch`."""

    def head(self, status: int, headers: RawHeaders, peer: str | None) -> None:
        """The final status, the headers as sent, and the address of the server (or the proxy)."""
        ...

    def data(self, chunk: bytes) -> None:
        """The next bytes of the body, content codings still on."""
        ...

    def is_whole(self) -> bool:
        """Whether what has come shows that it is enough: of errors and redirects the head, of packed data its end."""
        ...


class Client(Protocol):
    """Makes calls over connections that it keeps. Its own exceptions are in the table of `classify`."""

    async def fetch(self, call: Call, sink: Sink) -> None:
        """Make *call* and give everything to *sink*; returns when the body has come to its end.

        A body that is enough (`Sink.is_whole`) may stall, be cut or be damaged. Raises TimeoutError when the whole
        takes longer than the call's time, Failed("truncated") for a body that ends early, Failed("dns"),
        Failed("forbidden-address"), and what `classify` knows.
        """
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...
