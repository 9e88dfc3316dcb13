"""SIGNON, SIGNOFF: the seat for which the rest of a letter speaks, and where it ends.

The pipeline has acted on them already.
"""

from adjudicator.inbound.commands.context import CommandContext, CommandResult, SeatCommandContext, reply_with
from adjudicator.messages import sentence
from orders.commands import Command


def acknowledge_signon(case: SeatCommandContext, command: Command) -> CommandResult:
    """Say for which seat the lines after it were read."""
    return reply_with(sentence("clerk.seats.speaks_for", seat=case.seat, game=case.name))


def acknowledge_signoff(caller: CommandContext, command: Command) -> CommandResult:
    """Do nothing: the lines after it were not read."""
    return CommandResult()
