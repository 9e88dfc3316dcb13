"""The effect of overrides: the state, the dice set, the turns that still count.

A log never gets shorter. An override is one more entry. Undone and rolled back entries stay readable, but no
longer count.
"""

from collections.abc import Iterable, Sequence
from typing import assert_never

from adjudicator.messages import sentence
from adjudicator.model.games import (
    PLAYED_KINDS,
    AnyOverride,
    DieForced,
    Edited,
    GamePosition,
    LogEntry,
    OrdersSet,
    RolledBack,
    Undone,
    VariantUpdated,
    is_counted,
    read_override,
)
from adjudicator.model.orders_on_file import Filing, Item, Untaken, slot_of, turn_of, when_of
from games.protocol import Due, Game, Invalid, Seat, State
from games.record import canonical, replace_fields, revive
from orders.conditions import When

Past = Sequence[tuple[LogEntry, State]]
"""A log, or the beginning of one: its entries, each with the state after it."""


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
