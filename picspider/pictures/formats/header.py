"""What the readers of picture headers share."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Header:
    """A picture's size in pixels as it is stored, before any turn.

    `turned`: it is shown turned by 90 degrees; `settled`: nothing behind the header can change that;
    `position`: where the reader stopped; `doubt`: the structure is odd, only decoding tells.
    """

    width: int
    height: int
    turned: bool = False
    settled: bool = True
    animated: bool = False
    position: int = 0
    doubt: bool = False
