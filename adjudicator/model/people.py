"""People and their actions: sign-ups, observers, press, votes, absences. Values, and the queries about them.

A person is identified by an email address. Instants are milliseconds UTC.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, Protocol

from adjudicator.clock import DAY, HOUR, MINUTE, Millis
from adjudicator.messages import sentence
from games.protocol import OptionValue, Seat
from games.record import Bounds, Record, replace_fields

# Guesses at passwords: how many are checked, and how long checking then stops.
#
# They are counted per seat over all senders, because the From line of an email can be forged.


MOST_LOOKED_AT = 3
"""The maximum number of passwords in one email that are checked."""

MAX_FREE_GUESSES = 5
"""The maximum number of wrong passwords in a row before checking stops for a while."""

FIRST_REST: Millis = HOUR
MAX_REST_MS: Millis = 7 * DAY

GUESSES_EXPIRE_MS: Millis = 30 * DAY
"""After this time without another guess, all earlier ones are forgotten."""


class Guesses(Record, frozen=True, kw_only=True):
    """The failed guesses at a seat's password. lock: identifies the password; a new one starts at zero.

    misses: wrong guesses in a row since the last pause. rests: the number of pauses in a row. until: the end
    of the last pause. at: the time of the last wrong guess.
    """

    lock: str = ""
    misses: int = 0
    rests: int = 0
    until: Millis = 0
    at: Millis = 0


NO_GUESSES = Guesses()
"""No guesses, or none since the right password was given."""


def lock_name(sealed: str) -> str:
    """Return a name for a sealed password that doesn't reveal it."""
    return hashlib.sha256(sealed.encode()).hexdigest()[:16]


def counted_guesses(guesses: Guesses, lock: str, now: Millis) -> Guesses:
    """Return the guesses that still count for this password."""
    forgotten = now - max(guesses.at, guesses.until) > GUESSES_EXPIRE_MS
    return Guesses(lock=lock) if forgotten or guesses.lock != lock else guesses


def is_resting(guesses: Guesses, now: Millis) -> bool:
    """Return whether no password is checked at the moment."""
    return now < guesses.until


def count_miss(guesses: Guesses, now: Millis) -> Guesses:
    """Return the guesses after one more wrong one.

    The last allowed one starts a pause, twice as long as the one before.
    """
    if guesses.misses + 1 < MAX_FREE_GUESSES:
        return replace_fields(guesses, misses=guesses.misses + 1, at=now)
    rest = min(FIRST_REST << min(guesses.rests, 20), MAX_REST_MS)
    return replace_fields(guesses, misses=0, rests=guesses.rests + 1, until=now + rest, at=now)


# Limits of a document's texts and numbers: types that its reader and its schema share.


def _fullmatch_bounds(pattern: str) -> Bounds:
    # Python's $ allows a final line end, and other readers of a schema don't know \Z.
    return Bounds(pattern=rf"^(?:{pattern})$(?!\n)")


_CONTROL_RANGES = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
_LINE_BOUNDS = Bounds(max_length=200, pattern=rf"^[^{_CONTROL_RANGES}]*$(?!\n)")

Line = Annotated[str, _LINE_BOUNDS]
"""A name or a few words, without line ends and other invisible characters."""

SeatName = Annotated[Seat, _LINE_BOUNDS]
"""A seat's name, on one line."""

Text = Annotated[str, Bounds(max_length=1_000_000, pattern=r"^[^\x00]*$")]
"""A text by a person, with any number of lines."""

GameName = Annotated[str, _fullmatch_bounds("[a-z0-9-]{1,20}")]
Address = Annotated[str, _fullmatch_bounds(rf'[^{_CONTROL_RANGES} <>"(),:;@\\]{{1,64}}@[a-z0-9.-]{{1,253}}')]
"""Something like an email address. `addresses.valid_address` checks exactly."""

SealedPassword = Annotated[
    str,
    _fullmatch_bounds(
        r"scrypt\$[1-9][0-9]{0,5}\$[1-9][0-9]?\$[1-9]\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}="
    ),
]
"""A password in the form that `passwords.seal` gives."""

SealedOrNone = Annotated[
    str,
    _fullmatch_bounds(
        r"(?:scrypt\$[1-9][0-9]{0,5}\$[1-9][0-9]?\$[1-9]\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=)?"
    ),
]
"""The same, or nothing."""

Sha = Annotated[str, _fullmatch_bounds("[0-9a-f]{64}")]
ShaOrNone = Annotated[str, _fullmatch_bounds("(?:[0-9a-f]{64})?")]
Salt = Annotated[str, _fullmatch_bounds("[0-9a-f]{32}")]
Secret = Annotated[str, _fullmatch_bounds("(?:[0-9a-f]{2}){8,64}")]
"""A secret of dice in hexadecimal."""

Count = Annotated[int, Bounds(ge=0, le=1_000_000_000)]
Instant = Annotated[int, Bounds(ge=0, le=32_503_680_000_000)]
"""Milliseconds UTC, before the year 3000."""

Span = Annotated[int, Bounds(ge=-32_503_680_000_000, le=32_503_680_000_000)]
"""A duration in milliseconds."""


# The form of emails that a player has chosen: their length, their turns, and a digest.


Detail = Literal["full", "brief", "changes"]
"""Full: everything that a report can contain. Brief: changes, the reader's own units, and what is due.

Changes: in a solo game the tables show what changed since the reader's last report, and what they decide by.
In other games it is the same as full.
"""

Reasons = Literal["off", "failed", "all"]
"""The orders that a bot explains, if it may: none, those that failed, all."""

Every = Literal["turn", "round"]
"""A report for each turn, or one for each round and whenever the reader must decide."""

Maps = Literal["png", "svg"]
"""The map as a picture in the email, or also as a drawing: a file to zoom and to print."""

Sheets = Literal["text", "page"]
"""The order sheet as lines in the email, or also as a page that writes the email."""

Digest = Literal["off", "daily", "weekly"]
"""How often a player gets one email about all games that wait for them."""


class Style(Record, frozen=True, kw_only=True):
    """The style of a report. reasons None: all in a full one, none in a brief one."""

    detail: Detail = "changes"
    reasons: Reasons | None = None
    every: Every = "turn"
    maps: Maps = "png"
    sheets: Sheets = "text"

    @property
    def says_why(self) -> Reasons:
        """Return the kind of orders that bots explain."""
        return self.reasons or ("off" if self.detail == "brief" else "all")


DEFAULT_STYLE = Style()
"""The default style: everything in full, but in solo games only tables that changed."""

WHOLE_STYLE = Style(detail="full")
"""The style of a reader who wants everything, or has no earlier report."""


class LetterChoice(Record, frozen=True, kw_only=True):
    """The choices of a seat's player for their emails. None: the service's default.

    address: the player's; they don't apply to another player of the seat. untold: the first log entry that
    hasn't been reported to them, because its report waits for the rest of the round.
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
        """Return the style of the player's reports. default: for players without a choice of their own."""
        choices = {name: getattr(self, name) for name in ("detail", "reasons", "every", "maps", "sheets")}
        return replace_fields(
            default, **{name: value for name, value in choices.items() if value is not None}
        )


class Subscription(Record, frozen=True, kw_only=True):
    """A subscription to a digest: its address, its interval, and the time of its last check."""

    address: str
    digest: Digest
    seen: Millis


PressRule = Literal["any", "white", "grey", "none"]
"""A game's press: signed or unsigned by choice; only signed; only unsigned; none."""

Reach = Literal["all", "neighbours", "public"]
"""The possible recipients of a seat's press. Public: everybody reads everything."""

PressTurns = Literal["all", "moves"]
"""The turns with press: all, or as in the rulebook not those with only retreats or builds."""

Draws = Literal["all", "majority", "named", "none"]
"""The votes needed for a draw; or no draws. Named: all survivors, for a draw of those they name."""

Votes = Literal["majority", "all", "none"]
"""The votes needed to pause or end a game or to give more time; or no such votes."""

Listed = Literal["yes", "watch", "no"]
"""Who may know of a game: everybody; everybody, but only a word lets new players in; nobody outside it."""

ThreadOrders = Literal["sent", "open"]
"""Where players of a forum game send orders: by email, announced in the thread; or by email and in the
thread."""

ThreadAnswers = Literal["letter", "post"]
"""The ways of replying to a post in the thread."""

Posters = Literal["proved", "list"]
"""What authenticates a post: its signature, or the host of the list or forum."""

Looks = Literal["after", "now"]
"""When everybody learns that a GM who plays has looked at hidden orders: after the game, or at once."""

Motion = Literal["draw", "concede"]
"""The ways of ending a game by agreement."""


GAMESMASTER_SEAT = Seat("gm")
"""The name in press of a reader without a seat."""

JOIN_WORD = Seat("")
"""The name for a game's own word where guesses at the passwords of seats are counted."""


class Person(Record, frozen=True, kw_only=True):
    """A player or observer. name: the name that they gave. zone: the name of their time zone.

    public: whether they agreed to be named in the archive.
    """

    address: str
    name: str | None = None
    zone: str | None = None
    public: bool = False


class GamePolicy(Record, frozen=True, kw_only=True):
    """A game's policy about press, draws, names and its forum thread.

    press: the kinds allowed. reach: the possible recipients. anonymous: names and addresses of players are
    hidden. draws: the votes needed, "none": no draws. forum: the place of its thread, an address or a
    channel's name, "": none. orders, answers, posters: how the thread is used. listed: who may know of it.
    word: what lets new players in if it isn't open to all, sealed, "": nothing. votes: the votes that the
    players' motions need. press_in: the turns with press. records: whether all players'
    records of turning up are shown. reliable: the share of turns with orders, in percent, that gives a
    player a seat without the GM's consent, 0: any.
    looks: when everybody learns of a look at hidden orders.
    """

    press: PressRule = "any"
    reach: Reach = "all"
    anonymous: bool = False
    draws: Draws = "all"
    forum: Line = ""
    orders: ThreadOrders = "sent"
    answers: ThreadAnswers = "letter"
    posters: Posters = "proved"
    listed: Listed = "yes"
    word: SealedOrNone = ""
    votes: Votes = "majority"
    press_in: PressTurns = "all"
    records: bool = False
    reliable: Count = 0
    looks: Looks = "after"

    @property
    def allows(self) -> tuple[str, ...]:
        """Return the allowed kinds of press, the usual one first."""
        if self.press == "none":
            return ()
        if self.press == "any":
            return ("grey", "white") if self.anonymous else ("white", "grey")
        return (self.press,)


class GameOffer(Record, frozen=True, kw_only=True):
    """A game that begins when enough players have joined it.

    options: of the game. needed: the number of players. starts: when it begins with the players so far and
    bots for the other seats; None: only when it is full. terms: its settings, as people write them. level,
    temper: of its bots, None: the weakest, without a temperament. rematch: the game whose players play again,
    "": none.
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
    rematch: str = ""


class Signup(Record, frozen=True, kw_only=True):
    """A player's sign-up for an open game, or for the waiting list of a running one.

    wishes: the seats they would like, their favourite first.
    """

    game: str
    address: str
    wishes: tuple[Seat, ...] = ()
    since: Millis


MAX_BLOCKS = 20
"""The maximum number of blocks of one player."""


class PlayerBlock(Record, frozen=True, kw_only=True):
    """A person whom a player doesn't want at their table. address: theirs.

    game, seat: how the player named them, "": by their address, which the player knows.
    """

    address: Address
    game: Line = ""
    seat: Line = ""
    at: Instant


class PlayerBlocks(Record, frozen=True, kw_only=True):
    """All blocks of one player, oldest first."""

    blocks: tuple[PlayerBlock, ...] = ()


class Ban(Record, frozen=True, kw_only=True):
    """A person whom the GM lets into no further game, and the reason, which only the GM sees."""

    address: Address
    why: Text
    at: Instant


class Vote(Record, frozen=True, kw_only=True):
    """A seat's vote for an end of the game. to: the seat that it concedes to, or the seats of a draw that
    leaves others out, with commas. None: all survivors share the draw.
    """

    seat: SeatName
    motion: Motion
    to: SeatName | None = None

    @property
    def named(self) -> tuple[Seat, ...]:
        """Return the seats that it names."""
        return tuple(map(Seat, self.to.split(", "))) if self.to else ()


class Absence(Record, frozen=True, kw_only=True):
    """An absence of a player, from one instant to another. number: in the database."""

    number: Count = 0
    seat: SeatName
    first: Instant
    last: Instant


class Press(Record, frozen=True, kw_only=True):
    """A message from one player to others. seat None: the GM. to: its readers, None: all.

    kind: "white" (signed) or "grey". turn: the short name of the turn when it was written. blind: it replies
    to grey press, so its own writer must not learn its readers.
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
        """Return the sender as readers see it."""
        if self.seat is None:
            return sentence("reports.press.gamesmaster")
        return self.seat if self.kind == "white" else sentence("reports.press.unsigned")

    @property
    def readers(self) -> str:
        """Return the recipients in one phrase, or "" if the message is to all."""
        return ", ".join(self.to or ())

    @property
    def heading(self) -> str:
        """Return sender and recipients in one phrase."""
        if not self.to:
            return sentence("reports.press.heading_to_all", writer=self.signature)
        return sentence("reports.press.heading", writer=self.signature, readers=self.readers)


class HeldPress(Record, frozen=True, kw_only=True):
    """A piece of press that waits for a reader. key: identifies it forever. since: the start of the wait.

    reader: a seat, the address of an observer, or GAMESMASTER.
    """

    game: str
    key: str
    press: Press
    reader: str
    since: Millis


GmRole = Literal["gm", "assistant"]
"""A right in one game: everything that the GM can do by email, or only to read who is missing and the log."""


class GameGm(Record, frozen=True, kw_only=True):
    """A person with a right of the GM in one game.

    number: their name in the game's log, which never becomes another's. mark: the random part behind their
    reply token; a new one revokes the token.
    """

    number: Count
    address: Address
    role: GmRole
    mark: Line
    since: Instant


class GmLook(Record, frozen=True, kw_only=True):
    """A look of a GM who plays at the orders and press of others. turn: its short name. gm: their number.

    announced: whether everyone has the notice.
    """

    turn: Line
    gm: Count
    at: Instant
    why: Text
    announced: bool = False


class GameGms(Record, frozen=True, kw_only=True):
    """The GMs of one game, in the order of their numbers, and their looks. numbered: the highest number."""

    members: tuple[GameGm, ...] = ()
    looks: tuple[GmLook, ...] = ()
    numbered: Count = 0

    def find(self, address: str) -> GameGm | None:
        """Return the GM with an address, or None."""
        return next((member for member in self.members if member.address == address), None)


class GmJob(Record, frozen=True, kw_only=True):
    """Commands of a GM that wait to be carried out or asked back.

    letter: the fingerprint of the email that brought them, which identifies the job. subject, message_id: of
    that email. turn: the short name of the turn when they were asked back, "" before the game began.
    confirmed: whether the GM has said YES. left_out: the number of commands beyond the limit.
    """

    letter: str
    game: GameName
    address: Address
    lines: tuple[str, ...]
    at: Instant
    subject: str = ""
    message_id: str | None = None
    turn: str = ""
    confirmed: bool = False
    left_out: Count = 0


MarkSort = Literal["in-time", "late", "missed", "taken-over"]
"""In time: before the deadline or in its grace period. Late: the turn had to wait for the orders."""


class TurnMark(Record, frozen=True, kw_only=True):
    """A mark for turning up. turn: its short name. at: when it ran, or when the seat was taken over."""

    turn: Line
    seat: SeatName
    sort: MarkSort
    at: Instant


class GameTurnout(Record, frozen=True, kw_only=True):
    """The marks of a player in one game, oldest first."""

    marks: tuple[TurnMark, ...] = ()

    def with_marks(self, new: Sequence[TurnMark]) -> "GameTurnout":
        """Return these marks and new ones. A turn that ran again after a rollback counts once."""
        again = {(mark.turn, mark.seat, mark.sort == "taken-over") for mark in new}
        kept = (mark for mark in self.marks if (mark.turn, mark.seat, mark.sort == "taken-over") not in again)
        return GameTurnout(marks=tuple(sorted((*kept, *new), key=lambda mark: (mark.at, mark.seat))))


class Poster(Record, frozen=True, kw_only=True):
    """The account that posts for a seat in its game's thread, proved by a word sent to its owner.

    address: of the player. place: the forum. name: of the account there, an address or a user name. used: the
    number of words used, including this one.
    """

    seat: SeatName
    address: str
    place: str
    name: str
    used: int
    since: Instant


REQUEST_LIFETIME_MS: Millis = 7 * DAY
"""How long a request waits for a reply."""


class EmailInDoubt(Record, frozen=True, kw_only=True):
    """An email that its apparent writer is asked about: they may not have sent it, or not to us.

    letter: its fingerprint. game, seat, turn: of its apparent writer. turn "": a finished request. stale: the
    turn of its reply address if that is over, otherwise "". is_press: it replies to press, and its writer is
    asked whether to send it.
    """

    letter: str
    game: str
    seat: SeatName
    turn: str
    stale: str = ""
    is_press: bool = False

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the text that represents it in a request."""
        return (_PRESS if self.is_press else _EMAIL, self.letter, self.game, self.seat, self.turn, self.stale)


FORGET_COMMAND = "FORGET ME"
"""The line of a request to be forgotten."""

FORGET_AFTER_MS: Millis = 7 * DAY
"""How long a person can take back that they want to be forgotten."""


_EMAIL, _PRESS, _GM = "?EMAIL", "?PRESS", "?GM"
"""A request stores no lines that begin with a question mark: a command begins with its verb."""


class GmCommands(Record, frozen=True, kw_only=True):
    """Commands of a GM that were asked back. turn: as in `GmJob`."""

    game: str
    turn: str
    commands: tuple[str, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the text that represents them in a request."""
        return (_GM, self.game, self.turn, *self.commands)


class Request(Record, frozen=True, kw_only=True):
    """A request of an unauthenticated sender. It is carried out when they reply to our email.

    mark: the reply names the request by it; "": an old request that no reply can name.
    """

    address: str
    lines: tuple[str, ...]
    at: Millis
    mark: str = ""

    @property
    def email(self) -> EmailInDoubt | None:
        """Return the email that its writer is asked about, or None if commands are waiting."""
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

    @property
    def gm_commands(self) -> GmCommands | None:
        """Return the commands that a GM is asked about, or None for another request."""
        if self.lines[:1] != (_GM,) or len(self.lines) < 4:
            return None
        _, game, turn, *commands = self.lines
        return GmCommands(game=game, turn=turn, commands=tuple(commands))

    @property
    def wishes(self) -> tuple[str, ...]:
        """Return the commands that wait for a reply, as their sender typed them. None for an email."""
        if self.email is not None:
            return ()
        return self.lines if (of_gm := self.gm_commands) is None else of_gm.commands


class PeopleRepository(Protocol):
    """The queries about people."""

    def person(self, address: str) -> Person | None:
        """Return the owner of an address, if they have told us their name, otherwise None."""

    def policy(self, game: str) -> GamePolicy:
        """Return the policy of a game, or the default policy if none was set."""

    def gms(self, game: str) -> GameGms:
        """Return the GMs of a game, or of one that is open for players."""

    def games_run_by(self, address: str) -> tuple[str, ...]:
        """Return the names of the games that an address is a GM of, sorted."""

    def turnouts(self, address: str) -> Mapping[str, GameTurnout]:
        """Return a player's marks for turning up, by game, also of deleted games."""

    def blocks(self, address: str) -> tuple[PlayerBlock, ...]:
        """Return the blocks of a player, oldest first."""

    def ban(self, address: str) -> Ban | None:
        """Return the ban of a person, or None."""

    def is_admitted(self, game: str, address: str) -> bool:
        """Return whether the GM has consented to a seat for a person in a game."""

    def names_of(self, address: str) -> tuple[str, ...]:
        """Return an address, and the hash that stands for it where its owner was forgotten."""

    def forgetting(self, address: str) -> Millis | None:
        """Return when the owner of an address will be forgotten, or None."""

    def personal_data(self, address: str, now: Millis) -> Mapping[str, Any]:
        """Return everything that is stored about the owner of an address, as plain values."""

    def private_games(self) -> frozenset[str]:
        """Return the names of the running and finished games that only their people may know of."""

    def offers(self) -> tuple[GameOffer, ...]:
        """Return the games that are open for players, by name."""

    def offer(self, name: str) -> GameOffer | None:
        """Return the open game with this name, or None."""

    def signups(self, game: str) -> tuple[Signup, ...]:
        """Return the sign-ups for a game or a seat of it, in the order of arrival."""

    def signed_up(self, address: str) -> tuple[Signup, ...]:
        """Return the sign-ups of an address, by game."""

    def observers(self, game: str) -> tuple[str, ...]:
        """Return the addresses of a game's observers."""

    def vacancies(self, game: str) -> tuple[Seat, ...]:
        """Return the open seats of a running game."""

    def vacant_seats(self) -> Mapping[str, tuple[Seat, ...]]:
        """Return the open seats of all games that have any, by game."""

    def votes(self, game: str) -> Mapping[Seat, Vote]:
        """Return the seats' votes for an end of the game in its current turn."""

    def absences(self, game: str) -> tuple[Absence, ...]:
        """Return the announced absences of a game's players, ordered by their start."""

    def press(self, game: str, since: Millis = 0) -> tuple[Press, ...]:
        """Return the press of a game written since an instant, oldest first."""

    def press_of(self, key: str) -> Press | None:
        """Return the press with a key, or None."""

    def held_press(self, game: str | None = None) -> tuple[HeldPress, ...]:
        """Return the queued press in the order of writing; of one game, or of all (None)."""

    def guesses(self, game: str, seat: Seat) -> Guesses:
        """Return the failed guesses at a seat's password."""

    def is_warned_of_copies(self, game: str, seat: Seat, address: str) -> bool:
        """Return whether a seat's player was warned that copies of emails show others the reply address."""

    def requests(self, address: str) -> tuple[Request, ...]:
        """Return the requests of an address that wait for a reply, oldest first."""

    def requests_by_mark(self, mark: str) -> tuple[Request, ...]:
        """Return the requests of any address that a reply names by this mark, oldest first."""

    def choices(self, game: str) -> tuple[LetterChoice, ...]:
        """Return the chosen forms of emails of a game's players, by seat and address."""

    def posters(self, game: str) -> tuple[Poster, ...]:
        """Return the posters for a game's seats, by seat, also those of former players."""

    def threads(self) -> Mapping[str, tuple[str, ...]]:
        """Return the names of the running games that are played in each forum, in order."""

    def subscription(self, address: str) -> Subscription | None:
        """Return the digest subscription of an address, or None if it never subscribed or cancelled."""

    def subscriptions(self) -> tuple[Subscription, ...]:
        """Return all subscribers to a digest, ordered by address."""


# The actions of people apart from orders: values that the database carries out, from emails or `gm`.


class PersonAction(Record, frozen=True, kw_only=True, tag=True):
    """Any action about people: one of `AnyPersonAction`. by: its actor. why: the reason, for the log."""

    by: str
    why: str = ""


class NotePerson(PersonAction, frozen=True, kw_only=True):
    """A person's new name, time zone and consent, replacing the old ones."""

    person: Person


class ChooseLetters(PersonAction, frozen=True, kw_only=True):
    """The player of a seat chooses the form of their emails. None: unchanged."""

    game: str
    seat: Seat
    address: str
    detail: Detail | None = None
    reasons: Reasons | None = None
    every: Every | None = None
    maps: Maps | None = None
    sheets: Sheets | None = None


class KeepChoice(PersonAction, frozen=True, kw_only=True):
    """Replace all of a player's choices."""

    game: str
    choice: LetterChoice


class NoteUntold(PersonAction, frozen=True, kw_only=True):
    """Set the first log entry that hasn't been reported to a seat's player. None: everything was reported."""

    game: str
    seat: Seat
    address: str
    untold: int | None


class ChooseDigest(PersonAction, frozen=True, kw_only=True):
    """Set how often a person gets a digest. The first one comes at the next digest time."""

    address: str
    digest: Digest
    at: Millis


class NoteDigest(PersonAction, frozen=True, kw_only=True):
    """Record that a digest was checked. before: the time of the check before."""

    address: str
    before: Millis
    at: Millis


class SignUp(PersonAction, frozen=True, kw_only=True):
    """A person joins a game, or changes their wishes."""

    signup: Signup


class SignOut(PersonAction, frozen=True, kw_only=True):
    """A person leaves an open game or a waiting list."""

    game: str
    address: str


class SetPlayerBlocks(PersonAction, frozen=True, kw_only=True):
    """Replace all blocks of a player. before: those stored until now."""

    address: str
    before: tuple[PlayerBlock, ...]
    blocks: tuple[PlayerBlock, ...]


class SetPlayerBan(PersonAction, frozen=True, kw_only=True):
    """The GM bans a person from further games. ban None: they may play again."""

    address: str
    ban: Ban | None


class AdmitPlayer(PersonAction, frozen=True, kw_only=True):
    """The GM consents to a seat for a person who has to wait for that."""

    game: str
    address: str


class Watch(PersonAction, frozen=True, kw_only=True):
    """A person begins or stops observing a game."""

    game: str
    address: str
    watches: bool = True


class SetCustoms(PersonAction, frozen=True, kw_only=True):
    """Set a game's policy."""

    game: str
    customs: GamePolicy


class MakeOffer(PersonAction, frozen=True, kw_only=True):
    """Open a game for players."""

    offer: GameOffer
    at: Millis


class DropOffer(PersonAction, frozen=True, kw_only=True):
    """Close an open game and delete its sign-ups."""

    name: str


class OfferSeat(PersonAction, frozen=True, kw_only=True):
    """Open a seat of a running game. The waiting list comes first."""

    game: str
    seat: Seat
    at: Millis


class FillSeat(PersonAction, frozen=True, kw_only=True):
    """Close an open seat. must: raise if it isn't open now."""

    game: str
    seat: Seat
    must: bool = False


class CastVote(PersonAction, frozen=True, kw_only=True):
    """A seat votes for an end of the game, in this turn."""

    game: str
    turn: str
    vote: Vote


class TakeVoteBack(PersonAction, frozen=True, kw_only=True):
    """A seat withdraws its vote."""

    game: str
    seat: Seat


class NoteAbsence(PersonAction, frozen=True, kw_only=True):
    """A player announces an absence, replacing the last one. absence None: they are back."""

    game: str
    seat: Seat
    absence: Absence | None


class SendPress(PersonAction, frozen=True, kw_only=True):
    """A person writes to others. key: identifies it forever, so that it is sent once."""

    game: str
    press: Press
    key: str


class HoldPress(PersonAction, frozen=True, kw_only=True):
    """Queue press for a reader, to be sent together with more.

    key: of the press. at: the start of the wait.
    """

    game: str
    key: str
    reader: str
    at: Millis


class ReleasePress(PersonAction, frozen=True, kw_only=True):
    """Send queued press to its reader. keys: of the press, which must be queued now."""

    game: str
    keys: tuple[str, ...]
    reader: str


class KnowPoster(PersonAction, frozen=True, kw_only=True):
    """Record the poster of a seat. before: the number of words used until now."""

    game: str
    poster: Poster
    before: int


class ForgetPoster(PersonAction, frozen=True, kw_only=True):
    """Remove the poster of a seat."""

    game: str
    seat: Seat


class Invite(PersonAction, frozen=True, kw_only=True):
    """Invite a person to a game. The only effect is the email."""

    game: str
    address: str


def invitation_key(game: str, address: str) -> str:
    """Return the key of the one email that invites an address to a game."""
    return f"{game}/invite/{address}"


def refusal_key(address: str) -> str:
    """Return the key of the email that confirms the wish for no invitations. It also records the wish."""
    return f"no-invitations/{address}"


class TellGamesmaster(PersonAction, frozen=True, kw_only=True):
    """Send the GM an email, with no other effect. key: identifies it forever, so it is sent once."""

    key: str
    subject: str
    paragraphs: tuple[str, ...]


QUESTION = "meant-for-us/"
"""The prefix of the keys of emails that ask players about an email: whether they sent it, and to us."""


class AskBack(PersonAction, frozen=True, kw_only=True):
    """An unauthenticated request waits for a reply by its sender. There can be several."""

    request: Request


class NoteGuesses(PersonAction, frozen=True, kw_only=True):
    """Set the counted guesses at a seat's password. before: the count stored until now."""

    game: str
    seat: Seat
    before: Guesses
    after: Guesses


class NoteCopyWarning(PersonAction, frozen=True, kw_only=True):
    """The player of a seat was warned that a copy of an email shows others the reply address."""

    game: str
    seat: Seat
    address: str


class Answered(PersonAction, frozen=True, kw_only=True):
    """Remove the request with this mark."""

    address: str
    mark: str


class NoteSignature(PersonAction, frozen=True, kw_only=True):
    """A signed email was accepted. Its signed content counts in no other email.

    content: the hash of the signed content. letter: the fingerprint of the email. at: when it was read.
    """

    content: str
    letter: str
    at: Millis


class NoteTurnout(PersonAction, frozen=True, kw_only=True):
    """Add marks for turning up to those of a player in a game."""

    address: str
    game: str
    marks: tuple[TurnMark, ...]


class AskToForget(PersonAction, frozen=True, kw_only=True):
    """Ask the owner of an address by email whether they want to be forgotten. Only their YES proves it."""

    request: Request


class ScheduleForgetting(PersonAction, frozen=True, kw_only=True):
    """Forget a person at an instant, unless they take it back. due None: they have taken it back.

    at: the time of the action. An address is kept from then on as if its owner had written. tried: when we
    first tried to forget them, if emails had to go out first.
    """

    address: str
    due: Millis | None
    at: Millis
    tried: Millis | None = None


class SetGms(PersonAction, frozen=True, kw_only=True):
    """Set the GMs of a game and their looks. before: those stored until now."""

    game: str
    before: GameGms
    after: GameGms


class QueueGmJob(PersonAction, frozen=True, kw_only=True):
    """Queue commands of a GM, to be carried out when emails have been read."""

    job: GmJob


class ConfirmEmail(PersonAction, frozen=True, kw_only=True):
    """Read a quarantined email, because its writer has confirmed it. letter: its fingerprint."""

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
    | NoteTurnout
    | SetPlayerBlocks
    | SetPlayerBan
    | AdmitPlayer
    | AskToForget
    | ScheduleForgetting
    | SetGms
    | QueueGmJob
)


# Press that is queued to be sent together: its text, its reader, and the time of sending.


MAX_PRESS_PER_HOUR = 5
"""The number of press emails per hour that a seat's reader gets at once. Further press is queued."""

BATCH_EVERY_MS: Millis = 30 * MINUTE
"""The longest time in the queue."""

_LAST_MINUTE_MS: Millis = MINUTE


def is_read_by(press: Press, reader: str) -> bool:
    """Return whether a reader gets this press by email. Writers don't get their own."""
    if reader == GAMESMASTER_SEAT or press.to == (GAMESMASTER_SEAT,):
        return reader == GAMESMASTER_SEAT and press.to == (GAMESMASTER_SEAT,)
    return press.is_heard_by(None if "@" in reader else Seat(reader)) and press.seat != reader


def has_to_wait(press: Press, reader: str, earlier: Iterable[Press], held: Iterable[HeldPress]) -> bool:
    """Return whether to queue press: its reader got enough in the last hour, or some is queued already.

    earlier: the game's press before it. held: the game's queue. Grey press of all writers is counted
    together, so that the delay doesn't reveal which pieces have the same writer. The GM's press is never
    queued.
    """
    if press.seat is None:
        return False
    alike = [piece for piece in earlier if _is_alike(piece, press) and piece.at > press.at - HOUR]
    if sum(is_read_by(piece, reader) for piece in alike) >= MAX_PRESS_PER_HOUR:
        return True
    return any(waiting.reader == reader and _is_alike(waiting.press, press) for waiting in held)


def _is_alike(piece: Press, other: Press) -> bool:
    """Return whether two pieces of press have the same seat, as far as their readers know."""
    if piece.seat is None or piece.kind != other.kind:
        return False
    return piece.kind == "grey" or piece.seat == other.seat


def is_due(since: Millis, deadline: Millis | None, now: Millis, rounds: Millis = 0) -> bool:
    """Return whether to send press queued since then: after 30 minutes, and always before the deadline.

    The wait shrinks as the deadline approaches, and is zero from one minute before it. rounds: the interval
    of checks, if they are rare.
    """
    if deadline is None:
        return now >= since + BATCH_EVERY_MS
    waits = min(BATCH_EVERY_MS, max(0, deadline - since) // 2)
    return now >= since + waits or now + rounds >= deadline - _LAST_MINUTE_MS
