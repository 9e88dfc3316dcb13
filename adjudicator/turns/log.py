"""The log of a game: entries chained by hash, from which every state is computed again."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import GenericAlias

from adjudicator.clock import Millis
from adjudicator.model.games import DiceRoll, GamePosition, LogEntry, PlayedTurn
from adjudicator.model.overrides import AnyOverride, content, kind_of
from adjudicator.turns.gather import GatheredOrders
from adjudicator.turns.overrides import Past, dice_number_after, override_of, pending_dice, state_after
from adjudicator.turns.recorded_dice import RecordingDice
from games.dice import SealedDice
from games.protocol import Event, Game, Invalid, Options, Order, Outcome, Seat, State, Turn
from games.record import Malformed, Value, canonical, plain, revive


def state_sha(state: State) -> str:
    """The SHA-256 of a state's canonical bytes, in hexadecimal."""
    return hashlib.sha256(canonical(state)).hexdigest()


@dataclass(frozen=True)
class EntryOrigin:
    """Where an entry stands in the chain, and who put it there: when, by whom, why.

    number, previous_sha: as in the entry; pepper: of the salts of the game's log.
    """

    number: int
    previous_sha: str
    at: Millis
    by: str
    why: str = ""
    pepper: bytes = field(default=b"", repr=False)

    @classmethod
    def first(cls, at: Millis, by: str = "gm", pepper: bytes = b"") -> "EntryOrigin":
        """The one with which a log begins. by: "gm", or the seat of the player who asked for the game."""
        return cls(0, "", at, by, pepper=pepper)

    @classmethod
    def next_of(cls, position: GamePosition, at: Millis, by: str, why: str = "") -> "EntryOrigin":
        """The one after the last in the log of a game."""
        return cls(position.entries, position.head_sha, at, by, why, position.pepper)


def set_up(
    game: Game, name: str, options: Options, secret: bytes, link: EntryOrigin
) -> tuple[LogEntry, State]:
    """The first entry of a game and its opening. Raises Invalid when the options cannot make a game."""
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
    )
    return entry.with_salts(link.pepper), outcome.state


def turn_entry(
    link: EntryOrigin, turn: Turn, gathered: GatheredOrders, dice: RecordingDice, state: State
) -> LogEntry:
    """The entry of a turn that was played: its inputs, its throws, and the hash of the state after it."""
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
    )
    return entry.with_salts(link.pepper)


class Replay(Value, frozen=True):
    """A log played again: how many entries agreed, and what was wrong with the next, if anything.

    turns: how many of them are turns that count, where whoever asked looked for that.
    """

    agreed: int
    fault: str | None
    states: tuple[bytes, ...]
    turns: int = 0


def replay(
    game: Game, name: str, secret: bytes, log: Sequence[tuple[LogEntry, bytes]], head_sha: str | None = None
) -> Replay:
    """Play a log again from its inputs and compare every throw and every state, byte for byte.

    log: the entries in order, each with the state's bytes that were written after it; head_sha: of the last
    entry, as the books hold it beside the log (no later entry names that one).
    """
    past: list[tuple[LogEntry, State]] = []
    states: list[bytes] = []
    previous = ""
    for place, (entry, written) in enumerate(log):
        if entry.number < place or entry.previous_sha != previous:
            return Replay(place, f"entry {entry.number} does not follow the one before it", tuple(states))
        forced = pending_dice(before for before, _ in past)
        try:
            dice = RecordingDice(
                SealedDice(secret, name, dice_number_after(before for before, _ in past)), forced
            )
            outcome, throws = _adjudicate_again(game, entry, past, dice)
        except (Invalid, Malformed, StopIteration) as fault:
            why = str(fault) or "it names an entry that there is not"
            problem = f"entry {entry.number} ({entry.turn}): it cannot be done again: {why}"
            return Replay(place, problem, tuple(states))
        computed = canonical(outcome.state)
        if throws != entry.throws:
            return Replay(place, f"entry {entry.number} ({entry.turn}): the dice differ", tuple(states))
        if computed != written or state_sha(outcome.state) != entry.state_sha:
            return Replay(place, f"entry {entry.number} ({entry.turn}): the state differs", tuple(states))
        past.append((entry, outcome.state))
        states.append(computed)
        previous = entry.sha
    if head_sha is not None and previous != head_sha:
        return Replay(len(log) - 1, "the last entry is not the one that the books name", tuple(states[:-1]))
    return Replay(len(log), None, tuple(states))


def events_of(
    game: Game,
    name: str,
    secret: bytes,
    log: Sequence[tuple[LogEntry, bytes]],
    place: int = -1,
    thrown: int = 0,
) -> tuple[Event, ...]:
    """Return the events of one turn of a log (the last), told again from its inputs; none for other entries.

    thrown: where only the end of a log is given, the `cast` of what lies before it.
    """
    entry = log[place][0]
    if entry.kind != "turn":
        return ()
    before, state = log[place % len(log) - 1]
    forced = {throw.label: throw.numbers for throw in entry.throws if throw.forced}
    earlier = [earlier_entry for earlier_entry, _ in log[: place % len(log)]]
    dice = RecordingDice(SealedDice(secret, name, thrown + dice_number_after(earlier)), forced)
    return _adjudicate_again(game, entry, [(before, game.state_from(state))], dice)[0].events


def step_at(
    game: Game, position: GamePosition, log: Sequence[tuple[LogEntry, bytes]], place: int, thrown: int = 0
) -> PlayedTurn:
    """A turn as it was played, told again from its place in the log of a game. thrown: as in `events_of`."""
    before = game.state_from(log[place - 1][1])
    return PlayedTurn(
        entry=log[place][0],
        turn=game.rules.turn(before),
        before=before,
        after=game.state_from(log[place][1]),
        events=events_of(game, position.name, position.secret, log, place, thrown),
    )


def steps_since(
    game: Game, position: GamePosition, log: Sequence[tuple[LogEntry, bytes]], number: int
) -> tuple[PlayedTurn, ...]:
    """The turns that were played from an entry of the log on."""
    places = [
        place for place, (entry, _) in enumerate(log) if entry.kind == "turn" and entry.number >= number
    ]
    return tuple(step_at(game, position, log, place) for place in places)


def orders_of(game: Game, entry: LogEntry) -> Mapping[Seat, tuple[Order, ...]]:
    """The orders of an entry as the game's own values."""
    # All at once: to make ready for a union of kinds takes longer than to read one.
    kind = GenericAlias(dict, (Seat, GenericAlias(tuple, (game.order_type, ...))))
    orders: Mapping[Seat, tuple[Order, ...]] = revive(kind, entry.orders)
    return orders


def override_entry(game: Game, override: AnyOverride, state: State, link: EntryOrigin) -> LogEntry:
    """The entry of what a gamesmaster did by hand. state: the one that it leaves."""
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
    for throw in entry.throws:
        if throw.is_by_bot:  # their orders are inputs here; only their dice are thrown again
            dice.draw(throw.label, throw.sides, len(throw.numbers))
    before = game.state_from(canonical(state))
    return game.rules.adjudicate(before, orders_of(game, entry), dice), dice.throws
