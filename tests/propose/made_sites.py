"""Sites made to mislead: one full of decoys, one whose links stand in its scripts, some with no structure at all."""

from __future__ import annotations

import json

from tests.sites.site import Site

GALLERIES = ("harbour", "market", "old-town", "forest", "castle", "bridge", "station", "museum")
TAGS = ("water", "people", "night", "stone", "red", "winter", "rain")


def decoys() -> Site:
    """Galleries in pages, with a tag cloud, related galleries of other people, icons, a banner and share buttons."""
    site = Site()
    emblems = [site.decoy(f"/static/icons/{name}.png", 7) for name in ("logo", "search", "star", "cart")]
    banner = "/ads/banner-468x60.jpg"
    site.files[banner] = site.files[emblems[0]]
    for number in range(1, 4):
        links = "".join(_teaser(site, name) for name in GALLERIES[3 * number - 3 : 3 * number])
        more = f'<a class="next" href="/page/{number + 1}/">Older posts</a>' if number < 3 else ""
        body = f"<main>{links}</main><div class='pagination'>{more}</div>"
        site.page("/" if number == 1 else f"/page/{number}/", _around(body, emblems, banner))
    for place, name in enumerate(GALLERIES):
        _gallery(site, place, name, emblems, banner)
    for tag in TAGS:
        site.decoy_page(f"/tag/{tag}/")
    for number in range(8):
        site.decoy(f"/users/{number}/cover.jpg", number)
        site.decoy_page(f"/galleries/by-others-{number}/")
    return site


def _teaser(site: Site, name: str) -> str:
    cover = site.decoy(f"/covers/{name}.jpg", len(name))
    return f'<article><a href="/galleries/{name}/"><img src="{cover}" alt="{name}"></a><h2>{name}</h2></article>'


def _gallery(site: Site, place: int, name: str, emblems: list[str], banner: str) -> None:
    thumbs = []
    for number in range(5):
        picture = site.picture(f"/media/{name}/large/{number:03}.jpg", 100 * place + number)
        thumb = site.decoy(f"/media/{name}/small/{number:03}.jpg", number)
        thumbs.append(f'<a href="/galleries/{name}/{number}/"><img src="{thumb}" alt=""></a>')
        neighbours = f'<a rel="prev" href="/galleries/{name}/{(number - 1) % 5}/">back</a>'
        neighbours += f'<a rel="next" href="/galleries/{name}/{(number + 1) % 5}/">on</a>'
        shown = f'<figure id="photo"><img src="{picture}"></figure>{neighbours}'
        site.page(f"/galleries/{name}/{number}/", _around(shown, emblems, banner))
    others = [(place + step) % 8 for step in range(3)]
    related = "".join(
        f'<li><a href="/galleries/by-others-{other}/"><img src="/users/{other}/cover.jpg"></a>' for other in others
    )
    body = f"<main>{''.join(thumbs)}</main><aside><h3>You may like</h3><ul class='related'>{related}</ul></aside>"
    site.page(f"/galleries/{name}/", _around(body, emblems, banner))


def _around(body: str, emblems: list[str], banner: str) -> str:
    icons = "".join(f'<img src="{icon}" alt="">' for icon in emblems)
    cloud = "".join(f'<a href="/tag/{tag}/">{tag}</a> ' for tag in TAGS)
    menu = '<nav><a href="/">Home</a><a href="/tag/">Tags</a></nav>'
    share = '<div class="share"><a href="https://social.example/share?u=1">share</a></div>'
    side = f'<div id="sidebar"><div class="tagcloud">{cloud}</div><a href="/shop"><img src="{banner}"></a></div>'
    return f"<header>{icons}{menu}</header>{body}{side}{share}"


def scripted() -> Site:
    """An index whose links are plain; the albums are JSON in a script, their pictures addresses in strings."""
    site = Site()
    albums = ("spring", "summer", "autumn", "winter")
    icon = site.decoy("/assets/logo.png")
    logo = f'<img src="{icon}">'
    site.page("/", logo + "".join(f'<a href="/set/{name}">{name}</a>' for name in albums))
    for place, name in enumerate(albums):
        pictures = []
        for number in range(6):
            path = site.picture(f"/storage/{place}{number}/{name}-{number}_orig.jpg", 50 * place + number)
            small = site.decoy(f"/storage/{place}{number}/{name}-{number}_t.jpg", number)
            pictures.append({"id": number, "title": f"{name} {number}", "full": path, "small": small})
        data = f"<script>window.DATA = {json.dumps({'pictures': pictures})};</script>"
        site.page(f"/set/{name}", f'{logo}<div id="app"></div>{data}<script src="/assets/app.js"></script>')
    return site


def plain(pager: str) -> Site:
    """A site by hand, without lists, classes or containers; *pager* is `word`, `numbers` or `both`."""
    site = Site()
    site.page("/", '<a href="/list-1.html">Albums</a>')
    for number in range(1, 4):
        links = "".join(f'<a href="/album-{album}.html">Album {album}</a> ' for album in (2 * number - 1, 2 * number))
        if pager != "word":
            links += "".join(f'<a href="/list-{n}.html">{n}</a> ' for n in range(1, 4) if n != number)
        if pager != "numbers" and number < 3:
            links += f'<a href="/list-{number + 1}.html">older</a>'
        site.page(f"/list-{number}.html", links)
    for album in range(1, 7):
        shown = ""
        for number in range(5 * album - 4, 5 * album + 1):
            shown += f'<a href="/photo/p{number}.html"><img src="{site.decoy(f"/thumb/{number}.jpg", number)}"></a>'
            picture = site.picture(f"/img/full{number:03}.jpg", number)
            site.page(f"/photo/p{number}.html", f'<img src="{picture}"><a href="/album-{album}.html">back</a>')
        site.page(f"/album-{album}.html", f"<h1>Album {album}</h1>{shown}")
    return site


def one_script() -> Site:
    """One script answers for all pages; its parameters tell lists, albums and photos apart."""
    site, script = Site(), "/show.php"
    lists = {number: script if number == 1 else f"{script}?p={number}" for number in range(1, 5)}
    for number, path in lists.items():
        albums = (
            f'<a href="{script}?album={album}">Set {album}</a>' for album in range(3 * number - 2, 3 * number + 1)
        )
        pager = (f'<a href="{other}">{page}</a>' for page, other in lists.items() if page != number)
        site.page(path, " ".join((*pager, *albums)))
    for album in range(1, 13):
        shown = ""
        for number in range(4 * album - 3, 4 * album + 1):
            thumb = site.decoy(f"/thumbs/{number}.jpg", number)
            shown += f'<a href="{script}?photo={number}"><img src="{thumb}"></a>'
            site.page(f"{script}?photo={number}", f'<img src="{site.picture(f"/files/{number}.jpg", number)}">')
        site.page(f"{script}?album={album}", shown)
    return site
