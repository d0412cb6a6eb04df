from tests.sites.site import Site


def build() -> Site:
    """Two lists of three pages each; a product linked twice with another ?ref=; one picture is missing."""
    site = Site()
    for group in ("001", "002"):
        for number in (1, 2, 3):
            products = [f"/product/cup-{group}{number}{place}" for place in range(2)]
            links = "".join(f'<a href="{path}?ref=list{number}">cup</a>' for path in products)
            if number == 3:
                first = f"/product/cup-{group}10"
                links += f'<a href="{first}?ref=again">seen before</a>'
                site.again(f"{first}?ref=again")
            site.page(f"/list/{group}?page={number}", f'{links}<img src="{site.decoy("/large/logo.svg")}">')
            for path in products:
                _product(site, path, f"{path}?ref=list{number}")
    return site


def _product(site: Site, path: str, linked: str) -> None:
    picture = f"/large/{path[-5:]}.png"
    if path.endswith("00221"):
        site.missing(picture)
    else:
        site.picture(picture, int(path[-5:]), "PNG")
    site.page(linked, f'<h1>cup</h1><img src="{picture}">')
    site.files[path] = site.files[linked]
