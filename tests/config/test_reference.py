from __future__ import annotations

import json
from pathlib import Path

import pytest

from picspider.config import reference
from picspider.config.keys import sections_in
from picspider.config.model import SiteConfig, TopicConfig

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(("name", "content"), list(reference.files()), ids=lambda value: value[:20])
def test_the_generated_files_are_current(name: str, content: str) -> None:
    """`python -m picspider.config.reference` has been run after the last change of the model."""
    assert (DOCS / name).read_text(encoding="utf-8") == content


@pytest.mark.parametrize("model", [SiteConfig, TopicConfig])
def test_every_key_is_described(model: type[SiteConfig | TopicConfig]) -> None:
    """The reference has no empty line."""
    waiting, seen = [model], set()
    while waiting:
        section = waiting.pop()
        seen.add(section)
        for name, field in section.model_fields.items():
            assert field.description, f"{section.__name__}.{name}"
            waiting += [inner for inner in sections_in(field.annotation) if inner not in seen]


def test_the_schema_knows_both_spiders_and_all_paging_kinds() -> None:
    """Editors complete what the model accepts."""
    definitions = json.loads(reference.schema())["$defs"]
    assert {"SiteConfig", "TopicConfig", "Layer", "TextPaging", "TemplatePaging"} <= set(definitions)
