"""All that can be said of one URL, put together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from picspider.explain.fetched import Fetched, fetch_page
from picspider.explain.file_name import FileName, Found, file_name
from picspider.explain.gate import Refusal, refusal
from picspider.explain.layer_verdict import LayerVerdict, layer_verdict
from picspider.explain.on_page import Target
from picspider.explain.stored import Known, holder_of, known
from picspider.links.page import Page
from picspider.places import Places
from picspider.strategy.layers import LayerStrategy

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from picspider.config.model import SiteConfig


@dataclass(frozen=True, slots=True)
class Explanation:
    """`refused` and `robots` say why the URL would not be asked; `robots_asked` whether robots.txt was looked at;
    `known` is its row in the output folder's store, `page` that of the page it was looked for on; `on_layer` the layer
    of that page, as far as it is known; `name_holder` the URL of the picture that has `file` already.
    """

    url: str
    on: str | None
    page_failed: Refusal | None
    refused: Refusal | None
    robots: Refusal | None
    robots_asked: bool
    layers: tuple[LayerVerdict, ...]
    known: Known | None
    page: Known | None
    on_layer: int | None
    file: FileName | None
    name_holder: str | None


def explain_url(config: SiteConfig, url: str, on: str | None, connection: Connection | None) -> Explanation:
    """Ask every rule of *config* about *url*; with *on*, as a link on that page, which is fetched.

    *connection* is that of the crawl's store, None when nothing was crawled yet. Raises `StoreError` when the page
    cannot be asked for.
    """
    refused = refusal(config, url)
    fetched = None if on is None else fetch_page(config, on, on if refused is not None else url)
    return Case(config, url, on, refused, fetched).explained(connection)


@dataclass(frozen=True, slots=True)
class Case:
    """The URL, and what was found out about it without the store."""

    config: SiteConfig
    url: str
    on: str | None
    refused: Refusal | None
    fetched: Fetched | None

    @property
    def page(self) -> Page | None:
        """The page it is looked for on."""
        return self.fetched.page if self.fetched is not None and isinstance(self.fetched.page, Page) else None

    def explained(self, connection: Connection | None) -> Explanation:
        """All together; *connection* is that of the store, if there is one."""
        rules = self.config.urls.rules
        on_row = known(connection, self.on, rules) if connection is not None and self.on is not None else None
        on_layer = on_row.layer if on_row is not None else self._entry_layer()
        layers = tuple(
            layer_verdict(self.config, layer, self.url, self.page, on_row.page if on_row is not None else 1)
            for layer in range(1, len(self.config.layers) + 1)
            if on_layer is None or layer == on_layer + 1
        )
        row = None
        if connection is not None:
            targets = {self.url: None, **{one.rewritten: None for one in layers if one.takes and one.rewritten}}
            row = next((found for target in targets if (found := known(connection, target, rules))), None)
        file = self._file(layers, self._found(connection, on_row, row))
        asked = self.fetched if self.refused is None else None
        return Explanation(
            url=self.url,
            on=self.on,
            page_failed=self.fetched.page if self.fetched and isinstance(self.fetched.page, Refusal) else None,
            refused=self.refused,
            robots=asked.robots if asked is not None else None,
            robots_asked=asked is not None and self.config.fetch.obey_robots,
            layers=layers,
            known=row,
            page=on_row,
            on_layer=on_layer,
            file=file,
            name_holder=holder_of(connection, file.key, row.id if row else 0) if connection and file else None,
        )

    def _entry_layer(self) -> int | None:
        """0 when the page is an entry page; else its layer is not known."""
        rules = self.config.urls.rules
        entry = self.on is not None and any(Target(self.on, "page", rules).is_at(url) for url in self.config.entry)
        return 0 if entry else None

    def _found(self, connection: Connection | None, on_row: Known | None, row: Known | None) -> Found:
        """Where the picture stands: on the page it is looked for on, else where the crawl found it."""
        places = None if connection is None else Places(connection)
        if places is not None and self.on is None and row is not None and row.kind == "picture":
            return Found(row.url, row.layer, places.of(row.parent), row.text, row.position)
        place = places.of(on_row.id) if places is not None and on_row is not None else None
        return Found(self.url, len(self.config.layers), place)

    def _file(self, layers: tuple[LayerVerdict, ...], found: Found) -> FileName | None:
        last = len(self.config.layers)
        verdict = next((one for one in layers if one.layer == last and one.takes), None)
        if verdict is None:
            return None
        found = replace(found, url=verdict.rewritten or self.url)
        if self.page is not None:
            visits = LayerStrategy(self.config).look(self.page, last - 1, 1).visits
            wanted = Target(found.url, "picture", self.config.urls.rules)
            visit = next((one for one in visits if wanted.is_at(one.url)), None)
            if visit is not None:
                found = replace(found, text=visit.text, position=visit.position)
        return file_name(self.config.pictures.name, found)
