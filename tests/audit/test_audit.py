from __future__ import annotations

import resource
import sys
import time

from sqlalchemy import create_engine, insert

from picspider import audit
from picspider.schema import metadata, run
from tests.audit.rows import WITH_PHOTO_PAGES, numbered, site


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


def test_a_large_site_is_audited_in_little_time_and_memory() -> None:
    """40,000 pictures on 40,000 photo pages: a few microseconds each, and no list of them."""
    rows = site(layers=WITH_PHOTO_PAGES)
    for album in range(200):
        parent = rows.add(f"/album/{album}/", 1, 1, stated=200)
        for number in range(1, 201):
            photo = rows.add(f"/photo/{album}/{number * 7919:x}x.html", 2, parent)
            rows.add(f"/full/{album}/{number:03}.jpg", 3, photo)
    with rows.stored() as connection:
        before, start = _peak_mb(), time.process_time()
        assert list(audit.suspects(connection)) == []
        assert time.process_time() - start < 2
        assert _peak_mb() - before < 20


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)
