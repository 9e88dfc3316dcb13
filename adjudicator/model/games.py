"""A game as it stands in the database, its log, and what one deadline sets in motion: values only.

Instants are milliseconds UTC. A game's name stands for it everywhere.
"""

import hashlib
import hmac
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from adjudicator.clock import DAY, HOUR, MINUTE, Millis
from adjudicator.model.deadlines import Deadlines, Solo, Timing
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

# Suspensions: games that cannot go on because of an error.


Sort = Literal["unreadable", "log", "turn"]
"""What is wrong: it cannot be read (its kind is not there, or a row of it is damaged); its log comes out
otherwise when it is played again by what its kind is now; its turn cannot be played."""


class Suspension(Record, frozen=True, kw_only=True):
    """A game that is suspended until it can go on, while all others play on.

    why, instead: what is wrong and what to do, for the GM. since: when it was noted, None: not yet;
    tried: when it was last tried to go on, at which revision of the game (rev) and by what (`grounds`).
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
        """Return whether letters to it wait unread: rules that are not its own would read them wrongly."""
        return self.sort != "turn"


class SeatAssignment(Record, frozen=True, kw_only=True):
    """A seat of one game and who sits there.

    address None: nobody, and the bot of that level plays; temper: in which manner, "drawn" where the dice
    decide. generation: raised to make old reply tokens void. password: the scrypt text of the seat's
    password. wait, ready: what its player last said for this turn. missed: turns for which orders were owed
    and none came. trouble: why its letters came back, if they do.
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
        """Return whether a person holds the seat, so that emails ask for its orders."""
        return self.address is not None

    @property
    def lapse_key(self) -> str:
        """Under which `Timing.lapses` counts the silence of whoever sits there: another begins afresh."""
        return f"{self.seat}/{self.generation}"

    def with_player(self, address: str | None, password: str | None = None) -> "SeatAssignment":
        """The chair after somebody sat down (None: a bot). password: a new one, sealed; None keeps the old.

        Where it was another person's, the generation is raised: tokens mailed to that person die.
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
    """A running game that somebody began by mail and plays in. bots: the level of each of its bots."""

    game: str
    kind: str
    bots: tuple[str | None, ...]


class LogEntry(Record, frozen=True, kw_only=True):
    """One line of a game's log: inputs only, from which every state can be computed again.

    number: from 0 (the set-up), never used twice; kind: "setup", "turn", "end" (an agreed one, whose options
    are its winners and reason), or what a GM did by hand, as `overrides` reads it in the options;
    turn: the short name of the turn played, or of the one that is due; orders: by seat, in canonical plain
    form; throws: all dice; reasons: what the bots said of their orders, by seat and written
    order; silent: seats of people that owed orders and sent none; at: when it was played; by: "gm" (and a
    name), "clock", a seat, "sign-up" or "import", never an address; state_sha: of the state after it;
    previous_sha: of the entry before, "" for the first.

    salts: of its private parts (`seals`), by their names; withheld: the digests of those that are left out
    here. Older logs have neither: their entries were hashed as they are. recorded: the hash of such an entry
    where something is left out of it, which nobody can compute again.
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

    @property
    def sha(self) -> str:
        """The hash by which the next entry names this one: of itself, with all that is private left out."""
        if isinstance(self.recorded, str):
            return self.recorded
        return hashlib.sha256(self.hash_input).hexdigest()

    @property
    def hash_input(self) -> bytes:
        """Return the bytes whose SHA-256 is its hash, unless a hash is recorded instead."""
        bare = self.without(tuple(self.salts)) if isinstance(self.salts, dict) else self
        return canonical(replace_fields(bare, by="") if self.is_sealed else bare)

    @property
    def is_sealed(self) -> bool:
        """Return whether a part can be left out of it, and its hash computed all the same."""
        return isinstance(self.salts, dict) or isinstance(self.withheld, dict)

    def with_salts(self, pepper: bytes) -> "LogEntry":
        """Return the entry with salts for its private parts. No pepper: as it is."""
        if not pepper:
            return self
        salts = {part: derive_salt(pepper, self.number, part) for part in private_parts(self.kind)}
        return replace_fields(self, salts=salts)

    def without(self, parts: Collection[str]) -> "LogEntry":
        """The entry with some private parts left out. Of an older one the hash is recorded instead."""
        salts = self.salts if isinstance(self.salts, dict) else {}
        known = salts if self.is_sealed else private_parts(self.kind)
        there = [part for part in known if part in parts]
        if not there:
            return self
        if not self.is_sealed:
            return replace_fields(self._blank(there), recorded=self.sha)
        digests = {part: digest_part(part, salts[part], self.part(part)) for part in there}
        before = self.withheld if isinstance(self.withheld, dict) else {}
        remaining = {part: salt for part, salt in salts.items() if part not in there}
        return replace_fields(self._blank(there), salts=remaining or UNSET, withheld={**before, **digests})

    def part(self, name: str) -> Any:
        """A private part as a plain value."""
        if name == BOTS_PART:
            throws = [[place, plain(roll)] for place, roll in enumerate(self.throws) if roll.is_by_bot]
            return {"reasons": plain(self.reasons), "throws": throws}
        return getattr(self, name) if name in ALWAYS_PRIVATE else self.options.get(name)

    def _blank(self, parts: Collection[str]) -> "LogEntry":
        fields: dict[str, Any] = {part: "" for part in ALWAYS_PRIVATE if part in parts}
        if BOTS_PART in parts:
            fields |= {"reasons": {}, "throws": tuple(roll for roll in self.throws if not roll.is_by_bot)}
        options = {
            key: blank_value(value) if key in parts and key not in ALWAYS_PRIVATE else value
            for key, value in self.options.items()
        }
        return replace_fields(self, options=options, **fields)


@dataclass(frozen=True)
class GamePosition:
    """A game as it stands in the database: all that is needed to read a letter for it or to play its turn.

    entries: how many the log has; rev: raised by everything that changes what a turn would be played from;
    head_sha: of the last entry; filed: by seat, what is on file for the present turn and for turns to come;
    secret: of the dice; agreed: how it ended, where that was agreed upon and not by its rules;
    timing: how its clock stands; absences: that its players have announced; played: how many turns that count
    were played; by_hand: how many entries of the log the dice leave out; forced: dice that a GM has
    set and nobody has thrown yet, by label; pepper: from which the salts of its log are made; proven: by what
    its log was last found to lead to its state; stuck: why it cannot go on, if it cannot.
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

    @property
    def is_mail_deferred(self) -> bool:
        """Return whether the game is suspended so that letters to it wait unread."""
        return self.stuck is not None and self.stuck.is_mail_deferred

    @property
    def dice_number(self) -> int:
        """Return the number under which the dice of the next turn are rolled, whatever is done by hand."""
        return self.entries - self.by_hand

    @property
    def is_running(self) -> bool:
        """Return whether turns are still played."""
        return self.status == "running"


def outcome_of(game: Game, position: GamePosition) -> GameResult | None:
    """Return the result of a game: by agreement, or by its rules; None while it lasts."""
    return position.agreed or game.rules.result(position.state)


class PlayedTurn(Value, frozen=True):
    """One turn played: the entry that logs it, the turn's name, the states around it, and what happened.

    passed: by seat, queued orders that were left out for good, since their condition did not hold.
    dropped: by seat, those that were left over when what they were a plan for was over.
    """

    entry: LogEntry
    turn: Turn
    before: State
    after: State
    events: tuple[Event, ...]
    passed: Mapping[Seat, tuple[Filing, ...]] = {}
    dropped: Mapping[Seat, tuple[Item, ...]] = {}


class AdjudicationResult(Value, frozen=True):
    """Everything that one deadline, or one letter, set in motion.

    filed: what is left on file; deadline: of the turn that is due now, None at the end; timing: how its clock
    stands; unattended: without a clock, when bots go on, since the one person is out of the game.
    """

    steps: tuple[PlayedTurn, ...]
    state: State
    filed: Mapping[Seat, tuple[Item, ...]]
    due: tuple[Due, ...]
    result: GameResult | None
    deadline: Millis | None
    timing: Timing = Timing()
    unattended: Millis | None = None


# Acts: what letters, `gm` and the clock do to games, as values. The storage carries them out.


class Act(Record, frozen=True, kw_only=True, tag=True):
    """Anything that can be done to a game, by letter, `gm` or clock. by: who; why: for the log."""

    game: str
    by: str
    why: str = ""


class FileOrders(Act, frozen=True, kw_only=True):
    """All that a seat has on file from now on, said in that turn, as `filed_orders.pack_items` gives it."""

    seat: Seat
    turn: str
    orders: tuple[Any, ...]


class TakeSeat(Act, frozen=True, kw_only=True):
    """A person takes a seat (address None: leaves it to a bot). password: a new one, sealed, or None."""

    seat: Seat
    address: str | None
    password: str | None = None


class SetBot(Act, frozen=True, kw_only=True):
    """A seat that nobody holds has this bot from now on. level None: the weakest; temper None: none."""

    seat: Seat
    level: str | None
    temper: str | None = None


class SetPassword(Act, frozen=True, kw_only=True):
    """A seat's player chooses a password, in clear: the service seals it before it is written anywhere."""

    seat: Seat
    password: str


class Rekey(Act, frozen=True, kw_only=True):
    """A seat's reply tokens are void from now on, and it has others: somebody else has seen one.

    why: where it was seen, as its holder is told; quietly: the answer to his own letter tells him already.
    seen: the generation of the token that was seen, where it is one from before a restore; else 0.
    """

    seat: Seat
    quietly: bool = False
    seen: int = 0


class SetWait(Act, frozen=True, kw_only=True):
    """A seat asks to wait for the deadline, or no longer does. turn: said for that one; None: the present."""

    seat: Seat
    wait: bool
    turn: str | None = None


class SetReady(Act, frozen=True, kw_only=True):
    """A seat has said all it has to say for a turn, or takes that back. turn: as in SetWait."""

    seat: Seat
    ready: bool
    turn: str | None = None


class Stir(Act, frozen=True, kw_only=True):
    """The player of a seat has written, in a game without a clock: reminders count from then."""

    seat: Seat
    at: Millis


class BeginGame(Act, frozen=True, kw_only=True):
    """A game of a player's own is begun, and he takes a seat of it; bots play the others.

    by: his address; options: settled; level, temper: of all bots, as in SetBot; solo: whether he wants a
    clock, None: as the service has it. The service draws the secret of the dice and the password of the seat.
    """

    kind: str
    options: dict[str, OptionValue]
    seat: Seat
    level: str | None = None
    temper: str | None = None
    solo: Solo | None = None


class EndGame(Act, frozen=True, kw_only=True):
    """A game ends without its rules: by a draw, a concession, the GM's word. turn: as in SetWait."""

    result: GameResult
    turn: str | None = None


class TakeBack(Act, frozen=True, kw_only=True):
    """The last action of whoever plays alone is taken back, before anything else of his letter is done.

    to: the number of the entry after which the game stands then; rev: of the game in which that was decided;
    at: when, in milliseconds UTC.
    """

    seat: Seat
    rev: int
    to: int
    at: int


SeatAct = (
    FileOrders | TakeSeat | SetBot | SetPassword | Rekey | SetWait | SetReady | Stir | BeginGame | TakeBack
)
"""What is done to one seat of a game."""

AnyAct = SeatAct | EndGame | AnyPersonAction
"""All that can be done. Chains over them end with `assert_never`, so mypy names the places of a new one."""


# The changes that a GM makes to a game by hand, as its log holds them, by the kind of entry.


PLAYED_KINDS = ("setup", "turn")
"""What the log calls the entries that rules made."""


class Override(Record, frozen=True, kw_only=True, tag=True):
    """One change by a GM. Its entry tells who made it, when and why.

    silent: the next report passes over it.
    """

    silent: bool = False


class Edited(Override, frozen=True, kw_only=True):
    """The state was changed. edit: plain, as the game's `Edits` reads it; text: as it is written."""

    edit: Any
    text: str


class Undone(Override, frozen=True, kw_only=True):
    """An earlier override of the same turn was taken back. number: its entry's."""

    number: int


class RolledBack(Override, frozen=True, kw_only=True):
    """The game was put back to the state after an earlier entry. to: its number.

    before: by seat, what was on file until then, as `packed` gives it.
    """

    to: int
    before: dict[str, tuple[Any, ...]] = {}


class DieForced(Override, frozen=True, kw_only=True):
    """The next throw of a label shows these numbers."""

    label: str
    numbers: tuple[int, ...]


class OrdersSet(Override, frozen=True, kw_only=True):
    """A seat's orders were filed by hand.

    before, orders: all that it had on file, and has, as `pack_items` gives it.
    texts: the orders as they are written.
    """

    seat: Seat
    before: tuple[Any, ...]
    orders: tuple[Any, ...]
    texts: tuple[str, ...]


AnyOverride = Edited | Undone | RolledBack | DieForced | OrdersSet

OVERRIDE_KINDS: dict[str, type[Override]] = {
    "edit": Edited,
    "undo": Undone,
    "rollback": RolledBack,
    "die": DieForced,
    "orders": OrdersSet,
}
"""What the log calls the entry of each."""


def is_counted(kind: str) -> bool:
    """Return whether the dice count an entry of that kind. Else a GM could try them without effect.

    A turn that is played again after a rollback has other dice all the same, since the first time counts.
    """
    return kind not in OVERRIDE_KINDS


def kind_of(override: Override) -> str:
    """Return the kind that the log gives the entry of an override."""
    return next(kind for kind, override_type in OVERRIDE_KINDS.items() if type(override) is override_type)


def content(override: Override) -> dict[str, Any]:
    """An override as its entry holds it."""
    fields: dict[str, Any] = plain(override)
    return fields


def read_override(kind: str, options: dict[str, Any]) -> AnyOverride | None:
    """The override of an entry, None for an entry that holds none. Raises Malformed."""
    override: AnyOverride | None = revive(OVERRIDE_KINDS[kind], options) if kind in OVERRIDE_KINDS else None
    return override


def undone_numbers(overrides: Iterable[AnyOverride | None]) -> frozenset[int]:
    """Return the numbers of the entries that were taken back."""
    return frozenset(override.number for override in overrides if isinstance(override, Undone))


def struck_out(overrides: Mapping[int, AnyOverride | None]) -> frozenset[int]:
    """Return the edits since a turn that a rollback struck out, by the numbers of their entries.

    What was taken back of those is struck out with them. Orders and dice that were set stay as they are.
    """
    gone = undone_numbers(overrides.values())
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


# The times at which games, offers of games and digests may become due.
#
# An instant in milliseconds UTC, or one of these. `referee.looking` computes
# them, `store.looks` stores them.


CHECK_AT_ONCE: Millis = 0
"""Something was changed: at the next look."""

CHECK_AGAIN: Millis = -1
"""As `AT_ONCE`, of something beside the game that raises no `rev`: an absence, a sign-up."""

CHECK_AFTER_POLL: Millis = 1 << 62
"""When the mailbox was looked through: until then no turn is played by its deadline."""

MAX_CHECK_INTERVAL_MS: Millis = DAY
"""After so long everything is looked at, whatever was reckoned, and up to `SPREAD` later: not all at once."""

CHECK_SPREAD_MS: Millis = 6 * HOUR

FAILED_CHECK_INTERVAL_MS: Millis = MINUTE
"""After so long what failed by a fault of ours is tried again."""


class DueCheck(Value, frozen=True):
    """The result of a check of a game: nothing is due before an instant, as it stood at a revision.

    rev None: whatever its revision, for nobody could tell. drained: up to when letters were read then,
    where it is for that that the game waits.
    """

    game: str
    rev: int | None
    again: Millis
    drained: Millis | None = None


# The private parts of a log, and how to leave them out without a gap in the verification.
#
# The hash of an entry covers, in the place of each private part, the digest of a salt and that part. Whoever
# has the salt can check the part; whoever has the digest alone learns nothing, and can check the chain.


ALWAYS_PRIVATE = ("by", "why")
"""Private of every entry: who it was, and what he said."""

BOTS_PART = "bots"
"""Private of a turn while its game goes on: what the bots said of their orders, and their throws."""

PRIVATE_BY_KIND = {
    "turn": (BOTS_PART,),
    "orders": ("before", "orders", "texts"),
    "rollback": ("before",),
    "die": ("label", "numbers"),
}
"""What else is private, by the kind of entry: what lies on file, or is yet to fall."""

_SALT_BYTES = 16


def private_parts(kind: str) -> tuple[str, ...]:
    """The names of the private parts of an entry of a kind."""
    return (*ALWAYS_PRIVATE, *PRIVATE_BY_KIND.get(kind, ()))


def derive_salt(pepper: bytes, number: int, part: str) -> str:
    """The salt of one part of one entry. pepper: a secret of the game's, which is never told."""
    return hmac.digest(pepper, f"{number}|{part}".encode(), "sha256")[:_SALT_BYTES].hex()


def digest_part(part: str, salt: str, value: Any) -> str:
    """Return the digest that stands for a part. value: plain."""
    return hashlib.sha256(digest_input(part, salt, value)).hexdigest()


def digest_input(part: str, salt: str, value: Any) -> bytes:
    """Return the bytes whose SHA-256 is the digest of a part."""
    return canonical([part, salt, value])


def blank_value(value: Any) -> Any:
    """Return the value that stands where something is left out: nothing, of the same type."""
    return type(value)()
