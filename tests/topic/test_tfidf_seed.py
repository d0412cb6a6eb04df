"""W = Avg(TF) · (1/(log(nDoc/n) + 1/log(nDoc − 1)))."""

from __future__ import annotations

from math import isclose, log

import pytest

from picspider.errors import ConfigError
from picspider.topic import PageText, Topic
from picspider.topic.tfidf_seed import TfidfSeed, seed_weights, term_weight

SEEDS = Topic.from_text("tank tank ship\n\ntank radar\n\ntank ship\n\ntank")


def test_weights_worked_out_by_hand() -> None:
    """Of 4 documents, 1/log 3 = 0.91024; tank: TF 5/4, n 4: 1.25/0.91024; ship: 2/4, n 2: 0.5/(0.69315 + 0.91024)."""
    weights = seed_weights(SEEDS)
    assert isclose(weights["tank"], 1.3732653608351372)
    assert isclose(weights["ship"], 0.31183998926202305)
    assert isclose(weights["radar"], 0.25 / (log(4) + 1 / log(3)))


def test_a_word_of_all_documents_weighs_its_count_times_the_log() -> None:
    """log(N/N) = 0 leaves Avg(TF) · log(N − 1): the formula favours what the seed pages share."""
    assert isclose(term_weight(2.0, 10, 10), 2 * log(9))
    assert term_weight(1.0, 10, 10) > term_weight(1.0, 10, 5) > term_weight(1.0, 10, 1)


@pytest.mark.parametrize("documents", [1, 2])
def test_fewer_than_three_documents_are_refused(documents: int) -> None:
    """log(N − 1) is undefined or 0."""
    with pytest.raises(ConfigError, match="at least 3 seed pages"):
        TfidfSeed(Topic.from_text("\n\n".join(["tank"] * documents)))


def test_the_score_is_five_times_the_cosine() -> None:
    """A page of the word tank alone: 5 · 1.37327 / √(1.37327² + 0.31184² + 0.10886²) = 4.861."""
    model = TfidfSeed(SEEDS)
    page = model.score_page("", "tank tank", "https://army.example/")
    assert isclose(page.score, 4.861, abs_tol=0.001)
    assert page.title_cosine == 0
    assert model.relevant(page.score)
    assert not model.relevant(model.score_page("Gardening", "roses", "https://army.example/").score)


def test_seed_pages_score_above_other_pages() -> None:
    """Whoever is most like the seeds is crawled first."""
    seeds = [PageText("", "Tanks", f"tank ship armour number{n}") for n in range(3)]
    model = TfidfSeed(Topic.from_pages(seeds))
    like = model.score_page("Tanks", "armour of a tank", "https://army.example/1")
    unlike = model.score_page("Ships", "a ship at sea", "https://army.example/2")
    assert model.score_link("", "", "https://army.example/3", like) > model.score_link("", "", "", unlike)
