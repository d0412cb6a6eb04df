"""A site behind a login, crawled for real."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs

import pytest
from PIL import Image
from scrapy.http import HtmlResponse

from picspider.errors import Failed
from picspider.fetch.login import filled_in

ROOT = Path(__file__).parents[2]
FORM = """<form action="/find"><input name="q"></form>
<form action="/session" method="post"><input type="hidden" name="token" value="t-{token}">
<input name="user"><input type="password" name="password"><button>Log in</button></form>"""
SECRET = "hunter2 & more"


@dataclass
class Members:
    """A site that shows its pictures to those who are logged in; `seen` is what was asked, in order."""

    picture: bytes
    url: str = ""
    seen: list[tuple[str, str, str]] = field(default_factory=list)

    def answer(self, method: str, path: str, cookie: str, body: str) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of one answer."""
        self.seen.append((method, path, body))
        if path == "/robots.txt":
            return 200, {}, b"User-agent: *\nDisallow: /login"
        if path == "/login":
            return 200, {"Set-Cookie": "visit=7"}, FORM.format(token=7).encode()
        if path == "/session":
            good = parse_qs(body) == {"token": ["t-7"], "user": ["ann"], "password": [SECRET]} and "visit=7" in cookie
            cookies = {"Set-Cookie": "session=42; HttpOnly"} if good else {}
            return 303, {"Location": "/welcome" if good else "/login", **cookies}, b""
        if "session=42" not in cookie:
            return 403, {}, b"members only"
        if path.endswith(".jpg"):
            return 200, {"Content-Type": "image/jpeg"}, self.picture
        return 200, {}, b"<p>Hello Ann</p><a href=/full/1.jpg>one</a>"


@pytest.fixture
def members(tmp_path: Path) -> Iterator[Members]:
    """The site, served."""
    Image.new("RGB", (50, 40), "teal").save(tmp_path / "1.jpg")
    site = Members((tmp_path / "1.jpg").read_bytes())

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            text = self.rfile.read(length).decode()
            status, headers, body = site.answer(self.command, self.path, self.headers.get("Cookie", ""), text)
            self.send_response(status)
            for name, value in {"Content-Type": "text/html", "Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815 - the standard library's name

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    site.url = f"http://127.0.0.1:{server.server_port}"
    yield site
    server.shutdown()
    server.server_close()


def crawl(members: Members, tmp_path: Path, password: str = SECRET, success: str = "null") -> tuple[int, str]:
    """Exit code and log of a crawl that logs in first."""
    config = tmp_path / "site.yaml"
    config.write_text(
        f"entry: {members.url}/\nlayers: ['\\.jpg$']\noutput: {tmp_path / 'out'}\n"
        f"fetch: {{login: {{page: '{members.url}/login', fields: {{user: ann, password: '{password}'}}, "
        f"success: {success}}}}}\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-m", "picspider", "crawl", str(config), "-v"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout


def test_the_session_of_the_login_goes_with_pages_and_pictures(members: Members, tmp_path: Path) -> None:
    """The form is sent once, before anything else, with its hidden field and the cookies of its page."""
    code, log = crawl(members, tmp_path, success="Hello")
    assert code == 0, log
    asked = [(method, path) for method, path, _ in members.seen if path != "/robots.txt"]
    assert asked == [
        ("GET", "/login"), ("POST", "/session"), ("GET", "/welcome"), ("GET", "/"), ("GET", "/full/1.jpg"),
    ]  # fmt: skip
    assert (tmp_path / "out/pictures/full/1.jpg").exists() or list((tmp_path / "out/pictures").rglob("*.jpg"))
    written = "".join(file.read_text("utf-8", "replace") for file in (tmp_path / "out").rglob("*") if file.is_file())
    assert "hunter2" not in log + written


@pytest.mark.parametrize(
    ("password", "success", "message"),
    [("wrong", "null", "the form came again"), (SECRET, "Willkommen", "'Willkommen' is not on the page after it")],
)
def test_no_crawl_without_the_login(
    members: Members, tmp_path: Path, password: str, success: str, message: str
) -> None:
    """A login that fails is one clear line and exit code 1; nothing of the site is asked, nothing ends as failed."""
    code, log = crawl(members, tmp_path, password, success)
    assert code == 1
    (line,) = [line for line in log.splitlines() if "fetch.login" in line and "ERROR" in line]
    assert message in line
    assert "/" not in [path for _, path, _ in members.seen]
    assert "hunter2" not in log
    assert "Traceback" not in log
    assert (tmp_path / "out/failures.json").read_text().strip() in {"[]", "[\n]", "[\n\n]"}
    code, log = crawl(members, tmp_path)
    assert code == 0, log


@pytest.mark.parametrize(
    ("html", "message"),
    [
        ("<p>closed</p>", "there is no form on the page"),
        ("<form><input name=mail></form>", "no form has the fields user, password; the forms there have .* mail"),
        ("<form><input name=user><input name=password></form>", "by GET"),
        ("<form method=post enctype=multipart/form-data><input name=user><input name=password></form>", "cannot be"),
    ],
)
def test_forms_that_will_not_do(html: str, message: str) -> None:
    """What is wrong with the form is said without the values."""
    page = HtmlResponse("http://site.example/login", body=html.encode())
    with pytest.raises(Failed, match=message) as caught:
        filled_in(page, {"user": "ann", "password": SECRET})
    assert "hunter2" not in str(caught.value)
