from __future__ import annotations

from pathlib import Path

import pytest

from picspider.config.topic import Topic as Section
from picspider.errors import ConfigError
from picspider.strategy.topic_source import model_of, threshold_like
from picspider.topic import DEFAULT_MODEL, PageText

SEEDS = [
    PageText(f"https://a.example/{number}", f"Orchid number {number}", "Orchids flower in spring, high up in trees.")
    for number in range(4)
]


def score(section: Section, text: str, seeds: list[PageText] | None = None) -> float:
    """What the model of *section* gives a page with *text* as title and body."""
    return model_of(section, seeds or []).score_page(text, text, "https://a.example/").score


def test_text_and_file_make_one_topic(tmp_path: Path) -> None:
    """Words of either are on the topic, whichever the config gives."""
    file = tmp_path / "topic.txt"
    file.write_text("\ufeffalpine gentian\n", encoding="utf-8")
    both = Section(text="orchid", file=str(file))
    assert score(both, "orchid") > 0
    assert score(both, "gentian") > 0
    assert score(both, "steam engine") == 0


def test_defaults() -> None:
    """Without a model it is the default one, with its own threshold; a written threshold counts."""
    model = model_of(Section(text="orchid"))
    assert model.name == DEFAULT_MODEL
    assert model.threshold == model.default_threshold
    assert model_of(Section(text="orchid", threshold=3.5, model="vsm-4b-c")).threshold == 3.5


def test_seed_pages_are_documents() -> None:
    """Pages alone make a topic."""
    assert score(Section(pages=("https://a.example/0",), model="tfidf-seed"), "orchids flower", SEEDS) > 2


def test_refusals(tmp_path: Path) -> None:
    """Too few documents, no words, or a file that is no text: told before anything is fetched."""
    with pytest.raises(ConfigError, match="at least 3"):
        model_of(Section(text="orchid", model="tfidf-seed"))
    with pytest.raises(ConfigError, match="empty"):
        model_of(Section(text="…"))
    file = tmp_path / "topic.txt"
    file.write_bytes(b"\xff\xfe\x00\xd8")
    with pytest.raises(ConfigError, match="cannot be read as UTF-8"):
        model_of(Section(file=str(file)))


def test_threshold_like_the_seed_pages() -> None:
    """Four pages of a kind suggest a threshold below their own scores; one page suggests nothing."""
    suggested = threshold_like(Section(pages=("https://a.example/0",)), SEEDS)
    assert suggested is not None
    assert 0 < suggested < 5
    assert threshold_like(Section(pages=("https://a.example/0",)), SEEDS[:1]) is None
