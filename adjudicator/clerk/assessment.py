"""What a row of a letter comes to: whether its order may be given, and what is suggested instead."""

from collections.abc import Sequence
from typing import Self

from adjudicator.catalogue import sentence
from adjudicator.clerk.identity import Seated
from adjudicator.clock import Millis
from adjudicator.ledger.filed_orders import filed, turn_of
from adjudicator.referee.deadlines import is_late
from adjudicator.reports.suggestions import Asked, is_said, near, would_do
from games.protocol import Due, Game, Objection, Order
from games.protocol.optional import Foresight
from games.record import Value, changed
from orders.verdict import Verdict


class Assessor(Value, frozen=True):
    """By what the rows of a letter are assessed: who speaks, what is asked of him, and when the letter came.

    received: when the server took the letter.
    """

    seated: Seated
    asked: Asked
    received: Millis

    @classmethod
    def of(cls, game: Game, seated: Seated, received: Millis) -> Self:
        """The assessor of what a seat wrote."""
        return cls(seated, Asked.of(game, seated.position.state, seated.seat), received)

    def assessed(self, row: Verdict, queue: Sequence[Order], sooner: Sequence[Order]) -> Verdict:
        """A row with what is against it.

        queue: the orders of the letter that are to be played before this one, if it queues; sooner: all that
        is said for the present turn.
        """
        if not row.in_force or (row.order is None and not row.stop):
            return row
        position = self.seated.position
        if not position.running:
            return changed(row, grade="idle", problem=sentence("clerk.filing.game_over"))
        if self.seated.stale is not None:
            why = sentence("clerk.filing.stale", turn=self.seated.stale)
            return changed(row, grade="late", problem=why)
        turn = turn_of(filed(row.order, row.when, self.asked.game.rules.turn(position.state).short))
        if turn is not None:
            return self._ahead(row, turn, sooner)
        if is_late(position, self.received):
            return changed(row, grade="late", problem=sentence("clerk.filing.deadline_over"))
        if row.stop:
            return self._stop(row)
        if self.asked.due_for(row.order) is None:
            return self._not_asked_for(row)
        return self._weighed(row, self._objection(row, queue))

    def suggesting(self, row: Verdict, queue: Sequence[Order], said: Sequence[Order] = ()) -> Verdict:
        """The row with what is suggested in its place as far as it would be taken if it were sent back.

        said: what the letter orders besides; a form that is merely shown is shown with nothing of that.
        """
        ahead = row.when is not None and row.when.turn is not None
        if row.in_force or row.grade in ("idle", "late") or ahead:
            return row
        told = [one for one in row.candidates if would_do(self.asked, one, queue)]
        instead = row.instead
        if instead is not None and row.grade == "unread" and is_said(self.asked, instead, said):
            instead = near(self.asked, instead, queue, said) or instead
        if instead is not None and not would_do(self.asked, instead, queue):
            instead = near(self.asked, instead, queue, said) if row.grade == "unread" else None
        return changed(row, candidates=tuple(told), instead=instead)

    def _ahead(self, row: Verdict, turn: str, sooner: Sequence[Order]) -> Verdict:
        """What is for a turn to come is taken as it is, but for what can never be lawful then."""
        asked, rules = self.asked, self.asked.game.rules
        if turn not in {one.short for one in rules.ahead(self.seated.position.state)}:
            return changed(row, grade="late", problem=sentence("clerk.filing.turn_over", turn=turn))
        if row.order is None or row.order.part is None or not isinstance(rules, Foresight):
            return row
        return self._weighed(row, rules.foresee(asked.view, asked.seat, row.order, sooner))

    def _stop(self, row: Verdict) -> Verdict:
        if any(due.takes is not None for due in self.asked.dues):
            return row
        return changed(row, grade="idle", problem=sentence("clerk.filing.nothing_to_stop"))

    def _not_asked_for(self, row: Verdict) -> Verdict:
        """An order for another phase; in a queue it stands where another order was meant, so it is mended."""
        if not self.asked.dues:
            return changed(row, grade="idle", problem=sentence("clerk.filing.nothing_due"))
        why = sentence("clerk.filing.only_due", kind=self.asked.dues[0].kind)
        queued = queues_up(self.asked.dues, row)
        return changed(row, grade="unlawful" if queued else "idle", problem=why)

    def _objection(self, row: Verdict, queue: Sequence[Order]) -> Objection | None:
        """What is against an order now; of one that waits for others, or for an IF, what is certain now."""
        asked, rules = self.asked, self.asked.game.rules
        due = asked.due_for(row.order)
        takes = due.takes if due is not None else None
        full = takes is not None and (len(queue) >= takes or row.when is not None)
        if full and queues_up(asked.dues, row) and isinstance(rules, Foresight):
            return rules.foresee(asked.view, asked.seat, row.order, queue)
        return rules.check(asked.view, asked.seat, row.order)

    def _weighed(self, row: Verdict, objection: Objection | None) -> Verdict:
        """The row, with what is against it."""
        if objection is None:
            return row
        advice = self.asked.game.telling.advise(self.asked.view, objection)
        return changed(row, grade="unlawful", problem=advice.problem, instead=advice.instead)


def queues_up(dues: Sequence[Due], row: Verdict) -> bool:
    """Whether an order waits for its turn behind others of its letter, as one of another phase does, too."""
    wanted = [due for due in dues if type(row.order).__name__ in due.accepts] or dues
    return row.order is not None and row.order.slot is None and any(due.takes is not None for due in wanted)
