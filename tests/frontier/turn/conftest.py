from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from picspider.frontier.run.beginning import begin
from picspider.frontier.store.store import Store
from picspider.output_folder import OutputFolder


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store of a folder, and one that is shared."""
    url = OutputFolder(tmp_path).store_url if request.param == "sqlite" else request.getfixturevalue("database")
    store = Store(url)
    begin(store, None, "{}")
    yield store
    store.close()
