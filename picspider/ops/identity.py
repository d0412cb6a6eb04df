"""By what a crawl and its worker are called in metrics and logs."""

from __future__ import annotations

import os
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


def identity_of(crawler: Crawler) -> dict[str, str]:
    """`crawl`: the output folder's name, or the spider's; `worker`: Scrapyd's job, or the process."""
    spider = crawler.spider
    output = crawler.settings.get("PICSPIDER_OUTPUT")
    crawl = PurePath(output).name if output else getattr(spider, "name", "")
    return {"crawl": crawl, "worker": str(getattr(spider, "_job", None) or os.getpid())}


def placed(template: str, identity: dict[str, str]) -> str:
    """A file name in which `{crawl}` and `{worker}` stand for what they are."""
    for name, value in identity.items():
        template = template.replace(f"{{{name}}}", value)
    return template
