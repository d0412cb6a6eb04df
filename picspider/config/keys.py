"""The keys that the model knows at each place, for saying which one was meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, get_args

from picspider.config.section import Section


def keys_at(model: type[Section], location: Sequence[str | int]) -> list[str]:
    """The keys known in the section at *location*; empty when there is no section."""
    sections = [model]
    for part in location:
        if not isinstance(part, int):
            sections = [inner for section in sections for inner in sections_in(_annotation(section, part))]
    return list(dict.fromkeys(key for section in sections for key in keys_of(section)))


def places_of(model: type[Section], name: str) -> list[str]:
    """Where else the key *name* is known: 'pictures', 'fetch.auth' …"""
    return [path for path, section in _walk(model, "") if path and name in keys_of(section)]


def keys_of(section: type[Any]) -> list[str]:
    """The keys of a section, as they are written."""
    return [field.alias or name for name, field in section.model_fields.items()]


def sections_in(annotation: Any) -> list[type[Any]]:
    """The sections that an annotation speaks of, inside unions, lists and so on."""
    if isinstance(annotation, type) and hasattr(annotation, "model_fields"):
        return [annotation]
    return [section for part in get_args(annotation) for section in sections_in(part)]


def _annotation(section: type[Any], key: str) -> Any:
    fields = section.model_fields.items()
    return next((field.annotation for name, field in fields if key in (name, field.alias)), None)


def _walk(section: type[Any], path: str) -> Iterator[tuple[str, type[Any]]]:
    yield path, section
    for name, field in section.model_fields.items():
        for inner in sections_in(field.annotation):
            yield from _walk(inner, f"{path}.{field.alias or name}".removeprefix("."))
