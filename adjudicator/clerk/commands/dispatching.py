"""PRESS and BROADCAST: what players write to each other, as far as their game carries it."""

import hashlib
import re

from adjudicator.clerk.commands.case import Case, Done, listed, told
from adjudicator.clerk.commands.choosing import choose_seats
from adjudicator.clerk.commands.signature import signed_as
from adjudicator.clerk.keys import keys_around
from adjudicator.clerk.leaks import in_press
from adjudicator.ledger.people_acts import SendPress
from adjudicator.ledger.society import GAMESMASTER, Customs, Press
from adjudicator.referee.bots import Bots
from games.protocol import Bot, Order, Seat, View
from games.protocol.optional import Conversant, Sociable
from orders.commands import Command

LONGEST_PRESS = 20_000
_ALL = re.compile(r"\s*(?:all|everybody|everyone|all players)\s*(?:but|except)?\s*", re.IGNORECASE)
_MASTER = re.compile(r"\s*(?:the\s+)?(?:gm|master|gamesmaster|moderator)\s*", re.IGNORECASE)


def send_press(case: Case, command: Command) -> Done:
    """Write to some seats: those named."""
    named, colon, begun = command.args[0].partition(":")
    text = "\n".join(filter(None, (begun.strip() if colon else "", command.text.strip())))
    if _MASTER.fullmatch(named):
        return _sent(case, command, (GAMESMASTER,), text)
    others = [seat for seat in case.seated.position.chairs if seat != case.seat]
    everybody = _ALL.match(named)
    chosen = choose_seats(named[everybody.end() :] if everybody else named, others)
    if chosen.unknown or not (chosen.seats or everybody):
        unknown = listed(chosen.unknown) or "Nobody"
        return told(
            f"Your press was not sent: {unknown} is no seat of {case.name} that you can write to. "
            f"There are: {', '.join(others)}. PRESS TO ALL writes to everybody, PRESS TO GM to the "
            "gamesmaster."
        )
    if everybody and not chosen.seats:
        return _sent(case, command, None, text)
    hearers = tuple(seat for seat in others if seat not in chosen.seats) if everybody else chosen.seats
    return _sent(case, command, hearers, text)


def broadcast(case: Case, command: Command) -> Done:
    """Write to everybody, those who only watch included."""
    return _sent(case, command, None, command.text.strip())


def _sent(case: Case, command: Command, to: tuple[Seat, ...] | None, text: str) -> Done:
    customs = case.books.society.customs(case.name)
    to_master = to == (GAMESMASTER,)
    kind = "white" if to_master else _kind(command.line, customs)
    why = _refused(case, customs, to, text, kind)
    if kind is None or why is not None:
        return told(f"Your press was not sent: {why}")
    keys = keys_around(case.seated.position, case.address, case.books, case.office, case.received)
    clean, shown = keys.redacted(text), () if to_master else keys.shown_in(text)
    press = Press(turn=case.turn, seat=case.seat, kind=kind, to=to, text=clean, at=case.received)
    named = f"{case.key}|{command.line}|{text}".encode()
    key = f"{case.name}/press/{hashlib.sha256(named).hexdigest()[:16]}"
    act = SendPress(game=case.name, by=case.seat, press=press, key=key)
    whom = "everybody" if to is None else "the gamesmaster" if to_master else listed(to)
    signed = "" if to_master else " with your name" if kind == "white" else " without your name"
    quoted = "\n".join(f"| {line}" for line in clean.splitlines())
    notes = (f"Sent to {whom}{signed}:\n\n{quoted}", *_deaf(case, to, kind))
    return Done(acts=(act, *in_press(case.seated, shown)), notes=notes)


def _deaf(case: Case, to: tuple[Seat, ...] | None, kind: str) -> tuple[str, ...]:
    """Remarks on hearers who are bots, where somebody was named: what these read, if they do."""
    position = case.seated.position
    bots = Bots(case.game, case.name, position.secret)
    named = [position.chairs[seat] for seat in to or () if seat in position.chairs]
    found: dict[str, list[Seat]] = {}
    for chair in named:
        if not chair.is_person:
            found.setdefault(_understood(bots.of(chair), kind), []).append(chair.seat)
    return tuple(
        f"{listed(seats)} {'is' if len(seats) == 1 else 'are'} played by a bot, {which}"
        for which, seats in found.items()
    )


def _understood(bot: Bot[View, Order], kind: str) -> str:
    """What a bot makes of press."""
    if not isinstance(bot, Conversant):
        return "which does not read."
    if kind != "white":
        return "which heeds only what is signed."
    return f"which understands a few forms, each on a line of its own: {'; '.join(bot.phrases)}."


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
        return None if text else "there is no text."
    if not customs.allows:
        return f"the game {case.name} is played without press. PRESS TO GM reaches the gamesmaster."
    if kind is None:
        return f"in the game {case.name} all press is {customs.allows[0]}."
    if not text:
        return "there is no text. Write it below, and ENDPRESS on a line of its own at its end."
    if len(text) > LONGEST_PRESS:
        return f"it has {len(text):,} characters; up to {LONGEST_PRESS:,} are carried."
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
    whose = "without your name" if kind == "grey" else "without a player's name"
    signed = ", or write WHITE PRESS to sign it" if kind == "grey" and "white" in customs.allows else ""
    return (
        f'it goes to its readers {whose}, and ends with "{row}". Send it again without that row{signed}. A '
        "name within a sentence is let pass."
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
    theirs = f"{listed(far)} {'is none' if len(far) == 1 else 'are none'} of yours"
    return f"only neighbours write to each other here, and {theirs}; yours are: {listed(near)}."
