"""In which order a crawl fetches the pages of a web: each order is an iterator of paths, one per fetch."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator
from heapq import heappop, heappush

from topic_web import Web

from picspider.topic import TopicModel


def breadth_first(web: Web) -> Iterator[str]:
    """First found, first fetched."""
    return _by(web, lambda waiting: waiting.popleft())


def depth_first(web: Web) -> Iterator[str]:
    """The first link of the page fetched last."""
    waiting, seen = [web.start], {web.start}
    while waiting:
        path = waiting.pop()
        yield path
        new = dict.fromkeys(link.path for link in web.pages[path].links if link.path not in seen)
        seen.update(new)
        waiting.extend(reversed(new))


def at_random(web: Web, seed: int) -> Iterator[str]:
    """Any of those found."""
    draw = random.Random(seed)

    def take(waiting: deque[str]) -> str:
        waiting.rotate(draw.randrange(len(waiting)))
        return waiting.popleft()

    return _by(web, take)


def one_step_oracle(web: Web, relevant: frozenset[str]) -> Iterator[str]:
    """Knows of every link found whether it is relevant, and of no other; else breadth-first."""
    good: deque[str] = deque()
    other: deque[str] = deque([web.start])
    seen = {web.start}
    while good or other:
        path = (good or other).popleft()
        yield path
        for link in web.pages[path].links:
            if link.path not in seen:
                seen.add(link.path)
                (good if link.path in relevant else other).append(link.path)


def best_first(web: Web, model: TopicModel, explore_every: int = 0) -> Iterator[str]:
    """The link that *model* scores highest, the older of equals; a link met again keeps its best score.

    Every *explore_every*-th fetch (0: never) goes to the link that has waited longest, whatever its score.
    """
    best: dict[str, float] = {web.start: 0.0}
    order: dict[str, int] = {web.start: 0}
    heap = [(0.0, 0, web.start)]
    oldest = deque([web.start])
    fetched: set[str] = set()
    while heap:
        exploring = explore_every and oldest and len(fetched) % explore_every == explore_every - 1
        path = oldest.popleft() if exploring else heappop(heap)[2]
        if path in fetched:
            continue
        fetched.add(path)
        yield path
        page = web.pages[path]
        model.observe(page.text)
        score = model.score_page(page.text.title, page.text.text, page.text.url, inherited=best[path])
        for link in page.links:
            worth = model.score_link(link.text, link.context, web.url(link.path), score)
            if link.path not in order:
                order[link.path] = len(order)
                oldest.append(link.path)
            if link.path not in fetched and worth > best.get(link.path, -1.0):
                best[link.path] = worth
                heappush(heap, (-worth, order[link.path], link.path))


def _by(web: Web, take: Callable[[deque[str]], str]) -> Iterator[str]:
    waiting, seen = deque([web.start]), {web.start}
    while waiting:
        path = take(waiting)
        yield path
        for link in web.pages[path].links:
            if link.path not in seen:
                seen.add(link.path)
                waiting.append(link.path)
