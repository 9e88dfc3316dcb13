"""What passes between the offices: values only. Clerk and referee decide on these; the store writes them.

Instants are milliseconds UTC. A game's name stands for it everywhere.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from adjudicator.clock import Millis
from adjudicator.deeds import Deed
from adjudicator.hours import Deadlines, Timing
from adjudicator.pigeonhole import Filing, Item
from adjudicator.returns import Bounce, Returns
from adjudicator.society import Absence, Society
from games.protocol import Due, Event, Game, Options, OptionValue, Result, Seat, Turn
from games.record import Record, canonical, changed


class Chair(Record, frozen=True, kw_only=True):
    """A seat of one game and who sits there.

    address None: nobody, and the bot of that level plays. generation: raised to make old reply tokens void.
    password: the scrypt text of the seat's password. wait, ready: what its player last said for this turn.
    missed: turns for which orders were owed and none came. trouble: why its letters came back, if they do.
    """

    seat: Seat
    address: str | None = None
    bot: str | None = None
    generation: int = 1
    password: str | None = None
    wait: bool = False
    ready: bool = False
    missed: int = 0
    trouble: str | None = None

    @property
    def is_person(self) -> bool:
        """Whether somebody is to be asked by mail."""
        return self.address is not None

    @property
    def lapse_key(self) -> str:
        """Under which `Timing.lapses` counts the silence of whoever sits there: another begins afresh."""
        return f"{self.seat}/{self.generation}"

    def taken_by(self, address: str | None, password: str | None = None) -> "Chair":
        """The chair after somebody sat down (None: a bot). password: a new one, sealed; None keeps the old.

        Where it was another person's, the generation is raised: tokens mailed to that person die.
        """
        moved = address != self.address
        return changed(
            self,
            address=address,
            generation=self.generation + (1 if moved and self.is_person else 0),
            password=password or self.password,
            wait=self.wait and not moved,
            ready=self.ready and not moved,
            missed=0 if moved else self.missed,
            trouble=None if moved else self.trouble,
        )


class Throw(Record, frozen=True, kw_only=True):
    """One draw of the dice: its label, the sides, the numbers (1..sides), and whether it was forced."""

    label: str
    sides: int
    numbers: tuple[int, ...]
    forced: bool = False


class Entry(Record, frozen=True, kw_only=True):
    """One line of a game's log: inputs only, from which every state can be computed again.

    number: from 0 (the set-up), never used twice; kind: "setup", "turn", "end" (an agreed one, whose options
    are its winners and reason), or what a gamesmaster did by hand, as `overrides` reads it in the options;
    turn: the short name of the turn played, or of the one that is due; orders: by seat, in canonical plain
    form; throws: all dice; reasons: what the bots said of their orders, by seat and written
    order; silent: seats of people that owed orders and sent none; at: when it was played; state_sha: of the
    state after it; previous_sha: of the entry before, "" for the first.
    """

    number: int
    kind: str
    turn: str
    at: Millis
    options: dict[str, Any] = {}
    orders: dict[str, list[Any]] = {}
    throws: tuple[Throw, ...] = ()
    reasons: dict[str, dict[str, str]] = {}
    silent: tuple[str, ...] = ()
    by: str = "clock"
    why: str = ""
    state_sha: str
    previous_sha: str

    @property
    def sha(self) -> str:
        """The hash by which the next entry names this one."""
        return hashlib.sha256(canonical(self)).hexdigest()


@dataclass(frozen=True)
class Position:
    """A game as it stands on the books: all that is needed to read a letter for it or to play its turn.

    entries: how many the log has; rev: raised by everything that changes what a turn would be played from;
    head_sha: of the last entry; filed: by seat, what is on file for the present turn and for turns to come;
    secret: of the dice; agreed: how it ended, where that was agreed upon and not by its rules;
    timing: how its clock stands; absences: that its players have announced; played: how many turns that count
    were played; by_hand: how many entries of the log the dice leave out; forced: dice that a gamesmaster has
    set and nobody has thrown yet, by label.
    """

    name: str
    kind: str
    options: Options
    status: str
    entries: int
    rev: int
    head_sha: str
    state: Any
    filed: Mapping[Seat, tuple[Item, ...]]
    chairs: Mapping[Seat, Chair]
    deadline: Millis | None
    deadlines: Deadlines
    early: bool
    secret: bytes = field(repr=False)
    agreed: Result | None = None
    timing: Timing = field(default_factory=Timing)
    absences: tuple[Absence, ...] = ()
    played: int = 0
    by_hand: int = 0
    forced: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def cast(self) -> int:
        """The number under which the dice of the next turn are thrown, whatever is done by hand."""
        return self.entries - self.by_hand

    @property
    def running(self) -> bool:
        """Whether turns are still played."""
        return self.status == "running"


def outcome_of(game: Game, position: Position) -> Result | None:
    """How a game ended: by agreement, or by its rules; None while it lasts."""
    return position.agreed or game.rules.result(position.state)


@dataclass(frozen=True)
class Step:
    """One turn played: the entry that logs it, the turn's name, the states around it, and what happened.

    passed: by seat, queued orders that were left out for good, since their condition did not hold.
    """

    entry: Entry
    turn: Turn
    before: Any
    after: Any
    events: tuple[Event, ...]
    passed: Mapping[Seat, tuple[Filing, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Played:
    """Everything that one deadline, or one letter, set in motion.

    filed: what is left on file; deadline: of the turn that is due now, None at the end; timing: how its clock
    stands.
    """

    steps: tuple[Step, ...]
    state: Any
    filed: Mapping[Seat, tuple[Item, ...]]
    due: tuple[Due, ...]
    result: Result | None
    deadline: Millis | None
    timing: Timing = field(default_factory=Timing)


class Act(Record, frozen=True, kw_only=True, tag=True):
    """Anything that can be done to the books, by letter, `gm` or clock. by: who; why: for the log."""

    game: str
    by: str
    why: str = ""


class FileOrders(Act, frozen=True, kw_only=True):
    """All that a seat has on file from now on, said in the turn named, as `pigeonhole.packed` gives it."""

    seat: Seat
    turn: str
    orders: tuple[Any, ...]


class TakeSeat(Act, frozen=True, kw_only=True):
    """A person takes a seat (address None: leaves it to a bot). password: a new one, sealed, or None."""

    seat: Seat
    address: str | None
    password: str | None = None


class SetPassword(Act, frozen=True, kw_only=True):
    """A seat's player chooses a password, in clear: the house seals it before it is written anywhere."""

    seat: Seat
    password: str


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


class BeginGame(Act, frozen=True, kw_only=True):
    """A game of a player's own is begun, and he takes a seat of it; bots play the others.

    by: his address; options: settled. The house draws the secret of the dice and the password of the seat.
    """

    kind: str
    options: dict[str, OptionValue]
    seat: Seat


class EndGame(Act, frozen=True, kw_only=True):
    """A game ends without its rules: by a draw, a concession, the gamesmaster's word. turn: as in SetWait."""

    result: Result
    turn: str | None = None


AnyAct = FileOrders | TakeSeat | SetPassword | SetWait | SetReady | BeginGame | EndGame | Deed


class Attachment(Record, frozen=True, kw_only=True):
    """A file that goes with a letter: its name, what it is ("image/svg+xml"), its bytes."""

    name: str
    media: str
    content: bytes


class Outgoing(Record, frozen=True, kw_only=True):
    """A letter to be sealed: what it says, not yet its bytes.

    key: names this letter for ever ("demo/3/report/Iroquois"): a second one with the same key is never sent.
    game, seat: on whose behalf it answers or tells; turn: the short name that its reply token is for.
    reply_to: where answers go where no seat's token says it; answer_to: Message-ID answered; thread:
    Message-IDs before it, oldest first; automatic: "auto-replied" or "auto-generated", or "no" for a post to
    many. picture: PNG shown inline in the HTML as ``cid:map``; attached: files beside it.
    """

    key: str
    to: str
    subject: str
    text: str
    html: str | None = None
    picture: bytes | None = None
    picture_name: str = "map.png"
    attached: tuple[Attachment, ...] = ()
    game: str | None = None
    seat: Seat | None = None
    turn: str | None = None
    token: str | None = None
    reply_to: str | None = None
    answer_to: str | None = None
    thread: tuple[str, ...] = ()
    automatic: str = "auto-generated"


class Sealed(Record, frozen=True, kw_only=True):
    """A letter in its final bytes: once written, sent as it is, as often as it takes."""

    key: str
    message_id: str
    sender: str
    to: str
    raw: bytes
    game: str | None = None
    seat: Seat | None = None


class Receipt(Record, frozen=True, kw_only=True):
    """What became of one letter at one attempt to deliver it.

    outcome: "sent"; "later" (this letter was put off: try again); "refused" (for good); "held" (nobody would
    talk to us at all, no fault of the letter's); "unsure" (its bytes went out, and no answer came). why: what
    the other side said; retry_at: not before then.
    """

    key: str
    outcome: Literal["sent", "later", "refused", "held", "unsure"]
    why: str | None = None
    retry_at: Millis | None = None


class Arrived(Record, frozen=True, kw_only=True):
    """A letter as a mailbox hands it over. place: its name there; received: when the server took it."""

    mailbox: str
    place: str
    received: Millis
    raw: bytes


class Kept(Record, frozen=True, kw_only=True):
    """A letter in the inbox: kept, and not yet handled.

    number: its place in the order of arrival; tries: how often handling it was begun, and came to nothing;
    game, seat: for whom it speaks by the gamesmaster's word, who gave it back to be read.
    """

    number: int
    received: Millis
    raw: bytes
    fingerprint: str
    tries: int = 0
    game: str | None = None
    seat: Seat | None = None


@dataclass(frozen=True)
class Handled:
    """What the clerk decided about a letter: nothing is done yet.

    disposition: "read", "ignored" or "quarantined"; why: a sentence for the gamesmaster; speaker: who wrote,
    an address; game, seat: for whom it spoke, where that is known; turn: under which acts may be done;
    bounce: which letter of ours came back, where it tells of one.
    """

    disposition: str
    why: str | None = None
    speaker: str | None = None
    game: str | None = None
    seat: Seat | None = None
    acts: tuple[AnyAct, ...] = ()
    answers: tuple[Outgoing, ...] = ()
    bounce: Bounce | None = None


class Books(Protocol):
    """The read side of the books, as the clerk and the referee see it."""

    @property
    def society(self) -> Society:
        """The books of people."""

    @property
    def returns(self) -> Returns:
        """The books of letters that came back."""

    def position(self, game: str) -> Position | None:
        """A game as it stands, or None."""

    def games(self) -> tuple[str, ...]:
        """The names of all games, in order."""

    def names(self) -> frozenset[str]:
        """The names that no new game can have: of games, of those that wait for people, of deleted ones.

        Letters of a deleted game are in people's hands: what answers them must not speak for another game.
        """

    def log(self, game: str) -> Sequence[tuple[Entry, bytes]]:
        """The log of a game, each entry with the canonical bytes of the state after it; empty for no game."""

    def turns(self, game: str) -> tuple[str, ...]:
        """The short names of a game's turns so far, oldest first, the present one last."""

    def overrides(self, game: str) -> tuple[Entry, ...]:
        """What was done by hand since the last turn, the first first, as its entries in the log."""

    def seats_of(self, address: str) -> tuple[tuple[str, Seat], ...]:
        """The seats that an address holds, as (game, seat), in order."""

    def answers_since(self, address: str, since: Millis) -> int:
        """How many answers were written to an address since an instant."""

    def letters_since(self, address: str, since: Millis) -> int:
        """How many letters of an address were handled since an instant."""

    def begun_since(self, address: str, since: Millis) -> int:
        """How many games were begun by letters of an address since an instant."""

    def sheet(self, message_id: str) -> tuple[str, ...] | None:
        """The order sheet that one of our letters carried, line by line; None if we sent no such letter."""

    def is_ours(self, message_id: str) -> bool:
        """Whether a letter with that Message-ID was sent by us."""

    def thread(self, game: str, seat: Seat) -> tuple[str, ...]:
        """The Message-IDs of our last reports to a seat, oldest first."""
