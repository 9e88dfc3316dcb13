"""Positions of standard Diplomacy from text: units, orders as players write them, and expected results.

A line is ``Power: order | outcome``. The power can be left out if it is the same as above. A unit without an
order is alone on its line (``France: F SPA/SC``), otherwise the order gives its place. Other lines: ``centres
Power: VIE BUD``, ``nobody LYO`` (the order below is for a unit that doesn't exist), ``dislodged F TRI: ADR
ALB`` (with its retreats, or none if it is destroyed), ``contested TYR``, ``gone A RUH`` (removed by the
rules), and ``then`` before the orders of the next phase. Orders are read by the reader of emails.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from games import kinds
from games.dice import SealedDice
from games.diplomacy.boards import variants
from games.diplomacy.events import Dislodged, Resolved
from games.diplomacy.model import AnyOrder, Phase, Piece, Province, State, Unit, split_spot
from games.protocol import Event, Seat
from orders.reading import forms, lexicon

DICE = SealedDice(b"the tests' own", "standard", 0)
VARIANT = variants.load("standard")
BOARD = VARIANT.board
GAME = kinds()["standard"]
RULES, NOTATION = GAME.rules, GAME.notation

_GRAMMAR = forms.compile_forms(NOTATION.forms)
_WORDS = {"moved": "moves", "bounced": "fails", "held": "holds", "supported": "supports"}
_WORDS |= {"convoyed": "convoys", "retreated": "retreats", "disbanded": "disbands", "built": "builds"}


@dataclass(frozen=True)
class Line:
    """An order of a text: its power, its wording, and the expected outcome (None: a unit without an
    order).
    """

    power: Seat
    text: str
    expected: str | None


@dataclass
class Scene:
    """A parsed phase of a text. Lists are in the order of the text."""

    lines: list[Line] = field(default_factory=list)
    centres: dict[Province, Seat] = field(default_factory=dict)
    nobody: set[Province] = field(default_factory=set)
    dislodged: dict[str, set[str]] = field(default_factory=dict)
    contested: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Played:
    """A played phase. orders: in the order of the text, None for a unit without one."""

    before: State
    state: State
    events: tuple[Event, ...]
    orders: tuple[AnyOrder | None, ...]

    @property
    def units(self) -> set[str]:
        """Return all units by power: ``A VIE``."""
        return {unit_text(unit.piece) for unit in self.state.units}

    @property
    def dislodged(self) -> dict[str, set[str]]:
        """Return the dislodged units, and where each can retreat."""
        told = [event for event in self.events if isinstance(event, Dislodged)]
        return {unit_text(one.unit.piece): set(map(BOARD.abbr, one.retreats)) for one in told}

    def outcomes(self, power: Seat, order: AnyOrder) -> list[str]:
        """Return the results of an order in the words of these texts, one for each time it was given."""
        told = [event for event in self.events if isinstance(event, Resolved)]
        return [
            _WORDS.get(one.outcome, one.outcome) for one in told if one.power == power and one.order == order
        ]


def scenes(text: str) -> list[Scene]:
    """Return the phases of a text."""
    found = [Scene()]
    power = Seat("")
    for row in text.strip().splitlines():
        word, _, rest = row.strip().partition(" ")
        scene = found[-1]
        if word == "then":
            found.append(Scene())
        elif word == "centres":
            owner, _, names = rest.partition(":")
            scene.centres |= {Province(name): Seat(owner) for name in names.split()}
        elif word == "dislodged":
            unit, _, names = rest.partition(":")
            scene.dislodged[unit] = set(names.split())
        elif word == "nobody":
            scene.nobody.add(Province(rest))
        elif word == "contested":
            scene.contested |= set(rest.split())
        elif word == "gone":
            scene.gone |= set(rest.split(", "))
        elif word:
            order, bar, expected = row.partition("|")
            if ":" in order:
                name, _, order = order.partition(":")
                power = Seat(name.strip())
            scene.lines.append(Line(power, order.strip(), expected.strip() if bar else None))
    return found


def position(scene: Scene, phase: str, options: dict[str, str] | None = None) -> State:
    """Return the state with the units of a phase. Builds aren't units yet."""
    units: dict[Province, Unit] = {}
    for line in sorted(scene.lines, key=lambda line: line.expected is not None):
        piece = _piece(line.text)
        is_build = phase.endswith("A") and line.text.endswith(" B")
        if piece.at not in units and piece.at not in scene.nobody and not is_build:
            units[piece.at] = Unit(power=line.power, kind=piece.kind, at=piece.at, coast=piece.coast)
    return State(
        options=dict(options or {}),
        phase=Phase(season=phase[0], year=int(phase[1:-1]), kind=phase[-1]),
        units=tuple(sorted(units.values(), key=lambda unit: BOARD.index[unit.at])),
        centres=scene.centres,
    )


def play(state: State, scene: Scene) -> Played:
    """Play the orders of a phase in a state."""
    orders = tuple(None if line.expected is None else read(state, line.text) for line in scene.lines)
    given: dict[Seat, list[AnyOrder]] = {}
    for line, order in zip(scene.lines, orders, strict=True):
        if order is not None:
            given.setdefault(line.power, []).append(order)
    done = RULES.adjudicate(state, given, DICE)
    return Played(state, done.state, done.events, orders)


def read(state: State, text: str) -> AnyOrder:
    """Return the order in a text, which must have exactly one meaning."""
    meanings = {
        NOTATION.build(state, match.form.name, dict(match.slots))
        for match in forms.match_text(text, _GRAMMAR, lexicon.index_lexicon(NOTATION.lexicon(state)))
    }
    assert len(meanings) == 1, f"{text} means {meanings}"
    return meanings.pop()


def unit_text(piece: Piece) -> str:
    """Return a unit in the form of these texts: ``F STP/SC``."""
    return f"{piece.kind} {BOARD.abbr(piece.spot)}"


def blocks(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the cases of a file: number, title, and the lines below, without comments."""
    for block in text.split("\n\n"):
        head, _, body = block.strip().partition("\n")
        if head and not head.startswith("#"):
            number, _, title = head.partition(" ")
            yield number, title, body


def _piece(text: str) -> Piece:
    kind, name = text.split()[:2]
    at, coast = split_spot(Province(name))
    return Piece(kind=kind, at=at, coast=coast)
