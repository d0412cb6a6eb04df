from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from picspider.frontier.beginning import begin
from picspider.frontier.store import Store
from picspider.output_folder import OutputFolder
from picspider.pictures import renaming
from picspider.pictures.file_names import fold
from picspider.pictures.renaming import finish_moves
from picspider.spiders.beginning import catch_up_with_names
from picspider.urls import fingerprint
from tests.report.made_store import CONFIG, MadeStore

ALBUMS = 3


def test_rename_after_a_kill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rename that is killed after one batch is finished by the next run; then it is over."""
    monkeypatch.setattr(renaming, "ROWS_AT_ONCE", 2)
    made, pictures = MadeStore(), tmp_path / "pictures"
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
    now = json.dumps({**CONFIG, "pictures": {"name": template}})
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
