"""What holds for every model."""

from __future__ import annotations

import json
from heapq import heappop, heappush

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from picspider.topic import DEFAULT_MODEL, MODELS, PageText, Topic, TopicModel

TOPIC = Topic.from_text("orchid flowers\n\norchid roots 兰花\n\norchid leaves")
ROOMS = ("orchids", "steam engines", "medieval coins", "sailing ships", "card games", "city maps")
TEXT = st.text(max_size=200)


@pytest.mark.parametrize("name", MODELS)
def test_the_table_gives_each_model_its_name(name: str) -> None:
    """The key is the name, and the default is in the table."""
    assert MODELS[name].name == name
    assert DEFAULT_MODEL in MODELS


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=60, deadline=None)
@given(texts=st.tuples(TEXT, TEXT, TEXT, TEXT, TEXT))
def test_whatever_the_text_scores_stay_in_range(name: str, texts: tuple[str, str, str, str, str]) -> None:
    """Scores lie in 0 to 5, cosines in 0 to 1, and nothing raises."""
    title, text, anchor, context, path = texts
    model = MODELS[name](TOPIC)
    url = f"https://site.example/{path}"
    model.observe(PageText(url, title, text))
    page = model.score_page(title, text, url, inherited=0.5)
    assert 0 <= page.score <= 5.000001
    assert 0 <= page.title_cosine <= 1.000001
    assert 0 <= page.body_cosine <= 1.000001
    assert 0 <= model.score_link(anchor, context, url, page) <= 5.000001


@pytest.mark.parametrize("name", MODELS)
def test_best_first_finds_a_room_of_a_museum_sooner(name: str) -> None:
    """Six rooms of 30 pages in chains: breadth-first needs about 180 fetches for one room, best-first a third."""
    assert fetches_to_find_the_orchids(MODELS[name](TOPIC)) <= 60


def fetches_to_find_the_orchids(model: TopicModel) -> int:
    """Crawl the museum best-first until all 30 pages of the room of orchids are fetched."""
    heap = [(-5.0, found_as, found_as, 0) for found_as in range(len(ROOMS))]
    fetches = found = 0
    while found < 30:
        _, _, room, number = heappop(heap)
        fetches += 1
        found += room == 0
        name = ROOMS[room]
        text = f"{name} number {number}: flowers" if room == 0 else f"{name} number {number}: a showcase"
        url = f"https://museum.example/{room}/{number}"
        model.observe(PageText(url, name, text))
        page = model.score_page(name, text, url)
        if number < 29:
            worth = model.score_link("next", "next page", f"https://museum.example/{room}/{number + 1}", page)
            heappush(heap, (-worth, len(ROOMS) + fetches, room, number + 1))
    return fetches


@pytest.mark.parametrize("name", MODELS)
def test_a_model_goes_on_from_what_another_has_learned(name: str) -> None:
    """What was learned survives JSON, and gives the same scores as before; of another topic only the words shared."""
    first, second = MODELS[name](TOPIC), MODELS[name](TOPIC)
    for number in range(5):
        first.observe(PageText(f"https://a.example/{number}", "orchid", "orchid roots in the museum " * number))
    second.remember(json.loads(json.dumps(first.learned())))
    shown = ("Orchid flowers", "orchid flowers and roots", "https://a.example/orchid")
    assert second.score_page(*shown) == first.score_page(*shown)
    other = MODELS[name](Topic.from_text("ships\n\nships and masts\n\nships"))
    other.remember(first.learned())
    assert other.score_page("ships", "ships", "https://a.example/").score > 0
