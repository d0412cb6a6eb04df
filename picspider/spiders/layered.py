"""The spider `layered`: from the entry page, layer by layer, down to the pictures."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from scrapy import Request

from picspider.answers import page_of
from picspider.config.load import load_config
from picspider.errors import Failed
from picspider.links.stated import stated_in
from picspider.records import Answer, PageRead
from picspider.spiders.crawl import CrawlSpider
from picspider.strategy.chains import ChainEnd, Chains
from picspider.strategy.layers import LayerStrategy, goes_in_circles
from picspider.strategy.renewals import renewals
from picspider.visit import Note, meta_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self

    from picspider.config.model import SiteConfig
    from picspider.links.page import Page
    from picspider.records import ChainPage
    from picspider.spiders.album_topic import AlbumTopic
    from picspider.strategy.layers import Look

logger = logging.getLogger(__name__)


class LayeredSpider(CrawlSpider):
    """``scrapy crawl layered -a config=site.yaml [-a output=DIR] [-a retry=all|DIR/failures.json]``."""

    name = "layered"
    config: SiteConfig

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._chains = Chains(self._chain_page)
        self._strategy: LayerStrategy | None = None
        self.album_topic: AlbumTopic | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """As `CrawlSpider`."""
        spider = super().from_crawler(crawler, *args, **kwargs)
        if spider.config.topic is not None:
            from picspider.spiders.album_topic import AlbumTopic  # noqa: PLC0415 - topics have libraries of their own

            spider.album_topic = AlbumTopic.of(crawler, spider.config, spider.store)
        return spider

    @classmethod
    def load(cls, source: str, overrides: dict[str, str]) -> SiteConfig:
        """A site config."""
        return load_config(source, overrides)

    @classmethod
    def layer_names(cls, config: SiteConfig) -> tuple[str, ...]:
        """Names of layers 1, 2, …, the last one the pictures'."""
        return tuple(str(layer.name) for layer in config.layers)  # the config has given each one

    @property
    def strategy(self) -> LayerStrategy:
        """The rules of the config."""
        if self._strategy is None:
            self._strategy = LayerStrategy(self.config)
        return self._strategy

    def read_page(self, response: Response, request: Request, note: Note) -> list[Request]:
        """Take the links of a page, unless a redirect led onto one that is known."""
        original = self.moved_onto(response, note)
        if original:
            self.end_as_repeat(request, note, response, original, "url")
            return []
        page = page_of(response)
        look = self.strategy.look(page, note.layer, note.page)
        if look.refresh is not None:
            return self._refreshed(request, note, look.refresh)
        answer = Answer.to(note, response.url, response.status)
        if response.url != request.url:
            answer = answer._replace(final_url=response.url)
        topic = self.album_topic
        score, refusal = topic.rate(page, look, note, answer) if topic is not None else (None, None)
        if refusal is not None:
            self.frontier.ledger.end(request, refusal)
            return []
        self._tell(page, look, note, response)
        self._renew(look, note)
        requests = [self.request_for(visit, note, response.url) for visit in look.visits]
        if look.next_pages and not self._ends_here(note, look, response.url):
            requests += [self.request_for(visit, note, response.url, chain=note.chain) for visit in look.next_pages]
        self.frontier.ledger.end(
            request,
            PageRead(
                answer,
                links=len(look.visits),
                content=look.content,
                score=score,
                # A page with one link is a step on the way to a picture; an album says how many it has.
                stated=stated_in(page.text) if note.page == 1 and len(look.visits) > 1 else None,
            ),
        )
        return requests

    def _refreshed(self, request: Request, note: Note, url: str) -> list[Request]:
        """Follow a page that sends the browser on: the same row, as with a redirect."""
        if goes_in_circles(url, note.redirects):
            self.lose(request, Failed("redirect-loop", f"the page sends the browser round in circles, to {url}"), None)
            return []
        moved = note._replace(redirects=(*note.redirects, request.url), parent_url=request.url)
        return [Request(url, self.parse, dont_filter=True, errback=self.failed, meta=meta_of(moved))]

    def _renew(self, look: Look, note: Note) -> None:
        """Give failed pictures of this page, whose addresses have expired, the addresses that it shows now."""
        if self.beginning not in ("retry", "refresh"):
            return
        fresh = renewals(look.visits, self.frontier.ledger.expired_below(note.id))
        for row in self.frontier.ledger.renew([(row, visit.url) for row, visit in fresh.items()]):
            look.visits.remove(fresh[row])

    def _chain_page(self, row: int) -> ChainPage | None:
        return self.frontier.lookups.chain_page(row)

    def _ends_here(self, note: Note, look: Look, url: str) -> bool:
        """Whether the chain is not followed beyond this page; an endless one that offers nothing is told."""
        end = self._chains.end_at(note, look)
        if self.strategy.stops_chain(note.page):
            return True
        if end is ChainEnd.dry:
            if self.config.limits.next_pages is not None:
                return False
            logger.warning("%s: %s, so this chain ends here; set limits.next_pages to go further", url, end.value)
        elif end is ChainEnd.repeated:
            logger.info("%s: %s, so this chain ends here", url, end.value)
        return end is not None

    def _tell(self, page: Page, look: Look, note: Note, response: Response) -> None:
        """What the user should know of this page."""
        stats = self.crawler.stats
        if note.layer < self.strategy.last:
            name = self.config.layers[note.layer].name
            stats.inc_value(f"picspider/layer/{name}/pages_read")
            stats.inc_value(f"picspider/layer/{name}/found", len(look.visits))
            if look.other_sizes:
                stats.inc_value("picspider/other_sizes", look.other_sizes)
        for raw, why in look.bad_links:
            logger.warning("A link on %s is no URL (%r): %s", response.url, raw[:200], why)
        if not look.next_pages and b"post" in response.body.lower():
            rule = self.config.paging_of(note.layer)
            if rule is not None and rule.post_form(page) is not None:
                logger.warning(
                    "%s: the next page can only be had by sending a form (POST), which is not done", response.url
                )
