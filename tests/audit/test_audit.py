from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

from sqlalchemy import create_engine, insert, text, update

from picspider import audit
from picspider.schema import metadata, node, run
from tests.audit.rows import numbered, site
from tests.report.large import fill_store


def test_a_whole_site_has_no_suspects() -> None:
    """Nothing is told where nothing is missing."""
    rows = site()
    for number in range(12):
        rows.album(f"a{number}", numbered(30), stated=30, text="30 photos")
    assert rows.suspects() == []


def test_crawls_without_layers_are_left_alone() -> None:
    """The spider `focused` and spiders of other people have no layers to audit."""
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        metadata.create_all(connection)
        assert list(audit.suspects(connection)) == []
        connection.execute(insert(run).values(started=0.0, config='{"topic": {"text": "bridges"}}'))
        assert list(audit.suspects(connection)) == []


def test_a_large_site_is_audited_in_little_time_and_memory(tmp_path: Path) -> None:
    """40,000 pictures on 40,000 photo pages: a few microseconds each, and no list of them."""
    fill_store(tmp_path, 40_000)
    engine = create_engine(f"sqlite:///{tmp_path / 'crawl.db'}")
    with engine.connect() as connection:
        counts = "SELECT parent, count(*) AS k FROM node WHERE page = 1 GROUP BY parent"
        connection.execute(text(f"CREATE TEMP TABLE n AS {counts}"))
        connection.execute(text("CREATE INDEX temp.n_parent ON n (parent)"))
        links = text("coalesce((SELECT k FROM n WHERE n.parent = node.id), 0)")
        connection.execute(update(node).where(node.c.kind == 0).values(links=links))
        connection.commit()
        before = _peak_mb()
        start = time.process_time()
        assert list(audit.suspects(connection)) == []
        assert time.process_time() - start < 2
        assert _peak_mb() - before < 30
    engine.dispose()


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)
