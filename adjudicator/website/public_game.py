"""Public games, as the archive gets them: views, events and words that are public, and nothing else."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from adjudicator.clock import Millis
from games.protocol import Event, Game, GameResult, Seat, Turn, View
from games.protocol.optional import PastTurn


@dataclass(frozen=True)
class PublicRoll:
    """A throw of the rules, as its label names it. forced: the GM had set it."""

    label: str
    sides: int
    numbers: tuple[int, ...]
    forced: bool = False


@dataclass(frozen=True)
class PublicTurn:
    """A turn that was played, as all may know it.

    number: of its entry in the log; at: when; sign: another one as soon as the log is another up to here;
    before, view: the positions; tell: what happened, asked where a page of it is set; silent: the seats of
    people that owed orders and sent none; throws: of the rules; reasons: of bots, by seat and written order,
    once all may know them; by_hand: what the GM did since the turn before; hands: each seat's view
    of the position after it, once the game is over.
    """

    number: int
    at: Millis
    turn: Turn
    sign: str
    before: View = field(repr=False)
    view: View = field(repr=False)
    tell: Callable[[], tuple[Event, ...]] = field(repr=False, compare=False)
    silent: tuple[str, ...] = ()
    throws: tuple[PublicRoll, ...] = ()
    reasons: Mapping[Seat, Mapping[str, str]] = field(default_factory=dict)
    by_hand: tuple[str, ...] = ()
    hands: Mapping[Seat, View] = field(default_factory=dict)

    @cached_property
    def past(self) -> PastTurn:
        """The turn with what happened in it."""
        return PastTurn(turn=self.turn, before=self.before, after=self.view, events=self.tell())

    @property
    def open_events(self) -> tuple[Event, ...]:
        """The events that everybody could see. Once the game is over its past holds the rest too."""
        return tuple(event for event in self.past.events if event.seen_by is None)


@dataclass(frozen=True)
class PublicSeat:
    """A seat and its player. bot: the level of the bot that plays there, "" where a person does.

    name: of a player who agreed to be named, where the game names players; missed: turns without orders.
    """

    seat: Seat
    bot: str = ""
    name: str | None = None
    missed: int = 0


@dataclass(frozen=True)
class PublicPress:
    """A piece of press to all: from whom, as everybody may know it, in which turn."""

    turn: str
    heading: str
    text: str


@dataclass(frozen=True)
class ChainLink:
    """An entry of the log, as it hangs in the chain.

    sha: its hash; text: what that is the SHA-256 of, None where only the hash is told; cast: under which
    number its dice were thrown; parts: by name the texts of private parts that are told, whose hashes stand
    in it.
    """

    turn: str
    sha: str
    text: str | None
    cast: int
    parts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class PublicSeal:
    """The proof of the dice and the log.

    commitment: the SHA-256 of the secret; secret: itself in hexadecimal, once the game is over; chain: the
    entries of the log, none of a game that hides something as long as it lasts.
    """

    commitment: str
    secret: str | None = None
    chain: tuple[ChainLink, ...] = ()


@dataclass(frozen=True)
class Download:
    """A file to take away. words: what it is."""

    name: str
    words: str
    raw: bytes = field(repr=False)


@dataclass(frozen=True)
class PiecewiseDownload:
    """A file to take away that has a piece for each turn. words: what it is; bound: the whole of them."""

    name: str
    words: str
    pieces: Sequence[Callable[[], str]] = field(repr=False, compare=False)
    bound: Callable[[Sequence[str]], str] = field(repr=False, compare=False)


@dataclass(frozen=True)
class PublicGame:
    """A game as all may know it.

    kind: its slug; began: when it was set up; leaves: the turns that count, oldest first; due: the turn that
    is waited for, None once the game is over; deadline: of it; early: whether it is played when all is in;
    stopped: why no turn is processed now, by the kind of the stop, "": the clock goes; downloads, volumes:
    further files to take away; sheets: pages on which seats order by touch what is due.
    """

    game: Game = field(repr=False)
    name: str
    began: Millis
    opening: View = field(repr=False)
    leaves: tuple[PublicTurn, ...]
    seats: tuple[PublicSeat, ...]
    press: tuple[PublicPress, ...] = ()
    seal: PublicSeal | None = None
    due: Turn | None = None
    deadline: Millis | None = None
    stopped: str = ""
    result: GameResult | None = None
    survivors: tuple[Seat, ...] = ()
    anonymous: bool = False
    downloads: tuple[Download, ...] = field(default=(), repr=False)
    volumes: tuple[PiecewiseDownload, ...] = ()
    sheets: tuple[Download, ...] = field(default=(), repr=False)

    @property
    def kind(self) -> str:
        """The kind of game."""
        return self.game.about.kind

    @property
    def is_over(self) -> bool:
        """Return whether it has ended."""
        return self.due is None

    @property
    def latest(self) -> View:
        """The position now."""
        return self.leaves[-1].view if self.leaves else self.opening

    @property
    def last_changed(self) -> Millis:
        """The time when it last went on."""
        return self.leaves[-1].at if self.leaves else self.began


@dataclass(frozen=True)
class JoinableGame:
    """A game that waits for players. join: a letter that signs up; free: seats that anybody may take."""

    name: str
    kind: str
    title: str
    needed: int
    signed: int
    join: str
    free: tuple[str, ...] = ()
