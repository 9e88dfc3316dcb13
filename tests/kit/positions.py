"""Positions of the Diplomacy family from text, played, and compared with what the text says.

A line is ``Power: W Place - Place | outcome``; the power is left out where it is the same as above; no order
means silence; without a bar nothing is expected. What is not mentioned is empty. Outcomes read ``moves``,
``holds``, ``supports``, ``fails: stood off by Huron``, ``cut by Huron``, ``void: no such move by Oneida``,
``retreats``, ``disbands``, and ``; dislodged`` after any of them. Reasons are those of `reasons.py`, without
hyphens.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from games.dice import SealedDice
from games.diplomacy import boards
from games.diplomacy.board import Board
from games.diplomacy.model import (
    NEUTRAL,
    AnyOrder,
    Build,
    Disband,
    Dislodged,
    Hold,
    Move,
    Phase,
    Piece,
    Province,
    Resolved,
    State,
    SupportHold,
    SupportMove,
    Unit,
    Waive,
)
from games.diplomacy.rules import DiplomacyRules
from games.protocol import Event, Seat

DICE = SealedDice(b"the tests' own", "position", 0)

VARIANT = boards.load("indianomacy")
BOARD = VARIANT.board
RULES = DiplomacyRules(VARIANT)

_WORDS = {"moved": "moves", "bounced": "fails", "held": "holds", "supported": "supports"}
_WORDS |= {"retreated": "retreats", "disbanded": "disbands", "built": "builds", "waived": "waives"}


@dataclass(frozen=True)
class Line:
    """One line of a position: whose unit, its order (None: silence), what is expected (None: anything)."""

    power: Seat
    piece: Piece | None
    order: AnyOrder | None
    expected: str | None


@dataclass(frozen=True)
class After:
    """A phase played: the state before and after, and what happened. Places are named by their names."""

    before: State
    state: State
    events: tuple[Event, ...]

    @property
    def units(self) -> dict[str, Seat]:
        """Whose unit stands where."""
        return {BOARD.name(unit.at): unit.power for unit in self.state.units}

    @property
    def retreats(self) -> dict[str, list[str]]:
        """Where each dislodged unit may retreat to, as the events tell it."""
        told = [event for event in self.events if isinstance(event, Dislodged)]
        return {BOARD.name(one.unit.at): [BOARD.name(to) for to in one.retreats] for one in told}

    @property
    def contested(self) -> list[str]:
        """Provinces left empty by a stand-off."""
        return [BOARD.name(one) for one in self.state.contested]

    def outcome(self, name: str) -> str:
        """What became of the unit that stood there, in the words of these texts."""
        at = place(BOARD, name)
        told = [event for event in self._resolved() if event.unit is not None and event.unit.at == at]
        return outcome(told[-1])

    def then(self, text: str) -> "After":
        """The next phase played by further lines."""
        return play(self.state, text)

    def _resolved(self) -> Iterator[Resolved]:
        return (event for event in self.events if isinstance(event, Resolved))


def position(
    text: str,
    phase: str = "S1M",
    centres: Mapping[str, str] | None = None,
    options: Mapping[str, int] | None = None,
) -> State:
    """The state with the units of the text. centres: owners by name of the place; missing: no owners."""
    season, kind = phase[0], phase[-1]
    units = [
        Unit(power=line.power, kind=line.piece.kind, at=line.piece.at)
        for line in lines(text)
        if line.piece is not None and not isinstance(line.order, Build)
    ]
    owners = {place(BOARD, name): Seat(power) for name, power in (centres or {}).items()}
    return State(
        options=dict(options or {}),
        phase=Phase(season=season, year=int(phase[1:-1]), kind=kind),  # type: ignore[arg-type]
        units=tuple(sorted(units, key=lambda unit: BOARD.index[unit.at])),
        centres={centre: owners[centre] for centre in BOARD.centres if centre in owners},
    )


def season(
    text: str,
    phase: str = "S1M",
    centres: Mapping[str, str] | None = None,
    options: Mapping[str, int] | None = None,
) -> After:
    """Set up the units of a text, play its orders, and assert what it expects."""
    return play(position(text, phase, centres, options), text)


def play(state: State, text: str) -> After:
    """Play the orders of a text in a state, and assert what it expects."""
    read = list(lines(text))
    orders: dict[Seat, list[AnyOrder]] = {}
    for line in read:
        if line.order is not None:
            orders.setdefault(line.power, []).append(line.order)
    done = RULES.adjudicate(state, orders, DICE)
    after = After(state, done.state, done.events)
    for line in read:
        if line.expected is not None:
            found = _found(after, line)
            assert found == line.expected, f"{line.power} {line.piece}: {found}, not {line.expected}"
    return after


def _found(after: After, line: Line) -> str:
    told = [
        event
        for event in after._resolved()
        if event.power == line.power and event.unit == line.piece and event.order == line.order
    ]
    assert told, f"nothing was told of {line}; told were {list(after._resolved())}"
    return outcome(told[0])


def outcome(event: Resolved) -> str:
    """An outcome with its reason, in the words of these texts."""
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
    """The lines of a position."""
    power = NEUTRAL
    for row in text.strip().splitlines():
        if not row.strip():
            continue
        order_text, bar, expected = row.partition("|")
        if ":" in order_text:
            name, _, order_text = order_text.partition(":")
            power = Seat(name.strip())
        piece, order = _order(order_text.strip())
        yield Line(power, piece, order, expected.strip() if bar else None)


def place(board: Board, name: str) -> Province:
    """The province of a name, an abbreviation or an id. Raises KeyError."""
    for province in board.places.values():
        if name in (province.id, province.name, province.abbr):
            return province.id
    raise KeyError(name)


def _order(text: str) -> tuple[Piece | None, AnyOrder | None]:
    if text == "WAIVE":
        return None, Waive()
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
    return unit, Move(unit=unit, to=place(BOARD, to)) if moves else None


def _piece(text: str) -> Piece:
    kind, _, name = text.strip().partition(" ")
    assert kind == "W", text
    return Piece(kind="W", at=place(BOARD, name))
