"""How the user calls picspider here, for commands that are to be copied."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path


def program() -> str:
    """`picspider` if the shell finds this one by that name; else the path that it was called by.

    `make demo` and `python3 -m venv` put it where no shell looks: .venv/bin/picspider.
    """
    called = Path(sys.argv[0])
    if called.stem != "picspider":
        return "picspider"  # a module, Scrapy or a test
    found = shutil.which("picspider")
    here = called.exists() and not (found is not None and called.samefile(found))
    return shlex.quote(str(called)) if here else "picspider"
