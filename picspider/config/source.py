"""Where a config comes from: a path, an http(s) address, the name of a shipped config, or the text itself."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from picspider.config.problem import Problem, Refused
from picspider.errors import in_words, nearest

if TYPE_CHECKING:
    from importlib.abc import Traversable

MAX_BYTES = 4_000_000
_URL_TIMEOUT_SECONDS = 20
_BOMS = (  # the longer ones first: UTF-32's begins like UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True, slots=True)
class Source:
    """A config's text; `name` for messages, `stem` for the default output folder, `folder` for paths inside it."""

    text: str
    name: str
    stem: str | None = None
    folder: Path | None = None


def read_source(source: str) -> Source:
    """The config that *source* stands for. Raises Refused when there is none, or it is not text."""
    if not source.strip():
        raise Refused(
            Problem("config", "", "no config is named", "", "give a path, an address, a name or the YAML text")
        )
    if "\n" in source or source.lstrip().startswith("{"):
        return Source(source.removeprefix("\ufeff"), "config text")
    if re.match(r"https?://", source, re.IGNORECASE):
        return _from_url(source)
    path = Path(source).expanduser()
    if _is_there(path) and not path.is_dir():
        return Source(_decoded(_file_bytes(path, source), source), source, path.stem, path.resolve().parent)
    stem = source.removesuffix(".yaml")
    if (folder := _shipped_folder()) is not None and stem in shipped_names():
        return Source(_decoded(folder.joinpath(f"{stem}.yaml").read_bytes(), source), f"{stem}.yaml", stem)
    if re.search(r"^\s*[\w-]+:(\s|$)", source):
        return Source(source, "config text")
    if _is_there(path):
        raise Refused(Problem(source, "", "is a folder, not a file", "", _files_in(path)))
    raise Refused(
        Problem(
            source or "config", "", "there is no such file, and no config of this name is shipped", "", _nearest(source)
        )
    )


def shipped_names() -> list[str]:
    """The names of the configs that come with picspider."""
    folder = _shipped_folder()
    names = [entry.name for entry in folder.iterdir()] if folder is not None else []
    return sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml"))


def _shipped_folder() -> Traversable | None:
    """Inside the package where it is installed (a zipped egg, too), beside it in a checkout."""
    from importlib.resources import files  # noqa: PLC0415 - slow to import, and mostly not needed

    package = files("picspider")
    inside = package.joinpath("configs")
    if inside.is_dir():
        return inside
    beside = Path(str(package)).parent / "configs"
    return beside if beside.is_dir() else None


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # too long for a path, or a NUL in it
        return False


def _file_bytes(path: Path, name: str) -> bytes:
    try:
        with path.open("rb") as file:
            body = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise Refused(Problem(name, "", f"cannot be read ({error.strerror})", "", "check its permissions")) from None
    return _bounded(body, name)


def _bounded(body: bytes, name: str) -> bytes:
    if len(body) > MAX_BYTES:
        raise Refused(
            Problem(name, "", f"is larger than {MAX_BYTES // 1_000_000} MB", "", "a config is a few lines of YAML")
        )
    return body


def _from_url(url: str) -> Source:
    from urllib.error import HTTPError  # noqa: PLC0415 - slow to import, and mostly not needed
    from urllib.request import Request, urlopen  # noqa: PLC0415 - the same

    parts = urlsplit(url)
    name = parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()
    try:
        request = Request(url, headers={"User-Agent": "picspider"})  # noqa: S310 - read_source takes only http(s)
        with urlopen(request, timeout=_URL_TIMEOUT_SECONDS) as response:  # noqa: S310 - the same
            body: bytes = response.read(MAX_BYTES + 1)
    except HTTPError as error:
        raise Refused(Problem(name, "", f"the server answered {error.code}", "", "check the address")) from None
    except (OSError, ValueError) as error:
        raise Refused(Problem(name, "", f"cannot be fetched ({in_words(error)})", "", "check the address")) from None
    text = _decoded(_bounded(body, name), name)
    if re.match(r"\s*<(!doctype|html|\?xml)", text, re.IGNORECASE):
        raise Refused(Problem(name, "", "is a web page, not a config", "", "use the address of the raw file"))
    return Source(text, name, Path(parts.path).stem or None)


def _decoded(body: bytes, name: str) -> str:
    encoding = next((encoding for mark, encoding in _BOMS if body.startswith(mark)), "utf-8")
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        what = f"holds the byte 0x{body[error.start]:02X}, which is not {encoding.removesuffix('-sig').upper()}"
        raise Refused(Problem(f"{name}:{line}", "", what, "", "save the file in UTF-8")) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise Refused(Problem(f"{name}:{line}", "", "is not a text file", "", "save it as plain text in UTF-8"))
    return text


def _files_in(folder: Path) -> str:
    found = sorted(path.name for path in folder.glob("*.y*ml"))[:5]
    return f"name a file in it: {', '.join(found)}" if found else "name a file"


def _nearest(source: str) -> str:
    path = Path(source[:255])
    shipped = shipped_names()
    try:
        beside = [str(path.with_name(found.name)) for found in path.parent.glob("*.y*ml")] if path.name else []
    except (OSError, ValueError):
        beside = []
    near = nearest(str(path), [*beside, *shipped]) or nearest(path.stem, shipped)
    return f"did you mean {near}?" if near else f"those shipped are {', '.join(shipped)}"
