"""Addresses and album titles that make bad file names: one crawl over all of them."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.wild.crawling import Fates, crawled, picture
from tests.wild.raw_server import Answer, answer_of, page_of, serving

PRINTABLE = "".join(map(chr, range(33, 127)))
NAMES = [
    "..%2F..%2Fevil.png", "..%5C..%5Cevil.png", "%2Fetc%2Fpasswd.png", "%252F..%252F.png", "C%3A%5Cx.png", "a%00b.png",
    "con.png", "CON", "nul.tar.png", "COM1%20.png", "con%20.png", "con..png", "aux.h.png", "lpt%C2%B9.png",
    "dot..png", "tail..png.", "...png", ".png", ".hidden.png", ".DS_Store", "%20lead.png", "tail%20.png", "%C2%A0.png",
    "emoji%F0%9F%98%80.png", "%F0%9F%91%A8%E2%80%8D%F0%9F%91%A9" * 30 + ".png", "turned%E2%80%AEgnp.exe",
    "mark%D8%9C.png", "%E2%80%8B.png", "%C3%A9.png", "e%CC%81.png", "%FF%FE.png", "x" * 300 + ".png",
    "%E5%9B%BE" * 100 + ".png", "q.png?a=1", "q.png?a=2", "noext", "IMG.JPG", "semi;jsessionid=1.png", "-rf.png",
    "%24(id).png", "%60id%60.png", "%0Anew.png", "%1B%5B31m.png", "%3Cscript%3E.png", "file.png:stream", "|.png",
    "A.png", "a.png", "ß.png", "ss.png", "SS.png", "İ.png", "ﬁ.png", "fi.png", "x.partial", "x.png.json",
]  # fmt: skip
TITLES = ["Holiday", "holiday", "Holiday ", "../../evil", "CON", "", "\u202eabc", "a/b", "x" * 400, "图" * 200,
          "\x1b[31mred", "<b>x</b>", ".", " . ", "...", "a\u0301", "\u00e1"]  # fmt: skip
BAD = re.compile(r'[<>:"|?*\\\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069\u061c]')
DEVICE = re.compile(r"(?i)(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)")


@pytest.fixture(scope="module")
def fates(tmp_path_factory: pytest.TempPathFactory) -> Fates:
    """The first album has all names, each further one only a title."""
    answers: dict[str, Answer] = {}
    for number, _ in enumerate(TITLES):
        names = [*NAMES, "same.png"] if number == 0 else ["same.png"]
        targets = [quote(f"/p/{number}/{name}", safe=PRINTABLE) for name in names]
        answers[f"/album/{number}"] = page_of(*targets)
        answers |= {target: answer_of(picture()) for target in targets}
    links = "".join(f'<a href="/album/{number}">{escape(title)}</a> ' for number, title in enumerate(TITLES))
    answers["/"] = answer_of(f"<meta charset=utf-8>{links}".encode(), kind="text/html")
    with serving(answers) as server:
        return crawled(server, tmp_path_factory.mktemp("names"), {"layers": ["/album/", "/p/"]})


def test_every_picture_has_a_file_of_its_own(fates: Fates) -> None:
    """None is lost, and none overwrites another, also where case and Unicode form do not count."""
    assert len(fates.files) == len(NAMES) + len(TITLES)
    assert len({file.casefold() for file in fates.files.values()}) == len(fates.files)
    assert fates.crawl.exit_code == 0


def test_every_name_is_safe_everywhere(fates: Fates) -> None:
    """No part is hidden, a device, too long or has a character that some system refuses."""
    for file in fates.files.values():
        for part in file.split("/"):
            assert part, file
            assert part[0] not in ". ", file
            assert part[-1] not in ". ", file
            assert not BAD.search(part), file
            assert not DEVICE.match(part), file
            assert len(part.encode()) <= 255, file


def test_nothing_is_outside_of_the_folder(fates: Fates) -> None:
    """The files are exactly those of the feed."""
    folder = Path(fates.crawl.output / "pictures")
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert there == set(fates.files.values())
    assert not list(fates.crawl.output.parent.glob("evil*"))
