"""Regexes of the config: compiled, or refused with the place of the fault; catastrophic ones are refused at load."""

from __future__ import annotations

import re
import warnings
from functools import cache
from typing import Annotated

from pydantic import AfterValidator, Field

from picspider.errors import wrong
from picspider.regexes.ambiguity import explosion
from picspider.regexes.probe import slowness

MAX_LENGTH = 2_000
_GLOB = re.compile(r"\*?\.?\w*\*[\w.]*")


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The compiled form of a regex of the config. Raises re.error; none that `checked` let through does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return re.compile(pattern)


def checked(pattern: str) -> str:
    """*pattern* itself; raises PydanticCustomError when it cannot be used, naming the position in it."""
    _check_text(pattern)
    try:
        compiled(pattern)
    except re.error as error:
        place = "" if error.pos is None else f" at position {error.pos + 1}"
        wrong(f"is not a valid regex ({error.msg}{place})", _advice(pattern, error.msg))
    except (RecursionError, OverflowError):
        wrong("is too deeply nested for a regex", "write it more simply")
    if reason := explosion(pattern) or slowness(pattern):
        wrong(f"is a catastrophic regex: {reason}", "write it so that there is one way to match a text")
    return pattern


def _check_text(pattern: str) -> None:
    if not pattern:
        wrong("is empty, so it matches everything", "write a regex, or '.' if everything is meant")
    if len(pattern) > MAX_LENGTH:
        wrong(f"is a regex of {len(pattern)} characters", f"at most {MAX_LENGTH} are allowed")
    if pattern.endswith("\n"):
        wrong("ends with a line break", "write it in single quotes on one line, or after >- instead of | or >")
    for character in pattern:
        if ord(character) < 0x20 or ord(character) == 0x7F:
            wrong(
                f"holds the control character {character!r}, as an escape in double quotes makes it",
                "write the regex in single quotes",
            )


def _advice(pattern: str, problem: str) -> str:
    if "nothing to repeat" in problem and _GLOB.fullmatch(pattern):
        return f"this looks like a file pattern; as a regex it is '{_from_glob(pattern)}'"
    if "unterminated subpattern" in problem or "unbalanced parenthesis" in problem:
        return r"close every ( with a ); a bracket that is meant as such is written \( or \)"
    if "unterminated character set" in problem:
        return r"close every [ with a ]; a bracket that is meant as such is written \["
    if "nothing to repeat" in problem or "multiple repeat" in problem:
        return r"a *, + or ? that is meant as such is written \*, \+ or \?"
    return "write it as Python's re module wants it"


def _from_glob(pattern: str) -> str:
    return "".join(".*" if character == "*" else re.escape(character) for character in pattern) + "$"


Regex = Annotated[str, AfterValidator(checked), Field(json_schema_extra={"format": "regex"})]
