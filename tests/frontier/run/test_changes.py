from __future__ import annotations

import json
from typing import Any

import pytest

from picspider.frontier.run.changes import Changes, changes_between
from picspider.urls import IdentityRules

CONFIG: dict[str, Any] = {
    "entry": ["http://a/"],
    "layers": [{"links": "/album/"}, {"links": "/photo/"}, {"links": r"\.jpg$"}],
    "next_page": "Next",
}


def changed(**news: Any) -> Changes:
    """What changes from CONFIG to CONFIG with *news*."""
    return changes_between(json.dumps(CONFIG), json.dumps({**CONFIG, **news}))


def test_nothing_changes() -> None:
    """The same config, another name of a layer, a default written out, or no earlier run: nothing to judge anew."""
    assert not changed()
    assert not changed(pictures={"min_width": 0, "max_size": 100_000_000, "name": "{stem}{ext}"})
    assert changed(pictures={"name": "{layer1}/{stem}{ext}"}) == Changes()
    named = [{**layer, "name": "x", "exclude": [], "source": "links"} for layer in CONFIG["layers"]]
    assert not changed(layers=named)
    assert not changes_between(None, json.dumps(CONFIG))
    assert not changes_between("{}", json.dumps(CONFIG))


@pytest.mark.parametrize(
    ("layer", "news", "expected"),
    [
        (1, {"links": "/foto/"}, (1,)),
        (0, {"exclude": ["/album/0$"]}, (0,)),
        (2, {"within": "#main"}, (2,)),
        (0, {"next_page": None}, (1,)),
    ],
)
def test_rule_of_one_layer(layer: int, news: dict[str, Any], expected: tuple[int, ...]) -> None:
    """A changed rule concerns the pages whose links it judges; a layer's own paging those of the layer itself."""
    layers = [dict(rule) for rule in CONFIG["layers"]]
    layers[layer].update(news)
    assert changed(layers=layers) == Changes(layers=expected)


def test_whole_config() -> None:
    """The general paging concerns every layer, and so does another number of layers."""
    assert changed(next_page={"rel": "next"}).layers == (0, 1, 2)
    assert changed(layers=CONFIG["layers"][:2]).layers == (0, 1, 2)


def test_filters_and_identity() -> None:
    """Changed filters and changed rules for the same URL are told apart from the layers' rules."""
    assert changed(pictures={"min_width": 500}) == Changes(filters=True)
    rules = IdentityRules(("sid",), strip_trailing_slash=True)
    assert changed(urls={"ignore_parameters": ["sid"]}) == Changes(identity=rules)


def test_same_content() -> None:
    """Another way with the same bytes is a change; the default written out is none."""
    assert changed(pictures={"same_content": "keep"}) == Changes(same_content="keep")
    assert changed(pictures={"same_content": "keep"})
    assert not changed(pictures={"same_content": "once"})


def test_names_and_entries() -> None:
    """Another template and other entries are named, but have nothing judged anew."""
    assert changed(pictures={"name": "{stem}{ext}"}) == Changes(name=True)
    entries = changed(entry=["http://b/", "http://c/"])
    assert entries == Changes(new_entries=("http://b/", "http://c/"), old_entries=("http://a/",))
    assert not entries
