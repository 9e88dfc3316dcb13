"""Orders of a phase tried out: all of it is played but for storms, which are thrown for."""

from games.dice import NoDice, Unthrown
from games.diplomacy import sequence
from games.diplomacy.boards import Variant
from games.diplomacy.model import View
from games.diplomacy.sifting import Given
from games.protocol.optional import Trial


def attempt(variant: Variant, view: View, orders: Given) -> Trial:
    """What the orders would bring if no other were given."""
    board, rulebook = variant.board, variant.rulebook
    played = sequence.play(board, rulebook, view, orders)
    try:
        closed = sequence.close(board, rulebook, view, played.state, NoDice())
    except Unthrown:
        said = "What the storm does that comes then is thrown for."
        return Trial(after=played.state, events=played.events, open=said)
    return Trial(after=closed.state, events=(*played.events, *closed.events))
