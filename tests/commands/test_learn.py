from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from picspider.demo import serve_gallery
from tests.crawls.running import ROOT

ALBUMS = ("https://a.example/album/1/", "https://a.example/album/22/")


def learn(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """``picspider learn`` as a user starts it."""
    command = [sys.executable, "-m", "picspider", "learn", *arguments]
    return subprocess.run(command, cwd=ROOT, input=given, capture_output=True, text=True, timeout=60, check=False)


def answer(*arguments: str, given: str = "") -> dict[str, Any]:
    """What ``--json`` prints."""
    done = learn(*arguments, "--json", given=given)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert list(found) == ["regex", "confidence", "matched", "rejected"]
    return dict(found)


def test_examples_and_counter_examples() -> None:
    """The expression takes the examples and further ones like them, and not what --not names."""
    about = "https://a.example/album/about/"
    found = answer(*ALBUMS, "--not", about)
    assert re.fullmatch(found["regex"], "https://a.example/album/305/")
    assert found["matched"] == list(ALBUMS)
    assert found["rejected"] == [about]
    assert 0 < found["confidence"] <= 1


def test_thesis_method() -> None:
    """--method alignment is the one of the thesis; an unknown one is an error of the user's."""
    assert re.fullmatch(answer(*ALBUMS, "--method", "alignment")["regex"], ALBUMS[1])
    done = learn(*ALBUMS, "--method", "magic")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "alignment" in done.stderr


def test_page_that_is_fetched() -> None:
    """The other links of --page are told apart; the text says so, and asks what would decide."""
    with serve_gallery() as base:
        done = learn(f"{base}/album/1/", f"{base}/album/2/", "--page", f"{base}/")
        assert done.returncode == 0, done.stderr
        regex, *told = done.stdout.splitlines()
        assert re.fullmatch(regex, f"{base}/album/3/")
        assert not re.fullmatch(regex, f"{base}/page/2")
        assert f"  {base}/album/3/" in told[: told.index("Refuses 2:")]
        missing = learn(f"{base}/album/1/", "--page", f"{base}/nowhere")
        assert (missing.returncode, missing.stdout) == (1, "")
        assert "404" in missing.stderr


def test_saved_page_and_examples_from_a_file(tmp_path: Path) -> None:
    """Examples come from a file or from standard input, the page from a saved file with a <base>."""
    page = tmp_path / "page.html"
    links = "".join(f'<a href="album/{number}/">{number}</a>' for number in range(5))
    page.write_text(f'<base href="https://a.example/">{links}<a href="impressum">i</a>', encoding="utf-8")
    examples = tmp_path / "examples.txt"
    examples.write_text("# two of them\n" + "\n".join(ALBUMS), encoding="utf-8")
    from_file = answer("--file", str(examples), "--page", str(page))
    assert from_file == answer("--file", "-", "--page", str(page), given="\n".join(ALBUMS))
    assert len(from_file["matched"]) == 6
    assert from_file["rejected"] == ["https://a.example/impressum"]


def test_a_line_of_json_each() -> None:
    """--stdin answers every line by a line, and stops with a word at one that is none."""
    lines = [json.dumps({"positives": ALBUMS, "negatives": []}), json.dumps({"positives": ["https://b.example/x.jpg"]})]
    done = learn("--stdin", given="\n".join(lines) + "\n")
    assert done.returncode == 0
    first, second = map(json.loads, done.stdout.splitlines())
    assert re.fullmatch(first["regex"], ALBUMS[0])
    assert re.fullmatch(second["regex"], "https://b.example/x.jpg")
    broken = learn("--stdin", given='{"positives": 3}\n')
    assert (broken.returncode, broken.stdout) == (1, "")
    assert "line 1" in broken.stderr


def test_nothing_to_learn_from(tmp_path: Path) -> None:
    """No examples, a file that is not there, or what is no whole address, is told in one line."""
    for arguments in ((), ("--file", str(tmp_path / "none")), ("alps.html", "beach.html")):
        done = learn(*arguments)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)
