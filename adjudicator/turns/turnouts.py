"""The marks for turning up in a turn: who had orders due, and whether they came in time."""

from collections.abc import Mapping

from adjudicator.model.deadline_status import is_solo
from adjudicator.model.games import AdjudicationResult, GamePosition, PlayedTurn
from adjudicator.model.people import MarkSort, TurnMark
from adjudicator.turns.deadlines import absent_seats
from games.protocol import Seat


def marks_of_turns(position: GamePosition, played: AdjudicationResult) -> Mapping[str, tuple[TurnMark, ...]]:
    """Return the marks of the players of a game by address, for turns that were just processed.

    position: the game before them. A game without deadlines gives none. Nobody gets one for orders that were
    missing during an announced absence, or when the GM ran the turn early.
    """
    is_timed = position.deadline is not None or position.timing.late_seats
    if not is_timed or is_solo(position):
        return {}
    marks: dict[str, list[TurnMark]] = {}
    for step in played.steps:
        for seat in dict.fromkeys(due.seat for due in position.game.rules.due(step.before)):
            address, sort = position.assignments[seat].address, _sort_of(position, step, seat)
            if address is not None and sort is not None:
                mark = TurnMark(turn=step.turn.short, seat=seat, sort=sort, at=step.entry.at)
                marks.setdefault(address, []).append(mark)
    return {address: tuple(some) for address, some in sorted(marks.items())}


def _sort_of(position: GamePosition, step: PlayedTurn, seat: Seat) -> MarkSort | None:
    at, late = step.entry.at, seat in position.timing.late_seats
    if seat in absent_seats(position, at):
        return None
    if seat not in step.entry.silent:
        return "late" if late else "in-time"
    due_at = position.deadline if position.deadline is not None else at
    is_away = any(
        absence.seat == seat and absence.first <= due_at and absence.last > due_at
        for absence in position.absences
    )
    # A turn that the GM ran before its deadline was missed by nobody.
    return None if is_away or (not late and at <= due_at) else "missed"
