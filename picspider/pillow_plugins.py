"""Pillow taught the formats that it has no reader for, where the extras with their plugins are installed."""

from __future__ import annotations

import importlib
from contextlib import suppress
from functools import cache

PLUGINS = ("pillow_heif", "pillow_jxl")


@cache
def load_plugin(module: str) -> None:
    """Importing pillow_jxl is enough, pillow_heif wants to be told. Raises ImportError when it is not installed."""
    plugin = importlib.import_module(module)
    if hasattr(plugin, "register_heif_opener"):
        plugin.register_heif_opener()


@cache
def load_plugins() -> None:
    """All that are installed."""
    for module in PLUGINS:
        with suppress(ImportError):
            load_plugin(module)
