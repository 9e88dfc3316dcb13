"""PRESS and BROADCAST: messages between players, as far as their game carries them."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from adjudicator.auth.reply_tokens import reply_tokens_around_press, void_tokens_in_press
from adjudicator.auth.tokens import mask_seats
from adjudicator.clock import HOUR
from adjudicator.context import RequestContext
from adjudicator.inbound.commands.context import (
    CommandResult,
    SeatCommandContext,
    choose_seats,
    find_signature,
    match_seat,
    reply_with,
)
from adjudicator.inbound.commands.orders import explain_too_late
from adjudicator.messages import sentence
from adjudicator.model.games import EndGame, GamePosition
from adjudicator.model.people import (
    GAMESMASTER_SEAT,
    CastVote,
    GamePolicy,
    Press,
    SendPress,
    TakeVoteBack,
    Vote,
    has_to_wait,
    is_read_by,
)
from adjudicator.reports.messages import named_writer
from adjudicator.turns.bot_press import Talk
from adjudicator.turns.bots import GameBots
from games.language import join_list
from games.protocol import Bot, Game, GameResult, Order, Seat, View
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


# DRAW, NODRAW, CONCEDE: an end that players agree on. The votes stay secret until all have agreed.


def propose_draw(case: SeatCommandContext, command: Command) -> CommandResult:
    """Vote for a draw among all survivors, or among those that are named."""
    idle = explain_too_late(case)
    if idle:
        return idle
    rule = case.repository.people.policy(case.name).draws
    if rule == "none":
        return reply_with(sentence("inbound.draws.no_draw", game=case.name))
    voters, remaining = (
        voting_seats(case.game, case.seated.position),
        surviving_seats(case.game, case.seated.position),
    )
    if case.seat not in voters:
        return reply_with(sentence("inbound.draws.out_of_the_game", seat=case.seat))
    if voters == (case.seat,):
        return reply_with(sentence("inbound.draws.nobody_to_agree"))
    chosen = choose_seats(command.args[0] if command.args else "", remaining)
    if chosen.unknown:
        unknown = join_list(chosen.unknown)
        return reply_with(sentence("inbound.draws.draw_with_whom", unknown=unknown, seats=remaining))
    sharing = tuple(seat for seat in remaining if seat in chosen.seats) or remaining
    if sharing != remaining and rule != "named":
        return reply_with(sentence("inbound.draws.all_share", game=case.name))
    named = None if sharing == remaining else Seat(", ".join(sharing))
    majority = rule == "majority"
    needed = len(voters) // 2 + 1 if majority else len(voters)
    vote = Vote(seat=case.seat, motion="draw", to=named)
    agreed = _votes_with(case, vote)
    in_favour = [
        seat
        for seat in voters
        if seat in agreed and (agreed[seat].motion, agreed[seat].to) == ("draw", named)
    ]
    if len(in_favour) < needed:
        note = sentence("inbound.draws.agrees", majority=majority, seats=join_list(sharing) if named else "")
        return _cast_vote(case, vote, note)
    why = sentence("inbound.draws.why_drawn", seats=join_list(sharing), named=named is not None)
    result = GameResult(winners=sharing if named else (), reason=why)
    return _end_game(case, result, sentence("inbound.draws.all_agreed", majority=majority))


def concede(case: SeatCommandContext, command: Command) -> CommandResult:
    """Concede the game to another seat, which wins when all others have conceded."""
    idle = explain_too_late(case)
    if idle:
        return idle
    others = [seat for seat in surviving_seats(case.game, case.seated.position) if seat != case.seat]
    to = match_seat(command.args[0], others) if command.args else others[0] if len(others) == 1 else None
    voters = [seat for seat in voting_seats(case.game, case.seated.position) if seat != to]
    if case.seat not in voters:
        return reply_with(sentence("inbound.draws.out_of_the_game", seat=case.seat))
    if to is None and others:
        return reply_with(sentence("inbound.draws.concede_to_whom", seats=others))
    vote = Vote(seat=case.seat, motion="concede", to=to)
    agreed = _votes_with(case, vote)
    if all(seat in agreed and agreed[seat].motion == "concede" and agreed[seat].to == to for seat in voters):
        if to is None:
            why = sentence("inbound.draws.why_given_up", seat=case.seat)
            return _end_game(case, GameResult(winners=(), reason=why), sentence("inbound.draws.given_up"))
        why = sentence("inbound.draws.why_conceded")
        return _end_game(
            case, GameResult(winners=(to,), reason=why), sentence("inbound.draws.conceded", seat=to)
        )
    return _cast_vote(case, vote, sentence("inbound.draws.concedes", seat=to))


def withdraw_vote(case: SeatCommandContext, _command: Command) -> CommandResult:
    """Withdraw the seat's vote for an end of the game."""
    idle = explain_too_late(case)
    if idle:
        return idle
    if case.seat not in case.repository.people.votes(case.name):
        return reply_with(sentence("inbound.draws.nothing_to_take_back"))
    act = TakeVoteBack(game=case.name, by=case.seat, seat=case.seat)
    return CommandResult(acts=(act,), notes=(sentence("inbound.draws.taken_back"),))


def surviving_seats(game: Game, position: GamePosition) -> tuple[Seat, ...]:
    """Return the seats that are still in the game."""
    survivors = game.rules.survivors(position.state)
    return tuple(position.assignments) if survivors is None else survivors


def voting_seats(game: Game, position: GamePosition) -> tuple[Seat, ...]:
    """Return the seats that must agree: those of surviving human players."""
    return tuple(seat for seat in surviving_seats(game, position) if position.assignments[seat].is_person)


def _votes_with(case: SeatCommandContext, vote: Vote) -> Mapping[Seat, Vote]:
    return {**case.repository.people.votes(case.name), case.seat: vote}


def _cast_vote(case: SeatCommandContext, vote: Vote, note: str) -> CommandResult:
    act = CastVote(game=case.name, by=case.seat, turn=case.turn, vote=vote)
    return CommandResult(acts=(act,), notes=(note,))


def _end_game(case: SeatCommandContext, result: GameResult, note: str) -> CommandResult:
    act = EndGame(game=case.name, by=case.seat, why=result.reason, result=result, turn=case.turn)
    return CommandResult(acts=(act,), notes=(note,))
