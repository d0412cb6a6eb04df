"""A page: decoded once, parsed once, when first asked."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from itertools import count
from typing import Protocol

from picspider.errors import Failed
from picspider.links.candidate import Candidate, Document, compacted, rel_words
from picspider.links.charset import decode
from picspider.links.documents import Loose, references_of
from picspider.links.forms import Form, forms
from picspider.links.link import BadLink, Link
from picspider.links.parsed import Parsed
from picspider.links.scan import Scanned, scan
from picspider.links.source import Finder, source_references
from picspider.urls import Resolver, resolver

logger = logging.getLogger(__name__)
LONGEST_RAW_SHOWN = 200
# Nothing a crawl could fetch or a user would expect to be told of: known schemes without a host, and unknown ones.
_SILENT = re.compile(
    r"(?:javascript|vbscript|data|about|blob):|(?!(?:https?|ftp|file|wss?):)[a-z][a-z0-9+.\-]*:(?!//)", re.IGNORECASE
)


_numbers = count()


class Pattern(Protocol):
    """A compiled regular expression, or what searches like one."""

    def search(self, string: str, /) -> object:
        """Anything true when *string* holds the expression."""

    def __hash__(self) -> int:
        """As of any value."""


class Page:
    """One response's links, as the contract lists them (§3).

    *url* is the final one, after redirects; *charset* and *content_type* are what the response declares.
    """

    def __init__(self, url: str, body: bytes, charset: str | None = None, content_type: str | None = None) -> None:
        self.url = url
        self.body = body
        self.content_type = content_type
        self._charset = charset
        self._bad: dict[str, BadLink] = {}

    @cached_property
    def _decoded(self) -> tuple[str, str]:
        return decode(self.body, self._charset, self.content_type)

    @property
    def text(self) -> str:
        """The decoded source."""
        return self._decoded[0]

    @property
    def encoding(self) -> str:
        """The name of the encoding that `text` was decoded with."""
        return self._decoded[1]

    @cached_property
    def _parsed(self) -> Parsed:
        parsed = Parsed(self.text)
        told = parsed.tree.tamed.told()
        if told:
            logger.warning("%s on %s", told, self.url)
        return parsed

    @cached_property
    def _document(self) -> Document:
        references = references_of(self.text, self.content_type)
        if references is not None:
            return Loose(references)
        return scan(self.text) or self._parsed

    @cached_property
    def _resolver(self) -> Resolver:
        base = self._document.base()
        if base is not None and not _SILENT.match(base.strip()):
            try:
                return Resolver(resolver(self.url).resolve(base), self.encoding)
            except Failed:
                pass  # an impossible base is no base
        return resolver(self.url, self.encoding)

    @property
    def base_url(self) -> str:
        """What relative URLs are relative to: the first `<base href>`, else the page."""
        return self._resolver.base

    @cached_property
    def title(self) -> str:
        """The page's title, white space folded."""
        return self._parsed.tree.title()

    @cached_property
    def forms(self) -> list[Form]:
        """The forms of the page with the labels of their buttons."""
        return forms(self._parsed.tree, self._resolver)

    @property
    def post_forms(self) -> list[Form]:
        """The forms that are sent by POST: where a "next page" may hide that no link leads to."""
        return [form for form in self.forms if form.method == "post"]

    @property
    def bad_links(self) -> list[BadLink]:
        """The references met so far that are no URL."""
        return list(self._bad.values())

    def links(self, within: str | None = None) -> list[Link]:
        """Every URL a browser or a script could load a picture or a page from, in document order, duplicates kept.

        *within*: only of elements inside of what this CSS selector matches; raises ValueError when it is none.
        """
        return self.where(within=within)

    def matching(self, pattern: Pattern, exclude: Iterable[Pattern] = (), within: str | None = None) -> list[Link]:
        """The links whose absolute URL *pattern* finds and none of *exclude* does; the others cost next to nothing."""
        search, excluded = pattern.search, tuple(exclude)
        refusals = [other.search for other in excluded]
        wanted: Callable[[str], object] = search
        if refusals:
            wanted = lambda url: search(url) and not any(refuse(url) for refuse in refusals)  # noqa: E731 - or search
        if within is not None or not isinstance(self._document, Scanned):
            return self.where(wanted=wanted, within=within)
        resolver = self._resolver
        return self._fertile(self._document, wanted, _rule(resolver.origin, resolver.query_encoding, pattern, excluded))

    def _fertile(self, document: Scanned, wanted: Callable[[str], object], rule: int) -> list[Link]:
        """As `_links` of all candidates; stretches that gave nothing to *rule* on another page are not asked again."""
        found: list[Link] = []
        groups: dict[int, int] = {}
        for first, stretch in zip(document.firsts, document.stretches, strict=True):
            barren = stretch.barren
            if barren is not None and rule in barren:
                continue
            links = self._links(document, range(first, first + len(stretch.candidates)), wanted, groups)
            found += links
            if barren is not None and not links and not self._bad:
                barren.add(rule)
        return found

    def with_rel(self, word: str) -> list[Link]:
        """The links with *word* (small letters) among the words of their rel."""
        document = self._document
        candidates = document.candidates
        return self._links(
            document, [index for index in document.related() if word in rel_words(candidates[index].attributes)]
        )

    def beginning_with(self, text: str) -> list[Link]:
        """The links whose text, a label or a rel word begins with *text*, whatever the case and the white space."""
        return self._links(self._document, self._document.beginning_with(compacted(text)))

    def where(
        self,
        accept: Callable[[Candidate], object] | None = None,
        wanted: Callable[[str], object] | None = None,
        within: str | None = None,
    ) -> list[Link]:
        """The links whose element *accept* takes (asked first) and whose absolute URL is *wanted*."""
        document = self._document if within is None else self._parsed
        candidates = document.candidates
        indices = range(len(candidates)) if within is None else self._parsed.within(within)
        if accept is not None:
            indices = [index for index in indices if accept(candidates[index])]
        return self._links(document, indices, wanted)

    def placed(self) -> list[tuple[Link, str, tuple[str, ...]]]:
        """Every link with the tag of its element and that element's place on the page (see `Parsed.place`)."""
        document = self._document
        if isinstance(document, Loose):
            return [(link, "", ()) for link in self.links()]
        parsed, found, groups = self._parsed, [], dict[int, int]()
        for index, candidate in enumerate(parsed.candidates):
            url = self._resolved(candidate.raw)
            if url is not None:
                found.append((parsed.describe(index, url, groups), candidate.tag, parsed.place(index)))
        return found

    def _links(
        self,
        document: Document,
        indices: Iterable[int],
        wanted: Callable[[str], object] | None = None,
        groups: dict[int, int] | None = None,
    ) -> list[Link]:
        groups = {} if groups is None else groups
        found = []
        candidates = document.candidates
        for index in indices:
            url = self._resolved(candidates[index].raw)
            if url is not None and (wanted is None or wanted(url)):
                found.append(document.describe(index, url, groups))
        return found

    def source_urls(self, pattern: str | Finder) -> list[Link]:
        """`source: page`: what *pattern* finds in the raw source, resolved (see `picspider.links.source`)."""
        urls = (self._resolved(raw) for raw in source_references(self.text, pattern))
        return [Link(url, origin="source") for url in urls if url is not None]

    def _resolved(self, raw: str) -> str | None:
        """The absolute URL; None for what is no URL (noted) or nothing to fetch: a place on the page, a script."""
        url = self._resolver.resolve_common(raw)
        if url is not None:
            return url
        start = raw.lstrip()
        if start.startswith("#") or not start or _SILENT.match(start):
            return None
        try:
            url = self._resolver.resolve_any(raw)
        except Failed as failure:
            shown = raw[:LONGEST_RAW_SHOWN]
            self._bad[shown] = BadLink(shown, failure.message)
            return None
        return url if url.startswith("http") or not _SILENT.match(url) else None


@lru_cache(maxsize=4096)
def _rule(origin: str, query_encoding: str, pattern: Pattern, exclude: tuple[Pattern, ...]) -> int:  # noqa: ARG001 (the key)
    """A number for what decides whether a reference that begins at the root is taken."""
    return next(_numbers)
