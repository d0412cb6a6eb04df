"""From an exception to the reason that the user is told: the one table."""

from __future__ import annotations

import errno

from picspider.errors import Failed, in_words

# By dotted name, so that a client that is not used is not imported. The nearest class of the exception's own wins.
REASON_OF: dict[str, str] = {
    # Python and the operating system
    "builtins.TimeoutError": "timeout",
    "asyncio.exceptions.TimeoutError": "timeout",
    "asyncio.exceptions.CancelledError": "connection",
    "asyncio.exceptions.IncompleteReadError": "truncated",
    "socket.gaierror": "dns",
    "ssl.SSLError": "tls",
    "ssl.SSLEOFError": "connection",
    "ssl.SSLZeroReturnError": "connection",
    "ssl.SSLSyscallError": "connection",
    "ssl.SSLCertVerificationError": "tls",
    "builtins.ConnectionError": "connection",
    "builtins.OSError": "connection",
    "builtins.UnicodeError": "bad-url",
    # Scrapy and Twisted
    "scrapy.exceptions.CannotResolveHostError": "dns",
    "scrapy.exceptions.DownloadConnectionRefusedError": "connection",
    "scrapy.exceptions.DownloadFailedError": "connection",
    "scrapy.exceptions.DownloadTimeoutError": "timeout",
    "scrapy.exceptions.DownloadCancelledError": "too-large",
    "scrapy.exceptions.ResponseDataLossError": "truncated",
    "scrapy.exceptions.StopDownload": "too-large",
    "scrapy.exceptions.UnsupportedURLSchemeError": "scheme",
    "scrapy.exceptions.NotSupported": "scheme",
    "scrapy.exceptions.IgnoreRequest": "offsite",
    "scrapy.spidermiddlewares.httperror.HttpError": "http",
    "twisted.internet.error.DNSLookupError": "dns",
    "twisted.internet.error.TimeoutError": "timeout",
    "twisted.internet.error.ConnectError": "connection",
    "twisted.internet.error.ConnectionClosed": "connection",
    "twisted.internet.defer.TimeoutError": "timeout",
    "twisted.web._newclient.ResponseFailed": "connection",
    # The clients
    "httptools.parser.errors.HttpParserError": "bad-response",
    "aiohttp.client_exceptions.ClientConnectorDNSError": "dns",
    "aiohttp.client_exceptions.ClientConnectorCertificateError": "tls",
    "aiohttp.client_exceptions.ClientSSLError": "tls",
    "aiohttp.client_exceptions.ClientOSError": "connection",
    "aiohttp.client_exceptions.ServerTimeoutError": "timeout",
    "aiohttp.client_exceptions.ServerDisconnectedError": "connection",
    "aiohttp.client_exceptions.ServerConnectionError": "connection",
    "aiohttp.client_exceptions.ClientPayloadError": "truncated",
    "aiohttp.client_exceptions.ClientHttpProxyError": "connection",
    "aiohttp.client_exceptions.ClientResponseError": "bad-response",
    "aiohttp.client_exceptions.InvalidURL": "bad-url",
    "aiohttp.client_exceptions.ClientError": "bad-response",
    "aiohttp.http_exceptions.HttpProcessingError": "bad-response",
}
_DISK_ERRORS = {errno.ENOSPC, errno.EFBIG, errno.EROFS, errno.EDQUOT}


def classify(error: BaseException) -> Failed:
    """The failure that *error* stands for; a Failed is returned as it is, what nobody knows is a "parse"."""
    if isinstance(error, Failed):
        return error
    status = getattr(getattr(error, "response", None), "status", None)
    message = in_words(error) or type(error).__name__
    if isinstance(error, OSError) and (error.filename is not None or error.errno in _DISK_ERRORS):
        return Failed("storage", message)
    for kind in type(error).__mro__:
        reason = REASON_OF.get(f"{kind.__module__}.{kind.__qualname__}")
        if reason is not None:
            return Failed(reason, message, status=status)
    return Failed("parse", f"{type(error).__name__}: {message}", status=status)
