"""TRY: the player's cards laid on the table as it is, before the AI answers from a hidden hand."""

from collections.abc import Sequence

from games.great_war import execution
from games.great_war.model import PLAYER, AnyOrder, StopEvent, View
from games.great_war.sequence import stop_event
from games.great_war.working_state import WorkingState
from games.protocol.optional import DryRun

_AI_ANSWERS = (
    "Then the AI answers from its hand, which you cannot see. Cards that are lost or drawn by lot stay where "
    "they are here."
)
_TURN_SETTLED = "Then the Turn is settled by the Battle Points on the table."
_CARDS_DEALT = "Then cards are dealt."


def attempt(view: View, orders: Sequence[AnyOrder]) -> DryRun:
    """Return what the orders of the present stage would do."""
    table = WorkingState(view)
    execution.note_standing(table, orders)
    if view.stage in ("round 1", "round 2"):
        _stop(table, orders)
        execution.play_round(table, orders, view.round)
    elif view.stage == "bonus":
        execution.play_bonus(table, orders)
    open_question = {"round 1": _AI_ANSWERS, "round 2": _AI_ANSWERS, "bonus": _TURN_SETTLED}.get(
        view.stage, _CARDS_DEALT
    )
    return DryRun(after=table.now, events=tuple(table.events), open=open_question)


def _stop(table: WorkingState, orders: Sequence[AnyOrder]) -> None:
    """A waiting event that is cancelled; one that is not takes effect by dice and draws."""
    for order in execution.of_kind(orders, StopEvent):
        if table.now.waits and table.stops_events(order.card) and order.card in table.army(PLAYER).hand:
            stop_event(table, PLAYER, order.card)
