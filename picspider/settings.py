"""Scrapy settings of the project. Only wiring: what each part does is told in the part.

A config's own values come in through `settings_bridge` when its spider starts, and leave with it.
"""

from __future__ import annotations

import importlib.util

from picspider.collector import calm

calm()

BOT_NAME = "picspider"
# By name: Scrapy imports all modules of a package that it searches for spiders.
SPIDER_MODULES = ["picspider.spiders.layered", "picspider.spiders.focused"]
ADDONS: dict[str, int] = {}

# The frontier: one table of URLs. Other spiders get one in memory unless they set PICSPIDER_STORE.
SCHEDULER = "picspider.frontier.scheduler.Frontier"
DUPEFILTER_CLASS = "picspider.frontier.dupefilter.PairDupeFilter"
PICSPIDER_STORE = "sqlite://"

# Fetching
DOWNLOADER = "picspider.fetch.downloader.Downloader"
DOWNLOAD_HANDLERS = {
    "http": "picspider.fetch.handler.PictureHandler",
    "https": "picspider.fetch.handler.PictureHandler",
}

# Pictures and feeds
ITEM_PIPELINES = {"picspider.pictures.pipeline.PicturePipeline": 300}
IMAGES_STORE = "downloads/pictures"
# Scrapy imports every extension of its base list, switched on or not: those that are open doors or slow are left out.
EXTENSIONS_BASE = {
    "scrapy.extensions.corestats.CoreStats": 0,
    "scrapy.extensions.logcount.LogCount": 0,
    "scrapy.extensions.memusage.MemoryUsage": 0,
    "scrapy.extensions.closespider.CloseSpider": 0,
    "scrapy.extensions.logstats.LogStats": 0,
    "scrapy.extensions.spiderstate.SpiderState": 0,
    "scrapy.extensions.throttle.AutoThrottle": 0,
}
EXTENSIONS = {
    "picspider.feeds.exporter.StoreFeedExporter": 0,
    "picspider.fetch.login.LoginFirst": -20,
    "picspider.spiders.ending.Ending": -10,
    "picspider.report.extension.ReportWriter": 10,
    "picspider.progress.extension.Progress": 20,
    "picspider.ops.metrics.Metrics": 30,
    "picspider.ops.json_log.JsonLog": 40,
}
FEED_STORAGES = {
    "": "picspider.feeds.exporter.AtomicFileFeedStorage",
    "file": "picspider.feeds.exporter.AtomicFileFeedStorage",
}
FEED_EXPORTERS = {
    "json": "picspider.feeds.fast_json.RecordJsonExporter",
    "jsonlines": "picspider.feeds.fast_json.RecordJsonLinesExporter",
    "jsonl": "picspider.feeds.fast_json.RecordJsonLinesExporter",
    "jl": "picspider.feeds.fast_json.RecordJsonLinesExporter",
}
FEED_EXPORT_ENCODING = "utf-8"

# Speed: CONCURRENT_ITEMS starts so many tasks for every response; both consoles are open doors besides.
CONCURRENT_ITEMS = 1
WARN_ON_GENERATOR_RETURN_VALUE = False
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
TWISTED_REACTOR = "twisted.internet.asyncioreactor.AsyncioSelectorReactor"
if importlib.util.find_spec("uvloop") is not None:
    ASYNCIO_EVENT_LOOP = "uvloop.Loop"
LOG_LEVEL = "INFO"
LOG_FORMATTER = "picspider.progress.quiet_log.QuietLogFormatter"
LOGSTATS_INTERVAL = 60.0
