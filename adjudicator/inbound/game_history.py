"""The history of a game from its log, as everybody may know it: for reports, and on request."""

from collections.abc import Sequence

from adjudicator.model.games import AdjudicationResult, GamePosition, PlayedTurn
from adjudicator.reports.report import History, closes, history
from adjudicator.turns.log import counting_entries, step_at
from adjudicator.turns.runner import Log, public_turn
from games.protocol import Game, ReportLine, State
from games.record import replace_fields


def build_history(
    game: Game, position: GamePosition, log: Log, played: AdjudicationResult | None = None
) -> History | None:
    """Return what each side had over time up to now; with its story, once the game is over.

    played: what comes after the log and is not in it yet. Turns that a rollback left behind do not count.
    Only a spectator's view is read: a game that hides something hides it here too.
    """
    first = played.steps[0].entry.number if played else len(log) + position.entries
    places = _places_in_force(log, first)
    steps = played.steps if played else ()
    over = played.result is not None if played else position.status == "finished"
    states: list[State] = [game.state_from(log[place][1]) for place in places]
    views: list[State] = [
        game.rules.view(state, None) for state in (*states, *(step.after for step in steps))
    ]
    story = story_of(game, position, log, places, steps) if over else ()
    course = history(game, position.name, views, over=over, story=story)
    if course is None:
        return None
    return replace_fields(course, badges=game.telling.badges(game.rules.view(position.state, None)))


def ends_year(game: Game, played: AdjudicationResult) -> bool:
    """Return whether a year, or the game, ended in the turns that were played."""
    return played.result is not None or closes(game, played.steps[0].before, played.state)


def story_of(
    game: Game, position: GamePosition, log: Log, places: Sequence[int], steps: Sequence[PlayedTurn]
) -> tuple[ReportLine, ...]:
    """Return the story of the turns at some places of a log, and of those after it."""
    logged_steps = [step_at(game, position, log, place) for place in places if log[place][0].kind == "turn"]
    return game.telling.story(
        [public_turn(game, step.before, step.after, step.events) for step in (*logged_steps, *steps)]
    )


def _places_in_force(log: Log, first: int) -> list[int]:
    """Return the places of the entries that count, before one of a number."""
    counting = {entry.number for entry in counting_entries([entry for entry, _ in log])}
    return [
        place for place, (entry, _) in enumerate(log) if entry.number in counting and entry.number < first
    ]
