"""Filter by format: what the content is, whatever the address says."""

from __future__ import annotations

from dataclasses import dataclass

from picspider.filters.base import PicturesSection, Skip, Sniff
from picspider.filters.format_names import canonical
from picspider.records import Facts


@dataclass(frozen=True, slots=True)
class Formats:
    """`names`: the formats that pass, as Pillow calls them (JPEG, PNG, WEBP …)."""

    names: frozenset[str]

    @classmethod
    def of(cls, section: PicturesSection) -> Formats | None:
        """The filter that *section* asks for; None when it sets no formats."""
        return None if section.formats is None else cls(frozenset(map(canonical, section.formats)))

    def judge(self, facts: Facts) -> Skip | None:
        """`format`."""
        return self._judge(facts.format)

    def early(self, sniff: Sniff, declared_bytes: int | None) -> Skip | None:
        """Known from the first bytes."""
        return self._judge(sniff.format)

    def _judge(self, name: str) -> Skip | None:
        if name in self.names:
            return None
        return Skip("format", f"{name}; wanted are {', '.join(sorted(self.names))}")
