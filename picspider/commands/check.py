"""`picspider check`: a config tried on a few pages, and compared with what its last crawl found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from picspider.commands.check_words import doubts, verdict
from picspider.commands.check_words import told as told_of
from picspider.commands.exit_codes import ExitCode
from picspider.commands.findings import Verdict, findings
from picspider.commands.last_run import last_run, lost_files
from picspider.commands.opening import store_if_any
from picspider.commands.paging_trial import Unmatched, unmatched
from picspider.commands.reach import Reach, reach
from picspider.commands.reach import words as reach_words
from picspider.commands.trial import Trial, tried
from picspider.config.load import load_any_config
from picspider.config.model import SiteConfig
from picspider.probe.probe import Probe
from picspider.probe.probed import probed
from picspider.settings_bridge import output_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from picspider.config.model import TopicConfig

PAGES_PER_LAYER = 3
PICTURES = 4


def check(source: str, overrides: Mapping[str, str]) -> ExitCode:
    """Validate the config *source* and try it. Raises `PicspiderError` for a config that is refused."""
    config = load_any_config(source, overrides)
    reached, tried_out = probed(config, lambda probe: _asked(probe, config))
    obeys = config.fetch.obey_robots
    print("\n".join(("Config    it is valid", *reach_words(reached, obeys_robots=obeys))))  # noqa: T201 - its purpose
    if reached.failed is not None:
        return ExitCode.error
    if not isinstance(config, SiteConfig) or tried_out is None:
        return ExitCode.ok
    trial, lists = tried_out
    output = output_folder(config)
    with store_if_any(config) as store:
        found = tuple(findings(trial, last_run(store, config) if store is not None else ()))
        gone = tuple(lost_files(store, output)) if store is not None else ()
    judged = Verdict(found, tuple(lists), gone)
    lines = (*told_of(trial), "", *verdict(trial, judged, output), *doubts(trial, config, judged))
    print("\n".join(lines))  # noqa: T201 - as above
    return _exit_code(trial, judged)


def _exit_code(trial: Trial, judged: Verdict) -> ExitCode:
    """A rule that is wrong comes first: what hangs below it says nothing."""
    if judged.findings or any(each.onward is not None for each in judged.unmatched):
        return ExitCode.dry_layer
    return ExitCode.some_failures if trial.lost or judged.gone else ExitCode.ok


async def _asked(probe: Probe, config: SiteConfig | TopicConfig) -> tuple[Reach, tuple[Trial, list[Unmatched]] | None]:
    reached = await reach(probe, config.entry[0])
    if reached.failed is not None or not isinstance(config, SiteConfig):
        return reached, None
    trial = await tried(probe, config, PAGES_PER_LAYER, PICTURES)
    return reached, (trial, await unmatched(probe, config, trial))
