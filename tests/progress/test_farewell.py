from __future__ import annotations

import re
from pathlib import Path

import pytest

from picspider.commands.opening import opened
from picspider.progress.farewell import RunEnd, command_line, farewell
from picspider.records import RunResult
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


def test_limit_is_named(tmp_path: Path) -> None:
    """Which limit ended the run is said, and how to get more."""
    output = LargeSite(50).fill().write(tmp_path / "out")
    limits = {"limits.pictures": 2500, "limits.seconds": 1.5}
    with opened(output) as view:
        lines = list(
            farewell(view.connection, RunEnd("limit", 12, output, "picspider crawl x", result=RunResult(limits=limits)))
        )
    assert lines[0] == "Stopped after 12 s by limits.pictures: 2,500 and limits.seconds: 1.5."
    at = lines.index("Go on     picspider crawl x")
    assert "raise limits.pictures and limits.seconds in the config" in lines[at + 1]


def test_files_that_are_gone(tmp_path: Path) -> None:
    """Files that are missing are counted, with an example and the command that fetches them again."""
    output = LargeSite(50).fill().write(tmp_path / "out")
    with opened(output) as view:
        lines = list(
            farewell(
                view.connection, RunEnd("finished", 1, output, "x", result=RunResult(missing=("a/\x1b.jpg", "b.jpg")))
            )
        )
    told = next(line for line in lines if line.startswith("Missing"))
    assert "2 of the stored files, as a/\\x1b.jpg" in told
    assert told.endswith(f"picspider retry {output}")


def test_less_than_a_second(tmp_path: Path) -> None:
    """No run takes no time."""
    output = LargeSite(50).fill().write(tmp_path / "out")
    with opened(output) as view:
        lines = list(farewell(view.connection, RunEnd("finished", 0.4, output, "picspider crawl x")))
    assert lines[0] == "Finished after less than a second."


def test_dry_layer_names_the_check(tmp_path: Path) -> None:
    """That a layer is dry comes with the whole command that tells why."""
    output = LargeSite(50).fill().write(tmp_path / "out")
    with opened(output) as view:
        layers = len(view.layer_names)
        end = RunEnd("finished", 1, output, "x", "picspider check site.yaml", layers + 1)
        told = [line for line in farewell(view.connection, end) if line.startswith("Layer")]
        assert not [line for line in told if "check site.yaml" not in line]
    assert command_line("check", "s.yaml", {"limits.pages": "3"}) == "picspider check s.yaml -o limits.pages=3"
    assert command_line("check", "entry: x\n", {}) == "picspider check"


@pytest.mark.parametrize(
    "key", ["fetch.auth.password", "fetch.login.fields.p", "fetch", "fetch.login", "fetch.cookies.s", "store"]
)
def test_command_keeps_secrets(key: str) -> None:
    """What may be secret is not repeated on the screen, however its key is given."""
    command = command_line("crawl", "my site.yaml", {"output": "o", key: "{hidden: hidden}"})
    assert command == f"picspider crawl 'my site.yaml' -o output=o -o '{key}=…'"
