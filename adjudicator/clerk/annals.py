"""The course of a game out of its log, as all may know it: for reports, and for whoever asks."""

from collections.abc import Sequence

from adjudicator.ledger.positions import Played, Position, Step
from adjudicator.referee.edits import line
from adjudicator.referee.lately import Log, witnessed
from adjudicator.referee.log import step_at
from adjudicator.reports.history import History, closes, history
from adjudicator.reports.report import badges
from games.protocol import Game, Line, State
from games.protocol.optional import Storied
from games.record import changed


def course_of(game: Game, position: Position, log: Log, played: Played | None = None) -> History | None:
    """What each side had over time up to now; with its story, once the game is over.

    played: what comes behind the log and is not in it yet. Turns that a rollback left behind count no more.
    Nothing but the view of a spectator is read, whoever asks: a game that hides something hides it here too.
    """
    first = played.steps[0].entry.number if played else len(log) + position.entries
    places = _counting(log, first)
    steps = played.steps if played else ()
    over = played.result is not None if played else position.status == "finished"
    states: list[State] = [game.state_from(log[place][1]) for place in places]
    views: list[State] = [game.rules.view(one, None) for one in (*states, *(step.after for step in steps))]
    told = story_of(game, position, log, places, steps) if over else ()
    course = history(game, position.name, views, over=over, story=told)
    return changed(course, badges=badges(game, game.rules.view(position.state, None))) if course else None


def ends_time(game: Game, played: Played) -> bool:
    """Whether in what was played a year came to its end, or the game."""
    return played.result is not None or closes(game, played.steps[0].before, played.state)


def story_of(
    game: Game, position: Position, log: Log, places: Sequence[int], steps: Sequence[Step]
) -> tuple[Line, ...]:
    """The story of the turns at some places of a log, and of those behind it."""
    if not isinstance(game.telling, Storied):
        return ()
    told = [step_at(game, position, log, place) for place in places if log[place][0].kind == "turn"]
    return game.telling.story(
        [witnessed(game, step.before, step.after, step.events) for step in (*told, *steps)]
    )


def _counting(log: Log, first: int) -> list[int]:
    """The places of the entries that count, before one of a number."""
    counting = {entry.number for entry in line([entry for entry, _ in log])}
    return [
        place for place, (entry, _) in enumerate(log) if entry.number in counting and entry.number < first
    ]
