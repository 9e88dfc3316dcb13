"""CLEAR, WAIT and NOWAIT, READY and NOREADY: a seat's commands on its orders as a whole."""

from adjudicator.inbound.commands.context import CommandResult, SeatCommandContext, reply_with
from adjudicator.messages import sentence
from adjudicator.model.game_acts import SetReady, SetWait
from adjudicator.model.overdue import overdue
from adjudicator.model.solo_games import is_solo
from orders.commands import Command


def clear_orders(case: SeatCommandContext, command: Command) -> CommandResult:
    """Withdraw all orders on file."""
    idle = explain_too_late(case)
    return idle or CommandResult(notes=(sentence("clerk.ordering.cleared"),), clears=True)


def set_wait(case: SeatCommandContext, command: Command) -> CommandResult:
    """Ask to wait for the deadline."""
    position = case.seated.position
    if not any(due.seat == case.seat for due in case.game.rules.due(position.state)):
        return _set_wait_flag(case, True, sentence("clerk.ordering.waits_for_nothing"))
    if is_solo(position):
        return _set_wait_flag(case, True, sentence("clerk.ordering.waits_alone"))
    if overdue(position, case.time) is not None:
        return _set_wait_flag(case, True, sentence("clerk.ordering.waits_too_late"))
    if position.timing.stop is not None:
        return _set_wait_flag(case, True, sentence("clerk.ordering.waits_when_it_goes_on"))
    return _set_wait_flag(case, True, sentence("clerk.ordering.waits"))


def withdraw_wait(case: SeatCommandContext, command: Command) -> CommandResult:
    """Stop waiting for the deadline."""
    return _set_wait_flag(
        case, False, sentence("clerk.ordering.waits_no_longer", alone=is_solo(case.seated.position))
    )


def set_ready(case: SeatCommandContext, command: Command) -> CommandResult:
    """Say that nothing more will come this turn, even if orders are missing."""
    return _set_ready_flag(case, True, sentence("clerk.ordering.ready", waits=case.seated.chair.wait))


def withdraw_ready(case: SeatCommandContext, command: Command) -> CommandResult:
    """Withdraw READY."""
    return _set_ready_flag(case, False, sentence("clerk.ordering.ready_no_longer"))


def undo_action(case: SeatCommandContext, command: Command) -> CommandResult:
    """Undo the last action, where that can be: it is the first thing done about a letter."""
    if case.undo is None or isinstance(case.undo, str):
        return reply_with(case.undo or sentence("clerk.undoing.nothing_played"))
    name = case.game.rules.turn(case.seated.position.state).name
    return CommandResult(acts=(case.undo,), notes=(sentence("clerk.undoing.taken_back", turn=name),))


def _set_wait_flag(case: SeatCommandContext, flag: bool, note: str) -> CommandResult:
    seated, idle = case.seated, explain_too_late(case)
    if idle:
        return idle
    act = SetWait(game=seated.position.name, by=seated.seat, seat=seated.seat, wait=flag, turn=case.turn)
    return CommandResult(acts=(act,), notes=(note,), wait=flag)


def _set_ready_flag(case: SeatCommandContext, flag: bool, note: str) -> CommandResult:
    seated, idle = case.seated, explain_too_late(case)
    if idle:
        return idle
    act = SetReady(game=seated.position.name, by=seated.seat, seat=seated.seat, ready=flag, turn=case.turn)
    return CommandResult(acts=(act,), notes=(note,), ready=flag)


def explain_too_late(case: SeatCommandContext) -> CommandResult | None:
    """Return why nothing can be said of this turn any more, or None."""
    if not case.seated.position.is_running:
        return reply_with(sentence("clerk.ordering.game_over"))
    return reply_with(sentence("clerk.ordering.turn_over")) if case.seated.stale else None
