from __future__ import annotations

import pytest

from picspider.config.keys import nearest_key
from picspider.config.model import SiteConfig


@pytest.mark.parametrize(
    ("key", "advice"),
    [
        ("entyr", "did you mean entry?"),
        ("headers", "it belongs into fetch"),
        ("min_widht", "did you mean min_width in pictures?"),
    ],
)
def test_nearest_key(key: str, advice: str) -> None:
    """A key of another section is sent there, even if one here is like it; a misspelt one is put right."""
    assert nearest_key(SiteConfig, (key,)) == advice
