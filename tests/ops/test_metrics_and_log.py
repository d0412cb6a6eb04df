"""What operators look at: metrics in a text file, and a log of JSON lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.crawls.running import scrapy_crawl
from tests.ops.test_scrapyd import config_of

parser = pytest.importorskip("prometheus_client.parser")


def samples(file: Path) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    """The samples of a text file: (name, labels but for crawl and worker) → value."""
    found = {}
    for family in parser.text_string_to_metric_families(file.read_text(encoding="utf-8")):
        for sample in family.samples:
            own = {name: value for name, value in sample.labels.items() if name not in {"crawl", "worker"}}
            assert sample.labels["crawl"] == "out"
            found[sample.name, frozenset(own.items())] = sample.value
    return found


def test_metrics_file(gallery: str, tmp_path: Path) -> None:
    """The file is written while the crawl runs and once more at its end; Prometheus can read it, and it is right."""
    template = tmp_path / "{crawl}-{worker}.prom"
    options = ["-s", f"PICSPIDER_METRICS_FILE={template}", "-s", "PICSPIDER_METRICS_SECONDS=0.2", "-a", "_job=seven"]
    crawl = scrapy_crawl(config_of(gallery), tmp_path / "out", *options)
    assert crawl.exit_code == 0, crawl.complaints()
    (file,) = tmp_path.glob("*.prom*")
    assert file.name == "out-seven.prom"
    found = samples(file)
    outcomes = {"pictures": 25, "failures": 3, "skips": 1, "repeats": 2, "waiting": 0}
    for outcome, count in outcomes.items():
        assert found["picspider_totals", frozenset({("outcome", outcome)})] == count
    assert found["picspider_run_close_reason", frozenset({("reason", "finished")})] == 1
    assert found["picspider_layer_links_found_total", frozenset({("layer", "picture")})] == 30
    started, ended = (found[f"picspider_run_{name}_seconds", frozenset()] for name in ("started", "ended"))
    assert 0 < ended - started < 120
    sizes = sum(record["bytes"] for record in crawl.feed("pictures"))
    assert found["picspider_picture_bytes", frozenset()] == sizes


def test_metrics_that_cannot_be_written(gallery: str, tmp_path: Path) -> None:
    """A crawl is not spoilt by a place for metrics that is not there."""
    crawl = scrapy_crawl(
        config_of(gallery), tmp_path / "out", "-s", f"PICSPIDER_METRICS_FILE={tmp_path}/nowhere/x.prom"
    )
    assert "The metrics cannot be written" in crawl.log
    assert len(crawl.feed("pictures")) == 25


def test_json_log(gallery: str, tmp_path: Path) -> None:
    """Each line is an object with time, level, logger and message; the last one has the stats of the run."""
    crawl = scrapy_crawl(
        config_of(gallery), tmp_path / "out", "-s", f"PICSPIDER_JSON_LOG={tmp_path}/logs/{{crawl}}.jsonl"
    )
    lines = (tmp_path / "logs" / "out.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    assert all({"time", "level", "logger", "message", "crawl", "worker"} <= record.keys() for record in records)
    assert any("3 failures" in record["message"] for record in records), crawl.log[-2000:]
    (ended,) = [record for record in records if record["message"] == "Run ended"]
    assert ended["reason"] == "finished"
    assert ended["stats"]["picspider/totals/pictures"] == 25


def test_json_log_alone(gallery: str, tmp_path: Path) -> None:
    """On standard output, as containers want it, with the log for people switched off."""
    crawl = scrapy_crawl(config_of(gallery), tmp_path / "out", "-s", "PICSPIDER_JSON_LOG=-", "-s", "LOG_ENABLED=False")
    records = [json.loads(line) for line in crawl.log.splitlines()]
    assert "finished" in {record.get("reason") for record in records}
