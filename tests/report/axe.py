"""axe-core, the accessibility checker, from npm."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.conftest import need

if TYPE_CHECKING:
    from playwright.sync_api import Page

VERSION = "4.14.1"
CACHE = Path.home() / ".cache" / "picspider-tests" / f"axe-{VERSION}"


def axe_source() -> str:
    """The script, fetched by npm once; the test is skipped, loudly, where npm is not there or cannot fetch it."""
    script = CACHE / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists():
        need(shutil.which("npm"), "the accessibility tests need npm: apt-get install npm")
        command = ["npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", str(CACHE)]
        done = subprocess.run([*command, f"axe-core@{VERSION}"], capture_output=True, text=True, check=False)
        need(script.exists(), f"npm could not install axe-core@{VERSION}: {done.stderr.strip()[-200:]}")
    return script.read_text(encoding="utf-8")


def serious_faults(page: Page) -> list[str]:
    """What axe finds on the page as it is shown now, of impact serious or critical."""
    if page.evaluate("typeof window.axe") == "undefined":
        page.evaluate(axe_source())
    result: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{fault['id']} ({fault['impact']}): {fault['nodes'][0]['html'][:200]}: {fault['nodes'][0]['failureSummary']}"
        for fault in result["violations"]
        if fault["impact"] in ("serious", "critical")
    ]
