from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from picspider.report.visible import visible, without_password


@given(st.text())
def test_nothing_acts_any_more(text: str) -> None:
    """Whatever comes in, what comes out has no control, escape or direction sign, and encodes to UTF-8."""
    shown = visible(text)
    assert not any(ord(sign) < 32 or 127 <= ord(sign) < 160 or 0x202A <= ord(sign) <= 0x202E for sign in shown)
    shown.encode("utf-8")


def test_acting_characters_are_spelt_out() -> None:
    """An escape sequence and a right-to-left override become letters; a line end becomes a space."""
    assert visible("\x1b[2Ja\nb\u202e.") == r"\x1b[2Ja b\u202e."


def test_passwords_are_left_out() -> None:
    """The user and password of a URL go; an @ elsewhere stays."""
    assert without_password("see https://me:pw@a.example/b@c?d@e") == "see https://a.example/b@c?d@e"
    assert without_password("mail me@a.example") == "mail me@a.example"
