"""Whether the picspider that runs is the one that was deployed to Scrapyd."""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder

import picspider


def hidden_egg() -> str | None:
    """The egg that holds a picspider which an installed one hides; None when there is none.

    Scrapyd puts the egg of a job last on `sys.path` (scrapyd.runner.activate_egg), so what is installed wins.
    """
    for place in sys.path:
        spec = PathFinder.find_spec("picspider", [place]) if place.endswith(".egg") else None
        if spec is not None and spec.origin != picspider.__file__:
            return place
    return None
