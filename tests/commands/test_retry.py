from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Serve
from tests.crawls.running import picspider_crawl, run
from tests.sites.site import Site


@pytest.fixture
def crawled(serve: Serve, tmp_path: Path) -> Path:
    """The output folder of a site of two pictures, one of which is stored no more; its config was renamed."""
    site = Site()
    site.page("/", "".join(f'<img src="{site.picture(f"/{number}.jpg", number)}">' for number in range(2)))
    base, config = serve(site.write(tmp_path / "site")).base, tmp_path / "site.yaml"
    config.write_text(f"entry: {base}/\nlayers: ['\\.jpg$']\n", encoding="utf-8")
    crawl = picspider_crawl(config, tmp_path / "output")
    assert crawl.exit_code == 0, crawl.complaints()
    (crawl.output / "pictures" / crawl.feed("pictures")[0]["file"]).unlink()
    config.rename(tmp_path / "moved.yaml")
    return crawl.output


def retry(output: Path, *options: str) -> tuple[int, str]:
    """``picspider retry``: its exit code and what it said."""
    done = run("-m", "picspider", "retry", str(output), *options)
    return done.returncode, done.stdout


def test_config_that_moved(crawled: Path, tmp_path: Path) -> None:
    """A retry that cannot find the config changes nothing and says how to name it; with the name it does all."""
    code, said = retry(crawled)
    assert code == 1
    assert f"retry {crawled} --config FILE" in said
    assert "again: not in the folder" not in said
    code, said = retry(crawled, "--config", str(tmp_path / "moved.yaml"))
    assert (code, "Fetching 1 stored picture again" in said) == (0, True), said
    assert len(list(crawled.glob("pictures/**/*.jpg"))) == 2


def test_rows_that_a_killed_retry_left(crawled: Path, tmp_path: Path) -> None:
    """What was marked and not fetched is fetched by the next retry."""
    killed = (
        "import sys; from pathlib import Path; from picspider.commands import retry as command\n"
        "command.crawl = lambda *_, **__: sys.exit(9)\n"
        "command.retry(Path(sys.argv[1]), config=sys.argv[2])\n"
    )
    config = str(tmp_path / "moved.yaml")
    assert run("-c", killed, str(crawled), config).returncode == 9
    code, said = retry(crawled, "--config", config)
    assert code == 0, said
    assert len(list(crawled.glob("pictures/**/*.jpg"))) == 2
    assert "nothing was fetched" in retry(crawled)[1]


def test_quiet(crawled: Path, tmp_path: Path) -> None:
    """--quiet says nothing while all is well."""
    config = str(tmp_path / "moved.yaml")
    assert retry(crawled, "-q", "--config", config) == (0, "")
    assert retry(crawled, "--quiet", "--config", config) == (0, "")
