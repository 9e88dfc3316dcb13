"""What a letter may ask for beside orders: one function a command, found in COMMANDS by its verb."""

from collections.abc import Callable

from adjudicator.clerk.commands.asking import ask_help, ask_orders, ask_status
from adjudicator.clerk.commands.beginning import begin
from adjudicator.clerk.commands.case import Case, Done
from adjudicator.clerk.commands.ordering import clear, nowait, ready, unready, wait
from adjudicator.clerk.commands.seats import signed_on
from orders.commands import Command

COMMANDS: dict[str, Callable[[Case, Command], Done]] = {
    "SIGNON": signed_on,
    "STATUS": ask_status,
    "ORDERS": ask_orders,
    "HELP": ask_help,
    "NEW": begin,
    "CLEAR": clear,
    "WAIT": wait,
    "NOWAIT": nowait,
    "READY": ready,
    "NOREADY": unready,
}


def carry_out(case: Case, command: Command) -> Done:
    """What a command of a seat comes to."""
    return COMMANDS[command.verb](case, command)
