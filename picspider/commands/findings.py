"""What is wrong with a config, by a trial of it and by its last crawl."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from picspider.errors import counted
from picspider.propose.repair import Old, Repair, repaired

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from picspider.commands.last_run import LastLayer
    from picspider.commands.paging_trial import Unmatched
    from picspider.commands.trial import LayerTrial, Trial

DRIFTED = 0.5


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with the rule of a layer, and the regex that would mend it."""

    layer: LayerTrial
    what: str
    repair: Repair | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a trial found: layers whose rules fail, next-page rules that never matched, files that are gone."""

    findings: tuple[Finding, ...]
    unmatched: tuple[Unmatched, ...]
    gone: tuple[str, ...]


def findings(trial: Trial, before: Sequence[LastLayer]) -> Iterator[Finding]:
    """Layers that are dry, or take far less than in the last run."""
    for layer in trial.layers:
        if not layer.samples:
            continue
        last = next((each for each in before if each.number == layer.number + 1), None)
        role = "picture" if layer.number + 1 == len(trial.layers) else "page"
        what = _what(layer, last)
        if what:
            old = [Old(url, text) for url, text in last.links] if last is not None else []
            repair = repaired([sample.page for sample in layer.samples], old, role)  # type: ignore[arg-type]  # a Role
            yield Finding(layer, what, repair)
            return  # what hangs below it says nothing


def _what(layer: LayerTrial, last: LastLayer | None) -> str:
    now = len(layer.taken) / len(layer.samples)
    then = f"; the last run found {last.per_page:.0f} a page" if last is not None else ""
    if not layer.taken:
        return f"took nothing on {counted(len(layer.samples), 'page')}{then}"
    same = [
        (sample, last.by_page[sample.page.url]) for sample in layer.samples if last and sample.page.url in last.by_page
    ]
    if same and sum(len(sample.taken) for sample, _ in same) < DRIFTED * sum(count for _, count in same):
        return f"took {now:.0f} a page{then}"
    return ""
