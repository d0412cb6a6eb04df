from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Serve
from tests.crawls.running import Crawl, scrapy_crawl
from tests.nginx import Server
from tests.sites.site import Site

GALLERY = """\
entry: {base}/
layers: ['\\.jpg$']
next_page: Next
fetch: {{concurrency: 32, per_host: 32}}
"""
ALBUMS = """\
entry: {base}/
layers: ['/album/\\d/$', '/photo/', '{pictures}']
pictures: {{min_width: {min_width}}}
"""


def gallery(numbers: list[int], a_page: int = 50) -> Site:
    """A gallery of pictures *numbers*, *a_page* on each page of a chain."""
    site = Site()
    pages = [numbers[start : start + a_page] for start in range(0, len(numbers), a_page)]
    for index, shown in enumerate(pages, 1):
        links = "".join(f'<img src="{site.picture(f"/p{number}.jpg", number)}">' for number in shown)
        more = f'<a href="/{index + 1}.html">Next</a>' if index < len(pages) else ""
        site.page("/" if index == 1 else f"/{index}.html", links + more)
    return site


def pictures_asked(server: Server, since: int) -> list[str]:
    """Pictures requested after the first *since* requests."""
    return [request.path for request in server.requests()[since:] if request.path.endswith(".jpg")]


def test_twenty_new_pictures_in_a_thousand(serve: Serve, tmp_path: Path) -> None:
    """Twenty pictures put into the middle of a gallery of 1,000 are found, and nothing else is downloaded again."""
    old = gallery(list(range(1000)))
    server = serve(old.write(tmp_path / "site"))
    config = GALLERY.format(base=server.base)
    first = scrapy_crawl(config, tmp_path / "output")
    assert len(first.feed("pictures")) == 1000, first.complaints()
    asked = len(server.requests())
    gallery([*range(500), *range(1000, 1020), *range(500, 1000)]).write(tmp_path / "site")
    second = scrapy_crawl(config, tmp_path / "output")
    assert sorted(pictures_asked(server, asked)) == sorted(f"/p{number}.jpg" for number in range(1000, 1020))
    assert len(second.feed("pictures")) == len(second.stored()) == 1020, second.complaints()
    assert second.feed("repeats") == second.feed("failures") == [], "pictures that moved to another page are no repeats"
    page = {record["url"]: record["parent"] for record in second.feed("pictures")}
    assert page[f"{server.base}/p999.jpg"] == f"{server.base}/21.html", "the tree shows where a picture stands now"


def test_a_finished_crawl_is_only_looked_at(serve: Serve, tmp_path: Path) -> None:
    """The same command on an unchanged site asks for the list pages and for no picture."""
    server = serve(gallery(list(range(30)), 10).write(tmp_path / "site"))
    config = GALLERY.format(base=server.base)
    scrapy_crawl(config, tmp_path / "output")
    asked = len(server.requests())
    again = scrapy_crawl(config, tmp_path / "output")
    assert pictures_asked(server, asked) == []
    assert sum(request.path.endswith(("/", ".html")) for request in server.requests()[asked:]) == 3
    assert len(again.feed("pictures")) == 30


@pytest.fixture
def albums() -> Site:
    """Three albums of three photo pages, each with a large and a small picture of its own."""
    site = Site()
    site.page("/", "".join(f'<a href="/album/{album}/">{album}</a>' for album in range(3)))
    for album in range(3):
        photos = [album * 3 + place for place in range(3)]
        site.page(f"/album/{album}/", "".join(f'<a href="/photo/{photo}.html">{photo}</a>' for photo in photos))
        for photo in photos:
            large, small = site.picture(f"/large/{photo}.jpg", photo), site.small(f"/small/{photo}.jpg", photo)
            site.page(f"/photo/{photo}.html", f'<img src="{small}"><img src="{large}">')
    return site


def crawl_albums(server: Server, output: Path, pictures: str, min_width: int, *options: str) -> Crawl:
    """Crawl the albums with this rule for pictures and this filter."""
    return scrapy_crawl(ALBUMS.format(base=server.base, pictures=pictures, min_width=min_width), output, *options)


def test_changed_rule_reads_the_pages_of_its_layer(albums: Site, serve: Serve, tmp_path: Path) -> None:
    """With another rule for pictures the photo pages are read again, too; stored pictures are not asked for."""
    server = serve(albums.write(tmp_path / "site"))
    first = crawl_albums(server, tmp_path / "output", "/large/", 0)
    assert len(first.feed("pictures")) == 9
    asked = len(server.requests())
    second = crawl_albums(server, tmp_path / "output", "/small/", 0)
    paths = sorted(request.path for request in server.requests()[asked:] if request.path != "/robots.txt")
    lists = ["/", *(f"/album/{album}/" for album in range(3))]
    assert paths == sorted([*lists, *(f"/photo/{n}.html" for n in range(9)), *(f"/small/{n}.jpg" for n in range(9))])
    assert len(second.feed("pictures")) == len(second.stored()) == 18, "what is stored stays"
    assert second.feed("repeats") == []


def test_changed_filter_judges_skips_again(albums: Site, serve: Serve, tmp_path: Path) -> None:
    """With a weaker filter exactly the skipped pictures are fetched again; pages are read as in any refresh."""
    server = serve(albums.write(tmp_path / "site"))
    first = crawl_albums(server, tmp_path / "output", "/(large|small)/", 100)
    assert (len(first.feed("pictures")), len(first.feed("skips"))) == (9, 9)
    asked = len(server.requests())
    second = crawl_albums(server, tmp_path / "output", "/(large|small)/", 10)
    assert sorted(pictures_asked(server, asked)) == [f"/small/{number}.jpg" for number in range(9)]
    assert (len(second.feed("pictures")), second.feed("skips")) == (18, [])


def test_page_that_fails_keeps_what_is_known_of_it(albums: Site, serve: Serve, tmp_path: Path) -> None:
    """When an album cannot be read, its repeats and failures stay in the feeds, under a changed rule as well; once it
    is well, a failure goes that the new rule does not take.
    """
    albums.page("/photo/3.html", '<img src="/large/0.jpg"><img src="/large/gone.jpg"><img src="/large/4.jpg">')
    root = albums.write(tmp_path / "site")
    server = serve(root)
    photo = root / "photo/3.html"
    first = crawl_albums(server, tmp_path / "output", "/large/", 0)
    repeats = first.feed("repeats")
    assert sorted(record["url"] for record in repeats) == [f"{server.base}/large/{number}.jpg" for number in (0, 4)]
    photo.rename(photo.with_suffix(".away"))
    for rule in ("/large/", "/large/\\d"):
        second = crawl_albums(server, tmp_path / "output", rule, 0)
        failures = {record["url"] for record in second.feed("failures")}
        assert failures == {f"{server.base}{path}" for path in ("/photo/3.html", "/large/gone.jpg")}
        assert len(second.feed("repeats")) == 2
    photo.with_suffix(".away").rename(photo)
    third = crawl_albums(server, tmp_path / "output", "/large/\\d", 0)
    assert third.feed("failures") == []
    assert len(third.feed("repeats")) == 2
    assert f"{server.base}/large/gone.jpg" not in {record["url"] for record in third.feed("tree")}


def test_corrected_identity_finds_what_was_left_out(serve: Serve, tmp_path: Path) -> None:
    """A parameter that was ignored by mistake counts from the next run on."""
    site = Site()
    site.page("/", '<a href="/album/">1</a>')
    site.page("/album/", "".join(f'<img src="{site.picture(f"/p.jpg?id={n}", n)}">' for n in range(3)))
    server = serve(site.write(tmp_path / "site"))
    config = "entry: {base}/\nlayers: [/album/, '\\.jpg']\nurls: {{ignore_parameters: [{names}]}}\n"
    first = scrapy_crawl(config.format(base=server.base, names="id"), tmp_path / "output")
    assert len(first.feed("pictures")) == 1, first.complaints()
    second = scrapy_crawl(config.format(base=server.base, names=""), tmp_path / "output")
    assert len(second.feed("pictures")) == 3, second.complaints()


def test_retry_of_a_page_opens_its_own_subtree(albums: Site, serve: Serve, tmp_path: Path) -> None:
    """After -a retry=all a page that had failed is read, and what hangs on it fetched; nothing else is."""
    page = albums.files.pop("/album/1/")
    root = albums.write(tmp_path / "site")
    server = serve(root)
    first = crawl_albums(server, tmp_path / "output", "/large/", 0)
    assert [record["url"] for record in first.feed("failures")] == [f"{server.base}/album/1/"]
    (root / "album/1").mkdir(parents=True)
    (root / "album/1/index.html").write_bytes(page)
    asked = len(server.requests())
    second = crawl_albums(server, tmp_path / "output", "/large/", 0, "-a", "retry=all")
    paths = sorted(request.path for request in server.requests()[asked:] if request.path != "/robots.txt")
    below = [f"/photo/{number}.html" for number in (3, 4, 5)] + [f"/large/{number}.jpg" for number in (3, 4, 5)]
    assert paths == sorted(["/album/1/", *below])
    assert len(second.feed("pictures")) == 9
    assert second.feed("failures") == []


def test_new_identity_takes_old_rows_along(serve: Serve, tmp_path: Path) -> None:
    """With a parameter ignored from now on, pictures that differ in it only are known under their new identity."""
    site = Site()
    site.page("/", "".join(f'<img src="{site.picture(f"/p{n}.jpg?sid=1", n)}">' for n in range(3)))
    server = serve(site.write(tmp_path / "site"))
    config = "entry: {base}/\nlayers: ['\\.jpg']\nurls: {{ignore_parameters: [{names}]}}\n"
    scrapy_crawl(config.format(base=server.base, names=""), tmp_path / "output")
    again = Site()
    again.page("/", "".join(f'<img src="{again.picture(f"/p{n}.jpg?sid=2", n)}">' for n in range(3)))
    again.write(tmp_path / "site")
    asked = len(server.requests())
    second = scrapy_crawl(config.format(base=server.base, names="sid"), tmp_path / "output")
    third = scrapy_crawl(config.format(base=server.base, names="sid"), tmp_path / "output")
    assert not [request.path for request in server.requests()[asked:] if ".jpg" in request.path]
    assert len(second.feed("pictures")) == len(third.feed("pictures")) == 3


def test_changed_entry_and_name_are_told(serve: Serve, tmp_path: Path) -> None:
    """Another entry in the same output is crawled and told, and so is another template for names, on a terminal too."""
    site = gallery([0, 1])
    site.page("/new/", f'<img src="{site.picture("/p7.jpg", 7)}">')
    server = serve(site.write(tmp_path / "site"))
    config = (
        f"entry: {{entry}}\nlayers: ['\\.jpg$']\npictures: {{{{name: '{{name}}'}}}}\noutput: {tmp_path / 'output'}\n"
    )
    scrapy_crawl(config.format(entry=server.base + "/", name="{stem}{ext}"), tmp_path / "output")
    second = scrapy_crawl(config.format(entry=server.base + "/new/", name="new-{stem}{ext}"), tmp_path / "output")
    told = [line.partition("WARNING: ")[2] for line in second.log.splitlines() if "WARNING" in line]
    assert told[0] == f"The entry has changed: crawled from now on is also {server.base}/new/"
    assert told[1].startswith(f"The entry has changed: what stands under {server.base}/ stays")
    assert told[2].startswith("pictures.name has changed: the 2 stored pictures are named by it, too")
    assert not any("rename" in line for line in told), "once is enough"
    names = {"new-p0.jpg", "new-p1.jpg", "new-p7.jpg"}
    assert set(second.stored()) == {record["file"] for record in second.feed("pictures")} == names
    third = scrapy_crawl(config.format(entry=server.base + "/new/", name="new-{stem}{ext}"), tmp_path / "output")
    assert "has changed" not in third.log
    assert set(third.stored()) == names
