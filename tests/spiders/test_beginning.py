from __future__ import annotations

import json
from pathlib import Path

import pytest

from picspider.config.load import load_config
from picspider.spiders.beginning import MadeBy, made_by, open_store

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


def test_how_a_crawl_was_made_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file by its whole path, so that a retry finds it from any folder; a text with secrets not at all."""
    path = tmp_path / "site.yaml"
    path.write_text(CONFIG, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    store, beginning = open_store("sqlite://", {"config": "site.yaml", "output": "x"}, load_config("site.yaml"))
    assert (beginning, made_by(store)) == ("new", MadeBy(str(path), {"output": "x"}))
    store.close()
    text = f"{CONFIG}fetch: {{auth: {{user: a, password: hunter2}}}}\n"
    store, _ = open_store("sqlite://", {"config": text}, load_config(text))
    assert made_by(store) is None
    store.close()
