"""The blocks of a Markdown file, and what a comment before a block says about testing it.

Every block of YAML and of shell commands is tested, unless the comment before it gives a reason why not:

    <!-- not run: REASON -->         commands are only parsed, a config is only loaded
    <!-- ends with CODE: REASON -->  the commands end with that exit code
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import ROOT

_BLOCK = re.compile(
    r"^(?:<!-- (?P<note>[^\n]*) -->\n\n?)?(?P<indent> *)```(?P<language>\w+)[^\n]*\n(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
_NOTE = re.compile(r"not run: .+|ends with (?P<code>\d+): .+")
_NAME = re.compile(r"# (?P<name>[\w./-]+\.\w+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block. `name`: the file it stands for, if its first line is a comment that names one."""

    file: Path
    line: int
    language: str
    text: str
    runs: bool = True
    exit_code: int = 0

    @property
    def name(self) -> str | None:
        """`site.yaml` for a block that begins with `# site.yaml`."""
        found = _NAME.match(self.text)
        return found["name"] if found else None

    @property
    def id(self) -> str:
        """For the name of a test."""
        return f"{self.file.relative_to(ROOT)}:{self.line}"


def blocks(file: Path) -> Iterator[Block]:
    """The blocks of *file* in order."""
    source = file.read_text(encoding="utf-8")
    for found in _BLOCK.finditer(source):
        note = _NOTE.fullmatch(found["note"] or "")
        text = re.sub(rf"^{found['indent']}", "", found["text"], flags=re.MULTILINE)
        yield Block(
            file,
            source.count("\n", 0, found.start("language")) + 1,
            found["language"],
            text,
            runs=not (note and note[0].startswith("not run")),
            exit_code=int(note["code"] or 0) if note else 0,
        )


def pages() -> list[Path]:
    """What a user reads: both READMEs, and the pages of docs/ but for the generated ones and those on operations."""
    docs = [ROOT / "docs" / name for name in ("index.md", "tutorial.md")]
    return [ROOT / "README.md", ROOT / "README.zh.md", *docs, *sorted((ROOT / "docs" / "how-to").glob("*.md"))]


def blocks_of(*languages: str) -> list[Block]:
    """The blocks of all pages in those languages."""
    return [block for file in pages() for block in blocks(file) if block.language in languages]


def by_id(found: list[Block]) -> list[object]:
    """Blocks as parameters of a test."""
    return [pytest.param(block, id=block.id) for block in found]
