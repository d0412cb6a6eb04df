"""What the commands that look at a site before a crawl have in common."""

from __future__ import annotations

from pydantic import ValidationError

from picspider.config.model import SiteConfig
from picspider.errors import ConfigError, Failed
from picspider.links.page import Page
from picspider.probe.probe import Probe
from picspider.probe.probed import probed
from picspider.urls import resolve


def bare_config(url: str) -> SiteConfig:
    """A config that says no more than where to begin. Raises ConfigError when *url* is no http(s) address."""
    try:
        return SiteConfig.model_validate({"entry": [url], "layers": ["."]})
    except ValidationError as error:
        raise ConfigError(f"{url}: is no address of a page; write it as https://gallery.example/") from error


def whole_url(url: str) -> str:
    """*url* as a page that links it would have it requested. Raises ConfigError."""
    try:
        return resolve("about:blank", url)
    except Failed as failed:
        raise ConfigError(f"{failed.message}. Write the whole address, as https://gallery.example/album/1") from failed


def ask_page(url: str) -> Page:
    """The page at *url*, fetched as a crawl would. Raises `PicspiderError`."""

    async def plan(probe: Probe) -> Page:
        return await probe.page(url)

    return probed(bare_config(url), plan, 1)
