"""One page, fetched as the crawl would: with its headers, cookies, login, proxy and robots.txt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from picspider.errors import Failed
from picspider.explain.gate import Refusal
from picspider.links.page import Page
from picspider.probe.probed import probed

if TYPE_CHECKING:
    from picspider.config.model import SiteConfig
    from picspider.probe.probe import Probe


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page, or why there is none; and whether robots.txt forbids the URL in question."""

    page: Page | Refusal
    robots: Refusal | None


def fetch_page(config: SiteConfig, page_url: str, url: str) -> Fetched:
    """Fetch *page_url*, and ask the robots.txt of *url* about it. Raises what `probed` does."""
    return probed(config, lambda probe: _fetched(probe, page_url, url), 1)


async def _fetched(probe: Probe, page_url: str, url: str) -> Fetched:
    forbidden = await probe.robots_refusal(url)
    page: Page | Refusal
    try:
        page = await probe.page(page_url)
    except Failed as failed:
        page = Refusal.of(failed)
    return Fetched(page, Refusal.of(forbidden) if forbidden is not None else None)
