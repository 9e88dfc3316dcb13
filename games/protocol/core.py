"""What the house asks of every game: rules, notation, telling, bots, edits."""

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
    Lexicon,
    Line,
    Objection,
    Options,
    Result,
    Seat,
    Table,
    Turn,
)
from games.record import Value

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - the letter that the protocol is written with
V = TypeVar("V")
V_contra = TypeVar("V_contra", contravariant=True)
O_contra = TypeVar("O_contra", contravariant=True)
E = TypeVar("E")
N_co = TypeVar("N_co", bound=Event, covariant=True)
N_contra = TypeVar("N_contra", bound=Event, contravariant=True)
O_co = TypeVar("O_co", covariant=True)


class Outcome(Value, Generic[S, N_co], frozen=True):
    """The answer of every rule function: the new state and what happened, in the order of telling."""

    state: S
    events: tuple[N_co, ...] = ()


class Choice(Value, Generic[O_co], frozen=True):
    """One order of a bot, its reason in a phrase, and the decisions behind it."""

    order: O_co
    reason: str
    decisions: tuple[Decision, ...] = ()


class Rules(Protocol[S, V, O, N_co]):
    """The rules of one kind of game. All pure: no argument is changed, nothing else is read."""

    def setup(self, options: Options, dice: Dice) -> Outcome[S, N_co]:
        """The opening. Raises Invalid when the options cannot make a game."""

    def turn(self, state: S) -> Turn:
        """What the present turn is called."""

    def ahead(self, state: S) -> tuple[Turn, ...]:
        """The turns for which orders may be sent now, the present one first: of years, five more at most."""

    def due(self, state: S) -> tuple[Due, ...]:
        """Whose orders are wanted now; empty exactly when `result` is present."""

    def check(self, view: V, seat: Seat, order: O) -> Objection | None:
        """Why the order is unlawful for this seat now, or None."""

    def concerns(self, view: V, seat: Seat, orders: Sequence[O]) -> tuple[Concern, ...]:
        """What is odd about a seat's lawful orders taken together."""

    def default(self, state: S, due: Due) -> tuple[O, ...]:
        """The orders of a seat that wrote none: civil disorder."""

    def adjudicate(self, state: S, orders: Mapping[Seat, Sequence[O]], dice: Dice) -> Outcome[S, N_co]:
        """Play the turn. Units without an order do what the rules say; unlawful orders are told."""

    def view(self, state: S, seat: Seat | None) -> V:
        """The state as a seat may know it; None is a spectator."""

    def holds(self, view: V, seat: Seat, condition: Condition) -> bool:
        """Whether an atom of IF is true at the start of the turn."""

    def result(self, state: S) -> Result | None:
        """How the game ended, or None while it lasts."""


class Notation(Protocol[V_contra, O]):
    """How a game is written and read."""

    @property
    def forms(self) -> tuple[Form, ...]:
        """Every way to write an order, the canonical one of each name first."""

    @property
    def conditions(self) -> tuple[Form, ...]:
        """What IF may ask in this game."""

    def lexicon(self, view: V_contra) -> Lexicon:
        """The names that may stand in the places of the forms."""

    def build(self, view: V_contra, form: str, slots: Mapping[str, str]) -> O:
        """The order of a matched form; slots map each place that was filled to a term's id. It never refuses.

        The view completes what people leave out (which unit stands there).
        """

    def write(self, order: O) -> str:
        """The canonical text of an order, which `forms` read back."""

    def write_condition(self, condition: Condition) -> str:
        """The canonical text of an atom of IF, which `conditions` read back."""


@runtime_checkable
class Steady(Protocol):
    """A notation that can tell cheaply, as not all can, whether a form means what it meant elsewhere."""

    def means_again(self, view: Any, order: Any) -> bool:
        """Whether `build` makes this very order in a view too, of the form and slots that it made it of."""


class Telling(Protocol[V_contra, N_contra]):
    """A game in words and as a picture's contents. It tells what the rules of the game can make happen."""

    def tell(self, event: N_contra, viewer: Seat | None) -> Line | None:
        """The event in one sentence; None for what needs no sentence of its own."""

    def headline(self, events: Sequence[N_contra]) -> str:
        """The turn's story in a sentence or two."""

    def tables(self, view: V_contra) -> tuple[Table, ...]:
        """Standings and whatever else a report shows in rows."""

    def scene(self, view: V_contra, events: Sequence[N_contra]) -> Mapping[str, Any] | None:
        """What the game's ``board.svg`` draws; None where a game has no picture."""

    def advise(self, view: V_contra, remark: Objection | Concern) -> Advice:
        """An objection or a concern in words."""


class Bot(Protocol[V_contra, O_co]):
    """Plays a seat. It sees what the seat may see, and throws dice under its own labels."""

    def orders(self, view: V_contra, due: Due, dice: Dice) -> "tuple[Choice[O_co], ...]":
        """The orders for one Due, each with its reason."""


class Edits(Protocol[S, E]):
    """What a gamesmaster may change by hand. Changes are read as orders are, and logged as `edit_type`."""

    @property
    def edit_type(self) -> Any:
        """Every kind of change that this game has, one Edit or a union of some."""

    @property
    def forms(self) -> tuple[Form, ...]:
        """How the changes are written, the canonical way of each name first, each with an example."""

    def lexicon(self, state: S) -> Lexicon:
        """The names that may stand in the places of the forms."""

    def build(self, state: S, form: str, slots: Mapping[str, str]) -> E:
        """The change that a matched form asks for. It never refuses: that is `check`."""

    def write(self, edit: E) -> str:
        """The canonical text of a change, which `forms` read back."""

    def check(self, state: S, edit: E) -> Advice | None:
        """Why the change is impossible, and what to write instead; None if it can be made."""

    def apply(self, state: S, edit: E) -> S:
        """The state after a change that `check` let pass, and what hangs on it: the rules go on from it."""

    def tell(self, edit: E, viewer: Seat | None) -> str:
        """The change in one sentence, as a reader may know it: no more than `Rules.view` shows."""
