"""What spiders and pipelines say to the frontier about rows, and ask of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from picspider.frontier.run.renewing import expired_below, renew
from picspider.frontier.turn.revoking import reopen_placeholders, reopen_taken_back, revoke_content
from picspider.records import Lost, PageRead, Repeated, Stored
from picspider.visit import note_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from scrapy import Request

    from picspider.frontier.budget import Budget
    from picspider.frontier.dupefilter import PairDupeFilter
    from picspider.frontier.store.store import Store
    from picspider.frontier.turn.batch import Batch
    from picspider.frontier.turn.lookups import Lookups
    from picspider.records import Outcome


@dataclass(slots=True, eq=False)
class RowLedger:
    """See `picspider.ledger.Ledger`.

    `ended` are the outcomes that were said and are not in `batch` yet, `referers` the rule for the Referer of each host
    that wants another than the config's. `write` has what has gathered written, unless a turn is under way; `changed`
    is called when rows have come to wait in the table.
    """

    store: Store
    lookups: Lookups
    dupefilter: PairDupeFilter
    budget: Budget
    batch: Batch
    write: Callable[[], None]
    changed: Callable[[], None]
    ended: dict[int, Outcome] = field(default_factory=dict)
    referers: dict[str, str] = field(default_factory=dict)

    def end(self, request: Request, outcome: Outcome) -> None:
        """Say what became of *request*. It is written when the engine is done with it."""
        note = note_of(request)
        if note is None:
            return
        self.ended[note.id] = outcome
        if isinstance(outcome, Stored):
            self.budget.received_bytes += outcome.facts.bytes

    def file_of(self, row: int) -> str | None:
        """The stored file of the picture *row*, in the table or on its way there; None while it has none."""
        outcome = self.ended.get(row) or self.batch.outcomes.get(row)
        return outcome.file if isinstance(outcome, Stored) else self.lookups.file_of(row)

    def row_of(self, url: str) -> int | None:
        """The row of *url*: 0 while it is on its way into the table, None when it was never sighted."""
        known = self.dupefilter.recall(url)
        if known is not None:
            return known[0]
        key = self.dupefilter.key_of(url)
        for row, outcome in self.ended.items():
            moved_to = outcome.answer.final_url if isinstance(outcome, PageRead) else None
            if moved_to is not None and self.dupefilter.key_of(moved_to) == key:
                return row
        return self.lookups.row_of(key, self.batch)

    def revoke(self, sha256: str, message: str) -> list[str]:
        """Take pictures with this content back as failures `placeholder`; returns the files that have to go."""
        files = []
        for row, outcome in self.ended.items():
            if isinstance(outcome, Stored | Repeated) and outcome.sha256 == sha256:
                self.ended[row] = Lost(outcome.answer, "placeholder", message)
                if isinstance(outcome, Stored):
                    files.append(outcome.file)
        self.write()
        with self.store.transaction() as connection:
            files += revoke_content(connection, sha256, message)
        return files

    def reopen(self, rows: Iterable[int]) -> set[int]:
        """Have those of *rows* fetched again that are failures `placeholder` in the table; returns which."""
        self.write()
        with self.store.transaction() as connection:
            reopened = reopen_taken_back(connection, sorted(rows))
        if reopened:
            self.changed()
        return reopened

    def ask_differently(self, host: str, referer: str) -> None:
        """From now on pictures of *host* get this Referer; its failures `placeholder` are fetched again."""
        self.referers[host] = referer
        self.write()
        with self.store.transaction() as connection:
            reopened = reopen_placeholders(connection, host)
        if reopened:
            self.changed()

    def expired_below(self, page: int) -> list[tuple[int, str]]:
        """(row, URL) of the pictures of *page* whose address may have expired, and that wait for a fresh one."""
        return expired_below(self.lookups.connection, page)

    def renew(self, fresh: Sequence[tuple[int, str]]) -> list[int]:
        """Give rows the fresh addresses (row, URL) that their page shows now, and fetch them; returns which.

        An address that another row has by now stays that row's.
        """
        if not fresh:
            return []
        with self.store.transaction() as connection:
            renewed = renew(connection, [(row, url, self.dupefilter.key_of(url, "picture")) for row, url in fresh])
        self.changed()
        return renewed
