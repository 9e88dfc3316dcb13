"""The log of a game: entries linked by hashes. Every state can be computed again from them."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import GenericAlias

from adjudicator.clock import Millis
from adjudicator.messages import sentence
from adjudicator.model.games import (
    AnyOverride,
    DiceRoll,
    GamePosition,
    LogEntry,
    PlayedTurn,
    content,
    kind_of,
)
from adjudicator.turns.gather import GatheredOrders
from adjudicator.turns.overrides import Past, dice_number_after, override_of, pending_dice, state_after
from games.dice import Dice, SealedDice, commitment
from games.protocol import Edition, Event, Game, Invalid, Options, Order, Outcome, Seat, State, Turn
from games.record import UNSET, Malformed, Value, canonical, plain, revive

# Dice that keep a record: every roll is logged, and no label is rolled twice in one entry.


class RecordingDice(Dice):
    """Records the rolls of other dice.

    forced: numbers set by a GM, by label. They replace the roll and are marked, unless the roll can't have
    this result.
    """

    def __init__(self, dice: Dice, forced: Mapping[str, tuple[int, ...]] | None = None) -> None:
        self._dice = dice
        self._forced = dict(forced or {})
        self._rolls: dict[str, DiceRoll] = {}

    @property
    def throws(self) -> tuple[DiceRoll, ...]:
        """Return the rolls so far, in order."""
        return tuple(self._rolls.values())

    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        assert label not in self._rolls, f"the die {label} was rolled already in this entry"
        forced = self._forced.get(label)
        if forced is not None and not can_show(sides, count, forced):
            forced = None
        numbers = forced if forced is not None else self._dice.draw(label, sides, count)
        assert can_show(sides, count, numbers), label
        self._rolls[label] = DiceRoll(label=label, sides=sides, numbers=numbers, forced=forced is not None)
        return numbers


def can_show(sides: int, count: int, numbers: Sequence[int]) -> bool:
    """Return whether a roll of this many different numbers in 1..sides can have this result."""
    return len(numbers) == len(set(numbers)) == count and all(1 <= number <= sides for number in numbers)


def pending_numbers(
    forced: Mapping[str, tuple[int, ...]], rolls: Iterable[DiceRoll]
) -> Mapping[str, tuple[int, ...]]:
    """Return the numbers set by the GM, by label, that haven't been used after some rolls."""
    used = {roll.label for roll in rolls if roll.forced}
    return {label: numbers for label, numbers in forced.items() if label not in used}


def state_sha(state: State) -> str:
    """Return the SHA-256 of a state's canonical bytes, in hexadecimal."""
    return hashlib.sha256(canonical(state)).hexdigest()


@dataclass(frozen=True)
class EntryOrigin:
    """The place of an entry in the chain, and its time, actor and reason.

    number, previous_sha: as in the entry. pepper: the source of the log's salts.
    """

    number: int
    previous_sha: str
    at: Millis
    by: str
    why: str = ""
    pepper: bytes = field(default=b"", repr=False)

    @classmethod
    def first(cls, at: Millis, by: str = "gm", pepper: bytes = b"") -> "EntryOrigin":
        """Return the place of the first entry. by: "gm", or the seat of the player that began the game."""
        return cls(0, "", at, by, pepper=pepper)

    @classmethod
    def next_of(cls, position: GamePosition, at: Millis, by: str, why: str = "") -> "EntryOrigin":
        """Return the place of a game's next entry."""
        return cls(position.entries, position.head_sha, at, by, why, position.pepper)


def set_up(
    game: Game, name: str, options: Options, secret: bytes, link: EntryOrigin
) -> tuple[LogEntry, State]:
    """Return the first entry of a game and its opening. Raises Invalid if the options aren't valid."""
    dice = RecordingDice(SealedDice(secret, name, link.number))
    outcome = game.rules.setup(options, dice)
    entry = LogEntry(
        number=link.number,
        kind="setup",
        turn=game.rules.turn(outcome.state).short,
        at=link.at,
        options=dict(options),
        throws=dice.throws,
        by=link.by,
        state_sha=state_sha(outcome.state),
        previous_sha=link.previous_sha,
        variant=game.edition.sha if game.edition else UNSET,
    )
    return entry.with_salts(link.pepper), outcome.state


def turn_entry(
    link: EntryOrigin,
    turn: Turn,
    gathered: GatheredOrders,
    dice: RecordingDice,
    state: State,
    edition: Edition | None = None,
) -> LogEntry:
    """Return the entry of a processed turn: its inputs, its rolls, and the hash of the state after it.

    edition: of the variant, if the game is bound to it by this entry.
    """
    entry = LogEntry(
        number=link.number,
        kind="turn",
        turn=turn.short,
        at=link.at,
        orders={seat: [plain(order) for order in orders] for seat, orders in gathered.orders.items()},
        throws=dice.throws,
        reasons={seat: dict(reasons) for seat, reasons in gathered.reasons.items()},
        silent=gathered.silent,
        by=link.by,
        why=link.why,
        state_sha=state_sha(state),
        previous_sha=link.previous_sha,
        variant=edition.sha if edition else UNSET,
        stand_ins={str(seat): why for seat, why in gathered.stand_ins.items()} or UNSET,
    )
    return entry.with_salts(link.pepper)


class Replay(Value, frozen=True):
    """The result of replaying a log: the number of entries that agree, and the error in the next, if any.

    turns: how many of them are counted turns, if requested.
    """

    agreed: int
    fault: str | None
    states: tuple[bytes, ...]
    turns: int = 0


def replay(
    game: Game,
    name: str,
    secret: bytes,
    log: Sequence[tuple[LogEntry, bytes]],
    head_sha: str | None = None,
    game_at: Callable[[int], Game] | None = None,
) -> Replay:
    """Replay a log from its inputs and compare every roll and every state, byte for byte.

    log: the entries in order, each with the stored bytes of the state after it. head_sha: of the last entry,
    as stored beside the log (no later entry contains it). game_at: returns the game that an entry was played
    by, if the game has moved to another edition of its variant.
    """
    past: list[tuple[LogEntry, State]] = []
    states: list[bytes] = []
    previous = ""
    for place, (entry, written) in enumerate(log):
        if entry.number < place or entry.previous_sha != previous:
            problem = sentence("service.replay.out_of_line", number=entry.number)
            return Replay(place, problem, tuple(states))
        forced = pending_dice(before for before, _ in past)
        try:
            dice = RecordingDice(
                SealedDice(secret, name, dice_number_after(before for before, _ in past)), forced
            )
            played_by = game_at(entry.number) if game_at is not None else game
            outcome, throws = _adjudicate_again(played_by, entry, past, dice)
        except (Invalid, Malformed, StopIteration) as fault:
            why = str(fault) or sentence("service.replay.no_such_entry")
            problem = sentence("service.replay.fails", number=entry.number, turn=entry.turn, why=why)
            return Replay(place, problem, tuple(states))
        computed = canonical(outcome.state)
        if throws != entry.throws:
            problem = sentence("service.replay.dice_differ", number=entry.number, turn=entry.turn)
            return Replay(place, problem, tuple(states))
        if computed != written or state_sha(outcome.state) != entry.state_sha:
            problem = sentence("service.replay.state_differs", number=entry.number, turn=entry.turn)
            return Replay(place, problem, tuple(states))
        past.append((entry, outcome.state))
        states.append(computed)
        previous = entry.sha
    if head_sha is not None and previous != head_sha:
        return Replay(len(log) - 1, sentence("service.replay.last_differs"), tuple(states[:-1]))
    return Replay(len(log), None, tuple(states))


def events_of(
    game: Game,
    name: str,
    secret: bytes,
    log: Sequence[tuple[LogEntry, bytes]],
    place: int = -1,
    first_dice_number: int = 0,
) -> tuple[Event, ...]:
    """Return the events of a log's last turn, computed again from its inputs; none for other entries.

    first_dice_number: the dice number of the first entry of `log`, 0 for the first entry of the game.
    """
    entry = log[place][0]
    if entry.kind != "turn":
        return ()
    before, state = log[place % len(log) - 1]
    forced = {roll.label: roll.numbers for roll in entry.throws if roll.forced}
    earlier = [earlier_entry for earlier_entry, _ in log[: place % len(log)]]
    dice = RecordingDice(SealedDice(secret, name, first_dice_number + dice_number_after(earlier)), forced)
    return _adjudicate_again(game, entry, [(before, game.state_from(state))], dice)[0].events


def step_at(
    game: Game,
    position: GamePosition,
    log: Sequence[tuple[LogEntry, bytes]],
    place: int,
    first_dice_number: int = 0,
) -> PlayedTurn:
    """Return a turn computed again from its place in a game's log. first_dice_number: as in `events_of`."""
    game = position.game_at(log[place][0].number) if position.copies else game
    before = game.state_from(log[place - 1][1])
    return PlayedTurn(
        entry=log[place][0],
        turn=game.rules.turn(before),
        before=before,
        after=game.state_from(log[place][1]),
        events=events_of(game, position.name, position.secret, log, place, first_dice_number),
    )


def steps_since(
    game: Game, position: GamePosition, log: Sequence[tuple[LogEntry, bytes]], number: int
) -> tuple[PlayedTurn, ...]:
    """Return the turns that were processed since an entry of the log, computed again.

    number: the number of the entry, which is included.
    """
    places = [
        place for place, (entry, _) in enumerate(log) if entry.kind == "turn" and entry.number >= number
    ]
    return tuple(step_at(game, position, log, place) for place in places)


def orders_of(game: Game, entry: LogEntry) -> Mapping[Seat, tuple[Order, ...]]:
    """Return the orders of an entry as the game's own values."""
    # All at once: preparing the decoder for a union of types takes longer than decoding one.
    kind = GenericAlias(dict, (Seat, GenericAlias(tuple, (game.order_type, ...))))
    orders: Mapping[Seat, tuple[Order, ...]] = revive(kind, entry.orders)
    return orders


def override_entry(game: Game, override: AnyOverride, state: State, link: EntryOrigin) -> LogEntry:
    """Return the log entry of an override by the GM. state: the state after it."""
    entry = LogEntry(
        number=link.number,
        kind=kind_of(override),
        turn=game.rules.turn(state).short,
        at=link.at,
        options=content(override),
        by=link.by,
        why=link.why,
        state_sha=state_sha(state),
        previous_sha=link.previous_sha,
    )
    return entry.with_salts(link.pepper)


def _adjudicate_again(
    game: Game, entry: LogEntry, past: Past, dice: RecordingDice
) -> tuple[Outcome[State, Event], tuple[DiceRoll, ...]]:
    if entry.kind == "setup":
        return game.rules.setup(entry.options, dice), dice.throws
    override = override_of(entry)
    if override is not None:
        return Outcome(state_after(game, override, past)), ()
    state = past[-1][1]
    if entry.kind != "turn":
        return Outcome(state), ()
    for roll in entry.throws:
        if roll.is_by_bot:  # the bots' orders are inputs here, so only their rolls are repeated
            dice.draw(roll.label, roll.sides, len(roll.numbers))
    before = game.state_from(canonical(state))
    return game.rules.adjudicate(before, orders_of(game, entry), dice), dice.throws


# Verification of a game's dice from its log alone: the chain of entries, the commitment, and every roll.


class DiceVerification(Value, frozen=True):
    """The result of a verification: the numbers of chained entries, of their rolls, and of forced rolls.

    sealed: whether the secret is known, so that rolls could be computed. recorded: the number of entries that
    state their own hash because something is left out of them; only their link to the next entry is verified.
    fault: the first error, or None.
    """

    entries: int
    throws: int
    forced: int
    sealed: bool
    fault: str | None = None
    recorded: int = 0


def verify_dice(
    name: str, published: str, secret: bytes | None, log: Sequence[LogEntry], head_sha: str
) -> DiceVerification:
    """Check that each entry contains the hash of the one before, and that the secret gives each roll.

    published: the commitment in the welcome emails. secret: None until it is published; then only the chain
    is checked. head_sha: of the last entry. A roll set by the GM must have been set by an entry before it.
    """
    if secret is not None and commitment(secret) != published:
        return DiceVerification(0, 0, 0, True, sentence("service.verification.other_secret"))
    previous, rolls, forced = "", 0, 0
    for place, entry in enumerate(log):
        if entry.number < place or entry.previous_sha != previous:
            reason = sentence("service.replay.out_of_line", number=entry.number)
            return DiceVerification(place, rolls, forced, secret is not None, reason)
        waiting = pending_dice(log[:place])
        dice = SealedDice(secret, name, dice_number_after(log[:place])) if secret is not None else None
        for roll in entry.throws:
            fault = _find_fault(roll, dice, waiting)
            if fault:
                reason = sentence(
                    "service.verification.roll",
                    number=entry.number,
                    turn=entry.turn,
                    label=roll.label,
                    why=fault,
                )
                return DiceVerification(place, rolls, forced, secret is not None, reason)
            rolls, forced = rolls + 1, forced + roll.forced
        previous = entry.sha
    cut = None if previous == head_sha else sentence("service.verification.other_end")
    recorded = sum(entry.sha == entry.recorded for entry in log)
    return DiceVerification(len(log), rolls, forced, secret is not None, cut, recorded)


def _find_fault(roll: DiceRoll, dice: Dice | None, waiting: dict[str, tuple[int, ...]]) -> str | None:
    if roll.forced:
        is_announced = waiting.get(roll.label) == roll.numbers
        return None if is_announced else sentence("service.verification.set_by_nobody")
    if dice is None:
        return None
    try:
        sealed = dice.draw(roll.label, roll.sides, len(roll.numbers))
    except ValueError:
        return sentence("service.verification.impossible")
    if sealed == roll.numbers:
        return None
    shown, computed = (", ".join(map(str, numbers)) for numbers in (roll.numbers, sealed))
    return sentence("service.verification.differs", shown=shown, computed=computed)
