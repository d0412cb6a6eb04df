"""`report.html`: one file, made from the store alone."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from picspider.kept_config import layer_names, newest_config
from picspider.output_folder import OutputFolder, partial_of
from picspider.report.archive import base64_text, deflated
from picspider.report.nodes import node_blocks, repeat_blocks
from picspider.report.page import render
from picspider.report.retry_command import retry_command
from picspider.report.summary import summary_of
from picspider.report.thumbnails import AFTER_A_RUN, ThumbnailBudget, Thumbnails

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Connection

    from picspider.records import Suspect
    from picspider.report.nodes import ThumbnailOf


def write_report(
    connection: Connection,
    output: Path,
    *,
    suspects: Sequence[Suspect] | None = (),
    budget: ThumbnailBudget = AFTER_A_RUN,
) -> Path:
    """Write OUTPUT/report.html from the store behind *connection* and return its path.

    *suspects*: None when the audit was not run. The file appears under its name when it is whole.
    Memory does not grow with the site. Raises OSError.
    """
    summary = summary_of(connection)
    facts = {
        "summary": summary.to_dict(),
        "suspects": [asdict(suspect) for suspect in suspects or ()],
        "audited": suspects is not None and bool(layer_names(newest_config(connection))),
        "retry": retry_command(output),
        "live": False,
    }
    thumbnails = Thumbnails(output, budget, summary.totals.pictures)
    rows = base64_text(deflated(all_blocks(connection, thumbnails.of)))
    path = OutputFolder(output).report
    partial = partial_of(path, os.getpid())
    with partial.open("w", encoding="utf-8") as file:
        for piece in render(facts, rows):
            file.write(piece)
    partial.replace(path)
    return path


def all_blocks(connection: Connection, thumbnail_of: ThumbnailOf) -> Iterator[dict[str, Any]]:
    """Everything the page reads besides the summary, one document a line: rows, then repeats."""
    yield from node_blocks(connection, thumbnail_of)
    for block in repeat_blocks(connection):
        yield {"repeats": block}
