"""The log of a game: entries linked by hashes. Every state can be computed again from them.

A log never gets shorter. An override is one more entry. Undone and rolled back entries stay readable, but no
longer count.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import GenericAlias
from typing import assert_never

from adjudicator.clock import Millis
from adjudicator.messages import sentence
from adjudicator.model.games import (
    PLAYED_KINDS,
    AnyOverride,
    DiceRoll,
    DieForced,
    Edited,
    GamePosition,
    LogEntry,
    OrdersSet,
    PlayedTurn,
    RolledBack,
    Undone,
    VariantUpdated,
    content,
    is_counted,
    kind_of,
    read_override,
)
from adjudicator.model.orders_on_file import Filing, Item, Untaken, slot_of, turn_of, when_of
from adjudicator.turns.gather import GatheredOrders
from games.dice import Dice, SealedDice, commitment
from games.protocol import Due, Edition, Event, Game, Invalid, Options, Order, Outcome, Seat, State, Turn
from games.record import UNSET, Malformed, Value, canonical, plain, replace_fields, revive
from orders.conditions import When

Past = Sequence[tuple[LogEntry, State]]
"""A log, or the beginning of one: its entries, each with the state after it."""


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


# Overrides: the state after one, the dice set, the entries that still count.


def override_of(entry: LogEntry) -> AnyOverride | None:
    """Return the override of an entry, or None for other entries. Raises Malformed."""
    return read_override(entry.kind, entry.options)


def state_after(game: Game, override: AnyOverride, past: Past) -> State:
    """Return the state after an override. Raises Invalid if it isn't possible.

    All edits since the last turn are applied again in order, except undone ones. So an edit can be undone
    even if other edits came after it.
    """
    if isinstance(override, Edited):
        return apply_edit(game, past[-1][1], override)
    if isinstance(override, RolledBack):
        return _state_at(past, override.to)
    if isinstance(override, Undone):
        return _state_without(game, past, override.number)
    if isinstance(override, DieForced | OrdersSet | VariantUpdated):
        return past[-1][1]
    assert_never(override)


def apply_edit(game: Game, state: State, edit: Edited) -> State:
    """Return the state after an edit. Raises Invalid if it isn't possible or leaves no orders due."""
    if game.edits is None:
        why = sentence("service.edits.no_edits", title=game.about.title)
        raise Invalid(sentence("service.edits.no_edits_what"), why)
    change = revive(game.edits.edit_type, edit.edit)
    advice = game.edits.check(state, change)
    if advice is not None:
        what = sentence("service.edits.rejected_what", edit=edit.text)
        raise Invalid(what, advice.problem, advice.instead)
    after = game.state_from(canonical(game.edits.apply(state, change)))
    if not game.rules.due(after):
        instead = sentence("service.edits.no_orders_due_instead")
        raise Invalid(edit.text, sentence("service.edits.no_orders_due"), instead)
    return after


def _state_without(game: Game, past: Past, number: int) -> State:
    gone = {number, *undone_entries(entry for entry, _ in past)}
    start = max(place for place, (entry, _) in enumerate(past) if entry.kind in PLAYED_KINDS)
    state = past[start][1]
    for entry, _ in past[start + 1 :]:
        override = override_of(entry)
        if entry.number in gone:
            continue
        if isinstance(override, Edited):
            state = apply_edit(game, state, override)
        elif isinstance(override, RolledBack):
            state = _state_at(past, override.to)
        elif not isinstance(override, Undone | DieForced | OrdersSet | VariantUpdated | None):
            assert_never(override)
    return state


def _state_at(past: Past, number: int) -> State:
    return next(state for entry, state in past if entry.number == number)


def undone_entries(entries: Iterable[LogEntry]) -> frozenset[int]:
    """Return the numbers of undone entries."""
    overrides = (override_of(entry) for entry in entries)
    return frozenset(override.number for override in overrides if isinstance(override, Undone))


def undoable_overrides(entries: Sequence[LogEntry]) -> tuple[LogEntry, ...]:
    """Return the overrides that can still be undone: those since the last turn, latest first."""
    start = max(place for place, entry in enumerate(entries) if entry.kind in PLAYED_KINDS)
    gone = undone_entries(entries)
    return tuple(
        entry
        for entry in reversed(entries[start + 1 :])
        if entry.number not in gone and not isinstance(override_of(entry), Undone | VariantUpdated | None)
    )


def pending_dice(entries: Iterable[LogEntry]) -> dict[str, tuple[int, ...]]:
    """Return the dice that were set and not rolled yet, by label. The later of two for a label counts."""
    waiting: dict[int, DieForced] = {}
    for entry in entries:
        override = override_of(entry)
        if isinstance(override, DieForced):
            waiting[entry.number] = override
        elif isinstance(override, Undone):
            waiting.pop(override.number, None)
        elif not isinstance(override, Edited | RolledBack | OrdersSet | VariantUpdated | None):
            assert_never(override)
        used = {roll.label for roll in entry.throws if roll.forced}
        waiting = {
            number: die_forced for number, die_forced in waiting.items() if die_forced.label not in used
        }
    return {die_forced.label: die_forced.numbers for die_forced in waiting.values()}


def dice_number_after(entries: Iterable[LogEntry]) -> int:
    """Return the dice number of the entry after some others."""
    return sum(is_counted(entry.kind) for entry in entries)


def counting_entries(entries: Sequence[LogEntry]) -> tuple[LogEntry, ...]:
    """Return the entries that count: without those before a rollback, but with the rollback itself."""
    gone = undone_entries(entries)
    counting: list[LogEntry] = []
    for entry in entries:
        override = override_of(entry)
        if isinstance(override, RolledBack) and entry.number not in gone:
            counting = [previous for previous in counting if previous.number <= override.to]
        counting.append(entry)
    return tuple(counting)


def before_turn(entries: Sequence[LogEntry], turn: str) -> tuple[int, tuple[LogEntry, ...]] | None:
    """Return the number of the entry before a turn, and the turns run since, that turn first.

    None if the turn wasn't run.
    """
    counting = counting_entries(entries)
    for place, entry in reversed(list(enumerate(counting))):
        if entry.kind == "turn" and entry.turn.lower() == turn.lower():
            return counting[place - 1].number, tuple(
                later for later in counting[place:] if later.kind == "turn"
            )
    return None


def restore_orders(
    game: Game, position: GamePosition, state: State, turns: Sequence[LogEntry]
) -> dict[Seat, tuple[Item, ...]]:
    """Return the orders that players have saved again after a rollback, by seat.

    position: before it. state: the one that the game goes back to. turns: their entries, which no longer
    count. Orders saved for the current and later turns wait for those turns; queues are restored. Orders by
    bots, and defaults for missing orders, are made again.
    """
    present = game.rules.turn(position.state).short
    first = turns[0].turn
    ahead = {turn.short for turn in game.rules.ahead(state)} | {first}
    dues = {due.seat: due for due in game.rules.due(state)}
    items_by_seat: dict[Seat, tuple[Item, ...]] = {}
    for seat, assignment in position.assignments.items():
        if not assignment.is_person:
            continue
        items: list[Item] = []
        for entry in turns:
            if seat not in entry.silent and seat not in entry.reasons:
                orders = [revive(game.order_type, order) for order in entry.orders.get(seat, ())]
                items += [_waiting(order, entry.turn, first, dues.get(seat)) for order in orders]
        filed = position.filed.get(seat, ())
        items += [_waiting(item, turn_of(item) or present, first, dues.get(seat)) for item in filed]
        if waiting := tuple(item for item in items if (turn_of(item) or first) in ahead):
            items_by_seat[seat] = waiting
    return items_by_seat


def _waiting(item: Item, turn: str, first: str, due: Due | None) -> Item:
    """Return an item of a turn as saved in an earlier turn, the first of the turns."""
    queues = slot_of(item) is None and due is not None and due.takes is not None
    if turn == first or queues or isinstance(item, Untaken):
        return item
    when = When(turn=turn, path=when_of(item).path)
    return replace_fields(item, when=when) if isinstance(item, Filing) else Filing(order=item, when=when)


# Dice that keep a record: every roll is logged, and no label is rolled twice in one entry.
