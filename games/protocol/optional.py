"""Optional parts of a game, beside those that every game has.

One rule for all of it: a part that a game may lack is a field of `Game` that may be None; what a part may
be able to do besides is a protocol here, and whoever wants it asks ``isinstance``. That forgets a game's
own types, so most of these are written with those of the service: a view and an order of whatever game it
is.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar, runtime_checkable

from games.protocol.values import Event, Form, Lexicon, Objection, Order, ReportLine, Seat, State, Turn, View
from games.record import Record

StateT_co = TypeVar("StateT_co", covariant=True)
ViewT = TypeVar("ViewT")


@runtime_checkable
class SupportsNeighbours(Protocol):
    """Rules of a game of many seats: they know the survivors and the neighbours of a seat."""

    def survivors(self, state: State) -> tuple[Seat, ...]:
        """Return the seats that are still in the game, in its order: they share a draw."""

    def neighbours(self, state: State, seat: Seat) -> tuple[Seat, ...]:
        """Return the seats beside a seat, in the game's order."""


@runtime_checkable
class SupportsQueueChecks(Protocol):
    """Rules of a game in which the orders of one email queue up and depend on each other."""

    def foresee(self, view: View, seat: Seat, order: Order, before: Sequence[Order]) -> Objection | None:
        """Return why an order cannot be legal after those before it, whatever the opponent does; or None."""


@runtime_checkable
class SupportsLanguages(Protocol):
    """A notation in more languages than its own, all of which are read together."""

    def native(self, view: View, seat: Seat) -> tuple[tuple[Form, ...], Lexicon] | None:
        """Return its own forms and names, without the other languages. Only these are used for what they can
        read. None: there are no such languages.
        """

    def lexicons_by_language(self) -> Mapping[str, Lexicon]:
        """Return the names of each further language alone, by the name of the language."""


@runtime_checkable
class SupportsPlanSpan(Protocol):
    """Rules of a game in which queued orders are a plan for some turns, and lapse with them."""

    def plan_span(self, state: State, seat: Seat) -> str:
        """Return the span that a seat's queue plans for; when it changes, the queue is dropped."""


@runtime_checkable
class SupportsTurnNames(Protocol):
    """Rules of a game in which the next turns are unknown, but not their possible names."""

    def turn_names(self, state: State) -> Iterable[str]:
        """The short names that the turns from the present one on may have, whatever is drawn, nearest first.

        Some of them may never come; of games without an end those of many turns, not of all.
        """


class LegalOrder(Record, frozen=True, kw_only=True):
    """An order that a seat could give now. of: its unit or thing, as people call it; words: its effect."""

    of: str
    order: Any
    words: str


@runtime_checkable
class SupportsLegalOrders(Protocol):
    """Rules of a game that can list what may be ordered."""

    def legal_orders(self, view: View, seat: Seat) -> Iterable[LegalOrder]:
        """Return legal orders that a seat could give now, those for the same unit or thing together.

        Where there are too many of a sort, those that show its form; each passes `check` by itself.
        """


class UnlistedOrders(Record, frozen=True, kw_only=True):
    """Orders of one form of which a listing shows some, since there are many.

    of: what they are for, as there; form: how they are written, in braces what differs; words: what may stand
    there; orders: those that the listing leaves out.
    """

    of: str
    form: str
    words: str
    orders: tuple[Any, ...]


@runtime_checkable
class SupportsUnlistedOrders(Protocol):
    """Rules that list only examples of some forms, and that can give the orders left out."""

    def unlisted_orders(self, view: View, seat: Seat) -> Iterable[UnlistedOrders]:
        """Return by form the orders that the listing leaves out, each of which passes `check` by itself."""


class TouchStep(Record, frozen=True, kw_only=True):
    """One touch on the way to an order: its label, and the id of the place, "" for none."""

    said: str
    at: str = ""


class TouchOrder(Record, frozen=True, kw_only=True):
    """An order as a player puts it together by touching the map.

    thing: what it is for, as a person calls it; at: the place of that, "" for none; steps: what is chosen,
    one after the other; sort: what becomes of the piece, which stays, moves, goes off, is new, or helps
    and stays; ends: where it is then; helps: whence and whither goes whom it helps, twice the same where
    that one stays; along: orders of the same seat for other things that go with this one; adds: what is
    chosen after the steps, in whatever order, where one may stop at each that is an order by itself.
    """

    thing: str
    at: str
    steps: tuple[TouchStep, ...]
    sort: Literal["stay", "move", "off", "new", "support", "convoy"] = "stay"
    ends: str = ""
    helps: tuple[str, str] | None = None
    along: tuple[Any, ...] = ()
    adds: tuple[str, ...] = ()


@runtime_checkable
class SupportsComposedOrders(Protocol):
    """Rules some of whose orders are put together from many parts, in words."""

    def composed_steps(self, view: View, order: Order) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Return an order's steps and additions (see `TouchOrder`); None: it is chosen by its text."""


@runtime_checkable
class SupportsTouchOrders(Protocol):
    """Rules whose orders are put together on the map, touch by touch."""

    def touch_order(self, view: View, seat: Seat, order: Order) -> TouchOrder:
        """Return an order of the listing, taken apart into touches."""

    def points(self, view: View) -> Mapping[str, tuple[float, float]]:
        """Return the point on the map at which a piece in each place stands."""


class AdjacentPlace(Record, frozen=True, kw_only=True):
    """A place beside another: its name as one writes it, and how one gets there."""

    place: str
    how: str


@runtime_checkable
class SupportsAdjacency(Protocol):
    """Rules of a game that is played on places which lie beside each other."""

    def adjacent_places(self, view: View, place: str) -> tuple[AdjacentPlace, ...] | None:
        """Return the places beside the one with this term id; None where it is no place."""


class DryRun(Record, frozen=True, kw_only=True):
    """The result of trying orders without dice and hidden information: the position then, and the events.

    open: what comes next and cannot be said, in a sentence of its own; None: all of the turn was played.
    """

    after: Any
    events: tuple[Any, ...] = ()
    open: str | None = None


@runtime_checkable
class SupportsDryRun(Protocol):
    """Rules of a game in which orders can be tried out."""

    def dry_run(self, view: View, orders: Mapping[Seat, Sequence[Order]]) -> DryRun:
        """Return what legal orders would do if nobody else did anything, from what a view knows.

        It rolls no dice: it stops where the rules would roll, draw, or reveal what is hidden.
        """


@runtime_checkable
class SupportsPositionForms(Protocol):
    """A notation that reads some things by the position."""

    def short_forms(self, view: View, seat: Seat) -> tuple[Form, ...]:
        """Return further ways to write in this position only: a lone ``w`` waives where builds are due."""

    def hold_orders(self, view: View, seat: Seat) -> tuple[Order, ...]:
        """Return the orders that "all hold" means: one for each unit of the seat; none where none may."""

    def doubt(self, view: View, form: str, slots: Mapping[str, str]) -> str | None:
        """Return why a matched form may not be meant, though an order can be built of it; or None."""

    def fit_order(self, view: View, order: Order, text: str) -> tuple[Order, str | None]:
        """Return the order with what its text tells of units that are not on the board, and what is wrong.

        Even a text with a mistake has one meaning. None: nothing is wrong in it.
        """


@runtime_checkable
class SupportsMisreadingCheck(Protocol):
    """A notation whose texts may contain something that was not meant as it was read."""

    def misreading(self, order: Order, text: str) -> str | None:
        """Return why a text may not mean the order that it was read as; or None."""


@runtime_checkable
class SupportsExampleForms(Protocol):
    """A notation whose orders differ between games of its kind."""

    def examples(self, view: View) -> tuple[Form, ...]:
        """Return a way to write each order that this game has, with an example that is read in it."""


@runtime_checkable
class SupportsExampleOrders(Protocol):
    """Rules that know examples of what a seat could order now."""

    def examples(self, view: View, seat: Seat) -> Iterable[tuple[str, Iterable[Order]]]:
        """Return names of forms, each with orders of that seat, the most instructive one first.

        They are tried in turn, and the first lawful one is shown; a form of which none is lawful is not.
        """


@runtime_checkable
class SupportsIntroduction(Protocol):
    """A telling that can introduce its game to a new player."""

    def setting(self, view: View, seat: Seat | None) -> str:
        """Return what the game is, and whom the seat plays in it: a sentence or two."""

    def introduction(self, view: View, seat: Seat | None) -> tuple[str, ...]:
        """Return short paragraphs: how to win, how long it takes, what is special, how much is not the
        publisher's.
        """


@runtime_checkable
class SupportsOrderSketch(Protocol):
    """A telling that can draw orders before they are carried out."""

    def sketch(self, view: View, seat: Seat, orders: Sequence[Order]) -> tuple[Event, ...]:
        """Return the events by which `scene` draws these orders as successful on the present position."""


@runtime_checkable
class SupportsZoomedMap(Protocol):
    """A telling that can show a seat its own part of the map, enlarged; an observer sees the crowded part."""

    def front(self, view: View, seat: Seat | None, events: Sequence[Event]) -> Mapping[str, Any] | None:
        """Return the context of board.svg for it; None where the whole map shows it as well, or nearly so.

        seat None: for observers, where many places lie close together.
        """


class OrderNote(Record, frozen=True, kw_only=True):
    """The outcome of one order, or of a piece that had none, shown when a reader points at it on the map.

    of: whose it is; at: the id of the place where its piece stood; piece: what that is, in words; order:
    as the game writes it, "" where there was none; outcome: a word for programs; why: a phrase, "" where
    nothing needs one; title: what the map calls the lines that it draws of the order.
    """

    of: Seat
    at: str
    piece: str
    order: str
    outcome: str
    why: str = ""
    title: str = ""


class MapRegion(Record, frozen=True, kw_only=True):
    """A place of a map: the id of its shape there, its name; in a position whose it is, what stands there.

    path: its outline as the ``d`` of an SVG path, where the drawing has no shape for it; owner: as people
    call it.
    """

    at: str
    shape: str = ""
    path: str = ""
    name: str
    owner: str | None = None
    pieces: tuple[str, ...] = ()


class EventPlaces(Record, frozen=True, kw_only=True):
    """The places that a sentence is about, for readers who point at one of them or at the sentence.

    at: their ids, the one first where it began; of: whose lines the map draws of it, as people call it;
    title: what the map calls them; both "" where it draws none.
    """

    at: tuple[str, ...]
    of: str = ""
    title: str = ""


@runtime_checkable
class SupportsMapRegions(Protocol):
    """A telling whose map can be pointed at, place by place."""

    def spots(self, view: View) -> tuple[MapRegion, ...]:
        """Return all places in a position, in the order of the board."""


@runtime_checkable
class SupportsOrderNotes(Protocol):
    """A telling that knows the outcome of each order that its map draws."""

    def note(self, event: Event) -> OrderNote | None:
        """Return the note on the order that an event tells of; None where it tells of none."""


@runtime_checkable
class SupportsEventPlaces(Protocol):
    """A telling that knows where things happen, though not each by an order of its own."""

    def mention(self, event: Event) -> EventPlaces | None:
        """Return the places that an event is about; None where it is about none."""


class SeatColours(Record, frozen=True, kw_only=True):
    """The colours of a seat's counters and of its land on the map, as ``#6c1f0f``."""

    ink: str
    land: str


@runtime_checkable
class SupportsSeatColours(Protocol):
    """A telling whose seats have counters of their own on the map."""

    def badges(self, view: View) -> Mapping[str, SeatColours]:
        """Return the colours of each seat, by the name in headings and tables."""


@runtime_checkable
class SupportsLeader(Protocol):
    """A telling that can say which seat is ahead."""

    def lead(self, view: View, events: Sequence[Event]) -> str:
        """Return a sentence about who is ahead; "" where that is no news after these events."""


class PastTurn(Record, frozen=True, kw_only=True):
    """A turn that was played, as somebody may know it: the position before and after it, and the events."""

    turn: Turn
    before: Any
    after: Any
    events: tuple[Any, ...] = ()


@runtime_checkable
class SupportsStory(Protocol):
    """A telling that can tell the story of a whole game."""

    def story(self, course: Sequence[PastTurn]) -> tuple[ReportLine, ...]:
        """Return turning points, broken peace and awards: sentences under headings, a page of them at most.

        course: all turns that count, oldest first, as all may know them; the same ones tell the same
        story.
        """


class BenchmarkPhase(Protocol):
    """The orders of one phase, decided together without a report: what a search does thousands of times."""

    def decide(self) -> object:
        """Decide all of them."""

    def prepare(self, order: Order) -> Any:
        """Return an order for one unit in the form in which it is tried: made once, however often it is."""

    def vary(self, ready: Any) -> object:
        """Decide them with another order for one unit, which `prepare` returned."""


@runtime_checkable
class SupportsDecisionBenchmark(Protocol):
    """Rules that can decide orders alone, for `gm bench decisions`."""

    def benchmark_phase(self, state: State, orders: Iterable[Order]) -> BenchmarkPhase:
        """Return the orders of a phase, one for each unit and all of them legal, ready to be decided."""


class ParsedOrderText(Record, frozen=True, kw_only=True):
    """The meaning of the text of one order: the order, or why it does not count, or both for a guess."""

    order: Any = None
    problem: str | None = None


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
    """A game that adjudicates positions in JSON too: `gm judge`."""

    def judge(self, question: Any, hear: OrderTextParser[View]) -> Any:
        """Outcomes, reasons and the next position. Raises Invalid as `position` does."""

    def question(self, state: State) -> Any:
        """A state as the question, without orders, that `position` reads back."""
