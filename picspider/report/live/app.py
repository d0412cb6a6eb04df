"""The live page as an aiohttp application: its routes and nothing else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aiohttp import web

from picspider.failures import REASONS
from picspider.output_folder import OutputFolder
from picspider.report.live.crawl_view import CrawlView
from picspider.report.live.guard import Guard
from picspider.report.live.retries import Mark, Retries
from picspider.report.page import policy, render
from picspider.report.retry_command import retry_command

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection, Engine

GUARD: web.AppKey[Guard] = web.AppKey("guard", Guard)
# Anything else that lies among the pictures is handed out as bytes to be saved.
TYPES = {
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".png": "image/png",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".bmp": "image/bmp",
    ".ico": "image/x-icon",
    ".svg": "image/svg+xml",
    ".tif": "image/tiff",
    ".tiff": "image/tiff",
    ".jxl": "image/jxl",
    ".heic": "image/heic",
}
_THUMBNAIL = re.compile(r"[0-9a-f]{2}/([0-9a-f]{16})\.webp")


def live_app(engine: Engine, output: Path, is_running: Callable[[Connection], bool]) -> web.Application:
    """The application for the crawl in *output*, whose store *engine* reaches. Its guard is `app[GUARD]`."""
    guard = Guard()
    pages = _Pages(CrawlView(engine, output, is_running), Retries(output), guard)
    app = web.Application(middlewares=[guard.check], client_max_size=65536)
    app[GUARD] = guard
    app.router.add_get("/", pages.page)
    app.router.add_get("/api/state", pages.state)
    app.router.add_get("/api/rows", pages.rows)
    app.router.add_post("/api/marks", pages.mark)
    app.router.add_post("/api/retry", pages.retry)
    app.router.add_get("/thumbnails/{name:.+}", pages.thumbnail)
    app.router.add_get("/pictures/{file:.+}", pages.picture)
    app.on_shutdown.append(pages.close)
    return app


class _Pages:
    """One method a route."""

    def __init__(self, crawl: CrawlView, retries: Retries, guard: Guard) -> None:
        self._crawl = crawl
        self._retries = retries
        self._guard = guard

    async def page(self, _request: web.Request) -> web.Response:
        look = await self._crawl.look()
        facts = {
            "summary": look.summary,
            "suspects": look.suspects,
            "audited": not look.running,
            "retry": retry_command(self._crawl.output),
            "live": True,
            "token": self._guard.post_token,
        }
        headers = {"Content-Security-Policy": f"{policy(live=True)}; frame-ancestors 'none'"}
        return web.Response(text="".join(render(facts, ())), content_type="text/html", headers=headers)

    async def state(self, _request: web.Request) -> web.Response:
        look = await self._crawl.look()
        running = look.running or self._retries.running
        counts = {"summary": look.summary, "suspects": look.suspects, "running": running, "version": look.version}
        return web.json_response({**counts, **self._retries.to_dict()})

    async def rows(self, _request: web.Request) -> web.Response:
        return web.Response(body=await self._crawl.rows(), content_type="application/octet-stream")

    async def mark(self, request: web.Request) -> web.Response:
        wish = await _json(request)
        kind, value, on = wish.get("kind"), str(wish.get("value", "")), bool(wish.get("on"))
        if kind == "all" and not on:
            self._retries.clear()
        elif kind == "reason" and value in REASONS:
            self._retries.mark(Mark("reason", value), on=on)
        elif kind == "node" and value.isdecimal() and len(value) < 19:
            url = await self._crawl.url_of(int(value))
            if url is None:
                raise web.HTTPNotFound(text="There is no such row.")
            self._retries.mark(Mark("node", value, url), on=on)
        else:
            raise web.HTTPBadRequest(text="That cannot be marked.")
        return await self.state(request)

    async def retry(self, request: web.Request) -> web.Response:
        if not self._retries.start():
            raise web.HTTPConflict(text="Nothing is marked, or a retry is under way.")
        return await self.state(request)

    async def thumbnail(self, request: web.Request) -> web.StreamResponse:
        name = _THUMBNAIL.fullmatch(request.match_info["name"])
        path = await self._crawl.thumbnail(name[1]) if name else None
        if path is None:
            raise web.HTTPNotFound
        return web.FileResponse(path, headers={"Content-Type": "image/webp", "Cache-Control": "private, max-age=3600"})

    async def picture(self, request: web.Request) -> web.StreamResponse:
        root = (OutputFolder(self._crawl.output).pictures).resolve()
        try:
            path = (root / request.match_info["file"]).resolve()
        except (OSError, ValueError):
            raise web.HTTPNotFound from None
        if not path.is_relative_to(root) or not path.is_file():
            raise web.HTTPNotFound
        kind = TYPES.get(path.suffix.lower())
        if kind is None:
            return web.FileResponse(
                path, headers={"Content-Type": "application/octet-stream", "Content-Disposition": "attachment"}
            )
        return web.FileResponse(path, headers={"Content-Type": kind})

    async def close(self, _app: web.Application) -> None:
        await self._retries.close()
        self._crawl.close()


async def _json(request: web.Request) -> dict[str, Any]:
    try:
        wish = await request.json()
    except ValueError:
        raise web.HTTPBadRequest(text="This is no JSON.") from None
    if not isinstance(wish, dict):
        raise web.HTTPBadRequest(text="This is no JSON object.")
    return wish
