"""The last turns of a game as all may know them, for bots that look back."""

from collections.abc import Callable, Sequence

from adjudicator.ledger.positions import Entry, Position
from adjudicator.referee.bots import Bots
from adjudicator.referee.edits import line
from adjudicator.referee.log import step_at
from games.protocol import Event, Game, State
from games.protocol.optional import Past

Log = Sequence[tuple[Entry, bytes]]


def lately(game: Game, position: Position, log: Callable[[], Log]) -> tuple[Past, ...]:
    """So many of the last turns as the bots of a game want to know, oldest first; rolled back ones are none.

    log: tells the game's log. It is asked only where a bot looks back.
    """
    most = Bots(game, position.name, position.secret).looks_back(position.chairs.values())
    if not most:
        return ()
    entries = log()
    counting = {entry.number for entry in line([entry for entry, _ in entries]) if entry.kind == "turn"}
    places = [place for place, (entry, _) in enumerate(entries) if entry.number in counting]
    steps = (step_at(game, position, entries, place) for place in places[-most:])
    return tuple(witnessed(game, step.before, step.after, step.events) for step in steps)


def witnessed(game: Game, before: State, after: State, events: Sequence[Event]) -> Past:
    """A turn that was played, as a spectator may know it."""
    return Past(
        turn=game.rules.turn(before),
        before=game.rules.view(before, None),
        after=game.rules.view(after, None),
        events=tuple(event for event in events if event.seen_by is None),
    )
