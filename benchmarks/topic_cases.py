"""The benchmark's topics, read from `topic_cases.yaml`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ruamel.yaml import YAML
from topic_orders import breadth_first
from topic_web import Web

from picspider.topic import PageText

FILE = Path(__file__).with_name("topic_cases.yaml")


@dataclass(frozen=True, slots=True)
class Case:
    """A topic on a site. `wordings` are three: a list of words, two or three words, a sentence."""

    name: str
    site: str
    places: tuple[str, ...]
    wordings: tuple[str, ...]

    def relevant(self, web: Web) -> frozenset[str]:
        """The paths of the pages on the topic, by their place in the site."""
        if not self.places[0].isdigit():
            return frozenset(path for path in web.pages if path.startswith(self.places))
        entries = web.pages[web.start].links
        return frozenset(link.path for link in entries if link.text.partition(".")[0] in self.places)

    def seeds(self, web: Web, count: int) -> list[PageText]:
        """The first *count* pages on the topic that a breadth-first crawl meets."""
        relevant = self.relevant(web)
        found = [path for path in breadth_first(web) if path in relevant]
        return [web.pages[path].text for path in found[:count]]


def cases() -> list[Case]:
    """All topics."""
    rows = YAML(typ="safe").load(FILE.read_text(encoding="utf-8"))
    return [Case(row["name"], row["site"], tuple(row["places"]), tuple(row["wordings"])) for row in rows]
