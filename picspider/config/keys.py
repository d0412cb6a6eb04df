"""The keys that the model knows at each place, for saying which one was meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import get_args

from pydantic import BaseModel

from picspider.errors import nearest

Location = Sequence[str | int]


def nearest_key(model: type[BaseModel], location: Location) -> str:
    """Advice about the unknown key at *location*: the nearest right one, or where it belongs, or what is known."""
    name, known = str(location[-1]), keys_at(model, location[:-1])
    if elsewhere := next((path for path, section in _sections(model) if name in keys_of(section)), None):
        return f"it belongs into {elsewhere}"
    if near := nearest(name.replace("-", "_"), known):
        return f"did you mean {near}?"
    every = {key: path for path, section in reversed(list(_sections(model))) for key in keys_of(section)}
    if near := nearest(name, every, 0.8):  # among so many, something is always half like it
        return f"did you mean {near} in {every[near]}?"
    return f"known here: {', '.join(known)}" if known else "remove it"


def keys_at(model: type[BaseModel], location: Location) -> list[str]:
    """The keys known in the section at *location*; empty when there is no section."""
    sections = [model]
    for part in location:
        if not isinstance(part, int):
            sections = [inner for section in sections for inner in sections_in(_annotation(section, part))]
    return list(dict.fromkeys(key for section in sections for key in keys_of(section)))


def keys_of(section: type[BaseModel]) -> list[str]:
    """The keys of a section, as they are written."""
    return [field.alias or name for name, field in section.model_fields.items()]


def every_key(models: Iterable[type[BaseModel]]) -> set[str]:
    """All keys of *models*, of whatever section."""
    return {
        key
        for model in models
        for section in (model, *(one for _, one in _sections(model)))
        for key in keys_of(section)
    }


def sections_in(annotation: object) -> list[type[BaseModel]]:
    """The sections that an annotation speaks of, inside unions, lists and so on."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [section for part in get_args(annotation) for section in sections_in(part)]


def _annotation(section: type[BaseModel], key: str) -> object:
    fields = section.model_fields.items()
    return next((field.annotation for name, field in fields if key in (name, field.alias)), None)


def _sections(section: type[BaseModel], path: str = "") -> Iterator[tuple[str, type[BaseModel]]]:
    """Every section but the outermost, with its dotted path."""
    for name, field in section.model_fields.items():
        for inner in sections_in(field.annotation):
            below = f"{path}.{field.alias or name}".removeprefix(".")
            yield below, inner
            yield from _sections(inner, below)
