from tests.sites.site import Site


def build() -> Site:
    """Three albums of thumbnails in two sizes; the originals are never linked; one of them is truncated."""
    site = Site()
    albums = ("birds", "boats", "bikes")
    site.page("/", "".join(f'<a href="album-{name}.html">{name}</a>' for name in albums))
    for album, name in enumerate(albums):
        thumbs = []
        for number in range(4):
            original = f"/originals/{name}/{number}.jpg"
            if name == "boats" and number == 2:
                site.truncated(original, 5)
            else:
                site.picture(original, 10 * album + number)
            thumbs.append(site.decoy(f"/cache/{120 + number}x80/{name}/{number}.jpg"))
        site.page(f"/album-{name}.html", "".join(f'<img src="{thumb}">' for thumb in thumbs))
    return site
