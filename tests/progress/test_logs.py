from __future__ import annotations

import logging
import sys
from pathlib import Path

from picspider.output_folder import OutputFolder
from picspider.progress.logs import SafeFormatter, display_mode, set_up_logging


def test_log_goes_to_the_file_and_cannot_act(tmp_path: Path) -> None:
    """Everything is in crawl.log, escape sequences spelt out, tracebacks with their lines."""
    level = logging.root.level
    handlers = set_up_logging(tmp_path, logging.WARNING, live=False)
    try:
        logging.getLogger("picspider.test").info("title \x1b]0;owned\x07 and\nmore")
    finally:
        for handler in handlers:
            logging.root.removeHandler(handler)
            handler.close()
        logging.root.setLevel(level)
    text = OutputFolder(tmp_path).log.read_text(encoding="utf-8")
    assert r"title \x1b]0;owned\x07 and" in text
    assert text.endswith("\nmore\n")


def test_formatter_keeps_ordinary_text() -> None:
    """Letters of any script stay as they are; what turns or breaks a line is spelt out."""
    record = logging.LogRecord("a", logging.INFO, "", 0, "海岸 é\t%s", ("x\u061c\u2028y",), None)
    assert SafeFormatter("%(message)s").format(record) == "海岸 é\tx\\u061c\\u2028y"


def test_no_display_when_quiet_and_a_plain_one_off_the_terminal() -> None:
    """-q shows nothing, -v and pipes get lines."""
    assert display_mode(logging.WARNING) is None
    assert display_mode(logging.DEBUG) == "plain"
    assert sys.stderr.isatty() or display_mode(logging.INFO) == "plain"
