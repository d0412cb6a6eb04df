"""`load_config`: from a path, address, name or text to the frozen model, or to a ConfigError that tells all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar
from urllib.parse import urlsplit

from pydantic import ValidationError

from picspider.config.messages import problem_of, refusal
from picspider.config.model import Crawl, SiteConfig, TopicConfig
from picspider.config.overrides import override
from picspider.config.problem import Problem, Refused
from picspider.config.source import Source, read_source
from picspider.config.yaml_tree import Node, read_tree

AnyConfig = TypeVar("AnyConfig", bound=Crawl)
_NO_OVERRIDES: Mapping[str, str] = {}


def load_config(source: str, overrides: Mapping[str, str] = _NO_OVERRIDES) -> SiteConfig:
    """The config of the spider `layered`.

    *source* is a path, an http(s) address, the name of a shipped config, or the YAML text itself; *overrides* are
    dotted keys with YAML values. Raises ConfigError, one line for everything that is wrong.
    """
    return _load(source, overrides, lambda _: SiteConfig)


def load_topic_config(source: str, overrides: Mapping[str, str] = _NO_OVERRIDES) -> TopicConfig:
    """The config of the spider `focused`; the rest as `load_config`."""
    return _load(source, overrides, lambda _: TopicConfig)


def load_any_config(source: str, overrides: Mapping[str, str] = _NO_OVERRIDES) -> SiteConfig | TopicConfig:
    """The config of whichever spider it is written for: `focused` if it has a topic and no layers."""
    return _load(source, overrides, _model_for)


def _load(source: str, overrides: Mapping[str, str], choose: Callable[[Node], type[AnyConfig]]) -> AnyConfig:
    try:
        read = read_source(source)
        root, problems = read_tree(read.text, read.name)
        root = _mapping(root, read)
        override(root, overrides)
    except Refused as refused:
        raise refusal([refused.problem]) from None
    model = choose(root)
    try:
        config = model.model_validate(root.plain(), context={"folder": read.folder})
    except ValidationError as error:
        # `from None`: pydantic's own text would show the values, secrets included
        found = [problem_of(one, root, model, read.name) for one in error.errors(include_url=False)]
        raise refusal([*problems, *found]) from None
    if problems:
        raise refusal(problems)
    return config if config.output else config.model_copy(update={"output": _default_output(config, read)})


def _mapping(root: Node | None, read: Source) -> Node:
    if root is None:
        raise Refused(Problem(read.name, "", "the config is empty", "", "it needs at least entry and layers"))
    if root.children is None or root.is_list:
        kind = "a list" if root.is_list else "a single text"
        raise Refused(
            Problem(
                root.place, "", f"is {kind}, not keys with values", "", "write `entry: …`, with a space after the colon"
            )
        )
    return root


def _model_for(root: Node) -> type[SiteConfig | TopicConfig]:
    keys = root.children or {}
    return TopicConfig if "topic" in keys and "layers" not in keys else SiteConfig


def _default_output(config: Crawl, read: Source) -> str:
    name = read.stem or urlsplit(config.entry[0]).hostname or "site"
    return f"downloads/{name}"
