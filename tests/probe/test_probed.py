from __future__ import annotations

from pathlib import Path

from tests.crawls.running import run
from tests.wild.raw_server import answer_of, serving

FORM = b"<form method=post action=/in><input name=user><input name=password></form>"


def test_login_that_fails(tmp_path: Path) -> None:
    """Why a site cannot be asked is told: the login failed, and how."""
    config = tmp_path / "site.yaml"
    page = answer_of(FORM, kind="text/html")
    with serving({"/": page, "/login": page, "/in": page}) as server:
        login = f"{{page: '{server.url}/login', fields: {{user: a, password: b}}}}"
        config.write_text(f"entry: {server.url}/\nlayers: [x]\nfetch: {{login: {login}}}\n", encoding="utf-8")
        for command in ("check", "explain"):
            more = (f"{server.url}/x", "--on", f"{server.url}/") if command == "explain" else ()
            done = run("-m", "picspider", command, str(config), *more, "-o", f"output={tmp_path}/output")
            assert done.returncode == 1
            assert "the login did not succeed" in done.stdout
