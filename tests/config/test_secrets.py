from __future__ import annotations

import pytest

from picspider.config.load import load_config
from picspider.config.secrets import holds_secrets, is_secret, secret_keys

CONFIG = "entry: https://gallery.example/\nlayers: [x]\n"


@pytest.mark.parametrize(
    "key",
    [
        "fetch",
        "fetch.login",
        "fetch.login.fields",
        "fetch.login.fields.p",
        "fetch.auth",
        "fetch.auth.user",
        "fetch.auth.password",
        "fetch.cookies",
        "fetch.cookies.session",
        "fetch.headers.X-Key",
        "fetch.proxy",
        "store",
        "fetch.pasword",
        "fetch.cokies",
        "fetch.hedaers.X",
        "prox",
        "layers[0].api_key",
    ],
)
def test_secret_keys(key: str) -> None:
    """Secret are the fields of secrets, what is in them, what holds them, and their names misspelt."""
    assert is_secret(key)


@pytest.mark.parametrize(
    "key", ["entry[0]", "layers[0].links", "fetch.delay", "fetch.dely", "fetch.login.page", "next_page.text", "layres"]
)
def test_keys_that_are_no_secret(key: str) -> None:
    """Anything else may be shown, so that a message can name what is wrong."""
    assert not is_secret(key)


@pytest.mark.parametrize(
    "key",
    [
        "fetch.auth={user: u}",
        "fetch.login={page: 'https://g.example/', fields: {p: x}}",
        "fetch.cookies={a: b}",
        "fetch.headers={A: b}",
        "fetch.proxy=http://p.example:1",
        "store=sqlite:///x.db",
    ],
)
def test_configs_that_hold_secrets(key: str) -> None:
    """Each secret field that is written makes the config's text one that is not kept; no other field does."""
    name, _, value = key.partition("=")
    assert holds_secrets(load_config(CONFIG, {name: value}))
    assert not holds_secrets(load_config(CONFIG, {"fetch.delay": "2", "output": "o"}))


def test_what_is_left_out_where_configs_are_kept() -> None:
    """The sections with secrets are left out as a whole."""
    assert secret_keys() == {"fetch", "store"}
