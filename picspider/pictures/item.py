"""The item a picture travels in, from the spider through the pipelines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy.http import Response


@dataclass
class PictureItem:
    """A fetched picture. `PicturePipeline` fills in the rest; later pipelines find the stored file's facts here.

    `file` is relative to the pictures' folder and None when nothing was stored; `outcome` then says why in one word.
    """

    url: str
    response: Response = field(repr=False)
    file: str | None = None
    sha256: str | None = None
    width: int = 0
    height: int = 0
    format: str | None = None
    outcome: str | None = None
