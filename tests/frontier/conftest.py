"""A PostgreSQL server of our own for the tests of shared stores."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import need
from tests.postgres import find_postgres, postgres


@pytest.fixture
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The SQLAlchemy URL of an empty PostgreSQL database."""
    programs = find_postgres()
    need(programs, "the tests of shared stores need PostgreSQL: apt-get install postgresql (it need not be started)")
    assert programs is not None
    with postgres(programs, tmp_path_factory.mktemp("database") / "postgres") as url:
        yield url
