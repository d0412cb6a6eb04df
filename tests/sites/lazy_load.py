from tests.sites.site import Site

WAYS = (
    '<img src="{dot}" data-src="{large}">',
    '<img src="{dot}" data-original="{large}">',
    '<img src="{dot}" srcset="{small} 320w, {large} 1600w">',
    '<img src="{dot}" data-srcset="{small} 320w, {large} 1600w">',
    '<picture><source srcset="{large}" media="(min-width: 900px)"><img src="{small}"></picture>',
    '<noscript><img src="{large}"></noscript><img src="{dot}">',
    "<div style=\"background-image: url('{large}')\"></div>",
)


def build() -> Site:
    """Two pages of views; each view shows its picture in another way; the addresses have no extension."""
    site = Site()
    site.decoy("/dot.gif")
    for page, numbers in enumerate((range(4), range(4, len(WAYS)))):
        older = '<nav><a class="newer" href="./">1</a> <a class="older" href="?p=2">2</a></nav>' if page == 0 else ""
        thumbs = [(number, site.decoy(f"/w320/{number}")) for number in numbers]
        views = "".join(f'<a href="/view/{number}"><img src="{thumb}"></a>' for number, thumb in thumbs)
        site.page("/gallery/" + "?p=2" * page, views + older)
    for number, way in enumerate(WAYS):
        large = site.picture(f"/w1600/{number}", number)
        site.page(f"/view/{number}", way.format(dot="/dot.gif", small=f"/w320/{number}", large=large))
    return site
