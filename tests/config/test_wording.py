from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import Field, ValidationError

from picspider.config.messages import problem_of, worded
from picspider.config.section import Section
from picspider.config.yaml_tree import read_tree


class Rule(Section):
    """As a new kind of rule may be written: with pydantic's own checks only."""

    attribute: Annotated[str, Field(pattern=r"^data-[\w-]+$", max_length=12)] = "data-next"
    words: Annotated[tuple[str, ...], Field(min_length=2)] = ("a", "b")
    step: Annotated[int, Field(multiple_of=5, gt=0)] = 5


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "attribute: '\\d next'",
            "site.yaml:1: attribute: does not fit: '\\d next': write a text that the regex ^data-[\\w-]+$ matches",
        ),
        ("attribute: ''", "site.yaml:1: attribute: is empty: '': write a text"),
        (
            "attribute: data-next-page-of-list",
            "site.yaml:1: attribute: is too long: 'data-next-page-of-list': write at most 12 characters",
        ),
        ("words: [a]", "site.yaml:1: words: has too few items: write at least 2"),
        ("step: 7", "site.yaml:1: step: does not fit: 7: write a multiple of 5"),
        ("step: 0", "site.yaml:1: step: is too small: 0: write more than 0"),
        ("step: big", "site.yaml:1: step: wants a whole number: 'big': write one, such as 8"),
    ],
)
def test_checks_of_pydantic_in_plain_words(text: str, told: str) -> None:
    """What is wrong, the value as it is written, and what to do."""
    root, _ = read_tree(text, "site.yaml")
    assert root is not None
    values: Any = root.plain()
    with pytest.raises(ValidationError) as caught:
        Rule.model_validate(values)
    assert worded(problem_of(caught.value.errors()[0], root, Rule, "site.yaml")) == told
