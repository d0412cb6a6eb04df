"""Next-page rules of a config that matched on none of the pages tried, and what may have been meant instead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from picspider.errors import Failed
from picspider.paging import TemplatePaging
from picspider.propose.groups import Sheet
from picspider.propose.next_pages import Guess, guesses
from picspider.propose.walk import OutOfBudgetError
from picspider.propose.yaml_text import quoted
from picspider.strategy.layers import LayerStrategy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from picspider.commands.trial import LayerTrial, Sample, Trial
    from picspider.config.model import SiteConfig
    from picspider.paging import PagingRule
    from picspider.probe.probe import Probe

MOST_GUESSES = 3


@dataclass(frozen=True, slots=True)
class Onward:
    """A page that goes on where the list `of` ends: `more` links of layer `layer` are new there."""

    guess: Guess
    of: str
    layer: int
    more: int


@dataclass(frozen=True, slots=True)
class Unmatched:
    """The rule at `key` of the config, as it is written, which matched on none of `pages` pages; `onward`: None when
    the lists seem to be whole.
    """

    key: str
    written: str
    pages: int
    onward: Onward | None


async def unmatched(probe: Probe, config: SiteConfig, trial: Trial) -> list[Unmatched]:
    """The rules that never matched in *trial*, each with the first next page that is found without them."""
    by_rule: dict[PagingRule, list[LayerTrial]] = {}
    for layer in trial.layers:
        rule = config.paging_of(layer.number)
        if rule is not None and not isinstance(rule, TemplatePaging):  # which counts, whatever the page shows
            by_rule.setdefault(rule, []).append(layer)
    found = []
    for rule, layers in by_rule.items():
        samples = [sample for layer in layers for sample in layer.samples]
        if not samples or any(layer.goes_on for layer in layers) or any(rule.post_form(each.page) for each in samples):
            continue
        onward = await _onward(probe, config, trial, layers)
        found.append(Unmatched(_key(config, layers[0].number), _written(rule), len(samples), onward))
    return found


def _key(config: SiteConfig, layer: int) -> str:
    own = layer and config.layers[layer - 1].has_own_paging
    return f"layers[{layer - 1}].next_page" if own else "next_page"


def _written(rule: PagingRule) -> str:
    values = rule.model_dump()
    if set(values) == {"text"}:
        return quoted(values["text"])
    return "{" + ", ".join(f"{key}: {quoted(str(value))}" for key, value in values.items()) + "}"


async def _onward(probe: Probe, config: SiteConfig, trial: Trial, layers: list[LayerTrial]) -> Onward | None:
    """The first guess that holds: a page with new links of the layer, which is none of the layer's pages itself."""
    strategy, tries = LayerStrategy(config), 0
    for layer in layers:
        for sample, guess in _guesses(config, trial, layer):
            if tries == MOST_GUESSES:
                return None
            tries += 1
            try:
                page = await probe.page(guess.url, sample.page.url)
            except (Failed, OutOfBudgetError):
                continue
            more = {visit.url for visit in strategy.look(page, layer.number, 2).visits} - set(layer.taken)
            if more:
                return Onward(guess, sample.page.url, layer.number + 1, len(more))
    return None


def _guesses(config: SiteConfig, trial: Trial, layer: LayerTrial) -> Iterator[tuple[Sample, Guess]]:
    above = config.layers[layer.number - 1] if layer.number else None
    known = {*config.entry} if above is None else {*trial.layers[layer.number - 1].taken}
    for sample in layer.samples:
        for guess in guesses(Sheet.of(sample.page)):
            sideways = (
                above is not None and above.pattern.search(guess.url) and not _extends(sample.page.url, guess.url)
            )
            if guess.url not in known and guess.url not in sample.taken and not sideways:
                known.add(guess.url)
                yield sample, guess


def _extends(url: str, longer: str) -> bool:
    """Whether *longer* is *url* with more path or more parameters: /album/3?page=2 to /album/3, not /album/4."""
    mine, theirs = urlsplit(url), urlsplit(longer)
    path = mine.path.rstrip("/") + "/"
    return (theirs.path + "/").startswith(path) and set(parse_qsl(mine.query)) <= set(parse_qsl(theirs.query))
