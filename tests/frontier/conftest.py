"""A PostgreSQL server of our own for the tests of shared stores."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.conftest import need
from tests.postgres import find_postgres, postgres


@pytest.fixture
def database() -> Iterator[str]:
    """The SQLAlchemy URL of an empty PostgreSQL database.

    Its folder is none of pytest's: another pytest that starts closes those to other users.
    """
    programs = find_postgres()
    need(programs, "the tests of shared stores need PostgreSQL: apt-get install postgresql (it need not be started)")
    assert programs is not None
    with TemporaryDirectory(prefix="picspider-") as folder, postgres(programs, Path(folder) / "postgres") as url:
        yield url
