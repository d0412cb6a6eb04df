"""The files of pages on the topic: OUTPUT/pages/HOST/NAME-KEY.html as it was sent, and NAME-KEY.txt to be read."""

from __future__ import annotations

import logging
import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from picspider.output_folder import OutputFolder
from picspider.pictures.files_store import AtomicFilesStore
from picspider.pictures.safe_names import clean, fit
from picspider.pictures.url_names import url_name
from picspider.records import KeptPage
from picspider.topic import main_text
from picspider.urls import fingerprint

if TYPE_CHECKING:
    from pathlib import Path

    from scrapy.http import Response

    from picspider.links.page import Page
    from picspider.strategy.topic import Judged

# It tells of every page that is hard to read; its text is read by other means then.
logging.getLogger("trafilatura").setLevel(logging.CRITICAL)


class PageFiles:
    """Writes and removes the files of pages, named by the address that a page was asked for by.

    A page that is written twice (after a kill, or when the crawl is brought up to date) has the same name each time.
    """

    def __init__(self, output: Path) -> None:
        self._folder = OutputFolder(output).pages
        self._store = AtomicFilesStore(self._folder)

    def write(self, url: str, response: Response, page: Page, judged: Judged) -> KeptPage:
        """Write the page that was asked for as *url*. Raises OSError as the disk does."""
        stem = _stem(url)
        kept = KeptPage(
            file=f"{stem}.html",
            text_file=f"{stem}.txt",
            title=judged.text.title,
            content_type=page.content_type or "",
            bytes=len(response.body),
            date=date_of(response),
            title_cosine=judged.score.title_cosine,
            body_cosine=judged.score.body_cosine,
        )
        self._store.write(kept.text_file, main_text(page.text, page.url).encode("utf-8", "replace"))
        self._store.write(kept.file, response.body)
        return kept

    def remove(self, url: str) -> None:
        """Take the files of *url* away, if there are any: it is not on the topic, or not any more."""
        stem = _stem(url)
        for ending in (".html", ".txt"):
            if (self._folder / f"{stem}{ending}").exists():
                self._store.remove(stem + ending)


def date_of(response: Response) -> float:
    """When the server says that it answered, in seconds since 1970; now, when it says nothing that is a date."""
    stated = response.headers.get(b"Date")
    try:
        return parsedate_to_datetime((stated or b"").decode("latin-1")).timestamp()
    except ValueError:
        return time.time()


def _stem(url: str) -> str:
    parts = url_name(url)
    # Unique: the key of an address is.
    ending = f"-{fingerprint(url) & (1 << 64) - 1:016x}"
    return f"{fit(clean(parts.host)) or 'host'}/{fit(clean(parts.stem) or 'index', ending, 200)}"
