"""What some games can do beside what is asked of all.

One rule for all of it: a part that a game may lack is a field of `Game` that may be None; what a part may be
able to do besides is a protocol here, and whoever wants it asks ``isinstance``. That forgets a game's own
types, so most of these are written with those of the house: a view and an order of whatever game it is.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar, runtime_checkable

from games.protocol.values import Event, Form, Lexicon, Line, Objection, Order, Seat, State, Turn, View
from games.record import Record

S_co = TypeVar("S_co", covariant=True)
V = TypeVar("V")


@runtime_checkable
class Sociable(Protocol):
    """Rules of a game of many: who is still in it, and who lies beside whom."""

    def survivors(self, state: State) -> tuple[Seat, ...]:
        """The seats that are still in the game, in its order: they share a draw."""

    def neighbours(self, state: State, seat: Seat) -> tuple[Seat, ...]:
        """The seats beside a seat, in the game's order."""


@runtime_checkable
class Foresight(Protocol):
    """Rules of a game in which the orders of one letter queue up and depend on each other."""

    def foresee(self, view: View, seat: Seat, order: Order, before: Sequence[Order]) -> Objection | None:
        """Why an order cannot be lawful after those before it, whatever the opponent does; or None."""


@runtime_checkable
class Polyglot(Protocol):
    """A notation in more languages than its own, all of which are read together."""

    def native(self, view: View, seat: Seat) -> tuple[tuple[Form, ...], Lexicon] | None:
        """Its forms and names without those languages: what these read, they alone read. None: none."""

    def tongues(self) -> Mapping[str, Lexicon]:
        """The names of each of those languages alone, by what the language is called."""


@runtime_checkable
class Planned(Protocol):
    """Rules of a game in which orders that queue up are a plan for some turns, and lapse with them."""

    def span(self, state: State, seat: Seat) -> str:
        """What a seat's queue is a plan for now; when this changes, what is left of the queue is dropped."""


@runtime_checkable
class TurnNaming(Protocol):
    """Rules of a game in which nobody knows what turns come next, but what they may be called."""

    def turn_names(self, state: State) -> Iterable[str]:
        """The short names that the turns from the present one on may have, whatever is drawn, nearest first.

        Some of them may never come; of games without an end those of many turns, not of all.
        """


class Possible(Record, frozen=True, kw_only=True):
    """An order that a seat could give now. of: what it is for, as a person calls it; words: what it does."""

    of: str
    order: Any
    words: str


@runtime_checkable
class Listing(Protocol):
    """Rules of a game that can list what may be ordered."""

    def possible(self, view: View, seat: Seat) -> Iterable[Possible]:
        """Lawful orders that a seat could give now, all that are for one thing together.

        Where there are too many of a sort, those that show its form; each passes `check` by itself.
        """


class Unlisted(Record, frozen=True, kw_only=True):
    """Orders of one form of which a listing shows some, since there are many.

    of: what they are for, as there; form: how they are written, in braces what differs; words: what may stand
    there; orders: those that the listing leaves out.
    """

    of: str
    form: str
    words: str
    orders: tuple[Any, ...]


@runtime_checkable
class Sampled(Protocol):
    """Rules whose listing shows of some forms but examples, and that can say what else there is."""

    def unlisted(self, view: View, seat: Seat) -> Iterable[Unlisted]:
        """By form the orders that `possible` leaves out, each of which passes `check` by itself."""


class Step(Record, frozen=True, kw_only=True):
    """One touch on the way to an order: what it is called there, and the id of the place, "" for none."""

    said: str
    at: str = ""


class Laid(Record, frozen=True, kw_only=True):
    """An order as somebody puts it together by touching things.

    thing: what it is for, as a person calls it; at: the place of that, "" for none; steps: what is chosen,
    one after the other; sort: what becomes of the piece, which stays, moves, goes off, is new, or helps and
    stays; ends: where it is then; helps: whence and whither goes whom it helps, twice the same where that one
    stays; along: orders of the same seat for other things that go with this one; adds: what is chosen after
    the steps, in whatever order, where one may stop at each that is an order by itself.
    """

    thing: str
    at: str
    steps: tuple[Step, ...]
    sort: Literal["stay", "move", "off", "new", "support", "convoy"] = "stay"
    ends: str = ""
    helps: tuple[str, str] | None = None
    along: tuple[Any, ...] = ()
    adds: tuple[str, ...] = ()


@runtime_checkable
class Composed(Protocol):
    """Rules some of whose orders are put together of many parts, in words."""

    def composed(self, view: View, order: Order) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """An order's steps, and what is added after them (see `Laid`); None: it is chosen by its text."""


@runtime_checkable
class Touchable(Protocol):
    """Rules whose orders are put together on the map, touch by touch."""

    def laid(self, view: View, seat: Seat, order: Order) -> Laid:
        """An order of the listing, taken apart."""

    def points(self, view: View) -> Mapping[str, tuple[float, float]]:
        """Where on the map a piece in each place stands."""


class Neighbour(Record, frozen=True, kw_only=True):
    """A place beside another: its name as one writes it, and how one gets there."""

    place: str
    how: str


@runtime_checkable
class Charted(Protocol):
    """Rules of a game that is played on places which lie beside each other."""

    def beside(self, view: View, place: str) -> tuple[Neighbour, ...] | None:
        """What lies beside the place of a term's id; None where that is none."""


class Trial(Record, frozen=True, kw_only=True):
    """How far orders come without a throw and without what is hidden: the position then, and what happened.

    open: what comes next and cannot be said, in a sentence of its own; None: all of the turn was played.
    """

    after: Any
    events: tuple[Any, ...] = ()
    open: str | None = None


@runtime_checkable
class Trying(Protocol):
    """Rules of a game in which orders can be tried out."""

    def attempt(self, view: View, orders: Mapping[Seat, Sequence[Order]]) -> Trial:
        """What lawful orders would bring, nobody else doing anything, from what a view knows.

        It throws nothing: it stops where the rules would throw, draw, or turn up what is hidden.
        """


@runtime_checkable
class Attentive(Protocol):
    """A notation that reads some things by the position."""

    def brief(self, view: View, seat: Seat) -> tuple[Form, ...]:
        """Further ways to write, of this position only: a lone ``w`` waives where builds are due."""

    def resting(self, view: View, seat: Seat) -> tuple[Order, ...]:
        """What "all hold" means: for each unit of the seat's the order to stay; none where none may."""

    def doubt(self, view: View, form: str, slots: Mapping[str, str]) -> str | None:
        """Why a matched form may not be what was meant, though an order can be built of it; or None."""

    def fitted(self, view: View, order: Order, text: str) -> tuple[Order, str | None]:
        """The order with what its text tells of units that stand nowhere yet; what is wrong in the text.

        What is wrong leaves one meaning all the same; None: nothing is.
        """


@runtime_checkable
class Wary(Protocol):
    """A notation in whose texts something may stand that was not meant as it was read."""

    def misgiving(self, order: Order, text: str) -> str | None:
        """Why a text may not mean the order that it was read as; or None."""


@runtime_checkable
class Illustrated(Protocol):
    """A notation whose orders are not the same in every game of its kind."""

    def examples(self, view: View) -> tuple[Form, ...]:
        """A way to write each order that there is in this game, with an example that is read in it."""


@runtime_checkable
class Exemplary(Protocol):
    """Rules that know examples of what a seat could order now."""

    def examples(self, view: View, seat: Seat) -> Iterable[tuple[str, Iterable[Order]]]:
        """Names of forms, each with orders of that seat, the one first that shows best what it is.

        They are tried in turn, and the first lawful one is shown; a form of which none is lawful is not.
        """


@runtime_checkable
class Introducing(Protocol):
    """A telling that says what its game is about to somebody who has just sat down."""

    def setting(self, view: View, seat: Seat | None) -> str:
        """What the game is, and whom the seat plays in it: a sentence or two."""

    def introduction(self, view: View, seat: Seat | None) -> tuple[str, ...]:
        """How one wins, how long it takes, what is special; how much is not the publisher's: each briefly."""


@runtime_checkable
class Sketching(Protocol):
    """A telling that can draw orders before they are carried out."""

    def sketch(self, view: View, seat: Seat, orders: Sequence[Order]) -> tuple[Event, ...]:
        """What `scene` draws orders by, as if each of them came about, on the position as it is."""


@runtime_checkable
class Fronted(Protocol):
    """A telling that can show a seat its own part of the map, larger; who watches, the crowded part."""

    def front(self, view: View, seat: Seat | None, events: Sequence[Event]) -> Mapping[str, Any] | None:
        """The context of board.svg for it; None where the whole map shows it as well, or nearly so.

        seat None: for who watches, where many places lie close together.
        """


class Note(Record, frozen=True, kw_only=True):
    """What became of one order, or of a piece that had none, for whoever points at it on the map.

    of: whose it is; at: the id of the place where its piece stood; piece: what that is, in words; order: as
    the game writes it, "" where there was none; outcome: a word for programs; why: a phrase, "" where nothing
    needs one; title: what the map calls the lines that it draws of the order.
    """

    of: Seat
    at: str
    piece: str
    order: str
    outcome: str
    why: str = ""
    title: str = ""


class Spot(Record, frozen=True, kw_only=True):
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


class Mention(Record, frozen=True, kw_only=True):
    """The places that a sentence is about, for whoever points at one of them or at it.

    at: their ids, the one first where it began; of: whose lines the map draws of it, as people call it;
    title: what the map calls them; both "" where it draws none.
    """

    at: tuple[str, ...]
    of: str = ""
    title: str = ""


@runtime_checkable
class Pointing(Protocol):
    """A telling whose map can be pointed at, place by place."""

    def spots(self, view: View) -> tuple[Spot, ...]:
        """All places in a position, in the order of the board."""


@runtime_checkable
class Noting(Protocol):
    """A telling that knows what became of each order that its map draws."""

    def note(self, event: Event) -> Note | None:
        """The order that an event tells of; None where it tells of none."""


@runtime_checkable
class Mentioning(Protocol):
    """A telling that knows where things happen, though not each by an order of its own."""

    def mention(self, event: Event) -> Mention | None:
        """The places that an event is about; None where it is about none."""


class Badge(Record, frozen=True, kw_only=True):
    """What marks a seat on the map: the colours of its counters and of its land, as ``#6c1f0f``."""

    ink: str
    land: str


@runtime_checkable
class Marking(Protocol):
    """A telling whose seats have counters of their own on the map."""

    def badges(self, view: View) -> Mapping[str, Badge]:
        """By the names that headings and tables call them."""


@runtime_checkable
class Leading(Protocol):
    """A telling that can say who is ahead."""

    def lead(self, view: View, events: Sequence[Event]) -> str:
        """Who is ahead, in a sentence; "" where that is no news after these events."""


class Past(Record, frozen=True, kw_only=True):
    """A turn that was played, as somebody may know it: the position before and after it, what happened."""

    turn: Turn
    before: Any
    after: Any
    events: tuple[Any, ...] = ()


@runtime_checkable
class Storied(Protocol):
    """A telling that can tell the story of a whole game."""

    def story(self, course: Sequence[Past]) -> tuple[Line, ...]:
        """Turning points, who broke the peace, awards: sentences under headings, a page of them at most.

        course: all turns that count, oldest first, as all may know them; the same ones tell the same story.
        """


class Rehearsal(Protocol):
    """The orders of one phase, decided together, and nothing told: what a search does thousands of times."""

    def decide(self) -> object:
        """Decide all of them."""

    def ready(self, order: Order) -> Any:
        """An order for one unit in the form in which it is tried: made once, however often it is."""

    def vary(self, ready: Any) -> object:
        """Decide them with another order for one unit, which was made ready."""


@runtime_checkable
class Rehearsing(Protocol):
    """Rules that can decide orders alone, for `gm bench decisions`."""

    def rehearse(self, state: State, orders: Iterable[Order]) -> Rehearsal:
        """Orders of a phase, one for each unit and all of them lawful, ready to be decided."""


class Heard(Record, frozen=True, kw_only=True):
    """What the text of one order says: the order, or why it does not count, or both where it is a guess."""

    order: Any = None
    problem: str | None = None


Hear = Callable[[V, Seat, str], Heard]
"""Reads one order's text as letters are read: in a view, for a seat. A game cannot: it is handed one."""


class WhatIf(Protocol[S_co]):
    """Stateless questions in plain JSON values: `gm bot`, `gm mail read --position`."""

    def position(self, question: Any) -> S_co:
        """A state from a position in JSON. Raises Invalid whose `what` is the path, as ``units.Italy[0]``."""

    def bot(self, question: Any) -> Any:
        """What a bot would order, and why. Raises Invalid as `position` does."""


@runtime_checkable
class Judge(WhatIf[State], Protocol):
    """A game that adjudicates positions in JSON too: `gm judge`."""

    def judge(self, question: Any, hear: Hear[View]) -> Any:
        """Outcomes, reasons and the next position. Raises Invalid as `position` does."""

    def question(self, state: State) -> Any:
        """A state as the question, without orders, that `position` reads back."""
