"""The values of the conversation: orders, events, turns, what is due, what is wrong."""

from collections.abc import Mapping, Sequence
from typing import Literal, NewType

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
