"""PRESS and BROADCAST: what players write to each other, as far as their game carries it."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from adjudicator.catalogue import sentence
from adjudicator.clerk.commands.case import Case, Done, told
from adjudicator.clerk.commands.choosing import choose_seats
from adjudicator.clerk.commands.signature import signed_as
from adjudicator.clerk.keys import keys_around
from adjudicator.clerk.leaks import in_press
from adjudicator.clock import HOUR
from adjudicator.ledger.held_press import has_to_wait, is_read_by
from adjudicator.ledger.people_acts import SendPress
from adjudicator.ledger.society import GAMESMASTER, Customs, Press
from adjudicator.office import Desk
from adjudicator.referee.bots import Bots
from adjudicator.referee.talk import Talk
from adjudicator.reports.press import named_writer
from adjudicator.reports.times import listed
from adjudicator.signs.seat_marks import mask_seats
from games.protocol import Bot, Order, Seat, View
from games.protocol.bot_skills import Conversant
from games.protocol.optional import Sociable
from orders.commands import Command

LONGEST_PRESS = 20_000
_ALL = re.compile(r"\s*(?:all|everybody|everyone|all players)\s*(?:but|except)?\s*", re.IGNORECASE)
_WRITER = re.compile(r"\s*writer\s+([a-z2-7]{8})\s*", re.IGNORECASE)
_MASTER = re.compile(r"\s*(?:the\s+)?(?:gm|master|gamesmaster|moderator)\s*", re.IGNORECASE)


def send_press(case: Case, command: Command) -> Done:
    """Write to some seats: those named."""
    named, colon, begun = command.args[0].partition(":")
    text = "\n".join(filter(None, (begun.strip() if colon else "", command.text.strip())))
    if not text and answers_press(case):
        # The two lines that press carries, as they came.
        return Done()
    if (mark := _WRITER.fullmatch(named)) is not None:
        writer = _writer_of(case, mark[1])
        if writer is None:
            why = sentence("clerk.dispatching.no_such_writer")
            return told(sentence("clerk.dispatching.not_sent", why=why))
        return _sent(case, command, (writer,), text, blind=True)
    if _MASTER.fullmatch(named):
        return _sent(case, command, (GAMESMASTER,), text)
    others = [seat for seat in case.seated.position.chairs if seat != case.seat]
    everybody = _ALL.match(named)
    chosen = choose_seats(named[everybody.end() :] if everybody else named, others)
    if chosen.unknown or not (chosen.seats or everybody):
        unknown = listed(chosen.unknown)
        return told(
            sentence("clerk.dispatching.no_such_hearer", unknown=unknown, game=case.name, seats=others)
        )
    if everybody and not chosen.seats:
        return _sent(case, command, None, text)
    hearers = tuple(seat for seat in others if seat not in chosen.seats) if everybody else chosen.seats
    return _sent(case, command, hearers, text)


def broadcast(case: Case, command: Command) -> Done:
    """Write to everybody, those who only watch included."""
    return _sent(case, command, None, command.text.strip())


def answers_press(case: Case) -> bool:
    """Return whether a letter answers an email of ours with press, or with several pieces of it."""
    return f"{case.name}/press/" in (_key_answered(case) or "")


def pressed_by(case: Case) -> Press | None:
    """Return the press that a letter answers, by the letter of ours that it names; None: it answers none."""
    key = _key_answered(case)
    if key is None or not answers_press(case):
        return None
    press = case.books.society.press_of(key.rpartition("/")[0])
    return press if press is not None and press.is_heard_by(case.seat) and press.seat != case.seat else None


def _key_answered(case: Case) -> str | None:
    return case.books.key_of(case.replies_to) if case.replies_to else None


def why_not_sent(case: Case, command: Command) -> str | None:
    """Why press would not be carried, None where it would be; nothing is sent."""
    tried = send_press(replace(case, replies_to=None, talk=None), command)
    return None if tried.acts else next(iter(tried.notes), None)


def _writer_of(case: Case, mark: str) -> Seat | None:
    """The writer of the unsigned press, of those that the seat has heard, that a mark names."""
    heard = (one for one in case.books.society.press(case.name) if one.is_heard_by(case.seat))
    unsigned = (one for one in heard if one.kind == "grey" and one.seat not in (None, case.seat))
    wanted = f"WRITER {mark.lower()}"
    return next(
        (one.seat for one in unsigned if named_writer(case.office.key, case.name, one) == wanted), None
    )


def _sent(
    case: Case, command: Command, to: tuple[Seat, ...] | None, text: str, *, blind: bool = False
) -> Done:
    customs = case.books.society.customs(case.name)
    to_master = to == (GAMESMASTER,)
    kind = "white" if to_master else _kind(command.line, customs)
    why = _refused(case, customs, to, text, kind)
    if kind is None or why is not None:
        return told(sentence("clerk.dispatching.not_sent", why=why))
    keys = keys_around(case.seated.position, case.address, Desk(case.books, case.office, case.received))
    clean, shown = keys.redacted(text), () if to_master else keys.shown_in(text)
    if kind == "grey":
        clean = mask_seats(clean, case.name, case.seated.position.chairs, (case.address, case.sender))
    press = Press(turn=case.turn, seat=case.seat, kind=kind, to=to, text=clean, at=case.received, blind=blind)
    named = f"{case.key}|{command.line}|{text}".encode()
    key = f"{case.name}/press/{hashlib.sha256(named).hexdigest()[:16]}"
    act = SendPress(game=case.name, by=case.seat, press=press, key=key)
    quoted = "\n".join(f"| {line}" for line in clean.splitlines())
    heard = () if blind else (*_waiting(case, press), *_heard_by_bots(case, act))
    notes = (f"{_told_sent(to, kind, blind)}\n\n{quoted}", *heard)
    return Done(acts=(act, *in_press(case.seated, shown)), notes=notes)


def _told_sent(to: tuple[Seat, ...] | None, kind: str, blind: bool) -> str:
    if to == (GAMESMASTER,):
        return sentence("clerk.dispatching.sent_to_gamesmaster")
    everybody, hearers = to is None, listed(to or ())
    if blind:
        hearers = sentence("clerk.press_replies.its_writer")
    return sentence("clerk.dispatching.sent", everybody=everybody, hearers=hearers, signed=kind == "white")


def _heard_by_bots(case: Case, act: SendPress) -> tuple[str, ...]:
    """What bots have accepted of a piece of press, and what those that are named understand."""
    talk = case.talk or Talk(case.books.society)
    accepted = talk.accepted(case.seated.position, act)
    said = (sentence("clerk.dispatching.accepted", seat=seat, matter=matter) for seat, matter in accepted)
    return (*said, *_deaf(case, act.press.to, act.press.kind))


def _waiting(case: Case, press: Press) -> tuple[str, ...]:
    """Return what the writer is told where press waits for some of its readers.

    Of grey press no more than follows from the writer's own: nobody else's is anybody's business.
    """
    earlier = (*case.books.society.press(case.name, press.at - HOUR), *case.wrote)
    own = [one for one in earlier if one.seat == press.seat]
    held = case.books.society.held_press(case.name) if press.kind == "white" else ()
    to_master = (GAMESMASTER,) if press.to == (GAMESMASTER,) else ()
    seats = [seat for seat, chair in case.seated.position.chairs.items() if chair.is_person]
    readers = [one for one in (*to_master, *seats) if is_read_by(press, one)]
    late = [one for one in readers if has_to_wait(press, one, own, held)]
    if not late:
        return ()
    if press.kind == "grey":
        return (sentence("clerk.dispatching.waits_perhaps"),)
    named = sentence("clerk.dispatching.the_gamesmaster") if to_master else listed(late)
    return (sentence("clerk.dispatching.waits", readers=named),)


def _deaf(case: Case, to: tuple[Seat, ...] | None, kind: str) -> tuple[str, ...]:
    """Remarks on hearers who are bots, where somebody was named: what these read, if they do."""
    position = case.seated.position
    bots = Bots(case.game, case.name, position.secret)
    named = [position.chairs[seat] for seat in to or () if seat in position.chairs]
    found: dict[_Reads, list[Seat]] = {}
    for chair in named:
        if not chair.is_person:
            found.setdefault(_reads(bots.of(chair), kind), []).append(chair.seat)
    return tuple(_told_deaf(seats, which) for which, seats in found.items())


class _Reads(NamedTuple):
    """What a bot makes of press: whether it reads any, and which forms (None: none that is not signed)."""

    any: bool
    forms: tuple[str, ...] | None = None


def _reads(bot: Bot[View, Order], kind: str) -> _Reads:
    if not isinstance(bot, Conversant):
        return _Reads(False)
    return _Reads(True, bot.phrases if kind == "white" else None)


def _told_deaf(seats: Sequence[Seat], which: _Reads) -> str:
    return sentence(
        "clerk.dispatching.heard_by_bots",
        seats=listed(seats),
        number=len(seats),
        reads=which.any,
        phrases=which.forms,
    )


def _kind(line: str, customs: Customs) -> str | None:
    """Which press the player wants: the usual one of the game where he does not say. None: it has none."""
    said = line.lower().split(" to ")[0]
    wanted = "grey" if re.search(r"\bgr[ea]y\b", said) else "white" if "white" in said else None
    if not customs.allows:
        return None
    return wanted if wanted in customs.allows else customs.allows[0] if wanted is None else None


def _refused(
    case: Case, customs: Customs, to: tuple[Seat, ...] | None, text: str, kind: str | None
) -> str | None:
    """Why press is not carried, or None."""
    if to == (GAMESMASTER,):
        return None if text else sentence("clerk.dispatching.no_text")
    if not customs.allows:
        return sentence("clerk.dispatching.no_press", game=case.name)
    if kind is None:
        return sentence("clerk.dispatching.another_kind", game=case.name, kind=customs.allows[0])
    if not text:
        return sentence("clerk.dispatching.no_text_below")
    if len(text) > LONGEST_PRESS:
        return sentence("clerk.dispatching.too_long", length=len(text), most=LONGEST_PRESS)
    return _named(case, customs, text, kind) or _too_far(case, customs, to)


def _named(case: Case, customs: Customs, text: str, kind: str) -> str | None:
    """Why press is asked back whose text says who wrote it, though nobody is to know; or None."""
    if kind == "white" and not customs.anonymous:
        return None
    person = case.books.society.person(case.address)
    names = [case.signs, case.address, person.name if person and person.name else ""]
    row = signed_as(text, [*names, case.seat]) if kind == "grey" else signed_as(text, names, beside=case.seat)
    if row is None:
        return None
    return sentence(
        "clerk.dispatching.names_its_writer",
        grey=kind == "grey",
        row=row,
        may_be_signed=kind == "grey" and "white" in customs.allows,
    )


def _too_far(case: Case, customs: Customs, to: tuple[Seat, ...] | None) -> str | None:
    """Why seats cannot be written to in a game where only neighbours talk to each other."""
    rules = case.game.rules
    if customs.reach != "neighbours" or not isinstance(rules, Sociable):
        return None
    near = rules.neighbours(case.seated.position.state, case.seat)
    far = [
        seat
        for seat in (to if to is not None else case.seated.position.chairs)
        if seat not in (*near, case.seat)
    ]
    if not far:
        return None
    return sentence("clerk.dispatching.too_far", far=listed(far), number=len(far), near=listed(near))
