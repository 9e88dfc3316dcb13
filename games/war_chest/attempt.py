"""Coins played on the board as it stands, for whoever wants to see what would come of them."""

from collections.abc import Sequence

from games.protocol import Event, Seat
from games.protocol.optional import Trial
from games.record import changed
from games.war_chest import lawful
from games.war_chest.carrying_out import try_out
from games.war_chest.model import AnyOrder, State, View
from games.war_chest.setup import pick

_NEXT = "The opponent plays after each coin, and coins are drawn: what comes then cannot be tried."
_DRAWN = "Then a coin is drawn out of the bag."
_ASKED = "Then a choice is wanted before anything else."
_DRAFTED = "The next cards are then for the other side to choose, or coins are drawn."


def attempt(view: View, seat: Seat, orders: Sequence[AnyOrder]) -> Trial:
    """The coins of a seat, one after the other, its opponent doing nothing."""
    state: State = view
    events: list[Event] = []
    if view.picks:
        if not orders:
            return Trial(after=view, open=_DRAFTED)
        picked = pick(view, seat, tuple(orders))  # type: ignore[arg-type]  # a draft takes nothing else
        return Trial(after=picked.state, events=picked.events, open=_DRAFTED)
    for order in orders:
        if state.agenda and order is not orders[0]:
            return Trial(after=state, events=tuple(events), open=_ASKED)
        if lawful.objection(state, seat, order) is not None:
            return Trial(after=state, events=tuple(events), open=_NEXT)
        played, whole = try_out(state, seat, order)
        state, events = played.state, [*events, *played.events]
        if not whole:
            return Trial(after=state, events=tuple(events), open=_DRAWN)
        if state.ended is not None:
            return Trial(after=state, events=tuple(events))
    return Trial(after=changed(state), events=tuple(events), open=_NEXT)
