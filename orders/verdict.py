"""The verdict on one span of a letter that is an order or looks like one."""

from typing import Any, Literal

from games.record import Record, replace_fields
from orders.conditions import When

Grade = Literal["taken", "corrected", "doubtful", "ambiguous", "unread", "unlawful", "late", "idle"]
"""taken, corrected: in force. doubtful, unlawful, late, idle: understood, not in force. ambiguous, unread:
not understood."""

Source = Literal["body", "sheet", "attachment", "subject"]
"""Where in the letter it stood; `sheet` is an edited line inside the quoted order sheet."""

IN_FORCE: frozenset[str] = frozenset({"taken", "corrected"})


class LineVerdict(Record, frozen=True, kw_only=True):
    """The verdict on one line.

    line: the text as the player wrote it; order: the game's order it was read as, or None; said: its
    canonical text; problem: what is wrong or was corrected; instead: what to write; candidates: the
    meanings of an ambiguous line; superseded: a later line of the same letter replaces it. when: what the
    order hangs on, None: nothing; stop: it is no order but asks for the queue to stop when that holds;
    rest: the line says it of all that it says nothing else of; left_out: it is in force, and cannot be
    carried out beside the other orders of its writer, or not wholly: `problem` says why; quiet: it is asked
    back, and no turn waits for that.
    """

    line: str
    source: Source = "body"
    grade: Grade
    order: Any = None
    said: str | None = None
    problem: str | None = None
    instead: str | None = None
    candidates: tuple[str, ...] = ()
    superseded: bool = False
    when: When | None = None
    stop: bool = False
    rest: bool = False
    left_out: bool = False
    quiet: bool = False

    @property
    def in_force(self) -> bool:
        """Return whether the order counts."""
        return self.grade in IN_FORCE and not self.superseded


def mark_doubtful(verdict: LineVerdict, why: str) -> LineVerdict:
    """Return the verdict, turned into a question where it would be in force."""
    if verdict.grade not in IN_FORCE:
        return verdict
    return replace_fields(verdict, grade="doubtful", problem=why, instead=verdict.said)
