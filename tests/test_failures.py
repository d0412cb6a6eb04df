from __future__ import annotations

import pytest

from picspider.failures import PASSING_STATUSES, may_pass


@pytest.mark.parametrize(
    ("reason", "status", "passes"),
    [
        ("timeout", None, True),
        ("truncated", 404, True),
        ("tls", None, False),
        ("corrupt", 503, False),
        ("unheard-of", None, False),
        ("http", None, False),
        ("http", 404, False),
        ("http", 429, True),
        ("http", 500, True),
        ("http", 501, False),
        ("http", 503, True),
        ("http", 511, False),
        ("http", 599, True),
        ("http", 999, False),
    ],
)
def test_what_may_pass(reason: str, status: int | None, passes: bool) -> None:  # noqa: FBT001 - a parameter of the table
    """Trouble of the network and of the server may pass; what the server will never do does not."""
    assert may_pass(reason, status) is passes
    if reason == "http":
        assert (status in PASSING_STATUSES) is passes
