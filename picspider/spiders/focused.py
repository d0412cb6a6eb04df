"""The spider `focused`: from page to page, the most promising link first; pages on the topic are stored."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from scrapy import Request

from picspider.answers import page_of
from picspider.config.load import load_topic_config
from picspider.errors import Failed
from picspider.records import Answer, PageRead, Skipped
from picspider.spiders.crawl import CrawlSpider
from picspider.spiders.crawl_topic import CrawlTopic, entry_addresses
from picspider.spiders.page_files import PageFiles
from picspider.strategy.topic import TopicStrategy, judge

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self

    from picspider.config.model import TopicConfig
    from picspider.links.page import Page
    from picspider.records import Outcome
    from picspider.strategy.topic import Judged, Leads
    from picspider.visit import Note

PAGE_TYPES = ("", "text/html", "text/plain", "text/xml", "application/xhtml+xml", "application/xml")


class FocusedSpider(CrawlSpider):
    """``scrapy crawl focused -a config=topic.yaml [-a output=DIR] [-a retry=all|DIR/failures.json]``."""

    name = "focused"
    # What the audit looks for are gaps in albums; here there are none.
    audited = False
    tells_page_repeats = False
    config: TopicConfig
    topic: CrawlTopic
    files: PageFiles

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """As `CrawlSpider`."""
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.topic = CrawlTopic(crawler, spider.config.topic, spider.store, judges=True)
        spider.files = PageFiles(spider.output)
        return spider

    @classmethod
    def load(cls, source: str, overrides: dict[str, str]) -> TopicConfig:
        """A topic config."""
        return load_topic_config(source, overrides)

    @classmethod
    def layer_names(cls, config: TopicConfig) -> tuple[str, ...]:  # noqa: ARG003 - the base's signature
        """Layers are clicks from the entry here, and have no names."""
        return ()

    @cached_property
    def strategy(self) -> TopicStrategy:
        """The rules of the config."""
        strategy = TopicStrategy(self.config, self.topic.model)
        for url in entry_addresses(self.store.connection):
            strategy.kinds.add_entry(url)
        return strategy

    def read_page(self, response: Response, request: Request, note: Note) -> list[Request]:
        """Judge a page, keep it when it is on the topic, and take its links."""
        original = self.moved_onto(response, note)
        if original:
            self.end_as_repeat(request, note, response, original, "url")
            return []
        page = page_of(response)
        if not reads_as_page(page):
            self.lose(request, Failed("not-a-page", f"{page.content_type} came instead of a page"), response)
            return []
        if not note.layer:
            self.strategy.kinds.add_entry(response.url)
        judged = judge(self.topic.model, page, self.strategy.inherited_by(note.layer, note.priority))
        self.topic.learned_from_page()
        found = self.strategy.look(page, judged, note.layer)
        try:
            outcome = self._outcome(response, note, page, judged, len(found.visits))
        except OSError as exc:
            self.lose(request, Failed("storage", f"the page could not be written: {exc}"), response)
            return []
        self._count(judged, found)
        self.frontier.ledger.end(request, outcome)
        requests = [
            self.request_for(visit, note, response.url, repeats=self.tells_page_repeats) for visit in found.visits
        ]
        if judged.relevant and self.config.wants_pictures:
            pictures = self.strategy.pictures(page, judged, note.layer)
            requests += [self.request_for(visit, note, response.url) for visit in pictures]
        return requests

    def _outcome(self, response: Response, note: Note, page: Page, judged: Judged, links: int) -> Outcome:
        asked_for = note.redirects[0] if note.redirects else response.url
        answer, score = Answer.to(note, response.url, response.status), judged.score.score
        if not judged.relevant:
            self.files.remove(asked_for)
            message = f"its score is {score:.2f}; relevant is what is above {self.topic.model.threshold:.2f}"
            return Skipped(answer, "off-topic", message, bytes=len(response.body), score=score)
        return PageRead(answer, links, content=0, score=score, kept=self.files.write(asked_for, response, page, judged))

    def _count(self, judged: Judged, found: Leads) -> None:
        stats = self.crawler.stats
        stats.inc_value("picspider/harvest/fetched")
        stats.inc_value("picspider/harvest/relevant", int(judged.relevant))
        rate = stats.get_value("picspider/harvest/relevant") / stats.get_value("picspider/harvest/fetched")
        stats.set_value("picspider/harvest/rate", round(rate, 4))
        for kind, number in found.kinds.items():
            stats.inc_value(f"picspider/links/{kind}", number)


def reads_as_page(page: Page) -> bool:
    """Whether what came is a page by its content type; without one, it is taken for a page."""
    return (page.content_type or "").partition(";")[0].strip().lower() in PAGE_TYPES
