"""Positions of the Diplomacy family from text, played, and compared with the expected results.

A line is ``Power: W Place - Place | outcome``. The power can be left out if it is the same as above. No order
means no orders from the player, and without a bar nothing is expected. Anything not mentioned is empty.
Outcomes read ``moves``, ``holds``, ``supports``, ``fails: stood off by Huron``, ``cut by Huron``, ``void: no
such move by Oneida``, ``retreats``, ``disbands``, and ``; dislodged`` after any of them. Reasons are those of
`reasons.py`, without hyphens. A unit with canoe-fleets is ``W Place (canoe)`` or ``W Place (2 canoes)``. It
takes one along with ``W Place - Place canoe``, builds one with ``W Place B canoe``, and ``destroy Place`` is
a separate order.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from games.dice import Dice, SealedDice
from games.diplomacy.boards import variants
from games.diplomacy.boards.board import Board
from games.diplomacy.events import Dislodged, Resolved
from games.diplomacy.model import (
    NEUTRAL,
    AnyOrder,
    Build,
    BuildCanoe,
    Destroy,
    Disband,
    Hold,
    Move,
    Phase,
    Piece,
    Province,
    State,
    SupportHold,
    SupportMove,
    Unit,
    Waive,
)
from games.diplomacy.rules import DiplomacyRules
from games.protocol import Event, Options, Seat
from games.record import replace_fields
from tests.kit.dice import Scripted

DICE = SealedDice(b"the tests' own", "position", 0)

VARIANT = variants.load("indianomacy")
BOARD = VARIANT.board
RULES = DiplomacyRules(VARIANT)

NAUGHT = Scripted({})
"""Dice that can't be rolled."""

_WORDS = {"moved": "moves", "bounced": "fails", "held": "holds", "supported": "supports"}
_WORDS |= {"disrupted": "spoilt", "destroyed": "destroys"}
_WORDS |= {"retreated": "retreats", "disbanded": "disbands", "built": "builds", "waived": "waives"}


@dataclass(frozen=True)
class Line:
    """A line of a position: the owner, the order (None: none sent), and the expected outcome (None: any).

    canoes: the number of canoe-fleets with the unit.
    """

    power: Seat
    piece: Piece | None
    order: AnyOrder | None
    expected: str | None
    canoes: int = 0


@dataclass(frozen=True)
class After:
    """A played phase: the state before and after, and the events. Places are called by their names."""

    before: State
    state: State
    events: tuple[Event, ...]

    @property
    def units(self) -> dict[str, Seat]:
        """Return the owners of units by place."""
        return {BOARD.name(unit.at): unit.power for unit in self.state.units}

    @property
    def retreats(self) -> dict[str, list[str]]:
        """Return the possible retreats of each dislodged unit, from the events."""
        told = [event for event in self.events if isinstance(event, Dislodged)]
        return {BOARD.name(one.unit.at): [BOARD.name(to) for to in one.retreats] for one in told}

    @property
    def canoes(self) -> dict[str, int]:
        """Return the number of canoe-fleets by place."""
        return {BOARD.name(at): count for at, count in self.state.canoes.items()}

    def told(self, sort: type[Event]) -> list[Event]:
        """Return the events of a sort."""
        return [event for event in self.events if isinstance(event, sort)]

    @property
    def contested(self) -> list[str]:
        """Return the provinces left empty by a stand-off."""
        return [BOARD.name(one) for one in self.state.contested]

    def outcome(self, name: str) -> str:
        """Return the outcome of the unit at a place, in the words of these texts."""
        at = place(BOARD, name)
        told = [event for event in self._resolved() if event.unit is not None and event.unit.at == at]
        return outcome(told[-1])

    def then(self, text: str, dice: Dice = NAUGHT) -> "After":
        """Play the next phase by further lines."""
        return play(self.state, text, dice)

    def _resolved(self) -> Iterator[Resolved]:
        return (event for event in self.events if isinstance(event, Resolved))


def position(
    text: str,
    phase: str = "S1M",
    centres: Mapping[str, str] | None = None,
    options: Options | None = None,
    **fields: object,
) -> State:
    """Return the state with the units of the text.

    centres: owners by name of the place. missing: no owners. fields: any other fields of the state. Canoes
    are those at places without a unit of the text, by name of the place.
    """
    season, kind = phase[0], phase[-1]
    shown = [line for line in lines(text) if line.piece is not None]
    units = [
        Unit(power=line.power, kind=line.piece.kind, at=line.piece.at)
        for line in shown
        if line.piece is not None and not isinstance(line.order, Build | Destroy)
    ]
    owners = {place(BOARD, name): Seat(power) for name, power in (centres or {}).items()}
    lying: Mapping[str, int] = fields.pop("canoes", {})  # type: ignore[assignment]
    canoes = {place(BOARD, name): count for name, count in lying.items()}
    canoes |= {line.piece.at: line.canoes for line in shown if line.piece is not None and line.canoes}
    state = State(
        options=dict(options or {}),
        phase=Phase(season=season, year=int(phase[1:-1]), kind=kind),  # type: ignore[arg-type]
        units=tuple(sorted(units, key=lambda unit: BOARD.index[unit.at])),
        centres={centre: owners[centre] for centre in BOARD.centres if centre in owners},
        canoes=canoes,
    )
    return replace_fields(state, **fields)


def season(
    text: str,
    phase: str = "S1M",
    centres: Mapping[str, str] | None = None,
    options: Options | None = None,
    dice: Dice = NAUGHT,
    **fields: object,
) -> After:
    """Set up the units of a text, play its orders, and check the expected outcomes."""
    return play(position(text, phase, centres, options, **fields), text, dice)


def play(state: State, text: str, dice: Dice = NAUGHT) -> After:
    """Play the orders of a text in a state, and check the expected outcomes."""
    read = list(lines(text))
    orders: dict[Seat, list[AnyOrder]] = {}
    for line in read:
        if line.order is not None:
            orders.setdefault(line.power, []).append(line.order)
    done = RULES.adjudicate(state, orders, dice)
    after = After(state, done.state, done.events)
    for line in read:
        if line.expected is not None:
            found = _outcome_text(after, line)
            assert found == line.expected, f"{line.power} {line.piece}: {found}, not {line.expected}"
    return after


def _outcome_text(after: After, line: Line) -> str:
    told = [
        event
        for event in after._resolved()
        if event.power == line.power
        and event.order == line.order
        # A destruction at a place without a unit concerns no unit.
        and (event.unit == line.piece or (event.unit is None and isinstance(line.order, Destroy)))
    ]
    assert told, f"nothing was told of {line}; told were {list(after._resolved())}"
    return outcome(told[0])


def outcome(event: Resolved) -> str:
    """Return an outcome with its reason, in the words of these texts."""
    word = _WORDS.get(event.outcome, event.outcome)
    reason = event.reason
    if reason is not None and not (event.dislodged and reason.code == "dislodged"):
        word += "" if reason.code == "cut" else f": {reason.code.replace('-', ' ')}"
    if event.dislodged:
        word += "; dislodged"
    if reason is not None and reason.by:
        by = " by " + ", ".join(BOARD.name(unit.at) for unit in reason.by)
        head, mark, tail = word.partition("; dislodged")
        word = word + by if reason.code == "dislodged" else head + by + mark + tail
    return word


def lines(text: str) -> Iterator[Line]:
    """Yield the lines of a position."""
    power = NEUTRAL
    for row in text.strip().splitlines():
        if not row.strip():
            continue
        order_text, bar, expected = row.partition("|")
        if ":" in order_text:
            name, _, order_text = order_text.partition(":")
            power = Seat(name.strip())
        beside = _BESIDE.search(order_text)
        canoes = int(beside[1] or 1) if beside else 0
        piece, order = _order(_BESIDE.sub("", order_text).strip())
        yield Line(power, piece, order, expected.strip() if bar else None, canoes)


_BESIDE = re.compile(r" \((?:(\d+) )?canoes?\)")


def place(board: Board, name: str) -> Province:
    """Return the province of a name, an abbreviation or an id. Raises KeyError."""
    for province in board.places.values():
        if name in (province.id, province.name, province.abbr):
            return province.id
    raise KeyError(name)


def _order(text: str) -> tuple[Piece | None, AnyOrder | None]:
    if text == "WAIVE":
        return None, Waive()
    if text.startswith("destroy "):
        at = place(BOARD, text.removeprefix("destroy "))
        return Piece(kind="W", at=at), Destroy(at=at)
    if text.endswith(" B canoe"):
        builder = _piece(text.removesuffix(" B canoe"))
        return builder, BuildCanoe(unit=builder)
    for mark, make in ((" H", Hold), (" D", Disband), (" B", Build)):
        if text.endswith(mark):
            unit = _piece(text.removesuffix(mark))
            return unit, make(unit=unit)
    first, supports, rest = text.partition(" S ")
    if supports:
        unit = _piece(first)
        other, moves, to = rest.partition(" - ")
        if moves:
            return unit, SupportMove(unit=unit, other=_piece(other), to=place(BOARD, to))
        return unit, SupportHold(unit=unit, other=_piece(other))
    first, moves, to = text.partition(" - ")
    unit = _piece(first)
    if not moves:
        return unit, None
    goal = to.removesuffix(" canoe")
    return unit, Move(unit=unit, to=place(BOARD, goal), canoe=goal != to)


def _piece(text: str) -> Piece:
    kind, _, name = text.strip().partition(" ")
    assert kind == "W", text
    return Piece(kind="W", at=place(BOARD, name))
