"""`picspider crawl`: the same as `scrapy crawl layered` (or `focused`), with an exit code that tells how it went."""

from __future__ import annotations

import logging
import sys
import time
from typing import TYPE_CHECKING, Any

from picspider.commands.exit_codes import ExitCode
from picspider.config.load import load_any_config
from picspider.config.model import SiteConfig
from picspider.errors import Interrupted, StoreError
from picspider.fates import failures_by_reason
from picspider.feeds.exporter import feeds_failed
from picspider.frontier.run.totals import dry_layers
from picspider.process import project_settings, start_process
from picspider.progress.farewell import AT_ONCE, RunEnd, command_line, farewell, troubles
from picspider.progress.logs import display_mode, set_up_logging
from picspider.settings_bridge import output_folder

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sqlalchemy import Connection


def crawl(
    source: str,
    overrides: Mapping[str, str],
    *,
    retry: str | None = None,
    settings: Mapping[str, Any] | None = None,
    last_lines: bool | None = None,
) -> ExitCode:
    """Crawl the config *source*; *last_lines*: with or without them, None: if more than warnings is logged.

    Raises `PicspiderError` for what the user has to mend first, and Interrupted after Ctrl-C before the beginning.
    """
    config = load_any_config(source, overrides)
    kind = "layered" if isinstance(config, SiteConfig) else "focused"
    started, output = time.monotonic(), output_folder(config)
    settings = {"LOG_LEVEL": "INFO", **(settings or {})}
    crawler = _run(kind, settings, output, config=source, overrides=dict(overrides), retry=retry)
    if crawler.spider is None:
        raise Interrupted
    spider, reason = crawler.spider, str(crawler.stats.get_value("finish_reason", AT_ONCE))
    if spider.store.broken:
        raise StoreError(spider.store.broken)
    layers = len(config.layers) if isinstance(config, SiteConfig) else 0
    seconds, again = time.monotonic() - started, command_line("crawl", source, overrides)
    check = command_line("check", source, overrides)
    try:
        with spider.store.engine.connect() as connection:
            failed = feeds_failed(crawler.stats.get_stats())
            end = RunEnd(reason, seconds, output, again, check, layers, spider.result, failed)
            if last_lines or (last_lines is None and _level(settings) <= logging.INFO):
                print("\n".join(farewell(connection, end)), flush=True)  # noqa: T201 - the last lines of a run
            elif last_lines is None:
                # Quiet means nothing but what somebody should know.
                for line in troubles(connection, end):
                    print(line, file=sys.stderr, flush=True)  # noqa: T201 - as above
            return exit_code(connection, end)
    finally:
        spider.store.engine.dispose()  # the last connection takes SQLite's log with it


def _level(settings: Mapping[str, Any]) -> int:
    return int(logging.getLevelName(str(settings["LOG_LEVEL"])))


def _run(spider: str, settings: Mapping[str, Any], output: Path, **arguments: Any) -> Any:
    project = project_settings()
    level = _level(settings)
    mode = display_mode(level)
    # Scrapy imports every module that it looks for spiders in.
    modules = [f"picspider.spiders.{spider}"]
    own = {"PICSPIDER_PROGRESS": mode, "LOG_INSTALL_ROOT_HANDLER": False, "SPIDER_MODULES": modules}
    project.setdict({**settings, **own}, priority="cmdline")
    return start_process(
        project, spider, arguments, set_up_logging=lambda: set_up_logging(output, level, live=mode == "live")
    )


def exit_code(connection: Connection, end: RunEnd) -> ExitCode:
    """The code of a run over the store behind *connection*. Stored files that are gone are failures, too."""
    if end.reason in ("shutdown", AT_ONCE):
        return ExitCode.interrupted
    if end.feeds_failed or end.reason not in ("finished", "limit"):
        return ExitCode.error
    if dry_layers(connection, end.layers):
        return ExitCode.dry_layer
    if end.reason == "limit":
        return ExitCode.limit
    return ExitCode.some_failures if end.result.missing or failures_by_reason(connection) else ExitCode.ok
