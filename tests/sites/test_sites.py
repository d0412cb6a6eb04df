from __future__ import annotations

import urllib.request
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.conftest import ROOT, Serve
from tests.sites.worked import site_of

NAMES = sorted(path.stem for path in (ROOT / "configs").glob("*.yaml") if path.stem != "demo")


@pytest.mark.parametrize("name", NAMES)
def test_site_is_served_as_built(name: str, serve: Serve, tmp_path: Path) -> None:
    """Every path of the site of a worked config answers with exactly its bytes, those with a query too."""
    site = site_of(name)
    server = serve(site.write(tmp_path / "site"))
    for path, body in site.files.items():
        with urllib.request.urlopen(server.base + quote(path, safe="/?=&%")) as answer:
            assert answer.read() == body
    assert len(server.requests()) == len(site.files)
