"""Debian's nginx on a free port of 127.0.0.1, with nothing of the system's own configuration."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen
from uuid import uuid4

SEARCHED = "/usr/sbin:/usr/local/sbin:/sbin:/usr/bin:/usr/local/bin"
MARK = "/log-mark-"

CONFIG = """\
daemon off; master_process off; worker_rlimit_nofile 4096;
pid {run}/nginx.pid; error_log {run}/error.log warn;
events {{ worker_connections 1024; }}
http {{
  types {{
    text/html html htm; text/css css; text/javascript js; application/json json; text/plain txt;
    image/jpeg jpg jpeg; image/png png; image/gif gif; image/webp webp; image/avif avif; image/svg+xml svg;
  }}
  default_type text/html;
  log_not_found off; sendfile on; tcp_nodelay on; keepalive_requests 1000000;
  client_body_temp_path {run}/body; proxy_temp_path {run}/proxy; fastcgi_temp_path {run}/fastcgi;
  uwsgi_temp_path {run}/uwsgi; scgi_temp_path {run}/scgi;
  log_format tests "$status\\t$request_uri\\t$http_referer\\t$http_user_agent";
  server {{
    listen 127.0.0.1:{port};
    root {root};
    access_log {run}/access.log tests;
    {extra}
    location / {{ try_files $uri$is_args$args ${{uri}}index.html$is_args$args $uri ${{uri}}index.html =404; }}
  }}
  server {{ listen 127.0.0.1:{mark_port}; access_log {run}/access.log tests; return 204; }}
}}
"""


@dataclass(frozen=True)
class Request:
    """One line of the access log."""

    status: int
    path: str
    referer: str
    user_agent: str


@dataclass(frozen=True)
class Server:
    """A running nginx."""

    base: str
    marks: str
    log: Path

    def requests(self) -> list[Request]:
        """What was asked so far, in order."""
        self._wait_for_log()
        lines = [line.split("\t") for line in self.log.read_text(encoding="utf-8").splitlines()]
        asked = [Request(int(status), path, referer, agent) for status, path, referer, agent in lines]
        return [request for request in asked if not request.path.startswith(MARK)]

    def _wait_for_log(self) -> None:
        """A request is logged after its answer was sent: when one asked now is there, all before it are."""
        mark = MARK + uuid4().hex
        try:
            urlopen(self.marks + mark, timeout=10).close()
        except ConnectionError:
            return  # it was stopped, and has logged everything
        except URLError as error:
            if isinstance(error.reason, ConnectionError):
                return
            raise
        for _ in range(500):
            if mark in self.log.read_text(encoding="utf-8"):
                return
            time.sleep(0.01)
        raise TimeoutError(f"nginx did not log {mark} within 5 seconds")


def find_nginx() -> str | None:
    """The program, or None when it is not installed."""
    return shutil.which("nginx") or shutil.which("nginx", path=SEARCHED)


@contextmanager
def serving(program: str, root: Path, run: Path, extra: str = "") -> Iterator[Server]:
    """Serve *root*; *extra* are further lines of the server block."""
    run.mkdir(parents=True)
    port, mark_port = _free_ports()
    config = run / "nginx.conf"
    config.write_text(CONFIG.format(run=run, root=root, port=port, mark_port=mark_port, extra=extra), encoding="utf-8")
    with (run / "stderr.log").open("wb") as errors:
        process = subprocess.Popen([program, "-p", str(run), "-c", str(config)], stderr=errors)
    try:
        _wait_for(process, port, run)
        yield Server(f"http://127.0.0.1:{port}", f"http://127.0.0.1:{mark_port}", run / "access.log")
    finally:
        process.terminate()
        process.wait(10)


def _free_ports() -> tuple[int, int]:
    with socket.socket() as first, socket.socket() as second:
        first.bind(("127.0.0.1", 0))
        second.bind(("127.0.0.1", 0))
        return int(first.getsockname()[1]), int(second.getsockname()[1])


def _wait_for(process: subprocess.Popen[bytes], port: int, run: Path) -> None:
    for _ in range(100):
        if process.poll() is not None:
            break
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError("nginx did not start: " + (run / "stderr.log").read_text(encoding="utf-8"))
