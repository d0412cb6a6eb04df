"""The benchmark site behind a server that takes its time and counts how many requests it has at once."""

from __future__ import annotations

import asyncio
import mimetypes
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from aiohttp import web


@dataclass
class Counting:
    """What was asked and when (monotonic seconds), in order, and how many requests were there at once at most."""

    base: str = ""
    asked: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0


@contextmanager
def counting_server(www: Path, latency_seconds: float) -> Iterator[Counting]:
    """Serve the files of *www*, each after a while, from a thread of its own."""
    count = Counting()

    async def answer(request: web.Request) -> web.StreamResponse:
        count.asked.append(request.path)
        count.times.append(time.monotonic())
        count.at_once += 1
        count.most_at_once = max(count.most_at_once, count.at_once)
        try:
            await asyncio.sleep(latency_seconds)
            return _file(www, request.path)
        finally:
            count.at_once -= 1

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)

    async def start() -> None:
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        count.base = f"http://127.0.0.1:{runner.addresses[0][1]}"

    asyncio.run_coroutine_threadsafe(start(), loop).result(10)
    try:
        yield count
    finally:
        asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


def _file(www: Path, path: str) -> web.StreamResponse:
    if re.search(r"/full/.*-e5\.", path):
        return web.Response(status=500)
    file = www / (path.lstrip("/") + "index.html" * path.endswith("/"))
    try:
        # From the page cache: a FileResponse costs a thread for each request.
        return web.Response(body=file.read_bytes(), content_type=mimetypes.guess_type(path)[0] or "text/html")
    except OSError:
        return web.Response(status=404)
