"""`picspider explain`: which rule takes or refuses a URL, and why."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from picspider.commands.exit_codes import ExitCode
from picspider.commands.opening import store_if_any
from picspider.commands.probing import whole_url
from picspider.config.load import load_any_config
from picspider.config.model import SiteConfig
from picspider.errors import ConfigError
from picspider.explain.explanation import explain_url
from picspider.explain.wording import words

if TYPE_CHECKING:
    from collections.abc import Mapping


def explain(
    source: str, url: str, *, on: str | None = None, overrides: Mapping[str, str], as_json: bool = False
) -> ExitCode:
    """Print what the config *source* says of *url*, as a link on the page *on* if that is named (it is fetched).

    Raises `PicspiderError` for a wrong config, a URL that is none, or a store that cannot be read.
    """
    config = load_any_config(source, overrides)
    if not isinstance(config, SiteConfig):
        raise ConfigError(f"{source}: explain is for configs with layers; this one follows a topic")
    address, page = whole_url(url), None if on is None else whole_url(on)
    with store_if_any(config) as store:
        told = explain_url(config, address, page, None if store is None else store.connection)
    if as_json:
        print(json.dumps(asdict(told), ensure_ascii=False, indent=2))  # noqa: T201 - its purpose
    else:
        print("\n".join(words(told)))  # noqa: T201 - what this command is for
    return ExitCode.ok
