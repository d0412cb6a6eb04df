"""`picspider crawl --simulate`: every page is crawled, the pictures are only counted."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from picspider.commands.crawl import crawl
from picspider.commands.exit_codes import ExitCode
from picspider.commands.opening import opened
from picspider.errors import counted
from picspider.output_folder import OutputFolder
from picspider.report.summary import layers_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from picspider.feeds.view import View
    from picspider.report.summary import LayerCounts

# All pictures stay waiting in a store that is thrown away, and nobody would see a report of it.
_NO_PICTURES: dict[str, Any] = {"PICSPIDER_LIMIT_PICTURES": 0, "PICSPIDER_REPORT": False}
_BEGINNINGS = {
    ExitCode.interrupted: "Interrupted: this was found until then, and no picture was downloaded.",
    ExitCode.error: "The simulation broke off: this was found until then, and no picture was downloaded.",
}


def simulate(source: str, overrides: Mapping[str, str], *, settings: Mapping[str, Any] | None = None) -> ExitCode:
    """Crawl the pages of the config *source* and print what each layer found. Raises as `crawl` does."""
    with tempfile.TemporaryDirectory(prefix="picspider-") as folder:
        output = Path(folder) / "simulated"
        kept_apart = {**overrides, "output": str(output), "store": OutputFolder(output).store_url}
        code = crawl(source, kept_apart, settings={**(settings or {}), **_NO_PICTURES}, last_lines=False)
        with opened(output) as view:
            print(_BEGINNINGS.get(code, "Simulated: no picture was downloaded."))  # noqa: T201 - as below
            print("\n".join(_counts(view)))  # noqa: T201 - what this command is for
    return ExitCode.ok if code == ExitCode.limit else code


def _counts(view: View) -> Iterator[str]:
    names = view.layer_names
    layers = layers_of(view.connection, names)
    width = max((len(layer.name) for layer in layers), default=0)
    for layer in layers:
        yield f"  {layer.layer}  {layer.name:<{width}}  {', '.join(_found(layer, last=layer.layer == len(names)))}"
    for number in range(len(layers), len(names) + 1):
        yield f"  {number}  {names[number - 1]:<{width}}  nothing"


def _found(layer: LayerCounts, *, last: bool) -> Iterator[str]:
    """What was found in *layer*; that of the pictures is the *last* one, and all of it waits."""
    counts = layer.counts
    if last:
        yield counted(counts.waiting, "picture")
    else:
        yield f"{counted(counts.pages, 'page')} read"
        if counts.waiting:
            yield f"{counts.waiting:,} not read yet"
    if counts.repeats:
        yield counted(counts.repeats, "repeat")
    if counts.failures:
        yield counted(counts.failures, "failure")
