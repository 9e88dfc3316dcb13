"""The headline of a turn: who took what from whom, who was driven out, where it was close."""

from collections import Counter
from collections.abc import Sequence

from games.diplomacy.board import Board
from games.diplomacy.events import (
    AnyEvent,
    Captured,
    Dislodged,
    Eliminated,
    Ended,
    Resolved,
    StormThrown,
    TabooBroken,
)
from games.diplomacy.model import NEUTRAL, BuildCanoe, Move, Province, State
from games.diplomacy.phrases import NUMBERS, counted, listed, troops
from games.diplomacy.telling_canoes import news
from games.protocol import Seat


def headline(board: Board, events: Sequence[AnyEvent]) -> str:
    """A sentence or two; the weightiest news first. Every turn has one, a quiet one too."""
    parts = [
        *_end(events),
        *_captures(board, [event for event in events if isinstance(event, Captured)]),
        *[news(board, event) for event in events if isinstance(event, TabooBroken | StormThrown)],
        *_battles(board, events),
        *[f"{event.power} is out of the game" for event in events if isinstance(event, Eliminated)],
        *_stand_offs(board, [event for event in events if isinstance(event, Resolved)]),
    ]
    if not parts:
        parts = [_quiet(board, [event for event in events if isinstance(event, Resolved)])]
    return " ".join(f"{part[0].upper()}{part[1:]}." for part in parts[:4])


def lead(board: Board, state: State, events: Sequence[AnyEvent]) -> str:
    """Who owns most supply centres, once some have changed hands; "" before, and when the game is over."""
    if not any(isinstance(event, Captured) for event in events) or _end(events):
        return ""
    owned = Counter(state.centres.values())
    most = max(owned.values())
    first = [power for power in board.powers if owned[power] == most]
    if len(first) > 3:
        return f"{_number(len(first)).capitalize()} nations are level at {counted(most, 'centre')} each."
    if len(first) > 1:
        return f"{listed(first)} lead with {counted(most, 'centre')} each."
    return f"{first[0]} leads with {counted(most, 'centre')}."


def _end(events: Sequence[AnyEvent]) -> list[str]:
    ends = [event for event in events if isinstance(event, Ended)]
    return [f"{listed(end.winners)} won the game" if end.winners else "the game is a draw" for end in ends]


def _captures(board: Board, captures: Sequence[Captured]) -> list[str]:
    taken: dict[Seat, list[Captured]] = {}
    for one in captures:
        taken.setdefault(one.now, []).append(one)
    ranked = sorted(taken.items(), key=lambda item: -len(item[1]))
    said = [f"{power} took {_booty(board, gains)}" for power, gains in ranked[:3]]
    others = [power for power, _ in ranked[3:]]
    if others:
        said.append(f"{listed(others)} gained too")
    return ["; ".join(said)] if said else []


def _booty(board: Board, gains: Sequence[Captured]) -> str:
    """What one nation took: "Navaho, and Erie and Huron from Iroquois"; what nobody owned goes first."""
    lost: dict[Seat | None, list[str]] = {None: []}
    for one in gains:
        lost.setdefault(one.was, []).append(board.name(one.centre))
    whose = [f"{listed(names)} from {was}" if was else listed(names) for was, names in lost.items() if names]
    return ", and ".join(whose)


def _battles(board: Board, events: Sequence[AnyEvent]) -> list[str]:
    driven = [one for one in events if isinstance(one, Dislodged) and one.unit.power != NEUTRAL]
    said = [f"{one.by.power} drove {one.unit.power} out of {board.name(one.unit.at)}" for one in driven[:3]]
    if len(driven) > 3:
        said.append(f"{_number(len(driven) - 3)} more were driven out")
    fell: dict[Seat, list[str]] = {}
    for one in events:
        if isinstance(one, Resolved) and one.power == NEUTRAL and one.unit and one.reason and one.reason.by:
            fell.setdefault(one.reason.by[0].power, []).append(board.name(one.unit.at))
    said += [f"{listed(names)} fell to {power}" for power, names in fell.items()][:4]
    return ["; ".join(said)] if said else []


def _stand_offs(board: Board, resolved: Sequence[Resolved]) -> list[str]:
    bounced = [one.order.to for one in resolved if one.outcome == "bounced" and isinstance(one.order, Move)]
    places: Counter[Province] = Counter(bounced)
    crowded = [board.name(place) for place in board.sorted(places) if places[place] > 1]
    if crowded:
        return [f"{_number(len(crowded))} stand-off{'s' * (len(crowded) > 1)}: {listed(crowded[:5])}"]
    if bounced:
        return [f"{_number(len(bounced))} attack{'s' * (len(bounced) > 1)} failed"]
    return []


def _quiet(board: Board, resolved: Sequence[Resolved]) -> str:
    unit, units = troops(board)
    canoes = sum(one.outcome == "built" and isinstance(one.order, BuildCanoe) for one in resolved)
    outcomes = Counter(one.outcome for one in resolved)
    outcomes["built"] -= canoes
    told = [
        (outcomes["moved"], f"{units} moved, and nobody fought", f"{unit} moved, and nobody fought"),
        (outcomes["retreated"], "retreated", "retreated"),
        (outcomes["built"], f"new {units} took the field", f"new {unit} took the field"),
        (outcomes["removed"], f"{units} went home", f"{unit} went home"),
    ]
    said = [f"{_number(count)} {many if count > 1 else one}" for count, many, one in told if count]
    if canoes:
        said.append(f"{counted(canoes, 'canoe-fleet')} {'was' if canoes == 1 else 'were'} built")
    return "; ".join(said) if said else "nothing stirred"


def _number(count: int) -> str:
    return NUMBERS[count] if count < len(NUMBERS) else str(count)
