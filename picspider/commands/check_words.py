"""What `picspider check` found, in words."""

from __future__ import annotations

from string import Formatter
from typing import TYPE_CHECKING

from picspider.errors import counted
from picspider.output_folder import OutputFolder
from picspider.probe.probed import told as failure_told
from picspider.propose.yaml_text import written
from picspider.report.retry_command import retry_command

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from picspider.commands.findings import Finding, Verdict
    from picspider.commands.paging_trial import Unmatched
    from picspider.commands.trial import Trial
    from picspider.config.model import SiteConfig

SHOWN = 3


def told(trial: Trial) -> Iterator[str]:
    """What each rule took, and what the pictures are."""
    for layer in trial.layers:
        yield ""
        counts = ", ".join(str(len(sample.taken)) for sample in layer.samples)
        links = counted(1, "link") if counts == "1" else f"{counts or 'no'} links"
        yield f"Layer {layer.number + 1}   {layer.name}: {links} on {counted(len(layer.samples), 'page')}"
        yield from (f"          {url}" for url in layer.taken[:SHOWN])
        if layer.goes_on is not None:
            yield f"          next page: {layer.goes_on}"
        yield from (f"          FAILED {url}: {failed.message}" for url, failed in layer.failures.items())
    if trial.pictures or trial.failures:
        yield ""
        yield "Pictures  by their first bytes:"
        for url, seen in trial.pictures.items():
            yield f"          {seen.size}  {url}"
            if seen.refused is not None:
                yield f"            a filter refuses it ({seen.refused.reason}): {seen.refused.message}"
        yield from (f"          FAILED {url}: {failed.message}" for url, failed in trial.failures.items())


def verdict(trial: Trial, judged: Verdict, output: Path) -> Iterator[str]:
    """What is wrong, and what helps."""
    for finding in judged.findings:
        yield from _wrong(finding)
    for each in judged.unmatched:
        yield from _goes_on(each)
    if trial.lost:
        first, failed = next(iter(trial.lost.items()))
        share = f"{len(trial.lost)} of {trial.asked} addresses" if trial.asked > 1 else "The only address"
        yield f"FAILED    {share} that {'were' if trial.asked > 1 else 'was'} tried could not be had; see above."
        yield f"          The first: {failure_told(first, failed)}"
    if judged.gone:
        folder, files = OutputFolder(output).pictures, counted(len(judged.gone), "file")
        yield f"MISSING   {files} of the last crawl, gone from {folder}, as {judged.gone[0]}."
        yield f"          To fetch them again: {retry_command(output)}"


def doubts(trial: Trial, config: SiteConfig, judged: Verdict) -> Iterator[str]:
    """What may be meant so, and the last line where nothing is wrong."""
    notes = [*_whole_lists(judged.unmatched), *_refusals(trial), *_always_first(trial, config.pictures.name)]
    yield from notes
    wrong = judged.findings or judged.gone or trial.lost or any(each.onward for each in judged.unmatched)
    if not wrong:
        yield "Nothing else looks wrong." if notes else "Nothing looks wrong."


def _wrong(finding: Finding) -> Iterator[str]:
    yield f"WRONG     layer {finding.layer.number + 1}, {finding.layer.name}: {finding.what}"
    if finding.repair is not None:
        yield f"          Perhaps (by {finding.repair.how}; {finding.repair.learned.confidence:.0%} sure):"
        yield f"          links: '{finding.repair.learned.regex}'"


def _goes_on(each: Unmatched) -> Iterator[str]:
    if each.onward is not None:
        yield f"WRONG     {_matched_nowhere(each)}, but the list on {each.onward.of} goes on:"
        yield f"          {each.onward.guess.why} leads to {each.onward.guess.url}"
        yield f"          with {counted(each.onward.more, 'more link')} of layer {each.onward.layer}. Perhaps:"
        yield f"          next_page: {written(each.onward.guess)}"


def _whole_lists(rules: Sequence[Unmatched]) -> Iterator[str]:
    for each in rules:
        if each.onward is None:
            yield f"NOTE      {_matched_nowhere(each)}. That is right if all lists are on one page."


def _matched_nowhere(each: Unmatched) -> str:
    where = f"none of the {each.pages} pages that were" if each.pages > 1 else "no page; one was"
    return f"{each.key}: {each.written} matched on {where} tried"


def _refusals(trial: Trial) -> Iterator[str]:
    refused = [seen.refused for seen in trial.pictures.values() if seen.refused is not None]
    if refused and len(refused) == len(trial.pictures):
        which = f"all {len(refused)} pictures that were" if len(refused) > 1 else "the one picture that was"
        yield f"NOTE      The filters in `pictures` refuse {which} looked at; see above."


def _always_first(trial: Trial, template: str) -> Iterator[str]:
    counts = [len(sample.taken) for sample in trial.layers[-1].samples]
    by_index = any(field == "index" for _, field, _, _ in Formatter().parse(template))
    if by_index and len(counts) > 1 and set(counts) == {1}:
        yield "NOTE      pictures.name uses {index}, the position of a picture on its page, but each page that was"
        yield "          tried has one picture, so that {index} is 1 for all of them."
