from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from aiohttp import ClientSession, web

from picspider.commands.running import is_running
from picspider.frontier.store.store import Store
from picspider.output_folder import OutputFolder
from picspider.report.live.app import GUARD, live_app
from tests.crawls.running import ROOT
from tests.report.test_site_tree import made_site

Talk = Callable[[ClientSession, str, str], Awaitable[None]]


@asynccontextmanager
async def live(output: Path) -> AsyncIterator[tuple[ClientSession, str, str, str]]:
    """(client, base URL, address with the token, token for posting) of a live page."""
    store = Store(OutputFolder(output).store_url, create=False)
    app = live_app(store.engine, output, partial(is_running, store))
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    guard = app[GUARD]
    guard.port = runner.addresses[0][1]
    async with ClientSession() as client:
        yield client, f"http://127.0.0.1:{guard.port}", guard.address, guard.post_token
    await runner.cleanup()
    store.close()


@pytest.fixture
def output(tmp_path: Path) -> Path:
    """A crawl with a stored SVG."""
    folder = made_site().write(tmp_path / "out")
    (folder / "pictures").mkdir()
    (folder / "pictures" / "a.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (folder / "secret.txt").write_text("secret")
    return folder


def cookies(address: str, base: str) -> dict[str, str]:
    """The cookie that the address with the token would set."""
    return {"Cookie": f"picspider_{base.rsplit(':', 1)[1]}={address.partition('token=')[2]}"}


def test_only_with_the_token(output: Path) -> None:
    """Without token, or with a wrong one, every path answers 403; the right one becomes a strict cookie."""

    async def talk() -> None:
        async with live(output) as (client, base, address, _):
            for path in ("/", "/api/state", "/api/rows", "/pictures/a.svg", "/?token=wrong", "/nowhere"):
                async with client.get(base + path) as answer:
                    assert answer.status == 403
            async with client.get(address, allow_redirects=False) as answer:
                assert answer.status == 303
                assert "SameSite=Strict" in answer.headers["Set-Cookie"]
                assert "HttpOnly" in answer.headers["Set-Cookie"]

    asyncio.run(talk())


def test_other_host_names_are_refused(output: Path) -> None:
    """A name that was rebound to 127.0.0.1 gets nothing, token or not."""

    async def talk() -> None:
        async with live(output) as (client, base, address, _):
            headers = {**cookies(address, base), "Host": "evil.example"}
            async with client.get(base + "/api/state", headers=headers) as answer:
                assert answer.status == 403

    asyncio.run(talk())


@pytest.mark.parametrize(
    "wrong", [{"X-Picspider-Token": ""}, {"Origin": "https://evil.example"}, {"Content-Type": "text/plain"}]
)
def test_forged_posts_are_refused(output: Path, wrong: dict[str, str]) -> None:
    """A POST needs the page's own token, origin and content type; the right one marks."""

    async def talk() -> None:
        async with live(output) as (client, base, address, token):
            right = {
                **cookies(address, base),
                "X-Picspider-Token": token,
                "Origin": base,
                "Content-Type": "application/json",
            }
            body = b'{"kind": "reason", "value": "http", "on": true}'
            async with client.post(base + "/api/marks", data=body, headers={**right, **wrong}) as answer:
                assert answer.status == 403
            async with client.post(base + "/api/marks", data=body, headers=right) as answer:
                assert [mark["value"] for mark in (await answer.json())["marks"]] == ["http"]

    asyncio.run(talk())


@pytest.mark.parametrize(
    "wish",
    [
        b"{",
        b"[]",
        b'{"kind": "reason", "value": "--config=x"}',
        b'{"kind": "node", "value": "-1"}',
        b'{"kind": "node", "value": "9999"}',
        b'{"kind": "other"}',
    ],
)
def test_senseless_marks_are_refused(output: Path, wish: bytes) -> None:
    """Only known reasons and rows of the crawl can be marked."""

    async def talk() -> None:
        async with live(output) as (client, base, address, token):
            headers = {**cookies(address, base), "X-Picspider-Token": token, "Content-Type": "application/json"}
            async with client.post(base + "/api/marks", data=wish, headers=headers) as answer:
                assert answer.status in (400, 404)

    asyncio.run(talk())


def test_only_pictures_are_handed_out(output: Path) -> None:
    """Nothing outside the pictures folder can be had; a stored SVG may not act on our page."""

    async def talk() -> None:
        async with live(output) as (client, base, address, _):
            headers = cookies(address, base)
            for path in ("/pictures/..%2fsecret.txt", "/pictures/..%2fcrawl.db", "/pictures/%00", "/thumbnails/..%2fx"):
                async with client.get(base + path, headers=headers) as answer:
                    assert answer.status == 404
            async with client.get(base + "/pictures/a.svg", headers=headers) as answer:
                assert answer.status == 200
                assert "sandbox" in answer.headers["Content-Security-Policy"]
                assert answer.headers["X-Content-Type-Options"] == "nosniff"

    asyncio.run(talk())


def test_command_prints_the_address_and_ends_on_interrupt(output: Path) -> None:
    """`picspider serve` says where to look, and Ctrl-C ends it with 0."""
    command = [sys.executable, "-m", "picspider", "serve", str(output)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline().startswith("Open http://127.0.0.1:")
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 0
