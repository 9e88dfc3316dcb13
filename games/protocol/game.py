"""A kind of game as a value: its description and all its parts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar, cast

from games.protocol.core import Bot, Edits, ForeignFormats, Notation, Rules, Telling, WhatIf
from games.protocol.values import (
    Edit,
    Event,
    GameOption,
    Options,
    OptionValue,
    Order,
    ReportTable,
    Seat,
    State,
    ThrowForm,
    View,
)
from games.record import Record, Value, load

# The campaign record of a solo game: its cases, the counts, and the results of bots.


StateT_contra = TypeVar("StateT_contra", contravariant=True)

End = Literal["won", "drawn", "lost"]
"""The end of a game for a seat."""

_END_RANK: dict[End, int] = {"lost": 0, "drawn": 1, "won": 2}


class CaseResult(Record, frozen=True, kw_only=True):
    """The result of a seat in one game: the end, and the count at that moment."""

    end: End
    count: int


class BotResults(Record, frozen=True, kw_only=True):
    """The results of bots that played games alone, from a file in a game's data.

    bot: its level; games: the number of games of each case; seed: of the dice; cases: by name, then by end,
    the number of games with each count.
    """

    bot: str
    games: int
    seed: str
    cases: dict[str, dict[End, dict[str, int]]]


class CampaignCase(Value, frozen=True):
    """A case of the campaign record: a scenario with a side and a level.

    options: those that define it; name: as in a heading; thing: the plural of what is counted; parts: the
    number of parts of a whole one; quick: a winner wants a low count, and a loser a high one.
    """

    name: str
    seat: Seat
    options: Mapping[str, OptionValue]
    thing: str
    parts: int = 1
    quick: bool = False

    def rank(self, result: CaseResult) -> tuple[int, int]:
        """Return a sort key, higher for a better result: first whether it was won, then the count."""
        fewer = self.quick and result.end == "won"
        return _END_RANK[result.end], -result.count if fewer else result.count

    def best(self, *results: CaseResult) -> CaseResult:
        """Return the best of some results, or the first of equal ones."""
        return max(results, key=self.rank)


class SoloCampaign(Value, Generic[StateT_contra], frozen=True):
    """A solo game in a player's campaign record.

    cases: all that bots play for comparison; count: returns a seat's count in the last state of a game;
    apart: options that make games incomparable with the bots' games; results: the results of bots, which
    raises Invalid for a bad file.
    """

    cases: tuple[CampaignCase, ...]
    count: Callable[[StateT_contra, CampaignCase], int]
    results: Callable[[], BotResults]
    apart: tuple[str, ...] = ()

    def case(self, options: Options, seat: Seat) -> CampaignCase | None:
        """Return the case of a game with these settled options; None if no campaign has such a case."""
        for case in self.cases:
            if case.seat == seat and all(options.get(key) == value for key, value in case.options.items()):
                return case
        return None

    def set_apart(self, options: Options) -> tuple[str, ...]:
        """Return the options that make a game incomparable with those of the bots."""
        return tuple(name for name in self.apart if options.get(name) not in (None, False, ""))


StateT = TypeVar("StateT")
ViewT = TypeVar("ViewT")
OrderT = TypeVar("OrderT")
EventT = TypeVar("EventT", bound=Event)
EditT = TypeVar("EditT")
PartT = TypeVar("PartT")


class About(Value, frozen=True):
    """The description of a kind of game, before a game of it exists.

    completed: by option, a function that makes its value complete when a game begins, so that the game keeps
    all data that it depends on; it raises Invalid. hidden: whether seats see different things; page: the
    handbook page of another game that covers this one, "" for its own page. article: "the" if a seat's name
    needs it in a sentence ("the Iroquois").
    """

    kind: str
    title: str
    designer: str
    source: str
    seats: Callable[[Options], tuple[Seat, ...]]
    aliases: tuple[str, ...] = ()
    options: tuple[GameOption, ...] = ()
    hidden: bool = False
    page: str = ""
    article: str = ""
    completed: Mapping[str, Callable[[str], str]] = {}


class TournamentScore(Value, Generic[StateT_contra], frozen=True):
    """The count that a tournament of bots follows over time.

    thing: in the plural, "supply centres"; time: the unit of time, "year"; when, of: return from a state how
    many units of time have passed, and each seat's count. exact: returns the counts that reports show, if
    they have fractions; nothing if such a game has none. leads: whether the side with more is ahead. step:
    how many units of time pass at once; name: returns the name of a unit of time. before_zero: whether there
    is a time before 0, as with years.
    """

    thing: str
    time: str
    when: Callable[[StateT_contra], int]
    of: Callable[[StateT_contra], Mapping[Seat, int]]
    exact: Callable[[StateT_contra], Mapping[Seat, float]] | None = None
    leads: bool = True
    step: int = 1
    name: Callable[[int], str] = str
    before_zero: bool = False

    def shown(self, state: StateT_contra) -> Mapping[Seat, float]:
        """Return each seat's count as reports show it, or nothing if this game counts nothing."""
        return (self.exact or self.of)(state)


class BoardUse(Protocol):
    """What games of bots made of a board."""

    def note(self, state: Any, orders: Mapping[Seat, Sequence[Any]]) -> None:
        """Take note of a position and its orders."""

    def findings(self) -> tuple[str, ...]:
        """Return sentences about what no game made use of."""


class Survey(Value, frozen=True):
    """A new variant of a game, read from its files: the game, its census, and warnings.

    use: returns a record of what games make of the board, still empty.
    """

    game: "Game"
    tables: tuple[ReportTable, ...]
    findings: tuple[str, ...]
    use: Callable[[], BoardUse]


class KindLabel(Value, frozen=True):
    """What a list of games says of a kind. aliases: its other names."""

    title: str
    designer: str
    aliases: tuple[str, ...] = ()


class Edition(Value, frozen=True):
    """The files that a game is played by, if its rules are data.

    sha: the SHA-256 of what decides in them, so neither names nor drawings. files: the texts of the files
    that a game keeps, by their path below the folder of all variants: ``strait/map.json``.
    """

    sha: str
    files: Mapping[str, str]


class UnplayableKind(Value, frozen=True):
    """A kind of game that can't be played. where: its package, or its folder in it; why: the fault.

    lame: it can be played, but not completely.
    """

    kind: str
    where: str
    why: str
    lame: bool = False


def _default_none() -> None:
    # A default in the class would be found before `GameOf.__getattr__` is called.
    return None


def defer(make: Callable[[], PartT]) -> PartT:
    """Return a stand-in for a part of a game that is made when it is first used. Pass it to `GameOf`."""
    return cast(PartT, _DeferredPart(make))


class _DeferredPart:
    """The stand-in for such a part until it is used."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make


@dataclass(frozen=True)
class GameOf(Generic[StateT, ViewT, OrderT, EventT, EditT]):
    """A kind of game with its types of states, views, orders, events and edits.

    A part may be one that `defer` returned. package: the package with ``templates/``; clauses: the clause
    file inside it. bots: by level, the weakest first, which is the default. sparring: by name, opponents that
    levels are measured against and that can't have a seat of a game. survey: reads a further variant from the
    texts of its files, by name, and raises Invalid; None if variants aren't data. exchange: None if no other
    program knows such games. drafts: other boards for a game with such options; None if its board is certain.
    chart: what the archive's pages count if no tournament follows it. campaign: the counts of a player's
    record; None if the game isn't for one player. throws: all rolls that
    its rules can make in a game with such options; None if unknown. folders: the folders of the package with
    files of this kind, its own first, then those that it depends on; empty if it is code. edition: the files
    that it is played by; None if its rules are code.
    """

    about: About
    package: str
    clauses: str
    rules: Rules[StateT, ViewT, OrderT, EventT]
    notation: Notation[ViewT, OrderT]
    telling: Telling[ViewT, EventT]
    bots: Mapping[str, Bot[ViewT, OrderT]]
    state_type: type[StateT]
    order_type: Any
    event_type: Any
    sparring: Mapping[str, Bot[ViewT, OrderT]] = field(default_factory=dict)
    edits: Edits[StateT, EditT] | None = field(default_factory=_default_none)
    whatif: WhatIf[StateT] | None = field(default_factory=_default_none)
    score: TournamentScore[StateT] | None = None
    chart: TournamentScore[StateT] | None = None
    campaign: SoloCampaign[StateT] | None = field(default_factory=_default_none)
    survey: Callable[[Mapping[str, str]], Survey] | None = None
    exchange: ForeignFormats[StateT] | None = field(default_factory=_default_none)
    drafts: "Callable[[Options], AlternativeBoards] | None" = field(default_factory=_default_none)
    throws: Callable[[Options], tuple[ThrowForm, ...]] | None = None
    folders: tuple[str, ...] = ()
    edition: Edition | None = field(default_factory=_default_none, compare=False)

    def __post_init__(self) -> None:
        """Set the deferred parts aside, so that `__getattr__` is called for them."""
        waiting = {name: part.make for name, part in vars(self).items() if isinstance(part, _DeferredPart)}
        for name in waiting:
            del vars(self)[name]
        vars(self)["_later"] = waiting

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            make = vars(self).get("_later", {}).get(name)
            if make is None:
                raise AttributeError(f"a game has no {name}", name=name, obj=self)
            part = vars(self)[name] = make()
            return part

    def state_from(self, data: bytes) -> StateT:
        """Return the state that `record.canonical` wrote. Raises Malformed."""
        state: StateT = load(self.state_type, data)
        return state

    def opaque(self) -> "Game":
        """Return the same game without its own types, as the service has it.

        Before this they have to match: bots, notation and telling take the views that the rules make, and the
        telling takes all their events. The service passes a game's values only back to that game.
        """
        return cast(Game, self)


class AlternativeBoards(Protocol):
    """Other boards for a game, because some of its data is our own. `tests.tools.boards` compares them.

    A draft has a name; "" is the board as it is. Every method raises Invalid for an unknown draft.
    """

    def steps(self, draft: str) -> tuple[str, ...]:
        """Return the drafts next to a draft."""

    def leaps(self, draft: str) -> tuple[str, ...]:
        """Return the drafts that differ from a draft in one thing by any amount."""

    def game(self, draft: str) -> "Game":
        """Return the game on a draft's board, for the options that the drafts were made for."""

    def describe(self, draft: str) -> str:
        """Return a draft described in words."""


Game = GameOf[State, View, Order, Event, Edit]
"""Any kind of game, as the service has it. It can pass on a state or a view, but can't look into them."""
