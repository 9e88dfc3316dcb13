"""What a letter may ask for beside orders: one function a command, found by its verb."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from adjudicator.catalogue import sentence
from adjudicator.clerk.commands.beginning import begin
from adjudicator.clerk.commands.case import Caller, Case, Done, told
from adjudicator.clerk.commands.dispatching import broadcast, send_press
from adjudicator.clerk.commands.inviting import invite
from adjudicator.clerk.commands.joining import join, observe, prefer, resign
from adjudicator.clerk.commands.letters import choose_letters
from adjudicator.clerk.commands.looking import ask_history, ask_map
from adjudicator.clerk.commands.moves import ask_moves, ask_neighbours
from adjudicator.clerk.commands.ordering import clear, nowait, ready, undone, unready, wait
from adjudicator.clerk.commands.personal import note_absence, set_password, set_zone
from adjudicator.clerk.commands.queries import ask_get, ask_help, ask_list, ask_orders, ask_rules, ask_status
from adjudicator.clerk.commands.record import ask_record
from adjudicator.clerk.commands.seats import signed_off, signed_on
from adjudicator.clerk.commands.settling import concede, propose_draw, take_back
from adjudicator.clerk.commands.sheets import ask_sheet
from adjudicator.clerk.commands.trying import try_orders
from adjudicator.ledger.game_acts import AnyAct, BeginGame
from adjudicator.ledger.people_acts import SendPress, SignUp
from orders.commands import Command

QUESTIONS: dict[str, Callable[[Caller, Command], Done]] = {
    "STATUS": ask_status,
    "LIST": ask_list,
    "HELP": ask_help,
    "RULES": ask_rules,
}
"""What anybody may ask, whoever he is."""

WISHES: dict[str, Callable[[Caller, Command], Done]] = {
    "NEW": begin,
    "JOIN": join,
    "PREFERENCE": prefer,
    "INVITE": invite,
    "OBSERVE": observe,
    "RESIGN": resign,
    "TIMEZONE": set_zone,
    "LETTERS": choose_letters,
    "MAP": ask_map,
    "HISTORY": ask_history,
    "RECORD": ask_record,
    "GET": ask_get,
}
"""What anybody may want who has shown that he wrote the letter."""

ANSWERED_LAST = frozenset({"STATUS", "GET", "MAP", "MOVES", "SHEET", "TRY"})
"""What tells how things stand once all the rest of a letter is done."""

OF_SEATS: dict[str, Callable[[Case, Command], Done]] = {
    "SIGNON": signed_on,
    "ORDERS": ask_orders,
    "MOVES": ask_moves,
    "NEIGHBOURS": ask_neighbours,
    "SHEET": ask_sheet,
    "TRY": try_orders,
    "UNDO": undone,
    "CLEAR": clear,
    "WAIT": wait,
    "NOWAIT": nowait,
    "READY": ready,
    "NOREADY": unready,
    "PRESS": send_press,
    "BROADCAST": broadcast,
    "DRAW": propose_draw,
    "NODRAW": take_back,
    "CONCEDE": concede,
    "ABSENCE": note_absence,
    "PASSWORD": set_password,
}
"""What only the player of a seat can say."""

MOST_COPIES = 120
"""To so many readers a letter's press is carried, all of it together."""

ANYBODY = {**QUESTIONS, **WISHES, "SIGNOFF": signed_off}
"""What a letter may hold that speaks for no seat."""


def carry_out(caller: Caller, command: Command) -> Done:
    """What a command comes to."""
    if command.verb in ANYBODY:
        return ANYBODY[command.verb](caller, command)
    if isinstance(caller, Case):
        return OF_SEATS[command.verb](caller, command)
    return told(sentence("clerk.commands.belongs_to_a_seat", verb=command.verb))


def carry_all_out(caller: Caller, commands: Sequence[Command]) -> list[Done]:
    """What the commands come to, each knowing what those before it have done."""
    done: list[Done] = []
    for command in commands:
        found = carry_out(caller, command)
        copies = _copies(caller, found.acts)
        if copies and caller.carried + copies > MOST_COPIES:
            found, copies = _too_much_press(command), 0
        done.append(found)
        begun = tuple(act for act in found.acts if isinstance(act, BeginGame))
        caller = replace(
            caller,
            begun=(*caller.begun, *begun),
            joined=(*caller.joined, *(act.signup for act in found.acts if isinstance(act, SignUp))),
            mapped=caller.mapped or found.mapped,
            carried=caller.carried + copies,
            wrote=(*caller.wrote, *(act.press for act in found.acts if isinstance(act, SendPress))),
        )
    return done


def _copies(caller: Caller, acts: Iterable[AnyAct]) -> int:
    """To how many readers press goes."""
    everybody = len(caller.seated.position.chairs) - 1 if isinstance(caller, Case) else 0
    sent = [act.press.to for act in acts if isinstance(act, SendPress)]
    return sum(everybody if to is None else len(to) for to in sent)


def _too_much_press(command: Command) -> Done:
    return told(sentence("clerk.commands.too_much_press", line=command.line, most=MOST_COPIES))
