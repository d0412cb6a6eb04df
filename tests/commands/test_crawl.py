from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT, Serve
from tests.crawls.running import picspider_crawl
from tests.sites.site import Site


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_twice(serve: Serve, tmp_path: Path, sent: signal.Signals) -> None:
    """The second signal ends the run while a download hangs: it says so and how to go on, with 130; and it goes on."""
    silent = socket.create_server(("127.0.0.1", 0))
    site, config, output = Site(), tmp_path / "site.yaml", tmp_path / "out"
    hanging = f"http://127.0.0.1:{silent.getsockname()[1]}/2.jpg"
    site.page("/", f'<img src="{site.picture("/1.jpg", 1)}"><img src="{hanging}">')
    server = serve(site.write(tmp_path / "site"))
    config.write_text(f"entry: {server.base}/\nlayers: ['\\.jpg$']\nfetch: {{retries: 0}}\n", encoding="utf-8")
    command = [sys.executable, "-m", "picspider", "crawl", str(config), "-o", f"output={output}"]
    run = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    silent.settimeout(60)
    connection, _ = silent.accept()
    for _ in range(2):
        run.send_signal(sent)
        time.sleep(0.2)
    told, _ = run.communicate(timeout=20)
    assert run.returncode == 130, told
    assert "Interrupted at once after" in told
    assert f"crawl {config} -o output={output}" in told.partition("Go on")[2].splitlines()[0]
    assert "could not start" not in told
    assert "Traceback" not in told
    connection.close()
    silent.close()
    after = picspider_crawl(config, output)
    assert [record["url"] for record in after.feed("pictures")] == [f"{server.base}/1.jpg"]
    assert [record["url"] for record in after.feed("failures")] == [hanging]
