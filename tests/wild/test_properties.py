"""Properties on inputs that are nearly right, where those on noise see only refusals. Each counts what it has seen."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from picspider.config.load import load_any_config
from picspider.errors import ConfigError, Failed
from picspider.links.candidate import compacted
from picspider.links.charset import decode
from picspider.links.parsed import Parsed
from picspider.links.scan import scan
from picspider.urls import IdentityRules, identity, resolve
from tests.wild.test_links import CASES

SHIPPED = [path.read_text(encoding="utf-8") for path in sorted((Path(__file__).parents[2] / "configs").glob("*.yaml"))]
PAGES = [html for html, _ in CASES.values()]
ENOUGH = 20


@st.composite
def nearly(draw: st.DrawFn, whole: list[str]) -> str:
    """One of *whole* with up to three edits: a piece of another one put in, a piece cut out, a character changed."""
    text = draw(st.sampled_from(whole))
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.sampled_from([0, 1, 1, 5, 40])))
        other = draw(st.sampled_from(whole))
        place = draw(st.integers(0, len(other)))
        piece = draw(st.sampled_from(["", " ", '"', "<", ">", ":", "- ", other[place : place + 30]]))
        text = text[:start] + piece + text[end:]
    return text


def test_configs_that_are_nearly_right() -> None:
    """An edit makes another config or one that is refused in words, and the edits make both."""
    seen: Counter[bool] = Counter()

    @settings(max_examples=200, deadline=None)
    @given(nearly(SHIPPED))
    def check(text: str) -> None:
        try:
            load_any_config(text + "\n")
        except ConfigError as error:
            seen[False] += 1
            assert str(error)  # noqa: PT017 - either outcome is right
        else:
            seen[True] += 1

    check()
    assert seen[True] > ENOUGH
    assert seen[False] > ENOUGH


def test_scanner_and_parser_agree_on_pages_of_the_wild() -> None:
    """Edited pages: what the scanner does not give up on has the same links, and that is many pages with links."""
    seen: Counter[str] = Counter()

    @settings(max_examples=600, deadline=None)
    @given(nearly(PAGES))
    def check(html: str) -> None:
        scanned = scan(html)
        if scanned is None:
            return
        parsed = Parsed(html)
        ours: dict[int, int] = {}
        theirs: dict[int, int] = {}
        assert scanned.base() == parsed.base()
        assert [scanned.describe(index, each.raw, ours) for index, each in enumerate(scanned.candidates)] == [
            parsed.describe(index, each.raw, theirs) for index, each in enumerate(parsed.candidates)
        ]
        assert list(scanned.beginning_with(compacted("x"))) == list(parsed.beginning_with(compacted("x")))
        seen["with links" if scanned.candidates else "without"] += 1

    check()
    assert seen["with links"] > ENOUGH


def test_what_was_resolved_stays_as_it_is() -> None:
    """A URL is absolute, pure ASCII, resolves to itself from anywhere, and is the same as itself."""
    seen: Counter[bool] = Counter()
    parts = st.sampled_from(
        ["/", "//", "..", ".", "?", "#", "%2F", "%2e", ":", "@", "a", "é", "图", " ", "\\", "=&", "\t"]
    )
    references = st.lists(parts, max_size=12).map("".join) | st.text(max_size=20)
    encodings = st.sampled_from(["utf-8", "gb18030", "cp932", "iso2022_jp", "cp1252"])

    @settings(max_examples=400, deadline=None)
    @given(references, references, encodings)
    def check(path: str, raw: str, encoding: str) -> None:
        try:
            url = resolve(resolve("http://h.ex/", path), raw, encoding)
        except Failed as failed:
            assert failed.reason == "bad-url"  # noqa: PT017 - either outcome is right
            seen[False] += 1
            return
        if url.startswith("http"):
            seen[True] += 1
            assert url.isascii()
            assert resolve("http://other.ex/b/", url) == url
            assert identity(identity(url), IdentityRules(strip_trailing_slash=False)) == identity(url)

    check()
    assert seen[True] > ENOUGH * 5


@pytest.mark.parametrize(
    "encoding", ["utf-8", "gb18030", "cp932", "euc_jp", "big5hkscs", "cp949", "koi8_r", "utf-16-le"]
)
def test_what_is_declared_rightly_is_read_rightly(encoding: str) -> None:
    """Text in the encoding that the server names comes out as it was written."""
    kana = "写真次へカタカナ"
    letters = "abc <>/='\"" + {
        "gb18030": "图库下一页风景", "cp932": kana, "euc_jp": kana, "big5hkscs": "圖庫下一頁",
        "cp949": "사진다음", "koi8_r": "Картинки",
    }.get(encoding, "éß图写真Картинки사진😀")  # fmt: skip

    @settings(max_examples=60, deadline=None)
    @given(st.text(st.sampled_from(letters), min_size=1, max_size=60))
    def check(text: str) -> None:
        page = f"<html><title>{text}</title>"
        assert decode(page.encode(encoding), encoding)[0] == page

    check()
