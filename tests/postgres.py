"""Debian's PostgreSQL on a free port of 127.0.0.1, with a data folder of its own that goes away at the end."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PLACES = ("/usr/lib/postgresql", "/usr/local/pgsql", "/opt/homebrew/opt/postgresql")


def find_postgres() -> Path | None:
    """The folder of `initdb` and `postgres`, the newest if there are several; None when it is not installed."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    folders = [file.parent for place in PLACES for file in Path(place).glob("**/bin/initdb")]
    return max(folders, key=lambda folder: (len(str(folder)), str(folder)), default=None)


@contextmanager
def postgres(programs: Path, folder: Path, *, fsync: bool = False) -> Iterator[str]:
    """Run a server with its data in *folder*; the SQLAlchemy URL of an empty database. Without *fsync* it is quicker,
    and does not outlive a power cut.
    """
    folder.mkdir(parents=True)
    user = _unprivileged(folder)
    data, port = folder / "data", _free_port()
    _run(user, programs / "initdb", "-D", data, "-U", "picspider", "-A", "trust", "-E", "UTF8", "--no-sync")
    options = ["-p", str(port), "-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={folder}"]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [programs / "postgres", "-D", data, "-c", f"fsync={'on' if fsync else 'off'}", *options],
            stdout=log, stderr=log, user=user, group=None, cwd="/",
        )  # fmt: skip
        try:
            _wait_for(server, [str(programs / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port)], folder)
            yield f"postgresql+psycopg://picspider@127.0.0.1:{port}/postgres"
        finally:
            server.send_signal(signal.SIGINT)  # it does not wait for its clients then
            server.wait(20)


def _unprivileged(folder: Path) -> str | None:
    """PostgreSQL does not run as root: somebody else, who gets *folder*."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    user = "postgres" if "postgres" in names else "nobody"
    shutil.chown(folder, user)
    for above in folder.parents:
        if above.stat().st_uid == 0 and not above.stat().st_mode & 0o001:
            above.chmod(above.stat().st_mode | 0o711)
    return user


def _run(user: str | None, *command: object) -> None:
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, user=user, cwd="/", check=False
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {done.stderr or done.stdout}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(server: subprocess.Popen[bytes], is_ready: list[str], folder: Path) -> None:
    for _ in range(300):
        if server.poll() is not None:
            break
        if subprocess.run(is_ready, check=False).returncode == 0:
            return
        time.sleep(0.1)
    raise RuntimeError("PostgreSQL did not start: " + (folder / "log").read_text(encoding="utf-8"))
