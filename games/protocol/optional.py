"""Optional parts of a game.

A part that a game may lack is a field of `Game` that may be None. An ability that a part may have is a
protocol here, and callers ask with ``isinstance``. That forgets a game's own types, so most protocols use the
service's: a view and an order of any game.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar, runtime_checkable

from games.protocol.values import Event, Form, Lexicon, Objection, Order, ReportLine, Seat, State, Turn, View
from games.record import Record

StateT_co = TypeVar("StateT_co", covariant=True)
ViewT = TypeVar("ViewT")


@runtime_checkable
class SupportsNeighbours(Protocol):
    """Rules of a game for several seats: they know the survivors and the neighbours of a seat."""

    def survivors(self, state: State) -> tuple[Seat, ...]:
        """Return the seats that are still in the game, in the game's order. They share a draw."""

    def neighbours(self, state: State, seat: Seat) -> tuple[Seat, ...]:
        """Return the seats next to a seat, in the game's order."""


@runtime_checkable
class SupportsQueueChecks(Protocol):
    """Rules of a game where the orders of one email queue up and depend on each other."""

    def foresee(self, view: View, seat: Seat, order: Order, before: Sequence[Order]) -> Objection | None:
        """Return why an order can't be legal after those before it, whatever the opponent does; or None."""


@runtime_checkable
class SupportsLanguages(Protocol):
    """A notation that reads several languages at once."""

    def native(self, view: View, seat: Seat) -> tuple[tuple[Form, ...], Lexicon] | None:
        """Return the forms and names of its own language; None if it has only one.

        Only these are used for texts that they can read.
        """

    def lexicons_by_language(self) -> Mapping[str, Lexicon]:
        """Return the names of each other language, by the name of the language."""


@runtime_checkable
class SupportsPlanSpan(Protocol):
    """Rules of a game where queued orders are a plan for some turns, and lapse with them."""

    def plan_span(self, state: State, seat: Seat) -> str:
        """Return the span of turns that a seat's queue is for. When it changes, the queue is dropped."""


@runtime_checkable
class SupportsTurnNames(Protocol):
    """Rules of a game where the next turns are unknown, but not their possible names."""

    def turn_names(self, state: State) -> Iterable[str]:
        """Return the possible short names of the turns from the present one on, nearest first.

        Some of them may never occur. A game without an end returns those of many turns, but not of all.
        """


class LegalOrder(Record, frozen=True, kw_only=True):
    """An order that a seat could give now. of: its unit or thing, as players call it; words: its effect."""

    of: str
    order: Any
    words: str


@runtime_checkable
class SupportsLegalOrders(Protocol):
    """Rules of a game that can list the legal orders."""

    def legal_orders(self, view: View, seat: Seat) -> Iterable[LegalOrder]:
        """Return legal orders that a seat could give now, those for the same unit or thing together.

        If a form has too many, it returns some examples. Each passes `check` by itself.
        """


class UnlistedOrders(Record, frozen=True, kw_only=True):
    """Orders of one form with only some examples in a listing, since there are many.

    of: their unit or thing; form: their text, with the parts that differ in braces; words: the texts for
    those parts; orders: the orders left out of the listing.
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

    thing: the thing that it is for, as players call it; at: the place of that thing, "" for none; steps: the
    choices, one after another; sort: whether the piece stays, moves, leaves, is new, or helps and stays;
    ends: its place afterwards; helps: the origin and the goal of the helped piece, equal if that one stays;
    along: orders of the same seat for other things that go with this one; adds: choices after the steps, in
    any order, of which each is an order by itself.
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
    """Rules with orders that are put together from many parts, in words."""

    def composed_steps(self, view: View, order: Order) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Return an order's steps and additions (see `TouchOrder`); None if it is chosen by its text."""


@runtime_checkable
class SupportsTouchOrders(Protocol):
    """Rules with orders that are put together on the map, touch by touch."""

    def touch_order(self, view: View, seat: Seat, order: Order) -> TouchOrder:
        """Return an order of the listing, taken apart into touches."""

    def points(self, view: View) -> Mapping[str, tuple[float, float]]:
        """Return the point on the map of a piece in each place."""


class AdjacentPlace(Record, frozen=True, kw_only=True):
    """An adjacent place: its name in orders, and the way there."""

    place: str
    how: str


@runtime_checkable
class SupportsAdjacency(Protocol):
    """Rules of a game with adjacent places."""

    def adjacent_places(self, view: View, place: str) -> tuple[AdjacentPlace, ...] | None:
        """Return the places adjacent to the one with this term id; None if it isn't a place."""


class DryRun(Record, frozen=True, kw_only=True):
    """The result of trying orders without dice and hidden information: the position and the events.

    open: a sentence about the next step, which is unknown; None if the whole turn was processed.
    """

    after: Any
    events: tuple[Any, ...] = ()
    open: str | None = None


@runtime_checkable
class SupportsDryRun(Protocol):
    """Rules of a game that can try orders out."""

    def dry_run(self, view: View, orders: Mapping[Seat, Sequence[Order]]) -> DryRun:
        """Return the effect of legal orders if no one else did anything, with the knowledge of a view.

        It rolls no dice: it stops before a roll, a draw, or the reveal of hidden information.
        """


@runtime_checkable
class SupportsPositionForms(Protocol):
    """A notation that reads some texts by the position."""

    def short_forms(self, view: View, seat: Seat) -> tuple[Form, ...]:
        """Return further ways to write orders in this position, such as ``w`` to waive a build."""

    def hold_orders(self, view: View, seat: Seat) -> tuple[Order, ...]:
        """Return the orders that "all hold" means: one for each unit of the seat; none if none is legal."""

    def doubt(self, view: View, form: str, slots: Mapping[str, str]) -> str | None:
        """Return why a matched form may not be meant, although it makes an order; or None."""

    def fit_order(self, view: View, order: Order, text: str) -> tuple[Order, str | None]:
        """Return the order with its text's further information about units, and a mistake or None.

        Even a text with a mistake has one meaning.
        """


@runtime_checkable
class SupportsMisreadingCheck(Protocol):
    """A notation whose texts may contain something that was read differently from its meaning."""

    def misreading(self, order: Order, text: str) -> str | None:
        """Return why a text may not mean the order that it was read as; or None."""


@runtime_checkable
class SupportsExampleForms(Protocol):
    """A notation whose orders differ between games of its kind."""

    def examples(self, view: View) -> tuple[Form, ...]:
        """Return a way to write each order of this game, with an example that it can read."""


@runtime_checkable
class SupportsExampleOrders(Protocol):
    """Rules that know examples of a seat's possible orders."""

    def examples(self, view: View, seat: Seat) -> Iterable[tuple[str, Iterable[Order]]]:
        """Return names of forms, each with orders of that seat, the most instructive first.

        The first legal order of a form is its example. A form without a legal order has none.
        """


@runtime_checkable
class SupportsIntroduction(Protocol):
    """A telling that can introduce its game to a new player."""

    def setting(self, view: View, seat: Seat | None) -> str:
        """Return a sentence or two about the game and the seat's side in it."""

    def introduction(self, view: View, seat: Seat | None) -> tuple[str, ...]:
        """Return short paragraphs: how to win, how long it takes, what is special, how much is our own."""


@runtime_checkable
class SupportsOrderSketch(Protocol):
    """A telling that can draw orders before they are carried out."""

    def sketch(self, view: View, seat: Seat, orders: Sequence[Order]) -> tuple[Event, ...]:
        """Return the events that make `scene` draw these orders as successful on the present position."""


@runtime_checkable
class SupportsZoomedMap(Protocol):
    """A telling that can show a seat its own part of the map enlarged. Observers see the crowded part."""

    def front(self, view: View, seat: Seat | None, events: Sequence[Event]) -> Mapping[str, Any] | None:
        """Return the context of board.svg for it; None if the whole map is about as good.

        If seat is None, return the crowded part for observers.
        """


class OrderNote(Record, frozen=True, kw_only=True):
    """The outcome of one order, or of a piece without one, for a reader who points at it on the map.

    of: its seat; at: the id of the piece's place before the turn; piece: the piece in words; order: as the
    game writes it, "" for none; outcome: a word for programs; why: a phrase, "" if none is needed; title: the
    title of the order's lines on the map.
    """

    of: Seat
    at: str
    piece: str
    order: str
    outcome: str
    why: str = ""
    title: str = ""


class MapRegion(Record, frozen=True, kw_only=True):
    """A place of a map: the id of its shape, its name, and in a position its owner and its pieces.

    path: its outline as the ``d`` of an SVG path, if the drawing has no shape for it; owner: as players call
    it.
    """

    at: str
    shape: str = ""
    path: str = ""
    name: str
    owner: str | None = None
    pieces: tuple[str, ...] = ()


class EventPlaces(Record, frozen=True, kw_only=True):
    """The places of a sentence, for readers who point at one of them or at the sentence.

    at: their ids, first the one where it began; of: the owner of the lines that the map draws for it, as
    players call it; title: the title of the lines; both "" if there are none.
    """

    at: tuple[str, ...]
    of: str = ""
    title: str = ""


@runtime_checkable
class SupportsMapRegions(Protocol):
    """A telling with a map whose places can be pointed at."""

    def spots(self, view: View) -> tuple[MapRegion, ...]:
        """Return all places in a position, in the order of the board."""


@runtime_checkable
class SupportsOrderNotes(Protocol):
    """A telling with the outcome of each order that its map draws."""

    def note(self, event: Event) -> OrderNote | None:
        """Return the note on an event's order; None if it has none."""


@runtime_checkable
class SupportsEventPlaces(Protocol):
    """A telling that knows the places of events, even if not each has its own order."""

    def mention(self, event: Event) -> EventPlaces | None:
        """Return the places of an event; None if it has none."""


class SeatColours(Record, frozen=True, kw_only=True):
    """The colours of a seat's counters and of its land on the map, such as ``#6c1f0f``."""

    ink: str
    land: str


@runtime_checkable
class SupportsSeatColours(Protocol):
    """A telling whose seats have their own counters on the map."""

    def badges(self, view: View) -> Mapping[str, SeatColours]:
        """Return the colours of each seat, by the name in headings and tables."""


@runtime_checkable
class SupportsLeader(Protocol):
    """A telling that can name the leading seat."""

    def lead(self, view: View, events: Sequence[Event]) -> str:
        """Return a sentence about the leader; "" if that is no news after these events."""


class PastTurn(Record, frozen=True, kw_only=True):
    """A past turn, with the knowledge of a viewer: the position before and after it, and the events."""

    turn: Turn
    before: Any
    after: Any
    events: tuple[Any, ...] = ()


@runtime_checkable
class SupportsStory(Protocol):
    """A telling that can write the story of a whole game."""

    def story(self, course: Sequence[PastTurn]) -> tuple[ReportLine, ...]:
        """Return turning points, broken peace and awards: sentences under headings, at most a page.

        course: all turns that count, oldest first, with public information. The same turns give the same
        story.
        """


class BenchmarkPhase(Protocol):
    """The orders of one phase, decided together without a report, as in a search thousands of times."""

    def decide(self) -> object:
        """Decide all of them."""

    def prepare(self, order: Order) -> Any:
        """Return an order for one unit, prepared for `vary`. It is prepared once and tried often."""

    def vary(self, ready: Any) -> object:
        """Decide them with another order for one unit, which `prepare` returned."""


@runtime_checkable
class SupportsDecisionBenchmark(Protocol):
    """Rules that can decide orders alone, for `gm bench decisions`."""

    def benchmark_phase(self, state: State, orders: Iterable[Order]) -> BenchmarkPhase:
        """Return the orders of a phase, one for each unit and all of them legal, ready to be decided."""


class ParsedOrderText(Record, frozen=True, kw_only=True):
    """The meaning of the text of one order: the order, or a problem, or both for a guess."""

    order: Any = None
    problem: str | None = None


OrderTextParser = Callable[[ViewT, Seat, str], ParsedOrderText]
"""Reads one order's text like an email: in a view, for a seat. A game gets such a function from the
service."""


class WhatIf(Protocol[StateT_co]):
    """Stateless questions in plain JSON values: `gm bot`, `gm mail read --position`."""

    def position(self, question: Any) -> StateT_co:
        """Return a state from JSON. Raises Invalid whose `what` is the path, as ``units.Italy[0]``."""

    def bot(self, question: Any) -> Any:
        """Return the orders of a bot, and why. Raises Invalid as `position` does."""


@runtime_checkable
class Judge(WhatIf[State], Protocol):
    """A game that also adjudicates positions in JSON: `gm judge`."""

    def judge(self, question: Any, hear: OrderTextParser[View]) -> Any:
        """Return outcomes, reasons and the next position. Raises Invalid like `position`."""

    def question(self, state: State) -> Any:
        """Return a state as a question without orders, which `position` can read."""
