"""What operations need: a Scrapyd with the project deployed."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from picspider.demo import serve_gallery
from tests.conftest import ROOT, need
from tests.ops.scrapyd_server import Scrapyd, copy_of_project, deploy, scrapyd


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The crawl of 20,000 pictures by many machines comes first, so that no other processor waits for it at the end."""
    items.sort(key=lambda item: item.path.name != "test_many_machines.py")


@pytest.fixture(scope="session")
def gallery() -> Iterator[str]:
    """The address of the demo gallery."""
    with serve_gallery(0) as base:
        yield base


@pytest.fixture(scope="session")
def deployed(tmp_path_factory: pytest.TempPathFactory, gallery: str) -> Iterator[Scrapyd]:
    """A Scrapyd with the egg; the egg alone holds the config `only-in-egg`, which crawls the gallery."""
    installed = all(importlib.util.find_spec(name) for name in ("scrapyd", "scrapyd_client"))
    need(installed, "the tests of Scrapyd need it: pip install scrapyd scrapyd-client 'setuptools<81'")
    folder = tmp_path_factory.mktemp("scrapyd")
    project = copy_of_project(folder / "project")
    text = (ROOT / "configs" / "demo.yaml").read_text(encoding="utf-8").replace("http://127.0.0.1:8765", gallery)
    (project / "configs" / "only-in-egg.yaml").write_text(text, encoding="utf-8")
    with scrapyd(folder / "one") as server:
        deploy(project, server)
        yield server


@pytest.fixture
def bench(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the handed benchmark, its modules ready to be imported."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(str(shared / "bench"))
    return shared / "bench"
