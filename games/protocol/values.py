"""The values of the conversation: orders, events, turns, what is due, what is wrong."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NewType

from games import language
from games.record import Record

Seat = NewType("Seat", str)
"""Who can be asked for orders: a nation ("Iroquois"), "player", "bot". In addresses in lower case."""

State = NewType("State", object)
"""A whole position, as its game alone can read it. Nothing that tells anybody of a game takes one."""

View = NewType("View", State)
"""A position as one seat, or a spectator, may know it. `Rules.view` alone makes one.

It can stand wherever a state is asked for, and a state nowhere where a view is. These two are what the
service
knows of any game's; a game has a pair of its own, its ``State``, and a ``View`` that only types tell from it.
"""

OptionValue = str | int | bool
Options = Mapping[str, OptionValue]
"""The settled options of a game: every option of its kind has its value."""


class Order(Record, frozen=True, kw_only=True, tag=True):
    """An order of a seat, understood and canonical. Each game has its own kinds; a Due names some."""

    @property
    def slot(self) -> str | None:
        """The thing that the order is for. A later order for a slot replaces an earlier one, email by email.

        None: orders that queue up in the order given; those of a new email replace those of an earlier
        one.
        """
        return None

    @property
    def part(self) -> str | None:
        """The end of the short name of the turn that it is for by its own words, and filed under: ``R2``."""
        return None


class Edit(Record, frozen=True, kw_only=True, tag=True):
    """A change that a GM makes by hand, understood and canonical. Each game has its own kinds."""


class Event(Record, frozen=True, kw_only=True, tag=True):
    """One thing that happened, with its cause as data. `seen_by` None is public."""

    seen_by: frozenset[Seat] | None = None


class Turn(Record, frozen=True, kw_only=True):
    """A turn's name in full and short ("Spring, year 1, moves", ``S1M``) and its kind, for the deadline."""

    name: str
    short: str
    kind: str


class OwedOrder(Record, frozen=True, kw_only=True):
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
    owes: tuple[OwedOrder, ...] = ()
    waits: bool = False


class Objection(Record, frozen=True, kw_only=True):
    """Unlawful, and why: a slug for programs and what `Telling.advise` needs to put it into words."""

    code: str
    detail: dict[str, str] = {}


class Concern(Record, frozen=True, kw_only=True):
    """Lawful but odd: a support for a move that nobody ordered, for instance. Fields as in Objection.

    drops: a part of what was ordered would be left out by it. about: the places, in the orders that were
    looked at together, of those that it is about; a concern that drops something names them.
    """

    code: str
    detail: dict[str, str] = {}
    drops: bool = False
    about: tuple[int, ...] = ()


MAX_POSSIBLE_NAMES = 8
"""No more names are listed as possible; how many others there are is said."""


class Advice(Record, frozen=True, kw_only=True):
    """An objection or a concern in words: what is wrong, and what to write instead, if anything."""

    problem: str
    instead: str | None = None


def list_possible(names: Sequence[str]) -> str:
    """Return names as the end of a problem: "; possible: Brest, Gascony or 3 more". "" for none."""
    if not names:
        return ""
    more = len(names) - MAX_POSSIBLE_NAMES
    shown = (*names[:MAX_POSSIBLE_NAMES], f"{more} more") if more > 0 else names
    return f"; possible: {language.join_list(shown, 'or')}"


class GameResult(Record, frozen=True, kw_only=True):
    """The end of a game. No winner is a draw; several share it."""

    winners: tuple[Seat, ...]
    reason: str


class ThrowForm(Record, frozen=True, kw_only=True):
    """A throw that the rules of a game can make: its labels, and what it can show.

    label: a regular expression that matches all of a label; most: the highest number that it can show; takes:
    how many numbers it shows, None: any number of different ones. example: such a label.
    """

    label: str
    most: int
    takes: int | None = 1
    example: str


class Decision(Record, frozen=True, kw_only=True):
    """One choice of a bot: by which clause, which criterion decided, and what was left to choose from."""

    clause: str
    criterion: str
    choices: tuple[str, ...] = ()


class Condition(Record, frozen=True, kw_only=True):
    """An atom of IF: the form of the game that was matched, and what stood in its places."""

    form: str
    slots: dict[str, str]


class LexiconEntry(Record, frozen=True, kw_only=True):
    """A name that may stand in an order. `names` has the name to print first, then all others."""

    sort: str
    id: str
    names: tuple[str, ...]


Lexicon = tuple[LexiconEntry, ...]


class Form(Record, frozen=True, kw_only=True):
    """A way to write an order: ``[w] {unit:place} - {to:place}``.

    Plain words stand for themselves, ``[x]`` may be left out, ``(a|b)`` is one of several, ``{slot:sort}`` is
    a name of that sort. Several forms may share a name: they are ways to write the same thing.
    """

    name: str
    pattern: str
    example: str


class GameOption(Record, frozen=True, kw_only=True):
    """A choice made when a game begins.

    sort: "choice" (one of `values`), "flag", "number" (from `low` to `high`), "text", "file": its text, or
    "folder": the texts of its data files, as a JSON object whose "files" has them by name.
    default: what a position means that says nothing; None: nothing is chosen, and the key is missing from the
    options. begins: what a game begins with that says nothing, None for the default; games that began
    before keep theirs. ruling: the clause it decides.
    """

    name: str
    sort: Literal["choice", "flag", "number", "text", "file", "folder"]
    meaning: str
    default: OptionValue | None = None
    begins: OptionValue | None = None
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


class ReportLine(Record, frozen=True, kw_only=True):
    """One sentence of a report: its heading, and whether it tells of an order that failed.

    What tells of an order begins with it, as the game writes it, and a stop (``F ROM - TYS: moved.``).
    routine: it is no surprise; letters in brief leave it out where it is not the reader's own. why: it says
    why a bot did something, and is left out for whoever wants no such reasons.
    """

    heading: str
    text: str
    failed: bool = False
    routine: bool = False
    why: bool = False


class ReportTable(Record, frozen=True, kw_only=True):
    """A table of a report. Cells are text; numbers are aligned by whoever draws it.

    about: how the game stands; what the viewer holds (``own``); or what he can decide now (``due``), which
    stands below his order sheet. Letters in brief show of the first kind no more than the rows that changed.
    later: nobody needs it to begin, so that the letter which opens a game leaves it out.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    about: Literal["game", "own", "due"] = "game"
    later: bool = False


class Invalid(Exception):
    """Something in a game's options, data or set-up is wrong. Fields: what, why, instead (what to write)."""

    def __init__(self, what: str, why: str, instead: str | None = None) -> None:
        super().__init__(f"{what}: {why}" + (f"; {instead}" if instead else ""))
        self.what = what
        self.why = why
        self.instead = instead


class LegalOrder(Record, frozen=True, kw_only=True):
    """An order that a seat could give now. of: its unit or thing, as people call it; words: its effect."""

    of: str
    order: Any
    words: str


class UnlistedOrders(Record, frozen=True, kw_only=True):
    """Orders of one form of which a listing shows some, since there are many.

    of: what they are for, as there; form: how they are written, in braces what differs; words: what may stand
    there; orders: those that the listing leaves out.
    """

    of: str
    form: str
    words: str
    orders: tuple[Any, ...]


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


class AdjacentPlace(Record, frozen=True, kw_only=True):
    """A place beside another: its name as one writes it, and how one gets there."""

    place: str
    how: str


class DryRun(Record, frozen=True, kw_only=True):
    """The result of trying orders without dice and hidden information: the position then, and the events.

    open: what comes next and cannot be said, in a sentence of its own; None: all of the turn was played.
    """

    after: Any
    events: tuple[Any, ...] = ()
    open: str | None = None


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


class SeatColours(Record, frozen=True, kw_only=True):
    """The colours of a seat's counters and of its land on the map, as ``#6c1f0f``."""

    ink: str
    land: str


class PastTurn(Record, frozen=True, kw_only=True):
    """A turn that was played, as somebody may know it: the position before and after it, and the events."""

    turn: Turn
    before: Any
    after: Any
    events: tuple[Any, ...] = ()


class ParsedOrderText(Record, frozen=True, kw_only=True):
    """The meaning of the text of one order: the order, or why it does not count, or both for a guess."""

    order: Any = None
    problem: str | None = None


class PressMessage(Record, frozen=True, kw_only=True):
    """A piece of press as a seat has it.

    turn: the short name of that in which it was written; writer None: it is not signed, or by the
    GM; to None: to all.
    """

    turn: str
    writer: Seat | None
    to: tuple[Seat, ...] | None
    text: str


class Correspondence(Record, frozen=True, kw_only=True):
    """The press that a seat has read and written, oldest first. turn: the present one's short name."""

    seat: Seat
    turn: str
    missives: tuple[PressMessage, ...] = ()


class BotMessage(Record, frozen=True, kw_only=True):
    """A message that a bot writes to another seat under its own seat's name.

    accepts: which of the other's proposals it accepts, in words.
    """

    to: Seat
    text: str
    accepts: tuple[str, ...] = ()
