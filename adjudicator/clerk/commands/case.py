"""What a command is carried out on, and what comes of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

from adjudicator.clerk.identity import Seated
from adjudicator.clock import Millis
from adjudicator.ledger.books import Books
from adjudicator.ledger.game_acts import AnyAct, BeginGame, TakeBack
from adjudicator.ledger.letters import Attachment
from adjudicator.ledger.society import Press, Signup
from adjudicator.office import Office
from adjudicator.referee.talk import Talk
from adjudicator.reports.history import History
from adjudicator.reports.picture import chart_of
from adjudicator.reports.reader import zone_of
from adjudicator.reports.transcript import Answer
from games.protocol import Game, Seat
from games.record import Value
from orders.allowance import Allowance


@dataclass(frozen=True, kw_only=True)
class Caller:
    """Somebody who asks for something by letter.

    sender: from where; received, now: when the letter came, and when it is answered (None: then); signs: by
    what name its From header calls him; key: names the letter for ever; begun: the games that it has begun
    already; joined: for what it has signed up; mapped: that whose map its answer shows; carried: how many
    copies of press it has sent; wrote: that press.
    """

    office: Office
    books: Books
    sender: str
    received: Millis
    now: Millis | None = None
    signs: str = ""
    key: str = ""
    begun: tuple[BeginGame, ...] = ()
    joined: tuple[Signup, ...] = ()
    mapped: str | None = None
    carried: int = 0
    wrote: tuple[Press, ...] = ()

    @property
    def address(self) -> str:
        """Where answers go, and under which he is known."""
        return self.sender

    @property
    def time(self) -> Millis:
        """When the letter is answered."""
        return self.received if self.now is None else self.now

    @property
    def signups(self) -> dict[str, Signup]:
        """For which games he has signed up, on the books or in this letter."""
        found = (*self.books.society.signed_up(self.address), *self.joined)
        return {one.game: one for one in found}

    @property
    def zone(self) -> ZoneInfo:
        """The time zone in which he lives, as far as we know."""
        return zone_of(self.address, self.books, self.office)


@dataclass(frozen=True, kw_only=True)
class Case(Caller):
    """A letter of a seat that asks for something.

    allowance: what is left of the letter's; undo: what UNDO comes to, in the game as it then is; or why it
    comes to nothing. replies_to: the Message-ID that the letter answers, if it says so; talk: what was said
    in it by press so far, and what bots answer to that.
    """

    game: Game
    seated: Seated
    allowance: Allowance = field(default_factory=Allowance)
    undo: TakeBack | str | None = None
    replies_to: str | None = None
    talk: Talk | None = None

    @property
    def address(self) -> str:
        """Where answers go.

        A token shows that somebody saw our letter, not that he is its reader: they go to the seat's own
        address. A password shows who writes.
        """
        return answering(self.seated, self.sender)

    @property
    def turn(self) -> str:
        """The short name of the game's present turn."""
        return self.game.rules.turn(self.seated.position.state).short

    @property
    def name(self) -> str:
        """What the game is called."""
        return self.seated.position.name

    @property
    def seat(self) -> Seat:
        """For whom the letter speaks."""
        return self.seated.seat


def answering(seated: Seated, sender: str) -> str:
    """The address to which the answer to a letter of a seat goes."""
    return sender if seated.how == "password" else seated.chair.address or sender


class Done(Value, frozen=True):
    """What comes of a command: acts, sentences for the answer, blocks of text.

    wait, ready: what the seat says of this turn from now on (None: nothing new); clears: whether all orders
    on file are withdrawn; picture: a map to be shown, as PNG; mapped: of which game, file: how its file is
    called; history: a game over time, to be shown as a chart; attached: files that go along.
    """

    acts: tuple[AnyAct, ...] = ()
    notes: tuple[str, ...] = ()
    answered: tuple[Answer, ...] = ()
    wait: bool | None = None
    ready: bool | None = None
    clears: bool = False
    picture: bytes | None = None
    mapped: str | None = None
    file: str | None = None
    history: History | None = None
    attached: tuple[Attachment, ...] = ()


def pictures(done: Sequence[Done]) -> dict[str, Any]:
    """What is shown in the answer to some commands: the last map with its file's name, the last chart."""
    mapped = next((one for one in reversed(done) if one.picture is not None), Done())
    course = next((one.history for one in reversed(done) if one.history is not None), None)
    chart = None if course is None else chart_of(course)
    files = tuple(dict.fromkeys(file for one in done for file in one.attached))
    return {"picture": mapped.picture, "file": mapped.file, "chart": chart, "attached": files}


def told(*sentences: str) -> Done:
    """Sentences, and nothing is done."""
    return Done(notes=sentences)
