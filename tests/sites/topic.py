"""A museum of rooms, one of them about orchids: pages of text with real links, for crawls that follow a topic."""

from __future__ import annotations

from tests.sites.site import Site

ROOMS = ("steam engines", "orchids", "medieval coins", "sailing ships", "card games", "city maps")
TOPIC_ROOM = ROOMS.index("orchids")
SHOWCASES = 12
TEXTS = (
    "The boiler of this engine drove a pump of the mine. Coal, water and iron made the age of steam.",
    "The flowers of this orchid open in spring; its roots hold on to the bark of trees. Orchids love light and mist.",
    "This silver coin was struck by a bishop. On its back the mint master left a mark; few of them are left.",
    "The hull of this ship is of oak. With three masts it crossed the ocean, heavy with tea and cotton.",
    "The queen of this pack has no crown. Such cards were printed from wood and coloured by hand.",
    "The map shows the walls of the city and its river. The north is on the left, as was usual then.",
)


def path_of(room: int, number: int) -> str:
    """The page of one showcase."""
    return f"/room{room}/{number}.html"


def relevant_paths() -> set[str]:
    """The pages on the topic."""
    return {path_of(TOPIC_ROOM, number) for number in range(SHOWCASES)}


def build() -> Site:
    """Six rooms of showcases, each a chain with links into the next room; orchids have pictures."""
    site = Site()
    links = "".join(f'<p><a href="{path_of(room, 0)}">The room of {name}</a></p>' for room, name in enumerate(ROOMS))
    others = (
        '<a href="mailto:office@museum.example">Write to us</a> <a href="/guide.pdf">The guide</a>'
        ' <a href="http://elsewhere.invalid/orchids">Another museum</a> <a href="javascript:history.back()">Back</a>'
    )
    site.page("/", f"<h1>The museum</h1>{links}{others}", head="<title>The museum</title>")
    for room, name in enumerate(ROOMS):
        for number in range(SHOWCASES):
            _showcase(site, room, name, number)
    return site


def _showcase(site: Site, room: int, name: str, number: int) -> None:
    photo = f"/photos/{room}-{number}.jpg"
    if room == TOPIC_ROOM:
        site.picture(photo, number)
        thumb, icon = site.decoy(f"/thumbs/{room}-{number}.jpg"), site.decoy("/icons/star.png")
        shown = f'<a href="{photo}"><img src="{thumb}" alt="{name} {number}"></a><img src="{icon}">'
    else:
        shown = f'<img src="{site.decoy(photo)}">'
    next_room = (room + 1) % len(ROOMS)
    ways = [f'<a href="{path_of(room, number + 1)}">More of {name}</a>'] if number + 1 < SHOWCASES else []
    ways.append(f'<a href="{path_of(next_room, number)}">The room of {ROOMS[next_room]}</a>')
    title = f"{name.capitalize()}, showcase {number}"
    site.page(
        path_of(room, number),
        f"<h1>{title}</h1><p>{TEXTS[room]} It has the number {number}.</p>{shown}"
        f'<p>{"</p><p>".join(ways)}</p><p><a href="/">Entrance</a></p>',
        head=f"<title>{title}</title>",
    )
