from __future__ import annotations

from contextlib import suppress

import ada_url
import pytest
from hypothesis import given
from hypothesis import strategies as st

from picspider.errors import Failed
from picspider.urls import IdentityRules, fingerprint, host_key, identity, key_of, resolve, site_of

PAGE = "http://h.example:8080/d/e/f.html?q/z"


@pytest.mark.parametrize(
    ("raw", "url"),
    [
        ("/a/b.html", "http://h.example:8080/a/b.html"),
        ("x.html", "http://h.example:8080/d/e/x.html"),
        ("./x/y", "http://h.example:8080/d/e/x/y"),
        ("../x.html", "http://h.example:8080/d/x.html"),
        ("../../../../x", "http://h.example:8080/x"),
        ("../", "http://h.example:8080/d/"),
        ("?a=1", "http://h.example:8080/d/e/f.html?a=1"),
        ("", PAGE),
        ("#top", PAGE),
        ("x.jpg#part", "http://h.example:8080/d/e/x.jpg"),
        ("//other.example/x", "http://other.example/x"),
        ("HTTP://OTHER.example:80", "http://other.example/"),
        ("\\find\\x.html", "http://h.example:8080/find/x.html"),
        ("..\\Old\\1.jpg", "http://h.example:8080/d/Old/1.jpg"),
        (" \n\t/pi\r\ncs/fol\tder/\n1.jpg \0", "http://h.example:8080/pics/folder/1.jpg"),
        ("/my pics/photo 1.jpg", "http://h.example:8080/my%20pics/photo%201.jpg"),
        ("/foo%20bar%20%2376.jpg", "http://h.example:8080/foo%20bar%20%2376.jpg"),
        ("/music/AC%252FDC/1.jpg", "http://h.example:8080/music/AC%252FDC/1.jpg"),
        ("/pic?z=1&a=2&b=", "http://h.example:8080/pic?z=1&a=2&b="),
        ("/p/a|b[1].jpg", "http://h.example:8080/p/a|b[1].jpg"),
        ("/写/真.jpg", "http://h.example:8080/%E5%86%99/%E7%9C%9F.jpg"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http:x.jpg", "http://h.example:8080/d/e/x.jpg"),
        ("a/%2e%2e/b", "http://h.example:8080/d/e/b"),
        ("mailto:me@example.com", "mailto:me@example.com"),
        ("file:///etc/passwd", "file:///etc/passwd"),
        ("http://user:pa@h.example/x", "http://user:pa@h.example/x"),
    ],
)
def test_resolves_as_browsers_do(raw: str, url: str) -> None:
    """White space, backslashes, dots, hosts and escapes come out as the WHATWG standard says."""
    assert resolve(PAGE, raw) == url


@pytest.mark.parametrize(
    "raw", ["http://[::bad/2.jpg", "http://exa mple/3.jpg", "http://h:99999/", "//", "https://%zz/"]
)
def test_impossible_urls_fail_with_a_reason(raw: str) -> None:
    """What is no URL raises the failure that the crawl reports."""
    with pytest.raises(Failed) as failed:
        resolve(PAGE, raw)
    assert failed.value.reason == "bad-url"


def test_the_query_is_written_in_the_encoding_of_the_page() -> None:
    """A GBK page's query goes out in GBK, its path in UTF-8; what GBK lacks becomes a character reference."""
    assert resolve(PAGE, "/pic?name=中文", "gbk") == "http://h.example:8080/pic?name=%D6%D0%CE%C4"
    assert resolve(PAGE, "/中?a", "gbk") == "http://h.example:8080/%E4%B8%AD?a"
    assert resolve(PAGE, "/?a=한&b;c=%41", "cp1252") == "http://h.example:8080/?a=%26%2354620%3B&b;c=%41"
    assert resolve(PAGE, "/?a=中", "utf-16-le") == "http://h.example:8080/?a=%E4%B8%AD"


URLISH = st.text(st.sampled_from("/.:?#%&=;@[]|\\ab2eEé中 \t\n\0-_~!$'()*+,\"<>^`{}"), max_size=24)
BASES = st.sampled_from(
    [PAGE, "https://h.example/", "http://127.0.0.1:8000/a/b/", "http://h/%7Eu/x", "http://h/a//b/c"]
)


@given(BASES, URLISH | URLISH.map(lambda rest: "http://h" + rest))
def test_fast_forms_agree_with_the_standard(base: str, raw: str) -> None:
    """Whatever the reference, the result is that of a full URL parser."""
    try:
        expected = ada_url.join_url(base, raw.split("#", 1)[0] if raw.strip("\0\t\n ").split("#")[0] else base)
    except ValueError:
        with pytest.raises(Failed):
            resolve(base, raw)
    else:
        assert resolve(base, raw) == expected.split("#")[0]


@given(st.text(max_size=40), st.text(max_size=40), st.sampled_from(["utf-8", "gb18030", "cp1252", "shift_jis"]))
def test_resolving_anything_raises_nothing_but_failed(base: str, raw: str, encoding: str) -> None:
    """Hostile text gives a URL or the failure bad-url."""
    with suppress(Failed):
        assert isinstance(resolve(base, raw, encoding), str)


RULES = IdentityRules(ignore_parameters=("sid", "utm_*"), strip_trailing_slash=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://h/a/", "http://h/a"),
        ("http://h", "http://h/"),
        ("http://h:80/a", "http://H/a"),
        ("https://h:443/a#x", "https://h/a"),
        ("http://h/%c3%a9", "http://h/%C3%A9"),
        ("http://h/?b=2&a=1", "http://h/?a=1&b=2"),
        ("http://h/?a=1&sid=9&utm_source=x", "http://h/?a=1"),
        ("http://h/a?sid=9", "http://h/a"),
    ],
)
def test_the_same_url_written_twice(one: str, other: str) -> None:
    """Spellings that lead to the same thing have one identity and one fingerprint."""
    assert identity(one, RULES) == identity(other, RULES)
    assert fingerprint(identity(one, RULES)) == fingerprint(identity(other, RULES))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://h/a", "http://h/A"),
        ("http://h/a%2Fb", "http://h/a/b"),
        ("http://h/a%252Fb", "http://h/a%2Fb"),
        ("http://h/?a=1", "http://h/?a=2"),
        ("http://h/?a=1&a=2", "http://h/?a=1"),
        ("http://h/a", "https://h/a"),
        ("http://h:81/a", "http://h/a"),
    ],
)
def test_different_urls_stay_different(one: str, other: str) -> None:
    """What a server may tell apart is not taken for the same."""
    assert identity(one, RULES) != identity(other, RULES)


def test_the_trailing_slash_can_count() -> None:
    """Without strip_trailing_slash a directory and a file are two URLs."""
    rules = IdentityRules(strip_trailing_slash=False)
    assert identity("http://h/a/", rules) != identity("http://h/a", rules)


@given(st.text(max_size=60))
def test_identity_is_stable_and_never_raises(url: str) -> None:
    """The identity of an identity is itself, whatever the text."""
    once = identity(f"http://h/{url}", RULES)
    assert identity(once, RULES) in (once, once.removesuffix("/"))
    assert -(2**63) <= fingerprint(once) < 2**63


def test_fingerprints_are_the_same_on_every_machine() -> None:
    """The number is part of the stored state, so it must never change."""
    assert fingerprint("http://h/a") == -6792865360714233030


def test_keys_are_by_kind() -> None:
    """A page is the same with and without its last slash, a picture is not; other rules are for both."""
    assert key_of("http://h/a/", "page") == key_of("http://h/a", "page") == fingerprint("http://h/a")
    assert key_of("http://h/a/", "picture") != key_of("http://h/a", "picture") == fingerprint("http://h/a")
    assert key_of("http://h/a?sid=1", "picture", RULES) == key_of("http://h/a", "page", RULES)
    assert key_of("http://h/a/", "page", IdentityRules(strip_trailing_slash=False)) == key_of("http://h/a/", "picture")


def test_host_keys_and_sites() -> None:
    """Limits count per host and port, sites are registrable domains."""
    assert host_key("https://User:pw@WWW.Example.com/x") == "www.example.com:443"
    assert host_key("http://[::1]:8000/x?y") == "[::1]:8000"
    assert host_key("http://h?x") == "h:80"
    assert host_key("http://h:0080/") == host_key("http://h:/") == "h:80"
    assert host_key("https://B\N{LATIN SMALL LETTER U WITH DIAERESIS}cher.example/") == "xn--bcher-kva.example:443"
    assert host_key("https://stra\N{LATIN SMALL LETTER SHARP S}e.example:8443") == "xn--strae-oqa.example:8443"
    assert site_of("http://img.a.example.co.uk/x") == "example.co.uk"
    assert site_of("http://127.0.0.1:8000/") == "127.0.0.1"
