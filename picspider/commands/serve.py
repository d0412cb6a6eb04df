"""`picspider serve`: the live page on 127.0.0.1."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from aiohttp import web

from picspider.commands.exit_codes import ExitCode
from picspider.commands.opening import opened_store
from picspider.commands.running import is_running
from picspider.errors import StoreError, in_words
from picspider.report.live.app import GUARD, live_app

if TYPE_CHECKING:
    from picspider.frontier.store.store import Store

HOST = "127.0.0.1"


def serve(output: Path, port: int = 0, *, store: str | None = None) -> ExitCode:
    """Serve until Ctrl-C. Raises `StoreError` when there is no crawl, or the port is taken."""
    with opened_store(output, store) as crawled:
        asyncio.run(_serve(crawled, output.absolute(), port))
    return ExitCode.ok


async def _serve(store: Store, output: Path, port: int) -> None:
    app = live_app(store.engine, output, partial(is_running, store))
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=2.0)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, HOST, port).start()
        except OSError as exc:
            raise StoreError(f"port {port} on {HOST} cannot be used: {in_words(exc)}. Choose another --port.") from exc
        app[GUARD].port = runner.addresses[0][1]
        stop = _interrupted()
        print(f"Open {app[GUARD].address}\nCtrl-C ends it.", flush=True)  # noqa: T201  the token is only told here
        await stop.wait()
    finally:
        await runner.cleanup()


def _interrupted() -> asyncio.Event:
    """Set by Ctrl-C and by a request to end."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # Windows
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop
