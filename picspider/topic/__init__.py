"""Topics: how much a page is about one, and how promising a link is.

Pure functions of text and URLs. A new model is a file here and a line in `MODELS`.
"""

from __future__ import annotations

from picspider.topic.model import PageScore, TopicModel
from picspider.topic.page_text import LinkText, PageText, link_texts, main_text, page_text
from picspider.topic.shark_bm25 import SharkBm25
from picspider.topic.tfidf_seed import TfidfSeed
from picspider.topic.topic import Topic
from picspider.topic.vsm_4b_c import Vsm4BC

MODELS: dict[str, type[TopicModel]] = {
    "shark-bm25": SharkBm25,
    "vsm-4b-c": Vsm4BC,
    "tfidf-seed": TfidfSeed,
}
DEFAULT_MODEL = "shark-bm25"

__all__ = [
    "DEFAULT_MODEL",
    "MODELS",
    "LinkText",
    "PageScore",
    "PageText",
    "Topic",
    "TopicModel",
    "link_texts",
    "main_text",
    "page_text",
]
