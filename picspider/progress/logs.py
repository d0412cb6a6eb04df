"""The log of `picspider crawl`: all of it in OUTPUT/crawl.log, and on the terminal what leaves the display readable."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

from picspider.output_folder import OutputFolder
from picspider.progress.console import terminal
from picspider.report.visible import visible

MOST_BYTES = 20_000_000
FORMAT = "%(asctime)s [%(name)s] %(levelname)s: %(message)s"


class SafeFormatter(logging.Formatter):
    """What sites say cannot act on the terminal that shows the log."""

    def format(self, record: logging.LogRecord) -> str:
        """As the parent, with acting characters spelt out, but for tabs and the line ends of tracebacks."""
        return visible(super().format(record), keep="\t\n")


class AboveDisplay(logging.Handler):
    """Prints above the live display."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print one record."""
        from rich.text import Text  # noqa: PLC0415 - only for a live display

        style = "red" if record.levelno >= logging.ERROR else "yellow" if record.levelno >= logging.WARNING else "dim"
        terminal().print(Text(self.format(record), style=style))


def display_mode(level: int) -> str | None:
    """How progress is shown: `live` on a terminal, `plain` elsewhere and with every request in the log, or not at
    all when only warnings are wanted.
    """
    if level > logging.INFO:
        return None
    return "live" if level == logging.INFO and sys.stderr.isatty() else "plain"


def set_up_logging(output: Path, level: int, *, live: bool) -> list[logging.Handler]:
    """Log at *level* to OUTPUT/crawl.log (never less than INFO) and to standard error; with a *live* display only
    warnings go there. Returns the handlers.
    """
    on_screen: logging.Handler = AboveDisplay() if live else logging.StreamHandler(sys.stderr)
    on_screen.addFilter(lambda record: not hasattr(record, "told_by_command"))
    on_screen.setLevel(max(level, logging.WARNING) if live else level)
    on_screen.setFormatter(SafeFormatter("%(levelname)s: %(message)s" if live else FORMAT, "%Y-%m-%d %H:%M:%S"))
    handlers = [on_screen, *_in_file(output, min(level, logging.INFO))]
    for handler in handlers:
        logging.root.addHandler(handler)
    logging.root.setLevel(min(level, logging.INFO))
    # Scrapy's own default is DEBUG: every request would be put into words and thrown away.
    logging.getLogger("scrapy").setLevel(min(level, logging.INFO))
    return handlers


def _in_file(output: Path, level: int) -> list[logging.Handler]:
    path = OutputFolder(output).log
    try:
        output.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > MOST_BYTES:
            path.replace(path.with_suffix(".log.1"))
        in_file = logging.FileHandler(path, encoding="utf-8", errors="backslashreplace", delay=True)
    except OSError:
        return []  # the crawl itself says what is wrong with the folder
    in_file.setLevel(level)
    in_file.setFormatter(SafeFormatter(FORMAT, "%Y-%m-%d %H:%M:%S"))
    return [in_file]
