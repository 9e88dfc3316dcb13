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
    """The result of every rule function: the new state, and the events in the order of a report."""

    state: StateT
    events: tuple[EventT_co, ...] = ()


class Choice(Value, Generic[OrderT_co], frozen=True):
    """One order of a bot, its reason in a phrase, and the decisions behind it."""

    order: OrderT_co
    reason: str
    decisions: tuple[Decision, ...] = ()


class Rules(Protocol[StateT, ViewT, OrderT, EventT_co]):
    """The rules of one kind of game. All are pure: no argument is changed, nothing else is read."""

    def setup(self, options: Options, dice: Dice) -> Outcome[StateT, EventT_co]:
        """Return the opening position. Raises Invalid if the options can't make a game."""

    def turn(self, state: StateT) -> Turn:
        """Return the names of the present turn."""

    def ahead(self, state: StateT) -> tuple[Turn, ...]:
        """Return the turns open for orders now, the present one first: five more years at most."""

    def due(self, state: StateT) -> tuple[Due, ...]:
        """Return the orders that are due now, seat by seat; empty exactly when `result` is present."""

    def check(self, view: ViewT, seat: Seat, order: OrderT) -> Objection | None:
        """Return why the order is illegal for this seat now, or None."""

    def concerns(self, view: ViewT, seat: Seat, orders: Sequence[OrderT]) -> tuple[Concern, ...]:
        """Return concerns about a seat's legal orders taken together."""

    def default(self, state: StateT, due: Due) -> tuple[OrderT, ...]:
        """Return the orders of a seat that sent none: civil disorder."""

    def adjudicate(
        self, state: StateT, orders: Mapping[Seat, Sequence[OrderT]], dice: Dice
    ) -> Outcome[StateT, EventT_co]:
        """Process the turn. Units without an order do as the rules say. Illegal orders have events too."""

    def view(self, state: StateT, seat: Seat | None) -> ViewT:
        """Return the state as a seat may know it; None is a spectator."""

    def holds(self, view: ViewT, seat: Seat, condition: Condition) -> bool:
        """Return whether an atom of IF is true at the start of the turn."""

    def result(self, state: StateT) -> GameResult | None:
        """Return how the game ended, or None while it lasts."""


class Notation(Protocol[ViewT_contra, OrderT]):
    """The notation of a game: it writes and reads the game's orders."""

    @property
    def forms(self) -> tuple[Form, ...]:
        """All ways to write an order, the canonical one of each name first."""

    @property
    def conditions(self) -> tuple[Form, ...]:
        """The conditions that IF may ask in this game."""

    def lexicon(self, view: ViewT_contra) -> Lexicon:
        """Return the names for the places of the forms."""

    def build(self, view: ViewT_contra, form: str, slots: Mapping[str, str]) -> OrderT:
        """Return the order of a matched form. slots: a term's id for each filled place. It never fails.

        The view supplies what players leave out, such as the unit in a province.
        """

    def write(self, order: OrderT) -> str:
        """Return the canonical text of an order, which `forms` can read."""

    def write_condition(self, condition: Condition) -> str:
        """Return the canonical text of an atom of IF, which `conditions` can read."""


@runtime_checkable
class SupportsRereading(Protocol):
    """A notation that can quickly tell whether a form has the same meaning in another view."""

    def means_the_same(self, view: Any, order: Any) -> bool:
        """Return whether `build` makes this order in this view too, from the same form and slots."""


class Telling(Protocol[ViewT_contra, EventT_contra]):
    """The texts and the picture of a game. It has texts for everything that the rules can make happen."""

    def tell(self, event: EventT_contra, viewer: Seat | None) -> ReportLine | None:
        """Return the event in one sentence; None for an event without a sentence of its own."""

    def headline(self, events: Sequence[EventT_contra]) -> str:
        """Return the turn's news in a sentence or two."""

    def tables(self, view: ViewT_contra) -> tuple[ReportTable, ...]:
        """Return the standings and the other tables of a report."""

    def scene(self, view: ViewT_contra, events: Sequence[EventT_contra]) -> Mapping[str, Any] | None:
        """Return the context of the game's ``board.svg``; None if a game has no picture."""

    def advise(self, view: ViewT_contra, remark: Objection | Concern) -> Advice:
        """Return an objection or a concern in words."""


class Bot(Protocol[ViewT_contra, OrderT_co]):
    """Plays a seat. It sees the same as the seat, and rolls dice under its own labels."""

    def orders(self, view: ViewT_contra, due: Due, dice: Dice) -> "tuple[Choice[OrderT_co], ...]":
        """Return the orders for one Due, each with its reason."""


class Edits(Protocol[StateT, EditT]):
    """The changes that a GM may make. They are read like orders, and logged as `edit_type`."""

    @property
    def edit_type(self) -> Any:
        """The type of all changes of this game: one Edit or a union of several."""

    @property
    def forms(self) -> tuple[Form, ...]:
        """The ways to write the changes, the canonical one of each name first, each with an example."""

    def lexicon(self, state: StateT) -> Lexicon:
        """Return the names for the places of the forms."""

    def build(self, state: StateT, form: str, slots: Mapping[str, str]) -> EditT:
        """Return the change of a matched form. It never fails: `check` does."""

    def write(self, edit: EditT) -> str:
        """Return the canonical text of a change, which `forms` can read."""

    def check(self, state: StateT, edit: EditT) -> Advice | None:
        """Return why the change is impossible, and a suggestion; None if it is possible."""

    def apply(self, state: StateT, edit: EditT) -> StateT:
        """Return the state after a change that `check` accepted, with its consequences."""

    def tell(self, edit: EditT, viewer: Seat | None) -> str:
        """Return the change in one sentence that shows a reader no more than `Rules.view`."""
