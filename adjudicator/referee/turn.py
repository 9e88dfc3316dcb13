"""The one loop that plays games: gather, adjudicate, log, until a person is waited for."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from adjudicator.clock import Millis
from adjudicator.ledger import Chair, Played, Position, Step
from adjudicator.pigeonhole import Item, turn_of
from adjudicator.referee.deadlines import next_deadline
from adjudicator.referee.dice import RecordingDice
from adjudicator.referee.gather import gather
from adjudicator.referee.log import turn_entry
from games.dice import SealedDice
from games.protocol import Game, Seat
from games.record import changed

STRETCH = 50
"""Turns that bots alone may play at a stretch; a game without an end cannot hold the service up."""


def play(game: Game, position: Position, now: Millis, ripe: bool, by: str = "clock") -> Played | None:
    """What one deadline, or one letter, sets in motion; None if a person is waited for.

    ripe: the deadline is over (or the gamesmaster will not wait), so the first turn is played in any case.
    Turns in which only bots owe orders follow at once, as long as some person sits in the game.
    """
    state = position.state
    filed: Mapping[Seat, tuple[Item, ...]] = position.filed
    chairs = position.chairs
    anybody = any(chair.is_person for chair in chairs.values())
    steps: list[Step] = []
    head = position.head_sha
    while dues := game.rules.due(state):
        people = any(chairs[due.seat].is_person for due in dues)
        if steps and not people and (not anybody or len(steps) >= STRETCH):
            break
        number = position.entries + len(steps)
        dice = RecordingDice(SealedDice(position.secret, position.name, number))
        gathered = gather(game, state, dues, filed, chairs, ripe, dice)
        if gathered is None:
            break
        turn = game.rules.turn(state)
        outcome = game.rules.adjudicate(state, gathered.orders, dice)
        entry = turn_entry(number, head, turn, gathered, dice, outcome.state, now, by)
        steps.append(
            Step(
                entry=entry,
                turn=turn,
                before=state,
                after=outcome.state,
                events=outcome.events,
                passed=gathered.passed,
            )
        )
        state, head, ripe = outcome.state, entry.sha, False
        filed = {
            seat: _still_to_come(game, state, items) for seat, items in {**filed, **gathered.left}.items()
        }
        # What was said of WAIT and READY was said of one turn.
        chairs = {seat: rested(chair) for seat, chair in chairs.items()}
    if not steps:
        return None
    result = game.rules.result(state)
    deadline = None if result else next_deadline(position, game.rules.turn(state).kind, now)
    return Played(
        steps=tuple(steps),
        state=state,
        filed={seat: orders for seat, orders in filed.items() if orders},
        due=game.rules.due(state),
        result=result,
        deadline=deadline,
    )


def _still_to_come(game: Game, state: Any, filed: tuple[Item, ...]) -> tuple[Item, ...]:
    """What is on file without the orders for turns that were not played, and will not be."""
    if not any(turn_of(item) for item in filed):
        return filed
    turns = {turn.short for turn in game.rules.ahead(state)}
    return tuple(item for item in filed if turn_of(item) is None or turn_of(item) in turns)


def after(position: Position, played: Played) -> Position:
    """The position once what was played is on the books."""
    return replace(
        position,
        status="finished" if played.result else position.status,
        entries=position.entries + len(played.steps),
        rev=position.rev + 1,
        head_sha=played.steps[-1].entry.sha,
        state=played.state,
        filed=played.filed,
        chairs={seat: rested(chair) for seat, chair in position.chairs.items()},
        deadline=played.deadline,
    )


def rested(chair: Chair) -> Chair:
    """A seat when a new turn begins: neither WAIT nor READY."""
    return changed(chair, wait=False, ready=False)
