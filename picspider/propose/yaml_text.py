"""The proposal as a commented config."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from statistics import median
from typing import TYPE_CHECKING

from picspider.errors import counted

if TYPE_CHECKING:
    from picspider.propose.next_pages import Guess
    from picspider.propose.plan import Proposal
    from picspider.propose.walk import Route

UNSURE = 0.5
WIDTH = 118
SMALL_SHARE = 1 / 3


def yaml_text(proposal: Proposal, output: str, remarks: Sequence[str] = ()) -> str:
    """The config, with what speaks for it and against it, *remarks* last. It loads as it stands."""
    return "\n".join(
        (
            *_comment(f"Proposed from {proposal.entry}: {_summary(proposal)}"),
            *_comment("confidence: how likely it is that a rule takes all links of its layer and nothing else."),
            *_doubts(proposal),
            *(line for remark in remarks for line in _comment(remark)),
            "",
            f"entry: {quoted(proposal.entry)}",
            "",
            "layers:",
            *(line for number in range(len(proposal.layers)) for line in _layer(proposal, number)),
            "",
            *_next_page(proposal),
            *_pictures(proposal),
            f"output: {quoted(output)}",
            *_rivals(proposal),
            "",
        )
    )


def quoted(text: str) -> str:
    """*text* as a YAML string in single quotes."""
    return "'" + text.replace("'", "''") + "'"


def _comment(text: str, indent: str = "") -> Iterator[str]:
    """*text* in lines of comment; a URL stays whole."""
    line = indent + "#"
    for word in text.split():
        if len(line) + len(word) >= WIDTH and line.strip() != "#":
            yield line
            line = indent + "#  "
        line += " " + word
    yield line


def _summary(proposal: Proposal) -> str:
    clicks = len(proposal.layers)
    size = "" if not proposal.sizes else f", about {median(width for width, _ in proposal.sizes):.0f}"
    size += f" × {median(height for _, height in proposal.sizes):.0f} pixels" if proposal.sizes else ""
    return f"pictures {counted(clicks, 'click')} from the entry{size}."


def _doubts(proposal: Proposal) -> Iterator[str]:
    """What a person should look at."""
    for number, layer in enumerate(proposal.layers, 1):
        confidence = layer.rule.learned.confidence
        if confidence < UNSURE:
            yield from _comment(f"UNSURE of layer {number}: {confidence:.0%} that it takes all of it and nothing else.")
        if layer.rule.doubts:
            yield from _comment(
                f"UNSURE of layer {number}: it takes {counted(layer.rule.doubts, 'link')} in other places, such as"
            )
            yield from (f"#   {url}" for url in layer.rule.doubtful)
    for url, failed in list(proposal.refused.items())[:3]:
        yield from _comment(f"Could not be looked at: {url} ({failed.message})")


def _layer(proposal: Proposal, number: int) -> Iterator[str]:
    layer = proposal.layers[number]
    rule, is_last = layer.rule, number + 1 == len(proposal.layers)
    what = "the pictures" if is_last else f"layer {number + 1}"
    counts = ", ".join(map(str, rule.per_page))
    yield from _comment(
        f"{what}: learned from {counted(layer.followed, 'link')} on {counted(len(rule.per_page), 'page')} "
        f"(it takes {counts} there); confidence {rule.learned.confidence:.0%}",
        "  ",
    )
    for sample in rule.samples:
        yield f"  #   {sample}"
    yield f"  - links: {quoted(rule.links)}"
    if is_last and proposal.rewrite is not None:
        yield from _comment("a guess that held for two of them: they are thumbnails, the pictures stand here", "    ")
        yield f"    rewrite: {{from: {quoted(proposal.rewrite.pattern)}, to: {quoted(proposal.rewrite.to)}}}"
    if rule.within:
        yield f"    within: {quoted(rule.within)}"
    if rule.exclude:
        yield "    exclude:  # they stand on every page"
        yield from (f"      - {quoted(each)}" for each in rule.exclude)
    if not is_last:
        following = proposal.layers[number + 1].goes_on
        if _rule_of(following) != _rule_of(proposal.layers[0].goes_on):
            if following is not None:
                yield from (f"    {line}" for line in _found_by(following))
            yield f"    next_page: {written(following)}"
    for question in rule.learned.questions[:2]:
        if not re.search(rule.links, question.url) and question.if_yes != rule.links:
            yield from _comment(f"Should {question.url} be taken? If so:", "    ")
            yield f"    # links: {quoted(question.if_yes)}"


def _rule_of(guess: Guess | None) -> object:
    return None if guess is None else guess.rule


def written(guess: Guess | None) -> str:
    """The rule of *guess* as the value of `next_page`."""
    if guess is None:
        return "null"
    if isinstance(guess.rule, str):
        return quoted(guess.rule)
    return "{" + ", ".join(f"{name}: {quoted(value)}" for name, value in guess.rule) + "}"


def _next_page(proposal: Proposal) -> Iterator[str]:
    """The rule of the entry pages, which holds for all layers that have none of their own."""
    way_on = proposal.layers[0].goes_on
    if way_on is not None:
        yield from _found_by(way_on)
    yield f"next_page: {written(way_on)}"
    yield ""


def _found_by(guess: Guess) -> Iterator[str]:
    yield from _comment(f"Lists go on: {guess.why} led to {guess.url}")


def _pictures(proposal: Proposal) -> Iterator[str]:
    """A limit of size for choice, when some of the pictures looked at are far smaller than the others."""
    if len(proposal.sizes) < 4:
        return
    width = median(width for width, _ in proposal.sizes)
    height = median(height for _, height in proposal.sizes)
    small = [size for size in proposal.sizes if size[0] < width * SMALL_SHARE and size[1] < height * SMALL_SHARE]
    if small and len(small) * 4 <= len(proposal.sizes):
        yield from _comment(
            f"{len(small)} of {len(proposal.sizes)} pictures looked at are far smaller. To leave them out:"
        )
        yield f"# pictures: {{min_width: {max(each[0] for each in small) + 1}}}"
        yield ""


def _rivals(proposal: Proposal) -> Iterator[str]:
    if proposal.rivals:
        yield ""
        yield from _comment("Other ways to pictures that were found:")
        for route in proposal.rivals[:2]:
            yield from _comment(f"- {_way(route)}")


def _way(route: Route) -> str:
    clicks = " → ".join(step.urls[0] for step in route.steps)
    return f"{clicks} (about {route.side_pixels:.0f} pixels a side; {route.pictures:.0f} or more)"
