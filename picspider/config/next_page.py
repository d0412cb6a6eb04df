"""The key `next_page`: a text, or exactly one of the paging kinds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Union

from pydantic import BeforeValidator, Discriminator, Tag

from picspider.config.section import wrong

try:
    from picspider.paging import PAGING, PagingRule
except ImportError:
    from picspider.config.paging_stand_in import PAGING, PagingRule

_KINDS = ", ".join(PAGING)


def _long_form(raw: Any) -> Any:
    """A text alone is short for {text: …}; a mapping must name exactly one kind."""
    if isinstance(raw, str):
        return {"text": raw}
    if isinstance(raw, Mapping):
        kinds = [key for key in raw if key in PAGING]
        if len(kinds) > 1:
            wrong(f"has {len(kinds)} kinds of rule: {', '.join(kinds)}", f"keep exactly one of {_KINDS}")
        if not kinds:
            wrong("names no kind of rule", f"write exactly one of {_KINDS}")
    return raw


def _kind(raw: Any) -> str | None:
    if isinstance(raw, Mapping):
        return next((f"<{key}>" for key in raw if key in PAGING), None)
    return next((f"<{key}>" for key, rule in PAGING.items() if isinstance(raw, rule)), None)


if TYPE_CHECKING:
    NextPage = PagingRule | None
else:
    NextPage = Annotated[
        Annotated[
            Union[tuple(Annotated[rule, Tag(f"<{key}>")] for key, rule in PAGING.items())],
            Discriminator(
                _kind,
                custom_error_type="picspider",
                custom_error_message=f"wants the text of the link, or one of {_KINDS}",
            ),
        ]
        | None,
        BeforeValidator(_long_form, json_schema_input_type=Any),
    ]
