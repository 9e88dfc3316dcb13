"""Orders of a phase tried out: all of it is played but for storms, which are thrown for."""

from games.dice import NoDice, Unthrown
from games.diplomacy import sequence
from games.diplomacy.adjudication.sifting import Given
from games.diplomacy.boards.variants import Variant
from games.diplomacy.events import Resolved
from games.diplomacy.model import View
from games.protocol import Event
from games.protocol.optional import DryRun


def dry_run(variant: Variant, view: View, orders: Given) -> DryRun:
    """Return what the orders would do if no others were given."""
    board, rulebook = variant.board, variant.rulebook
    played = sequence.play(board, rulebook, view, orders)
    events = tuple(event for event in played.events if not _is_idle(event))
    try:
        closed = sequence.close_phase(board, rulebook, view, played.state, NoDice())
    except Unthrown:
        open_question = "What the storm does that comes then is thrown for."
        return DryRun(after=played.state, events=events, open=open_question)
    return DryRun(after=closed.state, events=(*events, *closed.events))


def _is_idle(event: Event) -> bool:
    """Return whether an event only says that a unit without an order stays where it is."""
    return isinstance(event, Resolved) and event.order is None and not event.dislodged
