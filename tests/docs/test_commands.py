"""Every command that a user may copy, typed into a shell on this machine, page by page from top to bottom."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

from picspider.cli import app
from tests.conftest import ROOT, Serve
from tests.docs.local_sites import serving_for
from tests.docs.markdown import Block, blocks, blocks_of, by_id, pages

COMMANDS = blocks_of("sh")
TIME_LIMIT_SECONDS = 60
_CONTINUED = re.compile(r"\\\n\s*")


def lines(block: Block) -> Iterator[list[str]]:
    """The commands of a block as words."""
    for line in _CONTINUED.sub("", block.text).splitlines():
        for part in re.split(r"\s(?:&&|\|\||\||;)\s", line):
            words = shlex.split(part, comments=True)
            if words:
                yield words


@pytest.mark.parametrize("block", by_id(COMMANDS))
def test_command_and_options_exist(block: Block) -> None:
    """Each `picspider …`, run or not, names a command, options and arguments that there are."""
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    for words in lines(block):
        if Path(words[0]).name == "picspider" and not words[1].startswith("--"):
            command = group.commands[words[1]]
            arguments = [word for word in words[2:] if not re.match(r"2?>", word)]
            command.make_context(words[1], arguments)


@pytest.mark.parametrize("page", [pytest.param(page, id=str(page.relative_to(ROOT))) for page in pages()])
def test_page_can_be_followed(page: Path, serve: Serve, tmp_path: Path) -> None:
    """The commands of a page work in the order they stand there, with the configs that the page names before."""
    found = [block for block in blocks(page) if block.language in ("sh", "yaml", "python", "text")]
    if not any(block.language == "sh" and block.runs for block in found):
        return
    folder = tmp_path / "user"
    folder.mkdir()
    with serving_for([block.text for block in found], serve, tmp_path / "sites") as here:
        for block in found:
            text = here.localized(block.text)
            if block.language != "sh" and block.name:
                (folder / block.name).parent.mkdir(parents=True, exist_ok=True)
                (folder / block.name).write_text(text, encoding="utf-8")
            elif block.language == "sh" and block.runs:
                type_in(block, text, folder)


def type_in(block: Block, text: str, folder: Path) -> None:
    """Run the commands of *block*; they stop at the first one that goes wrong."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "COLUMNS": "120"}
    environment.pop("SCRAPY_SETTINGS_MODULE", None)
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", text],
        cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, timeout=TIME_LIMIT_SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == block.exit_code, f"{block.id} ended with {done.returncode}:\n{done.stdout[-3000:]}"
