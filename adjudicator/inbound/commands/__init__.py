"""The commands in emails: one function per command, found by its verb."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.inbound.commands.account import (
    choose_letters,
    forget_me,
    keep_me,
    note_absence,
    send_data,
    set_password,
    set_zone,
)
from adjudicator.inbound.commands.context import CommandContext, CommandResult, SeatCommandContext, reply_with
from adjudicator.inbound.commands.joining import (
    ask_rematch,
    begin_game,
    has_word,
    invite,
    join_game,
    observe_game,
    resign,
    set_preference,
)
from adjudicator.inbound.commands.orders import (
    acknowledge_signoff,
    acknowledge_signon,
    ask_sheet,
    clear_orders,
    set_ready,
    set_wait,
    try_orders,
    undo_action,
    withdraw_ready,
    withdraw_wait,
)
from adjudicator.inbound.commands.press import (
    block_player,
    broadcast,
    report_press,
    send_press,
    unblock_player,
)
from adjudicator.inbound.commands.queries import (
    ask_get,
    ask_help,
    ask_history,
    ask_list,
    ask_map,
    ask_moves,
    ask_neighbours,
    ask_orders,
    ask_record,
    ask_rules,
    ask_status,
)
from adjudicator.inbound.commands.voting import concede, propose_draw, vote, withdraw_ballots, withdraw_vote
from adjudicator.messages import sentence
from adjudicator.model.games import AnyAct, BeginGame, CastBallot, TakeBallotsBack
from adjudicator.model.people import NoteGuesses, SendPress, SetPlayerBlocks, SignUp
from games.record import replace_fields
from orders.commands import Command

PUBLIC_QUESTIONS: dict[str, Callable[[CommandContext, Command], CommandResult]] = {
    "STATUS": ask_status,
    "LIST": ask_list,
    "HELP": ask_help,
    "RULES": ask_rules,
}
"""What anybody may ask, whoever he is."""

AUTHENTICATED_COMMANDS: dict[str, Callable[[CommandContext, Command], CommandResult]] = {
    "NEW": begin_game,
    "JOIN": join_game,
    "PREFERENCE": set_preference,
    "INVITE": invite,
    "OBSERVE": observe_game,
    "BLOCK": block_player,
    "UNBLOCK": unblock_player,
    "RESIGN": resign,
    "TIMEZONE": set_zone,
    "LETTERS": choose_letters,
    "MAP": ask_map,
    "HISTORY": ask_history,
    "RECORD": ask_record,
    "GET": ask_get,
    "MY DATA": send_data,
    "FORGET ME": forget_me,
    "KEEP ME": keep_me,
}
"""What anybody may want who has shown that he wrote the letter."""

ANSWERED_LAST = frozenset({"STATUS", "GET", "MAP", "MOVES", "SHEET", "TRY"})
"""What tells how things stand once all the rest of a letter is done."""

SEAT_COMMANDS: dict[str, Callable[[SeatCommandContext, Command], CommandResult]] = {
    "SIGNON": acknowledge_signon,
    "ORDERS": ask_orders,
    "MOVES": ask_moves,
    "NEIGHBOURS": ask_neighbours,
    "SHEET": ask_sheet,
    "TRY": try_orders,
    "UNDO": undo_action,
    "CLEAR": clear_orders,
    "WAIT": set_wait,
    "NOWAIT": withdraw_wait,
    "READY": set_ready,
    "NOREADY": withdraw_ready,
    "PRESS": send_press,
    "BROADCAST": broadcast,
    "DRAW": propose_draw,
    "NODRAW": withdraw_vote,
    "CONCEDE": concede,
    "VOTE": vote,
    "NOVOTE": withdraw_ballots,
    "REMATCH": ask_rematch,
    "REPORT": report_press,
    "ABSENCE": note_absence,
    "PASSWORD": set_password,
}
"""What only the player of a seat can say."""

CLOSED_TO_BANNED = frozenset({"NEW", "JOIN", "PREFERENCE", "INVITE", "OBSERVE", "REMATCH"})
"""What a person whom the GM has banned can't do. Their seats in running games stay theirs."""

MAX_PRESS_COPIES = 120
"""To so many readers a letter's press is carried, all of it together."""

COMMANDS_WITHOUT_SEAT = {**PUBLIC_QUESTIONS, **AUTHENTICATED_COMMANDS, "SIGNOFF": acknowledge_signoff}
"""What a letter may hold that speaks for no seat."""


def run_command(caller: CommandContext, command: Command) -> CommandResult:
    """Return the result of a command."""
    if command.verb in CLOSED_TO_BANNED and caller.repository.people.ban(caller.address) is not None:
        return reply_with(sentence("inbound.protection.banned"))
    if command.verb in COMMANDS_WITHOUT_SEAT:
        return COMMANDS_WITHOUT_SEAT[command.verb](caller, command)
    if isinstance(caller, SeatCommandContext):
        return SEAT_COMMANDS[command.verb](caller, command)
    return reply_with(sentence("inbound.commands.belongs_to_a_seat", verb=command.verb))


def run_commands(caller: CommandContext, commands: Sequence[Command]) -> list[CommandResult]:
    """Return the results of commands; each knows what those before it have done."""
    done: list[CommandResult] = []
    for command in commands:
        result = run_command(caller, command)
        copies = _count_press_copies(caller, result.acts)
        if copies and caller.carried + copies > MAX_PRESS_COPIES:
            result, copies = _refuse_press(command), 0
        done.append(result)
        begun = tuple(act for act in result.acts if isinstance(act, BeginGame))
        if isinstance(caller, SeatCommandContext):
            caller = replace(caller, seated=_count_ballots(caller.seated, result.acts))
        caller = replace(
            caller,
            begun=(*caller.begun, *begun),
            joined=(*caller.joined, *(act.signup for act in result.acts if isinstance(act, SignUp))),
            mapped=caller.mapped or result.mapped,
            carried=caller.carried + copies,
            wrote=(*caller.wrote, *(act.press for act in result.acts if isinstance(act, SendPress))),
            words_tried=caller.words_tried + has_word(command),
            guessed=(*caller.guessed, *(act for act in result.acts if isinstance(act, NoteGuesses))),
            blocked=next(
                (act.blocks for act in result.acts if isinstance(act, SetPlayerBlocks)), caller.blocked
            ),
        )
    return done


def _count_ballots(seated: AuthenticatedSeat, acts: Iterable[AnyAct]) -> AuthenticatedSeat:
    """Return a seat whose position has the votes that a command has cast or withdrawn."""
    timing = seated.position.timing
    for act in acts:
        if isinstance(act, CastBallot):
            timing = timing.with_ballot(act.ballot, moves=act.moves)
        elif isinstance(act, TakeBallotsBack):
            timing = timing.without_ballots(act.seat)
    if timing == seated.position.timing:
        return seated
    return replace_fields(seated, position=replace(seated.position, timing=timing))


def _count_press_copies(caller: CommandContext, acts: Iterable[AnyAct]) -> int:
    """Return the number of readers that press goes to."""
    everybody = len(caller.seated.position.assignments) - 1 if isinstance(caller, SeatCommandContext) else 0
    sent = [act.press.to for act in acts if isinstance(act, SendPress)]
    return sum(everybody if to is None else len(to) for to in sent)


def _refuse_press(command: Command) -> CommandResult:
    return reply_with(sentence("inbound.commands.too_much_press", line=command.line, most=MAX_PRESS_COPIES))
