"""Turns of a game told again from its log: what `gm report` shows, and what is posted elsewhere."""

from collections.abc import Sequence

import games
from adjudicator.errors import Refusal
from adjudicator.inbound.annals import build_history, ends_year
from adjudicator.model.games import AdjudicationResult, GamePosition, LogEntry
from adjudicator.outbound import composer
from adjudicator.reports.picture import Drawing
from adjudicator.reports.press import LAPSED, dispatches
from adjudicator.reports.report import Report, compile_report, opening_report
from adjudicator.service import Service
from adjudicator.storage import stored_games as book_of_games
from adjudicator.turns.log import step_at
from games.dice import commitment
from games.protocol import Game, Seat

Log = Sequence[tuple[LogEntry, bytes]]


def replayed_turns(
    house: Service, position: GamePosition, turn: str | None = None
) -> AdjudicationResult | None:
    """Return what was played at the last deadline of a game, or in a turn by its short name (``S1M``).

    None where no turn was played yet and none is named. Orders that were left out are not told again: they
    were their player's alone. Raises Refusal for a turn that was not played.
    """
    game = games.kinds()[position.kind]
    log = book_of_games.log(house.database, position.name)
    played = [place for place, (entry, _) in enumerate(log) if entry.kind == "turn"]
    if turn is None:
        places = _together(log, played)
        return _replay(game, position, log, places, last=True) if places else None
    named = [place for place in played if log[place][0].turn.lower() == turn.lower()]
    if not named:
        turns = ", ".join(log[place][0].turn for place in played)
        raise Refusal(
            f"turn {turn}", f"was not played in {position.name}", f"played were: {turns or 'none yet'}"
        )
    return _replay(game, position, log, named[-1:], last=named[-1] == played[-1])


def report_of(
    house: Service, position: GamePosition, played: AdjudicationResult | None, viewer: Seat | None
) -> Report:
    """Return the report of what `replayed_turns` returns, for one viewer; the opening's if that is None."""
    game = games.kinds()[position.kind]
    seal = commitment(position.secret)
    if played is None:
        return opening_report(game, position, viewer, commitment=seal, now=house.clock.now())
    heard = dispatches(house.books.people, position.name, played, viewer)
    # Proposals of the present turn have lapsed with no other one.
    press = tuple(dispatch for dispatch in heard if dispatch is not LAPSED)
    tells_history = ends_year(game, played)
    log = book_of_games.log(house.database, position.name) if tells_history else ()
    course = build_history(game, position, log, played) if tells_history else None
    return compile_report(game, position, played, viewer, commitment=seal, press=press, history=course)


def map_of(position: GamePosition, played: AdjudicationResult | None, viewer: Seat | None) -> Drawing | None:
    """The map that belongs to that report; None where the game has none."""
    game = games.kinds()[position.kind]
    if played is None:
        return composer.draw_map(game, position.state, (), viewer)
    events = tuple(event for step in played.steps for event in step.events)
    caption = composer.map_caption(played.steps)
    return composer.draw_map(game, played.state, events, viewer, caption)


def _together(log: Log, played: Sequence[int]) -> list[int]:
    """The last turn that was played, with those played in the same stretch."""
    return [place for place in played if log[place][0].at == log[played[-1]][0].at]


def _replay(
    game: Game, position: GamePosition, log: Log, places: Sequence[int], *, last: bool
) -> AdjudicationResult:
    state = position.state if last else game.state_from(log[places[-1]][1])
    return AdjudicationResult(
        steps=tuple(step_at(game, position, log, place) for place in places),
        state=state,
        filed=position.filed if last else {},
        due=game.rules.due(state),
        result=game.rules.result(state),
        deadline=position.deadline if last else None,
    )
