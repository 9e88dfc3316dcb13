"""What a look at the service finds."""

from dataclasses import dataclass
from typing import Literal

Grade = Literal["good", "odd", "bad"]


@dataclass(frozen=True)
class Finding:
    """What one look found. grade: "good", "odd" (it works, but see to it) or "bad"; instead: what to do."""

    about: str
    grade: Grade
    said: str
    instead: str | None = None
