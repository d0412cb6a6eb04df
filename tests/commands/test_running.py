from __future__ import annotations

import time
from pathlib import Path

import pytest
from sqlalchemy import update

from picspider.commands.running import is_running
from picspider.frontier.run.beginning import begin
from picspider.frontier.store.store import Store
from picspider.frontier.store.workers import now_of
from picspider.output_folder import OutputFolder
from picspider.schema import worker


def test_own_store(tmp_path: Path) -> None:
    """A crawl runs while its run is open and its process holds the folder."""
    crawling = Store(OutputFolder(tmp_path).store_url)
    watching = Store(OutputFolder(tmp_path).store_url, create=False)
    assert not is_running(watching, watching.connection)
    crawling.acquire()
    begin(crawling, None, "{}")
    assert is_running(watching, watching.connection)
    watching.connection.rollback()
    crawling.end_run("finished", "{}")
    assert not is_running(watching, watching.connection)
    watching.close()
    crawling.close()


def test_shared_store(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the clock of the database, whatever this machine's says, and as long as the lease of the store."""
    crawling, watching = Store(database), Store(database, create=False)
    begin(crawling, None, "{}")
    ahead = time.time() + 3600
    monkeypatch.setattr(time, "time", lambda: ahead)
    assert is_running(watching, watching.connection)
    watching.connection.rollback()
    with crawling.transaction() as connection:
        connection.execute(update(worker).values(seen=now_of(connection) - 100))
    assert not is_running(watching, watching.connection)
    watching.presence.lease_seconds = 300
    assert is_running(watching, watching.connection)
    watching.close()
    crawling.close()
