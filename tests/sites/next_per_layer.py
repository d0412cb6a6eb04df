from tests.sites.site import Site

ROOMS = ("east", "west", "north", "south")


def build() -> Site:
    """Rooms go on by text, objects by a button; the object pages carry a link "More rooms" that leads astray."""
    site = Site()
    site.decoy_page("/rooms?astray=1")
    for half in (0, 1):
        links = "".join(f'<a href="/room/{name}">{name}</a>' for name in ROOMS[2 * half : 2 * half + 2])
        more = '<a href="/rooms?from=2">More rooms</a>' if half == 0 else ""
        site.page("/rooms" + "?from=2" * half, links + more)
    for room, name in enumerate(ROOMS):
        for half in (0, 1):
            numbers = [100 * room + 10 * half + place for place in range(2)]
            links = "".join(f'<a href="/object/{number}">object</a>' for number in numbers)
            button = f'<a data-role="forward" href="/room/{name}?half=2"><img src="/arrow.png"></a>'
            site.page(f"/room/{name}" + "?half=2" * half, links + button * (1 - half))
            for number in numbers:
                _object(site, number)
    site.decoy("/arrow.png")
    return site


def _object(site: Site, number: int) -> None:
    picture = f"/iiif/{number}/full.jpg"
    if number == 211:
        site.truncated(picture, number)
    else:
        site.picture(picture, number)
    preview = site.decoy(f"/iiif/{number}/200.jpg")
    body = f'<a href="{picture}"><img src="{preview}"></a><a href="/rooms?astray=1">More rooms</a>'
    site.page(f"/object/{number}", body)
