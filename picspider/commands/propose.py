"""`picspider propose`: a whole commented config from the address of the entry page."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from picspider.commands.exit_codes import ExitCode
from picspider.commands.probing import bare_config, whole_url
from picspider.commands.trial import Trial, tried
from picspider.config.load import load_config
from picspider.errors import ConfigError, Failed, PicspiderError
from picspider.probe.probe import Probe
from picspider.probe.probed import probed
from picspider.propose.plan import propose as proposed
from picspider.propose.yaml_text import yaml_text

PAGES_TRIED = 10  # mostly those that were read already
PICTURES_TRIED = 2


def propose(entry: str, file: Path | None = None) -> ExitCode:
    """Look at the site from *entry* on, and write a config to *file* or to standard output. No picture is downloaded.

    Raises `PicspiderError` when the entry cannot be had, or no pictures are found.
    """
    entry = whole_url(entry)
    if file is not None and file.exists():
        raise ConfigError(f"{file} is there already, and is not overwritten; name another file")
    if file is not None and not file.parent.is_dir():
        raise ConfigError(f"{file}: there is no folder {file.parent}; make it, or name another file")

    text = probed(bare_config(entry), lambda probe: _written(probe, entry))
    if not text:
        raise PicspiderError(f"{entry}: no pictures were found within reach")
    if file is None:
        sys.stdout.write(text)
    else:
        file.write_text(text, encoding="utf-8")
        print(f"Written: {file}. Look at it, then: picspider crawl {file}")  # noqa: T201 - what a person waits for
    return ExitCode.ok


async def _written(probe: Probe, entry: str) -> str:
    """The config for the site, tried on pages of it; empty when there is none."""
    try:
        proposal = await proposed(probe, entry)
    except Failed as failed:
        if failed.reason != "not-a-page":
            raise
        raise ConfigError(f"{entry}: {failed.message}; name a page that shows or links pictures") from failed
    if proposal is None:
        return ""
    output = f"downloads/{urlsplit(entry).hostname or 'site'}"
    trial = await tried(probe, load_config(yaml_text(proposal, output)), PAGES_TRIED, PICTURES_TRIED)
    return yaml_text(proposal, output, tuple(_remarks(trial)))


def _remarks(trial: Trial) -> Iterator[str]:
    """What the simulation of the config found."""
    counts = [
        f"layer {layer.number + 1}: {', '.join(str(len(sample.taken)) for sample in layer.samples) or 'not reached'}"
        for layer in trial.layers
    ]
    yield f"Tried on a few pages, others than it was learned from among them, it took {'; '.join(counts)}."
    for layer in trial.layers:
        if layer.samples and not layer.taken:
            yield f"UNSURE of layer {layer.number + 1}: it took nothing when it was tried."
    for url, measured in trial.pictures.items():
        yield f"First bytes: {measured.size}, {url}"
    for url, failed in trial.failures.items():
        yield f"UNSURE of the pictures: {url}: {failed.message}"
