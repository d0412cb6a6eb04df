"""The exceptions that cross rooms. Only the command line turns them into exit codes."""

from __future__ import annotations


class PicspiderError(Exception):
    """Something a user can act on; the text is shown as it is, without a traceback."""


class ConfigError(PicspiderError):
    """The config is refused. Raised while it is read, before the first request."""


class StoreError(PicspiderError):
    """The crawl store is foreign, damaged, of another version, or locked by another run. Raised on opening it."""


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
