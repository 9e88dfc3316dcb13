"""BLOCK, UNBLOCK and REPORT: what a player can do about another one. Nobody but the GM learns of it."""

import re

from adjudicator.inbound.commands.context import (
    CommandContext,
    CommandResult,
    SeatCommandContext,
    match_seat,
    reply_with,
)
from adjudicator.inbound.commands.press import find_answered_press_key
from adjudicator.messages import sentence
from adjudicator.model.addresses import is_own, valid_address
from adjudicator.model.games import GamePosition
from adjudicator.model.people import MAX_BLOCKS, PlayerBlock, Press, SetPlayerBlocks, TellGamesmaster
from adjudicator.reports.messages import named_writer
from adjudicator.reports.verdict import CommandAnswer
from games.protocol import Seat
from orders.commands import Command

_IN_GAME = re.compile(r"(?P<seat>.+?)\s+in\s+(?P<game>[a-z0-9-]{1,20})", re.IGNORECASE)
_BECAUSE = re.compile(r"(?:^|\s+)because\s+", re.IGNORECASE)
_WRITER_MARK = re.compile(r"writer\s+([a-z2-7]{8})", re.IGNORECASE)


def block_player(caller: CommandContext, command: Command) -> CommandResult:
    """Keep a person away from the sender's tables from now on, or list whom the sender has blocked.

    The reply is the same whether or not anybody has the address.
    """
    if not command.args:
        return _list_blocks(caller)
    block = _find_block(caller, command.args[0])
    if isinstance(block, str):
        return reply_with(block)
    before = caller.blocks
    kept = tuple(other for other in before if _name_of(other) != _name_of(block))
    if len(kept) >= MAX_BLOCKS:
        return reply_with(sentence("inbound.protection.too_many", most=MAX_BLOCKS))
    if any(other.address == block.address and _name_of(other) == _name_of(block) for other in before):
        return reply_with(sentence("inbound.protection.blocked_already", name=_name_of(block)))
    act = SetPlayerBlocks(by=caller.address, address=caller.address, before=before, blocks=(*kept, block))
    later = bool(block.game) and caller.repository.people.policy(block.game).anonymous
    note = sentence("inbound.protection.blocked", name=_name_of(block), later=later, game=block.game)
    return CommandResult(acts=(act,), notes=(note,))


def unblock_player(caller: CommandContext, command: Command) -> CommandResult:
    """Take a block back. It is named as it was made, so that a seat's player stays unknown."""
    if not command.args:
        return _list_blocks(caller)
    text, before = command.args[0], caller.blocks
    wanted = _read_name(caller, text)
    kept = tuple(block for block in before if _name_of(block).casefold() != wanted.casefold())
    if len(kept) == len(before):
        names = [_name_of(block) for block in before]
        return reply_with(sentence("inbound.protection.not_blocked", name=text, names=names))
    act = SetPlayerBlocks(by=caller.address, address=caller.address, before=before, blocks=kept)
    return CommandResult(acts=(act,), notes=(sentence("inbound.protection.unblocked", name=wanted),))


def _list_blocks(caller: CommandContext) -> CommandResult:
    names = [_name_of(block) for block in caller.blocks]
    text = sentence("inbound.protection.list", names=names, most=MAX_BLOCKS)
    return CommandResult(answered=(CommandAnswer(title=sentence("inbound.protection.title"), text=text),))


def _name_of(block: PlayerBlock) -> str:
    """Return how a block was named, which shows nothing that its owner doesn't know."""
    return f"{block.seat} in {block.game}" if block.game else block.address


def _read_name(caller: CommandContext, text: str) -> str:
    """Return the name of a block from the words of an UNBLOCK."""
    address = valid_address(text) if "@" in text else None
    if address is not None:
        return address
    seat, game = _split_seat(text)
    seats = [Seat(block.seat) for block in caller.blocks if block.game == game]
    return f"{match_seat(seat, seats) or seat} in {game}"


def _split_seat(text: str) -> tuple[str, str]:
    """Return the words for a seat, and the game that is named."""
    match = _IN_GAME.fullmatch(text.strip(" ."))
    return (match["seat"], match["game"].lower()) if match is not None else (text.strip(" ."), "")


def _find_block(caller: CommandContext, text: str) -> PlayerBlock | str:
    """Return the block that a player asks for, or why there can be none."""
    if "@" in text:
        address = valid_address(text.strip(" .,;<>"))
        if address is None:
            return sentence("inbound.invitations.no_address", addresses=[text])
        if address == caller.address or is_own(address, caller.service_context.address):
            return sentence("inbound.protection.oneself")
        return PlayerBlock(address=address, at=caller.received)
    named, game = _split_seat(text)
    position = caller.visible.position(game)
    if not game or position is None:
        return sentence("inbound.protection.which", game=game)
    seat = match_seat(named, position.assignments)
    if seat is None:
        return sentence(
            "inbound.joining.no_such_seat", unknown=named, game=game, seats=tuple(position.assignments)
        )
    player = position.assignments[seat].address
    if player is None:
        return sentence("inbound.protection.a_bot", seat=seat, game=game)
    if player == caller.address:
        return sentence("inbound.protection.oneself")
    return PlayerBlock(address=player, game=game, seat=seat, at=caller.received)


# REPORT: hand a piece of press to the GM, with the email that it came in.


def report_press(case: SeatCommandContext, command: Command) -> CommandResult:
    """Send the GM a piece of press that the seat has read, its writer, and the number of its email.

    It is the press that the email replies to, or else the latest from the seat or writer that is named.
    """
    named, *reason = _BECAUSE.split(command.args[0] if command.args else "", maxsplit=1)
    press = _find_latest(case, named.strip(" .")) if named.strip() else _find_answered(case)
    if press is None:
        return reply_with(sentence("inbound.protection.report_which"))
    key = f"{case.name}/report/{case.seat}/{press.number}"
    if case.repository.has_written(key):
        return reply_with(sentence("inbound.protection.reported_already"))
    act = TellGamesmaster(
        by=case.seat,
        key=key,
        subject=sentence("inbound.protection.report_subject", game=case.name, seat=case.seat),
        paragraphs=_describe_report(case, press, "".join(reason).strip()),
    )
    return CommandResult(
        acts=(act,), notes=(sentence("inbound.protection.reported", writer=press.signature),)
    )


def _describe_report(case: SeatCommandContext, press: Press, why: str) -> tuple[str, ...]:
    position = case.seated.position
    writer = press.seat and _player_at(position, press.seat)
    number = case.repository.email_number(case.name, press.seat, press.at) if press.seat else None
    facts = sentence(
        "inbound.protection.report",
        seat=case.seat,
        game=case.name,
        writer=press.seat,
        address=writer,
        turn=press.turn,
        readers=press.readers,
        grey=press.kind == "grey",
    )
    rows = "\n".join(f"| {row}" for row in press.text.splitlines())
    reason = (sentence("inbound.protection.report_why", why=why),) if why else ()
    email = (sentence("inbound.protection.report_email", number=number),) if number is not None else ()
    ban = (sentence("inbound.protection.report_ban", address=writer),) if writer else ()
    return (facts, rows, *reason, *email, *ban)


def _player_at(position: GamePosition, seat: Seat) -> str | None:
    """Return the address of a seat's player now, or None for a bot."""
    return position.assignments[seat].address if seat in position.assignments else None


def _find_answered(case: SeatCommandContext) -> Press | None:
    """Return the press that the email replies to, if it is one piece that others wrote to the seat."""
    key = find_answered_press_key(case)
    press = case.repository.people.press_of(key.rpartition("/")[0]) if key is not None else None
    return press if press is not None and _can_report(case, press) else None


def _find_latest(case: SeatCommandContext, named: str) -> Press | None:
    """Return the latest press of a writer that the seat has read: a seat for signed press, else a mark."""
    heard = [press for press in case.repository.people.press(case.name) if _can_report(case, press)]
    mark = _WRITER_MARK.fullmatch(named)
    if mark is not None:
        wanted = f"WRITER {mark[1].lower()}"
        unsigned = (press for press in reversed(heard) if press.kind == "grey")
        return next(
            (p for p in unsigned if named_writer(case.service_context.key, case.name, p) == wanted), None
        )
    seat = match_seat(named, case.seated.position.assignments) if named else None
    signed = (press for press in reversed(heard) if press.kind == "white" and press.seat == seat)
    return next(signed, None) if seat is not None else None


def _can_report(case: SeatCommandContext, press: Press) -> bool:
    return press.is_heard_by(case.seat) and press.seat not in (None, case.seat)
