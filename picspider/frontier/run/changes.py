"""What of the config has changed since the last run: which layers' rules, the pictures' filters, what is the same URL.

Works on the JSON that is kept with each run: the config's values as far as they were written.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from picspider.config.pictures import Pictures
from picspider.config.urls import Urls
from picspider.filters import Filter, build
from picspider.urls import IdentityRules

LAYER_DEFAULTS: dict[str, Any] = {"exclude": [], "within": None, "source": "links", "rewrite": None}
# Whatever the section holds but for these is a filter's.
NO_FILTERS = ("name", "same_content", "sidecar")
FILTER_DEFAULTS: dict[str, Any] = {
    name: field.default for name, field in Pictures.model_fields.items() if name not in NO_FILTERS
}
NAME_DEFAULT: dict[str, Any] = {"name": Pictures.model_fields["name"].default}
SAME_CONTENT_DEFAULT: dict[str, Any] = {"same_content": Pictures.model_fields["same_content"].default}


@dataclass(frozen=True, slots=True)
class Changes:
    """`layers` are those whose pages have to be read again, as the rule for their links has changed.

    `name`: the template of file names has; `new_entries` and `old_entries` are pages to begin with that were added and
    taken out. Of these three nothing in the table is judged otherwise. `same_content`: the new value, if it is another.
    """

    layers: tuple[int, ...] = ()
    filters: bool = False
    identity: IdentityRules | None = None
    name: bool = False
    new_entries: tuple[str, ...] = ()
    old_entries: tuple[str, ...] = ()
    same_content: str | None = None

    def __bool__(self) -> bool:
        return bool(self.layers or self.filters or self.identity or self.same_content)


def changes_between(before_json: str | None, now_json: str) -> Changes:
    """What differs between the configs of two runs; nothing when there was none before, or it cannot be read."""
    try:
        before, now = json.loads(before_json or "null"), json.loads(now_json)
    except ValueError:
        return Changes()
    if not before:
        return Changes()
    rules = identity_rules(now)
    old, new = before.get("pictures"), now.get("pictures")
    same = _with_defaults(new, SAME_CONTENT_DEFAULT)
    were, are = dict.fromkeys(_entries(before)), dict.fromkeys(_entries(now))
    return Changes(
        layers=_changed_layers(before, now),
        filters=_with_defaults(old, FILTER_DEFAULTS) != _with_defaults(new, FILTER_DEFAULTS),
        identity=rules if rules != identity_rules(before) else None,
        name=_with_defaults(old, NAME_DEFAULT) != _with_defaults(new, NAME_DEFAULT),
        new_entries=tuple(url for url in are if url not in were),
        old_entries=tuple(url for url in were if url not in are),
        same_content=same["same_content"] if same != _with_defaults(old, SAME_CONTENT_DEFAULT) else None,
    )


def filters_of(config_json: str) -> tuple[Filter, ...]:
    """The filters of a config as it is kept with a run."""
    return build(Pictures.model_validate(json.loads(config_json).get("pictures") or {}))


def identity_rules(config: dict[str, Any]) -> IdentityRules:
    """When two URLs are the same, by *config*."""
    return Urls.model_validate(config.get("urls") or {}).rules


def _entries(config: dict[str, Any]) -> tuple[str, ...]:
    entry = config.get("entry") or ()
    return (entry,) if isinstance(entry, str) else tuple(entry)


def _changed_layers(before: dict[str, Any], now: dict[str, Any]) -> tuple[int, ...]:
    old, new = _rules_of(before), _rules_of(now)
    if len(old) != len(new):
        # What was a picture may be a page now, and the other way round: everything is judged anew.
        return tuple(range(max(len(old), len(new))))
    return tuple(layer for layer, pair in enumerate(zip(old, new, strict=True)) if pair[0] != pair[1])


def _rules_of(config: dict[str, Any]) -> list[Any]:
    """For the pages of each layer: the rule that takes their links, and the one that finds their next page."""
    layers = config.get("layers") or []
    general = config.get("next_page")
    rules = []
    for number, layer in enumerate(layers):
        own = layers[number - 1] if number else {}
        # A layer's own null means that there is no next page.
        paging = own.get("next_page", general)
        rules.append(({"links": layer.get("links"), **_with_defaults(layer, LAYER_DEFAULTS)}, paging))
    return rules


def _with_defaults(section: dict[str, Any] | None, defaults: dict[str, Any]) -> dict[str, Any]:
    return {key: (section or {}).get(key, default) for key, default in defaults.items()}
