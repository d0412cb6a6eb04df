"""How the list of a page goes on: guesses by rel, by the text of a link, by its URL, by counting."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from picspider.paging import RelPaging, TextPaging

if TYPE_CHECKING:
    from picspider.propose.groups import Sheet

_WORDS = (
    "Next page", "Next", "Older posts", "Older", "下一页", "下一頁", "下页", "次のページ", "次へ", "다음", "Weiter",
    "Nächste", "Page suivante", "Suivant", "Siguiente", "Volgende", "Далее", "Следующая", "Seguinte", "Successiva",
    "Load more", "Show more", "More", "»", "›", ">>", ">", "→",
)  # fmt: skip
_NUMBERED = re.compile(r"^(?P<stem>.*?)[-_/]?(?:page|seite)?[-_/]?(?P<number>\d+)(?P<end>(?:\.\w+)?/?)$", re.IGNORECASE)
# What a first page may have where the others have a number.
_STEM_ENDS = (r"/$", r"(?:/?index)?\.\w+$", r"[-_]?(?:page)?\d+(?:\.\w+)?$", r"/(?:page/)?\d+/?$")
_FIRST = re.compile(r"(?P<before>[?&](?:page|p|pg|paged|seite)=)(?P<number>[01])(?=&|$)|(?P<path>/page/)1(?=/?$)")
_PAGE_PARAMETER = re.compile(r"\w*(?:page|seite)\w*|p|pg|pn|start|offset|from|skip", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Guess:
    """A next-page rule as a config writes it, the page that it leads to, and why it is thought to be one."""

    rule: str | tuple[tuple[str, str], ...]
    url: str
    why: str

    @property
    def counts(self) -> bool:
        """Whether it goes by numbers in the address."""
        return not isinstance(self.rule, str) and self.rule[0][0] in ("url", "template")


def guesses(sheet: Sheet) -> list[Guess]:
    """The next-page rules that may hold for *sheet*, the surest first; one for each page that they lead to."""
    found: dict[str, Guess] = {}
    for guess in (*_by_rel(sheet), *_by_text(sheet), *_by_url(sheet), *_by_counting(sheet)):
        if guess.url != sheet.url:
            found.setdefault(guess.url, guess)
    return list(found.values())


def _by_rel(sheet: Sheet) -> Iterator[Guess]:
    for link in RelPaging(rel="next").next_links(sheet.page, 1):
        yield Guess((("rel", "next"),), link.url, "a link with rel=next")


def _by_text(sheet: Sheet) -> Iterator[Guess]:
    for word in _WORDS:
        for link in TextPaging(text=word).next_links(sheet.page, 1):
            if link.origin != "form":
                yield Guess(word, link.url, f"a link that reads {word!r}")
                return


def is_counted(sheet: Sheet, url: str) -> bool:
    """Whether *url* is that of *sheet*, counted on."""
    return any(guess.url == url for guess in _by_url(sheet))


def certainly_next(sheet: Sheet) -> set[str]:
    """The URLs that are next pages by two signs: by rel or their text, and as the address of *sheet*, counted on."""
    named = {guess.url for guess in (*_by_rel(sheet), *_by_text(sheet))}
    numbered = {spot.url for spot in sheet.spots if spot.text.strip().isdigit()}
    return {guess.url for guess in _by_url(sheet)} & (named | numbered)


def _by_url(sheet: Sheet) -> Iterator[Guess]:
    here = urlsplit(sheet.url)
    mine = dict(parse_qsl(here.query))
    texts = {spot.url: spot.text.strip() for spot in sheet.spots if spot.role == "page"}
    parts = {url: urlsplit(url) for url in texts}
    queries = {url: dict(parse_qsl(there.query)) for url, there in parts.items() if there[:3] == here[:3]}
    uses = Counter(name for theirs in queries.values() for name in theirs)
    for url, text in texts.items():
        there = parts[url]
        if url in queries:
            name = _counted_parameter(mine, queries[url])
            # One that this page lacks, and that has many values on it, may be that of an album.
            counts = name in mine or text.isdigit() or uses[name] == 1 or _PAGE_PARAMETER.fullmatch(name)
            rule = rf"[?&]{re.escape(name)}=\d+" if name and counts else None
        elif there.netloc == here.netloc and there.query == here.query:
            rule = _counted_path(here.path, there.path, 1 if text == "2" else 2)
        else:
            rule = None
        if rule is not None:
            yield Guess((("url", rule),), url, "an address that is this page's, counted on,")


def _counted_path(path: str, other: str, least: int) -> str | None:
    """A regex for the address of further pages when *other* is *path* with a number, from *least* on; else None."""
    numbered = _NUMBERED.match(other)
    if numbered is None or int(numbered["number"]) < least:
        return None
    stems = {re.sub(each, "", path).rstrip("/-_") for each in _STEM_ENDS}
    if not {numbered["stem"].rstrip("/-_"), re.sub(r"/index$", "", numbered["stem"]).rstrip("/-_")} & stems:
        return None
    last = other[len(_shared(path, other)) :]
    return re.sub(r"\d+", r"\\d+", re.escape("/" + last)) + "$"


def _counted_parameter(mine: dict[str, str], theirs: dict[str, str]) -> str:
    """The one parameter that differs, if it is a number; else nothing."""
    changed = {name for name in mine.keys() | theirs.keys() if mine.get(name) != theirs.get(name)}
    name = changed.pop() if len(changed) == 1 else ""
    return name if theirs.get(name, "").isdigit() and mine.get(name, "0").isdigit() else ""


def _shared(path: str, other: str) -> str:
    """The directories that both paths begin with, the last slash included."""
    shared = ""
    for mine, theirs in zip(path.split("/"), other.split("/"), strict=False):
        if mine != theirs:
            break
        shared += mine + "/"
    if other.startswith(shared) and len(shared) < len(other):
        return shared
    return shared.rstrip("/").rpartition("/")[0] + "/"


def _by_counting(sheet: Sheet) -> Iterator[Guess]:
    first = _FIRST.search(sheet.url)
    if first is None:
        return
    if first["path"]:
        url, template = _FIRST.sub("/page/2", sheet.url), _FIRST.sub("/page/{n}", urlsplit(sheet.url).path)
    else:
        following = str(int(first["number"]) + 1)
        url = sheet.url[: first.start("number")] + following + sheet.url[first.end("number") :]
        query = "?" + urlsplit(sheet.url).query
        template = _FIRST.sub(lambda match: f"{match['before']}{{n}}", query)
        if following == "1":
            return
    yield Guess((("template", template),), url, "the address of the entry counts pages, and the next number answers")
