"""`picspider report`: make report.html again from the store, with thumbnails."""

from __future__ import annotations

from pathlib import Path

from picspider.audit import suspects
from picspider.commands.exit_codes import ExitCode
from picspider.commands.opening import opened
from picspider.report.html import write_report
from picspider.report.thumbnails import ThumbnailBudget


def report(output: Path, *, store: str | None, thumbnails: int, embed: int) -> ExitCode:
    """Write OUTPUT/report.html. Thumbnails are made unless there are more than *thumbnails* pictures, and put into
    the file itself unless there are more than *embed*. Raises `StoreError`.
    """
    with opened(output, store) as view:
        path = write_report(
            view.connection,
            output.absolute(),
            suspects=tuple(suspects(view.connection)),
            budget=ThumbnailBudget(make=thumbnails, embed=embed),
        )
    print(path.as_uri())  # noqa: T201  this is what the command is for
    return ExitCode.ok
