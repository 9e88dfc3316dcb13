"""Turns of a game told again from its log: what `gm report` shows, and what is posted elsewhere."""

from collections.abc import Sequence

import games
from adjudicator.clerk.annals import course_of, ends_time
from adjudicator.errors import Refusal
from adjudicator.house import House
from adjudicator.ledger.positions import Entry, Played, Position
from adjudicator.referee.log import step_at
from adjudicator.reports.picture import Drawing
from adjudicator.reports.press import LAPSED, dispatches
from adjudicator.reports.report import Report, gather, opening
from adjudicator.secretary import writing
from adjudicator.store import games as book_of_games
from games.dice import commitment
from games.protocol import Game, Seat

Log = Sequence[tuple[Entry, bytes]]


def told_again(house: House, position: Position, turn: str | None = None) -> Played | None:
    """What was played at the last deadline of a game, or in a turn named by its short name (``S1M``).

    None where no turn was played yet and none is named. Orders that were left out are not told again: they
    were their player's alone. Raises Refusal for a turn that was not played.
    """
    game = games.kinds()[position.kind]
    log = book_of_games.log(house.database, position.name)
    played = [place for place, (entry, _) in enumerate(log) if entry.kind == "turn"]
    if turn is None:
        places = _together(log, played)
        return _played(game, position, log, places, last=True) if places else None
    named = [place for place in played if log[place][0].turn.lower() == turn.lower()]
    if not named:
        turns = ", ".join(log[place][0].turn for place in played)
        raise Refusal(
            f"turn {turn}", f"was not played in {position.name}", f"played were: {turns or 'none yet'}"
        )
    return _played(game, position, log, named[-1:], last=named[-1] == played[-1])


def report_of(house: House, position: Position, played: Played | None, viewer: Seat | None) -> Report:
    """The report of what `told_again` tells, for one pair of eyes; that of the opening if it is None."""
    game = games.kinds()[position.kind]
    seal = commitment(position.secret)
    if played is None:
        return opening(game, position, viewer, commitment=seal, now=house.clock.now())
    heard = dispatches(house.books.society, position.name, played, viewer)
    # Proposals of the present turn have lapsed with no other one.
    press = tuple(one for one in heard if one is not LAPSED)
    told = ends_time(game, played)
    log = book_of_games.log(house.database, position.name) if told else ()
    course = course_of(game, position, log, played) if told else None
    return gather(game, position, played, viewer, commitment=seal, press=press, history=course)


def map_of(position: Position, played: Played | None, viewer: Seat | None) -> Drawing | None:
    """The map that belongs to that report; None where the game has none."""
    game = games.kinds()[position.kind]
    if played is None:
        return writing.map_for(game, position.state, (), viewer)
    events = tuple(event for step in played.steps for event in step.events)
    told = writing.caption_of(played.steps)
    return writing.map_for(game, played.state, events, viewer, told)


def _together(log: Log, played: Sequence[int]) -> list[int]:
    """The last turn that was played, with those played in the same stretch."""
    return [place for place in played if log[place][0].at == log[played[-1]][0].at]


def _played(game: Game, position: Position, log: Log, places: Sequence[int], *, last: bool) -> Played:
    state = position.state if last else game.state_from(log[places[-1]][1])
    return Played(
        steps=tuple(step_at(game, position, log, place) for place in places),
        state=state,
        filed=position.filed if last else {},
        due=game.rules.due(state),
        result=game.rules.result(state),
        deadline=position.deadline if last else None,
    )
