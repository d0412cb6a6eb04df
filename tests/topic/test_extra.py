"""Libraries of an extra."""

from __future__ import annotations

import pytest

from picspider.errors import ConfigError
from picspider.topic.extra import needed


def test_a_missing_library_names_the_extra() -> None:
    """The user is told what to install."""
    with pytest.raises(ConfigError, match=r"picspider\[topic\]"):
        needed("no_such_library_of_words")
