"""A stretch of a page's source, read by scanning: from a `<` up to where another element begins or the page ends.

Sites repeat most of a page on the next one, so a stretch that came before is not read again (`picspider.links.scan`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import takewhile

from picspider.links import tags
from picspider.links.candidate import ALONE, UNSEEN, Candidate, compacted, link_of, own_words_begin
from picspider.links.css import css_urls
from picspider.links.entities import unescape_text
from picspider.links.labels import INLINE, LONGEST_TEXT, Reading, fold
from picspider.links.link import Link, Reference
from picspider.links.tags import REGIONS, Tag, tag_of
from picspider.links.tree import script_content

MOST_PIECES_IN_LINK = 24
DEEPEST_IN_LINK = 3
_DRAWN = frozenset(slash + name for name in (*REGIONS["svg"], "svg") for slash in ("", "/"))
_VOID = frozenset(("img", "br", "wbr"))
_PHRASING_TAGS = """
    span b i em strong small big u s sup sub code font time abbr acronym cite q kbd var samp mark tt bdi data ins del
"""
_PHRASING = frozenset(_PHRASING_TAGS.split())
_NAME_ENDS = frozenset(" \t\n\f/>")

Pieces = Iterator[tuple[int, str]]


class Stretch:
    """Pieces of source, each the text from behind a `<` up to the next, and the candidates found in them.

    `in_gap`: whether it begins (once it is read: ends) between the cells of a table. `whole`: it could be read to its
    end; if not, `open_ended` tells whether it only ends too early, in the middle of something. `base`: the href of its
    first `<base>`. `related`: the candidates with a rel attribute.
    """

    __slots__ = (
        "_anchor", "_around", "_ends", "_long", "_pieces", "_places", "barren", "base", "candidates", "in_gap",
        "open_ended", "related", "whole",
    )  # fmt: skip

    def __init__(self, text: str, *, in_gap: bool) -> None:
        self._pieces = text.split("<")
        self.candidates: list[Candidate] = []
        self._places: list[int] = []  # of each candidate, the number of its piece
        self._ends: dict[int, int] = {}  # of each <a>, the number of the piece of its </a>
        self._around: dict[int, int] = {}  # of each <img> in an <a>, the number of the piece of that <a>
        self._long: dict[int, Tag] = {}  # described long tags, which `tag_of` would read again, by number of piece
        self._anchor = 0  # the number of the piece of the <a> that is open
        self.in_gap = in_gap
        self.open_ended = False
        self.base: str | None = None
        self.related: list[int] = []
        self.barren: set[int] | None = None  # for `picspider.links.page`: the rules that take nothing of it
        self.whole = self._read()

    def _read(self) -> bool:
        # In the order of the kinds of `picspider.links.tags`.
        of_links = (_go_on, self._plain, self._open, self._close)
        handlers = (*of_links, self._raw, self._region, _comment, self._gap, self._cell, _give_up)
        kept = tags.KEPT.get
        pieces = iter(enumerate(self._pieces))
        next(pieces)
        for place, piece in pieces:
            tag = kept(piece) or tag_of(piece)
            kind = tag.kind
            if kind and not handlers[kind](place, tag, pieces):
                self.open_ended = next(pieces, None) is None
                return False
        self.open_ended = bool(self._anchor)
        return not self._anchor

    def _add(self, place: int, tag: Tag) -> None:
        for candidate in tag.candidates:
            self._append(place, candidate)

    def _append(self, place: int, candidate: Candidate) -> None:
        if "rel" in candidate.attributes:
            self.related.append(len(self.candidates))
        self.candidates.append(candidate)
        self._places.append(place)

    def _plain(self, place: int, tag: Tag, _: Pieces) -> bool:
        if tag.name == "img" and self._anchor:
            self._around[place] = self._anchor
        elif tag.name == "base":
            if self.base is None and "href" in tag.attributes:
                self.base = tag.attributes["href"] or ""
        elif self._anchor:
            return False
        self._add(place, tag)
        return not self.in_gap

    def _open(self, place: int, tag: Tag, _: Pieces) -> bool:
        if self._anchor or self.in_gap:
            return False
        self._anchor = place
        self._add(place, tag)
        return True

    def _close(self, place: int, _: Tag, __: Pieces) -> bool:
        anchor, self._anchor = self._anchor, 0
        return not anchor or self._is_simple(anchor, place)

    def _raw(self, place: int, tag: Tag, pieces: Pieces) -> bool:
        """An element whose content is no markup: goes on behind its end tag."""
        if self._anchor or self.in_gap:
            return False
        self._add(place, tag)
        name, end = tag.name, "/" + tag.name
        for last, piece in pieces:
            if piece[: len(end)].lower() == end and piece[len(end) : len(end) + 1] in _NAME_ENDS:
                if not piece[len(end) :].lstrip(" \t\n\f").startswith(">"):
                    return False  # its attributes may go on behind a `<`
                if name not in ("script", "style"):
                    return True
                content = "<".join([tag.rest, *self._pieces[place + 1 : last]])
                for reference in _content(name, tag.attributes.get("type") or "", content):
                    self._append(place, Candidate(*reference, name, tag.attributes))
                return name == "style" or "<!--" not in content
        return False

    def _region(self, place: int, tag: Tag, pieces: Pieces) -> bool:
        """A drawing or a list of options, with nothing but its own elements inside: goes on behind its end tag."""
        if self._pieces[place].split(">", 1)[0].endswith("/"):
            return False
        own = REGIONS[tag.name]
        for _, piece in pieces:
            inner = tag_of(piece)
            if inner.name == "/" + tag.name:
                return True
            if inner.kind != tags.INERT or inner.name.removeprefix("/") not in own:
                return False
        return False

    def _gap(self, _: int, __: Tag, ___: Pieces) -> bool:
        self.in_gap = True
        return True

    def _cell(self, _: int, __: Tag, ___: Pieces) -> bool:
        self.in_gap = False
        return True

    def _is_simple(self, anchor: int, end: int) -> bool:
        """True for a link with nothing but text, pictures and well nested phrases inside."""
        self._ends[anchor] = end
        if end - anchor > MOST_PIECES_IN_LINK:
            return False
        open_names: list[str] = []
        for piece in self._pieces[anchor + 1 : end]:
            name = tag_of(piece).name
            if name in _PHRASING:
                open_names.append(name)
                if len(open_names) > DEEPEST_IN_LINK:
                    return False
            elif name in _DRAWN or name in _VOID:
                continue
            elif not (open_names and name == "/" + open_names.pop()):
                return False
        return not open_names and sum(map(len, self._pieces[anchor:end])) <= LONGEST_TEXT * 4

    def describe(self, index: int, url: str, groups: dict[int, int], first_group: int) -> Link:
        """See `Document`; *first_group* is a number above those that stretches before may have put into *groups*."""
        candidate, place = self.candidates[index], self._places[index]
        tag, origin = candidate.tag, candidate.origin
        if tag in UNSEEN:
            return Link(url, origin=origin)
        group = 0 if origin in ALONE else groups.setdefault(first_group + self._picture_of(place), len(groups) + 1)
        return link_of(candidate, url, self._reading(place), group)

    def beginning_with(self, compact: str) -> Iterable[int]:
        """See `Document`."""
        begun: dict[int, bool] = {}  # by piece: an element may have several candidates
        for index, candidate in enumerate(self.candidates):
            if candidate.tag not in UNSEEN:
                place = self._places[index]
                if place not in begun:
                    begun[place] = self._begins(place, compact) or own_words_begin(candidate, compact)
                if begun[place]:
                    yield index

    def _begins(self, place: int, compact: str) -> bool:
        """Whether a label or the text of the element begins with *compact*."""
        first = self._tag(place)
        text, labels = first.rest, first.labels
        for piece in self._pieces[place + 1 : self._ends.get(place, place)]:
            tag = tag_of(piece)
            text += tag.rest
            labels += tag.labels
        return (first.name == "a" and compacted(unescape_text(text)).startswith(compact)) or any(
            compacted(label).startswith(compact) for label in labels
        )

    def _tag(self, place: int) -> Tag:
        piece = self._pieces[place]
        if len(piece) <= tags.LONGEST_KEPT:
            return tag_of(piece)
        tag = self._long.get(place)
        if tag is None:
            tag = self._long[place] = tag_of(piece)
        return tag

    def _picture_of(self, place: int) -> int:
        anchor = self._around.get(place)
        return anchor if anchor is not None and self._reading(anchor).pictures == 1 else place

    def _reading(self, place: int) -> Reading:
        """What `picspider.links.labels.read` says of the element in the tree."""
        first = self._tag(place)
        labels = list(first.labels)
        parts = [first.rest] if first.name == "a" else []
        pictures = 0
        for piece in self._pieces[place + 1 : self._ends.get(place, place)]:
            tag = tag_of(piece)
            is_end = tag.name.startswith("/")
            if (tag.name not in INLINE and not is_end) or (is_end and tag.rest and tag.name[1:] not in INLINE):
                parts.append(" ")
            pictures += tag.name == "img"
            labels += tag.labels
            parts.append(tag.rest)
        text = fold(unescape_text("".join(parts)))[:LONGEST_TEXT]
        return Reading(text, tuple(dict.fromkeys(folded for label in labels if (folded := fold(label)))), pictures)


def _go_on(_: int, __: Tag, ___: Pieces) -> bool:
    return True


def _give_up(_: int, __: Tag, ___: Pieces) -> bool:
    return False


def _comment(_: int, __: Tag, pieces: Pieces) -> bool:
    """A comment that holds a `<`: goes on behind its end."""
    return any("-->" in piece for _, piece in takewhile(lambda item: "--!>" not in item[1], pieces))


@lru_cache(maxsize=512)
def _content(name: str, kind: str, text: str) -> list[Reference]:
    return css_urls(text) if name == "style" else script_content(kind, text)
