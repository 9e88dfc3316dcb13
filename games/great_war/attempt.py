"""The cards of the player laid on the table as it is, before the AI answers from a hidden hand."""

from collections.abc import Sequence

from games.great_war import carrying_out
from games.great_war.in_play import Table
from games.great_war.model import PLAYER, AnyOrder, StopEvent, View
from games.great_war.sequence import stop_event
from games.protocol.optional import Trial

_AI = (
    "Then the AI answers from its hand, which you cannot see. Cards that are lost or drawn by lot stay where "
    "they are here."
)
_SETTLED = "Then the Turn is settled by the Battle Points on the table."
_DEALT = "Then cards are dealt."


def attempt(view: View, orders: Sequence[AnyOrder]) -> Trial:
    """What the orders of the present stage would do."""
    table = Table(view)
    carrying_out.note_standing(table, orders)
    if view.stage in ("round 1", "round 2"):
        _stop(table, orders)
        carrying_out.play_round(table, orders, view.round)
    elif view.stage == "bonus":
        carrying_out.play_bonus(table, orders)
    said = {"round 1": _AI, "round 2": _AI, "bonus": _SETTLED}.get(view.stage, _DEALT)
    return Trial(after=table.now, events=tuple(table.events), open=said)


def _stop(table: Table, orders: Sequence[AnyOrder]) -> None:
    """A waiting event that is cancelled; one that is not takes effect by dice and draws."""
    for order in carrying_out.of_kind(orders, StopEvent):
        if table.now.waits and table.stops_events(order.card) and order.card in table.army(PLAYER).hand:
            stop_event(table, PLAYER, order.card)
