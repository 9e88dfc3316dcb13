"""The context in which a command is run, and its result."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.clock import Millis
from adjudicator.context import ServiceContext
from adjudicator.model.game_acts import AnyAct, BeginGame, TakeBack
from adjudicator.model.mail import Attachment
from adjudicator.model.people import Press, Signup
from adjudicator.model.repository import Repository
from adjudicator.reports.history import History
from adjudicator.reports.picture import chart_of
from adjudicator.reports.reader import zone_of
from adjudicator.reports.verdict import CommandAnswer
from adjudicator.turns.bot_press import Talk
from games.protocol import Game, Seat
from games.record import Value
from orders.reading.budget import ReadingBudget


@dataclass(frozen=True, kw_only=True)
class CommandContext:
    """A sender who asks for something by letter.

    sender: the address it came from; received, now: when the letter came, and when it is answered (None:
    then); sender_name: the name in its From header; key: names the letter for
    ever; begun: the games that it has begun already; joined: for what it has signed up; mapped: that
    whose map its reply shows; carried: how many copies of press it has sent; wrote: that press.
    """

    office: ServiceContext
    books: Repository
    sender: str
    received: Millis
    now: Millis | None = None
    sender_name: str = ""
    key: str = ""
    begun: tuple[BeginGame, ...] = ()
    joined: tuple[Signup, ...] = ()
    mapped: str | None = None
    carried: int = 0
    wrote: tuple[Press, ...] = ()

    @property
    def address(self) -> str:
        """Return the address that replies go to, and by which the sender is known."""
        return self.sender

    @property
    def time(self) -> Millis:
        """When the letter is answered."""
        return self.received if self.now is None else self.now

    @property
    def signups(self) -> dict[str, Signup]:
        """Return by game what the sender has signed up for, in the database or in this letter."""
        signups = (*self.books.people.signed_up(self.address), *self.joined)
        return {signup.game: signup for signup in signups}

    @property
    def zone(self) -> ZoneInfo:
        """Return the time zone in which the sender lives, as far as we know."""
        return zone_of(self.address, self.books, self.office)


@dataclass(frozen=True, kw_only=True)
class SeatCommandContext(CommandContext):
    """A letter of a seat that asks for something.

    allowance: what is left of the letter's; undo: the effect of UNDO, in the game as it then is, or why
    it has none. replies_to: the Message-ID that the letter answers, if it says so; talk: the press in it so
    far, and what bots answer to that.
    """

    game: Game
    seated: AuthenticatedSeat
    allowance: ReadingBudget = field(default_factory=ReadingBudget)
    undo: TakeBack | str | None = None
    replies_to: str | None = None
    talk: Talk | None = None

    @property
    def address(self) -> str:
        """Return the address that replies go to.

        A token shows that its sender saw our letter, not that he is its reader: they go to the seat's own
        address. A password shows who writes.
        """
        return reply_address_of(self.seated, self.sender)

    @property
    def turn(self) -> str:
        """Return the short name of the game's present turn."""
        return self.game.rules.turn(self.seated.position.state).short

    @property
    def name(self) -> str:
        """Return the name of the game."""
        return self.seated.position.name

    @property
    def seat(self) -> Seat:
        """Return the seat for which the letter speaks."""
        return self.seated.seat


def reply_address_of(seated: AuthenticatedSeat, sender: str) -> str:
    """Return the address to which the reply to a letter of a seat goes."""
    return sender if seated.how == "password" else seated.chair.address or sender


class CommandResult(Value, frozen=True):
    """The result of a command: acts, sentences for the reply, blocks of text.

    wait, ready: what the seat says of this turn from now on (None: nothing new); clears: whether all
    orders on file are withdrawn; picture: a map to be shown, as PNG; mapped: of which game, file: the
    name of its file; history: a game over time, to be shown as a chart; attached: files that go along.
    """

    acts: tuple[AnyAct, ...] = ()
    notes: tuple[str, ...] = ()
    answered: tuple[CommandAnswer, ...] = ()
    wait: bool | None = None
    ready: bool | None = None
    clears: bool = False
    picture: bytes | None = None
    mapped: str | None = None
    file: str | None = None
    history: History | None = None
    attached: tuple[Attachment, ...] = ()


def collect_pictures(done: Sequence[CommandResult]) -> dict[str, Any]:
    """Return the pictures in a reply to commands: the last map with its file's name, the last chart."""
    mapped = next((result for result in reversed(done) if result.picture is not None), CommandResult())
    course = next((result.history for result in reversed(done) if result.history is not None), None)
    chart = None if course is None else chart_of(course)
    files = tuple(dict.fromkeys(file for result in done for file in result.attached))
    return {"picture": mapped.picture, "file": mapped.file, "chart": chart, "attached": files}


def reply_with(*sentences: str) -> CommandResult:
    """Return a result of sentences alone: nothing is done."""
    return CommandResult(notes=sentences)
