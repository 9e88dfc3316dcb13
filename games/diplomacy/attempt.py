"""Orders of a phase tried out: all of it is played but for storms, which are thrown for."""

from games.dice import NoDice, Unthrown
from games.diplomacy import sequence
from games.diplomacy.boards import Variant
from games.diplomacy.events import Resolved
from games.diplomacy.model import View
from games.diplomacy.sifting import Given
from games.protocol import Event
from games.protocol.optional import Trial


def attempt(variant: Variant, view: View, orders: Given) -> Trial:
    """What the orders would bring if no other were given."""
    board, rulebook = variant.board, variant.rulebook
    played = sequence.play(board, rulebook, view, orders)
    told = tuple(event for event in played.events if not _is_idle(event))
    try:
        closed = sequence.close(board, rulebook, view, played.state, NoDice())
    except Unthrown:
        said = "What the storm does that comes then is thrown for."
        return Trial(after=played.state, events=told, open=said)
    return Trial(after=closed.state, events=(*told, *closed.events))


def _is_idle(event: Event) -> bool:
    """Whether a unit that was not spoken of stays where it is."""
    return isinstance(event, Resolved) and event.order is None and not event.dislodged
