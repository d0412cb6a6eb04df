"""The pages and pictures of the demo site, with every mishap that a real site has.

`/` and `/page/2` list albums (next link) → `/album/N/` (next link) → `/photo/N.html` → `/full/NAME`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from picspider.demo.pictures import landscape

ALBUMS = ("Coast", "Highlands", "Lakes", "Dunes", "Forest")
PHOTOS_PER_ALBUM = 6
ALBUMS_PER_PAGE = PHOTOS_PER_PAGE = 3

SHELL = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>body{{font:16px sans-serif;margin:2em}}img{{margin:.5em}}</style></head>
<body><img src="/button/home.png" alt=""><h1>{title}</h1>
{body}
</body></html>
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server says to one path."""

    body: bytes
    content_type: str = "text/html; charset=utf-8"


def build_gallery() -> dict[str, Answer]:
    """All answers by path; a path that is missing is a 404."""
    return {**dict(_lists()), **dict(_albums()), **dict(_photos()), **dict(_buttons())}


def _page(title: str, body: str) -> Answer:
    return Answer(SHELL.format(title=escape(title), body=body).encode())


def _lists() -> Iterator[tuple[str, Answer]]:
    for start in range(0, len(ALBUMS), ALBUMS_PER_PAGE):
        number = start // ALBUMS_PER_PAGE + 1
        items = "".join(
            f'<li><a href="/album/{album + 1}/">{name}</a></li>'
            for album, name in enumerate(ALBUMS)
            if start <= album < start + ALBUMS_PER_PAGE
        )
        more = f'<a href="/page/{number + 1}">Next</a>' if start + ALBUMS_PER_PAGE < len(ALBUMS) else ""
        yield "/" if number == 1 else f"/page/{number}", _page("A small gallery", f"<ul>{items}</ul>{more}")


def _albums() -> Iterator[tuple[str, Answer]]:
    for album, name in enumerate(ALBUMS):
        photos = [album * PHOTOS_PER_ALBUM + place for place in range(PHOTOS_PER_ALBUM)]
        pages = [photos[at : at + PHOTOS_PER_PAGE] for at in range(0, len(photos), PHOTOS_PER_PAGE)]
        if album == len(ALBUMS) - 1:
            pages[-1].append(0)  # the very first photo of the site once more: a repeat
        for number, numbers in enumerate(pages, 1):
            links = "".join(
                f'<a href="/photo/{photo}.html"><img src="/thumb/{photo}.jpg" alt="{name} {photo}"></a>'
                for photo in numbers
            )
            more = f'<p><a href="/album/{album + 1}/?page={number + 1}">Next</a></p>' if number < len(pages) else ""
            path = f"/album/{album + 1}/" + ("" if number == 1 else f"?page={number}")
            yield path, _page(name, links + more)


def _photos() -> Iterator[tuple[str, Answer]]:
    for photo in range(len(ALBUMS) * PHOTOS_PER_ALBUM):
        name, picture = _full_size(photo)
        title = f"{ALBUMS[photo // PHOTOS_PER_ALBUM]} {photo % PHOTOS_PER_ALBUM + 1}"
        link = f'<a href="/full/{name}"><img src="/thumb/{photo}.jpg" alt="{title}"></a>'
        yield f"/photo/{photo}.html", _page(title, link)
        yield f"/thumb/{photo}.jpg", Answer(landscape(photo, 96, 64), "image/jpeg")
        if picture is not None:
            yield f"/full/{name}", picture


def _full_size(photo: int) -> tuple[str, Answer | None]:
    """File name and answer of one photo; a few of them are the planned mishaps."""
    if photo == 4:
        return "gone.jpg", None
    if photo == 9:
        return "tiny.jpg", Answer(landscape(photo, 48, 32), "image/jpeg")
    if photo == 14:
        return "cut-short.jpg", Answer(landscape(photo, 640, 420)[:5000], "image/jpeg")
    if photo == 19:
        return "sorry.jpg", _page("Please log in", "<p>No picture without a login.</p>")
    if photo == 22:
        return "copy-of-3.png", _picture(3)
    suffix = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "image/gif": "gif"}
    answer = _picture(photo)
    return f"{photo:02}.{suffix[answer.content_type]}", answer


def _picture(photo: int) -> Answer:
    kind = {3: "PNG", 11: "WEBP", 17: "GIF"}.get(photo, "JPEG")
    return Answer(landscape(photo, 640, 420, kind), f"image/{kind.lower()}")


def _buttons() -> Iterator[tuple[str, Answer]]:
    yield "/button/home.png", Answer(landscape(99, 24, 24, "PNG"), "image/png")
    yield "/robots.txt", Answer(b"User-agent: *\nDisallow:\n", "text/plain")
