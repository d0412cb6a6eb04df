from __future__ import annotations

import re

import pytest
import typer
from typer.core import TyperGroup

from picspider.cli import app

GROUP = typer.main.get_command(app)
assert isinstance(GROUP, TyperGroup)


def test_summaries_are_whole() -> None:
    """The list of commands has one whole sentence for each on a terminal of 80 columns."""
    text = GROUP.get_help(GROUP.make_context("picspider", [], resilient_parsing=True, terminal_width=80))
    listed = text.partition("Commands:\n")[2].splitlines()
    assert len(listed) == len(GROUP.commands)
    assert all(line.endswith(".") and not line.endswith("...") for line in listed), text


@pytest.mark.parametrize("name", GROUP.commands)
def test_arguments_have_names(name: str) -> None:
    """Usage and help name arguments and values as the documentation does, not by their types."""
    command = GROUP.commands[name]
    context = command.make_context(name, [], resilient_parsing=True)
    for text in (command.get_help(context), command.get_usage(context)):
        assert not re.search(r"[{}]|<\w+(\[\w+\])?( range)?>", text), text
