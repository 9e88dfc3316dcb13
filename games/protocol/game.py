"""A kind of game as a value: what it is, and all its parts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar, cast

from games.protocol.core import Bot, Edits, Notation, Rules, Telling, WhatIf
from games.protocol.exchange import ForeignFormats
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

# The campaign record of a solo game: its cases, what is counted, and the results of bots.


StateT_contra = TypeVar("StateT_contra", contravariant=True)

End = Literal["won", "drawn", "lost"]
"""How a game ended for a seat."""

_END_RANK: dict[End, int] = {"lost": 0, "drawn": 1, "won": 2}


class CaseResult(Record, frozen=True, kw_only=True):
    """The result of a seat in one game: how it ended, and the count at that moment."""

    end: End
    count: int


class BotResults(Record, frozen=True, kw_only=True):
    """The results of bots that played games alone, as a file in a game's data has them.

    bot: its level; games: so many of each case; seed: what their dice are drawn from; cases: by name, then
    by how games ended, how many came to which count.
    """

    bot: str
    games: int
    seed: str
    cases: dict[str, dict[End, dict[str, int]]]


class CampaignCase(Value, frozen=True):
    """One case that the campaign record keeps apart: a scenario with a side and a level.

    options: those that make it what it is; name: as a heading has it; thing: what is counted, in the
    plural; parts: of so many is a whole one made; quick: who wins wants few of it, and who loses many.
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
        """Return the best of some results; of equal ones the first."""
        return max(results, key=self.rank)


class SoloCampaign(Value, Generic[StateT_contra], frozen=True):
    """A solo game, as a player's campaign record counts it.

    cases: all that bots play for comparison; count: of a state that a game ended in, what a seat of a case
    got; apart: options that make a game another one, which no bot's game is compared with.
    results: what bots got; it raises Invalid where their file is none.
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
        """Return the options that make a game a different one from those that bots played."""
        return tuple(name for name in self.apart if options.get(name) not in (None, False, ""))


StateT = TypeVar("StateT")
ViewT = TypeVar("ViewT")
OrderT = TypeVar("OrderT")
EventT = TypeVar("EventT", bound=Event)
EditT = TypeVar("EditT")
PartT = TypeVar("PartT")


class About(Value, frozen=True):
    """The description of a kind of game, before a game of it exists.

    completed: by the name of an option, what makes its value whole when a game begins, so that the game
    keeps all that it rests on; it raises Invalid. hidden: whether seats see different things; page: whose
    page of the handbook tells of it, "" its own. article: "the" if it stands before a seat's name in a
    sentence ("the Iroquois").
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

    thing: in the plural, "supply centres"; time: what passes, "year"; when, of: in a state, how many have
    passed, and how many of the thing each seat has.
    """

    thing: str
    time: str
    when: Callable[[StateT_contra], int]
    of: Callable[[StateT_contra], Mapping[Seat, int]]


class Survey(Value, frozen=True):
    """A new variant of a game, read from its files: the game that it makes, its census, and what is odd."""

    game: "Game"
    tables: tuple[ReportTable, ...]
    findings: tuple[str, ...]


class UnplayableKind(Value, frozen=True):
    """A kind of game that is there and cannot be played. where: its package, or its folder in that; why: what
    is wrong with it. lame: it can be played, but not all is as it says.
    """

    kind: str
    where: str
    why: str
    lame: bool = False


def _default_none() -> None:
    # A default that stands in the class would be found there before `GameOf.__getattr__` is asked.
    return None


def defer(make: Callable[[], PartT]) -> PartT:
    """Return a stand-in for a part of a game that is made when it is first asked for. Hand it to `GameOf`."""
    return cast(PartT, _DeferredPart(make))


class _DeferredPart:
    """The stand-in for such a part until it is asked for."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make


@dataclass(frozen=True)
class GameOf(Generic[StateT, ViewT, OrderT, EventT, EditT]):
    """All that the service knows of a kind of game, whose states, views, orders, events and edits are of
    these types. A part may be one that `defer` returned.

    package: where `importlib.resources` finds ``templates/``; clauses: the clause file inside it. bots: by
    level, the weakest first; the first is used where no level is named. sparring: by name, opponents that
    no seat of a game is given to: levels are measured against them. survey: reads a further variant from
    the texts of its files, by their names, and raises Invalid; None where variants are no data. exchange:
    None where no other program knows such games. drafts: other boards that a game with such options might
    have had; None where it is what it is. campaign: what the record of a person counts; None where nobody
    plays it alone. throws: every throw that its rules can make, in a game with such options; None where
    that is not known. folders: of the package, those whose files make this kind what it is, its own first,
    then those that it rests on; empty where it is code.
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
    campaign: SoloCampaign[StateT] | None = field(default_factory=_default_none)
    survey: Callable[[Mapping[str, str]], Survey] | None = None
    exchange: ForeignFormats[StateT] | None = field(default_factory=_default_none)
    drafts: "Callable[[Options], AlternativeBoards] | None" = field(default_factory=_default_none)
    throws: Callable[[Options], tuple[ThrowForm, ...]] | None = None
    folders: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Set the deferred parts aside: an attribute that is missing is asked of `__getattr__`."""
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
        """The state that `record.canonical` wrote. Raises Malformed."""
        state: StateT = load(self.state_type, data)
        return state

    def opaque(self) -> "Game":
        """Return the same game as the service has it. Here alone a game's own types are forgotten.

        Until here they have to agree: bots, notation and telling take the views that the rules make, and
        the telling every event that they can make happen. What a game made, the service hands back to that
        game.
        """
        return cast(Game, self)


class AlternativeBoards(Protocol):
    """Boards that a game might have had, since something of its own is assumed: `gm tournament --balance`.

    A draft has a name; "" is the board as it is. Every question raises Invalid for what is none.
    """

    def steps(self, draft: str) -> tuple[str, ...]:
        """The drafts next to a draft."""

    def leaps(self, draft: str) -> tuple[str, ...]:
        """The drafts that differ from a draft in one thing, however far."""

    def game(self, draft: str) -> "Game":
        """The game on a draft's board; it is played with the options that the drafts were asked for."""

    def describe(self, draft: str) -> str:
        """Return a draft described in words."""


Game = GameOf[State, View, Order, Event, Edit]
"""Any kind of game, as the service has it: it can hand a state or a view on, and look into neither."""
