"""The part of Scrapyd's API that scheduling needs (scrapyd.readthedocs.io, "schedule.json")."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping, Sequence
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, unquote, urlencode, urlsplit, urlunsplit
from urllib.request import Request, urlopen

from picspider.errors import ConfigError, PicspiderError, in_words
from picspider.report.visible import visible

TIMEOUT_SECONDS = 60
LOOPBACK = ("127.0.0.1", "localhost", "::1")
ADVICE = {
    401: "give its user and password in the address, as in http://user:password@host:6800",
    404: "this is no Scrapyd, or its address has a path",
}


class ScrapydError(PicspiderError):
    """Scrapyd cannot be reached, or refuses. Raised by every call."""


class Scrapyd:
    """One Scrapyd; *address* may hold `user:password@`. Raises `ConfigError` when it is no http(s) address."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address if "://" in address else f"http://{address}")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ConfigError(f"{address}: this is no address of a Scrapyd, such as http://127.0.0.1:6800")
        self._headers = {"User-Agent": "picspider"}
        if parts.username is not None:
            pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            self._headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        bare = parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="")
        self.address = urlunsplit(bare).rstrip("/")
        self.is_private = parts.scheme == "https" or parts.hostname in LOOPBACK

    def schedule(self, project: str, spider: str, arguments: Mapping[str, str], settings: Sequence[str]) -> str:
        """Queue a job and return its id; *settings* are texts NAME=VALUE."""
        fields = [("project", project), ("spider", spider), *arguments.items()]
        fields += [("setting", setting) for setting in settings]
        return str(self._post("schedule.json", fields)["jobid"])

    def log_address(self, project: str, spider: str, job: str) -> str:
        """Where the log of a job can be read once it runs."""
        return f"{self.address}/logs/{quote(project)}/{quote(spider)}/{quote(job)}.log"

    def _post(self, service: str, fields: Sequence[tuple[str, str]]) -> dict[str, Any]:
        request = Request(f"{self.address}/{service}", urlencode(fields).encode(), self._headers)  # noqa: S310 - http(s) only
        try:
            with urlopen(request, timeout=TIMEOUT_SECONDS) as response:  # noqa: S310 - as above
                answer = json.load(response)
        except HTTPError as error:
            raise ScrapydError(self._refused(error)) from error
        except (URLError, HTTPException, OSError, ValueError) as error:
            reason = in_words(error)
            raise ScrapydError(f"{self.address}: Scrapyd gives no answer ({reason}). Is it running there?") from error
        if answer.get("status") != "ok":
            raise ScrapydError(self._refuses(str(answer.get("message", answer))))
        return dict(answer)

    def _refused(self, error: HTTPError) -> str:
        try:
            return self._refuses(str(json.loads(error.read(10_000))["message"]))
        except (ValueError, KeyError, TypeError, OSError):
            given = "Authorization" in self._headers
            wrong = "the user or the password is wrong" if error.code == 401 and given else None
            return self._refuses(f"{error.code}, {wrong or ADVICE.get(error.code, error.reason)}")

    def _refuses(self, message: str) -> str:
        advice = ". Deploy it first, with scrapyd-deploy." if re.search("project.*not found", message) else ""
        return f"{self.address}: Scrapyd refuses: {visible(message)}{advice}"
