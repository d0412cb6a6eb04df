"""What every section of the config shares: the frozen base, and the kinds of value that need a word of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, Strict, ValidationInfo

from picspider.errors import wrong

NO_VALUE = ("has no value", "write one (a text with # in it needs quotes), or remove the key")
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kKMGT]?)(i?)B?")
_UNITS = {"": 0, "k": 1, "K": 1, "M": 2, "G": 3, "T": 4}


class Section(BaseModel):
    """Base of all sections: unknown keys are refused, nothing changes after loading."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, defer_build=True)


def want_text(value: object) -> None:
    """Refuse what YAML reads as something else than a text when it has no quotes."""
    if isinstance(value, (bool, int, float)):
        kind = "true or false (a boolean)" if isinstance(value, bool) else "a number"
        wrong(f"wants a text, but without quotes this is {kind}", "put it in single quotes")


def _size(value: object) -> object:
    """Bytes from a whole number or a text such as '10kB' or '1.5 MB' (1 kB = 1000 bytes, 1 KiB = 1024)."""
    if not isinstance(value, str):
        return value
    match = _SIZE.fullmatch(value.strip())
    if match is None:
        wrong("is not a size", "write bytes, or a number with kB, MB or GB, such as 10kB or 100MB")
    number, unit, binary = match.groups()
    return round(float(number) * (1024 if binary else 1000) ** _UNITS[unit])


def _list(value: object) -> object:
    """One text stands for a list of one."""
    if value is None:
        wrong(*NO_VALUE)
    if isinstance(value, dict):  # not Mapping: the first look at that class costs a tenth of a second
        wrong("wants a text or a list of texts", "write one text, or [one, two]")
    return value if isinstance(value, (list, tuple)) else (value,)


def _number_as_text(value: object) -> object:
    """A whole number is taken as the text it was written as."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _header_text(value: object) -> object:
    """A line break would start another header."""
    if isinstance(value, str) and any(ord(character) < 0x20 and character != "\t" for character in value):
        wrong("holds a line break or a control character", "write it on one line")
    return _number_as_text(value)


def _existing_file(value: str, info: ValidationInfo) -> str:
    """The path of a file, looked for beside the config, then in the working folder. Only checked while loading."""
    if info.context is None:
        return value
    folders = [folder for folder in (info.context.get("folder"), Path()) if folder is not None]
    paths = [folder / Path(value).expanduser() for folder in folders]
    found = next((path for path in paths if path.is_file()), None)
    return (
        str(found) if found is not None else wrong("there is no such file", "check the path; it starts at the config")
    )


def _no_nulls(value: object) -> object:
    """A section whose keys are all commented out reads as null: it is as good as absent."""
    return {} if value is None else value


Count = Annotated[int, Strict(), Field(ge=0)]
PositiveCount = Annotated[int, Strict(), Field(ge=1)]
Size = Annotated[int, Strict(), Field(ge=0), BeforeValidator(_size, json_schema_input_type=int | str)]
NonNegative = Annotated[float, Strict(), Field(ge=0, allow_inf_nan=False)]
PositiveFloat = Annotated[float, Strict(), Field(gt=0, allow_inf_nan=False)]
Flag = Annotated[bool, Strict()]
HeaderText = Annotated[str, BeforeValidator(_header_text, json_schema_input_type=str | int)]
Text = Annotated[str, BeforeValidator(_number_as_text, json_schema_input_type=str | int)]
ExistingFile = Annotated[str, AfterValidator(_existing_file)]
one_or_more = BeforeValidator(_list, json_schema_input_type=str | list[str])
Texts = Annotated[tuple[str, ...], one_or_more]
HeaderTexts = Mapping[str, HeaderText]
emptied = BeforeValidator(_no_nulls)
