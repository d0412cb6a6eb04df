"""Which elements are open at a place of a source: tree construction (HTML standard, 13.2.6) with names alone.

Only the depth is asked for, so formatting elements that the standard would open again are left closed.
"""

from __future__ import annotations

_VOID_TAGS = """
    area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr
    html head body frameset image
"""
_NEVER_OPEN = frozenset(_VOID_TAGS.split())
# Elements that close each other.
_ALIKE = {"th": "td", "thead": "tbody", "tfoot": "tbody"} | {f"h{level}": "h1" for level in range(2, 7)}
_TABLE_PARTS = frozenset(("tr", "td", "tbody", "caption", "colgroup"))
_BLOCK_TAGS = """
    address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1
    header hgroup li listing main menu nav ol p plaintext pre search section summary table ul xmp
"""
_CLOSES_PARAGRAPH = frozenset(_BLOCK_TAGS.split())
_SCOPE_TAGS = "applet caption marquee object table td template"
_SCOPES = frozenset(_SCOPE_TAGS.split())
_OTHER_SPECIAL_TAGS = """
    button colgroup iframe noembed noframes noscript script select style tbody textarea title tr
"""
_SPECIAL = _CLOSES_PARAGRAPH | _SCOPES | frozenset(_OTHER_SPECIAL_TAGS.split())
# End tags that close what stands in their element as well; all others do so only when no special element is in it.
_CLOSED_IN_SCOPE = (_CLOSES_PARAGRAPH | _SCOPES | {"button", "select"}) - {"form", "plaintext", "xmp"}
_ITEM_BORDERS = _SPECIAL - {"address", "div", "p"}


class OpenElements:
    """The open elements of a source; `open` and `close` are told its tags in order, each takes constant time.

    Elements whose end tag may be left out (li, p, td, option …) are closed by what follows them.
    """

    def __init__(self) -> None:
        self._names: list[str] = []
        self._places: dict[str, list[int]] = {}  # of the open elements of each name
        self._scopes = [-1]  # places of elements that end a search for what a tag closes
        self._tables = [-1]
        self._special = [-1]
        self._item_borders = [-1]
        self._marks = (
            (self._scopes, _SCOPES),
            (self._tables, frozenset(("table", "template"))),
            (self._special, _SPECIAL),
            (self._item_borders, _ITEM_BORDERS),
        )

    @property
    def depth(self) -> int:
        """How many elements are open."""
        return len(self._names)

    def open(self, name: str, *, is_closed: bool) -> bool:
        """A start tag with this *name* (small letters) comes; whether its element is open from now on.

        *is_closed*: the tag ends with a slash, which counts in drawings only.
        """
        name = _ALIKE.get(name, name)
        if name == "select" and self._cut(name, self._scopes[-1]) >= 0:
            return False  # a start tag that ends what it began
        self._close_before(name)
        if name in _CLOSES_PARAGRAPH:
            self._cut("p", max(self._scopes[-1], self._last("button")))
        is_drawn = is_closed and bool(self._places.get("svg") or self._places.get("math"))
        is_lost = name in _TABLE_PARTS and not self._places.get("table")
        if name in _NEVER_OPEN or is_drawn or is_lost:
            return False
        self._push(name)
        return True

    def _close_before(self, name: str) -> None:
        """Close what an element called *name* cannot stand in, but for a <p>."""
        if name in ("h1", "option") and self._names[-1:] == [name]:
            self._cut(name, 0)
        elif name in ("dd", "dt"):
            self._cut(max("dd", "dt", key=self._last), self._item_borders[-1])
        elif name == "li":
            self._cut(name, self._item_borders[-1])
        elif name in _TABLE_PARTS:
            self._cut(name, self._tables[-1])
        elif name == "button":
            self._cut(name, self._scopes[-1])
        elif name in ("a", "nobr"):
            self._cut(name, self._special[-1])

    def close(self, name: str) -> int:
        """An end tag with this *name* comes; the depth afterwards if it closes an element, else -1."""
        name = _ALIKE.get(name, name)
        if name in _TABLE_PARTS or name == "table":
            least = self._tables[-1]
        elif name == "p":
            least = max(self._scopes[-1], self._last("button"))
        elif name == "li":
            least = max(self._scopes[-1], self._last("ul"), self._last("ol"))
        elif name in _CLOSED_IN_SCOPE:
            least = self._scopes[-1]
        elif name == "form":
            least = self.depth - 1  # it leaves alone what is open in it
        else:
            least = self._special[-1]
        return self._cut(name, least)

    def _last(self, name: str) -> int:
        places = self._places.get(name)
        return places[-1] if places else -1

    def _push(self, name: str) -> None:
        place = len(self._names)
        self._names.append(name)
        self._places.setdefault(name, []).append(place)
        for places, names in self._marks:
            if name in names:
                places.append(place)

    def _cut(self, name: str, least: int) -> int:
        """Close the innermost element of this *name* and all in it, when its place is *least* or above."""
        places = self._places.get(name)
        if not places or places[-1] < least:
            return -1
        place = places[-1]
        for closed in self._names[place:]:
            self._places[closed].pop()
        del self._names[place:]
        for marks, _ in self._marks:
            while marks[-1] >= place:
                marks.pop()
        return place
