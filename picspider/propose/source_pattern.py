"""A pattern on the page source, for links that only scripts write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from picspider.propose.form import split

if TYPE_CHECKING:
    from picspider.propose.groups import Sheet


def source_pattern(sheets: Sequence[Sheet], pattern: re.Pattern[str]) -> str:
    """A pattern on the page source for links that scripts write: `href="…"` as it stands there."""
    found: dict[str, None] = {}
    for sheet in sheets:
        for raw, url in _raw_links(sheet):
            if pattern.search(url):
                found[re.sub(r"\d+", r"\\d+", re.escape(raw).replace(r"\-", "-"))] = None
    if len(found) == 1:
        return f'href="{next(iter(found))}"'
    endings = {split(url).form.ending for sheet in sheets for _, url in _raw_links(sheet) if pattern.search(url)}
    ending = endings.pop() if len(endings) == 1 else ""
    return f'href="[^"]+{re.escape("." + ending) if ending.isalpha() else ""}"'


def _raw_links(sheet: Sheet) -> Iterator[tuple[str, str]]:
    for link, raw in zip(
        sheet.page.source_urls(r'href="[^"]+"'), re.findall(r'href="([^"]+)"', sheet.page.text), strict=False
    ):
        yield raw, link.url
