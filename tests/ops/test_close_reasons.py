"""Why a run ended is documented, one reason by one."""

from __future__ import annotations

import re
from pathlib import Path

from scrapy.extensions import closespider

from picspider.commands.exit_codes import ExitCode
from tests.conftest import ROOT

PAGE = ROOT / "docs" / "reference" / "close-reasons.md"


def test_every_close_reason_is_documented() -> None:
    """Each reason that picspider's code gives, and each of Scrapy's CloseSpider, stands in the table."""
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "picspider").rglob("*.py")]
    given = {name for text in sources for name in re.findall(r'(?:CloseSpider\(|CLOSE_REASON = )"(\w+)"', text)}
    assert {"limit", "store_error"} <= given
    given |= set(re.findall(r'"(closespider_\w+)"', Path(closespider.__file__).read_text(encoding="utf-8")))
    table = PAGE.read_text(encoding="utf-8")
    assert not {name for name in given if f"`{name}`" not in table}
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    assert all(len(re.split(r"(?<!\\)\|", row)) == 6 and row.split("|")[4].strip() for row in rows), "what to do"


def test_exit_codes_are_told_with_the_reasons() -> None:
    """The table agrees with the code about exit codes."""
    table = PAGE.read_text(encoding="utf-8")
    codes = set(re.findall(r"\d+", "".join(row.split("|")[3] for row in table.splitlines() if row.startswith("| `"))))
    assert codes == {str(code.value) for code in ExitCode}
