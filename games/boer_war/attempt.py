"""Actions of a round tried out, as far as they go without a die, a card or a draw."""

from collections.abc import Sequence

from games.boer_war import carrying_out, lawful
from games.boer_war.in_play import Theatre
from games.boer_war.model import Act, AnyOrder, Free, View
from games.dice import NoDice, Unthrown
from games.protocol import Seat
from games.protocol.optional import Trial

_THROWN = "What comes of that is for cards and dice to say, and so is all that follows."
_DRAW = "After each action the draw says whether there is another; here GO! was taken for granted."
_TABLE = "The action is carried out at your own table; then the draw says whether there is another."


def attempt(view: View, seat: Seat, orders: Sequence[AnyOrder]) -> Trial:
    """The actions one after the other, what goes along with them first."""
    if view.mode == "table":
        return Trial(after=view, open=_TABLE)
    theatre = Theatre(view, NoDice())
    side = view.side
    handing = carrying_out.note(theatre, side, [one for one in orders if isinstance(one, Free)])
    said = _DRAW
    for act in (one for one in orders if isinstance(one, Act)):
        if lawful.objection(theatre.now, seat, act) is not None:
            break
        try:
            carrying_out.carry_out(theatre, side, act, handing)
        except Unthrown:
            said = _THROWN
            break
        handing = ()
    return Trial(after=theatre.now, events=tuple(theatre.events), open=said)
