"""People and what passes between them: sign-ups, observers, press, votes, absences. Values, and how to ask.

Everybody is known by his address. Instants are milliseconds UTC.
"""

from collections.abc import Mapping
from typing import Literal, Protocol

from adjudicator.clock import DAY, Millis
from adjudicator.ledger.bounds import Count, Instant, Line, SeatName, Text
from adjudicator.ledger.letter_choice import LetterChoice, Subscription
from adjudicator.signs.guesses import Guesses
from games.protocol import OptionValue, Seat
from games.record import Record

PressRule = Literal["any", "white", "grey", "none"]
"""Which press a game has: signed or not, as each writer likes; signed; unsigned; none at all."""

Reach = Literal["all", "neighbours"]
"""To whom a seat may write."""

Draws = Literal["all", "majority", "none"]
"""Who has to agree to a draw; there is none."""

ThreadOrders = Literal["sent", "open"]
"""Where orders of a game stand that is played in a forum: in letters, of which its thread tells that they are
sent, or in the thread itself, as well as in letters."""

ThreadAnswers = Literal["letter", "post"]
"""How a post in the thread is answered."""

Posters = Literal["proved", "list"]
"""What vouches for who wrote a post: its signature, or whoever runs the list or the forum."""

Motion = Literal["draw", "concede"]
"""What players may agree on to end a game."""


GAMESMASTER_SEAT = Seat("gm")
"""How press names the hearer who holds no seat."""


class Person(Record, frozen=True, kw_only=True):
    """Somebody who plays or watches. name: what he is called; zone: the name of that in which he lives.

    public: he has agreed that the archive names him.
    """

    address: str
    name: str | None = None
    zone: str | None = None
    public: bool = False


class GamePolicy(Record, frozen=True, kw_only=True):
    """The policy of a game about press, draws, names and its forum thread.

    press: which is carried; reach: to whom a seat may write; anonymous: neither names nor addresses of
    players are shown; draws: who has to agree to a draw, "none": there is none. forum: where the thread is
    in which it is played, an address or the name of a channel, "": nowhere; orders, answers, posters: how.
    """

    press: PressRule = "any"
    reach: Reach = "all"
    anonymous: bool = False
    draws: Draws = "all"
    forum: Line = ""
    orders: ThreadOrders = "sent"
    answers: ThreadAnswers = "letter"
    posters: Posters = "proved"

    @property
    def allows(self) -> tuple[str, ...]:
        """The kinds of press that are carried, the usual one first."""
        if self.press == "none":
            return ()
        if self.press == "any":
            return ("grey", "white") if self.anonymous else ("white", "grey")
        return (self.press,)


class GameOffer(Record, frozen=True, kw_only=True):
    """A game that is to begin when enough people have signed up for it.

    options: settled; needed: how many people; starts: when it begins with those who are there, bots in the
    other seats; None: when it is full, however long that takes. terms: its own, as people write them; level,
    temper: of its bots, None: the weakest, without any temperament.
    """

    name: str
    kind: str
    options: dict[str, OptionValue] = {}
    customs: GamePolicy = GamePolicy()
    needed: int
    starts: Millis | None = None
    early: bool = True
    terms: dict[str, str] = {}
    level: str | None = None
    temper: str | None = None


class Signup(Record, frozen=True, kw_only=True):
    """Somebody who wants to play: in a game to begin, or on the waiting list of one that runs.

    wishes: the seats that he would like, the dearest first.
    """

    game: str
    address: str
    wishes: tuple[Seat, ...] = ()
    since: Millis


class Vote(Record, frozen=True, kw_only=True):
    """The consent of a seat to an end of the game. to: the seat that it concedes to."""

    seat: SeatName
    motion: Motion
    to: SeatName | None = None


class Absence(Record, frozen=True, kw_only=True):
    """A player cannot write from one instant until another. number: its place on the books."""

    number: Count = 0
    seat: SeatName
    first: Instant
    last: Instant


class Press(Record, frozen=True, kw_only=True):
    """A message from one player to others. seat None: the gamesmaster; to: its readers, None: all.

    kind: "white" (signed) or "grey"; turn: the short name of the turn in which it was written. blind: it
    answers grey press, so that its own writer is not to know who reads it.
    """

    number: Count = 0
    turn: Line
    seat: SeatName | None
    kind: Line
    to: tuple[SeatName, ...] | None
    text: Text
    at: Instant
    blind: bool = False

    def is_heard_by(self, seat: Seat | None) -> bool:
        """Return whether a seat (None: an observer) may read it."""
        return self.to is None or (seat is not None and seat in (*self.to, self.seat))

    @property
    def signature(self) -> str:
        """From whom it comes, as its hearers are told."""
        if self.seat is None:
            return "the gamesmaster"
        return self.seat if self.kind == "white" else "somebody"

    @property
    def heading(self) -> str:
        """From whom to whom, in one phrase."""
        return f"From {self.signature} to {', '.join(self.to) if self.to else 'all'}"


class HeldPress(Record, frozen=True, kw_only=True):
    """A piece of press that waits for a reader. key: names it for ever; since: when it began to wait.

    reader: a seat, the address of an observer, or GAMESMASTER.
    """

    game: str
    key: str
    press: Press
    reader: str
    since: Millis


class Poster(Record, frozen=True, kw_only=True):
    """The account that posts for a seat in its game's thread, proven by a word sent to its owner.

    address: of the player who has shown it; place: the forum; name: what he is called there, an address or
    an account; used: so many words have been used up, this one among them.
    """

    seat: SeatName
    address: str
    place: str
    name: str
    used: int
    since: Instant


REQUEST_LIFETIME_MS: Millis = 7 * DAY
"""So long what was asked for waits for its answer."""


class EmailInDoubt(Record, frozen=True, kw_only=True):
    """An email that its writer is asked about: it may be somebody else's, or not have been meant for us.

    letter: its fingerprint; game, seat, turn: for whom it would speak, and in which turn; turn "": answered;
    stale: the turn of its reply address, where that is over, "": it is not; is_press: it answers press, and
    its writer is asked whether it is to be sent.
    """

    letter: str
    game: str
    seat: SeatName
    turn: str
    stale: str = ""
    is_press: bool = False

    @property
    def lines(self) -> tuple[str, ...]:
        """Return what stands for it in a request."""
        return (_PRESS if self.is_press else _EMAIL, self.letter, self.game, self.seat, self.turn, self.stale)


_EMAIL, _PRESS = "?EMAIL", "?PRESS"
"""No line of a letter is kept that begins with a question mark: a command begins with its verb."""


class Request(Record, frozen=True, kw_only=True):
    """A request of somebody who is not authenticated: done when they answer our letter.

    mark: by which his answer names it; "": one that no answer can name, as they were once.
    """

    address: str
    lines: tuple[str, ...]
    at: Millis
    mark: str = ""

    @property
    def email(self) -> EmailInDoubt | None:
        """Return the email that its writer is asked about; None if it is commands that wait."""
        if self.lines[:1] not in ((_EMAIL,), (_PRESS,)) or len(self.lines) not in (5, 6):
            return None
        sort, letter, game, seat, turn, *stale = self.lines
        return EmailInDoubt(
            letter=letter,
            game=game,
            seat=Seat(seat),
            turn=turn,
            stale="".join(stale),
            is_press=sort == _PRESS,
        )


class PeopleRepository(Protocol):
    """The queries about people."""

    def person(self, address: str) -> Person | None:
        """Return who an address belongs to, if its owner has said so; None otherwise."""

    def policy(self, game: str) -> GamePolicy:
        """Return the policy of a game; the default policy where nothing was said."""

    def offers(self) -> tuple[GameOffer, ...]:
        """The games that wait for people, in the order of their names."""

    def offer(self, name: str) -> GameOffer | None:
        """The game of that name that waits for people."""

    def signups(self, game: str) -> tuple[Signup, ...]:
        """Return the sign-ups for a game, or for a seat of it, in the order of coming."""

    def signed_up(self, address: str) -> tuple[Signup, ...]:
        """Where somebody has signed up, or waits for a seat, by the names of the games."""

    def observers(self, game: str) -> tuple[str, ...]:
        """The addresses of those who watch a game."""

    def vacancies(self, game: str) -> tuple[Seat, ...]:
        """The seats of a running game that anybody may take."""

    def vacant_seats(self) -> Mapping[str, tuple[Seat, ...]]:
        """Those seats of all games in which there are some, by the games' names, in order."""

    def votes(self, game: str) -> Mapping[Seat, Vote]:
        """Return the consent of a game's seats to an end of it, as given in its present turn."""

    def absences(self, game: str) -> tuple[Absence, ...]:
        """The absences that players of a game have announced, in order of their beginning."""

    def press(self, game: str, since: Millis = 0) -> tuple[Press, ...]:
        """The press of a game written since an instant, oldest first."""

    def press_of(self, key: str) -> Press | None:
        """The press that a key names, or None."""

    def held_press(self, game: str | None = None) -> tuple[HeldPress, ...]:
        """The press that waits for its readers, as it was written; of one game, None: of all."""

    def guesses(self, game: str, seat: Seat) -> Guesses:
        """Return the failed guesses at a seat's password."""

    def is_warned_of_copies(self, game: str, seat: Seat, address: str) -> bool:
        """Return whether a seat's player was warned that copies of emails show others the reply address."""

    def requests(self, address: str) -> tuple[Request, ...]:
        """Return the requests of an address that wait for an answer, oldest first."""

    def requests_by_mark(self, mark: str) -> tuple[Request, ...]:
        """Return the requests of any address that a reply names by this mark, oldest first."""

    def choices(self, game: str) -> tuple[LetterChoice, ...]:
        """Return the letters that the players of a game have chosen, by seat and address."""

    def posters(self, game: str) -> tuple[Poster, ...]:
        """Return the posters for the seats of a game, by seat, those of former players too."""

    def threads(self) -> Mapping[str, tuple[str, ...]]:
        """Return the names of the running games that are played in each forum, in order."""

    def subscription(self, address: str) -> Subscription | None:
        """Return the subscription of an address to a digest; None if it never said."""

    def subscriptions(self) -> tuple[Subscription, ...]:
        """All who get a digest, in the order of their addresses."""
