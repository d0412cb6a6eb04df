"""A connection to a shared store for questions between turns; when it breaks, it is made anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from picspider.frontier.store import postgres_session
from picspider.frontier.store.patience import answer_of
from picspider.prepared import raw_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Engine


class SteadyConnection:
    """Executes statements one by one, each a transaction of its own, and again on a new connection if need be.

    So a statement may be executed twice: it has to mean the same then. `execute` is that of the driver's connection.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.connection = self._connect()

    def _connect(self) -> Connection:
        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        postgres_session.crawling(raw_of(connection))
        return connection

    def execute(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """The driver's cursor. Raises what the driver and SQLAlchemy raise when the database stays away."""
        return answer_of(self._engine, lambda: raw_of(self.connection).execute(sql, values), self._renew)

    def _renew(self) -> None:
        broken, self.connection = self.connection, self._connect()
        broken.invalidate()
        broken.close()

    def close(self) -> None:
        """Give the connection back."""
        if not raw_of(self.connection).closed:
            postgres_session.crawled(raw_of(self.connection))
        self.connection.close()
