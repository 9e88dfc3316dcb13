"""An email for a turn to come, in a restored game: kept until that turn is due.

Its orders are filed at once, as those under PHASE are, where the game takes orders ahead. When the turn is
due the whole email is read as if it came then: commands are done, and orders are looked at again.
"""

from adjudicator.catalogue import sentence
from adjudicator.clerk.commands.case import Case
from adjudicator.clerk.filing import Filed, file_orders
from adjudicator.clerk.older_tokens import takes_orders_ahead, turn_name
from adjudicator.clock import spoken
from adjudicator.ledger.filed_orders import Item, is_flag, turn_of
from adjudicator.ledger.letters import Kept
from adjudicator.reports.reader import zone_of
from games.record import Value, changed
from orders.conditions import NOW
from orders.parsing.reading import Reading
from orders.verdict import Verdict

_STRUCTURE = ("SIGNON", "SIGNOFF")
"""Commands that say who speaks. They are never kept for later."""


class Postponed(Value, frozen=True):
    """What becomes now of an email for a turn to come: what is on file, and what its writer is told."""

    filed: Filed
    notes: tuple[str, ...]


def postpone(case: Case, reading: Reading, has_later: bool) -> Postponed:
    """Return what becomes of an email now that is read when its turn is due.

    has_later: whether its writer has written since, by an email that was read: then its orders wait too.
    """
    seated, turn = case.seated, case.seated.later
    assert turn is not None, "it is for a turn to come"
    position = seated.position
    on_books = position.filed.get(seated.seat, ())
    name, takes_orders = turn_name(position, turn), takes_orders_ahead(position, turn)
    filed = Filed(rows=(), orders=on_books)
    if takes_orders and not has_later and (reading.orders or _clears(reading)):
        filed = _filed_ahead(case, reading, turn, on_books)
    waiting = [one.verb for one in reading.commands if one.verb not in _STRUCTURE]
    mark = case.books.restore_mark(position.name)
    assert mark is not None, "no other game knows of turns to come"
    at = spoken(mark.made, zone_of(case.address, case.books, case.office))
    notes = [
        sentence("clerk.postponed.we_were_restored", made=at, turn=name),
        sentence("clerk.postponed.orders_are_saved", turn=name)
        if any(row.in_force for row in filed.rows)
        else sentence("clerk.postponed.all_of_it_waits", turn=name),
    ]
    if waiting:
        notes.append(sentence("clerk.postponed.commands_wait", verbs=list(dict.fromkeys(waiting)), turn=name))
    return Postponed(filed=filed, notes=tuple(notes))


def _clears(reading: Reading) -> bool:
    return any(command.verb == "CLEAR" for command in reading.commands)


def _filed_ahead(case: Case, reading: Reading, turn: str, on_books: tuple[Item, ...]) -> Filed:
    """What is on file once the orders of an email are filed for a turn to come.

    No line of it that was not taken keeps the present turn from being played early.
    """
    before = on_books
    if _clears(reading):
        before = tuple(item for item in on_books if turn_of(item) != turn)
    rows = [_under(row, turn) for row in reading.orders]
    filed = file_orders(case.game, changed(case.seated, later=None), rows, before, case.received)
    flags = tuple(item for item in on_books if is_flag(item))
    return changed(filed, notes=(), flags=flags, left_out=0)


def _under(row: Verdict, turn: str) -> Verdict:
    """A row as if PHASE stood above it."""
    if row.rest:
        # Which units there will be then nobody knows.
        return changed(row, grade="idle", problem=sentence("clerk.postponed.read_then", turn=turn))
    when = row.when or NOW
    return row if when.turn is not None else changed(row, when=changed(when, turn=turn))


def is_read_again(kept: Kept) -> bool:
    """Whether an email was kept for a turn that is due now: its game is known, and its seat is not."""
    return kept.game is not None and kept.seat is None


def without_orders(reading: Reading) -> Reading:
    """What an email still says if its writer has written since: its orders are on file, as changed then."""
    commands = tuple(command for command in reading.commands if command.verb != "CLEAR")
    return changed(reading, orders=(), commands=commands)
