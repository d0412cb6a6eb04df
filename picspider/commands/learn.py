"""`picspider learn`: a layer's regex from a few of its URLs."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from picspider.commands.exit_codes import ExitCode
from picspider.errors import ConfigError, in_words
from picspider.learn import Learned, UnknownMethod, learn
from picspider.links.page import Page

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Examples:
    """What is learned from: URLs of the layer, URLs that are not of it, and the page that both stand on."""

    positives: tuple[str, ...]
    negatives: tuple[str, ...] = ()
    page: str | None = None


def learn_layer(examples: Examples, method: str = "default", *, as_json: bool = False) -> ExitCode:
    """Print the regex of *examples*. Raises `PicspiderError` for what the user has to mend."""
    if not examples.positives:
        raise ConfigError("no examples: name two or three addresses of the layer")
    for url in (*examples.positives, *examples.negatives):
        if "://" not in url:  # patterns are searched in whole addresses
            raise ConfigError(f"{url}: not a valid URL. Write the whole address, as https://gallery.example/album/1")
    others = [] if examples.page is None else [link.url for link in read_page(examples.page).links()]
    learned = _learned(examples.positives, examples.negatives, others, method)
    print(_json(learned) if as_json else "\n".join(words(learned)))  # noqa: T201 - what this command is for
    return ExitCode.ok


def learn_lines(lines: TextIO, method: str = "default") -> ExitCode:
    """Answer each line `{"positives": […], "negatives": […]}` by a line. Raises ConfigError for a line that is none."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            positives, negatives, unlabelled = _fields(line, number)
            print(_json(_learned(positives, negatives, unlabelled, method)), flush=True)  # noqa: T201 - as above
    return ExitCode.ok


def urls_in(file: str) -> tuple[str, ...]:
    """The URLs in *file* (`-`: standard input), one a line; lines that begin with # are comments."""
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: cannot be read ({in_words(error)})") from error
    lines = [line.strip() for line in text.splitlines()]
    return tuple(line for line in lines if line and not line.startswith("#"))


def read_page(source: str) -> Page:
    """The page at the URL, or in the saved file, *source*."""
    if source.startswith(("http://", "https://")):
        from picspider.commands.probing import ask_page  # noqa: PLC0415 - Scrapy is slow to import

        return ask_page(source)
    try:
        return Page(Path(source).resolve().as_uri(), Path(source).read_bytes())
    except OSError as error:
        raise ConfigError(f"{source}: cannot be read ({in_words(error)})") from error


def words(learned: Learned) -> Iterator[str]:
    """What a person wants to know of it."""
    yield learned.regex
    yield ""
    yield f"Confidence {learned.confidence:.0%}. {learned.explanation}"
    yield from _shown("Matches", learned.matched)
    yield from _shown("Refuses", learned.rejected)
    if learned.questions:
        yield "What would decide:"
        yield from (f"  {question}" for question in learned.questions)


def _shown(title: str, urls: Sequence[str]) -> Iterator[str]:
    if urls:
        yield f"{title} {len(urls)}:"
        yield from (f"  {url}" for url in urls[:MOST_SHOWN])
    if len(urls) > MOST_SHOWN:
        yield f"  … and {len(urls) - MOST_SHOWN} more"


def _learned(positives: Sequence[str], negatives: Sequence[str], unlabelled: Sequence[str], method: str) -> Learned:
    try:
        return learn(positives, negatives, unlabelled, method)
    except UnknownMethod as error:
        raise ConfigError(f"--method: {error}") from None


def _fields(line: str, number: int) -> tuple[list[str], list[str], list[str]]:
    try:
        fields = json.loads(line)
        found = [fields.get(name) or [] for name in ("positives", "negatives", "unlabelled")]
    except (ValueError, AttributeError) as error:
        raise ConfigError(f"line {number} of the input is no JSON object ({error})") from error
    if not found[0] or not all(isinstance(urls, list) and all(isinstance(url, str) for url in urls) for urls in found):
        raise ConfigError(f'line {number} of the input: write {{"positives": ["URL", …], "negatives": ["URL", …]}}')
    return found[0], found[1], found[2]


def _json(learned: Learned) -> str:
    fields = {name: getattr(learned, name) for name in ("regex", "confidence", "matched", "rejected")}
    return json.dumps(fields, ensure_ascii=False)
