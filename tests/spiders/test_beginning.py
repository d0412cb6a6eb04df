from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from picspider.config.load import load_config
from picspider.frontier.run.beginning import begin
from picspider.frontier.store.store import Store
from picspider.output_folder import OutputFolder
from picspider.pictures import renaming
from picspider.pictures.file_names import fold
from picspider.pictures.renaming import finish_moves
from picspider.spiders.beginning import MadeBy, catch_up_with_names, made_by, open_store
from picspider.urls import fingerprint
from tests.report import made_store

CONFIG = "entry: https://gallery.example/\nlayers: [x]\n"
ALBUMS = 3


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


def test_rename_after_a_kill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rename that is killed after one batch is finished by the next run; then it is over."""
    monkeypatch.setattr(renaming, "ROWS_AT_ONCE", 2)
    made, pictures = made_store.MadeStore(), tmp_path / "pictures"
    pictures.mkdir()
    entry = made.row("https://a.example/", "", 0, 0)
    for number in range(ALBUMS):
        album = made.row(f"https://a.example/{number}", f"Album {number}", 1, entry)
        for name in ("a.jpg", "b.jpg"):
            file = f"{number}-{name}"
            (pictures / file).write_text(file, encoding="utf-8")
            key = fingerprint(fold(file))
            made.stored(f"https://a.example/{number}/{name}", "", album, file, file_key=key, time=time.time())
    store = Store(OutputFolder(made.write(tmp_path)).store_url)
    store.acquire()
    template = "{layer1}/new-{stem}{ext}"
    now = json.dumps({**made_store.CONFIG, "pictures": {"name": template}})
    begin(store, None, now, pictures)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(renaming, "finish_moves", lambda *_: patch.setattr(renaming, "finish_moves", killed))
        with pytest.raises(KeyboardInterrupt):
            catch_up_with_names(store, template, pictures)
    assert len(list(pictures.glob("*.jpg"))) == 2 * ALBUMS, "named in the table, not moved yet"
    with store.transaction() as connection:
        finish_moves(connection, pictures)
    begin(store, None, now, pictures)
    catch_up_with_names(store, template, pictures)
    stored = {file.relative_to(pictures).as_posix(): file.read_text() for file in pictures.rglob("*.jpg")}
    assert stored == {f"Album {n}/new-{name}": f"{n}-{name}" for n in range(ALBUMS) for name in ("a.jpg", "b.jpg")}
    (pictures / "Album 0/new-a.jpg").rename(pictures / "Album 0/mine.jpg")
    begin(store, None, now, pictures)
    catch_up_with_names(store, "other-{stem}{ext}", pictures)
    assert (pictures / "Album 0/mine.jpg").exists(), "nothing is renamed without another template"
    assert not list(pictures.glob("other*"))
    store.close()
