from tests.sites.site import Site


def build() -> Site:
    """Three pages of posts: reduced pictures beside the full ones, one WebP, one picture in the head only."""
    site = Site()
    for number in (1, 2, 3):
        posts = "".join(_post(site, 10 * number + place) for place in range(5))
        head = f'<link rel="next" href="/page/{number + 1}/">' if number < 3 else '<link rel="prev" href="/page/2/">'
        if number == 2:
            head += f'<meta property="og:image" content="{site.picture("/uploads/2024/cover.png", 5, "PNG")}">'
        site.page("/" if number == 1 else f"/page/{number}/", posts, head=head)
    return site


def _post(site: Site, number: int) -> str:
    path = f"/uploads/2024/{number}.jpg"
    if number == 13:
        path = f"/uploads/2024/{number}.webp"
        site.picture(path, number, "WEBP")
        del site.pictures[path]
        site.skips[path] = "format"
    elif number == 24:
        site.missing(path)
    elif number == 33:
        site.again(path := "/uploads/2024/10.jpg")
    else:
        site.picture(path, number, name=f"{number}.jpg")
    reduced = site.decoy(path.replace(".", "-24x16."))
    return f'<article><a href="{path}"><img src="{reduced}" alt="post {number}"></a></article>'
