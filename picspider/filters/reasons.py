"""The reasons why the user's own rules refuse something: one row each. A new reason of skips is one line here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SkipReason:
    """`found`: what it says of the picture (or page); `by_filter`: a filter gives it, so a row with it is judged again
    when the filters change.
    """

    found: str
    by_filter: bool = True


SKIP_REASONS: dict[str, SkipReason] = {
    "too-small": SkipReason("Fewer pixels than `min_width` × `min_height`, or fewer bytes than `min_size`."),
    "too-large": SkipReason("More pixels than `max_width` × `max_height`, or more bytes than `max_size`."),
    "aspect": SkipReason("Width ÷ height is below `min_aspect` or above `max_aspect`."),
    "format": SkipReason("Its format, as the content says, is not in `formats`."),
    "off-topic": SkipReason("The page's relevance is not above `topic.threshold`.", by_filter=False),
    # The name is promised; what gives it would be a limit that leaves pictures out for good.
    "limit": SkipReason(
        "Kept for limits of the config; what is beyond one waits today, and is no skip.", by_filter=False
    ),
}

FILTER_REASONS = frozenset(name for name, reason in SKIP_REASONS.items() if reason.by_filter)
