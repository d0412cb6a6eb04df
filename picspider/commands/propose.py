"""`picspider propose`: a whole commented config from the address of the entry page."""

from __future__ import annotations

import sys
from pathlib import Path
from urllib.parse import urlsplit

from picspider.commands.exit_codes import ExitCode
from picspider.commands.probing import bare_config, whole_url
from picspider.config.load import load_config
from picspider.errors import ConfigError, PicspiderError
from picspider.propose.plan import Proposal
from picspider.propose.plan import propose as proposed
from picspider.propose.yaml_text import yaml_text
from picspider.spiders.probe import Probe, probed


def propose(entry: str, file: Path | None = None) -> ExitCode:
    """Look at the site from *entry* on, and write a config to *file* or to standard output. Nothing is downloaded.

    Raises `PicspiderError` when the entry cannot be had, or no pictures are found.
    """
    entry = whole_url(entry)
    if file is not None and file.exists():
        raise ConfigError(f"{file}: is there already; name another file")

    async def plan(probe: Probe) -> tuple[Proposal | None, str]:
        proposal = await proposed(probe, entry)
        return proposal, "" if proposal is None else yaml_text(proposal, _output(entry))

    proposal, text = probed(bare_config(entry), plan)
    if proposal is None:
        raise PicspiderError(
            f"{entry}: no pictures were found within reach"
        )
    load_config(text)
    if file is None:
        sys.stdout.write(text)
    else:
        file.write_text(text, encoding="utf-8")
        print(f"Written: {file}. Look at it, then: picspider crawl {file}")  # noqa: T201 - what a person waits for
    return ExitCode.ok


def _output(entry: str) -> str:
    return f"downloads/{urlsplit(entry).hostname or 'site'}"
