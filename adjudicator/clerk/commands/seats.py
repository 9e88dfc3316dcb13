"""SIGNON: for which seat the rest of a letter speaks. The desk has seen to it; here it is acknowledged."""

from adjudicator.clerk.commands.case import Case, Done
from orders.commands import Command


def signed_on(case: Case, command: Command) -> Done:
    """Say for whom the lines after it were read."""
    seated = case.seated
    return Done(notes=(f"You speak for {seated.seat} in the game {seated.position.name}.",))
