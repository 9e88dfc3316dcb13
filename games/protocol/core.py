"""The parts that the service asks of every game: rules, notation, telling, bots, edits."""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from games.dice import Dice
from games.protocol.values import (
    Advice,
    Concern,
    Condition,
    Decision,
    Due,
    Event,
    Form,
    GameResult,
    Lexicon,
    Objection,
    Options,
    ReportLine,
    ReportTable,
    Seat,
    Turn,
)
from games.record import Value

StateT = TypeVar("StateT")
OrderT = TypeVar("OrderT")
ViewT = TypeVar("ViewT")
ViewT_contra = TypeVar("ViewT_contra", contravariant=True)
OrderT_contra = TypeVar("OrderT_contra", contravariant=True)
EditT = TypeVar("EditT")
EventT_co = TypeVar("EventT_co", bound=Event, covariant=True)
EventT_contra = TypeVar("EventT_contra", bound=Event, contravariant=True)
OrderT_co = TypeVar("OrderT_co", covariant=True)


class Outcome(Value, Generic[StateT, EventT_co], frozen=True):
    """The result of every rule function: the new state, and the events in the order of telling."""

    state: StateT
    events: tuple[EventT_co, ...] = ()


class Choice(Value, Generic[OrderT_co], frozen=True):
    """One order of a bot, its reason in a phrase, and the decisions behind it."""

    order: OrderT_co
    reason: str
    decisions: tuple[Decision, ...] = ()


class Rules(Protocol[StateT, ViewT, OrderT, EventT_co]):
    """The rules of one kind of game. All pure: no argument is changed, nothing else is read."""

    def setup(self, options: Options, dice: Dice) -> Outcome[StateT, EventT_co]:
        """Return the opening position. Raises Invalid when the options cannot make a game."""

    def turn(self, state: StateT) -> Turn:
        """Return the names of the present turn."""

    def ahead(self, state: StateT) -> tuple[Turn, ...]:
        """Return the turns open for orders now, the present one first: five more years at most."""

    def due(self, state: StateT) -> tuple[Due, ...]:
        """Return the orders that are due now, seat by seat; empty exactly when `result` is present."""

    def check(self, view: ViewT, seat: Seat, order: OrderT) -> Objection | None:
        """Return why the order is illegal for this seat now, or None."""

    def concerns(self, view: ViewT, seat: Seat, orders: Sequence[OrderT]) -> tuple[Concern, ...]:
        """Return what is odd about a seat's legal orders taken together."""

    def default(self, state: StateT, due: Due) -> tuple[OrderT, ...]:
        """Return the orders of a seat that sent none: civil disorder."""

    def adjudicate(
        self, state: StateT, orders: Mapping[Seat, Sequence[OrderT]], dice: Dice
    ) -> Outcome[StateT, EventT_co]:
        """Play the turn. Units without an order do what the rules say; unlawful orders are told."""

    def view(self, state: StateT, seat: Seat | None) -> ViewT:
        """Return the state as a seat may know it; None is a spectator."""

    def holds(self, view: ViewT, seat: Seat, condition: Condition) -> bool:
        """Return whether an atom of IF is true at the start of the turn."""

    def result(self, state: StateT) -> GameResult | None:
        """Return how the game ended, or None while it lasts."""


class Notation(Protocol[ViewT_contra, OrderT]):
    """The notation of a game: how its orders are written and read."""

    @property
    def forms(self) -> tuple[Form, ...]:
        """Every way to write an order, the canonical one of each name first."""

    @property
    def conditions(self) -> tuple[Form, ...]:
        """The conditions that IF may ask in this game."""

    def lexicon(self, view: ViewT_contra) -> Lexicon:
        """The names that may stand in the places of the forms."""

    def build(self, view: ViewT_contra, form: str, slots: Mapping[str, str]) -> OrderT:
        """The order of a matched form; slots map each place that was filled to a term's id. It never refuses.

        The view completes what people leave out (which unit stands there).
        """

    def write(self, order: OrderT) -> str:
        """The canonical text of an order, which `forms` read back."""

    def write_condition(self, condition: Condition) -> str:
        """The canonical text of an atom of IF, which `conditions` read back."""


@runtime_checkable
class SupportsRereading(Protocol):
    """A notation that can tell cheaply, as not all can, whether a form means what it meant elsewhere."""

    def means_the_same(self, view: Any, order: Any) -> bool:
        """Return whether `build` makes this order in this view too, from the form and slots it came from."""


class Telling(Protocol[ViewT_contra, EventT_contra]):
    """A game in words and as a picture's contents. It tells what the rules of the game can make happen."""

    def tell(self, event: EventT_contra, viewer: Seat | None) -> ReportLine | None:
        """Return the event in one sentence; None for an event that needs no sentence of its own."""

    def headline(self, events: Sequence[EventT_contra]) -> str:
        """Return the turn's story in a sentence or two."""

    def tables(self, view: ViewT_contra) -> tuple[ReportTable, ...]:
        """Return the standings and the other tables of a report."""

    def scene(self, view: ViewT_contra, events: Sequence[EventT_contra]) -> Mapping[str, Any] | None:
        """Return the context of the game's ``board.svg``; None where a game has no picture."""

    def advise(self, view: ViewT_contra, remark: Objection | Concern) -> Advice:
        """Return an objection or a concern in words."""


class Bot(Protocol[ViewT_contra, OrderT_co]):
    """Plays a seat. It sees what the seat may see, and throws dice under its own labels."""

    def orders(self, view: ViewT_contra, due: Due, dice: Dice) -> "tuple[Choice[OrderT_co], ...]":
        """The orders for one Due, each with its reason."""


class Edits(Protocol[StateT, EditT]):
    """The changes that a GM may make. They are read as orders are, and logged as `edit_type`."""

    @property
    def edit_type(self) -> Any:
        """Every kind of change that this game has, one Edit or a union of some."""

    @property
    def forms(self) -> tuple[Form, ...]:
        """The ways to write the changes, the canonical one of each name first, each with an example."""

    def lexicon(self, state: StateT) -> Lexicon:
        """The names that may stand in the places of the forms."""

    def build(self, state: StateT, form: str, slots: Mapping[str, str]) -> EditT:
        """The change that a matched form asks for. It never refuses: that is `check`."""

    def write(self, edit: EditT) -> str:
        """The canonical text of a change, which `forms` read back."""

    def check(self, state: StateT, edit: EditT) -> Advice | None:
        """Return why the change is impossible, and what to write instead; None if it can be made."""

    def apply(self, state: StateT, edit: EditT) -> StateT:
        """The state after a change that `check` let pass, and what hangs on it: the rules go on from it."""

    def tell(self, edit: EditT, viewer: Seat | None) -> str:
        """The change in one sentence, as a reader may know it: no more than `Rules.view` shows."""
