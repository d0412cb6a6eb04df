from __future__ import annotations

from pathlib import Path

import pytest

from picspider.commands.report import report
from tests.report.test_site_tree import made_site


def test_report_is_written_and_its_address_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command ends with 0 and prints a file: address that a terminal makes clickable."""
    output = made_site().write(tmp_path / "out")
    assert report(output, store=None, thumbnails=20_000, embed=2000) == 0
    assert capsys.readouterr().out.strip() == (output / "report.html").as_uri()
    assert list(output.glob("*.partial")) == []
