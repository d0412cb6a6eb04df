from __future__ import annotations

from pathlib import Path

import pytest

from picspider.commands.opening import opened, store_if_any
from picspider.config.load import load_config
from picspider.config.model import SiteConfig
from picspider.errors import StoreError
from picspider.frontier.store.store import Store
from picspider.output_folder import OutputFolder
from tests.report.test_site_tree import made_site


def config_of(output: Path, store: str | None = None) -> SiteConfig:
    """A config with this output folder and this database."""
    text = f"entry: http://h.example/\nlayers: [x]\noutput: {output}\n"
    return load_config(text + (f"store: {store}\n" if store else ""))


def test_own_store(tmp_path: Path) -> None:
    """None, and no folder, while nothing was crawled; then the store."""
    config = config_of(tmp_path / "out")
    with store_if_any(config) as store:
        assert store is None
    assert not (tmp_path / "out").exists()
    made_site().write(tmp_path / "out")
    with store_if_any(config) as store:
        assert store is not None
        assert store.file == OutputFolder(tmp_path / "out").store


def test_shared_store(database: str, tmp_path: Path) -> None:
    """A database that no crawl has used yet is no mistake."""
    config = config_of(tmp_path / "out", database)
    with store_if_any(config) as store:
        assert store is None
    Store(database).close()
    with store_if_any(config) as store:
        assert store is not None
        assert store.shared


@pytest.mark.parametrize("address", ["mysql+nothing://h/db", "postgresql+psycopg://nobody@127.0.0.1:9/db"])
def test_database_that_cannot_be_used(address: str, tmp_path: Path) -> None:
    """It is told in one line."""
    with pytest.raises(StoreError), store_if_any(config_of(tmp_path, address)):
        pass


def test_view_knows_the_layers(tmp_path: Path) -> None:
    """Names come from the config that the store keeps; beyond them layers have numbers."""
    with opened(made_site().write(tmp_path)) as view:
        assert [view.name_of(layer) for layer in range(5)] == ["entry", "album", "photo", "picture", "layer-4"]
