"""From the config to Scrapy's settings: the only bridge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy.settings import SETTINGS_PRIORITIES

from picspider.config.model import TopicConfig
from picspider.feeds import FEEDS, OF_FOCUSED
from picspider.output_folder import OutputFolder
from picspider.urls import host_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scrapy.settings import BaseSettings

    from picspider.config.model import Crawl

PRIORITY = "spider"
HTTP_CACHE = {"scrapy.downloadermiddlewares.httpcache.HttpCacheMiddleware": 900}


def output_folder(config: Crawl) -> Path:
    """The output folder.

    When `output` is an s3://, gs:// or ftp:// URI only the pictures go there; feeds and state stay in downloads/NAME,
    after the last part of the URI.
    """
    return output_folder_at(config.output or "downloads/crawl")


def output_folder_at(chosen: str) -> Path:
    """The output folder that `output: chosen` means."""
    if "://" in chosen:
        chosen = f"downloads/{chosen.rstrip('/').rpartition('/')[2]}"
    return Path(chosen).expanduser().absolute()


def pictures_folder(settings: BaseSettings) -> Path | None:
    """The folder of the pictures; None when they go elsewhere, as to S3."""
    place = str(settings["IMAGES_STORE"])
    return None if "://" in place else Path(place)


def store_url_of(config: Crawl, output: Path) -> str:
    """The SQLAlchemy URL of the crawl store."""
    return config.store or OutputFolder(output).store_url


def apply_settings(
    settings: BaseSettings,
    config: Crawl,
    output: Path,
    layer_names: tuple[str, ...],
    middlewares: Mapping[str, int],
) -> None:
    """Set Scrapy up for *config* with our downloader *middlewares*; what the command line set by `-s` wins."""
    # Scrapy puts a file's name right behind the address.
    remote = f"{config.output.rstrip('/')}/" if config.output and "://" in config.output else None
    values = {
        **_fetch_settings(config),
        **_limit_settings(config),
        "IMAGES_STORE": remote or str(OutputFolder(output).pictures),
        "IMAGES_MIN_WIDTH": config.pictures.min_width,
        "IMAGES_MIN_HEIGHT": config.pictures.min_height,
        # Our spiders look at every status themselves; Referer, depth and duplicates are the note's and the frontier's.
        "SPIDER_MIDDLEWARES_BASE": {},
        "DOWNLOADER_MIDDLEWARES_BASE": {
            name: place
            for name, place in {**middlewares, **HTTP_CACHE}.items()
            if name not in HTTP_CACHE or settings.getbool("HTTPCACHE_ENABLED")
        },
        "PICSPIDER_ORDER": getattr(config, "order", "breadth"),
        "PICSPIDER_STORE": store_url_of(config, output),
        "PICSPIDER_OUTPUT": str(output),
        "PICSPIDER_LAYERS": layer_names,
        "PICSPIDER_IGNORE_PARAMETERS": list(config.urls.ignore_parameters),
        "PICSPIDER_STRIP_TRAILING_SLASH": config.urls.strip_trailing_slash,
    }
    for name, value in values.items():
        settings.set(name, value, priority=PRIORITY)
    if (settings.getpriority("USER_AGENT") or 0) > SETTINGS_PRIORITIES[PRIORITY]:
        settings.set("PICSPIDER_USER_AGENT", settings["USER_AGENT"], priority=PRIORITY)
    sizes = {"min_width": settings.getint("IMAGES_MIN_WIDTH"), "min_height": settings.getint("IMAGES_MIN_HEIGHT")}
    settings.set("PICSPIDER_PICTURES", config.pictures.model_copy(update=sizes), priority=PRIORITY)
    _add_feeds(settings, output, [name for name in FEEDS if isinstance(config, TopicConfig) or name not in OF_FOCUSED])


def _add_feeds(settings: BaseSettings, output: Path, names: Iterable[str]) -> None:
    """Add our feeds to FEEDS at whatever priority it has: `-o` and Scrapyd's items_dir replace it as a whole."""
    feeds: dict[str, Any] = {
        (output / f"{name}.json").as_uri(): {
            "format": "json",
            "encoding": "utf-8",
            "indent": 0,
            "overwrite": True,
            "store_empty": True,
            "item_classes": [FEEDS[name][0]],
        }
        for name in names
    }
    feeds.update(settings.getdict("FEEDS"))
    settings.set("FEEDS", feeds, priority=max(settings.getpriority("FEEDS") or 0, 30))


def _fetch_settings(config: Crawl) -> dict[str, Any]:
    fetch = config.fetch
    return {
        "CONCURRENT_REQUESTS": fetch.concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": min(fetch.per_host, fetch.concurrency),
        "DOWNLOAD_DELAY": fetch.delay,
        # The delay of the config is a promise, not a mean.
        "DOWNLOAD_DELAY_JITTER": 0.0,
        "DOWNLOAD_TIMEOUT": fetch.timeout,
        "DOWNLOAD_MAXSIZE": config.pictures.max_size or 0,
        "RETRY_TIMES": fetch.retries,
        "ROBOTSTXT_OBEY": fetch.obey_robots,
        "PICSPIDER_ENTRY_HOSTS": sorted({host_key(url) for url in config.entry}),
        "PICSPIDER_USER_AGENT": fetch.user_agent,
        "PICSPIDER_REFERER": fetch.referer,
        "PICSPIDER_HEADERS": dict(fetch.headers),
        "PICSPIDER_COOKIES": fetch.cookies,
        "PICSPIDER_LOGIN": fetch.login,
        "PICSPIDER_AUTH": (fetch.auth.user, fetch.auth.password) if fetch.auth else None,
        "PICSPIDER_PROXY": fetch.proxy,
        "PICSPIDER_ALLOWED_HOSTS": list(fetch.allowed_hosts) if fetch.allowed_hosts is not None else None,
        "PICSPIDER_ALLOWED_ADDRESSES": sorted({urlsplit(url).hostname or "" for url in config.entry}),
        "PICSPIDER_ALLOW_PRIVATE_ADDRESSES": fetch.allow_private_addresses,
    }


def _limit_settings(config: Crawl) -> dict[str, Any]:
    limits = config.limits
    return {
        "PICSPIDER_LIMIT_PAGES": limits.pages,
        "PICSPIDER_LIMIT_PICTURES": limits.pictures,
        "PICSPIDER_LIMIT_BYTES": limits.bytes,
        "PICSPIDER_LIMIT_SECONDS": limits.seconds,
    }
