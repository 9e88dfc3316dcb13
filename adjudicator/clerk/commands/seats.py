"""SIGNON, SIGNOFF: for which seat the rest of a letter speaks, and where it ends. The desk has seen to it."""

from adjudicator.catalogue import sentence
from adjudicator.clerk.commands.case import Caller, Case, Done, told
from orders.commands import Command


def signed_on(case: Case, command: Command) -> Done:
    """Say for whom the lines after it were read."""
    return told(sentence("clerk.seats.speaks_for", seat=case.seat, game=case.name))


def signed_off(caller: Caller, command: Command) -> Done:
    """Nothing: what stands below was not read."""
    return Done()
