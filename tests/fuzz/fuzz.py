"""Coverage-guided fuzzing by atheris (libFuzzer); by hand, not in the test run.

    pip install atheris
    python tests/fuzz/fuzz.py links -max_total_time=120

A target raises on what no input may bring about: an exception that is not foreseen, a hang, a broken promise.
What it finds is written beside the working folder as crash-… or timeout-…, to be given as the last argument again.
"""

# ruff: noqa: PT017 - no test of pytest

from __future__ import annotations

import logging
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import atheris  # type: ignore  # noqa: PGH003 - only whoever fuzzes has it

sys.path.insert(0, str(Path(__file__).parents[2]))

with atheris.instrument_imports(include=["picspider"]):
    from picspider.config.load import load_config
    from picspider.errors import ConfigError, Failed
    from picspider.fetch.client.decode import DECODERS, decoders
    from picspider.fetch.client.lenient_head import has_head, mended
    from picspider.links.css import css_urls
    from picspider.links.page import Page
    from picspider.links.script import json_urls, script_urls
    from picspider.links.srcset import srcset
    from picspider.paging import RelPaging, TextPaging
    from picspider.pictures.file_names import Fields, fold, render
    from picspider.pictures.inspect import inspect, sniff
    from picspider.urls import IdentityRules, fingerprint, host_key, identity, resolve

INSPECTION_REASONS = {"empty", "not-a-picture", "truncated", "corrupt", "bomb", "unsupported"}
SOUND = "entry: http://h.ex/\nlayers: ['x']\n"
ENCODINGS = ("utf-8", "gb18030", "cp932", "euc_jp", "big5hkscs", "cp949", "koi8_r", "iso2022_jp", "utf-16-le", "cp1252")


def links(data: bytes) -> None:
    """Link extraction of any page never fails, and gives absolute URLs."""
    source = atheris.FuzzedDataProvider(data)
    kind = source.PickValueInList(
        ["text/html", "text/html; charset=gbk", "application/json", "text/css", "text/xml", ""]
    )
    page = Page("http://h.ex/a/b.html", source.ConsumeBytes(len(data)), content_type=kind)
    for link in page.links():
        assert "://" in link.url or ":" in link.url, link
    page.title, page.forms, page.base_url, page.bad_links  # noqa: B018 - they are computed
    for rule in (TextPaging(text="Next"), RelPaging(rel="next")):
        rule.next_links(page, 1)


def lists(data: bytes) -> None:
    """srcset, style sheets, scripts and JSON: any text, and every URL found stands in it as it is or escaped."""
    text = data.decode("utf-8", "surrogateescape")
    for reference in srcset(text):
        assert reference.raw, text
        assert not reference.raw.startswith(","), text
        assert reference.raw in text, text
    for found in (css_urls(text), script_urls(text), json_urls(text, "script")):
        assert all(reference.raw for reference in found)


def pictures(data: bytes) -> None:
    """Judging any bytes gives facts or one of the failures, and the first look agrees with the last."""
    head = sniff(data[:4096])
    try:
        facts = inspect(data, extra_formats=frozenset({"SVG", "HEIF", "JXL"}))
    except Failed as failed:
        assert failed.reason in INSPECTION_REASONS, failed.reason
        assert failed.message.isprintable(), failed.message
        return
    assert facts.width >= 0
    assert facts.height >= 0
    assert head is None or facts.format in (head.format, "JPEG"), (head, facts)


def config(data: bytes) -> None:
    """A config is loaded or refused with words; nothing else."""
    text = data.decode("utf-8", "replace")
    for given in (text + "\n", SOUND + text):
        with suppress(ConfigError):
            load_config(given)


def urls(data: bytes) -> None:
    """Any reference resolves or is refused; what came out resolves to itself and is the same as itself."""
    source = atheris.FuzzedDataProvider(data)
    encoding = source.PickValueInList(list(ENCODINGS))
    base = "http://h.ex/" + source.ConsumeUnicode(12)
    raw = source.ConsumeUnicode(len(data))
    try:
        base = resolve("http://h.ex/", base)
        url = resolve(base, raw, encoding)
    except Failed as failed:
        assert failed.reason == "bad-url"
        return
    assert url.isascii() or not url.startswith("http"), url
    if url.startswith("http"):
        assert resolve("http://other.ex/", url) == url, (url, raw)
        same = identity(url, IdentityRules(("utm_*",)))
        fingerprint(same)
        host_key(url)
        name = render("{layer1}/{stem}{ext}", Fields(url, layers=(raw,)), ".jpg")
        assert not name.startswith("/"), name
        assert ".." not in name.split("/"), name
        assert fold(fold(name)) == fold(name)


def answers(data: bytes) -> None:
    """Heads are mended into such as can be read, and decoders end with bytes or a failure."""
    if has_head(data) and (head := mended(data)) is not None:
        assert head.startswith(b"HTTP/1.")
        assert b"\r\n\r\n" in head
        # What is mended stays as it is.
        assert mended(head) == head, head
    names = list(DECODERS)
    chain = decoders(names[data[0] % len(names)] if data else "x", 1 << 20)
    step = 1 + (struct.unpack("<H", data[:2])[0] % 50 if len(data) > 1 else 0)
    try:
        for decoder in chain:
            for start in range(1, len(data), step):
                decoder.feed(data[start : start + step])
            decoder.finish()
    except Failed as failed:
        assert failed.reason in ("encoding", "bomb")


TARGETS: dict[str, Callable[[bytes], None]] = {
    target.__name__: target for target in (links, lists, pictures, config, urls, answers)
}

if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    name, *rest = sys.argv[1:]
    atheris.Setup([sys.argv[0], *rest], TARGETS[name])
    atheris.Fuzz()
