from __future__ import annotations

import errno
import ssl
import urllib.error
from pathlib import Path

import pytest

from picspider.errors import in_words
from picspider.feeds import FEEDS, ON_DEMAND
from tests.conftest import ROOT
from tests.crawls.running import run


@pytest.mark.parametrize(
    "arguments", [("crawl",), ("crawl", "demo", "--no-such-option"), ("nonsense",), ("crawl", "demo", "-o", "x")]
)
def test_wrong_usage_ends_with_1(arguments: tuple[str, ...]) -> None:
    """A command that is typed wrongly ends with 1, as 2 tells of a crawl with failures."""
    assert run("-m", "picspider", *arguments).returncode == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("tree x --state broken", "'--state': 'broken' is none of waiting, running, done, error"),
        ("tree x --state erorr", "'erorr' is none of waiting, running, done, error; did you mean error?"),
        ("tree x --layer two", "'--layer': 'two' is no whole number; write digits only"),
        ("serve x --port 70000", "'--port': '70000' is too large; write 65535 or less"),
        ("schedule demo --scrapyd http://x --workers 0", "'--workers': '0' is too small; write 1 or more"),
        ("export x --feed picture", "--feed: there is no feed 'picture'; did you mean pictures?"),
        ("export x --feed q", f"write one of {', '.join({**FEEDS, **ON_DEMAND})}"),
        ("export x --store nothing", "store: is no address of a database that can be used here: 'nothing': write "),
        ("propose http://127.0.0.1:9/", "picspider: http://127.0.0.1:9/: the connection was refused"),
        ("propose http://nowhere.invalid/", "the name of the host is not known. Check the host name"),
        ("propose http://127.0.0.1/ -o /no-such-folder/x.yaml", "there is no folder /no-such-folder; make it"),
        ("learn --file no-such-file", "no-such-file: cannot be read (there is no such file or folder)"),
        ("learn http://a/1 http://a/2 --page http://127.0.0.1:9/", "http://127.0.0.1:9/: the connection was refused"),
        ("crawl http://127.0.0.1:9/x.yaml", "cannot be fetched (the connection was refused"),
        ("schedule demo --scrapyd http://127.0.0.1:9", "Scrapyd gives no answer (the connection was refused"),
        ("crawl demo --retry no-such-file -o output={folder}", "(there is no such file or folder). Use retry=all or"),
        ("crawl demo -o store=nothing://x -o output={folder}", "no address of a database that can be used here"),
        ("check demo -o entry=http://127.0.0.1:9/", "Answer    none that helps: the connection was refused"),
    ],
)
def test_bad_input_is_told_in_words(arguments: str, words: str, tmp_path: Path) -> None:
    """What is wrong, with which value, and what to do; no number of the operating system, no word of a library."""
    done = run("-m", "picspider", *(word.format(folder=tmp_path) for word in arguments.split()), cwd=tmp_path)
    assert done.returncode == 1
    assert words in done.stdout
    for raw in ("Traceback", "Errno", "Value error", "Input should", "pydantic", "urlopen"):
        assert raw not in done.stdout


def test_file_that_cannot_be_written(tmp_path: Path) -> None:
    """A file in no folder is named, without a traceback."""
    made = run("-m", "picspider", "crawl", "demo", "-o", f"output={tmp_path}", "-o", "entry=http://127.0.0.1:9/", "-q")
    assert (tmp_path / "crawl.db").exists(), made.stdout
    done = run("-m", "picspider", "export", str(tmp_path), "-o", str(tmp_path / "no/x.csv"))
    assert done.stdout == f"picspider: {tmp_path}/no/x.csv: there is no such file or folder\n"
    assert done.returncode == 1


def test_help_and_version_end_with_0() -> None:
    """What was asked for is no wrong usage."""
    assert run("-m", "picspider", "--version").returncode == 0
    assert run("-m", "picspider", "tree", "--help").returncode == 0


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(111, "Connect call failed ('::1', 9, 0, 0)"), "refused, as nothing listens there (::1, port 9)"),
        (OSError("Multiple exceptions: [Errno 111] a, [Errno 113] b"), "Multiple exceptions: a, b"),
        (urllib.error.URLError(OSError(errno.ETIMEDOUT, "x")), "no answer came in time"),
        (ssl.SSLError(2, "the certificate is old"), "the certificate is old"),
        (TimeoutError(), "TimeoutError"),
        (ValueError("x"), "x"),
    ],
)
def test_errors_of_the_system_in_words(error: Exception, words: str) -> None:
    """Each kind of error says what happened; that of TLS has numbers of its own."""
    assert in_words(error).endswith(words)
    assert "Errno" not in in_words(error)


def test_feeds_are_named_in_one_place() -> None:
    """The command line has no list of feeds of its own, which could miss one."""
    text = (ROOT / "picspider/cli.py").read_text(encoding="utf-8")
    assert "repeats" not in text
