"""PRESS, BROADCAST, BLOCK, REPORT: messages between players, and protection from other players.

Messages pass as far as their game carries them. Nobody but the GM learns of a block or a report.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from adjudicator.auth.reply_tokens import reply_tokens_around_press, void_tokens_in_press
from adjudicator.auth.tokens import mask_seats
from adjudicator.clock import HOUR
from adjudicator.context import RequestContext
from adjudicator.inbound.commands.context import (
    CommandContext,
    CommandResult,
    SeatCommandContext,
    choose_seats,
    find_signature,
    match_seat,
    reply_with,
)
from adjudicator.messages import sentence
from adjudicator.model.addresses import is_own, valid_address
from adjudicator.model.games import GamePosition
from adjudicator.model.people import (
    GAMESMASTER_SEAT,
    MAX_BLOCKS,
    GamePolicy,
    PlayerBlock,
    Press,
    SendPress,
    SetPlayerBlocks,
    TellGamesmaster,
    has_to_wait,
    is_read_by,
)
from adjudicator.reports.messages import named_writer
from adjudicator.reports.verdict import CommandAnswer
from adjudicator.turns.bots import GameBots, Talk
from games.language import join_list
from games.protocol import Bot, Game, Order, Seat, View
from orders.commands import Command

MAX_PRESS_CHARS = 20_000
TURNS_WITHOUT_PRESS = ("retreats", "builds")
_EVERYBODY_WORDS = re.compile(
    r"\s*(?:all|everybody|everyone|all players)\s*(?:but|except)?\s*", re.IGNORECASE
)
_WRITER = re.compile(r"\s*writer\s+([a-z2-7]{8})\s*", re.IGNORECASE)
_GAMESMASTER_WORDS = re.compile(r"\s*(?:the\s+)?(?:gm|master|gamesmaster|moderator)\s*", re.IGNORECASE)


def send_press(case: SeatCommandContext, command: Command) -> CommandResult:
    """Write to the seats that are named."""
    named, colon, begun = command.args[0].partition(":")
    text = "\n".join(filter(None, (begun.strip() if colon else "", command.text.strip())))
    if not text and find_answered_press_key(case) is not None:
        # The two lines that press carries, as they came.
        return CommandResult()
    if (mark := _WRITER.fullmatch(named)) is not None:
        writer = _writer_of(case, mark[1])
        if writer is None:
            return reply_with(sentence("inbound.press.no_such_writer"))
        return _send(case, command, (writer,), text, blind=True)
    if _GAMESMASTER_WORDS.fullmatch(named):
        return _send(case, command, (GAMESMASTER_SEAT,), text)
    others = [seat for seat in case.seated.position.assignments if seat != case.seat]
    everybody = _EVERYBODY_WORDS.match(named)
    chosen = choose_seats(named[everybody.end() :] if everybody else named, others)
    if chosen.unknown or not (chosen.seats or everybody):
        unknown = join_list(chosen.unknown)
        return reply_with(
            sentence("inbound.press.no_such_hearer", unknown=unknown, game=case.name, seats=others)
        )
    if everybody and not chosen.seats:
        return _send(case, command, None, text)
    hearers = tuple(seat for seat in others if seat not in chosen.seats) if everybody else chosen.seats
    return _send(case, command, hearers, text)


def broadcast(case: SeatCommandContext, command: Command) -> CommandResult:
    """Write to everybody, including those who only watch."""
    return _send(case, command, None, command.text.strip())


def is_press_closed(game: Game, position: GamePosition, customs: GamePolicy) -> bool:
    """Return whether players can't write to each other now, because only retreats or builds are due."""
    turn = game.rules.turn(position.state)
    return customs.press_in == "moves" and position.is_running and turn.kind in TURNS_WITHOUT_PRESS


def find_answered_press_key(case: SeatCommandContext) -> str | None:
    """Return the key of our email with one or several pieces of press that an email replies to, or None."""
    key = case.repository.key_of(case.replies_to) if case.replies_to else None
    return key if key is not None and f"{case.name}/press/" in key else None


def why_not_sent(case: SeatCommandContext, command: Command) -> str | None:
    """Return why press would not be sent, or None. Nothing is sent."""
    tried = send_press(replace(case, replies_to=None, talk=None), command)
    return None if tried.acts else next(iter(tried.notes), None)


def _writer_of(case: SeatCommandContext, mark: str) -> Seat | None:
    """Return the writer of unsigned press by its mark, if the seat has heard that press."""
    heard = (press for press in case.repository.people.press(case.name) if press.is_heard_by(case.seat))
    unsigned = (press for press in heard if press.kind == "grey" and press.seat not in (None, case.seat))
    wanted = f"WRITER {mark.lower()}"
    return next(
        (
            press.seat
            for press in unsigned
            if named_writer(case.service_context.key, case.name, press) == wanted
        ),
        None,
    )


def _send(
    case: SeatCommandContext, command: Command, to: tuple[Seat, ...] | None, text: str, *, blind: bool = False
) -> CommandResult:
    customs = case.repository.people.policy(case.name)
    to_master = to == (GAMESMASTER_SEAT,)
    kind = "white" if to_master else _press_kind(command.line, customs)
    why = _find_refusal(case, customs, to, text, kind)
    if why is not None:
        return reply_with(why)
    assert kind is not None, "otherwise it is refused"
    keys = reply_tokens_around_press(
        case.seated.position,
        case.address,
        RequestContext(case.repository, case.service_context, case.received),
    )
    clean, shown = keys.redact(text), () if to_master else keys.find_holders(text)
    if kind == "grey":
        clean = mask_seats(clean, case.name, case.seated.position.assignments, (case.address, case.sender))
    press = Press(turn=case.turn, seat=case.seat, kind=kind, to=to, text=clean, at=case.received, blind=blind)
    named = f"{case.key}|{command.line}|{text}".encode()
    key = f"{case.name}/press/{hashlib.sha256(named).hexdigest()[:16]}"
    act = SendPress(game=case.name, by=case.seat, press=press, key=key)
    quoted = "\n".join(f"| {line}" for line in clean.splitlines())
    heard = () if blind else (*_explain_wait(case, press), *_heard_by_bots(case, act))
    notes = (f"{_confirm_sent(to, kind, blind)}\n\n{quoted}", *heard)
    return CommandResult(acts=(act, *void_tokens_in_press(case.seated, shown)), notes=notes)


def _confirm_sent(to: tuple[Seat, ...] | None, kind: str, blind: bool) -> str:
    if to == (GAMESMASTER_SEAT,):
        return sentence("inbound.press.sent_to_gamesmaster")
    everybody, hearers = to is None, join_list(to or ())
    if blind:
        hearers = sentence("inbound.press_replies.its_writer")
    return sentence("inbound.press.sent", everybody=everybody, hearers=hearers, signed=kind == "white")


def _heard_by_bots(case: SeatCommandContext, act: SendPress) -> tuple[str, ...]:
    """Return the sentences about what bots accept of a piece of press, and what the bots named understand."""
    talk = case.talk or Talk(case.repository.people)
    accepted = talk.agreements(case.seated.position, act)
    sentences = (sentence("inbound.press.accepted", seat=seat, matter=matter) for seat, matter in accepted)
    return (*sentences, *_explain_bots(case, act.press.to, act.press.kind))


def _explain_wait(case: SeatCommandContext, press: Press) -> tuple[str, ...]:
    """Return a note if press waits for some of its readers.

    For grey press, it only says what follows from the writer's own press: other players' press stays
    secret.
    """
    earlier = (*case.repository.people.press(case.name, press.at - HOUR), *case.wrote)
    own = [piece for piece in earlier if piece.seat == press.seat]
    held = case.repository.people.held_press(case.name) if press.kind == "white" else ()
    to_master = (GAMESMASTER_SEAT,) if press.to == (GAMESMASTER_SEAT,) else ()
    seats = [seat for seat, assignment in case.seated.position.assignments.items() if assignment.is_person]
    readers = [reader for reader in (*to_master, *seats) if is_read_by(press, reader)]
    late = [reader for reader in readers if has_to_wait(press, reader, own, held)]
    if not late:
        return ()
    if press.kind == "grey":
        return (sentence("inbound.press.waits_perhaps"),)
    named = sentence("inbound.press.the_gamesmaster") if to_master else join_list(late)
    return (sentence("inbound.press.waits", readers=named),)


def _explain_bots(case: SeatCommandContext, to: tuple[Seat, ...] | None, kind: str) -> tuple[str, ...]:
    """Return notes on named readers who are bots: the press they read, if they read any."""
    position = case.seated.position
    bots = GameBots(case.game, case.name, position.secret)
    named = [position.assignments[seat] for seat in to or () if seat in position.assignments]
    seats_by_skill: dict[_PressSkill, list[Seat]] = {}
    for assignment in named:
        if not assignment.is_person:
            seats_by_skill.setdefault(_press_skill_of(bots.of(assignment), kind), []).append(assignment.seat)
    return tuple(_describe_bots(seats, which) for which, seats in seats_by_skill.items())


class _PressSkill(NamedTuple):
    """A bot's skill at press: whether it reads any, and which forms (None: none that is not signed)."""

    any: bool
    forms: tuple[str, ...] | None = None


def _press_skill_of(bot: Bot[View, Order], kind: str) -> _PressSkill:
    if not bot.phrases:
        return _PressSkill(False)
    return _PressSkill(True, bot.phrases if kind == "white" else None)


def _describe_bots(seats: Sequence[Seat], which: _PressSkill) -> str:
    names, count = join_list(seats), len(seats)
    if not which.any:
        return sentence("inbound.press.bots_deaf", seats=names, count=count)
    if which.forms is None:
        return sentence("inbound.press.bots_react", seats=names, count=count)
    phrases = "; ".join(which.forms)
    return sentence("inbound.press.bots_understand", seats=names, count=count, phrases=phrases)


def _press_kind(line: str, customs: GamePolicy) -> str | None:
    """Return the kind of press that the player wants: by default the usual one of the game.

    None: it has none.
    """
    words = line.lower().split(" to ")[0]
    wanted = "grey" if re.search(r"\bgr[ea]y\b", words) else "white" if "white" in words else None
    if not customs.allows:
        return None
    return wanted if wanted in customs.allows else customs.allows[0] if wanted is None else None


def _find_refusal(
    case: SeatCommandContext, customs: GamePolicy, to: tuple[Seat, ...] | None, text: str, kind: str | None
) -> str | None:
    """Return why press is not carried, or None."""
    if to == (GAMESMASTER_SEAT,):
        return None if text else sentence("inbound.press.no_text")
    if not customs.allows:
        return sentence("inbound.press.no_press", game=case.name)
    if is_press_closed(case.game, case.seated.position, customs):
        return sentence("inbound.press.closed_now", game=case.name)
    if to is not None and customs.reach == "public":
        return sentence("inbound.press.all_read_it", game=case.name)
    if kind is None:
        return sentence("inbound.press.another_kind", game=case.name, kind=customs.allows[0])
    if not text:
        return sentence("inbound.press.no_text_below")
    if len(text) > MAX_PRESS_CHARS:
        return sentence("inbound.press.too_long", length=len(text), most=MAX_PRESS_CHARS)
    return _explain_signature(case, customs, text, kind) or _explain_distance(case, customs, to)


def _explain_signature(case: SeatCommandContext, customs: GamePolicy, text: str, kind: str) -> str | None:
    """Return why press is returned, if its text names its writer although that must be secret, or None."""
    if kind == "white" and not customs.anonymous:
        return None
    person = case.repository.people.person(case.address)
    names = [case.sender_name, case.address, person.name if person and person.name else ""]
    row = (
        find_signature(text, [*names, case.seat])
        if kind == "grey"
        else find_signature(text, names, beside=case.seat)
    )
    if row is None:
        return None
    return sentence(
        "inbound.press.names_its_writer",
        grey=kind == "grey",
        row=row,
        may_be_signed=kind == "grey" and "white" in customs.allows,
    )


def _explain_distance(
    case: SeatCommandContext, customs: GamePolicy, to: tuple[Seat, ...] | None
) -> str | None:
    """Return why press can't reach some seats in a game where only neighbours may write, or None."""
    rules = case.game.rules
    near = rules.neighbours(case.seated.position.state, case.seat)
    if customs.reach != "neighbours" or near is None:
        return None
    far = [
        seat
        for seat in (to if to is not None else case.seated.position.assignments)
        if seat not in (*near, case.seat)
    ]
    if not far:
        return None
    return sentence("inbound.press.too_far", far=join_list(far), count=len(far), near=join_list(near))


# BLOCK, UNBLOCK and REPORT: what a player can do about another one.


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
