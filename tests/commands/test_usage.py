from __future__ import annotations

import pytest

from tests.crawls.running import run


@pytest.mark.parametrize(
    "arguments", [("crawl",), ("crawl", "demo", "--no-such-option"), ("nonsense",), ("crawl", "demo", "-o", "x")]
)
def test_wrong_usage_ends_with_1(arguments: tuple[str, ...]) -> None:
    """A command that is typed wrongly ends with 1, as 2 tells of a crawl with failures."""
    assert run("-m", "picspider", *arguments).returncode == 1
