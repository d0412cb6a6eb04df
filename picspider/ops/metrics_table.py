"""Which of Scrapy's stats are which Prometheus metric. One line each; a stat that is not here is no metric."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Metric:
    """`pattern` matches names of stats, its groups are labels; `help` is shown by Prometheus.

    `counts`: it only grows during a run.
    """

    name: str
    pattern: re.Pattern[str]
    help: str
    counts: bool = True


def _metric(name: str, pattern: str, text: str, *, counts: bool = True) -> Metric:
    return Metric(f"picspider_{name}", re.compile(pattern), text, counts)


METRICS = (
    _metric("urls", r"picspider/urls/(?P<what>\w+)", "URLs of this run: new, ended, repeats."),
    _metric("layer_pages_read", r"picspider/layer/(?P<layer>.+)/pages_read", "Pages a layer's rule was tried on."),
    _metric("layer_links_found", r"picspider/layer/(?P<layer>.+)/found", "Links that a layer's rule took."),
    _metric("responses", r"response_received_count", "Answers received."),
    _metric("retries", r"retry/reason_count/(?P<reason>.+)", "Further attempts, by reason."),
    _metric("robots_forbidden", r"robotstxt/forbidden", "Requests that robots.txt forbids."),
    _metric("log_lines", r"log_count/(?P<level>WARNING|ERROR|CRITICAL)", "Lines of the log."),
    _metric("store_turns", r"picspider/store/turns", "Transactions of the store."),
    _metric("memory_bytes", r"memusage/max", "Greatest resident memory.", counts=False),
    _metric("seen_hit_ratio", r"picspider/seen/hit_rate", "Hits of the cache of URLs that were seen.", counts=False),
    _metric("harvest_ratio", r"picspider/harvest/rate", "Relevant pages of those fetched.", counts=False),
    _metric("totals", r"picspider/totals/(?P<outcome>\w+)", "Sightings over all runs, by outcome.", counts=False),
    _metric("changes", r"picspider/changes/(?P<what>\w+)/(?P<kind>\w+)", "Changes since the last run.", counts=False),
)
