"""INVITE: players have us write to others whom they would like in their game."""

import re
from collections.abc import Sequence

from adjudicator.catalogue import sentence
from adjudicator.clerk.commands.case import Caller, Case, Done, told
from adjudicator.clock import DAY
from adjudicator.ledger.people_acts import Invite
from adjudicator.signs.addresses import is_own, valid_address
from orders.commands import Command

OF_A_LETTER, OF_A_GAME, OF_ALL = 10, 20, 200
"""So many are written to for a letter; for a game, and for all games together, within a day."""

_BETWEEN = re.compile(r"[\s,;<>()\"]+")


def invite(caller: Caller, command: Command) -> Done:
    """Write to people who may like to play in a game of the sender's.

    The answer is the same whether they play already, were asked before or want no such letters: who that is
    concerns nobody.
    """
    words = [one for one in _BETWEEN.split(command.args[0]) if one] if command.args else []
    addresses = [one for one in words if "@" in one]
    named = words[0].lower().strip(".:") if words and "@" not in words[0] else None
    game = named or _own(caller)
    if not addresses:
        return told(sentence("clerk.inviting.whom"))
    if game is None:
        return told(sentence("clerk.inviting.which"))
    if not _is_in(caller, game):
        return told(sentence("clerk.inviting.not_yours", game=game))
    good, bad = _sorted(caller, addresses)
    notes = [sentence("clerk.inviting.no_address", addresses=bad)] if bad else []
    if len(good) > OF_A_LETTER:
        return told(sentence("clerk.inviting.too_many", most=OF_A_LETTER))
    since = caller.received - DAY
    left = min(OF_A_GAME - caller.books.invited(since, game), OF_ALL - caller.books.invited(since))
    if good and len(good) > left:
        return told(sentence("clerk.inviting.enough_today", game=game))
    if good:
        notes.insert(0, sentence("clerk.inviting.written", addresses=good, game=game))
    acts = tuple(Invite(by=caller.address, game=game, address=one) for one in good)
    return Done(acts=acts, notes=tuple(notes))


def _own(caller: Caller) -> str | None:
    """The game that is meant where none is named: that for which a letter speaks, or his only one."""
    if isinstance(caller, Case):
        return caller.name
    mine = {*caller.signups, *(game for game, _ in caller.books.seats_of(caller.address))}
    return mine.pop() if len(mine) == 1 else None


def _is_in(caller: Caller, game: str) -> bool:
    """Whether he plays in a game that goes on, or has signed up for it."""
    if game in caller.signups:
        return True
    position = caller.books.position(game)
    seats = () if position is None or not position.running else position.chairs.values()
    return any(chair.address == caller.address for chair in seats)


def _sorted(caller: Caller, addresses: Sequence[str]) -> tuple[list[str], list[str]]:
    """Addresses that can be written to, and what is none, each once."""
    good: dict[str, None] = {}
    bad: dict[str, None] = {}
    for one in addresses:
        address = valid_address(one.strip(".:'"))
        ours = address is not None and is_own(address, caller.office.address)
        if address is None or ours:
            bad[one] = None
        else:
            good[address] = None
    return list(good), list(bad)
