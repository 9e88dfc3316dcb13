"""CLEAR, WAIT and NOWAIT, READY and NOREADY: what a seat says of its orders as a whole."""

from adjudicator.clerk.commands.case import Case, Done
from adjudicator.ledger.game_acts import SetReady, SetWait
from orders.commands import Command

OVER = "That was for a turn that is over, so it changes nothing. Answer this letter to say it again."
ENDED = "The game is over, so that changes nothing."


def clear(case: Case, command: Command) -> Done:
    """Withdraw all orders on file."""
    idle = changes_nothing(case)
    return idle or Done(notes=("All your orders on file are withdrawn.",), clears=True)


def wait(case: Case, command: Command) -> Done:
    """Ask to wait for the deadline."""
    return _say_wait(case, True, "The turn waits for its deadline. NOWAIT takes that back.")


def nowait(case: Case, command: Command) -> Done:
    """No longer wait."""
    return _say_wait(case, False, "You no longer ask to wait for the deadline.")


def ready(case: Case, command: Command) -> Done:
    """Say that nothing more will come this turn, whatever is missing."""
    return _say_ready(case, True, "You are ready: nothing more is waited for from you this turn.")


def unready(case: Case, command: Command) -> Done:
    """Take READY back."""
    return _say_ready(case, False, "You are no longer ready: your missing orders are waited for.")


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
        return Done(notes=(ENDED,))
    return Done(notes=(OVER,)) if case.seated.stale else None
