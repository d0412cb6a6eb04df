"""The key `next_page`: a text, or exactly one of the paging kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Union

from pydantic import BeforeValidator, Discriminator, Tag

from picspider.config.section import want_text
from picspider.errors import nearest, wrong
from picspider.paging import PAGING, PagingRule

_KINDS = ", ".join(PAGING)


def _long_form(raw: object) -> object:
    """A text alone is short for {text: …}; a mapping must name exactly one kind."""
    if isinstance(raw, str):
        return {"text": raw} if raw.strip() else wrong("is empty", "write the text of the link, or null for none")
    want_text(raw)
    if isinstance(raw, dict):
        kinds = [key for key in raw if key in PAGING]
        if len(kinds) > 1:
            wrong(f"has {len(kinds)} kinds of rule: {', '.join(kinds)}", f"keep exactly one of {_KINDS}")
        if not kinds:
            for key in raw:
                if near := nearest(str(key), PAGING):
                    wrong(f"has the unknown kind of rule {str(key)!r}", f"did you mean {near}?")
            wrong("names no kind of rule", f"write exactly one of {_KINDS}")
    return raw


def _kind(raw: object) -> str | None:
    if isinstance(raw, dict):
        return next((f"<{key}>" for key in raw if key in PAGING), None)
    return next((f"<{key}>" for key, rule in PAGING.items() if isinstance(raw, rule)), None)


if TYPE_CHECKING:
    NextPage = PagingRule | None
else:
    _RULES = tuple(Annotated[rule, Tag(f"<{key}>")] for key, rule in PAGING.items())
    _WANTED = f"wants the text of the link, or one of {_KINDS}"
    _CHOICE = Discriminator(_kind, custom_error_type="picspider", custom_error_message=_WANTED)
    NextPage = Annotated[
        Annotated[Union[_RULES], _CHOICE] | None,  # noqa: UP007 - the table's rules are only known at run time
        BeforeValidator(_long_form, json_schema_input_type=Annotated[Union[_RULES], _CHOICE] | str | None),  # noqa: UP007
    ]
