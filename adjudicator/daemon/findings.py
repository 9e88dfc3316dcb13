"""Findings: the results of checks of the service."""

from dataclasses import dataclass
from typing import Literal

Grade = Literal["good", "odd", "bad"]


@dataclass(frozen=True)
class Finding:
    """The result of one check. grade: "good", "odd" (it works, but see to it) or "bad"; instead:
    what to do.
    """

    about: str
    grade: Grade
    said: str
    instead: str | None = None
