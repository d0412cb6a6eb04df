"""What tags have in common that differ in the values of their attributes only: a site writes its links in few ways."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from picspider.links.attributes import Plan, plan_of

_SPACE = r"[ \t\n\f]"
_NAMED = rf"{_SPACE}+([^ \t\n\f\"'<>/=]+){_SPACE}*={_SPACE}*"
_FIRST = re.compile(rf"([a-zA-Z][a-zA-Z0-9:\-]*){_NAMED}")
_NEXT = re.compile(_NAMED)
_LAST = re.compile(rf"{_SPACE}*/?")


class Shape(NamedTuple):
    """`name`: of the element, in small letters, with attributes of these `names`; `plan`: which of them to read."""

    name: str
    names: tuple[str, ...]
    plan: Plan


@lru_cache(maxsize=4096)
def shape_of(between: tuple[str, ...]) -> Shape | None:
    """The shape of a start tag by the source *between* its values, such as `a class=`, ` href=` and an empty end.

    None unless all attributes are quoted, in double quotes, and no two of the same name.
    """
    first, *others = between
    if not others:
        return None
    start = _FIRST.fullmatch(first)
    follow = [_NEXT.fullmatch(other) for other in others[:-1]]
    if start is None or None in follow or not _LAST.fullmatch(others[-1]):
        return None
    names = (start[2].lower(), *(match[1].lower() for match in follow if match is not None))
    if len(set(names)) < len(names) or not all(name.isascii() for name in names):
        return None
    return Shape(start[1].lower(), names, plan_of(start[1].lower(), *names))
