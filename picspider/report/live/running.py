"""Whether a crawl runs on an output folder right now."""

from __future__ import annotations

import json
import os
import socket
import time
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import select

from picspider.schema import run, worker

if TYPE_CHECKING:
    from sqlalchemy import Connection

ALIVE_SECONDS = 60.0


def is_running(connection: Connection, output: Path) -> bool:
    """A run that has not ended, and whose process (or, on a shared store, any worker) is alive."""
    ended = connection.execute(select(run.c.ended).order_by(run.c.id.desc()).limit(1)).first()
    if ended is None or ended[0] is not None:
        return False
    if connection.dialect.name == "sqlite":
        return _lock_is_held(output / "crawl.lock")
    return connection.scalar(select(worker.c.name).where(worker.c.seen > time.time() - ALIVE_SECONDS)) is not None


def _lock_is_held(path: Path) -> bool:
    try:
        note = json.loads(path.read_text(encoding="utf-8"))
        if note["host"] != socket.gethostname():
            return True
        os.kill(int(note["pid"]), 0)
    except PermissionError:
        return True  # it lives, as someone else's
    except (OSError, ValueError, KeyError, TypeError):
        return False
    return True
