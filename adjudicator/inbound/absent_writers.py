"""Emails whose subject says that somebody is away: a player may have written one that has orders."""

from collections.abc import Sequence

import games
from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.inbound.filters import FilterResult
from adjudicator.inbound.parse_contexts import COMMANDS_ONLY_CONTEXT, parse_context
from adjudicator.model.repository import Repository
from games.record import replace_fields
from orders.mail.body import FreshLine
from orders.reading.letter_reader import read_lines


def admit_with_orders(
    passed: FilterResult,
    lines: Sequence[FreshLine],
    speaker: AuthenticatedSeat | None,
    books: Repository | None = None,
) -> FilterResult:
    """Return how such an email comes through: it is read if it has a whole order of its seat, or names one.

    speaker: the seat for which it speaks, None: it does not say that without a password.
    """
    if not passed.is_absence:
        return passed
    if speaker is None:
        begins = any(
            command.verb == "SIGNON" for command in read_lines(lines, COMMANDS_ONLY_CONTEXT).commands
        )
        return replace_fields(passed, disposition="read", weak=True) if begins else passed
    context = parse_context(games.kinds()[speaker.position.kind], speaker, books)
    orders = [row for row in read_lines(lines, context).orders if row.in_force and row.source != "sheet"]
    return replace_fields(passed, disposition="read", weak=True) if orders else passed
