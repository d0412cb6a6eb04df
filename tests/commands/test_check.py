from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from picspider.demo import serve_gallery
from tests.conftest import Serve
from tests.crawls.running import ROOT, picspider_crawl
from tests.sites.site import Site

CONFIG = "entry: {base}/\nlayers: ['/album/', '/full/']\noutput: {output}\n"


def check(config: Path | str, *options: str) -> subprocess.CompletedProcess[str]:
    """``picspider check`` as a user starts it."""
    command = [sys.executable, "-m", "picspider", "check", str(config), *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def gallery(*, albums: str, pictures: str) -> Site:
    """Three albums of three pictures; the addresses begin with what is given."""
    site = Site()
    site.page(
        "/", "<nav><a href=/about>About</a></nav>" + "".join(f'<a href="{albums}{n}">Album {n}</a>' for n in range(3))
    )
    for album in range(3):
        images = [site.picture(f"{pictures}{album}{number}.jpg", 10 * album + number) for number in range(3)]
        site.page(f"{albums}{album}", "".join(f'<img src="{image}">' for image in images))
    return site


def test_all_well() -> None:
    """The demo's config: reachable, every rule takes something, pictures are pictures; exit code 0."""
    with serve_gallery() as base:
        done = check("demo", "-o", f"entry={base}/")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Answer    200" in done.stdout
    assert "Layer 3" in done.stdout
    assert "JPEG 640 × 420" in done.stdout
    assert done.stdout.endswith("Nothing looks wrong.\n")


def test_site_that_has_changed(serve: Serve, tmp_path: Path) -> None:
    """A layer that is dry since the last crawl is named, with a regex for the links that have moved; exit code 3."""
    root = tmp_path / "site"
    server = serve(gallery(albums="/album/", pictures="/full/").write(root))
    config = tmp_path / "site.yaml"
    config.write_text(CONFIG.format(base=server.base, output=tmp_path / "output"), encoding="utf-8")
    assert picspider_crawl(config, tmp_path / "output").exit_code == 0
    assert check(config).returncode == 0

    gallery(albums="/gallery/", pictures="/media/large/").write(root)
    done = check(config)
    assert done.returncode == 3, done.stdout
    told = done.stdout.partition("WRONG")[2]
    assert "layer 1" in told
    assert "the last run found 3 a page" in told
    regex = re.search(r"links: '(.*)'", told)
    assert regex is not None
    assert re.search(regex[1], f"{server.base}/gallery/2")
    assert not re.search(regex[1], f"{server.base}/about")


def test_fewer_links_than_in_the_last_run(serve: Serve, tmp_path: Path) -> None:
    """A page that shows less than half of what it showed is a drifted layer."""
    root = tmp_path / "site"
    server = serve(gallery(albums="/album/", pictures="/full/").write(root))
    config = tmp_path / "site.yaml"
    config.write_text(CONFIG.format(base=server.base, output=tmp_path / "output"), encoding="utf-8")
    assert picspider_crawl(config, tmp_path / "output").exit_code == 0
    (root / "index.html").write_text('<a href="/album/0">0</a>', encoding="utf-8")
    done = check(config)
    assert done.returncode == 3
    assert "layer 1, layer-1: took 1 a page; the last run found 3 a page" in done.stdout


def test_site_that_cannot_be_reached(tmp_path: Path) -> None:
    """Why there is no entry page is told in plain words; exit code 1."""
    for entry, words in (
        ("http://nowhere.invalid/", "name of the host is not known"),
        ("http://127.0.0.1:9/", "connection"),
    ):
        done = check(CONFIG.format(base=entry.rstrip("/"), output=tmp_path))
        assert done.returncode == 1
        assert words in done.stdout
    with serve_gallery() as base:
        done = check(CONFIG.format(base=f"{base}/nothing", output=tmp_path))
    assert (done.returncode, "404" in done.stdout) == (1, True)


def test_failures_are_no_clean_bill(serve: Serve, tmp_path: Path) -> None:
    """Where pictures or pages cannot be had, the last lines say so and what helps; exit code 2."""
    site = gallery(albums="/album/", pictures="/full/")
    del site.files["/album/1"]
    site.files["/full/00.jpg"] = b"<h1>Log in</h1>"
    server = serve(site.write(tmp_path / "site"))
    done = check(CONFIG.format(base=server.base, output=tmp_path / "output"))
    assert done.returncode == 2, done.stdout
    assert "Nothing looks wrong" not in done.stdout
    told = done.stdout.partition("\nFAILED ")[2]
    assert re.match(r"\s+2 of \d addresses that were tried could not be had", told), done.stdout
    assert f"The first: {server.base}/album/1: the server answered with status 404" in told
    assert f"FAILED {server.base}/full/00.jpg: its first bytes are those of no picture" in done.stdout


def test_files_that_are_gone(serve: Serve, tmp_path: Path) -> None:
    """A picture of the last crawl that was deleted by hand is noticed, with the command that fetches it again."""
    server = serve(gallery(albums="/album/", pictures="/full/").write(tmp_path / "site"))
    config, output = tmp_path / "site.yaml", tmp_path / "output"
    config.write_text(CONFIG.format(base=server.base, output=output), encoding="utf-8")
    crawl = picspider_crawl(config, output)
    gone = sorted(crawl.stored())[4]
    (output / "pictures" / gone).unlink()
    done = check(config)
    assert done.returncode == 2, done.stdout
    assert f"MISSING   1 file of the last crawl, gone from {output / 'pictures'}, as {gone}." in done.stdout
    assert f"picspider retry {output}" in done.stdout


def test_config_that_is_refused() -> None:
    """What is wrong with the config itself is told before anything is asked."""
    done = check("entry: http://127.0.0.1/\nlayer: ['x']\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert "layers" in done.stderr


def listed(*, older: str) -> Site:
    """A list of albums on two pages, of three pictures each; the link to the second page reads *older*."""
    site = gallery(albums="/album/", pictures="/full/")
    more = "".join(f'<a href="/album/{number}">Album {number}</a>' for number in range(3, 5))
    entry = site.files["/"].decode()
    site.page("/", f'{entry}<a href="/page/2">{older}</a>')
    site.page("/page/2", more)
    for number in range(3, 5):
        site.page(f"/album/{number}", f'<img src="{site.picture(f"/full/{number}0.jpg", number)}">')
    return site


def test_next_page_that_matches_nowhere(serve: Serve, tmp_path: Path) -> None:
    """A list that goes on behind another link than the rule's is wrong, and the right rule is told; exit code 3."""
    server = serve(listed(older="Older").write(tmp_path / "site"))
    config = CONFIG.format(base=server.base, output=tmp_path / "output")
    done = check(config, "-o", "next_page=Oldest")
    assert done.returncode == 3, done.stdout
    told = done.stdout.partition("WRONG")[2]
    assert (
        f"next_page: 'Oldest' matched on none of the 4 pages that were tried, but the list on {server.base}/ " in told
    )
    assert f"a link that reads 'Older' leads to {server.base}/page/2" in told
    assert "with 2 more links of layer 1" in told
    assert "next_page: 'Older'" in told
    assert "Nothing" not in done.stdout
    assert check(config, "-o", "next_page=Older").stdout.endswith("\nNothing looks wrong.\n")


def test_lists_that_are_whole(serve: Serve, tmp_path: Path) -> None:
    """Where no list goes on, a next-page rule without a match is only noted; exit code 0."""
    server = serve(gallery(albums="/album/", pictures="/full/").write(tmp_path / "site"))
    done = check(CONFIG.format(base=server.base, output=tmp_path / "output"), "-o", "next_page={rel: next}")
    assert done.returncode == 0, done.stdout
    assert "NOTE      next_page: {rel: 'next'} matched on none of the 4 pages that were tried." in done.stdout
    assert done.stdout.endswith("\nNothing else looks wrong.\n")


def test_filters_that_refuse_all(serve: Serve, tmp_path: Path) -> None:
    """Each picture that the filters refuse is marked; when all of them are, the last lines say so."""
    server = serve(gallery(albums="/album/", pictures="/full/").write(tmp_path / "site"))
    config = CONFIG.format(base=server.base, output=tmp_path / "output")
    done = check(config, "-o", "pictures={min_width: 9999}")
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("a filter refuses it (too-small): ") == 4
    assert "NOTE      The filters in `pictures` refuse all 4 pictures that were looked at" in done.stdout
    assert "Nothing looks wrong" not in done.stdout
    done = check(config, "-o", "pictures={min_size: 1MB}")
    assert "bytes; wanted is at least 1,000,000" in done.stdout


def test_index_of_pages_with_one_picture(serve: Serve, tmp_path: Path) -> None:
    """A name by {index} is noted where each page has one picture, as all of them are 1 then."""
    site = gallery(albums="/album/", pictures="/full/")
    for album in range(3):
        site.page(f"/album/{album}", f'<img src="/full/{album}0.jpg">')
    server = serve(site.write(tmp_path / "site"))
    config = CONFIG.format(base=server.base, output=tmp_path / "output")
    done = check(config, "-o", "pictures.name={layer1}/{index:03}{ext}")
    assert "NOTE      pictures.name uses {index}" in done.stdout
    assert "NOTE" not in check(config).stdout
