"""Awards at the end of a game: who took, held, helped and travelled most."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from games.diplomacy.boards.board import Board
from games.diplomacy.events import AnyEvent, Captured, Resolved
from games.diplomacy.model import NEUTRAL, Kind, Move, Province, State
from games.diplomacy.phrases import UNIT_KIND_NAMES, count_noun, join_words
from games.diplomacy.reports.betrayals import help_given
from games.protocol import Seat
from games.protocol.optional import PastTurn

_MIN_FOR_AWARD = {"conqueror": 3, "rock": 3, "neighbour": 3, "vain": 5, "traveller": 6}
"""What is less is no award."""


def awards(board: Board, course: Sequence[PastTurn]) -> list[str]:
    """Return each award in a sentence; nations that did as much share it."""
    took, held, helped, vain = Counter[Seat](), Counter[Seat](), Counter[Seat](), Counter[Seat]()
    for past in course:
        took.update(event.now for event in past.events if isinstance(event, Captured) and event.was)
        held.update(_defenders(board, past.events))
        helped.update(by for by, _ in help_given(past.before, past.events))
        vain.update(
            event.power for event in past.events if isinstance(event, Resolved) and event.outcome == "bounced"
        )
    categories = (
        ("conqueror", took, "The conqueror: {who}, with {much} taken from others", "centre"),
        ("rock", held, "The rock: {who}, with {much} on held centres beaten off", "attack"),
        ("neighbour", helped, "The good neighbour: {who}, with {much} of help to units of others", "act"),
        ("vain", vain, "The door that stayed shut: {who}, with {much} in vain", "move"),
    )
    sentences = [
        _award(board, count, text, noun, _MIN_FOR_AWARD[what]) for what, count, text, noun in categories
    ]
    return [sentence for sentence in (*sentences, _traveller(board, course)) if sentence]


def _award(board: Board, count: Mapping[Seat, int], text: str, noun: str, fewest: int) -> str:
    most = max(count.values(), default=0)
    if most < fewest:
        return ""
    who = [str(power) for power in board.powers if count.get(power) == most]
    return text.format(who=join_words(who), much=count_noun(most, noun)) + "."


def _defenders(board: Board, events: Sequence[AnyEvent]) -> Iterator[Seat]:
    """Yield the nation whose unit held a centre against another, once for each attack."""
    for event in events:
        if (
            isinstance(event, Resolved)
            and event.outcome == "bounced"
            and isinstance(event.order, Move)
            and event.reason
        ):
            to = event.order.to
            holder = next((unit.power for unit in event.reason.by if unit.at == to), event.power)
            if to in board.centres and holder not in (event.power, NEUTRAL):
                yield holder


class _Journey(NamedTuple):
    """A unit on its way: whose and what it is, where it began, how many moves it has made."""

    power: Seat
    kind: Kind
    origin: Province
    moves: int = 0


def _traveller(board: Board, course: Sequence[PastTurn]) -> str:
    """The unit that moved most often, still on the board at the end or not."""
    journeys: dict[Province, _Journey] = {}
    furthest: tuple[_Journey, Province] | None = None
    for past in course:
        journeys = _continue_journeys(past, journeys)
        for at, journey in journeys.items():
            if furthest is None or journey.moves > furthest[0].moves:
                furthest = journey, at
    if furthest is None or furthest[0].moves < _MIN_FOR_AWARD["traveller"]:
        return ""
    journey, at = furthest
    whence, where = board.name(journey.origin), board.name(at)
    kind = f"the {UNIT_KIND_NAMES[journey.kind]} of {journey.power}"
    return (
        f"The traveller: {kind} that began in {whence} and came to {where} with "
        f"{count_noun(journey.moves, 'move')}."
    )


def _continue_journeys(past: PastTurn, before: Mapping[Province, _Journey]) -> dict[Province, _Journey]:
    """Return the journeys after a turn: each unit is known by its province, a beaten one by its last one."""
    went = {
        (event.power, event.order.to): event.unit.at
        for event in past.events
        if isinstance(event, Resolved)
        and event.outcome in ("moved", "retreated")
        and isinstance(event.order, Move)
        and event.unit is not None
    }
    after: State = past.after
    journeys: dict[Province, _Journey] = {}
    for unit in after.units:
        whence = went.get((unit.power, unit.at))
        known = before.get(unit.at if whence is None else whence)
        if known is None or (known.power, known.kind) != (unit.power, unit.kind):
            known = _Journey(unit.power, unit.kind, unit.at if whence is None else whence)
        journeys[unit.at] = known._replace(moves=known.moves + (whence is not None))
    for beaten in after.beaten:
        # It may retreat: what it has behind it waits where it was driven out, unless somebody stands there.
        origin = before.get(beaten.unit.at)
        if origin is not None and beaten.unit.at not in journeys:
            journeys[beaten.unit.at] = origin
    return journeys
