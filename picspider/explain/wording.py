"""An explanation in words, for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from picspider.explain.explanation import Explanation
    from picspider.explain.layer_verdict import LayerVerdict
    from picspider.explain.on_page import OnPage
    from picspider.explain.stored import Known


def words(told: Explanation) -> Iterator[str]:
    """The lines of the explanation."""
    yield told.url
    if told.page_failed is not None:
        yield f"  the page {told.on} cannot be read ({told.page_failed.reason}): {told.page_failed.message}"
    if told.refused is not None:
        yield f"  refused before it is asked ({told.refused.reason}): {told.refused.message}"
    elif told.robots is not None:
        yield f"  refused ({told.robots.reason}): {told.robots.message}"
    elif not told.robots_asked and told.on is None:
        yield "  scheme and host are fine; robots.txt is asked only with --on"
    if told.on_layer is not None:
        what = f"a page of layer {told.on_layer}" if told.on_layer else "an entry page (layer 0)"
        yield f"  {told.on} is {what}, so only the rules for its links count"
    for verdict in told.layers:
        yield ""
        yield from _layer(verdict, told.url)
    yield ""
    yield from _next_page(told.layers)
    yield from _known(told.known)
    if told.file is not None and (told.known is None or told.known.file is None):
        yield from _name(told)


def _layer(verdict: LayerVerdict, url: str) -> Iterator[str]:
    answer = {True: "taken", False: "not taken", None: "cannot be told without the page"}[verdict.takes]
    yield f"layer {verdict.layer} ({verdict.name}): {answer}"
    if verdict.searches_source and verdict.on_page is None:
        yield "  the rule is searched in the page's source: name the page by --on"
    elif verdict.match is not None:
        yield f"  links: matches '{verdict.match.text}'"
    elif not verdict.searches_source:
        yield from _no_match(verdict, url)
    if verdict.excluded is not None:
        yield f"  exclude: '{verdict.excluded.pattern}' refuses it, as it matches '{verdict.excluded.text}'"
    if verdict.on_page is not None:
        yield from _seen(verdict.on_page, source=verdict.searches_source)
    if verdict.rewritten is not None:
        yield "  rewrite: changes nothing" if verdict.rewritten == url else f"  rewrite: becomes {verdict.rewritten}"


def _seen(seen: OnPage, *, source: bool) -> Iterator[str]:
    links = "what the rule finds in the page's source" if source else "the links of the page"
    yield f"  it is {'' if seen.found else 'not '}among {links}"
    if seen.within is not None:
        yield f"  within: it is {'' if seen.within else 'not '}inside the selector"
    if seen.larger is not None:
        yield f"  another size of the same picture is taken: {seen.larger}"


def _no_match(verdict: LayerVerdict, url: str) -> Iterator[str]:
    near = verdict.near
    if near is None:
        yield "  links: no match, nor anything like it"
        return
    stretch = f"'{url[near.start : near.end]}' fits"
    if near.complete:
        then = f"but not with '{url[near.end :]}' behind it" if near.end < len(url) else "but not as the regex wants"
    elif near.end < len(url):
        then = f"but not the '{url[near.end]}' behind it"
    else:
        then = "but the address would have to go on"
    yield f"  links: no match; {stretch}, {then}"


def _next_page(layers: Sequence[LayerVerdict]) -> Iterator[str]:
    """Of which layers it is a next page; nothing where no rule can tell."""
    if any(verdict.next_page is not None for verdict in layers):
        takes = [str(verdict.layer - 1) for verdict in layers if verdict.next_page]
        yield f"next page: yes, of layer {', '.join(takes)}" if takes else "next page: no"


def _known(row: Known | None) -> Iterator[str]:
    if row is None:
        yield "not seen by a crawl yet"
        return
    what = f"{row.kind} of layer {row.layer}, {row.state}"
    why = f" ({row.reason}: {row.message})" if row.reason else ""
    yield f"seen by the crawl (id {row.id} in tree.json): {what}{why}; another link to it is a repeat"
    yield f"  path: {' → '.join(row.path)}"
    if row.file is not None:
        yield f"  file: {row.file}"


def _name(told: Explanation) -> Iterator[str]:
    assert told.file is not None
    yield f"file name: {told.file.file}"
    if told.file.unknown:
        yield f"  known later: {', '.join(told.file.unknown)}"
    if told.name_holder is not None:
        yield f"  another picture has that name ({told.name_holder}), so it becomes {told.file.tagged}"
