"""The kinds of next-page rules. A new kind is one file and one line in `PAGING`."""

from picspider.paging.base import PagingRule
from picspider.paging.css import CssPaging
from picspider.paging.rel import RelPaging
from picspider.paging.template import TemplatePaging
from picspider.paging.text import TextPaging
from picspider.paging.url import UrlPaging

# By the key that a config writes, as in {text: …}.
PAGING: dict[str, type[PagingRule]] = {
    "text": TextPaging,
    "rel": RelPaging,
    "url": UrlPaging,
    "css": CssPaging,
    "template": TemplatePaging,
}

__all__ = ["PAGING", "CssPaging", "PagingRule", "RelPaging", "TemplatePaging", "TextPaging", "UrlPaging"]
