"""Ctrl-C in commands that ask a site: 130 and a word, whatever they were at."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT, Serve
from tests.sites.site import Site


@pytest.fixture
def silent() -> Iterator[socket.socket]:
    """A server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(60)
        yield listening


def interrupted(arguments: list[str], silent: socket.socket, folder: Path) -> tuple[int, str, str]:
    """Run a command until it has asked the *silent* server, and send Ctrl-C: exit code, output and errors."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "picspider", *arguments]
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        connection, _ = silent.accept()
        with connection:
            connection.recv(100)
            running.send_signal(signal.SIGINT)
            output, errors = running.communicate(timeout=60)
    return running.returncode, output, errors


@pytest.mark.parametrize(
    "arguments",
    [
        "check demo -o entry={base} -o fetch.obey_robots=false",
        "check demo -o entry={base}",
        "propose {base}",
        "explain demo {base}x.jpg --on {base} -o entry={base}",
        "learn {base}1 {base}2 --page {base}",
    ],
)
def test_one_line_and_130(arguments: str, silent: socket.socket, tmp_path: Path) -> None:
    """A command that looks at a site and has nothing to show yet says one line, and no traceback."""
    base = f"http://127.0.0.1:{silent.getsockname()[1]}/"
    code, output, errors = interrupted(arguments.format(base=base).split(), silent, tmp_path)
    assert (code, errors.strip()) == (130, "picspider: interrupted"), output + errors
    assert "Traceback" not in output


def test_simulation_tells_what_it_has(silent: socket.socket, serve: Serve, tmp_path: Path) -> None:
    """Pages that were not read are told as pages, and that it was interrupted."""
    site, hangs = Site(), f"http://127.0.0.1:{silent.getsockname()[1]}"
    site.page("/", "".join(f'<a href="{hangs}/album/{number}">{number}</a>' for number in range(3)))
    base = serve(site.write(tmp_path / "site")).base
    config = tmp_path / "site.yaml"
    config.write_text(
        f"entry: {base}/\nlayers: ['/album/', '\\.jpg$']\nfetch: {{obey_robots: false, timeout: 5, retries: 0}}\n"
        f"output: {tmp_path / 'out'}\n",
        encoding="utf-8",
    )
    code, output, errors = interrupted(["crawl", "-s", "-q", str(config)], silent, tmp_path)
    assert code == 130, output + errors
    lines = output.splitlines()
    assert lines[0].startswith("Interrupted: ")
    assert lines[1].split() == ["0", "entry", "1", "page", "read"]
    assert lines[2].startswith("  1  layer-1  0 pages read")
    assert "picture" not in lines[2]
