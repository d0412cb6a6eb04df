from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from picspider.commands.exit_codes import ExitCode
from picspider.feeds import FEEDS
from picspider.filters.reasons import SKIP_REASONS
from tests.conftest import ROOT


def load_generator() -> ModuleType:
    """docs/generate.py, which is in no package."""
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GENERATE = load_generator()


@pytest.mark.parametrize("name", GENERATE.PAGES)
def test_page_is_up_to_date(name: str) -> None:
    """`make docs` has been run since the code was changed."""
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == GENERATE.PAGES[name]()


def test_every_exit_code_is_told() -> None:
    """The page has a line for each exit code, and no other."""
    assert GENERATE.EXIT_CODES.keys() == set(ExitCode)


def test_every_reason_of_skips_is_told() -> None:
    """No filter and no spider gives a reason of skips that the page does not have."""
    given = {
        text for file in sources() for text in re.findall(r"\bSkip(?:ped)?\(\s*\"([\w-]+)\"", file.read_text("utf-8"))
    }
    assert given
    assert given <= SKIP_REASONS.keys()


def test_every_stat_is_told() -> None:
    """Every figure that the code counts in Scrapy's stats is on the page."""
    told = [re.sub("[A-Z]{2,}", "X", name) for name in GENERATE.STATS]
    for stat in counted():
        assert any(covers(name, stat) or covers(stat, name) for name in told), f"{stat} is not in docs/generate.py"


def test_every_setting_is_told() -> None:
    """Each setting of our own is on the page, unless config or command fill it in; the page has no other."""
    named = {name for file in sources() for name in re.findall(r"PICSPIDER_[A-Z_]+", file.read_text(encoding="utf-8"))}
    filled_in = re.findall(r"PICSPIDER_[A-Z_]+", (ROOT / "picspider/settings_bridge.py").read_text(encoding="utf-8"))
    assert named - set(filled_in) - {"PICSPIDER_PROGRESS"} == GENERATE.SETTINGS.keys()


def covers(pattern: str, name: str) -> bool:
    """Whether *name* is *pattern* with something in the place of each X."""
    return re.fullmatch(re.escape(pattern).replace("X", ".+"), name) is not None


def test_every_feed_is_told() -> None:
    """The page has a heading for each feed."""
    assert all(f"\n## {name}\n" in GENERATE.feeds() for name in FEEDS)


def sources() -> list[Path]:
    """All modules."""
    return sorted((ROOT / "picspider").rglob("*.py"))


def counted() -> Iterator[str]:
    """The names given to `inc_value` and `set_value`; what is filled in is written as X."""
    for file in sources():
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "attr", "") in ("inc_value", "set_value", "max_value"):
                yield written(call.args[0])


def written(name: ast.expr) -> str:
    """A text, or an f-string with X for its fields."""
    if isinstance(name, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in name.values)
    return str(ast.literal_eval(name))
