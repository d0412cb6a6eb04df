from __future__ import annotations

import json
from pathlib import Path

from picspider.config.load import load_config
from picspider.spiders.crawl import open_store

CONFIG = "entry: https://gallery.example/\nlayers: [x]\n"


def test_overrides_with_secrets_are_not_kept(tmp_path: Path) -> None:
    """Of the command line's keys the store keeps those that hold no secret, a section given as a whole among them."""
    overrides = {"fetch": "{cookies: {s: hunter2}}", "fetch.delay": "2", "limits.pages": "3"}
    path = tmp_path / "site.yaml"
    path.write_text(CONFIG, encoding="utf-8")
    config = load_config(str(path), {key: value for key, value in overrides.items() if key != "fetch.delay"})
    store, _ = open_store("sqlite://", {"config": str(path), "overrides": overrides}, config)
    try:
        kept = json.loads(store.get_meta("config") or "")
        assert kept == {"source": str(path), "overrides": {"limits.pages": "3"}}
    finally:
        store.close()
