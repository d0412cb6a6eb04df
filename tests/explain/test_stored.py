from __future__ import annotations

from picspider.explain.stored import known
from picspider.urls import IdentityRules
from tests.audit.rows import BASE, site

RULES = IdentityRules(("sid",))


def test_known_by_the_crawls_identity() -> None:
    """A page is known with and without its last slash, a picture as it is written, and ignored parameters count not."""
    rows = site(urls={"ignore_parameters": ["sid"]})
    album = rows.album("coast", ["1/", "2", "2/"])
    with rows.stored() as connection:

        def row(path: str) -> int | None:
            found = known(connection, BASE + path, RULES)
            return found.id if found is not None else None

        assert row("/album/coast") == row("/album/coast/?sid=3") == album
        assert row("/full/coast/1/") == row("/full/coast/1/?sid=3") == album + 1
        assert row("/full/coast/1") is None
        assert (row("/full/coast/2"), row("/full/coast/2/")) == (album + 2, album + 3)
        assert row("/full/coast/3") is None
