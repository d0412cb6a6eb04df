"""The config of the newest run, as the store keeps it: what was written in it, without secrets."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from picspider.schema import run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection


def newest_config_json(connection: Connection) -> str | None:
    """Its text; None before the first run."""
    return connection.scalar(select(run.c.config).order_by(run.c.id.desc()).limit(1))


def newest_config(connection: Connection) -> dict[str, Any]:
    """The same read; empty before the first run, and after one of another spider."""
    config = json.loads(newest_config_json(connection) or "{}")
    return config if isinstance(config, dict) else {}


def layer_names(config: dict[str, Any]) -> tuple[str, ...]:
    """Names of layers 1, 2, … in such a *config*; none in one without layers."""
    return tuple(layer["name"] for layer in config.get("layers") or ())


def name_of_layer(layer: int, names: Sequence[str]) -> str:
    """What *layer* is called; `names[k]` is the name of layer k + 1. Without one it has its number for a name."""
    if layer <= 0:
        return "entry"
    return names[layer - 1] if layer <= len(names) else f"layer-{layer}"
