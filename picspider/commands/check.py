"""`picspider check`: a config tried on a few pages, and compared with what its last crawl found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from picspider.commands.exit_codes import ExitCode
from picspider.commands.last_run import LastLayer, last_run, lost_files
from picspider.commands.opening import store_if_any
from picspider.commands.reach import Reach, reach
from picspider.commands.reach import words as reach_words
from picspider.commands.trial import LayerTrial, Trial, tried
from picspider.config.load import load_any_config
from picspider.config.model import SiteConfig
from picspider.output_folder import OutputFolder
from picspider.probe.probe import Probe
from picspider.probe.probed import probed, told
from picspider.propose.repair import Old, Repair, repaired
from picspider.report.retry_command import retry_command
from picspider.settings_bridge import output_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from picspider.config.model import TopicConfig

PAGES_PER_LAYER = 3
PICTURES = 4
SHOWN = 3
DRIFTED = 0.5


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with the rule of a layer, and the regex that would mend it."""

    layer: LayerTrial
    what: str
    repair: Repair | None


def check(source: str, overrides: Mapping[str, str]) -> ExitCode:
    """Validate the config *source* and try it. Raises `PicspiderError` for a config that is refused."""
    config = load_any_config(source, overrides)
    reached, trial = probed(config, lambda probe: _asked(probe, config))
    obeys = config.fetch.obey_robots
    print("\n".join(("Config    it is valid", *reach_words(reached, obeys_robots=obeys))))  # noqa: T201 - its purpose
    if reached.failed is not None:
        return ExitCode.error
    if not isinstance(config, SiteConfig) or trial is None:
        return ExitCode.ok
    output = output_folder(config)
    with store_if_any(config) as store:
        found = list(findings(trial, last_run(store, config) if store is not None else ()))
        gone = lost_files(store, output) if store is not None else []
    print("\n".join((*_told(trial), "", *_wrong(found), *_lost(trial), *_gone(gone, output))))  # noqa: T201 - as above
    if found:
        return ExitCode.dry_layer
    if trial.lost or gone:
        return ExitCode.some_failures
    print("Nothing looks wrong.")  # noqa: T201 - as above
    return ExitCode.ok


async def _asked(probe: Probe, config: SiteConfig | TopicConfig) -> tuple[Reach, Trial | None]:
    reached = await reach(probe, config.entry[0])
    if reached.failed is not None or not isinstance(config, SiteConfig):
        return reached, None
    return reached, await tried(probe, config, PAGES_PER_LAYER, PICTURES)


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
        return f"took nothing on {len(layer.samples)} pages{then}"
    same = [
        (sample, last.by_page[sample.page.url]) for sample in layer.samples if last and sample.page.url in last.by_page
    ]
    if same and sum(len(sample.taken) for sample, _ in same) < DRIFTED * sum(count for _, count in same):
        return f"took {now:.0f} a page{then}"
    return ""


def _told(trial: Trial) -> Iterator[str]:
    for layer in trial.layers:
        yield ""
        counts = ", ".join(str(len(sample.taken)) for sample in layer.samples)
        yield f"Layer {layer.number + 1}   {layer.name}: {counts or 'no'} links on {len(layer.samples)} pages"
        yield from (f"          {url}" for url in layer.taken[:SHOWN])
        if layer.goes_on is not None:
            yield f"          next page: {layer.goes_on}"
        yield from (f"          FAILED {url}: {failed.message}" for url, failed in layer.failures.items())
    if trial.pictures or trial.failures:
        yield ""
        yield "Pictures  by their first bytes:"
        yield from (f"          {size}  {url}" for url, size in trial.pictures.items())
        yield from (f"          FAILED {url}: {failed.message}" for url, failed in trial.failures.items())


def _wrong(found: Sequence[Finding]) -> Iterator[str]:
    for finding in found:
        yield f"WRONG     layer {finding.layer.number + 1}, {finding.layer.name}: {finding.what}"
        if finding.repair is not None:
            yield f"          Perhaps (by {finding.repair.how}; {finding.repair.learned.confidence:.0%} sure):"
            yield f"          links: '{finding.repair.learned.regex}'"


def _lost(trial: Trial) -> Iterator[str]:
    if trial.lost:
        first, failed = next(iter(trial.lost.items()))
        yield f"FAILED    {len(trial.lost)} of {trial.asked} addresses that were tried could not be had; see above."
        yield f"          The first: {told(first, failed)}"


def _gone(files: Sequence[str], output: Path) -> Iterator[str]:
    if files:
        folder = OutputFolder(output).pictures
        yield f"MISSING   {len(files)} files of the last crawl are gone from {folder}, as {files[0]}."
        yield f"          To fetch them again: {retry_command(output)}"
