"""The page itself: a template, a style sheet and a few scripts, put into one file. Nothing is loaded from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jinja2 import Environment
from markupsafe import Markup

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

# In this order; each may use what those before it define.
SCRIPTS = (
    "words_en",
    "words_zh",
    "words",
    "dom",
    "rows",
    "virtual_list",
    "plots",
    "overview",
    "details",
    "tree",
    "pictures",
    "lists",
    "live",
    "main",
)


def render(facts: Mapping[str, Any], rows: Iterable[str]) -> Iterator[str]:
    """The page in pieces. *facts* go in as JSON; *rows* is base64 text in pieces, empty for the live page."""
    yield from _template().generate(
        facts=Markup(script_json(facts)),  # noqa: S704 - escaped by `script_json`
        summary=facts["summary"],
        rows=rows,
        style=Markup(style()),  # noqa: S704 - our own file
        script=Markup(script()),  # noqa: S704 - our own files
        policy=policy(live=bool(facts["live"])),
    )


def policy(*, live: bool) -> str:
    """The content security policy: no script, style or request but those of the page itself, wherever it is opened."""
    pictures = "'self' data:" if live else "'self' data: file:"
    rules = {
        "default-src": "'none'",
        "script-src": _hash(script()),
        "style-src": _hash(style()),
        "img-src": pictures,
        "connect-src": "'self'" if live else "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{rule} {value}" for rule, value in rules.items())


def script_json(facts: Any) -> str:
    """*facts* as JSON that is safe inside a `script` element: it has no `<`, `>` or `&`, and is ASCII."""
    text = json.dumps(facts, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


@cache
def script() -> str:
    """All scripts as one, with no global names."""
    body = "\n".join(_text(f"{name}.js") for name in SCRIPTS)
    return f'(() => {{\n"use strict";\n{body}}})();\n'


@cache
def style() -> str:
    """The style sheet."""
    return _text("report.css")


@cache
def _template() -> Any:
    return Environment(autoescape=True).from_string(_text("report.html"))


def _text(name: str) -> str:
    # Not a path: the package may lie in a zipped egg.
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
