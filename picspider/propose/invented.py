"""URLs that a site probably has, too, though no page that was read links them: more examples for the learner."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from picspider.propose.form import split, spread
from picspider.propose.spot import is_picture_name
from picspider.propose.walk import Kind, Step

MOST_TRANSFERRED = 12
MOST_SIBLINGS = 300
_ENDINGS = ("jpg", "jpeg", "png", "webp", "gif", "avif")
_ENDING = re.compile(r"\.[A-Za-z]{3,4}$")


def invented(step: Step) -> list[str]:
    """URLs that there probably are, too: below the other pages of the same kind, and with the endings of pictures."""
    found = list(_transferred(step.kind, step.urls))
    names = [url for url in step.urls if is_picture_name(url)]
    if names and len(names) == len(step.urls) and not urlsplit(names[0]).query:
        found += [_ENDING.sub(f".{ending}", name) for name, ending in zip(names * 6, _ENDINGS, strict=False)]
        found += [_ENDING.sub(f".{ending}", names[0]) for ending in _ENDINGS]
    return [url for url in dict.fromkeys(found) if url not in set(step.urls)]


def _transferred(kind: Kind, urls: Sequence[str]) -> Iterator[str]:
    """*urls* with what names a page on the way to them replaced by what names its siblings."""
    for each in kind.line:
        parts = own_parts(spread(sorted(each.siblings), MOST_SIBLINGS))
        if len(parts) < 2:
            continue
        named = re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(map(re.escape, parts))})(?![A-Za-z0-9])")
        fitting = [url for url in urls if named.search(urlsplit(url).path)]
        for url in spread(fitting, 2):
            start = len(url) - len(url.split("/", 3)[-1])
            for other in spread(sorted(parts), MOST_TRANSFERRED):
                yield url[:start] + named.sub(other.replace("\\", r"\\"), url[start:], count=1)


def own_parts(siblings: Sequence[str]) -> list[str]:
    """What of each path is its own, between what all begin and end with; the longest first."""
    paths = [split(each).segments for each in siblings]
    if len(paths) < 2 or len({len(path) for path in paths}) > 1:
        return []
    varied = [place for place, texts in enumerate(zip(*paths, strict=True)) if len(set(texts)) > 1]
    if not varied:
        return []
    texts = ["/".join(path[varied[0] : varied[-1] + 1]) for path in paths]
    texts = [text[_common_length(texts) :] for text in texts]
    end = _common_length([text[::-1] for text in texts])
    own = {text[: len(text) - end] for text in texts}
    return sorted((text for text in own if re.search(r"[A-Za-z0-9]", text)), key=len, reverse=True)


def _common_length(texts: Sequence[str]) -> int:
    """How much all *texts* have in common at their beginning, up to a sign that parts words."""
    count = 0
    for number, signs in enumerate(zip(*texts, strict=False), 1):
        if len(set(signs)) > 1:
            break
        if not signs[0].isalnum():
            count = number
    return count
