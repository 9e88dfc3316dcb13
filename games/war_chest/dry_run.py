"""Orders tried out ahead of time: TRY, and orders that wait behind others of the same letter."""

from collections.abc import Sequence

from games.protocol import Event, Seat
from games.protocol.optional import DryRun
from games.record import replace_fields
from games.war_chest import legality
from games.war_chest.execution import try_out
from games.war_chest.model import AnyOrder, State, View
from games.war_chest.setup import pick

_OPPONENT_NEXT = "The opponent plays after each coin, and coins are drawn: what comes then cannot be tried."
_COIN_DRAWN_NEXT = "Then a coin is drawn out of the bag."
_CHOICE_NEXT = "Then a choice is wanted before anything else."
_DRAFT_NEXT = "The next cards are then for the other side to choose, or coins are drawn."


def attempt(view: View, seat: Seat, orders: Sequence[AnyOrder]) -> DryRun:
    """Play the coins of a seat on its view, one after the other, its opponent doing nothing."""
    state: State = view
    events: list[Event] = []
    if view.picks:
        if not orders:
            return DryRun(after=view, open=_DRAFT_NEXT)
        picked = pick(view, seat, tuple(orders))  # type: ignore[arg-type]  # a draft takes nothing else
        return DryRun(after=picked.state, events=picked.events, open=_DRAFT_NEXT)
    for order in orders:
        if state.agenda and order is not orders[0]:
            return DryRun(after=state, events=tuple(events), open=_CHOICE_NEXT)
        if legality.objection(state, seat, order) is not None:
            return DryRun(after=state, events=tuple(events), open=_OPPONENT_NEXT)
        played, whole = try_out(state, seat, order)
        state, events = played.state, [*events, *played.events]
        if not whole:
            return DryRun(after=state, events=tuple(events), open=_COIN_DRAWN_NEXT)
        if state.ended is not None:
            return DryRun(after=state, events=tuple(events))
    return DryRun(after=replace_fields(state), events=tuple(events), open=_OPPONENT_NEXT)
