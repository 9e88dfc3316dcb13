"""UNDO: the last action of a player who plays alone, undone where nothing was learnt by it.

Like a GM's override it is one more entry of the log, so that replay proves it; the dice count
the action that was undone, so that nobody can try them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from adjudicator.inbound.commands.context import SeatCommandContext
from adjudicator.messages import sentence
from adjudicator.model.games import (
    GamePosition,
    LogEntry,
    RolledBack,
    TakeBack,
)
from adjudicator.model.orders_on_file import pack_items
from adjudicator.turns.log import (
    EntryOrigin,
    counting_entries,
    dice_number_after,
    orders_of,
    override_entry,
    override_of,
    pending_dice,
)
from games.protocol import Game, Seat
from games.record import canonical, replace_fields

_Log = Sequence[tuple[LogEntry, bytes]]


@dataclass(frozen=True)
class UndoneGame:
    """A game as it is once an action is undone, and the act that undoes it."""

    position: GamePosition
    act: TakeBack


def find_undo(case: SeatCommandContext) -> UndoneGame | str:
    """Return the game before the last action of the seat; or why it cannot be undone, in a sentence."""
    position, seat = case.seated.position, case.seat
    if not position.is_running:
        return sentence("inbound.ordering.game_over")
    if case.seated.stale:
        return sentence("inbound.ordering.turn_over")
    if any(_is_other(position, case.seat, other) for other in position.assignments):
        return sentence("inbound.undo.others_play")
    log = case.repository.log(position.name)
    counting = counting_entries([entry for entry, _ in log])
    place = _last_asked_turn(counting, seat)
    if place is None:
        return sentence("inbound.undo.nothing_played")
    why = _undo_objection(case, log, counting, place)
    if why is not None:
        return why
    act = TakeBack(
        game=position.name,
        by=seat,
        seat=seat,
        rev=position.rev,
        to=counting[place - 1].number,
        at=case.received,
    )
    return UndoneGame(apply_undo(case.game, position, act, log)[0], act)


def apply_undo(game: Game, before: GamePosition, act: TakeBack, log: _Log) -> tuple[GamePosition, LogEntry]:
    """Return the game after an action is undone, and the log entry that records it."""
    override = RolledBack(to=act.to, before={seat: pack_items(items) for seat, items in before.filed.items()})
    state = game.state_from(next(written for log_entry, written in log if log_entry.number == act.to))
    link = EntryOrigin.next_of(before, act.at, act.by, sentence("inbound.undo.why"))
    entry = override_entry(game, override, state, link)
    entries = [*(log_entry for log_entry, _ in log), entry]
    after = replace(
        before,
        state=state,
        filed={},
        assignments={
            seat: replace_fields(assignment, wait=False, ready=False)
            for seat, assignment in before.assignments.items()
        },
        entries=entry.number + 1,
        rev=before.rev + 1,
        head_sha=entry.sha,
        by_hand=len(entries) - dice_number_after(entries),
        forced=pending_dice(entries),
        played=sum(log_entry.kind == "turn" for log_entry in counting_entries(entries)),
    )
    return after, entry


def _is_other(position: GamePosition, seat: Seat, other: Seat) -> bool:
    """Return whether a seat belongs to another human player."""
    assignment, mine = position.assignments[other], position.assignments[seat]
    return assignment.is_person and assignment.address != mine.address


def _last_asked_turn(counting: Sequence[LogEntry], seat: Seat) -> int | None:
    """Return the place of the last turn that needed orders from the seat."""
    places = [
        place
        for place, log_entry in enumerate(counting)
        if log_entry.kind == "turn" and seat in log_entry.orders
    ]
    return places[-1] if places else None


def _undo_objection(
    case: SeatCommandContext, log: _Log, counting: Sequence[LogEntry], place: int
) -> str | None:
    """Return why the turn at a place cannot be undone: what has been learnt since, or done by hand."""
    since, turn = counting[place:], counting[place].turn
    assignments = case.seated.position.assignments
    own = {seat for seat, held in assignments.items() if held.address == assignments[case.seat].address}
    for log_entry in since:
        override = override_of(log_entry)
        if override is not None and not (isinstance(override, RolledBack) and log_entry.by == case.seat):
            return sentence("inbound.undo.done_by_hand", turn=turn)
        if log_entry.kind == "end":
            return sentence("inbound.undo.done_by_hand", turn=turn)
    if any(log_entry.throws for log_entry in since):
        return sentence("inbound.undo.thrown", turn=turn)
    if any(orders and seat not in own for log_entry in since for seat, orders in log_entry.orders.items()):
        return sentence("inbound.undo.others_moved", turn=turn)
    if case.game.about.hidden and not all(
        _was_foreseen(case, log, log_entry) for log_entry in since if log_entry.orders
    ):
        return sentence("inbound.undo.shown", turn=turn)
    return None


def _was_foreseen(case: SeatCommandContext, log: _Log, entry: LogEntry) -> bool:
    """Return whether a turn showed its player nothing that they could not have worked out before."""
    game, rules = case.game, case.game.rules
    place = next(place for place, (log_entry, _) in enumerate(log) if log_entry.number == entry.number)
    before, now = (rules.view(game.state_from(log[at][1]), case.seat) for at in (place - 1, place))
    trial = rules.dry_run(before, orders_of(game, entry))
    if trial is None:
        return False
    return trial.open is None and canonical(rules.view(trial.after, case.seat)) == canonical(now)
