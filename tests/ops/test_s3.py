"""Pictures and feeds in an S3-compatible store: moto's server, spoken to over HTTP as any other."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.crawls.running import run, scrapy_crawl
from tests.ops.test_scrapyd import config_of

moto_server = pytest.importorskip("moto.server")
session = pytest.importorskip("botocore.session")

BUCKET = "gallery"
KEYS = {"AWS_ACCESS_KEY_ID": "someone", "AWS_SECRET_ACCESS_KEY": "a-secret-key", "AWS_REGION_NAME": "us-east-1"}


@dataclass(frozen=True)
class Cloud:
    """A bucket; `client` is botocore's."""

    endpoint: str
    client: Any

    def objects(self) -> dict[str, bytes]:
        """All objects by key."""
        listed = self.client.list_objects_v2(Bucket=BUCKET).get("Contents", [])
        return {one["Key"]: self.client.get_object(Bucket=BUCKET, Key=one["Key"])["Body"].read() for one in listed}

    @property
    def options(self) -> list[str]:
        """Scrapy's settings for it."""
        settings = {**KEYS, "AWS_ENDPOINT_URL": self.endpoint}
        return [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]


@pytest.fixture
def cloud() -> Iterator[Cloud]:
    """An S3 with an empty bucket."""
    server = moto_server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    endpoint = f"http://{host}:{port}"
    client = session.get_session().create_client(
        "s3",
        region_name=KEYS["AWS_REGION_NAME"],
        endpoint_url=endpoint,
        aws_access_key_id=KEYS["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=KEYS["AWS_SECRET_ACCESS_KEY"],
    )
    client.create_bucket(Bucket=BUCKET)
    yield Cloud(endpoint, client)
    server.stop()


def test_pictures_and_feeds(cloud: Cloud, gallery: str, tmp_path: Path) -> None:
    """With `output: s3://…` and a feed at an s3:// address both are there, byte for byte as on a disk."""
    at_home = scrapy_crawl(config_of(gallery), tmp_path / "home")
    config = f"{config_of(gallery)}\n".replace("output: downloads/demo", f"output: s3://{BUCKET}/nature")
    assert "s3://" in config
    feeds = ["-O", f"s3://{BUCKET}/feeds/pictures.jsonl"]
    crawl = crawl_into(tmp_path, config, *cloud.options, *feeds)
    objects = cloud.objects()
    feed = objects.pop("feeds/pictures.jsonl")
    records = [json.loads(line) for line in feed.splitlines()]
    stored = {key.removeprefix("nature/"): body for key, body in objects.items()}
    assert {record["file"]: record["sha256"] for record in records} == {
        file: hashlib.sha256(body).hexdigest() for file, body in stored.items()
    }, crawl
    # Which of two equal pictures gives the name depends on the moment.
    assert set(stored.values()) == set(at_home.stored().values())
    kinds = {cloud.client.head_object(Bucket=BUCKET, Key=key)["ContentType"] for key in objects}
    assert kinds <= {"image/jpeg", "image/png", "image/gif", "image/webp"}


def test_store_that_refuses(cloud: Cloud, gallery: str, tmp_path: Path) -> None:
    """A bucket that is not there makes each picture a failure `storage`, to be retried; the crawl goes on."""
    config = config_of(gallery).replace("output: downloads/demo", "output: s3://nobody/nature")
    crawl_into(tmp_path, config, *cloud.options)
    failures = json.loads((tmp_path / "downloads" / "nature" / "failures.json").read_text(encoding="utf-8"))
    refused = [record for record in failures if record["reason"] == "storage"]
    assert len(refused) >= 24, "a copy of a picture may count as its repeat before that one is refused"
    assert "NoSuchBucket" in refused[0]["message"]
    assert KEYS["AWS_SECRET_ACCESS_KEY"] not in json.dumps(failures)


def crawl_into(folder: Path, config: str, *options: str) -> str:
    """``scrapy crawl layered`` in *folder*, where state and feeds of a remote output go; the log."""
    done = run("-m", "scrapy", "crawl", "layered", "-a", f"config={config}", *options, cwd=folder)
    assert done.returncode == 0, done.stdout
    return done.stdout
