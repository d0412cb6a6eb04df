"""A config tried on a few pages of each layer: what its rules take there. No picture is downloaded as a whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from picspider import filters
from picspider.errors import Failed
from picspider.propose.form import spread
from picspider.propose.walk import OutOfBudgetError
from picspider.records import Facts
from picspider.strategy.layers import LayerStrategy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from picspider.config.model import SiteConfig
    from picspider.links.page import Page
    from picspider.probe.probe import Head, Probe
    from picspider.strategy.layers import Look

MOST_ENTRIES = 2


@dataclass(frozen=True, slots=True)
class Sample:
    """One page that was read, and how many links the rule for the next layer took on it."""

    page: Page
    taken: tuple[str, ...]


@dataclass(slots=True)
class LayerTrial:
    """What became of the pages of layer `number` (0: entry pages), and what the rule `name` took on them.

    `goes_on`: the first next page that was found; `failures`: what could not be had, with the reason.
    """

    number: int
    name: str
    samples: list[Sample] = field(default_factory=list)
    goes_on: str | None = None
    failures: dict[str, Failed] = field(default_factory=dict)

    @property
    def taken(self) -> list[str]:
        """All that the rule took, each URL once."""
        return list(dict.fromkeys(url for sample in self.samples for url in sample.taken))


@dataclass(frozen=True, slots=True)
class Measured:
    """A picture as its first bytes show it. `refused`: why the config's filters would refuse it."""

    size: str
    refused: filters.Skip | None


@dataclass(slots=True)
class Trial:
    """The layers in order, and what the first bytes of a few pictures say."""

    layers: list[LayerTrial] = field(default_factory=list)
    pictures: dict[str, Measured] = field(default_factory=dict)
    failures: dict[str, Failed] = field(default_factory=dict)

    @property
    def lost(self) -> dict[str, Failed]:
        """All that could not be had, pages first."""
        of_layers = {url: failed for layer in self.layers for url, failed in layer.failures.items()}
        return {**of_layers, **self.failures}

    @property
    def asked(self) -> int:
        """How many addresses were asked for."""
        return sum(len(layer.samples) for layer in self.layers) + len(self.pictures) + len(self.lost)


async def tried(probe: Probe, config: SiteConfig, pages: int, pictures: int) -> Trial:
    """Try *config* on at most *pages* pages of each layer, and look at the heads of *pictures* pictures.

    Pages that the probe has already are taken first. Ends early when its budget is spent.
    """
    strategy, trial = LayerStrategy(config), Trial()
    waiting: list[tuple[str, str | None]] = [(url, None) for url in config.entry[:MOST_ENTRIES]]
    for number, rule in enumerate(config.layers):
        layer = LayerTrial(number, str(rule.name))
        trial.layers.append(layer)
        parents: dict[str, str] = {}
        for url, parent in _chosen(waiting, probe.pages, pages):
            look = await _looked(probe, strategy, layer, (url, parent))
            if look is not None:
                parents.update({visit.url: url for visit in look.visits})
        if layer.goes_on is not None:
            look = await _looked(probe, strategy, layer, (layer.goes_on, None), page_number=2)
            parents.update({visit.url: layer.goes_on for visit in look.visits} if look is not None else {})
        waiting = list(parents.items())
    wanted = filters.build(config.pictures)
    await _look_at_pictures(probe, trial, _chosen(waiting, probe.heads, pictures), wanted)
    return trial


def _chosen(
    waiting: Sequence[tuple[str, str | None]], read: Iterable[str], most: int
) -> Iterator[tuple[str, str | None]]:
    known = set(read)
    parents = dict(waiting)
    before = [url for url in parents if url in known][:most]
    others = [url for url in parents if url not in known]
    yield from ((url, parents[url]) for url in (*before, *spread(others, most - len(before))))


async def _looked(
    probe: Probe, strategy: LayerStrategy, layer: LayerTrial, place: tuple[str, str | None], page_number: int = 1
) -> Look | None:
    """Read one page and note what the rule takes; None when it could not be had."""
    url, parent = place
    try:
        page = await probe.page(url, parent)
    except Failed as failed:
        layer.failures[url] = failed
        return None
    except OutOfBudgetError:
        return None
    look = strategy.look(page, layer.number, page_number)
    layer.samples.append(Sample(page, tuple(dict.fromkeys(visit.url for visit in look.visits))))
    if layer.goes_on is None and look.next_pages and page_number == 1:
        layer.goes_on = look.next_pages[0].url
    return look


async def _look_at_pictures(
    probe: Probe, trial: Trial, chosen: Iterable[tuple[str, str | None]], wanted: Sequence[filters.Filter]
) -> None:
    for url, parent in chosen:
        found = await _head(probe, url, parent)
        if isinstance(found, Failed):
            trial.failures[url] = found
        elif found is not None and not found.format:
            trial.failures[url] = Failed("not-a-picture", "its first bytes are those of no picture")
        elif found is not None:
            size = f"{found.format} {found.width} × {found.height}"
            trial.pictures[url] = Measured(size, _refused(found, wanted))


def _refused(head: Head, wanted: Sequence[filters.Filter]) -> filters.Skip | None:
    if head.size_bytes is None:
        return filters.early(wanted, filters.Sniff(head.format, head.width, head.height), None)
    return filters.judge(wanted, Facts(head.format, head.width, head.height, "", head.size_bytes))


async def _head(probe: Probe, url: str, parent: str | None) -> Head | Failed | None:
    try:
        return await probe.head(url, parent)
    except Failed as failed:
        return failed
    except OutOfBudgetError:
        return None
