"""What is refused before anything is sent: scheme, host, address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy import Request

from picspider.errors import Failed
from picspider.fetch.addresses import AddressPolicy
from picspider.fetch.hosts import HostList
from picspider.fetch.middlewares.guard import Guard
from picspider.visit import Note, attach

if TYPE_CHECKING:
    from picspider.config.model import SiteConfig


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something is not had; `reason` is a key of `picspider.failures.REASONS`."""

    reason: str
    message: str

    @classmethod
    def of(cls, failed: Failed) -> Refusal:
        """As the crawl raises it."""
        return cls(failed.reason, failed.message)


def refusal(config: SiteConfig, url: str) -> Refusal | None:
    """Why *url* would not be asked: `scheme`, `offsite`, `forbidden-address`, `bad-url`; None: it would."""
    fetch = config.fetch
    entry_hosts = {urlsplit(entry).hostname or "" for entry in config.entry}
    guard = Guard(
        HostList(fetch.allowed_hosts) if fetch.allowed_hosts is not None else None,
        AddressPolicy(entry_hosts, allow_private=fetch.allow_private_addresses),
    )
    if not url.lower().startswith(("http://", "https://")):
        return Refusal("scheme", f"{url.partition(':')[0]}: only http and https are fetched")
    try:
        guard.process_request(attach(Request(url), Note()))
    except Failed as failed:
        return Refusal.of(failed)
    except ValueError as error:
        return Refusal("bad-url", str(error))
    return None
