from __future__ import annotations

from contextlib import suppress
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_core import PydanticCustomError

from picspider.regexes.ambiguity import explosion
from picspider.regexes.checked import checked

ORDINARY = r"""
.*/p/\d+-\d+\.jpg$
(jpe?g|png)$
/g/[^/]+/(page\d+\.html)?$
\.(jpe?g|png|webp|gif|avif)$
^https?://[^/]+/(?:[^/]+/)*[^/]+\.jpe?g$
.*/g/.*/p.*\.jpg$
https?://.*/.*/.*/.*\.jpg$
href="(/photo/[^"]+)"
(\d{1,3}\.){3}\d{1,3}
/\d{4}/\d{2}/\d{2}/[\w-]+/?$
(?i)\.(JPE?G|PNG)(\?.*)?$
(?P<url>https?://[^"\s]+\.(?:jpe?g|png))
/(\w+-)+\d+\.html
[a-z]+[^/]*\.jpg$
(?:%[0-9A-F]{2})+
([\w-]+\.)+\w+/
([0-9a-f]{8}-?)+$
\w{1,20}\w{1,20}\w{1,20}$
(?:/[a-z0-9]+(?:-[a-z0-9]+)*)+/?$
(\d+\s)*x
图片/\d+
(é|à)*x
/(?!thumb)[^/]+/.*\.jpg$
(["'])(?P<url>.*?)\1
(?:(?:foo|bar|baz|qux)/)*x
[^"]*"([^"]*)"[^"]*"([^"]*)"
^(?=.*a)(?=.*b).*\.jpg$
\s*\w+\s*=\s*\w+\s*$
(a|b)?(?(1)c|d)+
""".strip().splitlines()

CATASTROPHIC = r"""
(a+)+$
(a|a)*$
(a|aa)+$
(\w+\s?)*$
(.*)*x
(x+x+)+y
([a-zA-Z]+)*\d
(.*?,){12}P
\d+\d+\d+$
^(([a-z])+.)+[A-Z]([a-z])+$
(a*b?)*c
(?:[^/]+/?)+\.jpg$
([\w.]+)+@
(\d+|\d)*x
(?:.*/)*[^/]+$
(a?b?)*c
(\d{1,50}){1,50}$
.*.*.*=.*
\w*[a-z]*.*x
(?=(a+)+b)a
(?:a|b|ab)*c
(?i)(A+|a+)*b
([^"]+|\\.)*"
(\w+-?)+$
(a{2,5}){2,}x
^(a+){10}$
(\w*)\1*$
(图+)+x
(?:я+|[а-я]+)*$
""".strip().splitlines()


@pytest.mark.parametrize("pattern", ORDINARY)
def test_ordinary_rules_are_taken_quickly(pattern: str) -> None:
    """A rule as users write it costs little to check."""
    begun = process_time()
    assert checked(pattern) == pattern
    assert process_time() - begun < 0.5


@pytest.mark.parametrize("pattern", CATASTROPHIC)
def test_catastrophic_rules_are_refused(pattern: str) -> None:
    """A rule that a hostile address can stop for ever is refused."""
    with pytest.raises(PydanticCustomError, match="is a catastrophic regex"):
        checked(pattern)


def test_possessive_and_atomic_repeats_give_nothing_back() -> None:
    """What cannot be given back cannot be tried in many ways."""
    pytest.importorskip("re._parser", reason="before Python 3.11 there is no such syntax")
    assert explosion("(?:a++)+b") is None
    assert explosion("(?>a+)*b") is None


def test_a_huge_bounded_repeat_is_judged_without_unrolling() -> None:
    """The check itself does not explode."""
    begun = process_time()
    explosion("((((a{1,9}){1,9}){1,9}){1,9}){1,9}b" + "(c|d){1,1000}" * 20)
    assert process_time() - begun < 2


@settings(deadline=None)
@given(st.text("ab1(|)*+?{}[]^$\\dws.,:=!<>-é", max_size=40))
def test_any_text_is_taken_or_refused_as_a_regex(text: str) -> None:
    """The check has no answer but yes and no, and gives it soon."""
    begun = process_time()
    with suppress(PydanticCustomError):
        checked(text)
    assert process_time() - begun < 5
