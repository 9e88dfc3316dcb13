"""CLEAR, WAIT and NOWAIT, READY and NOREADY: what a seat says of its orders as a whole."""

from adjudicator.catalogue import sentence
from adjudicator.clerk.commands.case import Case, Done, told
from adjudicator.ledger.game_acts import SetReady, SetWait
from adjudicator.ledger.overdue import overdue
from adjudicator.ledger.solitude import is_solo
from orders.commands import Command


def clear(case: Case, command: Command) -> Done:
    """Withdraw all orders on file."""
    idle = changes_nothing(case)
    return idle or Done(notes=(sentence("clerk.ordering.cleared"),), clears=True)


def wait(case: Case, command: Command) -> Done:
    """Ask to wait for the deadline."""
    position = case.seated.position
    if not any(due.seat == case.seat for due in case.game.rules.due(position.state)):
        return _say_wait(case, True, sentence("clerk.ordering.waits_for_nothing"))
    if is_solo(position):
        return _say_wait(case, True, sentence("clerk.ordering.waits_alone"))
    if overdue(position, case.time) is not None:
        return _say_wait(case, True, sentence("clerk.ordering.waits_too_late"))
    if position.timing.stop is not None:
        return _say_wait(case, True, sentence("clerk.ordering.waits_when_it_goes_on"))
    return _say_wait(case, True, sentence("clerk.ordering.waits"))


def nowait(case: Case, command: Command) -> Done:
    """No longer wait."""
    return _say_wait(
        case, False, sentence("clerk.ordering.waits_no_longer", alone=is_solo(case.seated.position))
    )


def ready(case: Case, command: Command) -> Done:
    """Say that nothing more will come this turn, whatever is missing."""
    return _say_ready(case, True, sentence("clerk.ordering.ready", waits=case.seated.chair.wait))


def unready(case: Case, command: Command) -> Done:
    """Take READY back."""
    return _say_ready(case, False, sentence("clerk.ordering.ready_no_longer"))


def undone(case: Case, command: Command) -> Done:
    """The last action taken back, where that can be: it is the first thing done about a letter."""
    if case.undo is None or isinstance(case.undo, str):
        return told(case.undo or sentence("clerk.undoing.nothing_played"))
    name = case.game.rules.turn(case.seated.position.state).name
    return Done(acts=(case.undo,), notes=(sentence("clerk.undoing.taken_back", turn=name),))


def _say_wait(case: Case, flag: bool, note: str) -> Done:
    seated, idle = case.seated, changes_nothing(case)
    if idle:
        return idle
    act = SetWait(game=seated.position.name, by=seated.seat, seat=seated.seat, wait=flag, turn=case.turn)
    return Done(acts=(act,), notes=(note,), wait=flag)


def _say_ready(case: Case, flag: bool, note: str) -> Done:
    seated, idle = case.seated, changes_nothing(case)
    if idle:
        return idle
    act = SetReady(game=seated.position.name, by=seated.seat, seat=seated.seat, ready=flag, turn=case.turn)
    return Done(acts=(act,), notes=(note,), ready=flag)


def changes_nothing(case: Case) -> Done | None:
    """Why nothing can be said of this turn any more, or None."""
    if not case.seated.position.running:
        return told(sentence("clerk.ordering.game_over"))
    return told(sentence("clerk.ordering.turn_over")) if case.seated.stale else None
