"""The parts that the service asks of a game: rules, notation, telling, bots, edits, questions, formats.

A game's classes derive from these. What a game need not have is a method with a default here.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from games.dice import Dice
from games.protocol.values import (
    AdjacentPlace,
    Advice,
    BotMessage,
    Concern,
    Condition,
    Correspondence,
    Decision,
    DryRun,
    Due,
    Edit,
    Event,
    EventPlaces,
    Form,
    GameResult,
    HandbookSection,
    LegalOrder,
    Lexicon,
    MapRegion,
    NewsItem,
    Objection,
    Options,
    OrderLimits,
    OrderNote,
    ParsedOrderText,
    PastTurn,
    ReportLine,
    ReportTable,
    Seat,
    SeatColours,
    State,
    TouchOrder,
    Turn,
    UnlistedOrders,
    View,
)
from games.record import Value

StateT = TypeVar("StateT")
StateT_co = TypeVar("StateT_co", covariant=True)
OrderT = TypeVar("OrderT")
OrderT_co = TypeVar("OrderT_co", covariant=True)
ViewT = TypeVar("ViewT")
EditT = TypeVar("EditT")
EventT = TypeVar("EventT", bound=Event)
EventT_co = TypeVar("EventT_co", bound=Event, covariant=True)


class Outcome(Value, Generic[StateT, EventT_co], frozen=True):
    """The result of every rule function: the new state, and the events in the order of telling."""

    state: StateT
    events: tuple[EventT_co, ...] = ()


class Choice(Value, Generic[OrderT_co], frozen=True):
    """One order of a bot, its reason in a phrase, and the decisions behind it."""

    order: OrderT_co
    reason: str
    decisions: tuple[Decision, ...] = ()


class BenchmarkPhase(Protocol):
    """The orders of one phase, decided together without a report, as in a search thousands of times."""

    def decide(self) -> object:
        """Decide all of them."""

    def prepare(self, order: Any) -> Any:
        """Return an order for one unit, prepared for `vary`. It is prepared once and tried often."""

    def vary(self, ready: Any) -> object:
        """Decide them with another order for one unit, which `prepare` returned."""


class Rules(ABC, Generic[StateT, ViewT, OrderT, EventT_co]):
    """The rules of one kind of game. All are pure: no argument is changed, nothing else is read."""

    @abstractmethod
    def setup(self, options: Options, dice: Dice) -> Outcome[StateT, EventT_co]:
        """Return the opening position. Raises Invalid if the options can't make a game."""

    @abstractmethod
    def turn(self, state: StateT) -> Turn:
        """Return the names of the present turn."""

    @abstractmethod
    def due(self, state: StateT) -> tuple[Due, ...]:
        """Return the orders that are due now, seat by seat; empty exactly when `result` is present."""

    @abstractmethod
    def check(self, view: ViewT, seat: Seat, order: OrderT) -> Objection | None:
        """Return why the order is illegal for this seat now, or None."""

    @abstractmethod
    def concerns(self, view: ViewT, seat: Seat, orders: Sequence[OrderT]) -> tuple[Concern, ...]:
        """Return concerns about a seat's legal orders taken together."""

    @abstractmethod
    def default(self, state: StateT, due: Due) -> tuple[OrderT, ...]:
        """Return the orders of a seat that sent none: civil disorder."""

    @abstractmethod
    def adjudicate(
        self, state: StateT, orders: Mapping[Seat, Sequence[OrderT]], dice: Dice
    ) -> Outcome[StateT, EventT_co]:
        """Process the turn. Units without an order do as the rules say. Illegal orders have events too."""

    @abstractmethod
    def view(self, state: StateT, seat: Seat | None) -> ViewT:
        """Return the state as a seat may know it; None is a spectator."""

    @abstractmethod
    def holds(self, view: ViewT, seat: Seat, condition: Condition) -> bool:
        """Return whether an atom of IF is true at the start of the turn."""

    @abstractmethod
    def result(self, state: StateT) -> GameResult | None:
        """Return how the game ended, or None while it lasts."""

    # What a game need not have.

    def ahead(self, state: StateT) -> tuple[Turn, ...]:
        """Return the turns open for orders now, the present one first: five more years at most."""
        return (self.turn(state),)

    def survivors(self, state: StateT) -> tuple[Seat, ...] | None:
        """Return the seats still in the game, which share a draw, or None if no seat can be eliminated."""
        return None

    def misfits(self, state: StateT) -> tuple[str, ...]:
        """Return what has no place in this edition, of a position that another edition has led to.

        Only kinds with editions can have any.
        """
        return ()

    def neighbours(self, state: StateT, seat: Seat) -> tuple[Seat, ...] | None:
        """Return the neighbours of a seat in the game's order, or None if seats have no neighbours."""
        return None

    orders_depend: bool = False
    """Whether the orders of one email queue up and depend on each other."""

    report_is_reply: bool = False
    """Whether the report of a turn is also the reply to the email that started it.

    It is so in a game that waits for one player, if they have no line of the email to correct.
    """

    def foresee(self, view: ViewT, seat: Seat, order: OrderT, before: Sequence[OrderT]) -> Objection | None:
        """Return why an order can't be legal after those before it, whatever the opponent does, or None."""
        return None

    def plan_span(self, state: StateT, seat: Seat) -> str | None:
        """Return the span that a seat's queued orders plan for; when it changes, they are dropped.

        None if the game's orders are not a plan for several turns.
        """
        return None

    def turn_names(self, state: StateT) -> Iterable[str]:
        """Return the short names that the present turn and later turns may have, nearest first.

        Some of them may never come. A game without an end names many turns, not all. A game whose later
        turns are known from `ahead` need not answer.
        """
        return ()

    def legal_orders(self, view: ViewT, seat: Seat) -> Iterable[LegalOrder] | None:
        """Return legal orders that a seat could give now, those for the same unit or thing together.

        If there are too many of a form, return those that show it. Each passes `check` by itself. None if
        the game can't list them.
        """
        return None

    def unlisted_orders(self, view: ViewT, seat: Seat) -> Iterable[UnlistedOrders]:
        """Return by form the orders that `legal_orders` leaves out. Each passes `check` by itself."""
        return ()

    def composed_steps(self, view: ViewT, order: OrderT) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Return an order's steps and additions (see `TouchOrder`), or None if it is chosen by its text."""
        return None

    def order_places(self, view: ViewT, order: OrderT) -> tuple[str, str]:
        """Return the places of an order that isn't taken apart: of its piece now, and of its goal.

        They are ids of `Telling.spots`, "" for none. The order page lets players tap them.
        """
        return "", ""

    def touch_order(self, view: ViewT, seat: Seat, order: OrderT) -> TouchOrder | None:
        """Return a legal order taken apart into touches on the map, or None if it is chosen from a list."""
        return None

    def order_limits(self, view: ViewT, seat: Seat, orders: Sequence[OrderT]) -> OrderLimits:
        """Return what orders share, as data: which of them can't all be carried out, and what is left.

        It may know less than `concerns`, but never forbids what `concerns` accepts.
        """
        return OrderLimits()

    def points(self, view: ViewT) -> Mapping[str, tuple[float, float]]:
        """Return the point on the map at which a piece in each place stands."""
        return {}

    has_adjacency: bool = False
    """Whether places lie beside each other, so that `adjacent_places` knows them."""

    def adjacent_places(self, view: ViewT, place: str) -> tuple[AdjacentPlace, ...] | None:
        """Return the places beside the one with this term id, or None if the id isn't a place."""
        return None

    def dry_run(self, view: ViewT, orders: Mapping[Seat, Sequence[OrderT]]) -> DryRun | None:
        """Return what legal orders would do if nobody else did anything, from what a view knows.

        It rolls no dice: it stops where the rules would roll, draw, or reveal what is hidden. None if orders
        of this game can't be tried.
        """
        return None

    def examples(self, view: ViewT, seat: Seat) -> Iterable[tuple[str, Iterable[OrderT]]] | None:
        """Return names of forms, each with orders of that seat, the most instructive order first.

        They are tried in turn, and the first legal one is shown. A form without a legal one is left out.
        None if the game has no examples of its own for a position.
        """
        return None

    def benchmark_phase(self, state: StateT, orders: Iterable[Any]) -> BenchmarkPhase | None:
        """Return a phase with one legal order for each unit, for `gm bench decisions`, or None."""
        return None


class Notation(ABC, Generic[ViewT, OrderT]):
    """The notation of a game: it writes and reads the game's orders."""

    @property
    @abstractmethod
    def forms(self) -> tuple[Form, ...]:
        """All ways to write an order, the canonical one of each name first."""

    @property
    @abstractmethod
    def conditions(self) -> tuple[Form, ...]:
        """The conditions that IF may ask in this game."""

    @abstractmethod
    def lexicon(self, view: ViewT) -> Lexicon:
        """Return the names for the places of the forms."""

    @abstractmethod
    def build(self, view: ViewT, form: str, slots: Mapping[str, str]) -> OrderT:
        """Return the order of a matched form. slots: a term's id for each filled place. It never fails.

        The view supplies what players leave out, such as the unit in a province.
        """

    @abstractmethod
    def write(self, order: OrderT) -> str:
        """Return the canonical text of an order, which `forms` can read."""

    @abstractmethod
    def write_condition(self, condition: Condition) -> str:
        """Return the canonical text of an atom of IF, which `conditions` can read."""

    # What a game need not have.

    def native(self, view: ViewT, seat: Seat) -> tuple[tuple[Form, ...], Lexicon] | None:
        """Return the game's own forms and names without those of other languages, or None if there are none.

        A line that they can read is read with them alone.
        """
        return None

    def lexicons_by_language(self) -> Mapping[str, Lexicon]:
        """Return the names of each further language alone, by the name of the language."""
        return {}

    def short_forms(self, view: ViewT, seat: Seat) -> tuple[Form, ...]:
        """Return further ways to write in this position only: a lone ``w`` waives if builds are due."""
        return ()

    def hold_orders(self, view: ViewT, seat: Seat) -> tuple[OrderT, ...]:
        """Return the orders that "all hold" means: one for each unit of the seat that may hold."""
        return ()

    def doubt(self, view: ViewT, form: str, slots: Mapping[str, str]) -> str | None:
        """Return why a matched form may not be meant although an order can be built of it, or None."""
        return None

    def fit_order(self, view: ViewT, order: OrderT, text: str) -> tuple[OrderT, str | None]:
        """Return the order with what its text says of units that are not on the board, and the mistake in it.

        Even a text with a mistake has one meaning. The mistake is None if there is none.
        """
        return order, None

    def misreading(self, order: OrderT, text: str) -> str | None:
        """Return why a text may not mean the order that it was read as, or None."""
        return None

    def examples(self, view: ViewT) -> tuple[Form, ...]:
        """Return one form for each order that this game has, with an example that is read in it.

        Empty if the forms of `forms` have examples for every game of this kind.
        """
        return ()

    def means_the_same(self, view: ViewT, order: OrderT) -> bool:
        """Return whether `build` makes this order in this view too, from the same form and slots.

        False if the notation can't tell cheaply.
        """
        return False


class Telling(ABC, Generic[ViewT, EventT]):
    """The texts and the picture of a game. It has texts for everything that the rules can make happen."""

    @abstractmethod
    def tell(self, event: EventT, viewer: Seat | None) -> ReportLine | None:
        """Return the event in one sentence; None for an event without a sentence of its own."""

    @abstractmethod
    def headline(self, events: Sequence[EventT]) -> str:
        """Return the turn's news in a sentence or two."""

    @abstractmethod
    def tables(self, view: ViewT) -> tuple[ReportTable, ...]:
        """Return the standings and the other tables of a report."""

    @abstractmethod
    def scene(self, view: ViewT, events: Sequence[EventT]) -> Mapping[str, Any] | None:
        """Return the context of the game's ``board.svg``; None if a game has no picture."""

    @abstractmethod
    def advise(self, view: ViewT, remark: Objection | Concern) -> Advice:
        """Return an objection or a concern in words."""

    # What a game need not have.

    def setting(self, view: ViewT, seat: Seat | None) -> str:
        """Return what the game is and whom the seat plays in it, in a sentence or two."""
        return ""

    def introduction(self, view: ViewT, seat: Seat | None) -> tuple[str, ...]:
        """Return short paragraphs for a new player: how to win, how long it takes, and what is special."""
        return ()

    def sketch(self, view: ViewT, seat: Seat, orders: Sequence[Any]) -> tuple[EventT, ...]:
        """Return the events by which `scene` draws these orders as successful on the present position."""
        return ()

    has_fronts: bool = False
    """Whether `front` can show seats their own part of the map."""

    def front(self, view: ViewT, seat: Seat | None, events: Sequence[EventT]) -> Mapping[str, Any] | None:
        """Return the context of board.svg for a seat's own part of the map, enlarged.

        seat: None for observers, who see the part where many places lie close together. None if the whole
        map shows it nearly as well.
        """
        return None

    def shown_view(self, past: PastTurn) -> ViewT:
        """Return the position that a public page draws for a past turn: the one after it.

        If the turn cleared the table, it is the one before that.
        """
        after: ViewT = past.after
        return after

    def spots(self, view: ViewT) -> tuple[MapRegion, ...]:
        """Return all places that a reader can point at, in the order of the board."""
        return ()

    def note(self, event: EventT) -> OrderNote | None:
        """Return the note on the order that an event is about, or None if it is about none."""
        return None

    def mention(self, event: EventT) -> EventPlaces | None:
        """Return the places that an event is about, or None if it is about none."""
        return None

    def badges(self, view: ViewT) -> Mapping[str, SeatColours]:
        """Return the colours of each seat's counters and land on the map, by seat.

        Charts, small maps, bars and marks before names take them from here and from nowhere else.
        """
        return {}

    def news(self, events: Sequence[EventT]) -> tuple[NewsItem, ...]:
        """Return the turn's news for headlines, the most important first, at least one.

        A headline leaves out what the one before it said, so each item has a single piece of news.
        """
        return (NewsItem(text=self.headline(events)),)

    def standing(self, view: ViewT) -> str:
        """Return a sentence about which sides are ahead, by name, or "" if none is."""
        return ""

    def lead(self, view: ViewT, events: Sequence[EventT]) -> str:
        """Return a sentence about which seat is ahead, or "" if these events change nothing about it."""
        return ""

    def handbook(self, options: Options | None = None) -> tuple[HandbookSection, ...]:
        """Return the help on a game, "victory" first, or () if its page in docs/players fits.

        options: of a running game; None for those of a new one.
        """
        return ()

    def story(self, course: Sequence[PastTurn]) -> tuple[ReportLine, ...]:
        """Return turning points, broken peace and awards as sentences under headings, a page at most.

        course: all turns that count, oldest first, as everyone may know them. The same turns tell the same
        story.
        """
        return ()


class Bot(ABC, Generic[ViewT, OrderT]):
    """Plays a seat. It sees the same as the seat, and rolls dice under its own labels."""

    @abstractmethod
    def orders(self, view: ViewT, due: Due, dice: Dice) -> tuple[Choice[OrderT], ...]:
        """Return the orders for one Due, each with its reason."""

    # What a bot need not have.

    @property
    def temperaments(self) -> tuple[str, ...]:
        """The names of the temperaments in which it can play, in the order in which they are listed."""
        return ()

    def with_temperament(self, name: str) -> "Bot[ViewT, OrderT]":
        """Return the same bot with this temperament. Raises KeyError for another name."""
        raise KeyError(name)

    @property
    def budget(self) -> int | None:
        """The number of adjudications that it may make for one order sheet, or None if it tries none."""
        return None

    def with_budget(self, budget: int) -> "Bot[ViewT, OrderT]":
        """Return the same bot with another budget."""
        return self

    def with_dangers(self, dangers: Mapping[Seat, float]) -> "Bot[ViewT, OrderT]":
        """Return the same bot with other dangers: 0 for an ordinary seat, more for one to beware of."""
        return self

    @property
    def looks_back(self) -> int:
        """The number of past turns that it wants to know, to learn from them how others play."""
        return 0

    def with_history(self, past: Sequence[PastTurn]) -> "Bot[ViewT, OrderT]":
        """Return the same bot, knowing the last turns as everyone may know them, oldest first."""
        return self

    @property
    def phrases(self) -> tuple[str, ...]:
        """The phrases of press that it understands, as people write them: "propose truce"."""
        return ()

    def press(self, view: ViewT, correspondence: Correspondence, dice: Dice) -> tuple[BotMessage, ...]:
        """Return the messages that it writes now: replies that are still due, and its own proposals."""
        return ()

    def with_press(self, view: ViewT, correspondence: Correspondence) -> "Bot[ViewT, OrderT]":
        """Return the same bot, knowing what was agreed in that correspondence."""
        return self

    def account(self, view: ViewT, correspondence: Correspondence) -> str:
        """Return what it had agreed to in press and what became of it, for the end of a game, or ""."""
        return ""


class Edits(ABC, Generic[StateT, EditT]):
    """The changes that a GM may make. They are read like orders, and logged as `edit_type`."""

    @property
    @abstractmethod
    def edit_type(self) -> Any:
        """The type of all changes of this game: one Edit or a union of several."""

    @property
    @abstractmethod
    def forms(self) -> tuple[Form, ...]:
        """The ways to write the changes, the canonical one of each name first, each with an example."""

    @abstractmethod
    def lexicon(self, state: StateT) -> Lexicon:
        """Return the names for the places of the forms."""

    @abstractmethod
    def build(self, state: StateT, form: str, slots: Mapping[str, str]) -> EditT:
        """Return the change of a matched form. It never fails: `check` does."""

    @abstractmethod
    def write(self, edit: EditT) -> str:
        """Return the canonical text of a change, which `forms` can read."""

    @abstractmethod
    def check(self, state: StateT, edit: EditT) -> Advice | None:
        """Return why the change is impossible, and a suggestion; None if it is possible."""

    @abstractmethod
    def apply(self, state: StateT, edit: EditT) -> StateT:
        """Return the state after a change that `check` accepted, with its consequences."""

    @abstractmethod
    def tell(self, edit: EditT, viewer: Seat | None) -> str:
        """Return the change in one sentence that shows a reader no more than `Rules.view`."""


OrderTextParser = Callable[[ViewT, Seat, str], ParsedOrderText]
"""Reads one order's text as letters are read: in a view, for a seat. A game cannot: it is handed one."""


class WhatIf(Protocol[StateT_co]):
    """Stateless questions in plain JSON values: `gm bot`, `gm mail read --position`."""

    def position(self, question: Any) -> StateT_co:
        """Return a state from JSON. Raises Invalid whose `what` is the path, as ``units.Italy[0]``."""

    def bot(self, question: Any) -> Any:
        """Return the orders of a bot, and why. Raises Invalid as `position` does."""


@runtime_checkable
class Judge(WhatIf[State], Protocol):
    """A game that also adjudicates positions in JSON: `gm judge`."""

    def judge(self, question: Any, parse_order: OrderTextParser[View]) -> Any:
        """Return outcomes, reasons and the next position. Raises Invalid like `position`."""

    def question(self, state: State) -> Any:
        """Return a state as a question without orders, which `position` can read."""


# The formats of other programs that can record a game.


class ExchangedTurn(Value, Generic[StateT], frozen=True):
    """One turn of a game in its chronicle: the orders by seat, and the events."""

    turn: Turn
    before: StateT
    orders: Mapping[Seat, tuple[Any, ...]]
    events: tuple[Event, ...]
    after: StateT


class RecordedTurn(Value, frozen=True):
    """One turn in another program's record.

    turn: its short name; orders: as recorded, by seat; position: the recorded position before it, for
    `ForeignFormats.edits_to_match`; played: False for the turn that is due at the end of the record.
    """

    turn: str
    orders: Mapping[Seat, tuple[str, ...]]
    position: Any
    played: bool = True


class ImportNote(Value, frozen=True):
    """Something in a file that wasn't taken, or was taken differently.

    line: its number in the file, 0 for the whole file; changes_play: whether games may go differently.
    """

    file: str
    line: int
    text: str
    changes_play: bool


class ImportedVariant(Value, frozen=True):
    """A variant of another program: our files by name, and what wasn't taken."""

    files: Mapping[str, str]
    notes: tuple[ImportNote, ...]


class ProposedBorders(Value, frozen=True):
    """The borders of a province as a drawing shows them.

    entry: the province's id and its borders, as in map.json; same: whether map.json has these borders.
    """

    entry: Mapping[str, Any]
    same: bool


class ForeignFormats(Protocol[StateT]):
    """The formats of other programs for such a game."""

    @property
    def formats(self) -> tuple[str, ...]:
        """The names of the formats."""

    @property
    def former(self) -> Options:
        """Options for a record that goes on where a game of today would be over, otherwise none."""

    def suffix(self, form: str) -> str:
        """Return the suffix of a file of this format, without its dot."""

    def write(self, form: str, name: str, chapters: Sequence[ExchangedTurn[StateT]], state: StateT) -> str:
        """Return the record of a game, called `name`, from its opening to its present state."""

    def write_turn(self, form: str, name: str, number: int, chapter: ExchangedTurn[StateT]) -> str:
        """Return the part of the record for one turn. number: the turn's position in the game."""

    def join_turns(self, form: str, name: str, state: StateT, pieces: Sequence[str]) -> str:
        """Return the whole record from its turns' parts, like `write`. state: the present one."""

    def read(self, text: str) -> tuple[RecordedTurn, ...] | None:
        """Return the turns of a text; None if it isn't in such a format, or is of another kind of game.

        Raises Invalid with the fault in the text.
        """

    def edits_to_match(self, state: StateT, turn: RecordedTurn) -> tuple[Edit, ...]:
        """Return the edits that turn a position into the recorded one; none if they are equal."""

    def read_board(self, name: str, text: str, open_file: Callable[[str], str]) -> ImportedVariant:
        """Return the variant of another program's board, called `name`. Raises Invalid with file and line.

        open_file: returns the text of another file that the text names, or raises Invalid.
        """

    def read_drawing(self, board: str, drawing: str, tolerance: float | None) -> ImportedVariant:
        """Return the files of a variant that an SVG drawing changes, and what wasn't taken. Raises Invalid.

        board: the text of map.json; tolerance: the widest gap between neighbours that is closed, in the units
        of the drawing, None for the usual one.
        """

    def propose_borders(self, board: str, drawing: str) -> tuple[ProposedBorders, ...]:
        """Return the borders of each province as a drawing shows them. Raises Invalid."""

    def write_board(self) -> tuple[str, tuple[str, ...]]:
        """Return the board for other programs, and sentences on what their format can't say."""

    def write_files(self) -> Mapping[str, str]:
        """Return the files of the board's variant by name, in our own form."""
