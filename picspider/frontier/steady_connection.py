"""A connection to a shared store for questions between turns; when it breaks, it is made anew."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import OperationalError

from picspider.frontier import postgres_session
from picspider.prepared import raw_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Engine

logger = logging.getLogger(__name__)

TRIES = 6
FIRST_WAIT_SECONDS = 0.2


class SteadyConnection:
    """Executes statements one by one, each a transaction of its own, and again on a new connection if need be.

    So a statement may be executed twice: it has to mean the same then. `execute` is that of the driver's connection.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._passing: Any = engine.dialect.dbapi.OperationalError  # type: ignore[union-attr]  # it is loaded
        self.connection = self._connect()

    def _connect(self) -> Connection:
        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        postgres_session.crawling(raw_of(connection))
        return connection

    def execute(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """The driver's cursor. Raises what the driver and SQLAlchemy raise when the database stays away."""
        for attempt in range(1, TRIES):
            try:
                return raw_of(self.connection).execute(sql, values)
            except (self._passing, OperationalError) as exc:  # noqa: PERF203 - each try costs a round trip
                logger.warning("The shared store gave no answer (%s); asking again", exc)
                time.sleep(FIRST_WAIT_SECONDS * 2**attempt)
                self._renew()
        return raw_of(self.connection).execute(sql, values)

    def _renew(self) -> None:
        try:
            fresh = self._connect()
        except (self._passing, OperationalError):
            return  # the old one says so once more
        broken, self.connection = self.connection, fresh
        broken.invalidate()
        broken.close()

    def close(self) -> None:
        """Give the connection back."""
        if not raw_of(self.connection).closed:
            postgres_session.crawled(raw_of(self.connection))
        self.connection.close()
