from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.crawls.running import picspider_crawl, run
from tests.wild.raw_server import answer_of, serving

PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)
PAGE = b'<a href="/full/1.png">one</a>'


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (answer_of(PAGE, "203 Non-Authoritative Information", "text/html"), None),
        (answer_of(PNG), "not-a-page"),
        (answer_of(b"  ", kind="text/html"), "empty"),
        (answer_of(PAGE, "500 Internal Server Error", "text/html"), "http"),
    ],
)
def test_page_is_judged_as_in_the_crawl(tmp_path: Path, answer: bytes, reason: str | None) -> None:
    """What the crawl reads as a page is one to explain, and what it loses is lost for the same reason."""
    config = tmp_path / "site.yaml"
    with serving({"/": answer, "/full/1.png": answer_of(PNG)}) as server:
        config.write_text(f"entry: {server.url}/\nlayers: [/full/]\nfetch: {{retries: 0}}\n", encoding="utf-8")
        url, on = f"{server.url}/full/1.png", f"{server.url}/"
        done = run("-m", "picspider", "explain", str(config), url, "--on", on, "--json", "-o", f"output={tmp_path}/no")
        crawl = picspider_crawl(config, tmp_path / "output")
    failed = json.loads(done.stdout)["page_failed"]
    entry = next(record for record in crawl.feed("tree") if record["layer"] == 0)
    assert (failed["reason"] if failed else None) == entry["reason"] == reason
