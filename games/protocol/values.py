"""The values between the service and a game: orders, events, turns, due orders, objections."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NewType

from games import language
from games.record import Record

Seat = NewType("Seat", str)
"""A seat that gives orders: a nation ("Iroquois"), "player", "bot". In addresses it is in lower case."""

State = NewType("State", object)
"""A whole position, which only its game can read. No text for players is made from one."""

View = NewType("View", State)
"""A position as one seat, or an observer, may know it. Only `Rules.view` makes one.

It can be used in place of a state, but a state can't be used in place of a view. The service knows no more of
any game's positions. A game has its own ``State``, and a ``View`` that only types tell from it.
"""

OptionValue = str | int | bool
Options = Mapping[str, OptionValue]
"""The settled options of a game: every option of its kind has its value."""


class Order(Record, frozen=True, kw_only=True, tag=True):
    """A canonical order of a seat. Each game has its own kinds, and a Due names some of them."""

    @property
    def slot(self) -> str | None:
        """The thing that the order is for. A later order for a slot replaces an earlier one, email by email.

        None: orders that queue up in the order given. Those of a new email replace those of an earlier one.
        """
        return None

    @property
    def part(self) -> str | None:
        """The end of the short name of the turn that the order names itself, such as ``R2``."""
        return None


class Edit(Record, frozen=True, kw_only=True, tag=True):
    """A canonical change that a GM makes. Each game has its own kinds."""


class Event(Record, frozen=True, kw_only=True, tag=True):
    """One thing that happened, with its cause as data. If `seen_by` is None, it is public."""

    seen_by: frozenset[Seat] | None = None


class Turn(Record, frozen=True, kw_only=True):
    """A turn's name in full and short ("Spring, year 1, moves", ``S1M``), and its kind for the deadline."""

    name: str
    short: str
    kind: str


class OwedOrder(Record, frozen=True, kw_only=True):
    """One thing that needs an order: its slot, and its name for players."""

    slot: str
    name: str


class Due(Record, frozen=True, kw_only=True):
    """Orders that are due now from one seat.

    accepts: the names of the order types; takes: how many are due (None: one for each of `owes`). owes: the
    things that need an order, in the order in which they are printed; empty if orders aren't for things.
    waits: orders sent ahead for it are kept until its deadline, NOWAIT, or another email of the player.
    """

    seat: Seat
    kind: str
    accepts: tuple[str, ...]
    takes: int | None = None
    owes: tuple[OwedOrder, ...] = ()
    waits: bool = False


class Objection(Record, frozen=True, kw_only=True):
    """An illegal order's reason: a slug for programs, and the details for the text of `Telling.advise`."""

    code: str
    detail: dict[str, str] = {}


class Concern(Record, frozen=True, kw_only=True):
    """A legal but strange order, such as a support for a move that no one ordered. Fields as in Objection.

    drops: it would leave out a part of the orders. about: the places of the orders concerned among the orders
    that were checked together. A concern that drops something names them.
    """

    code: str
    detail: dict[str, str] = {}
    drops: bool = False
    about: tuple[int, ...] = ()


MAX_POSSIBLE_NAMES = 8
"""The most names listed as possible. The number of others is added."""


class Advice(Record, frozen=True, kw_only=True):
    """An objection or a concern in words: the problem, and a suggestion if there is one."""

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
    """A roll that the rules of a game can make: its labels and its numbers.

    label: a regular expression that matches a whole label; most: the highest number; takes: the count of
    numbers, None for any number of different ones; example: such a label.
    """

    label: str
    most: int
    takes: int | None = 1
    example: str


class Decision(Record, frozen=True, kw_only=True):
    """One choice of a bot: the clause, the criterion that decided, and the candidates left."""

    clause: str
    criterion: str
    choices: tuple[str, ...] = ()


class Condition(Record, frozen=True, kw_only=True):
    """An atom of IF: the game's form that was matched, and the texts in its places."""

    form: str
    slots: dict[str, str]


class LexiconEntry(Record, frozen=True, kw_only=True):
    """A name that orders may contain. `names` has the name to print first, then all others."""

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
    "folder": the texts of its data files, as a JSON object whose "files" has them by name. default: the value
    for a position without one; None: no choice, and the key is missing from the options. begins: the value
    for a new game without one, None for the default; earlier games keep theirs. ruling: the clause that it
    decides. meaning: a slug of the game's catalogue, or a text (see `games.options.describe_option`).
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
    """One line of a game's rules in our words, with its source."""

    id: str
    text: str
    source: str
    mark: Literal["sourced", "deduced", "assumed", "ruling"]
    option: str | None = None
    tests: tuple[str, ...] = ()


class ReportLine(Record, frozen=True, kw_only=True):
    """One sentence of a report: its heading, and whether it is about an order that failed.

    A sentence about an order begins with it, as the game writes it, and ends with a full stop (``F ROM - TYS:
    moved.``). routine: it is no surprise, and brief emails leave it out unless it is about the reader's own
    order. why: it is a bot's reason, and readers without bots' reasons don't get it. done: the order that was
    carried out, or the unit that held as ordered, if the sentence says no more than this and the outcome;
    outcome: what became of it, in a word; held: whether done is such a unit.
    """

    heading: str
    text: str
    failed: bool = False
    routine: bool = False
    why: bool = False
    done: str = ""
    outcome: str = ""
    held: bool = False


class HandbookSection(Record, frozen=True):
    """Part of the help on a game. topics: words that ask for it, the first to be shown. text: as emailed."""

    topics: tuple[str, ...]
    title: str
    text: str


class ReportTable(Record, frozen=True, kw_only=True):
    """A table of a report. Cells are text; the renderer aligns numbers.

    about: the state of the game; what the viewer holds (``own``); or what the viewer can decide now
    (``due``), which is below the order sheet. Brief emails show only the changed rows of the first kind.
    later: a new player doesn't need it, so the first email of a game leaves it out. needed: the first cells
    of rows that the viewer decides by now; reports of a solo game show them even if they didn't change.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    about: Literal["game", "own", "due"] = "game"
    later: bool = False
    needed: tuple[str, ...] = ()


class Invalid(Exception):
    """A mistake in a game's options, data or set-up. Fields: what, why, instead (a suggestion)."""

    def __init__(self, what: str, why: str, instead: str | None = None) -> None:
        super().__init__(f"{what}: {why}" + (f"; {instead}" if instead else ""))
        self.what = what
        self.why = why
        self.instead = instead


class LegalOrder(Record, frozen=True, kw_only=True):
    """An order that a seat could give now. of: its unit or thing, as players call it; words: its effect."""

    of: str
    order: Any
    words: str


class UnlistedOrders(Record, frozen=True, kw_only=True):
    """Orders of one form with only some examples in a listing, since there are many.

    of: their unit or thing; form: their text, with the parts that differ in braces; words: the texts for
    those parts; orders: the orders left out of the listing.
    """

    of: str
    form: str
    words: str
    orders: tuple[Any, ...]


class TouchStep(Record, frozen=True, kw_only=True):
    """One touch on the way to an order: its label, and the id of the place, "" for none.

    rare: few players take this step. The page shows it last, as one button with the number of its choices.
    """

    said: str
    at: str = ""
    rare: bool = False


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


class OrderLimit(Record, frozen=True, kw_only=True):
    """What the orders of a seat share: the groups of a card, the cubes in a region, the base of a Round.

    id: its name in `OrderUse`; name: as players read it, "" if what is left isn't worth a line; most: how
    much there is; over: a sentence for orders that use more; each: an order alone may use so much, so that
    the uses of several orders don't add up.
    """

    id: str
    most: int
    name: str = ""
    over: str
    each: bool = False


class OrderUse(Record, frozen=True, kw_only=True):
    """What an order uses of a limit, or how it changes the limit.

    once: uses with the same word count once, "" for each by itself. effect: the order uses that much, adds it
    to the limit, or sets the limit to it.
    """

    limit: str
    count: int = 1
    once: str = ""
    effect: Literal["use", "add", "set"] = "use"


class OrderLimits(Record, frozen=True, kw_only=True):
    """The limits that some orders share, and what each of these orders uses, in their order."""

    limits: tuple[OrderLimit, ...] = ()
    uses: tuple[tuple[OrderUse, ...], ...] = ()


class AdjacentPlace(Record, frozen=True, kw_only=True):
    """An adjacent place: its name in orders, and the way there."""

    place: str
    how: str


class DryRun(Record, frozen=True, kw_only=True):
    """The result of trying orders without dice and hidden information: the position and the events.

    open: a sentence about the next step, which is unknown; None if the whole turn was processed.
    """

    after: Any
    events: tuple[Any, ...] = ()
    open: str | None = None


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
    it; colour: the owner's on the map, if the owner's name isn't that of a seat.
    """

    at: str
    shape: str = ""
    path: str = ""
    name: str
    owner: str | None = None
    colour: str = ""
    pieces: tuple[str, ...] = ()


class EventPlaces(Record, frozen=True, kw_only=True):
    """The places of a sentence, for readers who point at one of them or at the sentence.

    at: their ids, first the one where it began; of: the owner of the lines that the map draws for it, as
    players call it; title: the title of the lines; both "" if there are none.
    """

    at: tuple[str, ...]
    of: str = ""
    title: str = ""


class SeatColours(Record, frozen=True, kw_only=True):
    """The colours of a seat's counters and of its land on the map, such as ``#6c1f0f``."""

    ink: str
    land: str


class PastTurn(Record, frozen=True, kw_only=True):
    """A past turn, with the knowledge of a viewer: the position before and after it, and the events."""

    turn: Turn
    before: Any
    after: Any
    events: tuple[Any, ...] = ()


class NewsItem(Record, frozen=True, kw_only=True):
    """A piece of a turn's news, as a sentence that names the sides. rank: 0 for what matters most.

    A headline has only news of one rank.
    """

    text: str
    rank: int = 0


_MAX_NEWS_IN_HEADLINE = 3


def join_news(news: Sequence[NewsItem]) -> str:
    """Return the first news of the highest rank as a headline. There must be at least one."""
    first = min(item.rank for item in news)
    return " ".join([item.text for item in news if item.rank == first][:_MAX_NEWS_IN_HEADLINE])


class ParsedOrderText(Record, frozen=True, kw_only=True):
    """The meaning of the text of one order: the order, or a problem, or both for a guess."""

    order: Any = None
    problem: str | None = None


class PressMessage(Record, frozen=True, kw_only=True):
    """A piece of press as a seat has it.

    turn: the short name of the turn when it was written; writer None: unsigned, or by the GM; to None: to
    all.
    """

    turn: str
    writer: Seat | None
    to: tuple[Seat, ...] | None
    text: str


class Correspondence(Record, frozen=True, kw_only=True):
    """The press that a seat has read and written, oldest first. turn: the present turn's short name."""

    seat: Seat
    turn: str
    missives: tuple[PressMessage, ...] = ()


class BotMessage(Record, frozen=True, kw_only=True):
    """A message that a bot writes to another seat under its own seat's name.

    accepts: the other's proposals that it accepts, in words.
    """

    to: Seat
    text: str
    accepts: tuple[str, ...] = ()
