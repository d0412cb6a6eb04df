"""The names of stored pictures."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from picspider.config.name_template import checked_template
from picspider.pictures.file_names import FIELDS, Fields, fold, render, with_suffix_tag
from picspider.pictures.safe_names import MOST_PART_BYTES, MOST_PATH_BYTES, clean
from picspider.pictures.url_names import url_name

DEFAULT = "{layer1}/{stem}{ext}"
RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))}
ANY_TEXT = st.text(st.characters(codec=None), max_size=300)
NASTY = st.one_of(
    ANY_TEXT,
    st.text(alphabet='./\\:*?"<>| \t\0~$é\u0301İßſ', max_size=40),
    st.sampled_from(["..", "../..", "C:", "con", "NUL.txt", "aux .", ".", "...", "写" * 200, "a" * 300 + ".jpg"]),
)


def named(url: str, extension: str = ".jpg", template: str = DEFAULT, **known: object) -> str:
    """The path for *url*."""
    return render(template, Fields(url, **known), extension)  # type: ignore[arg-type]  # keywords of the test tables


def assert_safe(path: str) -> None:
    """What every file system asks of a relative path."""
    assert len(path.encode()) <= MOST_PATH_BYTES
    for part in path.split("/"):
        assert part
        assert not part.startswith(".")
        assert part[-1] not in " ."
        assert len(part.encode()) <= MOST_PART_BYTES
        assert part.split(".")[0].rstrip().lower() not in RESERVED
        assert not set('<>:"|?*\\').intersection(part)
        assert part.isprintable() or all(ord(each) >= 0x20 for each in part)


@pytest.mark.parametrize(
    ("url", "extension", "path"),
    [
        ("http://h/p/view.jpg?k=77aa&z=01FF", ".jpg", "view.jpg"),
        ("http://h/p/one.jpg?two", ".jpg", "one.jpg"),
        ("http://h/shot.png?page=http://www.example.com&wait=30", ".jpg", "shot.jpg"),
        ("http://h/svc?control=%3Cv%3D%221.0%22", ".jpg", "svc.jpg"),
        ("http://h/media/12345", ".jpg", "12345.jpg"),
        ("http://h/media/12345/", ".jpg", "12345.jpg"),
        ("http://h/image.php?id=1.gif", ".png", "image.png"),
        ("http://h/IMG_2024.01.05", ".jpg", "IMG_2024.01.05.jpg"),
        ("http://h/IMG_1.JPG", ".jpg", "IMG_1.JPG"),
        ("http://h/a.jpeg", ".jpg", "a.jpeg"),
        ("http://h/a.jfif", ".jpg", "a.jfif"),
        ("http://h/raw.NEF", ".tif", "raw.NEF"),
        ("http://h/a.png", ".jpg", "a.jpg"),
        ("http://h/b.jpg", ".webp", "b.webp"),
        ("http://h/b.jpg.webp", ".webp", "b.jpg.webp"),
        ("http://h/a.jpg;jsessionid=1F", ".jpg", "a.jpg"),
        ("http://h/a.jpg:large", ".jpg", "a.jpg_large.jpg"),
        ("http://h/a.jpg#part", ".jpg", "a.jpg"),
        ("http://h/.jpg", ".jpg", "_jpg.jpg"),
        ("http://h/", ".jpg", "picture.jpg"),
        ("http://h", ".jpg", "picture.jpg"),
        ("http://h/16%3A9.jpg", ".jpg", "16_9.jpg"),
        ("http://h/a%7Cb%3C%3E.jpg", ".jpg", "a_b__.jpg"),
        ("http://h/what%3F%2A.jpg", ".jpg", "what__.jpg"),
        ("http://h/tab%09nl%0A.jpg", ".jpg", "tab_nl_.jpg"),
        ("http://h/day%2Fdusk.jpg", ".jpg", "day_dusk.jpg"),
        ("http://h/..%2F..%2Fetc%2Fpasswd", ".jpg", "_._.._etc_passwd.jpg"),
        ("http://h/..%5C..%5Cevil.jpg", ".jpg", "_._.._evil.jpg"),
        ("http://h/%2e%2e/%2e%2e", ".png", "picture.png"),
        ("http://h/C%3A%5Cevil.jpg", ".jpg", "C__evil.jpg"),
        ("http://h/con.jpg", ".jpg", "con_.jpg"),
        ("http://h/NUL", ".jpg", "NUL_.jpg"),
        ("http://h/aux.tar.jpg", ".jpg", "aux_.tar.jpg"),
        ("http://h/lpt%C2%B9.png", ".png", "lpt¹_.png"),
        ("http://h/console.jpg", ".jpg", "console.jpg"),
        ("http://h/dots....jpg", ".jpg", "dots.jpg"),
        ("http://h/a%20.jpg", ".jpg", "a.jpg"),
        ("http://h/%E5%86%99%E7%9C%9F.jpg", ".jpg", "写真.jpg"),
        ("http://h/%CA%B1%BC%E4.jpg", ".jpg", "%CA%B1%BC%E4.jpg"),
        ("http://h/100%25.jpg", ".jpg", "100%.jpg"),
        ("http://h/100%.jpg", ".jpg", "100%.jpg"),
        ("http://h/U%CC%88bung.jpg", ".jpg", "Übung.jpg"),
        ("http://h/photo%E2%80%AEgpj.exe", ".jpg", "photo_gpj.exe.jpg"),
    ],
)
def test_name_from_the_address(url: str, extension: str, path: str) -> None:
    """The name is the address's last part, made safe, with the extension of the content."""
    assert named(url, extension) == path


@pytest.mark.parametrize(
    ("template", "path"),
    [
        ("{layer1}/{stem}{ext}", "Day_dusk/photo 1.JPG"),
        ("{layer2}/{layer9}/{stem}", "Second/photo 1.jpg"),
        ("{host}/{path}/{name}", "h.example_8080/a_b/photo 1.JPG"),
        ("{path1}/{path2}/{folder}-{index:04}{ext}", "a/b/b-0007.JPG"),
        ("{sha256:.8}", "01234567.jpg"),
        ("{date:%Y}/{date:%m-%d}/{stem}", "2024/05-06/photo 1.jpg"),
        ("{date}_{width}x{height}_{bytes}{ext}", "2024-05-06_640x480_1234.JPG"),
        ("{page:>3}.{layer}.{format}", "2.3.jpeg"),
        ("{title}{ext}", "photo 1.JPG"),
        ("{text}", "A _ B.jpg"),
        ("{parent}-{query}.png", "album-k=v.jpg"),
        ("{{x}}{stem}.gif", "{x}photo 1.jpg"),
        ("{index}.v2", "7.v2.jpg"),
        ("{date:2024-%m}", "2024-05.jpg"),
        ("a/" * 15 + "{index}", "a/" * 15 + "7.jpg"),
    ],
)
def test_template(template: str, path: str) -> None:
    """Each field stands for what it says; only the template's own slashes make folders, and empty folders none."""
    assert checked_template(template) == template
    fields = Fields(
        "http://h.example:8080/a/b/photo%201.JPG?k=v",
        layers=("Day/dusk", "Second"),
        index=7,
        page=2,
        layer=3,
        parent_url="http://h.example/album.html",
        text="A | B.",
        date=datetime(2024, 5, 6, tzinfo=timezone.utc),
        width=640,
        height=480,
        bytes=1234,
        format="JPEG",
        sha256="0123456789abcdef" * 4,
    )
    assert render(template, fields, ".jpg") == path


def test_every_field_can_be_used_alone() -> None:
    """A picture of which nothing is known still gets a name from any field."""
    for field in [*FIELDS, "layer1", "path3"]:
        assert checked_template(f"{{{field}}}")
        assert_safe(named("", template=f"{{{field}}}"))


def test_long_names_are_cut_on_a_character_and_stay_distinct() -> None:
    """Names over the length keep their extension and differ where the whole names differ."""
    first, second = (named("http://h/" + "%E5%86%99%E7%9C%9F" * 64 + f"{number}.jpg") for number in (1, 2))
    assert first.startswith("写真写真")
    assert first.endswith(".jpg")
    assert len(first.encode()) <= MOST_PART_BYTES
    assert first != second


def test_long_folders_are_cut_too() -> None:
    """The whole path stays within its length, however many long folders the template makes."""
    template = "/".join(f"{{layer{number}}}" for number in range(1, 10)) + "/{stem}"
    assert_safe(named("http://h/" + "x" * 400, template=template, layers=tuple("写" * 100 for _ in range(9))))


def test_handed_names_are_distinct_when_folded_after_a_tag(shared: Path) -> None:
    """The addresses of the handed name cases get safe names, distinct once those that clash are tagged."""
    for case in shared.glob("cases/cases/name-*/case.json"):
        pictures = json.loads(case.read_text())["expect"]["pictures"]
        taken: set[str] = set()
        for number, picture in enumerate(pictures):
            path = named("http://127.0.0.1:8000" + picture["url"])
            assert_safe(path)
            path = with_suffix_tag(path, str(number)) if fold(path) in taken else path
            assert fold(path) not in taken
            taken.add(fold(path))


@given(NASTY, st.lists(NASTY, max_size=3), NASTY, NASTY, st.sampled_from([DEFAULT, "{host}/{path}/{name}", "{text}"]))
def test_no_name_leaves_its_folder(address: str, layers: list[str], title: str, text: str, template: str) -> None:
    """Whatever a page says, the path is relative, safe, within length, and of as many folders as the template has."""
    fields = Fields("http://h/a/" + address, layers=tuple(layers), title=title, text=text)
    path = render(template, fields, ".jpg")
    assert_safe(path)
    assert path.count("/") <= template.count("/")
    assert path.lower().endswith((".jpg", ".jpeg", ".jpe", ".jfif", ".jif", ".pjpeg", ".pjp", ".mpo"))


@given(NASTY)
def test_cleaning_is_idempotent(text: str) -> None:
    """A clean name is left as it is."""
    once = clean(text)
    assert clean(once) == once


@given(ANY_TEXT)
def test_folding_is_idempotent_and_sees_case_and_form(text: str) -> None:
    """Two names that a file system may take for one have the same key."""
    key = fold(text)
    assert fold(key) == key


@pytest.mark.parametrize(
    ("one", "other"),
    [("IMG_1.JPG", "img_1.jpg"), ("Übung.jpg", "U\u0308bung.jpg"), ("STRASSE", "straße"), ("ά", "Ά"), ("K", "\u212a")],
)
def test_names_that_clash(one: str, other: str) -> None:
    """Case and Unicode form make no difference."""
    assert fold(one) == fold(other)


@given(NASTY, st.lists(st.text("0123456789abcdef", min_size=1, max_size=64), min_size=2, max_size=5, unique=True))
def test_tags_make_names_distinct(address: str, tags: list[str]) -> None:
    """With distinct tags the paths are distinct even when folded, and still safe."""
    path = named("http://h/" + address, layers=("x",))
    tagged = [with_suffix_tag(path, tag) for tag in tags]
    assert len(set(map(fold, [path, *tagged]))) == len(tags) + 1
    for each in tagged:
        assert_safe(each)


@given(NASTY)
def test_any_text_is_taken_as_an_address(url: str) -> None:
    """Strange addresses have parts too."""
    parts = url_name(url)
    assert parts.name == parts.stem + parts.extension or ";" in parts.name
