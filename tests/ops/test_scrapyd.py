"""Crawls by Scrapyd: deployed as an egg, scheduled by its API and by `picspider schedule`, the same as at home."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.crawls.running import Crawl, run, scrapy_crawl
from tests.frontier.killing import differences
from tests.ops.scrapyd_server import Scrapyd

JOB = re.compile(r"^([0-9a-f]{32})  (http\S+)$", re.MULTILINE)


def config_of(gallery: str) -> str:
    """The text of the demo config, for the gallery where it stands."""
    return (ROOT / "configs" / "demo.yaml").read_text(encoding="utf-8").replace("http://127.0.0.1:8765", gallery)


@pytest.fixture(scope="module")
def at_home(gallery: str, tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    """The gallery crawled by `scrapy crawl`, to compare with."""
    return scrapy_crawl(config_of(gallery), tmp_path_factory.mktemp("home") / "out")


def test_config_in_the_egg(deployed: Scrapyd, at_home: Crawl) -> None:
    """A job that names a config of the egg ends with the feeds of a local run; log, job and items pages show it."""
    assert "layered" in deployed.api("listspiders", project="picspider")["spiders"]
    job = deployed.schedule(config="only-in-egg")
    deployed.wait(job)
    output = deployed.folder / "downloads" / "demo"
    assert (output / "tree.json").exists(), deployed.log(job)[-3000:]
    assert not differences(at_home.output, output)
    assert (output / "report.html").stat().st_size > 10_000
    assert f"/items/picspider/layered/{job}.jl" in deployed.get("jobs")
    assert "Spider closed (finished)" in deployed.get(f"logs/picspider/layered/{job}.log")
    items = [json.loads(line) for line in deployed.get(f"items/picspider/layered/{job}.jl").splitlines()]
    assert {item["url"] for item in items} == {record["url"] for record in at_home.feed("pictures")}


def test_schedule_sends_the_text(deployed: Scrapyd, at_home: Crawl, gallery: str, tmp_path: Path) -> None:
    """`picspider schedule FILE` sends the file's text, with what `-o` and `-s` say, and prints the job and its log."""
    file = tmp_path / "gallery.yaml"
    file.write_text(config_of(gallery), encoding="utf-8")
    options = ["-o", f"output={tmp_path / 'out'}", "-o", "fetch.per_host=3", "-s", "PICSPIDER_REPORT=False"]
    done = run("-m", "picspider", "schedule", str(file), "--scrapyd", deployed.base, *options)
    assert done.returncode == 0, done.stdout
    ((job, log),) = JOB.findall(done.stdout)
    deployed.wait(job)
    assert not differences(at_home.output, tmp_path / "out"), deployed.log(job)[-3000:]
    assert not (tmp_path / "out" / "report.html").exists()
    assert "Totals:" in deployed.get(log.removeprefix(f"{deployed.base}/"))
    assert "secrets" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--scrapyd", "127.0.0.1:9"], "gives no answer"),
        (["--scrapyd", "{scrapyd}", "--project", "other"], "Deploy it first"),
        (["--scrapyd", "{scrapyd}", "--workers", "2"], "need a store that they share"),
        (["--scrapyd", "{scrapyd}", "-o", "fetch.cookies={cookies}"], "is on this machine"),
        (["--scrapyd", "{scrapyd}", "-o", "fetch.perhost=2"], "per_host"),
        (["--scrapyd", "ftp://127.0.0.1"], "no address of a Scrapyd"),
    ],
)
def test_schedule_says_what_to_mend(deployed: Scrapyd, tmp_path: Path, arguments: list[str], told: str) -> None:
    """What cannot be scheduled is told in one line with exit code 1, and nothing is queued."""
    cookies = tmp_path / "cookies.txt"
    cookies.write_text("# Netscape HTTP Cookie File\n", encoding="utf-8")
    filled = [argument.format(scrapyd=deployed.base, cookies=cookies) for argument in arguments]
    queued = len(deployed.jobs("pending")) + len(deployed.jobs("running"))
    done = run("-m", "picspider", "schedule", "demo", *filled)
    assert done.returncode == 1, done.stdout
    assert told in done.stdout
    assert "Traceback" not in done.stdout
    assert len(deployed.jobs("pending")) + len(deployed.jobs("running")) == queued


def test_secrets_are_cautioned_about(deployed: Scrapyd, tmp_path: Path) -> None:
    """A config with a password that is sent as text gets a word about who can read it; the password is not shown."""
    file = tmp_path / "site.yaml"
    file.write_text(
        "entry: http://127.0.0.1:9/\nlayers: ['\\.jpg$']\nfetch: {auth: {user: me, password: hush-hush}}\n",
        encoding="utf-8",
    )
    done = run("-m", "picspider", "schedule", str(file), "--scrapyd", deployed.base, "-o", f"output={tmp_path}/out")
    assert done.returncode == 0, done.stdout
    assert "may hold secrets" in done.stdout
    assert "hush-hush" not in done.stdout
    deployed.wait(*[job for job, _ in JOB.findall(done.stdout)])
