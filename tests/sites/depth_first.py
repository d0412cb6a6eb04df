from tests.sites.site import Site


def build() -> Site:
    """Two series of two chapters; every chapter ends with the same blank page, and file names come again."""
    site = Site()
    site.page("/", '<a href="series/moon/">Moon</a> <a href="series/sun/">Sun</a>')
    for number, series in enumerate(("moon", "sun")):
        site.page(f"/series/{series}/", "".join(f'<a href="{chapter}/">chapter {chapter}</a>' for chapter in (1, 2)))
        for chapter in (1, 2):
            scans = [
                site.picture(
                    f"/scans/{series}-{chapter}/{page:03}.png",
                    99 if page == 3 else 100 * number + 10 * chapter + page,
                    "PNG",
                    name=f"{series.title()}/chapter {chapter}/{page:03}.png",
                )
                for page in (1, 2, 3)
            ]
            site.page(f"/series/{series}/{chapter}/", "".join(f'<img src="{scan}">' for scan in scans))
    return site
