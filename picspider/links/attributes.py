"""Which attributes hold URLs: a table by attribute name, and a look at the value of all unknown ones (lazy loading)."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from picspider.links.css import css_urls
from picspider.links.labels import Attributes
from picspider.links.link import Reference
from picspider.links.looks import is_named_url, listed_urls, looks_like_url
from picspider.links.script import json_urls, script_urls
from picspider.links.srcset import srcset

# Which attributes of an element to read: (name, origin); without origin the value has to be looked into.
Plan = tuple[tuple[str, str], ...]

_REFRESH = re.compile(r"""\s*[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))""", re.DOTALL | re.IGNORECASE)
_SRCSET = re.compile(r"\S+\s+\d+(?:\.\d+)?[wx]\s*(?:,|\Z)")
_META_IMAGE = re.compile(r"image|thumbnail|logo|photo", re.IGNORECASE)


@lru_cache(maxsize=4096)
def plan_of(tag: str, *names: str) -> Plan:
    """What to read of a *tag* with attributes of these *names* (small letters): the same for all such elements.

    `<base>` gives nothing: it is no link.
    """
    if tag == "base":
        return ()
    if tag == "meta":
        return (("content", ""),) if "content" in names else ()
    plain = PLAIN | {"src": "frame"} if tag in FRAMES else PLAIN
    return tuple((name, plain.get(name, "")) for name in names if name not in NEVER and not name.startswith("xmlns"))


def read_attribute(name: str, value: str, attributes: Attributes) -> list[Reference]:
    """The URLs in the *value* of an attribute that is not simply a URL; *attributes*: all of the element."""
    if name == "content":
        return _meta(value, attributes)
    reader = READERS.get(name)
    return reader(value) if reader is not None else _unknown(name, value)


def _unknown(name: str, value: str) -> list[Reference]:
    """Lazy loading whatever the attribute is called: one URL, several, or an event handler."""
    value = value.strip()
    if name.startswith(("on", ":", "@", "v-", "x-", "ng-")) and ("'" in value or '"' in value):
        return script_urls(value)  # event handlers, and what frameworks bind
    if "." in value and (listed := listed_urls(value)):
        return [Reference(part, "lazy-list") for part in listed]
    if looks_like_url(value) or is_named_url(name, value):
        return [Reference(value, "lazy")]
    return _several(name, value) if len(value) >= SHORTEST_LIST else []


def _several(name: str, value: str) -> list[Reference]:
    """An attribute that holds JSON, CSS or a srcset."""
    if value[0] in "[{":
        return json_urls(value, "lazy-list")
    if "url(" in value:
        return css_urls(value)
    if name.endswith("srcset") or _SRCSET.match(value):
        return srcset(value)
    return []


def _meta(content: str, attributes: Attributes) -> list[Reference]:
    if (attributes.get("http-equiv") or "").strip().lower() == "refresh":
        target = _REFRESH.match(content)
        raw = target and (target[1] or target[2] or target[3] or "").strip()
        return [Reference(raw, "refresh")] if raw else []
    name = attributes.get("property") or attributes.get("name") or attributes.get("itemprop") or ""
    content = content.strip()
    if _META_IMAGE.search(name) and (looks_like_url(content) or is_named_url("image", content)):
        return [Reference(content, "meta")]
    return []


SHORTEST_LIST = 4
FRAMES = frozenset(("iframe", "frame"))
PLAIN = {
    "href": "href",
    "xlink:href": "href",
    "src": "src",
    "lowsrc": "src",
    "dynsrc": "src",
    "poster": "src",
    "background": "src",
    "longdesc": "src",
}
READERS: dict[str, Callable[[str], list[Reference]]] = {
    "srcset": srcset,
    "imagesrcset": srcset,
    "style": css_urls,
}
# Never loaded as a picture or a page, though the value may look like a URL.
_NEVER = """
    class id name alt title width height rel type lang charset media sizes target role loading decoding tabindex
    method action formaction ping cite classid codebase archive profile manifest integrity nonce xmlns xmlns:xlink
    xml:base itemtype itemid itemprop vocab typeof prefix property about resource datatype content http-equiv for
    value placeholder aria-label aria-hidden aria-labelledby aria-describedby aria-controls d viewbox transform
    points fill srcdoc pattern usemap accept as border align valign bgcolor color datetime
"""
NEVER = frozenset(_NEVER.split())
