"""Assessing the rows of a letter: whether each order is legal, and what is suggested instead."""

from collections.abc import Sequence
from typing import Self

from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.clock import Millis
from adjudicator.messages import sentence
from adjudicator.model.filed_orders import make_item, turn_of
from adjudicator.reports.suggestions import SeatView, is_acceptable, is_already_given, nearest_order
from adjudicator.turns.deadlines import is_late
from games.protocol import Due, Game, Objection, Order
from games.protocol.optional import SupportsQueueChecks
from games.record import Value, replace_fields
from orders.verdict import LineVerdict


class OrderAssessor(Value, frozen=True):
    """The context in which the rows of a letter are assessed: its speaker, what is due, and when it came.

    received: when the server took the letter.
    """

    seated: AuthenticatedSeat
    asked: SeatView
    received: Millis

    @classmethod
    def of(cls, game: Game, seated: AuthenticatedSeat, received: Millis) -> Self:
        """Return the assessor of what a seat wrote."""
        return cls(seated, SeatView.of(game, seated.position.state, seated.seat), received)

    def assess(self, row: LineVerdict, queue: Sequence[Order], sooner: Sequence[Order]) -> LineVerdict:
        """Return a row with the objection against it, if there is one.

        queue: the orders of the letter that are to be played before this one, if it queues; sooner: all
        that is said for the present turn.
        """
        if not row.in_force or (row.order is None and not row.stop):
            return row
        position = self.seated.position
        if not position.is_running:
            return replace_fields(row, grade="idle", problem=sentence("clerk.filing.game_over"))
        if self.seated.stale is not None:
            why = sentence("clerk.filing.stale", turn=self.seated.stale)
            return replace_fields(row, grade="late", problem=why)
        turn = turn_of(make_item(row.order, row.when, self.asked.game.rules.turn(position.state).short))
        if turn is not None:
            return self._assess_ahead(row, turn, sooner)
        if is_late(position, self.received):
            return replace_fields(row, grade="late", problem=sentence("clerk.filing.deadline_over"))
        if row.stop:
            return self._assess_stop(row)
        if self.asked.due_for(row.order) is None:
            return self._reject_other_phase(row)
        return self._with_objection(row, self._find_objection(row, queue))

    def add_suggestions(
        self, row: LineVerdict, queue: Sequence[Order], other_orders: Sequence[Order] = ()
    ) -> LineVerdict:
        """Return the row with what is suggested in its place, if that would be accepted when sent back.

        other_orders: those of the rest of the letter; a form that is merely shown is shown with none of
        them.
        """
        ahead = row.when is not None and row.when.turn is not None
        if row.in_force or row.grade in ("idle", "late") or ahead:
            return row
        candidates = [order for order in row.candidates if is_acceptable(self.asked, order, queue)]
        instead = row.instead
        if (
            instead is not None
            and row.grade == "unread"
            and is_already_given(self.asked, instead, other_orders)
        ):
            instead = nearest_order(self.asked, instead, queue, other_orders) or instead
        if instead is not None and not is_acceptable(self.asked, instead, queue):
            instead = (
                nearest_order(self.asked, instead, queue, other_orders) if row.grade == "unread" else None
            )
        return replace_fields(row, candidates=tuple(candidates), instead=instead)

    def _assess_ahead(self, row: LineVerdict, turn: str, sooner: Sequence[Order]) -> LineVerdict:
        """Accept an order for a turn to come as it is, unless it can never be legal then."""
        asked, rules = self.asked, self.asked.game.rules
        if turn not in {coming.short for coming in rules.ahead(self.seated.position.state)}:
            return replace_fields(row, grade="late", problem=sentence("clerk.filing.turn_over", turn=turn))
        if row.order is None or row.order.part is None or not isinstance(rules, SupportsQueueChecks):
            return row
        return self._with_objection(row, rules.foresee(asked.view, asked.seat, row.order, sooner))

    def _assess_stop(self, row: LineVerdict) -> LineVerdict:
        if any(due.takes is not None for due in self.asked.dues):
            return row
        return replace_fields(row, grade="idle", problem=sentence("clerk.filing.nothing_to_stop"))

    def _reject_other_phase(self, row: LineVerdict) -> LineVerdict:
        """Reject an order for another phase;

        in a queue it stands where another was meant, so it is to be fixed.
        """
        if not self.asked.dues:
            return replace_fields(row, grade="idle", problem=sentence("clerk.filing.nothing_due"))
        why = sentence("clerk.filing.only_due", kind=self.asked.dues[0].kind)
        queued = is_queued_order(self.asked.dues, row)
        return replace_fields(row, grade="unlawful" if queued else "idle", problem=why)

    def _find_objection(self, row: LineVerdict, queue: Sequence[Order]) -> Objection | None:
        """Return the objection to an order now;

        to one that waits for others, or for an IF, what is certain now.
        """
        asked, rules = self.asked, self.asked.game.rules
        due = asked.due_for(row.order)
        takes = due.takes if due is not None else None
        full = takes is not None and (len(queue) >= takes or row.when is not None)
        if full and is_queued_order(asked.dues, row) and isinstance(rules, SupportsQueueChecks):
            return rules.foresee(asked.view, asked.seat, row.order, queue)
        return rules.check(asked.view, asked.seat, row.order)

    def _with_objection(self, row: LineVerdict, objection: Objection | None) -> LineVerdict:
        """Return the row, with the objection against it."""
        if objection is None:
            return row
        advice = self.asked.game.telling.advise(self.asked.view, objection)
        return replace_fields(row, grade="unlawful", problem=advice.problem, instead=advice.instead)


def is_queued_order(dues: Sequence[Due], row: LineVerdict) -> bool:
    """Return whether an order waits behind others of its letter, as one of another phase does too."""
    wanted = [due for due in dues if type(row.order).__name__ in due.accepts] or dues
    return row.order is not None and row.order.slot is None and any(due.takes is not None for due in wanted)
