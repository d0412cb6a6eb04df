from __future__ import annotations

import json
from contextlib import suppress
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from picspider.config.entries import expand
from picspider.config.load import load_any_config
from picspider.config.model import Order, SiteConfig
from picspider.config.name_template import NAME_FIELDS, checked_template
from picspider.errors import ConfigError
from picspider.frontier.turn.orders import ORDERS
from picspider.paging import RelPaging, TextPaging
from picspider.pictures.file_names import FIELDS

ENTRY = "https://gallery.example/"


def site(**keys: object) -> SiteConfig:
    """A config with two layers."""
    return SiteConfig.model_validate({"entry": ENTRY, "layers": ["/album/", r"\.jpg$"], **keys})


def test_defaults_are_the_contracts() -> None:
    """What is not written is as the contract says."""
    config = site()
    assert (config.order, config.next_page, config.store, config.output) == ("breadth", None, None, None)
    assert (config.fetch.delay, config.fetch.concurrency, config.fetch.per_host, config.fetch.timeout) == (0, 16, 8, 30)
    assert (config.fetch.retries, config.fetch.obey_robots, config.fetch.user_agent) == (3, True, "browser")
    assert (config.fetch.referer, config.fetch.render, config.fetch.allow_private_addresses) == ("parent", False, False)
    assert (config.pictures.max_size, config.pictures.name) == (100_000_000, "{layer1}/{stem}{ext}")
    assert (config.pictures.same_content, config.pictures.sidecar, config.pictures.formats) == ("once", False, None)
    assert (config.urls.ignore_parameters, config.urls.strip_trailing_slash) == ((), True)
    assert [layer.name for layer in config.layers] == ["layer-1", "picture"]


def test_an_absent_next_page_is_the_general_one_and_null_is_none() -> None:
    """Each layer may have its own rule, or none."""
    layers = [{"links": "a"}, {"links": "b", "next_page": None}, {"links": "c", "next_page": {"rel": "next"}}, "d"]
    config = site(layers=layers, next_page="Next")
    assert config.paging_of(0) == config.paging_of(1) == TextPaging(text="Next")
    assert config.paging_of(2) is None
    assert config.paging_of(3) == RelPaging(rel="next")


def test_patterns_on_the_page_source_are_known_by_their_beginning() -> None:
    """As in the thesis: href= and src= speak of the source."""
    config = site(layers=['href="(/a/[^"]+)"', {"links": "/b/", "source": "page"}, "/c/", '(?i)href="/d', "SRC=/e"])
    assert [layer.searches_source for layer in config.layers] == [True, True, False, True, True]


def test_orders_are_those_of_the_frontier() -> None:
    """The config takes the orders that there are, and no other."""
    assert set(get_args(Order)) == set(ORDERS)


def test_a_rewrite_turns_thumbnails_into_pictures() -> None:
    """Groups of `from` may stand in `to`."""
    layer = site(layers=[{"links": "x", "rewrite": {"from": r"/t/(\d+)_s", "to": r"/full/\1"}}]).layers[0]
    assert layer.rewrite is not None
    assert layer.rewrite.apply("http://h/t/12_s.jpg") == "http://h/full/12.jpg"


@pytest.mark.parametrize(
    ("written", "size_bytes"),
    [
        (10, 10),
        ("10", 10),
        ("10kB", 10_000),
        ("10 KB", 10_000),
        ("1.5MB", 1_500_000),
        ("2GiB", 2 << 30),
        ("3M", 3_000_000),
    ],
)
def test_sizes_take_units(written: object, size_bytes: int) -> None:
    """A kB is 1000 bytes, a KiB 1024."""
    assert site(pictures={"max_size": written}).pictures.max_size == size_bytes


@pytest.mark.parametrize(
    ("pattern", "expanded"),
    [
        ("p{1..3}", ["p1", "p2", "p3"]),
        ("p{008..010}", ["p008", "p009", "p010"]),
        ("p{0..90..45}", ["p0", "p45", "p90"]),
        ("p{3..1}", ["p3", "p2", "p1"]),
        ("{1..2}/{1..2}", ["1/1", "1/2", "2/1", "2/2"]),
        ("p{a..b}", ["p{a..b}"]),
        ("{-1..1}", ["-1", "0", "1"]),
    ],
)
def test_entries_expand(pattern: str, expanded: list[str]) -> None:
    """Ranges count up or down, by steps, with leading zeros; other braces stay."""
    assert list(expand(pattern)) == expanded


def test_the_model_is_frozen_and_hides_secrets() -> None:
    """Nothing changes after loading, and a log line with the config shows no password."""
    secrets = {
        "auth": {"user": "bob", "password": "hunter2"},
        "cookies": {"s": "hunter2"},
        "proxy": "http://u:hunter2@h",
    }
    config = site(fetch=secrets, store="postgresql://u:hunter2@h/d")
    assert "hunter2" not in repr(config)
    with pytest.raises(ValidationError):
        config.order = "depth"  # type: ignore[misc] # the point of the test


def test_name_fields_are_those_that_are_filled_in() -> None:
    """The config accepts what the pictures' room can fill in, and nothing else."""
    assert set(NAME_FIELDS) == {*FIELDS, "layerN", "pathN"}
    for name in NAME_FIELDS:
        template = f"a/{{{name.replace('N', '1')}}}"
        assert checked_template(template) == template


def test_numbers_are_texts_in_headers_cookies_and_passwords() -> None:
    """`DNT: 1` needs no quotes."""
    fetch = site(fetch={"headers": {"DNT": 1}, "cookies": {"id": 7}, "auth": {"user": "u", "password": 12}}).fetch
    assert (fetch.headers, fetch.cookies) == ({"DNT": "1"}, {"id": "7"})
    assert fetch.auth is not None
    assert fetch.auth.password == "12"


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
_KEYS = st.sampled_from([*SiteConfig.model_fields, "nonsense"])


@given(st.text(max_size=200))
def test_any_text_loads_or_is_refused(text: str) -> None:
    """No text makes anything but a config or a ConfigError."""
    with suppress(ConfigError):
        load_any_config("\n" + text)


@given(st.dictionaries(_KEYS, _VALUES, max_size=6))
def test_any_values_load_or_are_refused(values: dict[str, object]) -> None:
    """The same for values of every kind under the right keys."""
    with suppress(ConfigError):
        load_any_config("\n" + json.dumps(values))


@pytest.mark.parametrize("key", ["<x", "<text>", '""', "fetch.<names>"])
def test_keys_that_look_like_none(key: str) -> None:
    """An unknown key is told as it stands, whatever it looks like."""
    with pytest.raises(ConfigError, match="unknown key"):
        load_any_config(f"entry: http://h/\nlayers: [x]\n{key}: 1\n")


def test_a_password_in_the_entry_is_refused() -> None:
    """It would end up in every feed and report; the place for it is told, and it is not shown."""
    with pytest.raises(ConfigError, match=r"fetch: \{auth") as refused:
        load_any_config("entry: http://me:secret@h.example/\nlayers: [x]\n")
    assert "secret@" not in str(refused.value)
