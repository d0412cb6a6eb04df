"""How sure the learner says that it is."""

from __future__ import annotations

import random

from picspider.learn.default import learn_default


def test_what_cannot_be_told_apart_is_told() -> None:
    """Names drawn alike, of which half belong: negatives match or are listed around, and the confidence says so."""
    draw = random.Random(4)
    urls = [f"http://h.example/p/{draw.getrandbits(64):016x}.jpg" for _ in range(80)]
    sure = learn_default(urls[:40], [f"http://h.example/a/{number}" for number in range(40)], [])
    torn = learn_default(urls[:40], urls[40:], [])
    assert torn.confidence < 0.1 < sure.confidence
    assert "Not all negatives could be refused" in torn.explanation
    assert "Not all negatives" not in sure.explanation
