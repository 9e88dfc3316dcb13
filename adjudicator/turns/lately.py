"""The last turns of a game as all may know them, for bots that look back."""

from collections.abc import Callable, Sequence

from adjudicator.model.games import GamePosition, LogEntry
from adjudicator.turns.bots import GameBots
from adjudicator.turns.log import step_at
from adjudicator.turns.overrides import counting_entries, dice_number_after
from games.protocol import Event, Game, State
from games.protocol.optional import PastTurn

Log = Sequence[tuple[LogEntry, bytes]]


def recent_turns(game: Game, position: GamePosition, latest: Callable[[int], Log]) -> tuple[PastTurn, ...]:
    """Return as many of the last turns as the bots of a game want to know, oldest first, without undone ones.

    latest: tells so many of the last entries of the game's log, as `Books.latest` does. It is asked only
    where a bot looks back, and for more only where what was done by hand or rolled back stands among them.
    """
    most = GameBots(game, position.name, position.secret).looks_back(position.chairs.values())
    if not most:
        return ()
    wanted = most + 1  # the first for the state that it leaves
    while True:
        entries = latest(wanted)
        places = _turns(entries)
        if len(places) >= most or len(entries) < wanted:
            break
        wanted *= 2
    # Those that lie before are not counted: the position knows how many there are in all.
    thrown = position.dice_number - dice_number_after(entry for entry, _ in entries)
    steps = (step_at(game, position, entries, place, thrown) for place in places[-most:])
    return tuple(public_turn(game, step.before, step.after, step.events) for step in steps)


def _turns(entries: Log) -> list[int]:
    """The places of the turns that count among the last entries of a log, as far as they can be told."""
    # What is rolled back, or taken back, lies before the entry that says so: the end of a log knows of it.
    counting = {
        entry.number for entry in counting_entries([entry for entry, _ in entries]) if entry.kind == "turn"
    }
    return [place for place, (entry, _) in enumerate(entries) if place and entry.number in counting]


def public_turn(game: Game, before: State, after: State, events: Sequence[Event]) -> PastTurn:
    """A turn that was played, as a spectator may know it."""
    return PastTurn(
        turn=game.rules.turn(before),
        before=game.rules.view(before, None),
        after=game.rules.view(after, None),
        events=tuple(event for event in events if event.seen_by is None),
    )
