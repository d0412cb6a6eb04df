"""`picspider schedule`: hand a config to Scrapyd, as one job or as several workers of one crawl."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any

from picspider.commands.exit_codes import ExitCode
from picspider.commands.scrapyd import Scrapyd
from picspider.config.load import load_any_config
from picspider.config.model import SiteConfig
from picspider.config.secrets import holds_secrets
from picspider.config.source import read_source, shipped_names
from picspider.errors import ConfigError

if TYPE_CHECKING:
    from picspider.config.model import TopicConfig


@dataclass(frozen=True, slots=True)
class Place:
    """Where a crawl runs: on the Scrapyd `nodes`, as `workers` jobs of the deployed `project`; `settings` are those
    of `scrapy crawl -s`.
    """

    nodes: Sequence[str]
    workers: int = 1
    project: str = "picspider"
    settings: Sequence[str] = ()


def schedule(source: str, overrides: Mapping[str, str], place: Place) -> ExitCode:
    """Schedule the config *source* at *place*, its jobs in turn on the nodes; print their ids and logs.

    Raises `PicspiderError` for a wrong config, one that cannot be shared, or a Scrapyd that refuses or is not there.
    """
    config = load_any_config(source, overrides)
    _fit_for_sending(config, place.workers)
    sent = _sent(source)
    servers = [Scrapyd(address) for address in place.nodes]
    for line in _cautions(config, servers, inline=sent != source or "\n" in sent):
        print(f"picspider: {line}", file=sys.stderr)  # noqa: T201 - a word to the user
    arguments = {"config": sent, "output": str(config.output)}
    if overrides:
        arguments["overrides"] = json.dumps(dict(overrides))
    spider = "layered" if isinstance(config, SiteConfig) else "focused"
    for server in islice(cycle(servers), place.workers):
        job = server.schedule(place.project, spider, arguments, place.settings)
        print(f"{job}  {server.log_address(place.project, spider, job)}", flush=True)  # noqa: T201 - the result
    for server in servers[: place.workers]:
        print(f"Jobs  {server.address}/jobs")  # noqa: T201 - as above
    return ExitCode.ok


def _sent(source: str) -> str:
    """*source* as Scrapyd's machine can read it: a shipped name or an address as it is, a file as its text."""
    if source.startswith(("http://", "https://")) or source.removesuffix(".yaml") in shipped_names():
        return source
    text = read_source(source).text
    return text if "\n" in text else f"{text}\n"


def _fit_for_sending(config: SiteConfig | TopicConfig, workers: int) -> None:
    if workers > 1 and (config.store is None or config.store.startswith("sqlite")):
        raise ConfigError(
            f"{workers} workers need a store that they share: write `store: postgresql+psycopg://…` into the config"
        )
    for key, value in _local_files(config):
        raise ConfigError(
            f"{key}: {value} is on this machine, and the crawl runs on Scrapyd's. Write what is in it into the config, "
            "or put both on Scrapyd's machine and schedule it by its path there: curl …/schedule.json -d config=/path."
        )


def _local_files(config: SiteConfig | TopicConfig) -> Iterator[tuple[str, Any]]:
    if isinstance(config.fetch.cookies, str):
        yield "fetch.cookies", config.fetch.cookies
    topic = config.topic
    if topic is not None and topic.file is not None:
        yield "topic.file", topic.file


def _cautions(config: SiteConfig | TopicConfig, servers: Sequence[Scrapyd], *, inline: bool) -> Iterator[str]:
    if not inline or not holds_secrets(config):
        return
    yield (
        "the config may hold secrets (login, cookies, headers, proxy or store). Scrapyd keeps them in its queue, and "
        "shows them in the list of processes of its machine. A password of PostgreSQL may stand in PGPASSFILE there."
    )
    for server in servers:
        if not server.is_private:
            yield f"{server.address}: they are sent unencrypted; use https"
