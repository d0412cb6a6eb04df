"""Several crawls in one process, for speed: standard input is a list of (config, output folder) in JSON."""

from __future__ import annotations

import json
import sys

from scrapy.crawler import AsyncCrawlerProcess
from scrapy.utils.project import get_project_settings


def main() -> None:
    """Crawl them all at once, each with a spider and a store of its own."""
    settings = get_project_settings()
    settings.set("LOG_LEVEL", "WARNING")
    process = AsyncCrawlerProcess(settings)
    for spider, config, output in json.load(sys.stdin):
        process.crawl(spider, config=config, output=output)
    process.start()


if __name__ == "__main__":
    main()
