"""INVITE: players have us write to others whom they would like in their game."""

import re
from collections.abc import Sequence

from adjudicator.clock import DAY
from adjudicator.inbound.commands.context import CommandContext, CommandResult, SeatCommandContext, reply_with
from adjudicator.messages import sentence
from adjudicator.model.addresses import is_own, valid_address
from adjudicator.model.people_acts import Invite
from orders.commands import Command

MAX_INVITATIONS_PER_LETTER, MAX_INVITATIONS_PER_GAME_PER_DAY, MAX_INVITATIONS_PER_DAY = 10, 20, 200
"""So many are written to for a letter; for a game, and for all games together, within a day."""

_ADDRESS_SEPARATOR = re.compile(r"[\s,;<>()\"]+")


def invite(caller: CommandContext, command: Command) -> CommandResult:
    """Write to people who may like to play in a game of the sender's.

    The answer is the same whether they play already, were asked before or want no such letters: who that is
    concerns nobody.
    """
    words = [word for word in _ADDRESS_SEPARATOR.split(command.args[0]) if word] if command.args else []
    addresses = [word for word in words if "@" in word]
    named = words[0].lower().strip(".:") if words and "@" not in words[0] else None
    game = named or _own_game(caller)
    if not addresses:
        return reply_with(sentence("clerk.inviting.whom"))
    if game is None:
        return reply_with(sentence("clerk.inviting.which"))
    if not _is_in(caller, game):
        return reply_with(sentence("clerk.inviting.not_yours", game=game))
    good, bad = _sort_addresses(caller, addresses)
    notes = [sentence("clerk.inviting.no_address", addresses=bad)] if bad else []
    if len(good) > MAX_INVITATIONS_PER_LETTER:
        return reply_with(sentence("clerk.inviting.too_many", most=MAX_INVITATIONS_PER_LETTER))
    since = caller.received - DAY
    allowed_count = min(
        MAX_INVITATIONS_PER_GAME_PER_DAY - caller.books.invitations_since(since, game),
        MAX_INVITATIONS_PER_DAY - caller.books.invitations_since(since),
    )
    if good and len(good) > allowed_count:
        return reply_with(sentence("clerk.inviting.enough_today", game=game))
    if good:
        notes.insert(0, sentence("clerk.inviting.written", addresses=good, game=game))
    acts = tuple(Invite(by=caller.address, game=game, address=address) for address in good)
    return CommandResult(acts=acts, notes=tuple(notes))


def _own_game(caller: CommandContext) -> str | None:
    """Return the game that is meant where none is named: the letter seat's, or the sender's only one."""
    if isinstance(caller, SeatCommandContext):
        return caller.name
    mine = {*caller.signups, *(game for game, _ in caller.books.seats_of(caller.address))}
    return mine.pop() if len(mine) == 1 else None


def _is_in(caller: CommandContext, game: str) -> bool:
    """Return whether the sender plays in a game that goes on, or has signed up for it."""
    if game in caller.signups:
        return True
    position = caller.books.position(game)
    seats = () if position is None or not position.is_running else position.chairs.values()
    return any(chair.address == caller.address for chair in seats)


def _sort_addresses(caller: CommandContext, addresses: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the addresses that can be written to, and the words that are none, each once."""
    good: dict[str, None] = {}
    bad: dict[str, None] = {}
    for word in addresses:
        address = valid_address(word.strip(".:'"))
        ours = address is not None and is_own(address, caller.office.address)
        if address is None or ours:
            bad[word] = None
        else:
            good[address] = None
    return list(good), list(bad)
