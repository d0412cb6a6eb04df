"""The next page by what its link reads."""

from __future__ import annotations

import re

from pydantic import Field

from picspider.links.candidate import compacted
from picspider.links.forms import Form, may_have_button
from picspider.links.labels import fold
from picspider.links.link import Link
from picspider.links.page import Page
from picspider.paging.base import PagingRule, onward

# Scripts that write no blank between words, so that any beginning will do.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
NO_MATCH = 9


class TextPaging(PagingRule):
    """Visible text of the link that begins with this, in any case; else its title, aria-label, alt or rel."""

    text: str = Field(pattern=r"\S", description="What the link to the next page reads, or its title, label or rel.")

    def next_links(self, page: Page, number: int) -> list[Link]:
        """The link that fits best: shown before hidden, exact before longer, text before labels, then the first."""
        wanted = fold(self.text).casefold()
        links = onward(page, [link for link in page.beginning_with(wanted) if _rank(link, wanted) < NO_MATCH])
        return sorted(links, key=lambda link: (link.hidden, _rank(link, wanted)))[:1] or self._form(page, wanted)

    def post_form(self, page: Page) -> Form | None:
        """The form whose button reads so, if the list goes on only by sending one: no link can be followed."""
        wanted = fold(self.text).casefold()
        return next((form for form in page.post_forms if _is_button(form, wanted)), None)

    def _form(self, page: Page, wanted: str) -> list[Link]:
        """A form that is sent by GET is as good as a link."""
        if not may_have_button(page.text, compacted(wanted)):
            return []
        forms = [form for form in page.forms if form.method == "get" and _is_button(form, wanted)]
        return onward(page, [Link(form.url, form.labels[0], "form", form.labels) for form in forms])[:1]


def _is_button(form: Form, wanted: str) -> bool:
    return any(begins_with(label.casefold(), wanted) for label in form.labels)


def _rank(link: Link, wanted: str) -> int:
    """0 for the best fit, `NO_MATCH` for none."""
    text, labels = link.text.casefold(), [label.casefold() for label in link.labels]
    fits = (
        text == wanted,
        wanted in labels,
        begins_with(text, wanted),
        any(begins_with(label, wanted) for label in labels),
        wanted in link.rel,
    )
    return fits.index(True) if True in fits else NO_MATCH


def begins_with(text: str, wanted: str) -> bool:
    """True when *text* begins with *wanted* as whole words: `Next` begins `Next »`, but not `Nextcloud`."""
    if not text.startswith(wanted):
        return False
    follower, last = text[len(wanted) : len(wanted) + 1], wanted[-1]
    return not (follower.isalnum() and last.isalnum()) or _UNSPACED.match(last) is not None
