from __future__ import annotations

import pytest
from pydantic_core import PydanticCustomError

from picspider.config.name_template import checked_template, layers_in


@pytest.mark.parametrize(
    ("template", "what"),
    [
        ("{lyer1}/{stem}", "unknown field {lyer1}"),
        ("{layer0}{stem}", "unknown field {layer0}"),
        ("{layer\u0661}{stem}", "unknown field"),
        ("{stem.__class__}", "unknown field"),
        ("{stem[0]}", "unknown field"),
        ("{}", "unknown field"),
        ("{stem!r}", "has a format in {stem} that does not fit"),
        ("{index:{width}}", "has a format"),
        ("{index:099999}", "has a format"),
        ("{stem:04d}", "has a format"),
        ("{date:%Y/%m}", "has a format"),
        ("{stem", "is not a valid template"),
        ("/{stem}", "leads out"),
        ("C:/{stem}", "leads out"),
        ("~/{stem}", "leads out"),
        ("a\\{stem}", "leads out"),
        ("../{stem}", "leads out"),
        ("a//{stem}", "leads out"),
        ("{layer1}/", "leads out"),
        ("", "the same name"),
        ("a/" * 16 + "{stem}", "more than 15 folders"),
        ("{{stem}}{stam}", "unknown field {stam}"),
        ("{layr2}/{stem}", "did you mean {layer2}?"),
    ],
)
def test_bad_template_is_refused(template: str, what: str) -> None:
    """A template that cannot be meant is refused with the reason."""
    with pytest.raises(PydanticCustomError) as refused:
        checked_template(template)
    assert what in f"{refused.value.message()}: {refused.value.context}"


def test_layers_in_a_template() -> None:
    """The layers that a template names are found, whatever format they carry."""
    assert list(layers_in("{layer2:>9}/{layer12}{layer}{path3}{ext}")) == [2, 12]
