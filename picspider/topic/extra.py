"""The libraries of the extras `topic` and `zh`, loaded when a topic is first used."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from picspider.errors import ConfigError


def needed(module: str) -> ModuleType:
    """The module called *module*. Raises ConfigError, naming the extra, when it is not installed."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise ConfigError(f"a topic needs {module}: pip install 'picspider[topic]'") from error
