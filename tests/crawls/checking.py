"""Compare a crawl with the truth about its site."""

from __future__ import annotations

from collections import Counter
from urllib.parse import quote

from tests.crawls.running import Crawl
from tests.nginx import Server
from tests.sites.site import Site


def check(crawl: Crawl, site: Site, server: Server) -> None:
    """Every picture byte for byte, every failure, skip and repeat as planned, and nothing else."""
    assert crawl.exit_code in {0, 2}, crawl.complaints()
    check_pictures(crawl, site, server.base)
    failures = {record["url"]: record["reason"] for record in crawl.feed("failures")}
    assert failures == _urls(site.failures, server.base), crawl.complaints()
    skips = {record["url"]: record["reason"] for record in crawl.feed("skips")}
    assert skips == _urls(site.skips, server.base)
    repeats = Counter(record["url"] for record in crawl.feed("repeats") if record["by"] == "url")
    assert repeats == _urls(site.repeats, server.base)
    check_tree(crawl, site, server.base)
    asked = {request.path for request in server.requests()}
    assert not asked & site.left_alone


def check_pictures(crawl: Crawl, site: Site, base: str) -> None:
    """The feed of pictures and the files in the folder are the pictures of the site, and no others."""
    stored = crawl.stored()
    pictures = {record["url"]: stored.pop(record["file"]) for record in crawl.feed("pictures")}
    expected = _urls(site.pictures, base)
    assert pictures.keys() == expected.keys(), crawl.complaints()
    assert pictures == expected
    assert not stored, "files that no record speaks of"
    names = {record["url"]: record["file"] for record in crawl.feed("pictures")}
    for url, name in _urls(site.names, base).items():
        assert names[url] == name


def check_tree(crawl: Crawl, site: Site, base: str) -> None:
    """The tree holds every page and picture once, all came to an end, and each hangs on a node of the tree."""
    tree = crawl.feed("tree")
    pages = {node["url"] for node in tree if node["kind"] == "page"}
    assert pages == set(_urls(dict.fromkeys(site.pages, 1), base))
    assert {node["state"] for node in tree} <= {"done", "error"}
    known = {node["id"] for node in tree}
    assert len(known) == len(tree)
    assert all(node["parent"] in known for node in tree if node["parent"] is not None)


def _urls(truth: dict[str, object], base: str) -> dict[str, object]:
    return {base + quote(path, safe="/?=&%"): value for path, value in truth.items()}
