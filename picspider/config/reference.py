"""The reference of the config and its JSON schema, generated from the model: `python -m picspider.config.reference`."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from picspider.config.fetch import Auth, Fetch, Login
from picspider.config.layers import Layer, Rewrite
from picspider.config.limits import Limits
from picspider.config.model import SiteConfig, TopicConfig
from picspider.config.name_template import NAME_FIELDS
from picspider.config.pictures import Pictures
from picspider.config.topic import Topic
from picspider.config.urls import Urls
from picspider.paging import PAGING

_INTRODUCTION = """# The config, key by key

This page is generated from the model (`python -m picspider.config.reference`); `site.schema.json` beside it is the
same for editors: `# yaml-language-server: $schema=…/site.schema.json` as the first line of a config.

A config is a YAML file. The spider `layered` needs `entry` and `layers`; the spider `focused` needs `entry` and
`topic`. Write regexes in single quotes. Sizes take units (`10kB`, `100MB`; 1 kB = 1000 bytes, 1 KiB = 1024),
durations are seconds. Each key can be set on the command line, too: `-o fetch.delay=2`.
"""
_SECTIONS: tuple[tuple[str, type[BaseModel]], ...] = (
    ("", SiteConfig),
    ("layers", Layer),
    ("layers.rewrite", Rewrite),
    *((f"next_page: {{{key}: …}}", rule) for key, rule in PAGING.items()),
    ("pictures", Pictures),
    ("fetch", Fetch),
    ("fetch.auth", Auth),
    ("fetch.login", Login),
    ("urls", Urls),
    ("limits", Limits),
    ("topic", Topic),
)


def reference() -> str:
    """The reference as Markdown."""
    return "\n".join([_INTRODUCTION, *(_section(path, section) for path, section in _SECTIONS), _focused()])


def schema() -> str:
    """The JSON schema that a config of either spider fits."""
    both = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A picspider config"}
    definitions: dict[str, Any] = {}
    for model in (SiteConfig, TopicConfig):
        own = model.model_json_schema()
        definitions |= own.pop("$defs") | {model.__name__: own}
    choice = [{"$ref": f"#/$defs/{model.__name__}"} for model in (SiteConfig, TopicConfig)]
    layer = definitions["Layer"]
    definitions["Layer"] = {"anyOf": [{"type": "string", "description": "Short for `links`."}, layer]}
    return json.dumps({**both, "anyOf": choice, "$defs": definitions}, indent=2, ensure_ascii=False) + "\n"


def _section(path: str, section: type[BaseModel]) -> str:
    title = f"`{path}`" if path else "The whole"
    lines = [f"## {title}", "", _words(section.__doc__ or ""), "", "| key | default | meaning |", "|---|---|---|"]
    lines += [_row(field.alias or name, field) for name, field in section.model_fields.items()]
    if section is Pictures:
        lines += [
            "",
            "Fields of `name`; formats are Python's: `{index:03}`, `{sha256:.12}`, `{date:%Y}`:",
            "",
            "| field | is |",
            "|---|---|",
        ]
        lines += [f"| `{{{name}}}` | {_words(meaning)} |" for name, meaning in NAME_FIELDS.items()]
    return "\n".join([*lines, ""])


def _focused() -> str:
    keys = [name for name in TopicConfig.model_fields if name in SiteConfig.model_fields]
    return (
        "## The spider `focused`\n\n"
        f"Takes {', '.join(f'`{key}`' for key in keys)}, as above; `order` is `best` unless it is written otherwise. "
        "Pictures of relevant pages are downloaded only if `pictures` is written.\n"
    )


def _row(key: str, field: FieldInfo) -> str:
    meaning = _words(field.description or "")
    if examples := ", ".join(f"`{_yaml(example)}`" for example in field.examples or ()):
        meaning += f" For example {examples}."
    return f"| `{key}` | {_default(field)} | {meaning} |".replace("  ", " ")


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "needed"
    default = field.get_default(call_default_factory=True, validated_data={})
    return "see below" if isinstance(default, BaseModel) else f"`{_yaml(default)}`"


def _yaml(value: object) -> str:
    """A value as it is written in a config; a bar would end the table's cell."""
    if isinstance(value, str):
        text = value if re.fullmatch(r"[\w./:+-][\w./:+ ()=-]*", value) else f"'{value}'"
    elif isinstance(value, (list, tuple)):
        text = f"[{', '.join(map(_yaml, value))}]"
    elif isinstance(value, dict):
        text = f"{{{', '.join(f'{key}: {_yaml(inner)}' for key, inner in value.items())}}}"
    else:
        text = json.dumps(value)
    return text.replace("|", r"\|")


def _words(text: str) -> str:
    return " ".join(text.split()).replace("|", r"\|")


def files() -> Iterator[tuple[str, str]]:
    """The generated files: name in docs/, content."""
    yield "reference/config.md", reference()
    yield "site.schema.json", schema()


def write(docs: Path) -> None:
    """Write them below *docs*."""
    for name, content in files():
        path = docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1] if len(sys.argv) > 1 else "docs"))
