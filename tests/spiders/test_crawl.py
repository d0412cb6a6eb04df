from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import Serve
from tests.crawls.running import picspider_crawl, run
from tests.sites.site import Site


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "no config: say which"),
        (("-a", "config=nope"), "nope: there"),
        (("-a", "config=demo", "-a", "pictures.min_width=abc"), "option pictures.min_width: "),
        (("-a", "config=demo", "-a", "ouput=x"), "option ouput: "),
    ],
)
def test_start_that_fails_is_told_in_a_line(arguments: tuple[str, ...], told: str, tmp_path: Path) -> None:
    """A job that cannot start ends its log with the reason, without a traceback of asyncio."""
    done = run("-m", "scrapy", "crawl", "layered", *arguments, cwd=tmp_path)
    assert done.returncode == 1
    assert f"ERROR: {told}" in done.stdout.splitlines()[-1]
    assert not re.search("Traceback|never retrieved", done.stdout)


def test_command_tells_it_once(tmp_path: Path) -> None:
    """`picspider crawl` tells an output folder that cannot be used in its own words; crawl.log is for the rest."""
    (tmp_path / "file").touch()
    done = run("-m", "picspider", "crawl", "demo", "-o", f"output={tmp_path}/file/out")
    assert done.returncode == 1
    assert [line for line in done.stdout.splitlines() if "cannot be made" in line] == [done.stdout.splitlines()[-1]]
    assert done.stdout.splitlines()[-1].startswith("picspider: ")


def test_arguments_are_keys_of_the_config(serve: Serve, tmp_path: Path) -> None:
    """`-a key=value` overrides as `-o` does, and a key's name does not hide what the spider keeps under that name."""
    site = Site()
    site.page("/", '<a href="/1.jpg">1</a> <a href="/2.jpg">2</a>')
    site.picture("/1.jpg", 1)
    site.small("/2.jpg", 2)
    config = tmp_path / "site.yaml"
    base = serve(site.write(tmp_path / "site")).base
    config.write_text(f"entry: {base}/\nlayers: ['\\.jpg$']\npictures: {{max_width: 9}}\n", encoding="utf-8")
    keys = (
        "output=out",
        "pictures.min_width=100",
        "order=depth",
        "pictures.max_width=",
        f"store=sqlite:///{tmp_path}/other.db",
        "_job=1",
    )
    done = run(
        "-m",
        "scrapy",
        "crawl",
        "layered",
        *(part for key in (f"config={config}", *keys) for part in ("-a", key)),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout
    assert [item.name for item in (tmp_path / "out" / "pictures").iterdir()] == ["1.jpg"]
    assert (tmp_path / "other.db").exists()


def test_dry_layer_is_told_once(serve: Serve, tmp_path: Path) -> None:
    """Under -q a layer without a match is one line, with the whole command that tells why."""
    site = Site()
    site.page("/", '<a href="/album/">album</a>')
    site.page("/album/", "nothing")
    config = tmp_path / "site.yaml"
    base = serve(site.write(tmp_path / "site")).base
    config.write_text(f"entry: {base}/\nlayers: ['/album/$', '\\.jpg$']\n", encoding="utf-8")
    crawl = picspider_crawl(config, tmp_path / "out", "-q")
    assert crawl.exit_code == 3
    (line,) = crawl.log.splitlines()
    assert line.startswith("Layer 2   matched nothing")
    assert f"picspider check {config} -o output=" in line
    assert "Looks incomplete" in (tmp_path / "out" / "crawl.log").read_text(encoding="utf-8")
