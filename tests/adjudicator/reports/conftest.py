"""A small game to report on: nations send pickers to trees, and one may find something in secret."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from adjudicator.clock import Millis
from adjudicator.model.deadlines import Deadlines
from adjudicator.model.games import (
    AdjudicationResult,
    DiceRoll,
    GamePosition,
    LogEntry,
    PlayedTurn,
    SeatAssignment,
)
from adjudicator.reports.messages import LetterReader
from games import protocol
from games.protocol import (
    About,
    Due,
    Event,
    Form,
    Game,
    GameResult,
    Order,
    Outcome,
    OwedOrder,
    ReportLine,
    ReportTable,
    Seat,
    Turn,
)
from games.record import Record

ELM, OAK, ASH = Seat("Elm"), Seat("Oak"), Seat("Ash")
DEADLINE: Millis = 1_784_910_000_000
TREES = {ELM: ("pear", "quince"), OAK: ("plum",), ASH: ("fig",)}


class Orchard(Record, frozen=True, kw_only=True):
    """A state: the year, the fruit in the baskets, and the winner."""

    year: int = 1
    baskets: dict[str, int] = {}
    winners: tuple[Seat, ...] = ()


class Pick(Order, frozen=True, kw_only=True):
    """``picker pear to plum``"""

    tree: str
    to: str

    @property
    def slot(self) -> str:
        return self.tree


class Bake(Order, frozen=True, kw_only=True):
    """``bake``: queued."""

    cake: str


class Picked(Event, frozen=True, kw_only=True):
    """A picker's day."""

    seat: Seat
    order: str
    failed: bool = False
    why: str = ""


class Found(Event, frozen=True, kw_only=True):
    """A secret of its finder."""

    what: str


def picking(seat: Seat, trees: tuple[str, ...]) -> Due:
    """Return an order for each picker."""
    owes = tuple(OwedOrder(slot=tree, name=f"the {tree}") for tree in trees)
    return Due(seat=seat, kind="picking", accepts=("Pick",), owes=owes)


def answering_a_part(part: type) -> type:
    """Return a part of a game that can be created although it only has the methods for reports."""
    part.__abstractmethods__ = frozenset()
    return part


@answering_a_part
class Rules(protocol.Rules):
    """The rules, as far as reports need them."""

    def turn(self, state: Orchard) -> Turn:
        return Turn(name=f"Year {state.year}, picking", short=f"Y{state.year}P", kind="moves")

    def due(self, state: Orchard) -> tuple[Due, ...]:
        if state.winners:
            return ()
        baking = Due(seat=OAK, kind="baking", accepts=("Bake",), takes=2)
        return (*(picking(seat, trees) for seat, trees in TREES.items()), baking)

    def default(self, state: Orchard, due: Due) -> tuple[Order, ...]:
        if due.kind == "baking":
            return (Bake(cake="plain"), Bake(cake="plain"))
        return tuple(Pick(tree=owed.slot, to=owed.slot) for owed in due.owes)

    def view(self, state: Orchard, seat: Seat | None) -> Orchard:
        return state

    def check(self, view: Orchard, seat: Seat, order: Order) -> None:
        return None

    def result(self, state: Orchard) -> GameResult | None:
        return GameResult(winners=state.winners, reason="most fruit") if state.winners else None

    def setup(self, options: Mapping[str, Any], dice: Any) -> Outcome[Orchard, Any]:
        return Outcome(Orchard())


@answering_a_part
class Notation(protocol.Notation):
    """The written forms."""

    forms = (
        Form(name="pick", pattern="picker {tree:tree} to {to:tree}", example="picker pear to plum"),
        Form(name="pick", pattern="pick {to:tree} from {tree:tree}", example="pick plum from pear"),
        Form(name="bake-cake", pattern="bake {cake:cake}", example="bake plain"),
    )
    conditions: tuple[Form, ...] = ()

    def write(self, order: Order) -> str:
        return f"bake {order.cake}" if isinstance(order, Bake) else f"picker {order.tree} to {order.to}"


@answering_a_part
class Telling(protocol.Telling):
    """The texts."""

    def tell(self, event: Event, viewer: Seat | None) -> ReportLine | None:
        if isinstance(event, Picked):
            return ReportLine(
                heading=event.seat,
                text=event.order + (f": {event.why}" if event.why else ""),
                failed=event.failed,
            )
        return ReportLine(heading="Only you know", text=event.what) if isinstance(event, Found) else None

    def headline(self, events: Sequence[Event]) -> str:
        failed = sum(isinstance(event, Picked) and event.failed for event in events)
        return f"A year of {len(events)} happenings under the trees, {failed} of them in vain."

    def tables(self, view: Orchard) -> tuple[ReportTable, ...]:
        rows = tuple((seat, str(count), "+1") for seat, count in sorted(view.baskets.items()))
        return (ReportTable(title="Baskets", columns=("Nation", "Fruit", "Change"), rows=rows),)


def orchard(*, hidden: bool = False, package: str = "games") -> Game:
    """Return the game. package: where to look for its templates (``games`` has none)."""
    return Game(
        about=About(
            kind="orchard",
            title="Orchard",
            designer="Pomona",
            source="the hedge",
            seats=lambda options: (ELM, OAK, ASH),
            hidden=hidden,
        ),
        package=package,
        clauses="clauses.toml",
        rules=Rules(),
        notation=Notation(),
        telling=Telling(),
        bots={},
        state_type=Orchard,
        order_type=Pick | Bake,
        event_type=Picked | Found,
    )


def position(*, filed: Mapping[Seat, tuple[Order, ...]] | None = None, **fields: Any) -> GamePosition:
    """Return a running game of three seats, with a bot as Ash."""
    settled: dict[str, Any] = {
        "name": "demo",
        "kind": "orchard",
        "options": {},
        "status": "running",
        "entries": 1,
        "rev": 1,
        "head_sha": "",
        "state": Orchard(),
        "filed": filed or {},
        "assignments": {
            ELM: SeatAssignment(seat=ELM, address="elm@example.org"),
            OAK: SeatAssignment(seat=OAK, address="oak@example.org"),
            ASH: SeatAssignment(seat=ASH, bot="keen"),
        },
        "deadline": DEADLINE,
        "deadlines": Deadlines({"moves": 1000}, 0),
        "early": True,
        "secret": b"a secret of the orchard",
    }
    return GamePosition(**settled | fields)


def played(
    *, before: Orchard | None = None, after: Orchard | None = None, events: tuple[Event, ...] | None = None
) -> AdjudicationResult:
    """Return the result of one year."""
    state = after or Orchard(year=2, baskets={"Ash": 1, "Elm": 11, "Oak": 2})
    entry = LogEntry(
        number=1,
        kind="turn",
        turn="Y1P",
        at=DEADLINE,
        throws=(
            DiceRoll(label="hail/fig", sides=6, numbers=(4,)),
            DiceRoll(label="bot/Ash/tie", sides=2, numbers=(1,)),
        ),
        reasons={"Ash": {"picker fig to pear": "the nearest tree that nobody picks"}},
        silent=("Oak",),
        stand_ins={"Ash": "no-answer", "Elm": "unreadable", "Oak": "not-agreed"},
        state_sha="1",
        previous_sha="0",
    )
    told = EVENTS if events is None else events
    step = PlayedTurn(
        entry=entry, turn=Rules().turn(Orchard()), before=before or Orchard(), after=state, events=told
    )
    result = Rules().result(state)
    return AdjudicationResult(
        steps=(step,),
        state=state,
        filed={ELM: (Pick(tree="quince", to="plum"),)},
        due=Rules().due(state),
        result=result,
        deadline=None if result else DEADLINE,
    )


EVENTS: tuple[Event, ...] = (
    Picked(seat=ELM, order="picker pear to plum", why="came home with a full basket"),
    Picked(
        seat=ELM,
        order="picker quince to fig",
        failed=True,
        why="kept out by the picker of Ash, who had set a ladder there the evening before and slept on it",
    ),
    Picked(seat=ASH, order="picker fig to pear", failed=True, why="lost the way"),
    Found(seen_by=frozenset({ELM}), what="A wasps' nest hangs in the plum tree."),
)


def reader(**fields: Any) -> LetterReader:
    """Return the player of Elm as a reader."""
    settled: dict[str, Any] = {
        "address": "elm@example.org",
        "game": "demo",
        "seat": ELM,
        "turn": "Y2P",
        "token": "abcdefghijkl2",
        "reply_address": "gm+demo.elm.abcdefghijkl2@example.org",
    }
    return LetterReader(**settled | fields)


class Kit:
    """The parts from which the tests of this folder build."""

    ELM, OAK, ASH, DEADLINE = ELM, OAK, ASH, DEADLINE
    Orchard, Pick, Bake, Found = Orchard, Pick, Bake, Found
    game = staticmethod(orchard)
    position = staticmethod(position)
    played = staticmethod(played)
    reader = staticmethod(reader)


@pytest.fixture
def kit() -> type[Kit]:
    """The orchard and its players."""
    return Kit


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Return a function that compares a text with its golden file, and under ``make golden`` writes it
    first.
    """
    folder = Path(__file__).parents[2] / "golden" / "reports"

    def compare(name: str, text: str) -> None:
        file = folder / name
        if request.config.getoption("--write-golden", default=False):
            folder.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        assert text == file.read_text(encoding="utf-8"), f"{name} differs; `make golden` writes it"

    return compare
