"""Links of the pages that MkDocs does not see: it checks those of docs/ itself."""

from __future__ import annotations

import re

import pytest

from tests.conftest import ROOT

PAGES = ("README.md", "README.zh.md", "CONTRIBUTING.md", "CHANGELOG.md")


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    """Every relative link is a file of the project, and a link to a part of the same page is one of its headings."""
    text = (ROOT / page).read_text(encoding="utf-8")
    headings = {
        re.sub(r"[^\w\- ]", "", line.lower()).replace(" ", "-") for line in re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    }
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("#"):
            assert target[1:] in headings
        elif not target.startswith("http"):
            assert (ROOT / target.partition("#")[0]).exists(), f"{page} links to {target}"


@pytest.mark.parametrize("page", ["docs/architecture.md", "docs/seeds.md", "docs/reference/store.md"])
def test_modules_that_are_named_are_there(page: str) -> None:
    """`room/module.py` lies in the package or in the project; a bare `module.py` lies somewhere in the package."""
    prose = re.sub(r"^ *```.*?^ *```", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    missing = [
        named
        for named in re.findall(r"`([a-z_/]+\.py)`", prose)
        if not any((ROOT / start / named).exists() for start in ("picspider", ".", "benchmarks"))
        and ("/" in named or not any((ROOT / "picspider").rglob(named)))
    ]
    assert not missing, f"{page} names {missing}"
