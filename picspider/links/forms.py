"""The forms of a page: a "next page" may be a button that no link replaces."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import urlencode

from selectolax.lexbor import LexborNode

from picspider.errors import Failed
from picspider.links.candidate import compacted
from picspider.links.entities import unescape_text
from picspider.links.labels import fold
from picspider.links.tree import Tree
from picspider.urls import Resolver

MOST_FORMS = 200


_BUTTON = re.compile(r"<button\b.*?(?:</button|\Z)|<input\b[^>]*", re.IGNORECASE | re.DOTALL)

_TAG = re.compile(r"<[^<>]*>")


def may_have_button(text: str, compact: str) -> bool:
    """False when no button in the source *text* can read *compact* (a text `compacted`); much faster than `forms`."""
    buttons = _BUTTON.findall(text)
    return any(compact in compacted(unescape_text(_TAG.sub("", button) + button)) for button in buttons)


class Form(NamedTuple):
    """`url`: where it leads, for GET with its hidden fields; `method`: get or post; `labels`: what its buttons read."""

    url: str
    method: str
    labels: tuple[str, ...]


def forms(tree: Tree, resolver: Resolver) -> list[Form]:
    """Every form with a URL to send it to."""
    found = []
    for node in tree.select("form")[:MOST_FORMS]:
        attributes = node.attributes
        is_post = (attributes.get("method") or "").strip().lower() == "post"
        try:
            url = resolver.resolve(attributes.get("action") or "")
        except Failed:
            continue
        found.append(Form(url if is_post else _with_fields(url, node), "post" if is_post else "get", _labels(node)))
    return found


def _labels(form: LexborNode) -> tuple[str, ...]:
    labels = []
    for button in form.css("button, input[type=submit i], input[type=button i], input[type=image i]"):
        own = button.attributes
        labels += [button.text(), own.get("value"), own.get("title"), own.get("aria-label"), own.get("alt")]
    return tuple(folded for label in labels if label and (folded := fold(label)))


def _with_fields(url: str, form: LexborNode) -> str:
    fields = [(own["name"], own.get("value") or "") for field in form.css("input[type=hidden i][name]")
              if (own := field.attributes)["name"]]  # fmt: skip
    return url.split("?", 1)[0] + "?" + urlencode(fields) if fields else url
