"""Awards at the end of a game: who took, held, helped and travelled most."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from games.diplomacy.betrayals import help_given
from games.diplomacy.board import Board
from games.diplomacy.events import AnyEvent, Captured, Resolved
from games.diplomacy.model import NEUTRAL, Kind, Move, Province, State
from games.diplomacy.phrases import KINDS, counted, listed
from games.protocol import Seat
from games.protocol.optional import Past

_FEWEST = {"conqueror": 3, "rock": 3, "neighbour": 3, "vain": 5, "traveller": 6}
"""What is less is no award."""


def awards(board: Board, course: Sequence[Past]) -> list[str]:
    """Each in a sentence; those who did as much share it."""
    took, held, helped, vain = Counter[Seat](), Counter[Seat](), Counter[Seat](), Counter[Seat]()
    for past in course:
        took.update(one.now for one in past.events if isinstance(one, Captured) and one.was)
        held.update(_withstood(board, past.events))
        helped.update(by for by, _ in help_given(past.before, past.events))
        vain.update(
            one.power for one in past.events if isinstance(one, Resolved) and one.outcome == "bounced"
        )
    told = (
        ("conqueror", took, "The conqueror: {who}, with {much} taken from others", "centre"),
        ("rock", held, "The rock: {who}, with {much} on held centres beaten off", "attack"),
        ("neighbour", helped, "The good neighbour: {who}, with {much} of help to units of others", "act"),
        ("vain", vain, "The door that stayed shut: {who}, with {much} in vain", "move"),
    )
    found = [_award(board, count, text, noun, _FEWEST[what]) for what, count, text, noun in told]
    return [one for one in (*found, _traveller(board, course)) if one]


def _award(board: Board, count: Mapping[Seat, int], text: str, noun: str, fewest: int) -> str:
    most = max(count.values(), default=0)
    if most < fewest:
        return ""
    who = [str(power) for power in board.powers if count.get(power) == most]
    return text.format(who=listed(who), much=counted(most, noun)) + "."


def _withstood(board: Board, events: Sequence[AnyEvent]) -> Iterator[Seat]:
    """Whose unit held a centre against another, once for each attack."""
    for one in events:
        if (
            isinstance(one, Resolved)
            and one.outcome == "bounced"
            and isinstance(one.order, Move)
            and one.reason
        ):
            to = one.order.to
            holder = next((unit.power for unit in one.reason.by if unit.at == to), one.power)
            if to in board.centres and holder not in (one.power, NEUTRAL):
                yield holder


class _Journey(NamedTuple):
    """A unit on its way: whose and what it is, where it began, how many moves it has made."""

    power: Seat
    kind: Kind
    origin: Province
    moves: int = 0


def _traveller(board: Board, course: Sequence[Past]) -> str:
    """The unit that moved most often, still on the board at the end or not."""
    journeys: dict[Province, _Journey] = {}
    furthest: tuple[_Journey, Province] | None = None
    for past in course:
        journeys = _gone_on(past, journeys)
        for at, one in journeys.items():
            if furthest is None or one.moves > furthest[0].moves:
                furthest = one, at
    if furthest is None or furthest[0].moves < _FEWEST["traveller"]:
        return ""
    one, at = furthest
    whence, where = board.name(one.origin), board.name(at)
    kind = f"the {KINDS[one.kind]} of {one.power}"
    return (
        f"The traveller: {kind} that began in {whence} and came to {where} with {counted(one.moves, 'move')}."
    )


def _gone_on(past: Past, before: Mapping[Province, _Journey]) -> dict[Province, _Journey]:
    """The journeys after a turn: each unit is known by where it stands, a beaten one by where it stood."""
    went = {
        (one.power, one.order.to): one.unit.at
        for one in past.events
        if isinstance(one, Resolved)
        and one.outcome in ("moved", "retreated")
        and isinstance(one.order, Move)
        and one.unit is not None
    }
    after: State = past.after
    found: dict[Province, _Journey] = {}
    for unit in after.units:
        whence = went.get((unit.power, unit.at))
        known = before.get(unit.at if whence is None else whence)
        if known is None or (known.power, known.kind) != (unit.power, unit.kind):
            known = _Journey(unit.power, unit.kind, unit.at if whence is None else whence)
        found[unit.at] = known._replace(moves=known.moves + (whence is not None))
    for beaten in after.beaten:
        # It may retreat: what it has behind it waits where it was driven out, unless somebody stands there.
        origin = before.get(beaten.unit.at)
        if origin is not None and beaten.unit.at not in found:
            found[beaten.unit.at] = origin
    return found
