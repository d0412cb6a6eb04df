"""Crawls by Scrapyd: deployed as an egg, scheduled by its API and by `picspider schedule`, the same as at home."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.conftest import ROOT, need
from tests.crawls.running import Crawl, run, scrapy_crawl
from tests.docs.markdown import blocks
from tests.frontier.killing import differences
from tests.ops.scrapyd_server import Scrapyd, copy_of_project, deploy, scrapyd

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


@pytest.fixture
def server_python(deployed: Scrapyd, tmp_path: Path) -> Path:
    """The Python of a Scrapyd that was installed by the commands of the documentation, line by line.

    Its libraries are those of this environment, so that none is downloaded: only picspider is really installed.
    """
    need(find_spec("pip"), "Scrapyd is installed with pip, which is not in this environment: uv venv --seed")
    project = copy_of_project(tmp_path / "installed")
    home = tmp_path / "home"
    home.mkdir()
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    pip = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_QUIET": "1"}
    environment = {**os.environ, "HOME": str(home), "PATH": path, **pip}
    environment.pop("PYTHONPATH", None)
    page = blocks(ROOT / "docs" / "operations" / "scrapyd.md")
    for line in next(block for block in page if block.language == "sh").text.splitlines():
        subprocess.run(["bash", "-c", line], cwd=project, env=environment, timeout=300, check=True)
        if " -m venv " in line:
            _lend_libraries(home / "scrapyd" / "venv")
    return home / "scrapyd" / "venv" / "bin" / "python"


def _lend_libraries(environment: Path) -> None:
    """Let the new *environment* find the libraries of this one; an old setuptools of its own would come first."""
    subprocess.run([environment / "bin" / "pip", "uninstall", "--quiet", "--yes", "setuptools"], timeout=60, check=True)
    (packages,) = environment.glob("lib/*/site-packages")
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")


def test_what_is_deployed_is_what_runs(server_python: Path, gallery: str, tmp_path: Path) -> None:
    """On a server that was set up as documented, jobs see configs of their own and changed code of the egg, and each
    deployment replaces the one before.
    """
    project = copy_of_project(tmp_path / "project")
    ending = project / "picspider" / "spiders" / "ending.py"
    source = ending.read_text(encoding="utf-8")
    with scrapyd(tmp_path / "server", python=server_python) as server:
        for album in (1, 3):
            ending.write_text(source.replace('"Totals: ', f'"Totals of album {album}: '), encoding="utf-8")
            config = config_of(gallery).replace("/album/\\d+/$", f"/album/{album}/$")
            (project / "configs" / "own.yaml").write_text(config, encoding="utf-8")
            deploy(project, server)
            output = tmp_path / f"album-{album}"
            job = server.schedule(config="own", output=str(output))
            server.wait(job)
            log = server.log(job)
            assert f"Totals of album {album}: " in log, log[-3000:]
            assert "hides the deployed one" not in log
            tree = json.loads((output / "tree.json").read_text(encoding="utf-8"))
            albums = {record["url"] for record in tree if record["layer"] == 1 and record["page"] == 1}
            assert albums == {f"{gallery}/album/{album}/"}
