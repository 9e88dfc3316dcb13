"""What the house may ask of every game, and the values of the conversation."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, NewType, Protocol, TypeVar, runtime_checkable

from games.dice import Dice
from games.record import Record

if TYPE_CHECKING:
    from games.protocol.exchange import Exchange

Seat = NewType("Seat", str)
"""Who can be asked for orders: a nation ("Iroquois"), "player", "bot". In addresses in lower case."""

OptionValue = str | int | bool
Options = Mapping[str, OptionValue]
"""The settled options of a game: every option of its kind has its value."""


class Order(Record, frozen=True, kw_only=True, tag=True):
    """What a seat wants, understood and canonical. Each game has its own kinds; a Due names some."""

    @property
    def slot(self) -> str | None:
        """What the order is for. A later order for the same slot replaces an earlier one, letter by letter.

        None: orders that queue up in the order given; those of a new letter replace those of an earlier one.
        """
        return None

    @property
    def part(self) -> str | None:
        """For which turn it is by its own words, and filed: the end of that turn's short name, ``R2``."""
        return None


class Edit(Record, frozen=True, kw_only=True, tag=True):
    """A change that a gamesmaster makes by hand, understood and canonical. Each game has its own kinds."""


class Event(Record, frozen=True, kw_only=True, tag=True):
    """One thing that happened, with its cause as data. `seen_by` None is public."""

    seen_by: frozenset[Seat] | None = None


class Turn(Record, frozen=True, kw_only=True):
    """A turn's name in full and short ("Spring, year 1, moves", ``S1M``) and its kind, for the deadline."""

    name: str
    short: str
    kind: str


class Owed(Record, frozen=True, kw_only=True):
    """One thing an order is owed for: its slot and what a person calls it."""

    slot: str
    name: str


class Due(Record, frozen=True, kw_only=True):
    """Orders wanted now from one seat.

    accepts: the names of the order types; takes: how many are wanted (None: one for each of `owes`).
    owes: what an order is wanted for, in the order in which it is printed; empty where orders are not tied.
    waits: what was sent ahead for it is kept till its deadline, NOWAIT, or a further letter of its writer.
    """

    seat: Seat
    kind: str
    accepts: tuple[str, ...]
    takes: int | None = None
    owes: tuple[Owed, ...] = ()
    waits: bool = False


class Objection(Record, frozen=True, kw_only=True):
    """Unlawful, and why: a slug for programs and what `Telling.advise` needs to put it into words."""

    code: str
    detail: dict[str, str] = {}


class Concern(Record, frozen=True, kw_only=True):
    """Lawful but odd: a support for a move that nobody ordered, for instance. Fields as in Objection."""

    code: str
    detail: dict[str, str] = {}


class Advice(Record, frozen=True, kw_only=True):
    """An objection or a concern in words: what is wrong, and what to write instead, if anything."""

    problem: str
    instead: str | None = None


class Result(Record, frozen=True, kw_only=True):
    """How a game ended. No winner is a draw; several share it."""

    winners: tuple[Seat, ...]
    reason: str


class Decision(Record, frozen=True, kw_only=True):
    """One choice of a bot: by which clause, which criterion decided, and what was left to choose from."""

    clause: str
    criterion: str
    choices: tuple[str, ...] = ()


class Condition(Record, frozen=True, kw_only=True):
    """An atom of IF: the form of the game that was matched, and what stood in its places."""

    form: str
    slots: dict[str, str]


class Term(Record, frozen=True, kw_only=True):
    """A name that may stand in an order. `names` has the name to print first, then all others."""

    sort: str
    id: str
    names: tuple[str, ...]


Lexicon = tuple[Term, ...]


class Form(Record, frozen=True, kw_only=True):
    """A way to write an order: ``[w] {unit:place} - {to:place}``.

    Plain words stand for themselves, ``[x]`` may be left out, ``(a|b)`` is one of several, ``{slot:sort}`` is
    a name of that sort. Several forms may share a name: they are ways to write the same thing.
    """

    name: str
    pattern: str
    example: str


class Option(Record, frozen=True, kw_only=True):
    """A choice made when a game begins.

    sort: "choice" (one of `values`), "flag", "number" (from `low` to `high`), "text", or "file".
    default None: nothing is chosen, and the key is missing from the options. ruling: the clause it decides.
    """

    name: str
    sort: Literal["choice", "flag", "number", "text", "file"]
    meaning: str
    default: OptionValue | None = None
    values: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None
    ruling: str | None = None


class Clause(Record, frozen=True, kw_only=True):
    """One line of a game's rules in our words, with where it comes from."""

    id: str
    text: str
    source: str
    mark: Literal["sourced", "deduced", "assumed", "ruling"]
    option: str | None = None
    tests: tuple[str, ...] = ()


class Line(Record, frozen=True, kw_only=True):
    """One sentence of a report: its heading, and whether it tells of an order that failed."""

    heading: str
    text: str
    failed: bool = False


class Table(Record, frozen=True, kw_only=True):
    """A table of a report. Cells are text; numbers are aligned by whoever draws it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Invalid(Exception):
    """Something in a game's options, data or set-up is wrong. Fields: what, why, instead (what to write)."""

    def __init__(self, what: str, why: str, instead: str | None = None) -> None:
        super().__init__(f"{what}: {why}" + (f"; {instead}" if instead else ""))
        self.what = what
        self.why = why
        self.instead = instead


S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - the letter that the protocol is written with
S_contra = TypeVar("S_contra", contravariant=True)
O_contra = TypeVar("O_contra", contravariant=True)
E = TypeVar("E")
O_co = TypeVar("O_co", covariant=True)


@dataclass(frozen=True)
class Outcome(Generic[S]):
    """The answer of every rule function: the new state and what happened, in the order of telling."""

    state: S
    events: tuple[Event, ...] = ()


@dataclass(frozen=True)
class Choice(Generic[O_co]):
    """One order of a bot, its reason in a phrase, and the decisions behind it."""

    order: O_co
    reason: str
    decisions: tuple[Decision, ...] = ()


class Rules(Protocol[S, O]):
    """The rules of one kind of game. All pure: no argument is changed, nothing else is read."""

    def setup(self, options: Options, dice: Dice) -> Outcome[S]:
        """The opening. Raises Invalid when the options cannot make a game."""

    def turn(self, state: S) -> Turn:
        """What the present turn is called."""

    def ahead(self, state: S) -> tuple[Turn, ...]:
        """The turns for which orders may be sent now, the present one first: of years, five more at most."""

    def due(self, state: S) -> tuple[Due, ...]:
        """Whose orders are wanted now; empty exactly when `result` is present."""

    def check(self, view: S, seat: Seat, order: O) -> Objection | None:
        """Why the order is unlawful for this seat now, or None."""

    def concerns(self, view: S, seat: Seat, orders: Sequence[O]) -> tuple[Concern, ...]:
        """What is odd about a seat's lawful orders taken together."""

    def default(self, state: S, due: Due) -> tuple[O, ...]:
        """The orders of a seat that wrote none: civil disorder."""

    def adjudicate(self, state: S, orders: Mapping[Seat, Sequence[O]], dice: Dice) -> Outcome[S]:
        """Play the turn. Units without an order do what the rules say; unlawful orders are told."""

    def view(self, state: S, seat: Seat | None) -> S:
        """The state as a seat may know it; None is a spectator."""

    def holds(self, view: S, seat: Seat, condition: Condition) -> bool:
        """Whether an atom of IF is true at the start of the turn."""

    def result(self, state: S) -> Result | None:
        """How the game ended, or None while it lasts."""


@runtime_checkable
class Sociable(Protocol[S_contra]):
    """Rules of a game of many: who is still in it, and who lies beside whom."""

    def survivors(self, state: S_contra) -> tuple[Seat, ...]:
        """The seats that are still in the game, in its order: they share a draw."""

    def neighbours(self, state: S_contra, seat: Seat) -> tuple[Seat, ...]:
        """The seats beside a seat, in the game's order."""


@runtime_checkable
class Foresight(Protocol[S_contra, O_contra]):
    """Rules of a game in which the orders of one letter queue up and depend on each other."""

    def foresee(
        self, view: S_contra, seat: Seat, order: O_contra, before: "Sequence[O_contra]"
    ) -> Objection | None:
        """Why an order cannot be lawful after those before it, whatever the opponent does; or None."""


@runtime_checkable
class Planned(Protocol[S_contra]):
    """Rules of a game in which orders that queue up are a plan for some turns, and lapse with them."""

    def span(self, state: S_contra, seat: Seat) -> str:
        """What a seat's queue is a plan for now; when this changes, what is left of the queue is dropped."""


class Notation(Protocol[S_contra, O]):
    """How a game is written and read."""

    @property
    def forms(self) -> tuple[Form, ...]:
        """Every way to write an order, the canonical one of each name first."""

    @property
    def conditions(self) -> tuple[Form, ...]:
        """What IF may ask in this game."""

    def lexicon(self, view: S_contra) -> Lexicon:
        """The names that may stand in the places of the forms."""

    def build(self, view: S_contra, form: str, slots: Mapping[str, str]) -> O:
        """The order of a matched form; slots map each place that was filled to a term's id. It never refuses.

        The view completes what people leave out (which unit stands there).
        """

    def write(self, order: O) -> str:
        """The canonical text of an order, which `forms` read back."""

    def write_condition(self, condition: Condition) -> str:
        """The canonical text of an atom of IF, which `conditions` read back."""


class Telling(Protocol[S_contra]):
    """A game in words and as a picture's contents."""

    def tell(self, event: Event, viewer: Seat | None) -> Line | None:
        """The event in one sentence; None for what needs no sentence of its own."""

    def headline(self, events: Sequence[Event]) -> str:
        """The turn's story in a sentence or two."""

    def tables(self, view: S_contra) -> tuple[Table, ...]:
        """Standings and whatever else a report shows in rows."""

    def scene(self, view: S_contra, events: Sequence[Event]) -> Mapping[str, Any] | None:
        """What the game's ``board.svg`` draws; None where a game has no picture."""

    def advise(self, view: S_contra, remark: Objection | Concern) -> Advice:
        """An objection or a concern in words."""


class Bot(Protocol[S_contra, O_co]):
    """Plays a seat. It sees what the seat may see, and throws dice under its own labels."""

    def orders(self, view: S_contra, due: Due, dice: Dice) -> "tuple[Choice[O_co], ...]":
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


class Heard(Record, frozen=True, kw_only=True):
    """What the text of one order says: the order, or why it does not count, or both where it is a guess."""

    order: Any = None
    problem: str | None = None


Hear = Callable[[Any, Seat, str], Heard]
"""Reads one order's text as letters are read: in a view, for a seat. A game cannot: it is handed one."""


class WhatIf(Protocol):
    """Stateless questions in plain JSON values: `gm bot`, `gm mail read --position`."""

    def position(self, question: Any) -> Any:
        """A state from a position in JSON. Raises Invalid whose `what` is the path, as ``units.Italy[0]``."""

    def bot(self, question: Any) -> Any:
        """What a bot would order, and why. Raises Invalid as `position` does."""


@runtime_checkable
class Judge(WhatIf, Protocol):
    """A game that adjudicates positions in JSON too: `gm judge`."""

    def judge(self, question: Any, hear: Hear) -> Any:
        """Outcomes, reasons and the next position. Raises Invalid as `position` does."""

    def question(self, state: Any) -> Any:
        """A state as the question, without orders, that `position` reads back."""


@dataclass(frozen=True)
class About:
    """What a kind of game is, before there is one. hidden: whether seats see different things."""

    kind: str
    title: str
    designer: str
    source: str
    seats: Callable[[Options], tuple[Seat, ...]]
    aliases: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    hidden: bool = False


@dataclass(frozen=True)
class Score:
    """What is counted over time where bots play many games.

    thing: in the plural, "supply centres"; time: what passes, "year"; when, of: in a state, how many have
    passed, and how many of the thing each seat has.
    """

    thing: str
    time: str
    when: Callable[[Any], int]
    of: Callable[[Any], Mapping[Seat, int]]


@dataclass(frozen=True)
class Survey:
    """A new variant of a game, read from its files: the game that it makes, its census, and what is odd."""

    game: "Game"
    tables: tuple[Table, ...]
    findings: tuple[str, ...]


@dataclass(frozen=True)
class Game:
    """All that the house knows of a kind of game.

    package: where `importlib.resources` finds ``templates/``; clauses: the clause file inside it.
    bots: by level, the weakest first; the first is used where no level is named.
    sparring: by name, opponents that no seat of a game is given to: levels are measured against them.
    survey: reads a further variant from the texts of its files, by their names, and raises Invalid; None
    where variants are no data. exchange: None where no other program knows such games.
    """

    about: About
    package: str
    clauses: str
    rules: Rules[Any, Any]
    notation: Notation[Any, Any]
    telling: Telling[Any]
    bots: Mapping[str, Bot[Any, Any]]
    state_type: Any
    order_type: Any
    event_type: Any
    sparring: Mapping[str, Bot[Any, Any]] = field(default_factory=dict)
    edits: Edits[Any, Any] | None = None
    whatif: WhatIf | None = None
    score: Score | None = None
    survey: Callable[[Mapping[str, str]], Survey] | None = None
    exchange: "Exchange | None" = None
