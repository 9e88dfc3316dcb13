"""People and what passes between them: sign-ups, observers, press, votes, absences. Values, and how to ask.

Everybody is known by his address. Instants are milliseconds UTC.
"""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, Protocol

from adjudicator.clock import DAY, HOUR, MINUTE, Millis
from games.protocol import OptionValue, Seat
from games.record import Bounds, Record, replace_fields

# Guesses at passwords: how many are checked, and how long none is checked after them.
#
# They are counted for each seat over all senders, since anybody may write any address into his From line.


MOST_LOOKED_AT = 3
"""So many passwords of one letter are compared at all."""

MAX_FREE_GUESSES = 5
"""So many in a row may not fit before the passwords of a seat rest."""

FIRST_REST: Millis = HOUR
MAX_REST_MS: Millis = 7 * DAY

GUESSES_EXPIRE_MS: Millis = 30 * DAY
"""After so long without another one it is as if nobody had ever guessed."""


class Guesses(Record, frozen=True, kw_only=True):
    """The failed guesses at a seat's password. lock: the password they were at; a new one is another lock.

    misses: how many in a row did not fit, since the last rest; rests: how often passwords rested, in a
    row; until: when the last rest ends; at: when something last did not fit.
    """

    lock: str = ""
    misses: int = 0
    rests: int = 0
    until: Millis = 0
    at: Millis = 0


NO_GUESSES = Guesses()
"""Nobody has guessed, or the right password came since."""


def lock_name(sealed: str) -> str:
    """Return a name for a sealed password that tells nothing of it."""
    return hashlib.sha256(sealed.encode()).hexdigest()[:16]


def counted_guesses(guesses: Guesses, lock: str, now: Millis) -> Guesses:
    """Return the guesses that still count at the password that a lock names."""
    forgotten = now - max(guesses.at, guesses.until) > GUESSES_EXPIRE_MS
    return Guesses(lock=lock) if forgotten or guesses.lock != lock else guesses


def is_resting(guesses: Guesses, now: Millis) -> bool:
    """Return whether no password is checked for the moment."""
    return now < guesses.until


def count_miss(guesses: Guesses, now: Millis) -> Guesses:
    """Return the guesses after one more miss.

    The last that is free begins a rest, twice as long as the one before.
    """
    if guesses.misses + 1 < MAX_FREE_GUESSES:
        return replace_fields(guesses, misses=guesses.misses + 1, at=now)
    rest = min(FIRST_REST << min(guesses.rests, 20), MAX_REST_MS)
    return replace_fields(guesses, misses=0, rests=guesses.rests + 1, until=now + rest, at=now)


# Limits of the texts and numbers of a document: types that its reader and its schema share.


def _fullmatch_bounds(pattern: str) -> Bounds:
    # Where Python's $ would let a line end pass, other readers of a schema do not know its \Z.
    return Bounds(pattern=rf"^(?:{pattern})$(?!\n)")


_CONTROL_RANGES = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
_LINE_BOUNDS = Bounds(max_length=200, pattern=rf"^[^{_CONTROL_RANGES}]*$(?!\n)")

Line = Annotated[str, _LINE_BOUNDS]
"""A name or a few words: neither line ends nor anything else that is not to be seen."""

SeatName = Annotated[Seat, _LINE_BOUNDS]
"""A seat, as a line."""

Text = Annotated[str, Bounds(max_length=1_000_000, pattern=r"^[^\x00]*$")]
"""What people write, of any number of lines."""

GameName = Annotated[str, _fullmatch_bounds("[a-z0-9-]{1,20}")]
Address = Annotated[str, _fullmatch_bounds(rf'[^{_CONTROL_RANGES} <>"(),:;@\\]{{1,64}}@[a-z0-9.-]{{1,253}}')]
"""A mail address by its looks; `signs.addresses` knows more."""

SealedPassword = Annotated[
    str,
    _fullmatch_bounds(
        r"scrypt\$[1-9][0-9]{0,5}\$[1-9][0-9]?\$[1-9]\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}="
    ),
]
"""A password as `signs.passwords` keeps it."""

Sha = Annotated[str, _fullmatch_bounds("[0-9a-f]{64}")]
ShaOrNone = Annotated[str, _fullmatch_bounds("(?:[0-9a-f]{64})?")]
Salt = Annotated[str, _fullmatch_bounds("[0-9a-f]{32}")]
Secret = Annotated[str, _fullmatch_bounds("(?:[0-9a-f]{2}){8,64}")]
"""A secret of dice in hexadecimal."""

Count = Annotated[int, Bounds(ge=0, le=1_000_000_000)]
Instant = Annotated[int, Bounds(ge=0, le=32_503_680_000_000)]
"""Milliseconds UTC, before the year 3000."""

Span = Annotated[int, Bounds(ge=-32_503_680_000_000, le=32_503_680_000_000)]
"""A length of time in milliseconds."""


# The letters that a player chose to get: their length, their turns, and a digest.


Detail = Literal["full", "brief"]
"""All that a report has to tell; or what changed, what is the reader's own, and what is due."""

Reasons = Literal["off", "failed", "all"]
"""Of which orders a bot says why, where it may: of none, of those that failed, of all."""

Every = Literal["turn", "round"]
"""A report of each turn that was played; or one of a round, and whenever the reader has to decide."""

Maps = Literal["png", "svg"]
"""The map as a picture within the letter; or as a drawing besides, a file to zoom into and to print."""

Sheets = Literal["text", "page"]
"""The order sheet as lines in the letter; or as a page besides, which writes the letter."""

Digest = Literal["off", "daily", "weekly"]
"""How often one letter names all games that wait for an address."""


class Style(Record, frozen=True, kw_only=True):
    """The style of a report. reasons None: all in a full letter, none in a brief one."""

    detail: Detail = "full"
    reasons: Reasons | None = None
    every: Every = "turn"
    maps: Maps = "png"
    sheets: Sheets = "text"

    @property
    def says_why(self) -> Reasons:
        """Return the orders whose reasons bots tell."""
        return self.reasons or ("off" if self.detail == "brief" else "all")


DEFAULT_STYLE = Style()
"""All of everything, as it is where nobody says otherwise."""


class LetterChoice(Record, frozen=True, kw_only=True):
    """The choices of a seat's player for their letters. None: as the service does it otherwise.

    address: who chose; nobody else who sits there is bound by it. untold: the number of the first entry of
    the log that he has not been told of, since its report waits for the others of the round.
    """

    seat: SeatName
    address: Address
    detail: Detail | None = None
    reasons: Reasons | None = None
    every: Every | None = None
    maps: Maps | None = None
    sheets: Sheets | None = None
    untold: Count | None = None

    def style(self, default: Style) -> Style:
        """Return the style of the player's reports. default: the style where they chose nothing."""
        choices = {name: getattr(self, name) for name in ("detail", "reasons", "every", "maps", "sheets")}
        return replace_fields(
            default, **{name: value for name, value in choices.items() if value is not None}
        )


class Subscription(Record, frozen=True, kw_only=True):
    """A subscription to a digest: its address, its interval, and when it was last checked for being due."""

    address: str
    digest: Digest
    seen: Millis


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
    """A player cannot write from one instant until another. number: its place in the database."""

    number: Count = 0
    seat: SeatName
    first: Instant
    last: Instant


class Press(Record, frozen=True, kw_only=True):
    """A message from one player to others. seat None: the GM; to: its readers, None: all.

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


# The actions of people besides playing: values that the database carries out, by letter or by `gm`.


class PersonAction(Record, frozen=True, kw_only=True, tag=True):
    """Anything that can be done about people: one of `AnyPersonAction`. by: who; why: for the log."""

    by: str
    why: str = ""


class NotePerson(PersonAction, frozen=True, kw_only=True):
    """Somebody says who he is, or in which zone he lives: all that is known of him from now on."""

    person: Person


class ChooseLetters(PersonAction, frozen=True, kw_only=True):
    """The player of a seat chooses what its letters are like. None: as before."""

    game: str
    seat: Seat
    address: str
    detail: Detail | None = None
    reasons: Reasons | None = None
    every: Every | None = None
    maps: Maps | None = None
    sheets: Sheets | None = None


class KeepChoice(PersonAction, frozen=True, kw_only=True):
    """The choice of a player is this from now on, replacing any other."""

    game: str
    choice: LetterChoice


class NoteUntold(PersonAction, frozen=True, kw_only=True):
    """From which entry of the log on a seat's player is still to be told; None: he has been told all."""

    game: str
    seat: Seat
    address: str
    untold: int | None


class ChooseDigest(PersonAction, frozen=True, kw_only=True):
    """Somebody gets a digest so often from now on, the first at the next hour for it."""

    address: str
    digest: Digest
    at: Millis


class NoteDigest(PersonAction, frozen=True, kw_only=True):
    """It was looked whether somebody's digest is to be written. before: when that was last done."""

    address: str
    before: Millis
    at: Millis


class SignUp(PersonAction, frozen=True, kw_only=True):
    """Somebody wants to play in a game; if he does already, his wishes are what they are now."""

    signup: Signup


class SignOut(PersonAction, frozen=True, kw_only=True):
    """Somebody no longer wants to play in a game, or waits for a seat of it."""

    game: str
    address: str


class Watch(PersonAction, frozen=True, kw_only=True):
    """Somebody watches a game from now on, or no longer does."""

    game: str
    address: str
    watches: bool = True


class SetCustoms(PersonAction, frozen=True, kw_only=True):
    """The policy of a game is this from now on."""

    game: str
    customs: GamePolicy


class MakeOffer(PersonAction, frozen=True, kw_only=True):
    """A game waits for people."""

    offer: GameOffer
    at: Millis


class DropOffer(PersonAction, frozen=True, kw_only=True):
    """A game no longer waits for people; who has signed up is forgotten with it."""

    name: str


class OfferSeat(PersonAction, frozen=True, kw_only=True):
    """A seat of a running game may be taken by anybody, those on the waiting list first of all."""

    game: str
    seat: Seat
    at: Millis


class FillSeat(PersonAction, frozen=True, kw_only=True):
    """A seat that might be taken is so no longer. must: it has to be free until now, or nothing is done."""

    game: str
    seat: Seat
    must: bool = False


class CastVote(PersonAction, frozen=True, kw_only=True):
    """A seat agrees to an end of the game, in the turn named."""

    game: str
    turn: str
    vote: Vote


class TakeVoteBack(PersonAction, frozen=True, kw_only=True):
    """A seat no longer agrees to an end of the game."""

    game: str
    seat: Seat


class NoteAbsence(PersonAction, frozen=True, kw_only=True):
    """A player will be away; what he said before is void. absence None: he is here after all."""

    game: str
    seat: Seat
    absence: Absence | None


class SendPress(PersonAction, frozen=True, kw_only=True):
    """Somebody writes to others. key: names it for ever, so that it is sent once."""

    game: str
    press: Press
    key: str


class HoldPress(PersonAction, frozen=True, kw_only=True):
    """Press waits for a reader, to go out together with more. key: of the press; at: since when."""

    game: str
    key: str
    reader: str
    at: Millis


class ReleasePress(PersonAction, frozen=True, kw_only=True):
    """Press that waited for a reader goes out. keys: of the press; it has to wait until now."""

    game: str
    keys: tuple[str, ...]
    reader: str


class KnowPoster(PersonAction, frozen=True, kw_only=True):
    """It is known who posts for a seat. before: how many words had been used up until now."""

    game: str
    poster: Poster
    before: int


class ForgetPoster(PersonAction, frozen=True, kw_only=True):
    """The poster of a seat no longer posts for it."""

    game: str
    seat: Seat


class Invite(PersonAction, frozen=True, kw_only=True):
    """Somebody is written to who may like to play in a game. The letter is all there is to it."""

    game: str
    address: str


def invitation_key(game: str, address: str) -> str:
    """The key of the one letter that invites an address to a game."""
    return f"{game}/invite/{address}"


def refusal_key(address: str) -> str:
    """The key of the letter to somebody who wants no invitations: it stands for that."""
    return f"no-invitations/{address}"


class TellGamesmaster(PersonAction, frozen=True, kw_only=True):
    """The GM is sent an email, which is all there is to it. key: names it for ever: it is sent once."""

    key: str
    subject: str
    paragraphs: tuple[str, ...]


QUESTION = "meant-for-us/"
"""The keys of emails begin so that ask a player about an email: if it was meant for us, or is theirs."""


class AskBack(PersonAction, frozen=True, kw_only=True):
    """Something is asked by somebody for whom nothing vouches: it waits for his answer, as others may."""

    request: Request


class NoteGuesses(PersonAction, frozen=True, kw_only=True):
    """The guesses counted at a seat's password from now on. before: the count stored until now."""

    game: str
    seat: Seat
    before: Guesses
    after: Guesses


class NoteCopyWarning(PersonAction, frozen=True, kw_only=True):
    """The player of a seat was told that a copy of an email shows others the reply address."""

    game: str
    seat: Seat
    address: str


class Answered(PersonAction, frozen=True, kw_only=True):
    """A request that waited for an answer under a mark waits no longer."""

    address: str
    mark: str


class NoteSignature(PersonAction, frozen=True, kw_only=True):
    """An email that bears a signature was taken: what is signed in it counts in no other.

    content: the hash of what is signed; letter: the fingerprint of the email; at: when it was read.
    """

    content: str
    letter: str
    at: Millis


class ConfirmEmail(PersonAction, frozen=True, kw_only=True):
    """An email that waits is read after all, since its writer said yes. letter: its fingerprint."""

    letter: str
    game: str
    seat: Seat
    at: Millis


AnyPersonAction = (
    NotePerson
    | ChooseLetters
    | KeepChoice
    | NoteUntold
    | ChooseDigest
    | NoteDigest
    | SignUp
    | SignOut
    | Watch
    | SetCustoms
    | MakeOffer
    | DropOffer
    | OfferSeat
    | FillSeat
    | CastVote
    | TakeVoteBack
    | NoteAbsence
    | SendPress
    | HoldPress
    | ReleasePress
    | KnowPoster
    | ForgetPoster
    | Invite
    | TellGamesmaster
    | AskBack
    | NoteGuesses
    | NoteCopyWarning
    | Answered
    | NoteSignature
    | ConfirmEmail
)


# Press that waits to go out together: its text, its reader, and until when it waits.


MAX_PRESS_PER_HOUR = 5
"""So many emails with press an hour go at once from one seat to a reader; the rest goes out together."""

BATCH_EVERY_MS: Millis = 30 * MINUTE
"""No press waits longer."""

_LAST_MINUTE_MS: Millis = MINUTE


def is_read_by(press: Press, reader: str) -> bool:
    """Return whether press is mailed to a reader: nobody is sent their own."""
    if reader == GAMESMASTER_SEAT or press.to == (GAMESMASTER_SEAT,):
        return reader == GAMESMASTER_SEAT and press.to == (GAMESMASTER_SEAT,)
    return press.is_heard_by(None if "@" in reader else Seat(reader)) and press.seat != reader


def has_to_wait(press: Press, reader: str, earlier: Iterable[Press], held: Iterable[HeldPress]) -> bool:
    """Return whether press waits for a reader: they got enough of it in the last hour, or some waits already.

    earlier: press of the game before it; held: what waits in the game. Grey press counts whoever wrote it, so
    that nobody can tell by its delay which pieces have the same writer. The GM's press never waits.
    """
    if press.seat is None:
        return False
    alike = [piece for piece in earlier if _is_alike(piece, press) and piece.at > press.at - HOUR]
    if sum(is_read_by(piece, reader) for piece in alike) >= MAX_PRESS_PER_HOUR:
        return True
    return any(waiting.reader == reader and _is_alike(waiting.press, press) for waiting in held)


def _is_alike(piece: Press, other: Press) -> bool:
    """Return whether two pieces of press come from one seat, as their readers know it."""
    if piece.seat is None or piece.kind != other.kind:
        return False
    return piece.kind == "grey" or piece.seat == other.seat


def is_due(since: Millis, deadline: Millis | None, now: Millis, rounds: Millis = 0) -> bool:
    """Return whether press goes out that waits since then: after 30 minutes, and always before the deadline.

    The nearer the deadline is the less it waits, and in the last minute before it, or after it, not at all.
    rounds: how often it is looked, where that is seldom.
    """
    if deadline is None:
        return now >= since + BATCH_EVERY_MS
    waits = min(BATCH_EVERY_MS, max(0, deadline - since) // 2)
    return now >= since + waits or now + rounds >= deadline - _LAST_MINUTE_MS
