"""What spiders and pipelines say to the frontier about rows, and ask of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from picspider.frontier.renewing import expired_below, renew
from picspider.frontier.revoking import reopen_placeholders, revoke_content
from picspider.records import Lost, Repeated, Stored
from picspider.visit import note_of

if TYPE_CHECKING:
    from scrapy import Request

    from picspider.frontier.budget import Budget
    from picspider.frontier.dupefilter import PairDupeFilter
    from picspider.frontier.lookups import Lookups
    from picspider.frontier.requests import RequestCodec
    from picspider.frontier.store import Store
    from picspider.frontier.turn import Batch
    from picspider.frontier.turning import Turner
    from picspider.records import Outcome


class Said:
    """The part of the frontier that others talk to; see `picspider.ledger.Ledger`."""

    store: Store
    dupefilter: PairDupeFilter
    lookups: Lookups
    budget: Budget
    batch: Batch
    _ended: dict[int, Outcome]
    _turner: Turner
    _codec: RequestCodec
    _table_waits: bool
    _only_hosts: frozenset[str] | None

    def _turn(self, count: int) -> None:
        raise NotImplementedError

    def end(self, request: Request, outcome: Outcome) -> None:
        """Say what became of *request*. It is written when the engine is done with it."""
        note = note_of(request)
        if note is None:
            return
        self._ended[note.id] = outcome
        if isinstance(outcome, Stored):
            self.budget.received_bytes += outcome.facts.bytes

    def row_of(self, url: str) -> int | None:
        """The row of *url*: 0 while it is on its way into the table, None when it was never sighted."""
        known = self.dupefilter.recall(url)
        if known is not None:
            return known[0]
        return self.lookups.row_of(self.dupefilter.key_of(url), self.batch)

    def revoke(self, sha256: str, message: str) -> list[str]:
        """Take pictures with this content back as failures `placeholder`; returns the files that have to go."""
        files = []
        for row, outcome in self._ended.items():
            if isinstance(outcome, Stored | Repeated) and outcome.sha256 == sha256:
                self._ended[row] = Lost("placeholder", message, outcome.status, outcome.final_url, outcome.attempts)
                if isinstance(outcome, Stored):
                    files.append(outcome.file)
        if not self._turner.busy:
            self._turn(0)
        with self.store.transaction() as connection:
            files += revoke_content(connection, sha256, message)
        return files

    def ask_differently(self, host: str, referer: str) -> None:
        """From now on pictures of *host* get this Referer; its failures `placeholder` are fetched again."""
        self._codec.referers[host] = referer
        if not self._turner.busy:
            self._turn(0)
        with self.store.transaction() as connection:
            if reopen_placeholders(connection, host):
                self._table_waits, self._only_hosts = True, None

    def expired_below(self, page: int) -> list[tuple[int, str]]:
        """(row, URL) of the pictures of *page* whose address may have expired, and that wait for a fresh one."""
        return expired_below(self.lookups.connection, page)

    def renew(self, fresh: list[tuple[int, str]]) -> None:
        """Give rows the fresh addresses that their page shows now; they are fetched."""
        with self.store.transaction() as connection:
            renew(connection, [(row, url, self.dupefilter.key_of(url, "picture")) for row, url in fresh])
        self._table_waits, self._only_hosts = True, None
