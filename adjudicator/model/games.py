"""A game's state in the database, its log, and the results of a deadline: only values.

Instants are milliseconds UTC. A game is identified by its name.
"""

import hashlib
import hmac
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import games
from adjudicator.clock import DAY, HOUR, MINUTE, Millis
from adjudicator.model.deadlines import Ballot, Deadlines, Solo, TableMotion, Timing
from adjudicator.model.orders_on_file import Filing, Item
from adjudicator.model.people import (
    Absence,
    Address,
    AnyPersonAction,
    Count,
    Instant,
    Line,
    Salt,
    SealedPassword,
    SeatName,
    Sha,
    ShaOrNone,
    Text,
)
from games.protocol import Due, Event, Game, GameResult, Options, OptionValue, Seat, State, Turn
from games.record import UNSET, Record, Unset, Value, canonical, plain, replace_fields, revive

# Suspensions: games that can't continue because of an error.


Sort = Literal["unreadable", "log", "turn"]
"""The problem: the game can't be read (its kind is missing, or a row is damaged); replaying its log with
the current version of its kind gives another result; or its turn can't be processed."""


class Suspension(Record, frozen=True, kw_only=True):
    """A game that is suspended until it can continue. Other games aren't affected.

    why, instead: the problem and the fix, for the GM. since: when it was recorded, None: not yet. tried: when
    the service last tried to continue, at the game's revision (rev) and with this rules version (`grounds`).
    """

    game: Line
    kind: Line
    sort: Sort
    why: Text
    instead: Text
    since: Instant | None = None
    tried: Instant = 0
    rev: Count = 0
    grounds: Text = ""

    @property
    def is_mail_deferred(self) -> bool:
        """Return whether its emails wait unread, because the installed rules could read them wrongly."""
        return self.sort != "turn"


class SeatAssignment(Record, frozen=True, kw_only=True):
    """A seat of one game, and its player.

    address None: the bot of this level plays. temper: the bot's temperament; "drawn": chosen by the dice.
    generation: raised to revoke reply tokens. password: the scrypt text. wait, ready: the player's last word
    for this turn. missed: the number of turns without orders. trouble: why emails to it are undeliverable.
    """

    seat: SeatName
    address: Address | None = None
    bot: Line | None = None
    temper: Line | None = None
    generation: Count = 1
    password: SealedPassword | None = None
    wait: bool = False
    ready: bool = False
    missed: Count = 0
    trouble: Text | None = None

    @property
    def is_person(self) -> bool:
        """Return whether a human player has the seat, so that emails ask for its orders."""
        return self.address is not None

    @property
    def lapse_key(self) -> str:
        """Return the key of this seat's player in `Timing.lapses`. A new player starts at zero."""
        return f"{self.seat}/{self.generation}"

    def with_player(self, address: str | None, password: str | None = None) -> "SeatAssignment":
        """Return the seat with a new player (None: a bot). password: sealed; None keeps the old one.

        If another human player had the seat, the generation is raised, which revokes that player's tokens.
        """
        moved = address != self.address
        return replace_fields(
            self,
            address=address,
            generation=self.generation + (1 if moved and self.is_person else 0),
            password=password or self.password,
            wait=self.wait and not moved,
            ready=self.ready and not moved,
            missed=0 if moved else self.missed,
            trouble=None if moved else self.trouble,
        )


class DiceRoll(Record, frozen=True, kw_only=True):
    """One roll of the dice: its label, the sides, the numbers (1..sides), and whether it was forced."""

    label: Line
    sides: Count
    numbers: tuple[Count, ...]
    forced: bool = False

    @property
    def is_by_bot(self) -> bool:
        """Return whether a bot rolled it, to choose between orders."""
        return self.label.startswith("bot/")


class FoundedGame(Record, frozen=True, kw_only=True):
    """A running game that a player began by email and plays in. bots: the level of each bot."""

    game: str
    kind: str
    bots: tuple[str | None, ...]


class LogEntry(Record, frozen=True, kw_only=True):
    """One entry of a game's log: only inputs. Every state can be computed again from them.

    number: from 0 (the set-up), never used twice. kind: "setup", "turn", "end" (agreed; its options are
    winners and reason), or an override, described in the options. turn: the short name of the turn that was
    processed or is due. orders: by seat, in canonical form. throws: all rolls. reasons: the bots' reasons by
    seat and written order. silent: human players' seats that sent no orders although they were due. at: the
    time. by: "gm" (and a name), "clock", a seat, "sign-up" or "import", never an address. state_sha: of the
    state after it. previous_sha: of the entry before, "" for the first.

    salts: of its private parts (`private_parts`), by name. withheld: the digests of parts that are left out
    here. Older logs have neither: their entries were hashed without salts. recorded: the hash of an older
    entry with a part left out, because it can't be computed again. variant: the digest of the edition of its
    variant that the game is played by, in its first entry. A game that began before this has it in the entry
    of its next turn, and a game without a variant nowhere. stand_ins: by seat, why the game's own level
    ordered in place of the GM's own bot.
    """

    number: Count
    kind: Line
    turn: Line
    at: Instant
    options: dict[str, Any] = {}
    orders: dict[str, list[Any]] = {}
    throws: tuple[DiceRoll, ...] = ()
    reasons: dict[str, dict[str, str]] = {}
    silent: tuple[str, ...] = ()
    by: Text = "clock"
    why: Text = ""
    state_sha: Sha
    previous_sha: ShaOrNone
    salts: dict[str, Salt] | Unset = UNSET
    withheld: dict[str, Sha] | Unset = UNSET
    recorded: Sha | Unset = UNSET
    variant: Sha | Unset = UNSET
    stand_ins: dict[str, Line] | Unset = UNSET

    @property
    def sha(self) -> str:
        """Return the hash that the next entry contains.

        Private parts count by their digests.
        """
        if isinstance(self.recorded, str):
            return self.recorded
        return hashlib.sha256(self.hash_input).hexdigest()

    @property
    def hash_input(self) -> bytes:
        """Return the input of SHA-256 for its hash. A recorded hash isn't computed from it."""
        bare = self.without(tuple(self.salts)) if isinstance(self.salts, dict) else self
        return canonical(replace_fields(bare, by="") if self.is_sealed else bare)

    @property
    def is_sealed(self) -> bool:
        """Return whether a part can be left out and the hash still be computed."""
        return isinstance(self.salts, dict) or isinstance(self.withheld, dict)

    def with_salts(self, pepper: bytes) -> "LogEntry":
        """Return the entry with salts for its private parts. Without a pepper it is unchanged.

        pepper: a secret of the game that is never published.
        """
        if not pepper:
            return self
        salts = {
            part: hmac.digest(pepper, f"{self.number}|{part}".encode(), "sha256")[:_SALT_BYTES].hex()
            for part in private_parts(self.kind)
        }
        return replace_fields(self, salts=salts)

    def without(self, parts: Collection[str]) -> "LogEntry":
        """Return the entry without some private parts. An older entry gets its hash recorded."""
        salts = self.salts if isinstance(self.salts, dict) else {}
        known = salts if self.is_sealed else private_parts(self.kind)
        there = [part for part in known if part in parts]
        if not there:
            return self
        fields: dict[str, Any] = {part: "" for part in ALWAYS_PRIVATE if part in there}
        if BOTS_PART in there:
            fields |= {"reasons": {}, "throws": tuple(roll for roll in self.throws if not roll.is_by_bot)}
        # An option that is left out becomes the empty value of its type.
        fields["options"] = {
            key: type(value)() if key in there and key not in ALWAYS_PRIVATE else value
            for key, value in self.options.items()
        }
        if not self.is_sealed:
            return replace_fields(self, recorded=self.sha, **fields)
        digests = {
            part: hashlib.sha256(digest_input(part, salts[part], self.part(part))).hexdigest()
            for part in there
        }
        before = self.withheld if isinstance(self.withheld, dict) else {}
        remaining = {part: salt for part, salt in salts.items() if part not in there}
        return replace_fields(self, salts=remaining or UNSET, withheld={**before, **digests}, **fields)

    def part(self, name: str) -> Any:
        """Return a private part as a plain value."""
        if name == BOTS_PART:
            throws = [[place, plain(roll)] for place, roll in enumerate(self.throws) if roll.is_by_bot]
            return {"reasons": plain(self.reasons), "throws": throws}
        return getattr(self, name) if name in ALWAYS_PRIVATE else self.options.get(name)


class BoundEdition(Record, frozen=True, kw_only=True):
    """An edition of its variant that a game is played by. since: the number of the first entry by it."""

    since: Count
    sha: Sha


@dataclass(frozen=True)
class GamePosition:
    """The current state of a game: everything needed to read an email for it or to process its turn.

    entries: the number of log entries. rev: raised by every change that affects the next turn. head_sha: of
    the last entry. filed: by seat, the saved orders for the current and coming turns. secret: of the dice.
    agreed: the result, if the players or the GM ended the game. timing: of its clock. absences: announced by
    its players. played: the number of counted turns. by_hand: the number of log entries that the dice skip.
    forced: results set by the GM and not rolled yet, by label. pepper: the source of its log's salts. proven:
    the rules version that last verified its log. stuck: why it can't continue, if so. editions: of its
    variant that it was and is played by, the latest last; none for a game without a variant. copies: the
    games of those editions that aren't installed, by digest.
    """

    name: str
    kind: str
    options: Options
    status: str
    entries: int
    rev: int
    head_sha: str
    state: State
    filed: Mapping[Seat, tuple[Item, ...]]
    assignments: Mapping[Seat, SeatAssignment]
    deadline: Millis | None
    deadlines: Deadlines
    early: bool
    secret: bytes = field(repr=False)
    agreed: GameResult | None = None
    timing: Timing = field(default_factory=Timing)
    absences: tuple[Absence, ...] = ()
    played: int = 0
    by_hand: int = 0
    forced: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    pepper: bytes = field(default=b"", repr=False)
    proven: str = ""
    stuck: Suspension | None = None
    editions: tuple[BoundEdition, ...] = ()
    copies: Mapping[str, Game] = field(default_factory=dict, repr=False)

    @property
    def game(self) -> Game:
        """Return the game that it is played by: the edition of its variant, or else its installed kind.

        Raises KeyError if its kind isn't there.
        """
        copy = self.copies.get(self.editions[-1].sha) if self.copies and self.editions else None
        return copy or games.kinds()[self.kind]

    def game_at(self, number: int) -> Game:
        """Return the game that an entry of its log was played by. Raises KeyError like `game`."""
        earlier = [edition for edition in self.editions if edition.since <= number]
        copy = self.copies.get(earlier[-1].sha) if self.copies and earlier else None
        return copy or games.kinds()[self.kind]

    @property
    def is_mail_deferred(self) -> bool:
        """Return whether the game is suspended and its emails wait unread."""
        return self.stuck is not None and self.stuck.is_mail_deferred

    @property
    def dice_number(self) -> int:
        """Return the number for the dice of the next turn. Overrides don't change it."""
        return self.entries - self.by_hand

    @property
    def is_running(self) -> bool:
        """Return whether turns still run."""
        return self.status == "running"


def outcome_of(game: Game, position: GamePosition) -> GameResult | None:
    """Return the result, by agreement or by the rules, or None while the game is running."""
    return position.agreed or game.rules.result(position.state)


class PlayedTurn(Value, frozen=True):
    """One processed turn: its log entry, its name, the states around it, and its events.

    passed: by seat, queued orders that were dropped because their condition was false. dropped: by seat, the
    orders left over when the span of turns that they planned was over.
    """

    entry: LogEntry
    turn: Turn
    before: State
    after: State
    events: tuple[Event, ...]
    passed: Mapping[Seat, tuple[Filing, ...]] = {}
    dropped: Mapping[Seat, tuple[Item, ...]] = {}


class AdjudicationResult(Value, frozen=True):
    """The results of one deadline or one email.

    filed: the remaining saved orders. deadline: of the turn due now, None at the end. timing: of the clock.
    unattended: without a clock, when the bots go on because the human player is out of the game.
    """

    steps: tuple[PlayedTurn, ...]
    state: State
    filed: Mapping[Seat, tuple[Item, ...]]
    due: tuple[Due, ...]
    result: GameResult | None
    deadline: Millis | None
    timing: Timing = Timing()
    unattended: Millis | None = None


# Acts: changes to games by emails, `gm` and the clock, as values. The storage carries them out.


class Act(Record, frozen=True, kw_only=True, tag=True):
    """Any change to a game, by email, `gm` or clock. by: its actor. why: the reason, for the log."""

    game: str
    by: str
    why: str = ""


class FileOrders(Act, frozen=True, kw_only=True):
    """Save this complete set of orders for a seat.

    turn: the turn when they were sent. orders: in the form of `orders_on_file.pack_items`.
    """

    seat: Seat
    turn: str
    orders: tuple[Any, ...]


class TakeSeat(Act, frozen=True, kw_only=True):
    """Give a seat to a player (address None: to its bot). password: a new one, sealed, or None."""

    seat: Seat
    address: str | None
    password: str | None = None


class SetBot(Act, frozen=True, kw_only=True):
    """Give a seat without a player this bot. level None: the weakest. temper None: none."""

    seat: Seat
    level: str | None
    temper: str | None = None


class SetPassword(Act, frozen=True, kw_only=True):
    """A seat's player chooses a password, in clear: the service seals it before it is written anywhere."""

    seat: Seat
    password: str


class Rekey(Act, frozen=True, kw_only=True):
    """Revoke a seat's reply tokens and issue new ones, because another person has seen one.

    why: where it was seen, for the player. quietly: the reply to the player's own email already says this.
    seen: the generation of the leaked token if it is from before a restore, otherwise 0.
    """

    seat: Seat
    quietly: bool = False
    seen: int = 0


class SetWait(Act, frozen=True, kw_only=True):
    """Set or cancel WAIT for a seat. turn: the turn that it is for, None: the current one."""

    seat: Seat
    wait: bool
    turn: str | None = None


class SetReady(Act, frozen=True, kw_only=True):
    """Set or cancel READY for a seat. turn: as in SetWait."""

    seat: Seat
    ready: bool
    turn: str | None = None


class ResetIdleTimer(Act, frozen=True, kw_only=True, tag="Stir"):
    """The player of a seat has written in a game without a clock: reminders count from now."""

    seat: Seat
    at: Millis


class BeginGame(Act, frozen=True, kw_only=True):
    """A player begins a game and takes a seat in it; bots play the others.

    by: the player's address. options: of the game. level, temper: of all bots, as in SetBot. solo: whether
    the player wants a clock, None: the service's default. The service creates the dice secret and the seat's
    password.
    """

    kind: str
    options: dict[str, OptionValue]
    seat: Seat
    level: str | None = None
    temper: str | None = None
    solo: Solo | None = None


class CastBallot(Act, frozen=True, kw_only=True):
    """A seat votes for a motion in this turn. length: of an extension. at: the time.

    turn: as in SetWait. moves: whether the motion is new, so that the other players get the news.
    """

    seat: Seat
    turn: str
    motion: TableMotion
    length: Millis
    at: Millis
    moves: bool

    @property
    def ballot(self) -> Ballot:
        """Return the vote as a game's clock holds it."""
        return Ballot(seat=self.seat, motion=self.motion, length=self.length, at=self.at)


class TakeBallotsBack(Act, frozen=True, kw_only=True):
    """A seat withdraws its votes for motions."""

    seat: Seat


class EndGame(Act, frozen=True, kw_only=True):
    """End a game by a draw, a concession or the GM's decision. turn: as in SetWait."""

    result: GameResult
    turn: str | None = None


class TakeBack(Act, frozen=True, kw_only=True):
    """Undo a solo player's last action, before the rest of the email is processed.

    to: the number of the entry that becomes the last counted one. rev: the game's revision at the decision.
    at: the time, in milliseconds UTC.
    """

    seat: Seat
    rev: int
    to: int
    at: int


SeatAct = (
    FileOrders
    | TakeSeat
    | SetBot
    | SetPassword
    | Rekey
    | SetWait
    | SetReady
    | ResetIdleTimer
    | BeginGame
    | TakeBack
    | CastBallot
    | TakeBallotsBack
)
"""The acts on one seat of a game."""

AnyAct = SeatAct | EndGame | AnyPersonAction
"""All acts. Chains over them end with `assert_never`, so mypy finds the places that a new one needs."""


# Overrides: the GM's changes to a game, as log entries, by kind.


PLAYED_KINDS = ("setup", "turn")
"""The log's names for entries made by the rules."""


class Override(Record, frozen=True, kw_only=True, tag=True):
    """One override by the GM. Its entry records the actor, the time and the reason.

    silent: the next report doesn't mention it.
    """

    silent: bool = False


class Edited(Override, frozen=True, kw_only=True):
    """A change of the state. edit: plain, for the game's `Edits`. text: as it is written."""

    edit: Any
    text: str


class Undone(Override, frozen=True, kw_only=True):
    """Undo of an earlier override in the same turn. number: of its entry."""

    number: int


class RolledBack(Override, frozen=True, kw_only=True):
    """A rollback to the state after an earlier entry. to: its number.

    before: by seat, the saved orders until then, as `pack_items` gives them.
    """

    to: int
    before: dict[str, tuple[Any, ...]] = {}


class DieForced(Override, frozen=True, kw_only=True):
    """The next roll with a label will show these numbers."""

    label: str
    numbers: tuple[int, ...]


class OrdersSet(Override, frozen=True, kw_only=True):
    """The GM entered a seat's orders.

    before, orders: all saved orders before and after, as `pack_items` gives them. texts: the orders as they
    are written.
    """

    seat: Seat
    before: tuple[Any, ...]
    orders: tuple[Any, ...]
    texts: tuple[str, ...]


class VariantUpdated(Override, frozen=True, kw_only=True):
    """The game goes on by another edition of its variant. before, sha: the digests of both editions."""

    before: str
    sha: Sha


AnyOverride = Edited | Undone | RolledBack | DieForced | OrdersSet | VariantUpdated

OVERRIDE_KINDS: dict[str, type[Override]] = {
    "edit": Edited,
    "undo": Undone,
    "rollback": RolledBack,
    "die": DieForced,
    "orders": OrdersSet,
    "variant": VariantUpdated,
}
"""The log's name for each kind of entry."""


def is_counted(kind: str) -> bool:
    """Return whether entries of this kind give the following turns other dice: all except overrides.

    If overrides counted, the GM could make them to get another result. A turn that runs again after a
    rollback gets other dice, because its first run counts.
    """
    return kind not in OVERRIDE_KINDS


def kind_of(override: Override) -> str:
    """Return the log's name for an override's entry."""
    return next(kind for kind, override_type in OVERRIDE_KINDS.items() if type(override) is override_type)


def content(override: Override) -> dict[str, Any]:
    """Return an override as its entry stores it."""
    fields: dict[str, Any] = plain(override)
    return fields


def read_override(kind: str, options: dict[str, Any]) -> AnyOverride | None:
    """Return the override of an entry, or None if it isn't one. Raises Malformed."""
    override: AnyOverride | None = revive(OVERRIDE_KINDS[kind], options) if kind in OVERRIDE_KINDS else None
    return override


def struck_out(overrides: Mapping[int, AnyOverride | None]) -> frozenset[int]:
    """Return the edits of a turn that a rollback removed, by the numbers of their entries.

    Undos of those are removed with them. Orders and dice set by the GM stay.
    """
    gone = {override.number for override in overrides.values() if isinstance(override, Undone)}
    back = max(
        (n for n, override in overrides.items() if isinstance(override, RolledBack) and n not in gone),
        default=0,
    )
    edits = {
        number for number, override in overrides.items() if isinstance(override, Edited) and number < back
    }
    taken = {
        number
        for number, override in overrides.items()
        if isinstance(override, Undone) and override.number in edits
    }
    return frozenset(edits | taken)


# The times of the next checks of games, open games and digests.
#
# An instant in milliseconds UTC, or one of these. `due_actions` computes them, `due_games` stores them.


CHECK_AT_ONCE: Millis = 0
"""Something has changed: check at once."""

CHECK_AGAIN: Millis = -1
"""Like CHECK_AT_ONCE, for a change that doesn't raise the game's `rev`: an absence, a sign-up."""

CHECK_AFTER_POLL: Millis = 1 << 62
"""Check after the next poll: a turn's deadline needs the emails first."""

MAX_CHECK_INTERVAL_MS: Millis = DAY
"""Everything is checked after at most this time. Up to CHECK_SPREAD_MS is added, so that games aren't all
checked at once."""

CHECK_SPREAD_MS: Millis = 6 * HOUR

FAILED_CHECK_INTERVAL_MS: Millis = MINUTE
"""How long until an action that failed because of a bug is tried again."""


class DueCheck(Value, frozen=True):
    """The result of checking a game: nothing is due before an instant, at this revision.

    rev None: any revision. drained: the instant of `inbox.read_until`, if the game waits for emails.
    """

    game: str
    rev: int | None
    again: Millis
    drained: Millis | None = None


# The private parts of a log, and leaving them out of a log that can still be verified.
#
# In the hash of an entry, each private part is replaced by a digest of a salt and the part. A reader with the
# salt can check the part. The digest alone reveals nothing and is enough to check the chain.


ALWAYS_PRIVATE = ("by", "why")
"""Private in every entry: the actor and their reason."""

SOMEBODY, GAMESMASTER = "player", "gm"
"""The name of an entry's author where the real one is left out."""

BOTS_PART = "bots"
"""Private in a turn while its game is running: the bots' reasons and rolls."""

PRIVATE_BY_KIND = {
    "turn": (BOTS_PART,),
    "orders": ("before", "orders", "texts"),
    "rollback": ("before",),
    "die": ("label", "numbers"),
}
"""Other private parts, by the kind of entry: saved orders, and dice not rolled yet."""

_SALT_BYTES = 16


def private_parts(kind: str) -> tuple[str, ...]:
    """Return the names of the private parts of this kind of entry."""
    return (*ALWAYS_PRIVATE, *PRIVATE_BY_KIND.get(kind, ()))


def digest_input(part: str, salt: str, value: Any) -> bytes:
    """Return the input of SHA-256 for the digest that replaces a part. value: plain."""
    return canonical([part, salt, value])
