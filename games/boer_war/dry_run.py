"""Try out the actions of a round, as far as they go without a die, a card or a draw."""

from collections.abc import Sequence

from games.boer_war import execution, legality
from games.boer_war.model import ActionOrder, AnyOrder, FreeOrder, View
from games.boer_war.working_state import WorkingState
from games.dice import NoDice, Unthrown
from games.protocol import Seat
from games.protocol.optional import DryRun

_UNTIL_CHANCE_NOTE = "What comes of that is for cards and dice to say, and so is all that follows."
_GO_ASSUMED_NOTE = "After each action the draw says whether there is another; here GO! was taken for granted."
_OWN_TABLE_NOTE = "The action is carried out at your own table; then the draw says whether there is another."


def try_actions(view: View, seat: Seat, orders: Sequence[AnyOrder]) -> DryRun:
    """Carry the actions out one after the other, after the free orders that go with them."""
    if view.mode == "table":
        return DryRun(after=view, open=_OWN_TABLE_NOTE)
    working = WorkingState(view, NoDice())
    side = view.side
    handing = execution.note_free_orders(
        working, side, [order for order in orders if isinstance(order, FreeOrder)]
    )
    note = _GO_ASSUMED_NOTE
    for act in (order for order in orders if isinstance(order, ActionOrder)):
        if legality.find_objection(working.now, seat, act) is not None:
            break
        try:
            execution.carry_out(working, side, act, handing)
        except Unthrown:
            note = _UNTIL_CHANCE_NOTE
            break
        handing = ()
    return DryRun(after=working.now, events=tuple(working.events), open=note)
