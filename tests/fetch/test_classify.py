from __future__ import annotations

import errno
import socket
import ssl
from importlib import import_module

import aiohttp
import pytest
from scrapy.exceptions import IgnoreRequest, ResponseDataLossError

from picspider.errors import Failed
from picspider.failures import REASONS
from picspider.fetch.classify import REASON_OF, classify


@pytest.mark.parametrize("name", REASON_OF)
def test_every_name_is_an_exception(name: str) -> None:
    """The table's names exist under the module that the class says it is from, and its reasons are the contract's."""
    module, _, attribute = name.rpartition(".")
    kind = getattr(import_module(module), attribute)
    assert issubclass(kind, BaseException)
    assert REASON_OF[name] in REASONS
    home = f"{kind.__module__}.{kind.__qualname__}"
    assert home == name or REASON_OF.get(home) == REASON_OF[name]


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (Failed("robots", "x"), "robots"),
        (TimeoutError(), "timeout"),
        (socket.gaierror(-2, "unknown"), "dns"),
        (ConnectionResetError(errno.ECONNRESET, "reset"), "connection"),
        (OSError(errno.EHOSTUNREACH, "no route"), "connection"),
        (OSError(errno.ENOSPC, "disk full"), "storage"),
        (PermissionError(errno.EACCES, "denied", "/x"), "storage"),
        (ssl.SSLCertVerificationError("expired"), "tls"),
        (ssl.SSLEOFError("eof"), "connection"),
        (aiohttp.ClientPayloadError("short"), "truncated"),
        (aiohttp.ServerDisconnectedError(), "connection"),
        (ResponseDataLossError(), "truncated"),
        (IgnoreRequest("no"), "offsite"),
        (ZeroDivisionError("bug"), "parse"),
    ],
)
def test_reasons(error: BaseException, reason: str | None) -> None:
    """Each exception has the reason that a user would give it, and a message that is not empty."""
    failed = classify(error)
    assert failed.reason == reason
    assert failed.message
