"""REMATCH: the players of a game that is over play again, each in another seat."""

import re

from adjudicator.clock import DAY, Millis
from adjudicator.config.terms import write_deadlines
from adjudicator.inbound.commands.context import CommandResult, SeatCommandContext, reply_with
from adjudicator.inbound.commands.joining import begin_game, sign_up
from adjudicator.messages import sentence
from adjudicator.model.games import AnyAct, GamePosition, SeatAssignment
from adjudicator.model.people import GameOffer, Invite, MakeOffer, SignUp, Signup
from adjudicator.turns.bots import own_bot_name
from games.record import replace_fields
from orders.commands import Command

REMATCH_WITHIN_MS: Millis = 30 * DAY
"""How long after the end of a game its players can ask for another."""

REMATCH_WAITS_MS: Millis = 7 * DAY
"""After this time the new game starts with those who have joined."""

_NUMBERED = re.compile(r"(.*?)-?\d*")
_MAX_NAME_CHARS = 20


def ask_rematch(case: SeatCommandContext, _command: Command) -> CommandResult:
    """Open a game like the one that is over, and ask its other players to join. Alone, begin it at once."""
    position = case.seated.position
    if position.is_running:
        return reply_with(sentence("inbound.rematch.still_runs", game=case.name))
    ended = case.repository.latest(case.name, 1)[0][0].at
    if case.now - ended > REMATCH_WITHIN_MS:
        return reply_with(sentence("inbound.rematch.too_late", days=REMATCH_WITHIN_MS // DAY))
    table = [assignment for assignment in position.assignments.values() if assignment.is_person]
    if len({assignment.address for assignment in table}) < 2:
        return begin_game(case, _new_solo_game(case))
    open_already = next(
        (offer for offer in case.repository.people.offers() if offer.rematch == case.name), None
    )
    if open_already is not None:
        return sign_up(case, open_already, "")
    offer = _offer_again(case, position, table)
    signup = Signup(game=offer.name, address=case.address, since=case.received)
    asked = tuple(
        dict.fromkeys(
            assignment.address
            for assignment in table
            if assignment.address and assignment.address != case.address
        )
    )
    acts: list[AnyAct] = [
        MakeOffer(by=case.seat, offer=offer, at=case.received),
        SignUp(by=case.address, signup=signup),
    ]
    # The seat asks, not its player's address, which others may not know. A block shows in no number.
    acts += [
        Invite(by=case.seat, game=offer.name, address=address)
        for address in asked
        if not case.admission.are_apart(case.address, address)
    ]
    note = sentence("inbound.rematch.asked", game=offer.name, count=len(asked), days=REMATCH_WAITS_MS // DAY)
    return CommandResult(acts=tuple(acts), notes=(note,))


def _offer_again(case: SeatCommandContext, position: GamePosition, table: list[SeatAssignment]) -> GameOffer:
    customs = case.repository.people.policy(case.name)
    bot = next((seat for seat in position.assignments.values() if not seat.is_person), table[0])
    return GameOffer(
        name=_next_name(case),
        kind=position.kind,
        options=dict(position.options),
        # Its thread is the place of the game that is over.
        customs=replace_fields(customs, forum=""),
        needed=len(table),
        starts=case.received + REMATCH_WAITS_MS,
        early=position.early,
        terms=write_deadlines(position.deadlines),
        level=None if own_bot_name(bot) is not None else bot.bot,
        temper=bot.temper,
        rematch=case.name,
    )


def _next_name(case: SeatCommandContext) -> str:
    """Return the name of the game with the next free number."""
    match = _NUMBERED.fullmatch(case.name)
    stem = (match[1] if match else "") or case.name
    taken = case.repository.names()
    number = 2
    while (name := f"{stem[: _MAX_NAME_CHARS - 1 - len(str(number))]}-{number}") in taken:
        number += 1
    return name


def _new_solo_game(case: SeatCommandContext) -> Command:
    """Return the NEW that begins a lone player's game again, against the same bots."""
    position = case.seated.position
    bot = next((seat for seat in position.assignments.values() if not seat.is_person), None)
    options = [f"{name}={_write(value)}" for name, value in position.options.items() if value is not None]
    words = [position.kind, _next_name(case), *options]
    if len(position.assignments) > 1:
        words.append(f"seat={case.seat.replace(' ', '-')}")
    if bot is not None and bot.bot is not None and own_bot_name(bot) is None:
        words += ["BOTS", bot.bot, *([bot.temper] if bot.temper else [])]
    text = " ".join(words)
    return Command(line=f"NEW {text}", verb="NEW", args=(text,))


def _write(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
