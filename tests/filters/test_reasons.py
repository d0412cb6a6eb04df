from __future__ import annotations

import pytest

from picspider.filters import Skip
from picspider.filters.reasons import FILTER_REASONS, SKIP_REASONS


def test_reasons_of_the_contract() -> None:
    """The names that are promised, and which of them a filter gives."""
    assert list(SKIP_REASONS) == ["too-small", "too-large", "aspect", "format", "off-topic", "limit"]
    assert sorted(FILTER_REASONS) == ["aspect", "format", "too-large", "too-small"]


@pytest.mark.parametrize("reason", ["animated", "off-topic"])
def test_filter_with_another_reason(reason: str) -> None:
    """A filter cannot refuse for a reason that would not be judged again."""
    with pytest.raises(ValueError, match=f"'{reason}' is no reason of a filter's"):
        Skip(reason, "it moves")
