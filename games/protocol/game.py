"""A kind of game as a value: what it is, and all its parts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast

from games.protocol.campaign import Campaign
from games.protocol.core import Bot, Edits, Notation, Rules, Telling
from games.protocol.exchange import Exchange
from games.protocol.optional import WhatIf
from games.protocol.values import Edit, Event, Option, Options, Order, Seat, State, Table, ThrowForm, View
from games.record import Value, load

S = TypeVar("S")
V = TypeVar("V")
O = TypeVar("O")  # noqa: E741 - the letter that the protocol is written with
N = TypeVar("N", bound=Event)
E = TypeVar("E")
P = TypeVar("P")
S_contra = TypeVar("S_contra", contravariant=True)


class About(Value, frozen=True):
    """What a kind of game is, before there is one.

    completed: by the name of an option, what makes its value whole when a game begins, so that the game keeps
    all that it rests on; it raises Invalid. hidden: whether seats see different things; page: whose page of
    the handbook tells of it, "" its own.
    """

    kind: str
    title: str
    designer: str
    source: str
    seats: Callable[[Options], tuple[Seat, ...]]
    aliases: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    hidden: bool = False
    page: str = ""
    completed: Mapping[str, Callable[[str], str]] = {}


class Score(Value, Generic[S_contra], frozen=True):
    """What is counted over time where bots play many games.

    thing: in the plural, "supply centres"; time: what passes, "year"; when, of: in a state, how many have
    passed, and how many of the thing each seat has.
    """

    thing: str
    time: str
    when: Callable[[S_contra], int]
    of: Callable[[S_contra], Mapping[Seat, int]]


class Survey(Value, frozen=True):
    """A new variant of a game, read from its files: the game that it makes, its census, and what is odd."""

    game: "Game"
    tables: tuple[Table, ...]
    findings: tuple[str, ...]


class Unfit(Value, frozen=True):
    """A kind of game that is there and cannot be played. where: its package, or its folder in that; why: what
    is wrong with it. lame: it can be played, but not all is as it says.
    """

    kind: str
    where: str
    why: str
    lame: bool = False


def _none() -> None:
    # A default that stands in the class would be found there before `GameOf.__getattr__` is asked.
    return None


def later(make: Callable[[], P]) -> P:
    """A part of a game that is made when it is first asked for: to be handed to `GameOf` in its place."""
    return cast(P, _Later(make))


class _Later:
    """What stands for such a part until it is asked for."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make


@dataclass(frozen=True)
class GameOf(Generic[S, V, O, N, E]):
    """All that the house knows of a kind of game, whose states, views, orders, events and edits are of
    these types. A part may be one that is made `later`.

    package: where `importlib.resources` finds ``templates/``; clauses: the clause file inside it.
    bots: by level, the weakest first; the first is used where no level is named.
    sparring: by name, opponents that no seat of a game is given to: levels are measured against them.
    survey: reads a further variant from the texts of its files, by their names, and raises Invalid; None
    where variants are no data. exchange: None where no other program knows such games.
    drafts: other boards that a game with such options might have had; None where it is what it is. campaign:
    what the record of a person counts; None where nobody plays it alone.
    throws: every throw that its rules can make, in a game with such options; None where that is not known.
    folders: of the package, those whose files make this kind what it is, its own first, then those that it
    rests on; empty where it is code.
    """

    about: About
    package: str
    clauses: str
    rules: Rules[S, V, O, N]
    notation: Notation[V, O]
    telling: Telling[V, N]
    bots: Mapping[str, Bot[V, O]]
    state_type: type[S]
    order_type: Any
    event_type: Any
    sparring: Mapping[str, Bot[V, O]] = field(default_factory=dict)
    edits: Edits[S, E] | None = field(default_factory=_none)
    whatif: WhatIf[S] | None = field(default_factory=_none)
    score: Score[S] | None = None
    campaign: Campaign[S] | None = field(default_factory=_none)
    survey: Callable[[Mapping[str, str]], Survey] | None = None
    exchange: Exchange[S] | None = field(default_factory=_none)
    drafts: "Callable[[Options], Drafts] | None" = field(default_factory=_none)
    throws: Callable[[Options], tuple[ThrowForm, ...]] | None = None
    folders: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Lay aside what is to be made later: a part that is not there is asked of `__getattr__`."""
        waiting = {name: part.make for name, part in vars(self).items() if isinstance(part, _Later)}
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

    def state_from(self, data: bytes) -> S:
        """The state that `record.canonical` wrote. Raises Malformed."""
        state: S = load(self.state_type, data)
        return state

    def opaque(self) -> "Game":
        """The same as the house has it. Here alone a game's own types are forgotten.

        Until here they have to agree: bots, notation and telling take the views that the rules make, and the
        telling every event that they can make happen. What a game made, the house hands back to that game.
        """
        return cast(Game, self)


class Drafts(Protocol):
    """Boards that a game might have had, since something of its own is assumed: `gm tournament --balance`.

    A draft has a name; "" is the board as it is. Every question raises Invalid for what is none.
    """

    def steps(self, draft: str) -> tuple[str, ...]:
        """The drafts next to a draft."""

    def leaps(self, draft: str) -> tuple[str, ...]:
        """The drafts that differ from a draft in one thing, however far."""

    def game(self, draft: str) -> "Game":
        """The game on a draft's board; it is played with the options that the drafts were asked for."""

    def words(self, draft: str) -> str:
        """A draft in words."""


Game = GameOf[State, View, Order, Event, Edit]
"""Any kind of game, as the house has it: it can hand a state or a view on, and look into neither."""
