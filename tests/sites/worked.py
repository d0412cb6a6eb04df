"""The sites of the worked configs, each in a module of the config's name."""

from __future__ import annotations

import importlib

from tests.conftest import ROOT, need
from tests.sites.site import Site


def site_of(name: str) -> Site:
    """The site of configs/*name*.yaml; without one the test is skipped, loudly, as for a config of somebody's own."""
    module = name.replace("-", "_")
    path = ROOT / "tests" / "sites" / f"{module}.py"
    need(path.exists(), f"configs/{name}.yaml needs a site of its shape in {path.relative_to(ROOT)}")
    site: Site = importlib.import_module(f"tests.sites.{module}").build()
    return site
