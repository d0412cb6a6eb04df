"""Failures are told with reason and place, and exactly what failed is fetched again."""

from __future__ import annotations

from pathlib import Path

from tests.crawls.running import picspider_crawl, run
from tests.sites.troubled import (
    ALBUMS,
    EXPIRES,
    FAILS_FOR_GOOD,
    FAILS_ONCE,
    FAILS_ONCE_PAGE,
    PICTURES_EACH,
    serve_trouble,
)

CONFIG = """
entry: {base}/
layers:
  - /album/\\d+/$
  - /pic/.*
fetch: {{retries: 0, referer: {referer}}}
"""


def _config(folder: Path, base: str, referer: str = "parent") -> Path:
    path = folder / "site.yaml"
    path.write_text(CONFIG.format(base=base, referer=referer), encoding="utf-8")
    return path


def test_retry_makes_exactly_the_missing_requests(tmp_path: Path) -> None:
    """The first run tells every failure with reason and path; retry asks for just those, and all but two come."""
    with serve_trouble() as site:
        config, output = _config(tmp_path, site.base), tmp_path / "out"
        first = picspider_crawl(config, output)
        assert first.exit_code == 2, first.log
        failures = {record["url"].removeprefix(site.base): record for record in first.feed("failures")}
        assert set(failures) == {FAILS_ONCE_PAGE, *FAILS_ONCE, *FAILS_FOR_GOOD, f"{EXPIRES}?sig=old"}
        assert {record["reason"] for record in failures.values()} == {"http"}
        assert failures[FAILS_ONCE[0]]["status"] == 503
        assert failures[FAILS_ONCE[0]]["path"] == [
            f"{site.base}/",
            f"{site.base}/album/1/",
            f"{site.base}{FAILS_ONCE[0]}",
        ]
        site.phase, asked_before = 2, len(site.log)
        again = run("-m", "picspider", "retry", str(output))
        assert again.returncode == 2, again.stdout
        asked = sorted(path for path in site.log[asked_before:] if path != "/robots.txt")
        album_2 = [f"/pic/2-{number}.jpg" for number in range(1, PICTURES_EACH + 1)]
        assert asked == sorted(
            [FAILS_ONCE_PAGE, *album_2, *FAILS_ONCE, *FAILS_FOR_GOOD, "/album/3/", f"{EXPIRES}?sig=fresh"]
        )
        left = {record["url"].removeprefix(site.base) for record in first.feed("failures")}
        assert left == set(FAILS_FOR_GOOD)
        assert len(first.feed("pictures")) == len(ALBUMS) * PICTURES_EACH - len(FAILS_FOR_GOOD)


def test_retry_by_reason_status_and_place(tmp_path: Path) -> None:
    """Only failures of one status, or below one page, are asked for again."""
    with serve_trouble() as site:
        config, output = _config(tmp_path, site.base), tmp_path / "out"
        picspider_crawl(config, output)
        site.phase, asked_before = 2, len(site.log)
        run("-m", "picspider", "retry", str(output), "--status", "503", "--under", f"{site.base}/album/3/")
        assert [path for path in site.log[asked_before:] if path != "/robots.txt"] == ["/pic/3-1.jpg"]
        refused = run("-m", "picspider", "retry", str(output), "--reason", "nonsense")
        assert refused.returncode == 1
        assert "no such reason" in refused.stdout


def test_stand_ins_are_taken_back_and_asked_for_differently(tmp_path: Path) -> None:
    """A site that sends one picture for all without its Referer: none of it is kept, and the right Referer is found."""
    with serve_trouble() as site:
        site.phase, site.wants_referer = 2, f"{site.base}/"
        config, output = _config(tmp_path, site.base, "none"), tmp_path / "out"
        done = picspider_crawl(config, output)
        assert "referer: origin" in done.log, done.log
        assert len(done.feed("pictures")) == len(ALBUMS) * PICTURES_EACH - len(FAILS_FOR_GOOD), done.log
        assert len(set(done.stored().values())) == len(done.feed("pictures")) == len(done.stored())


def test_stand_ins_without_a_remedy_are_failures(tmp_path: Path) -> None:
    """When no Referer helps, every one of them is a failure `placeholder`, and no file is left."""
    with serve_trouble() as site:
        site.phase, site.wants_referer = 2, "https://elsewhere.example/"
        config, output = _config(tmp_path, site.base), tmp_path / "out"
        done = picspider_crawl(config, output)
        reasons = [record["reason"] for record in done.feed("failures")]
        assert reasons.count("placeholder") == len(ALBUMS) * PICTURES_EACH - len(FAILS_FOR_GOOD), done.log
        assert not done.stored()


def test_one_browser_agent_for_each_host(tmp_path: Path) -> None:
    """scrapy-fake-useragent does its work: a browser's name, the same for the whole run."""
    with serve_trouble() as site:
        picspider_crawl(_config(tmp_path, site.base), tmp_path / "out")
        assert len(set(site.agents)) == 1
        assert site.agents[0].startswith("Mozilla/5.0")
