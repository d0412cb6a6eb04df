"""What the crawl is about: from the config's section `topic` to a topic and its model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from picspider.errors import ConfigError
from picspider.topic import DEFAULT_MODEL, MODELS, Topic
from picspider.topic.calibration import held_out_scores, threshold_from

if TYPE_CHECKING:
    from collections.abc import Sequence

    from picspider.config.topic import Topic as Section
    from picspider.topic import PageText, TopicModel


def model_of(section: Section, seeds: Sequence[PageText] = ()) -> TopicModel:
    """The model for *section* with the seed pages that its `pages` led to.

    Raises ConfigError when nothing says what the topic is, when the model needs more documents, or when the libraries
    of the extra `topic` are not installed.
    """
    documents: list[PageText] = []
    for text in (section.text, _content(section.file)):
        if text and text.strip():
            documents += Topic.from_text(text).documents
    topic = Topic.from_pages([*documents, *seeds])
    return MODELS[section.model or DEFAULT_MODEL](topic, section.threshold)


def threshold_like(section: Section, seeds: Sequence[PageText]) -> float | None:
    """The threshold that keeps pages like *seeds*; None when they are too few to tell."""
    try:
        return threshold_from(held_out_scores(MODELS[section.model or DEFAULT_MODEL], seeds))
    except ConfigError:
        return None


def _content(file: str | None) -> str:
    if file is None:
        return ""
    try:
        return Path(file).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as exc:
        raise ConfigError(f"topic.file: {file} cannot be read as UTF-8 text ({exc})") from exc
