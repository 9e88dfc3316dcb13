"""Emails whose subject says that somebody is away: a person may have written one that has orders."""

from collections.abc import Sequence

import games
from adjudicator.clerk.gate import Passed
from adjudicator.clerk.identity import Seated
from adjudicator.clerk.parse_contexts import STRANGERS, parse_context
from adjudicator.ledger.books import Books
from games.record import changed
from orders.letters.body import FreshLine
from orders.parsing.reading import read


def admit_with_orders(
    passed: Passed, lines: Sequence[FreshLine], speaker: Seated | None, books: Books | None = None
) -> Passed:
    """Return how such an email comes through: it is read if it has a whole order of its seat, or names one.

    speaker: the seat for which it speaks, None: it does not say that without a password.
    """
    if not passed.is_absence:
        return passed
    if speaker is None:
        begins = any(one.verb == "SIGNON" for one in read(lines, STRANGERS).commands)
        return changed(passed, disposition="read", weak=True) if begins else passed
    context = parse_context(games.kinds()[speaker.position.kind], speaker, books)
    orders = [one for one in read(lines, context).orders if one.in_force and one.source != "sheet"]
    return changed(passed, disposition="read", weak=True) if orders else passed
