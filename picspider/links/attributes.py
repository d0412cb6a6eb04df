"""Which attributes hold URLs: a table by attribute name, and a look at the value of all unknown ones (lazy loading)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from picspider.links.css import css_urls
from picspider.links.link import Reference
from picspider.links.looks import is_named_url, looks_like_url
from picspider.links.script import json_urls, script_urls
from picspider.links.srcset import srcset

Attributes = Mapping[str, "str | None"]
Reader = Callable[[str], "list[Reference]"]

_REFRESH = re.compile(r"""\s*[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))""", re.DOTALL | re.IGNORECASE)
_SRCSET = re.compile(r"\S+\s+\d+(?:\.\d+)?[wx]\s*(?:,|\Z)")
_SEVERAL = re.compile(r"[\s,|;]+")
_META_IMAGE = re.compile(r"image|thumbnail|logo|photo", re.IGNORECASE)


def references(tag: str, attributes: Attributes) -> list[Reference]:
    """The URLs in the *attributes* of an element, in order; names in small letters, entities decoded.

    `<base>` gives none: it is no link.
    """
    if tag == "base":
        return []
    if tag == "meta":
        return _meta(attributes)
    found: list[Reference] = []
    for name, value in attributes.items():
        if value:
            reader = READERS.get(name)
            if reader is not None:
                found += reader(value)
            elif name not in NEVER:
                found += _unknown(name, value)
    if tag in FRAMES:
        return [reference._replace(origin="frame") if reference.origin == "src" else reference for reference in found]
    return found


def _href(value: str) -> list[Reference]:
    return [Reference(value, "href")]


def _src(value: str) -> list[Reference]:
    return [Reference(value, "src")]


def _unknown(name: str, value: str) -> list[Reference]:
    """Lazy loading whatever the attribute is called: one URL, several, or an event handler."""
    value = value.strip()
    if name.startswith("on"):
        return script_urls(value)
    if looks_like_url(value) or is_named_url(name, value):
        return [Reference(value, "lazy")]
    return _several(name, value) if len(value) >= SHORTEST_LIST else []


def _several(name: str, value: str) -> list[Reference]:
    """An attribute that holds JSON, CSS, a srcset or a list of URLs."""
    if value[0] in "[{":
        return json_urls(value, "lazy-list")
    if "url(" in value:
        return css_urls(value)
    if name.endswith("srcset") or _SRCSET.match(value):
        return srcset(value)
    parts = _SEVERAL.split(value) if "/" in value or "." in value else ()
    return [Reference(part, "lazy-list") for part in parts] if all(map(looks_like_url, parts)) else []


def _meta(attributes: Attributes) -> list[Reference]:
    content = attributes.get("content")
    if not content:
        return []
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
READERS: dict[str, Reader] = {
    "href": _href,
    "xlink:href": _href,
    "src": _src,
    "lowsrc": _src,
    "dynsrc": _src,
    "poster": _src,
    "background": _src,
    "longdesc": _src,
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
