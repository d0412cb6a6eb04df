from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from picspider.config.load import load_any_config, load_config, load_topic_config
from picspider.config.model import SiteConfig, TopicConfig
from picspider.config.source import shipped_names
from picspider.errors import ConfigError

TEXT = "entry: https://gallery.example/\nlayers:\n  - /album/\\d+\n  - \\.jpg$\n"


class Answer(BaseHTTPRequestHandler):
    """Serves a config, a web page, and nothing else."""

    def do_GET(self) -> None:
        """Answer by path."""
        bodies = {"/nature.yaml": TEXT.encode(), "/page": b"<!DOCTYPE html><html></html>", "/huge": b"#" * 5_000_000}
        body = bodies.get(self.path.partition("?")[0])
        self.send_response(404 if body is None else 200)
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    """The address of a server with configs."""
    with HTTPServer(("127.0.0.1", 0), Answer) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{http.server_port}"
        http.shutdown()


def refused(source: str, **overrides: str) -> str:
    """The words with which a config is refused."""
    with pytest.raises(ConfigError) as caught:
        load_any_config(source, {key.replace("__", "."): value for key, value in overrides.items()})
    return str(caught.value)


def test_text_path_address_and_name_give_the_same_model(tmp_path: Path, server: str) -> None:
    """Where a config comes from makes no difference but for the default output."""
    path = tmp_path / "nature.yaml"
    path.write_text(TEXT, encoding="utf-8")
    assert load_config(str(path)) == load_config(f"{server}/nature.yaml?token=x")
    assert load_config(str(path)).output == "downloads/nature"
    assert load_config(TEXT).output == "downloads/gallery.example"
    assert load_config("demo").output == load_config("demo.yaml").output == "downloads/demo"


@pytest.mark.parametrize("name", shipped_names())
def test_every_shipped_config_loads(name: str) -> None:
    """A user can begin with any of them."""
    assert load_any_config(name).entry


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_encodings_that_editors_write_are_read(tmp_path: Path, encoding: str, line_end: str) -> None:
    """A byte order mark says what it is."""
    path = tmp_path / "site.yaml"
    path.write_bytes((TEXT + "next_page: 下一页\n").replace("\n", line_end).encode(encoding))
    assert load_config(str(path)).next_page.text == "下一页"  # type: ignore[union-attr] # it is the kind `text`


def test_sources_that_are_none(tmp_path: Path, server: str) -> None:
    """A missing file, a folder, a web page, too much: each is told in words."""
    assert "no such file" in refused("dmo")
    assert "did you mean demo?" in refused("dmo")
    (tmp_path / "site.yaml").write_text(TEXT, encoding="utf-8")
    assert "did you mean" in refused(str(tmp_path / "sit.yaml"))
    assert "name a file in it: site.yaml" in refused(str(tmp_path))
    assert "the server answered 404" in refused(f"{server}/none?token=hunter2")
    assert "hunter2" not in refused(f"{server}/none?token=hunter2")
    assert "is a web page" in refused(f"{server}/page")
    assert "larger than 4 MB" in refused(f"{server}/huge")
    assert "cannot be fetched" in refused("http://127.0.0.1:1/x.yaml")
    assert "no config is named" in refused("")
    assert "no such file" in refused("x" * 5000)


def test_overrides_replace_and_add_values() -> None:
    """Dotted keys reach into sections and layers; values are YAML, and what is none is text."""
    overrides = {
        "fetch.delay": "2",
        "output": "2024",
        "entry": "[https://a.example/, 'https://b.example/{1..2}']",
        "layers[1].links": r".*\.png",
        "layers[0]": "/y/x",
        "next_page": "{rel: next}",
        "pictures.min_size": "10kB",
    }
    text = TEXT.replace("  - \\.jpg$", "  - links: \\.jpg$")
    config = load_config(text, overrides)
    assert config.fetch.delay == 2
    assert config.output == "2024"
    assert config.entry == ("https://a.example/", "https://b.example/1", "https://b.example/2")
    assert [layer.links for layer in config.layers] == ["/y/x", r".*\.png"]
    assert config.pictures.min_size == 10_000


@pytest.mark.parametrize("null", ["", "null", "~"])
def test_null_switches_off(null: str) -> None:
    """As in a file, `null` says that there is none; so does an empty value."""
    text = "entry: https://a.example/\nlayers: [x]\nnext_page: Next\nlimits: {pages: 3}\nstore: sqlite:///x.db\n"
    config = load_config(text, {"next_page": null, "limits.pages": null, "store": null})
    assert (config.next_page, config.limits.pages, config.store) == (None, None, None)


def test_wrong_overrides_are_told_with_their_key() -> None:
    """The command line is named, not a line of the file."""
    assert refused(TEXT, fetch__dely="2") == "option fetch.dely: unknown key (its value: 2): did you mean delay?"
    assert "option layers.x" in refused(TEXT, layers__x="2")
    assert "leads through `7`" in refused(TEXT, **{"layers[7].links": "2"})
    assert "is not there" in refused(TEXT, **{"layers[7]": "2"})
    assert "is not a key" in refused(TEXT, fetch__="2")
    assert "write it as layers[1], items" in refused(TEXT, layers__1__links="2")
    assert "the items of this list are layers[0] to layers[1]" in refused(TEXT, **{"layers[7].links": "2"})
    assert refused(TEXT, **{"": "2"}) == "option: has no key before the =: write it as fetch.delay=2"
    assert "leads into `entry`" in refused(TEXT, entry__x__y="2")
    with pytest.raises(ConfigError, match="not shown"):
        load_config(TEXT, {"fetch.proxy": "hunter2"})


def test_the_topic_decides_the_spider() -> None:
    """Layers are for one spider, a topic without layers for the other."""
    topic = "entry: https://g.example/\ntopic: {text: orchids}\n"
    assert isinstance(load_any_config(topic), TopicConfig)
    assert isinstance(load_any_config(TEXT + "topic: {text: orchids}\n"), SiteConfig)
    assert not load_topic_config(topic).wants_pictures
    assert load_topic_config(topic + "pictures: {min_width: 9}\n").wants_pictures
    with pytest.raises(ConfigError, match="belongs to the spider layered"):
        load_topic_config(TEXT + "topic: {text: orchids}\n")
    with pytest.raises(ConfigError, match="layers: is missing"):
        load_config(topic)


def test_files_are_looked_for_beside_the_config(tmp_path: Path) -> None:
    """A config and its cookies.txt travel together."""
    (tmp_path / "cookies.txt").write_text("", encoding="utf-8")
    path = tmp_path / "site.yaml"
    path.write_text(TEXT + "fetch: {cookies: cookies.txt}\n", encoding="utf-8")
    assert load_config(str(path)).fetch.cookies == str(tmp_path / "cookies.txt")


def test_anchors_merge_keys_and_empty_sections_are_plain_yaml() -> None:
    """What YAML users expect works; the mapping's own keys win."""
    text = (
        "entry: https://g.example/\nfetch:\npictures: {}\nlayers:\n"
        "  - &layer {links: /a/, within: '#main'}\n  - <<: *layer\n    links: /b/\n"
    )
    config = load_config(text)
    assert [(layer.links, layer.within) for layer in config.layers] == [("/a/", "#main"), ("/b/", "#main")]
    assert config.fetch.concurrency == 16


def test_depth_beyond_what_the_parser_takes() -> None:
    """Thousands of brackets are refused, by libyaml from 0.2.6 on, or by our own limit, and end nothing."""
    with pytest.raises(ConfigError, match="deep: a config needs no such depth"):
        load_config("entry: " + "[" * 5000 + "]" * 5000 + "\n")
