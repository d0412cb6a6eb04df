from __future__ import annotations

import subprocess
import sys

from tests.crawls.running import ROOT

LOOK = "import sys, picspider.cli; print(sorted({'sqlalchemy', 'scrapy', 'PIL'} & sys.modules.keys()))"


def test_command_line_starts_light() -> None:
    """The numbers of the exit codes bring no library along that the command may not need."""
    done = subprocess.run([sys.executable, "-c", LOOK], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
