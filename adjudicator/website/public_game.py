"""Public games, the archive's input: views, events and texts that are public, and nothing else."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from adjudicator.clock import Millis
from games.protocol import Event, Game, GameResult, PastTurn, Seat, Turn, View


@dataclass(frozen=True)
class PublicRoll:
    """A roll made by the rules, with its label. forced: the GM set the result."""

    label: str
    sides: int
    numbers: tuple[int, ...]
    forced: bool = False


@dataclass(frozen=True)
class PublicTurn:
    """The public information about a turn that was processed.

    number: of its entry in the log. at: the time. sign: changes whenever the log up to here does. before,
    view: the positions. tell: computes the events, called only when a page needs them. silent: the seats of
    human players without orders, although orders were due. throws: the rolls made by the rules. reasons: the
    bots' reasons by seat and written order, once they are public. by_hand: the GM's changes since the turn
    before. hands: each seat's view after the turn, once the game is over.
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
        """Return the turn with its events."""
        return PastTurn(turn=self.turn, before=self.before, after=self.view, events=self.tell())

    @property
    def open_events(self) -> tuple[Event, ...]:
        """Return the public events. Once the game is over, `past` contains the secret events too."""
        return tuple(event for event in self.past.events if event.seen_by is None)


@dataclass(frozen=True)
class PublicSeat:
    """A seat and its player. bot: the level of the bot, "" for a human player.

    name: of a player that agreed to be named, if the game names players. missed: the number of turns without
    orders.
    """

    seat: Seat
    bot: str = ""
    name: str | None = None
    missed: int = 0


@dataclass(frozen=True)
class PublicPress:
    """Press to everyone. heading: the sender as the public may know them. turn: when it was sent."""

    turn: str
    heading: str
    text: str


@dataclass(frozen=True)
class ChainLink:
    """An entry of the log, linked to the entry before it by a hash.

    sha: its hash. text: the text with this SHA-256, None if only the hash is public. cast: the number that
    its rolls were computed with. parts: the public texts of its private parts by name. The entry contains
    their hashes.
    """

    turn: str
    sha: str
    text: str | None
    cast: int
    parts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class PublicSeal:
    """The data that verifies the dice and the log.

    commitment: the SHA-256 of the secret. secret: the secret in hexadecimal, once the game is over. chain:
    the entries of the log; empty while a game with hidden information is running.
    """

    commitment: str
    secret: str | None = None
    chain: tuple[ChainLink, ...] = ()


@dataclass(frozen=True)
class Download:
    """A file to download. words: its description."""

    name: str
    words: str
    raw: bytes = field(repr=False)


@dataclass(frozen=True)
class PiecewiseDownload:
    """A download with one piece per turn. words: its description. bound: joins the pieces."""

    name: str
    words: str
    pieces: Sequence[Callable[[], str]] = field(repr=False, compare=False)
    bound: Callable[[Sequence[str]], str] = field(repr=False, compare=False)


@dataclass(frozen=True)
class PublicGame:
    """The public information about a game.

    kind: its slug. began: when it was set up. leaves: the turns that count, oldest first. due: the turn that
    needs orders, None once the game is over. deadline: of this turn. early: whether the turn runs as soon as
    all orders are in. stopped: the kind of stop that keeps turns from running, "" if there is none.
    downloads, volumes: further files. sheets: the order pages of seats with orders due.
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
        """Return the kind of game."""
        return self.game.about.kind

    @property
    def is_over(self) -> bool:
        """Return whether the game has ended."""
        return self.due is None

    @property
    def latest(self) -> View:
        """Return the current position."""
        return self.leaves[-1].view if self.leaves else self.opening

    @property
    def last_changed(self) -> Millis:
        """Return the time of the last turn, or of the set-up."""
        return self.leaves[-1].at if self.leaves else self.began


@dataclass(frozen=True)
class JoinableGame:
    """A game that is open for players. join: the link that opens an email to join. free: the open seats."""

    name: str
    kind: str
    title: str
    needed: int
    signed: int
    join: str
    free: tuple[str, ...] = ()
