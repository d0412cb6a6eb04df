from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path
from typing import Any

from picspider.commands.opening import opened
from picspider.fates import Fate
from picspider.report.archive import base64_text, deflated
from picspider.report.nodes import ROWS_PER_BLOCK, node_blocks, repeat_blocks
from tests.report.made_store import MadeStore


def blocks_of(made: MadeStore, output: Path) -> list[dict[str, Any]]:
    """The documents of a made store, as the browser gets them."""
    with opened(made.write(output)) as view:
        text = "".join(base64_text(deflated(node_blocks(view.connection, lambda sha256, file: f"{sha256[-1]}/{file}"))))
    lines = zlib.decompress(base64.b64decode(text)).decode().splitlines()
    return [json.loads(line) for line in lines]


def test_every_fate_has_its_facts(tmp_path: Path) -> None:
    """Pages, pictures, skips and failures each come with what is known of them, at their place in the block."""
    made = MadeStore()
    entry = made.row("https://me:pw@a.example/", "", 0, 0, final_url="https://a.example/start")
    made.stored("https://a.example/1.jpg", "One", entry, "a/1.jpg")
    made.skipped("https://a.example/2.jpg", "Two", entry)
    message = "status 404 of https://me:pw@b.example/"
    made.failure("https://a.example/3.jpg", "Three", entry, "http", message, status=404)
    rows, words = blocks_of(made, tmp_path / "out")
    assert rows["rows"]["fate"] == [Fate.page, Fate.picture, Fate.skip, Fate.failure]
    assert rows["rows"]["parent"] == [0, 1, 1, 1]
    assert (rows["rows"]["picture_at"], rows["rows"]["skip_at"], rows["rows"]["note_at"]) == ([1], [2], [2, 3])
    assert words["words"]["url"][0] == "https://a.example/"
    assert words["words"]["moved_url"] == ["https://a.example/start"]
    assert words["words"]["picture_thumbnail"] == ["2/a/1.jpg"]
    assert words["words"]["note_message"][1] == "status 404 of https://b.example/"


def test_next_pages_lie_under_the_first_of_their_run(tmp_path: Path) -> None:
    """So a path is a walk over parents: the first and the last page used of each run."""
    made = MadeStore()
    first = made.row("https://a.example/", "", 0, 0)
    second = made.row("https://a.example/2", "", 0, first, page=2, chain=first)
    made.row("https://a.example/3", "", 0, second, page=3, chain=first)
    rows, _ = blocks_of(made, tmp_path / "out")
    assert rows["rows"]["parent"] == [0, first, first]


def test_blocks_are_full_but_the_last(tmp_path: Path) -> None:
    """The browser finds a row's block by its number alone."""
    made = MadeStore()
    for number in range(ROWS_PER_BLOCK + 5):
        made.row(f"https://a.example/{number}", "", 0, 0)
    sizes = [len(document["rows"]["id"]) for document in blocks_of(made, tmp_path / "out") if "rows" in document]
    assert sizes == [ROWS_PER_BLOCK, 5]


def test_repeats(tmp_path: Path) -> None:
    """A repeat names the earlier row and the page of the later sighting."""
    made = MadeStore()
    page = made.row("https://a.example/", "", 0, 0)
    first = made.stored("https://a.example/1.jpg", "", page, "1.jpg")
    made.repeated(first, "https://me:pw@a.example/1.jpg", page)
    with opened(made.write(tmp_path / "out")) as view:
        (block,) = repeat_blocks(view.connection)
    assert block == {
        "first": [first], "page": [page], "url": ["https://a.example/1.jpg"], "by": ["url"], "layer": [3], "own": [0],
    }  # fmt: skip
