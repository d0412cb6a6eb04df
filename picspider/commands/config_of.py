"""The config that made an output folder."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from picspider.errors import StoreError
from picspider.kept_config import newest_config
from picspider.settings_bridge import output_folder_at
from picspider.spiders.beginning import MadeBy, made_by

if TYPE_CHECKING:
    from pathlib import Path

    from picspider.frontier.store.store import Store


def config_of(store: Store, output: Path, config: str | None) -> MadeBy:
    """How the crawl in *output* was made; *config* wins. Raises `StoreError` when that was not kept."""
    if config is not None:
        return MadeBy(config, {"output": str(output)})
    kept = made_by(store)
    if kept is None:
        raise StoreError(f"{output}: the config of this crawl is not known here. Name it with --config.")
    return replace(kept, overrides={**kept.overrides, "output": _place(store, output)})


def _place(store: Store, output: Path) -> str:
    """The `output` that has state in *output* and pictures where they were: an address stays one."""
    with store.transaction() as connection:
        place = str(newest_config(connection).get("output"))
    if "://" not in place:
        return str(output)
    folder = output_folder_at(place)
    if folder != output.absolute():
        raise StoreError(
            f"{output}: the pictures of this crawl are in {place}, and its state belongs into {folder}. "
            "Call this from the folder that the crawl was started in."
        )
    return place
