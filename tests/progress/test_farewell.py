from __future__ import annotations

import re
from pathlib import Path

from picspider.commands.opening import opened
from picspider.progress.farewell import RunEnd, crawl_command, farewell
from tests.report.large import LargeSite


def test_last_line_adds_up(tmp_path: Path) -> None:
    """The last line is a sum that is right."""
    output = LargeSite(300).fill().write(tmp_path / "out")
    with opened(output) as view:
        lines = list(farewell(view.connection, RunEnd("finished", 12, output, "picspider crawl x")))
    total, *parts = (int(number.replace(",", "")) for number in re.findall(r"[\d,]+", lines[-1]))
    assert total == sum(parts) > 600
    assert not any(line.startswith("Go on") for line in lines)


def test_interrupted_run_says_how_to_go_on(tmp_path: Path) -> None:
    """The command to go on stands there."""
    output = LargeSite(50).fill().write(tmp_path / "out")
    with opened(output) as view:
        lines = list(farewell(view.connection, RunEnd("shutdown", 12, output, "picspider crawl site.yaml")))
    assert lines[0] == "Interrupted after 12 s; nothing is lost."
    assert "Go on     picspider crawl site.yaml" in lines


def test_command_keeps_secrets() -> None:
    """What may be secret is not repeated on the screen."""
    command = crawl_command("my site.yaml", {"output": "o", "fetch.auth.password": "hidden"})
    assert command == "picspider crawl 'my site.yaml' -o output=o -o 'fetch.auth.password=…'"
