from __future__ import annotations

import pytest

from picspider.strategy.link_kinds import LinkKinds, server_of

ENTRY = ["https://site.example/start/"]


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://site.example/a.html", "internal"),
        ("http://site.example/a", "internal"),
        ("https://SITE.example:443/", "internal"),
        ("https://site.example:8443/", "external"),
        ("https://www.site.example/", "external"),
        ("https://zip.example", "external"),
        ("https://site.example/index.php?file=a.pdf", "internal"),
        ("mailto:someone@site.example", "other"),
        ("javascript:void(0)", "other"),
        ("ftp://site.example/a", "other"),
        ("https://site.example/favicon.ico", "other"),
        ("https://site.example/style.css?v=2", "other"),
        ("https://site.example/photo.JPG", "other"),
        ("https://elsewhere.example/paper.pdf", "other"),
    ],
)
def test_kinds(url: str, kind: str) -> None:
    """Internal is the entry's server, whatever the scheme; files and what is not fetched are other links."""
    assert LinkKinds(ENTRY, "all").kind_of(url) == kind


def test_entry_that_moved_is_internal() -> None:
    """When the entry turns out to be elsewhere, that server is internal as well."""
    kinds = LinkKinds(ENTRY, "internal")
    kinds.add_entry("https://www.site.example/start/")
    assert kinds.kind_of("https://www.site.example/a") == "internal"
    assert kinds.kind_of("https://site.example/a") == "internal"


@pytest.mark.parametrize(
    ("scope", "followed"), [("internal", {"internal"}), ("external", {"external"}), ("all", {"internal", "external"})]
)
def test_scope(scope: str, followed: set[str]) -> None:
    """A scope follows what it names; other links are never followed."""
    kinds = LinkKinds(ENTRY, scope)  # type: ignore[arg-type]  # a parameter of the test is a plain text
    assert {kind for kind in ("internal", "external", "other") if kinds.follows(kind)} == followed  # type: ignore[arg-type]  # as above


def test_server() -> None:
    """A port of its own makes another server."""
    assert server_of("http://a.example:80/x") == server_of("https://a.example/y") == "a.example"
    assert server_of("http://a.example:81/") == "a.example:81"
