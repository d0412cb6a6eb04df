from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

import pytest

from picspider.errors import ConfigError
from picspider.fetch.middlewares.browser_cookies import from_browser
from tests.conftest import need
from tests.fetch.servers import fixed, header, reply, serving
from tests.fetch.site import Crawl, Engines

COOKIES = [
    ("127.0.0.1", "/", "session", "42"),
    (".gallery.example", "/", "all", "1"),
    ("www.gallery.example", "/", "www", "2"),
    ("shop.gallery.example", "/", "shop", "3"),
    ("bank.example", "/", "secret", "4"),
    ("notgallery.example", "/", "other", "5"),
]


@pytest.fixture(autouse=True)
def _library() -> None:
    try:
        import browser_cookie3  # noqa: F401, PLC0415 - an extra
    except ImportError:
        need(None, "cookies of browsers need the extra: pip install 'picspider[browser]'")


@pytest.fixture
def profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder with a Firefox profile, laid out and filled as Firefox does."""
    if not sys.platform.startswith("linux"):
        need(None, "the profile is laid out as on Linux")
    folder = tmp_path / ".mozilla/firefox/abc.default"
    folder.mkdir(parents=True)
    (folder.parent / "profiles.ini").write_text("[Profile0]\nName=default\nIsRelative=1\nPath=abc.default\nDefault=1\n")
    file = folder / "cookies.sqlite"
    database = sqlite3.connect(file)
    database.execute(
        "CREATE TABLE moz_cookies (id INTEGER PRIMARY KEY, name TEXT, value TEXT, host TEXT, path TEXT, "
        "expiry INTEGER, isSecure INTEGER, isHttpOnly INTEGER)"
    )
    database.executemany(
        "INSERT INTO moz_cookies (host, path, name, value, expiry, isSecure, isHttpOnly) VALUES (?, ?, ?, ?, ?, 0, 0)",
        [(*cookie, 4_000_000_000) for cookie in COOKIES],
    )
    database.commit()
    database.close()
    monkeypatch.setenv("HOME", str(tmp_path))
    return file


def test_only_cookies_of_the_entry_are_taken(profile: Path) -> None:
    """Those of the host and of the domains above it; none of its neighbours, none of other sites."""
    found = from_browser("browser:firefox", ["www.gallery.example:443"])
    assert {cookie.name: cookie.value for cookie in found} == {"all": "1", "www": "2"}
    named = from_browser(f"browser:firefox:{profile}", ["www.gallery.example:443"])
    assert len(named) == 2


def test_they_go_with_the_requests(crawl: Crawl, profile: Path) -> None:
    """The session of the browser is the session of the crawl."""

    async def test(engine: Engines) -> None:
        async with serving(fixed(reply(b"x"))) as server:
            mine = engine(PICSPIDER_COOKIES="browser:firefox", PICSPIDER_ENTRY_HOSTS=[server.key])
            await mine.get(server.url)
            assert header(server.heads[0], "Cookie") == "session=42"

    crawl(test)


def test_a_browser_that_is_not_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line that names the key."""
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(ConfigError, match=r"fetch\.cookies: the cookies of firefox cannot be read"):
        from_browser("browser:firefox", ["gallery.example:443"])
