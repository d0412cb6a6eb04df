from tests.sites.site import Site


def build() -> Site:
    """Two index pages, three sets that are written by scripts; a commented link is source text too."""
    site = Site()
    site.decoy_page("/other.php?set=8")
    first = '<a href="show.php?set=1">one</a><!-- <a href="show.php?set=2">two</a> --><a href="other.php?set=8">no</a>'
    site.page("/index.html", first + '<a href="index_2.html">more</a>')
    site.page("/index_2.html", "<script>document.write('<a href=\"show.php?set=3\">three</a>')</script>")
    for number in (1, 2, 3):
        calls = [f"openPicture({place}, 'pics/{number}{place}.jpg');" for place in range(3)]
        for place in range(3):
            path = f"/pics/{number}{place}.jpg"
            if (number, place) == (2, 1):
                site.missing(path)
            else:
                site.picture(path, 10 * number + place)
        if number == 2:
            site.again("/pics/30.jpg")
            calls.append("openPicture(9, 'pics/30.jpg');")
        thumb = site.decoy("/pics/thumb.jpg")
        site.page(f"/show.php?set={number}", f'<img src="{thumb}"><script>{" ".join(calls)}</script>')
    return site
