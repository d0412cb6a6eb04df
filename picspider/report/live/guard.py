"""Who may ask the live page, and what its answers may do in a browser."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # What sets none of its own is no page: a stored SVG that is opened by itself runs nothing.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
}


@dataclass(slots=True)
class Guard:
    """Lets only that browser in that was given the address with the token.

    Against DNS rebinding only our own names are answered (Host); against forged requests a POST needs a second token,
    which only our page knows, in a header that no foreign form can set, and our own Origin.
    """

    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    post_token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    port: int = 0

    @property
    def cookie(self) -> str:
        """Name of the cookie; ports of one host share their cookies."""
        return f"picspider_{self.port}"

    @property
    def address(self) -> str:
        """What the user opens."""
        return f"http://127.0.0.1:{self.port}/?token={self.token}"

    @web.middleware
    async def check(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse with 403, or answer with safe headers."""
        refusal = self._refusal(request)
        if refusal is not None:
            response: web.StreamResponse = web.Response(status=403, text=refusal)
        elif "token" in request.query:
            response = web.Response(status=303, headers={"Location": "/"})
            response.set_cookie(self.cookie, self.token, httponly=True, samesite="Strict", path="/")
        else:
            try:
                response = await handler(request)
            except web.HTTPException as exc:
                response = web.Response(status=exc.status, text=exc.text)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    def _refusal(self, request: web.Request) -> str | None:
        names = (f"127.0.0.1:{self.port}", f"localhost:{self.port}")
        if request.headers.get("Host", "") not in names:
            return "This address is not mine. Open the one that picspider serve printed."
        given = request.query.get("token") or request.cookies.get(self.cookie, "")
        if not _same(given, self.token):
            return "The token is missing or wrong. Open the address that picspider serve printed."
        if request.method not in ("GET", "HEAD") and not self._is_ours(request, names):
            return "Only the page itself may do that. Reload it."
        return None

    def _is_ours(self, request: web.Request, names: tuple[str, ...]) -> bool:
        origin = request.headers.get("Origin")
        return (
            _same(request.headers.get("X-Picspider-Token", ""), self.post_token)
            and origin in {None, *(f"http://{name}" for name in names)}
            and request.content_type == "application/json"
        )


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())
