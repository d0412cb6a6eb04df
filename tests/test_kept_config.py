from __future__ import annotations

from pathlib import Path

from picspider.frontier.store.store import Store
from picspider.kept_config import layer_names, newest_config, newest_config_json
from picspider.output_folder import OutputFolder


def test_newest_run_counts(tmp_path: Path) -> None:
    """Before the first run there is no config; then it is the last one's."""
    store = Store(OutputFolder(tmp_path).store_url)
    assert newest_config_json(store.connection) is None
    assert newest_config(store.connection) == {}
    for text in ('{"layers": [{"name": "old"}]}', '{"layers": [{"name": "album"}, {"name": "picture"}]}'):
        with store.transaction() as connection:
            store.enter_run(connection, text)
    assert layer_names(newest_config(store.connection)) == ("album", "picture")
    with store.transaction() as connection:
        store.enter_run(connection, "{}")
    assert layer_names(newest_config(store.connection)) == ()
    store.close()
