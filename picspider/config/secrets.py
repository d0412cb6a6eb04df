"""What of a config is secret: the fields that the model leaves out of its `repr`. Nothing else says so."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from picspider.config.keys import every_key, sections_in
from picspider.config.model import SiteConfig, TopicConfig
from picspider.config.section import Section
from picspider.errors import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pydantic import BaseModel
    from pydantic.fields import FieldInfo

# Of keys that there are not.
_NAMED_LIKE_ONE = re.compile(r"pass|pwd|secret|token|cookie|auth|session|credential|api_?key", re.IGNORECASE)
_NAMES = re.compile(r"[^.\[\]]+")
_MODELS: tuple[type[BaseModel], ...] = (SiteConfig, TopicConfig)


def is_secret(key: str) -> bool:
    """Whether the value of the dotted *key* must not be shown.

    So are what a secret field holds, a section with such a field in it, and an unknown key that is named like one.
    """
    sections: list[type[BaseModel]] = [*_MODELS]
    for name in _NAMES.findall(key):
        if name.isdigit():
            continue
        fields = [field for known, field in _fields(sections) if name in (known, field.alias)]
        if not fields:
            return _is_like_a_secret(name)
        sections = [inner for field in fields for inner in sections_in(field.annotation)]
        if not sections:
            return not all(field.repr for field in fields)
    return any(True for _ in _secret_fields(sections))


def holds_secrets(config: Section) -> bool:
    """Whether a secret is written in *config*, so that its text must not be kept."""
    for name, field in type(config).model_fields.items():
        value = getattr(config, name)
        if holds_secrets(value) if isinstance(value, Section) else value and not field.repr:
            return True
    return False


def secret_keys() -> frozenset[str]:
    """The outermost keys of a config that may hold secrets: what is left out where a config is kept."""
    return frozenset(name for name, _ in _fields(_MODELS) if is_secret(name))


def _fields(sections: Iterable[type[BaseModel]]) -> Iterator[tuple[str, FieldInfo]]:
    for section in sections:
        yield from section.model_fields.items()


def _secret_fields(sections: Iterable[type[BaseModel]]) -> Iterator[str]:
    for name, field in _fields(sections):
        inner = sections_in(field.annotation)
        if inner:
            yield from _secret_fields(inner)
        elif not field.repr:
            yield name


def _is_like_a_secret(name: str) -> bool:
    return _NAMED_LIKE_ONE.search(name) is not None or nearest(name, every_key(_MODELS)) in set(_secret_fields(_MODELS))
