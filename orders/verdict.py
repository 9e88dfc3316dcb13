"""The verdict on one span of an email that is an order or looks like one."""

from typing import Any, Literal

from games.record import Record, replace_fields
from orders.conditions import When

Grade = Literal["taken", "corrected", "doubtful", "ambiguous", "unread", "unlawful", "late", "idle"]
"""taken, corrected: in force. doubtful, unlawful, late, idle: understood, not in force. ambiguous, unread:
not understood."""

Source = Literal["body", "sheet", "attachment", "subject"]
"""The part of the email with the line. `sheet` is an edited line inside the quoted order sheet."""

IN_FORCE: frozenset[str] = frozenset({"taken", "corrected"})


class LineVerdict(Record, frozen=True, kw_only=True):
    """The verdict on one line.

    line: the text as the player wrote it; order: the game's order, or None; said: its canonical text;
    problem: the mistake or the correction; instead: a suggestion to write; candidates: the meanings of an
    ambiguous line; superseded: a later line of the same email replaces it; when: the conditions of the order,
    None for none; stop: it isn't an order, but stops the queue when its condition is true; rest: the line
    covers all units without an order of their own; left_out: the order is in force, but can't be carried out,
    or only in part, together with the writer's other orders (`problem` has the reason); quiet: we ask about
    it, but no turn waits for the reply.
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
    """Return the verdict, as a question if it would be in force."""
    if verdict.grade not in IN_FORCE:
        return verdict
    return replace_fields(verdict, grade="doubtful", problem=why, instead=verdict.said)
