"""Reminders and notices of deadlines that are over before they could be sent: they are not sent."""

from collections.abc import Iterator
from functools import reduce
from operator import or_

from adjudicator.clock import Millis
from adjudicator.model.deadlines import Deadlines, Timing
from adjudicator.storage.database import Database
from adjudicator.storage.prepared import Prepared
from adjudicator.storage.tables import ClockRow, EntryRow, GameRow, OutRow
from games.record import Malformed, Value, load, read_json

EXPIRED_WHY = "it tells of a deadline that is over"
"""What is noted of such an email; nobody is told that it failed."""

DEADLINE_EMAIL_KINDS = frozenset(
    {"reminder", "nudge", "due", "extended", "heeded", "outage", "wound-up", "moved", "corrected"}
)
"""What the third part of an email's key is, if it tells of a deadline and of nothing else.

The first part is the game, the second says after how many entries of its log it was written.
"""

# Asked at every round, and most often there is nothing.
_TELLS_OF_DEADLINE = reduce(or_, (OutRow.key ** f"%/{kind}/%" for kind in sorted(DEADLINE_EMAIL_KINDS)))
_SELECT_WAITING_EMAILS = Prepared(
    OutRow.select(OutRow.number, OutRow.key, OutRow.game, OutRow.created).where(
        (OutRow.state == "ready") & OutRow.game.is_null(False) & _TELLS_OF_DEADLINE
    )
)


class _Ready(Value, frozen=True):
    """An email that waits and tells of a deadline.

    entries: of its game's log when it was written; created: when that was.
    """

    number: int
    game: str
    entries: int
    created: Millis


def drop_expired(database: Database, now: Millis) -> int:
    """Give up emails that wait to be sent and tell of a deadline that is over, or of a turn that was played.

    An email stays if the deadline of its turn was extended, or the clock of its game stands still; one that
    was written after the deadline stays as long as orders count. Returns how many were given up. Raises
    StoreFault.
    """
    expired = [email.number for email in _ready(database) if _is_over(database, email, now)]
    if not expired:
        return 0
    # What somebody has in hand may be on the wire in a moment.
    free = OutRow.lease.is_null() | (OutRow.lease <= now)
    theirs = OutRow.number.in_(expired) & (OutRow.state == "ready") & free
    with database.writing():
        gone = OutRow.update(state="failed", settled=now, lease=None, why=EXPIRED_WHY).where(theirs)
        return int(database.run(gone))


def _ready(database: Database) -> Iterator[_Ready]:
    for row in database.ask(_SELECT_WAITING_EMAILS):
        game, *parts = row.key.split("/")
        if game == row.game and len(parts) > 1 and parts[1] in DEADLINE_EMAIL_KINDS and parts[0].isdecimal():
            yield _Ready(row.number, game, int(parts[0]), row.created)


def _is_over(database: Database, email: _Ready, now: Millis) -> bool:
    columns = (GameRow.status, GameRow.deadline, GameRow.deadlines)
    game = database.first(GameRow.select(*columns).where(GameRow.name == email.game))
    if game is None or game.status != "running" or _was_played(database, email):
        return True
    if game.deadline is not None:
        # What was written after the deadline says so, and until when orders count.
        grace = _grace(game.deadlines) if email.created > game.deadline else 0
        return bool(game.deadline + grace < now)
    clock = database.first(ClockRow.select().where(ClockRow.game == email.game))
    stop = None if clock is None else load(Timing, clock.document.encode()).stop
    # A turn that waits for the gamesmaster since somebody was silent has passed its deadline.
    return stop is not None and stop.kind == "nmr"


def _grace(written: str) -> Millis:
    try:
        found: Deadlines = load(Deadlines, written.encode())
    except Malformed:  # such a game is held
        return 0
    return found.grace


def _was_played(database: Database, email: _Ready) -> bool:
    """Return whether the turn that an email tells of was played since."""
    later = EntryRow.select(EntryRow.entry).where(
        (EntryRow.game == email.game) & (EntryRow.number >= email.entries)
    )
    return any(read_json(bytes(row.entry))["kind"] == "turn" for row in database.run(later))
