from __future__ import annotations

import pytest

from picspider.errors import Failed
from picspider.visit import Note, note_of
from tests.fetch.servers import Writer, header, moved, reply, routes, serving
from tests.fetch.site import Crawl, Engines


def test_follows_all_kinds_with_the_same_note(crawl: Crawl) -> None:
    """Every kind of redirect is followed, and the visit keeps its row and its hops."""

    async def test(engine: Engines) -> None:
        pages = {
            "/a": moved("b"),
            "/b": moved("/c", "301 Moved"),
            "/c": moved("/d", "307 Temporary"),
            "/d": moved("//HOST/e", "308 Permanent"),
            "/e": reply(b"here"),
        }
        async with serving(routes(pages)) as server:
            pages["/d"] = moved(f"//{server.key}/e", "308 Permanent")
            response = await engine().get(f"{server.url}a", Note(id=7, kind="picture"))
            assert response.body == b"here"
            note = note_of(response.request)
            assert note.id == 7
            assert note.redirects == tuple(server.url + path for path in "abcd")
            assert response.request.dont_filter
            assert response.request.meta["redirect_urls"] == list(note.redirects)

    crawl(test)


@pytest.mark.parametrize(
    ("pages", "reason"),
    [
        ({"/": moved("/x"), "/x": moved("/")}, "redirect-loop"),
        ({"/": moved("/")}, "redirect-loop"),
        ({"/": moved("/", **{"Set-Cookie": "a=1"})}, "redirect-loop"),
        ({"/": moved("file:///etc/passwd")}, "scheme"),
        ({"/": moved("data:image/png;base64,xx")}, "scheme"),
        ({"/": moved("http://[::1")}, "bad-url"),
        ({"/": moved("http://localhost:9/login?next=/")}, "login-redirect"),
    ],
)
def test_refused(crawl: Crawl, pages: dict[str, bytes], reason: str | None) -> None:
    """What cannot or must not be followed has its reason."""

    async def test(engine: Engines) -> None:
        async with serving(routes(pages)) as server:
            with pytest.raises(Failed) as info:
                await engine().get(server.url)
            assert info.value.reason == reason
            assert info.value.status == 302

    crawl(test)


def test_endless_redirects(crawl: Crawl) -> None:
    """Redirects that never repeat end too."""

    async def test(engine: Engines) -> None:
        async def answer(head: bytes, writer: Writer) -> None:
            writer.write(moved(head.split(b" ")[1].decode() + "x"))

        async with serving(answer) as server:
            with pytest.raises(Failed) as info:
                await engine().get(server.url)
            assert info.value.reason == "redirect-loop"
            assert len(server.heads) == 21

    crawl(test)


def test_to_itself_with_a_cookie(crawl: Crawl) -> None:
    """A site that sets a cookie and sends the visitor to the same page gets its second request."""

    async def test(engine: Engines) -> None:
        async def answer(head: bytes, writer: Writer) -> None:
            seen = header(head, "Cookie") == "seen=1"
            writer.write(reply(b"in") if seen else moved("/", **{"Set-Cookie": "seen=1; Path=/"}))

        async with serving(answer) as server:
            assert (await engine().get(server.url)).body == b"in"
            assert len(server.heads) == 2

    crawl(test)


def test_secrets_stay_with_their_server(crawl: Crawl) -> None:
    """Authorization, cookies and the entry's own headers do not follow to another server; the Referer does."""

    async def test(engine: Engines) -> None:
        async with serving(routes({"/far": reply(b"far")})) as other:
            target = f"http://localhost:{other.port}/far"
            async with serving(routes({"/": moved(target)})) as server:
                mine = engine(
                    PICSPIDER_ENTRY_HOSTS=[server.key],
                    PICSPIDER_AUTH=("u", "p"),
                    PICSPIDER_COOKIES={"session": "secret"},
                    PICSPIDER_HEADERS={"X-Token": "secret", "Accept-Language": "de"},
                )
                await mine.get(server.url, Note(kind="picture", parent_url=f"{server.url}page"))
                (first,) = server.heads
                (second,) = other.heads
                assert header(first, "Authorization") == "Basic dTpw"
                assert header(first, "Cookie") == "session=secret"
                assert header(first, "X-Token") == "secret"
                for name in ("Authorization", "Cookie", "X-Token"):
                    assert header(second, name) is None
                for head in (first, second):
                    assert header(head, "Referer") == f"{server.url}page"
                    assert header(head, "Accept-Language") == "de"

    crawl(test)


def test_post_becomes_get(crawl: Crawl) -> None:
    """After a 303 the form is not sent again."""

    async def test(engine: Engines) -> None:
        async with serving(routes({"/": moved("/in", "303 See Other"), "/in": reply(b"in")})) as server:
            response = await engine().get(server.url, method="POST", body=b"a=1", headers={"Content-Type": "x/y"})
            assert response.body == b"in"
            assert server.heads[1].startswith(b"GET /in ")
            assert header(server.heads[1], "Content-Type") is None

    crawl(test)


def test_answers_without_location_or_wanted_as_they_are(crawl: Crawl) -> None:
    """A redirect nobody can follow, or that somebody wants to see, is an answer."""

    async def test(engine: Engines) -> None:
        async with serving(routes({"/": reply(b"x", "302 Found"), "/y": moved("/")})) as server:
            assert (await engine().get(server.url)).status == 302
            assert (await engine().get(f"{server.url}y", meta={"dont_redirect": True})).status == 302
            assert (await engine().get(f"{server.url}y", meta={"handle_httpstatus_list": [302]})).status == 302

    crawl(test)
