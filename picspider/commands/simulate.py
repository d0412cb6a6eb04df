"""`picspider crawl --simulate`: every page is crawled, the pictures are only counted."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from picspider.commands.crawl import crawl
from picspider.commands.exit_codes import ExitCode
from picspider.commands.opening import opened
from picspider.output_folder import OutputFolder
from picspider.report.summary import layers_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from picspider.feeds.view import View

# All pictures stay waiting in a store that is thrown away.
_NO_PICTURES = {"PICSPIDER_LIMIT_PICTURES": 0}


def simulate(source: str, overrides: Mapping[str, str], *, settings: Mapping[str, Any] | None = None) -> ExitCode:
    """Crawl the pages of the config *source* and print what each layer found. Raises as `crawl` does."""
    with tempfile.TemporaryDirectory(prefix="picspider-") as folder:
        output = Path(folder) / "simulated"
        kept_apart = {**overrides, "output": str(output), "store": OutputFolder(output).store_url}
        code = crawl(source, kept_apart, settings={**(settings or {}), **_NO_PICTURES}, quiet=True)
        with opened(output) as view:
            print("\n".join(_counts(view)))  # noqa: T201 - what this command is for
    return ExitCode.ok if code == ExitCode.limit else code


def _counts(view: View) -> Iterator[str]:
    names = view.layer_names
    layers = layers_of(view.connection, names)
    width = max((len(layer.name) for layer in layers), default=0)
    yield "Simulated: no picture was downloaded."
    for layer in layers:
        counts = layer.counts
        found = f"{counts.waiting} pictures" if counts.waiting else f"{counts.pages} pages read"
        more = [
            f"{counts.repeats} repeats" * (counts.repeats > 0),
            f"{counts.failures} failures" * (counts.failures > 0),
        ]
        yield f"  {layer.layer}  {layer.name:<{width}}  {', '.join(filter(None, (found, *more)))}"
    for number in range(len(layers), len(names) + 1):
        yield f"  {number}  {names[number - 1]:<{width}}  nothing"
