"""The config as a whole: `SiteConfig` for the spider `layered`, `TopicConfig` for `focused`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, field_validator, model_validator

from picspider.config.entries import MAX_ENTRIES, check_url, expand
from picspider.config.fetch import Fetch
from picspider.config.layers import Layer
from picspider.config.limits import Limits
from picspider.config.name_template import layers_in
from picspider.config.next_page import NextPage
from picspider.config.pictures import Pictures
from picspider.config.section import Section, Text, emptied, one_or_more
from picspider.config.topic import Topic
from picspider.config.urls import Urls
from picspider.errors import wrong
from picspider.paging import PagingRule

_REMOTE = ("s3", "gs", "ftp")
Order = Literal["breadth", "depth", "best"]  # as in `frontier.orders.ORDERS`, which the config is below of


def _entry(value: str) -> str:
    check_url(next(expand(value)))
    return value


def _expanded(values: tuple[str, ...]) -> tuple[str, ...]:
    if not values:
        wrong("is empty", "write the address of the entry page")
    found = [check_url(url) for value in values for url in expand(value)]
    if len(found) > MAX_ENTRIES:
        wrong(f"stands for {len(found)} addresses", f"at most {MAX_ENTRIES} are allowed")
    return tuple(dict.fromkeys(found))


def _output(value: str) -> str:
    scheme, mark, _ = value.partition("://")
    if mark and scheme not in _REMOTE:
        wrong("is neither a folder nor an s3://, gs:// or ftp:// address", "write a folder, such as downloads/nature")
    if not value.strip() or "\0" in value:
        wrong("is no folder", "write a folder, such as downloads/nature")
    return value


def _store(value: str) -> str:
    dialect, mark, rest = value.partition("://")
    if not mark or not dialect or not rest:
        wrong("is not a database address", "write it as postgresql+psycopg://user@host/database, or null")
    return value


class Crawl(Section):
    """What both spiders' configs have in common."""

    entry: Annotated[tuple[Annotated[str, AfterValidator(_entry)], ...], one_or_more, AfterValidator(_expanded)] = (
        Field(
            description="Address of the entry page, or a list; {1..9}, {001..120} and {0..90..10} expand.",
            examples=["https://gallery.example/nature/", "https://gallery.example/list?page={1..9}"],
        )
    )
    pictures: Annotated[Pictures, emptied] = Field(Pictures(), description="Which pictures are kept, and their names.")
    fetch: Annotated[Fetch, emptied] = Field(Fetch(), description="How the site is asked.")
    urls: Annotated[Urls, emptied] = Field(Urls(), description="When two addresses are the same.")
    limits: Annotated[Limits, emptied] = Field(Limits(), description="When to stop early.")
    output: Annotated[Text, AfterValidator(_output)] | None = Field(
        None,
        description="Folder of the results, or an s3://, gs:// or ftp:// address for the pictures; default "
        "downloads/NAME, after the name of the config.",
        examples=["downloads/nature"],
    )
    store: Annotated[str, AfterValidator(_store)] | None = Field(
        None,
        description="null: crawl.db in the output folder; else the address of a database, as SQLAlchemy writes it, "
        "which several runs may share.",
        examples=["postgresql+psycopg://user@host/crawl"],
        repr=False,
    )


class SiteConfig(Crawl):
    """A site that is stripped layer by layer."""

    layers: tuple[Layer, ...] = Field(
        description="One rule per click from the entry page; what the last one matches are the pictures.",
        examples=[[r"/album/\d+", r"\.jpg$"]],
    )
    next_page: NextPage = Field(
        None,
        description="How the next page is recognised: the text of its link (also title, aria-label, alt, rel), or "
        "exactly one of the kinds below; null: there is none.",
        examples=["Next", {"rel": "next"}],
    )
    order: Order = Field(
        "breadth",
        description="`breadth`: layer by layer; `depth`: down to the pictures of one album before the next; `best`: "
        "by closeness to the topic.",
    )
    topic: Topic | None = Field(None, description="Ranks `order: best`.")

    @field_validator("layers", mode="after")
    @classmethod
    def _named(cls, layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
        if not layers:
            wrong("is empty", "write a regex for the links of each layer, the pictures' last")
        defaults = [f"layer-{number}" for number in range(1, len(layers))] + ["picture"]
        named = tuple(
            layer if layer.name else _with_name(layer, name) for layer, name in zip(layers, defaults, strict=True)
        )
        names = [layer.name for layer in named]
        if twice := next((name for name in names if names.count(name) > 1), None):
            at = len(names) - 1 - names[::-1].index(twice)
            wrong("is the name of another layer, too", "give each layer a name of its own", below=(at, "name"))
        if layers[-1].next_page is not None:
            wrong(
                "the last layer's matches are pictures, which have no next page",
                "put it into the layer whose pages go on, or use the general next_page",
                below=(len(layers) - 1, "next_page"),
            )
        return named

    @model_validator(mode="after")
    def _fits_together(self) -> SiteConfig:
        if self.order == "best" and self.topic is None:
            wrong("there is no topic to rank by", "add a topic, or write order: breadth", below=("order",))
        for number in layers_in(self.pictures.name):
            if number > len(self.layers):
                wrong(
                    f"uses {{layer{number}}}, but the last layer is {len(self.layers)}",
                    f"use {{layer1}} to {{layer{len(self.layers)}}}",
                    below=("pictures", "name"),
                )
        return self

    def paging_of(self, layer: int) -> PagingRule | None:
        """The next-page rule for the pages of *layer* (0: the entry pages)."""
        if layer and self.layers[layer - 1].has_own_paging:
            return self.layers[layer - 1].next_page
        return self.next_page


class TopicConfig(Crawl):
    """A crawl from page to page, the most promising first."""

    topic: Topic = Field(description="What the crawl is about.")
    order: Order = Field("best", description="`best`: most promising link first.")

    @model_validator(mode="before")
    @classmethod
    def _no_layers(cls, raw: object) -> object:
        if isinstance(raw, dict) and "layers" in raw:
            wrong("belongs to the spider layered", "use that spider with order: best, or remove it", below=("layers",))
        return raw

    @property
    def wants_pictures(self) -> bool:
        """Whether pictures of relevant pages are downloaded: only when `pictures` was written."""
        return "pictures" in self.model_fields_set


def _with_name(layer: Layer, name: str) -> Layer:
    """*layer* under *name*; its `model_fields_set` still tells whether next_page was written."""
    return layer.model_copy(update={"name": name})
