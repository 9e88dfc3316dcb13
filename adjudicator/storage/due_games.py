"""The games to check now and the workers that check them, and the games that are suspended.

One query finds any number of games. A worker claims games for a lease. A lease no longer counts once it has
expired or its worker has died.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any
from zlib import crc32

import peewee

import games
from adjudicator.clock import MINUTE, Millis
from adjudicator.model.games import (
    CHECK_AFTER_POLL,
    CHECK_AGAIN,
    CHECK_AT_ONCE,
    CHECK_SPREAD_MS,
    MAX_CHECK_INTERVAL_MS,
    DueCheck,
    Suspension,
)
from adjudicator.model.mail import HELD
from adjudicator.storage import outbox
from adjudicator.storage.database import Database, Prepared, lock_unclaimed, slot, slot_values, slots
from adjudicator.storage.tables import DigestRow, GameRow, LetterRow, OfferRow, StuckRow
from games.record import Malformed, canonical, load, replace_fields

if TYPE_CHECKING:
    from adjudicator.model.mail import OutgoingMessage


# Rule 1: code that raises a game's `rev` uses `revision_columns`, so that the game is checked. Code that can
# make something due in another way calls `recheck`. Rule 2: a claim also writes its lease into `look_at`. A
# later event overwrites it, and `settle` then leaves it alone.


GAME_LEASE_MS: Millis = 5 * MINUTE
"""The lease on a game: much longer than the longest turn measured."""

GAMES_AT_ONCE = 4
"""The number of games claimed together: small, so that no game waits for a busy worker."""

POLL_LOCK = 0x7475_0006
"""The lock number that orders two events: games that start to wait for a poll, and the poll."""

_CLEAR_GAME_LEASE: dict[str, Any] = {"lease": None, "worker": None}


def revision_columns(rev: Any) -> dict[str, Any]:
    """Return the columns for a changed game: its next revision, and a check at once."""
    return {"rev": rev + 1, "look_at": CHECK_AT_ONCE}


def recheck(database: Database, games: Iterable[str]) -> None:
    """Have games checked after changes that aren't in their revision, or games that are open for players."""
    names = list(games)
    # Open games have no revision, so each recheck gets its own number.
    fewer = peewee.Case(None, [(OfferRow.look_at > CHECK_AT_ONCE, CHECK_AGAIN)], OfferRow.look_at - 1)
    with database.writing():
        database.run(GameRow.update(look_at=CHECK_AGAIN).where(GameRow.name.in_(names)))
        database.run(OfferRow.update(look_at=fewer).where(OfferRow.name.in_(names)))


def recheck_digest(database: Database, address: str) -> None:
    """Have a player's digest checked. Runs in the caller's transaction."""
    with database.writing():
        fewer = peewee.Case(None, [(DigestRow.look_at > CHECK_AT_ONCE, CHECK_AGAIN)], DigestRow.look_at - 1)
        database.run(DigestRow.update(look_at=fewer).where(DigestRow.address == address))


def recheck_all(database: Database) -> None:
    """Have everything checked: the program or its settings have changed."""
    with database.writing():
        database.run(GameRow.update(look_at=CHECK_AT_ONCE).where(GameRow.status == "running"))
        database.run(OfferRow.update(look_at=CHECK_AT_ONCE))
        database.run(DigestRow.update(look_at=CHECK_AT_ONCE))


def after_poll(database: Database) -> None:
    """Have the games checked that waited for the mailbox. Runs in the caller's transaction."""
    with database.writing():
        database.wait_for_lock(POLL_LOCK)
        database.do(_UPDATE_GAMES_AFTER_POLL)


def due(database: Database, now: Millis) -> tuple[str, ...]:
    """Return the games to check now, claimed or not."""
    here = GameRow.select(GameRow.name).where(_GAME_IS_RUNNING & (GameRow.look_at <= now))
    with database.reading():
        return tuple(row.name for row in database.run(here.order_by(*_GAME_CHECK_ORDER)))


def claim(
    database: Database, now: Millis, worker: str, until: Millis, limit: int = GAMES_AT_ONCE
) -> tuple[str, ...]:
    """Claim games to check now for a worker until the lease ends. Games with the next deadline come first."""
    with database.session():
        if not database.ask(_SELECT_CLAIMABLE_GAME, now=now, worker=worker):
            return ()
        with database.writing():
            rows = database.ask(_next(database.is_shared), now=now, worker=worker, limit=limit)
            names = slot_values(row.name for row in rows)
            database.do(_update_game_claims(len(rows)), until=until, worker=worker, **names)
    # Sorted here, because databases differ in how they sort names.
    return tuple(row.name for row in sorted(rows, key=_by_deadline))


def settle(
    database: Database,
    worker: str,
    looked: Sequence[DueCheck],
    read_until: Callable[[], Millis | None] = lambda: None,
) -> None:
    """Release games, each with the time of its next check.

    A game that has changed meanwhile is checked at once.

    read_until: returns an instant, with all emails received before it read. If it has changed since the
    check, the poll has happened, and games that waited for it are checked at once too.
    """
    # On a server row by row: holding one row while waiting for the next could deadlock with `recheck`.
    together = [[check] for check in looked] if database.is_shared else [looked]
    for some in together:
        with database.writing():
            for check in some:
                _settle(database, worker, check, read_until)


def _settle(
    database: Database, worker: str, check: DueCheck, read_until: Callable[[], Millis | None]
) -> None:
    again = check.again
    if again == CHECK_AFTER_POLL:
        # A poll that starts from now on finds the game waiting.
        database.wait_for_lock(POLL_LOCK)
        again = CHECK_AFTER_POLL if read_until() == check.drained else CHECK_AT_ONCE
    if check.rev is None:
        given = database.do(_GIVE_BACK, again=again, game=check.game, worker=worker)
    else:
        given = database.do(_GIVE_BACK_AS_SEEN, again=again, game=check.game, worker=worker, rev=check.rev)
    if not given:
        _free(database, (GameRow.name == check.game) & (GameRow.worker == worker))


def offers_due(database: Database, now: Millis) -> dict[str, Millis]:
    """Return the open games to check now by name, each with the value for `seen` in `put_off_offer`."""
    with database.reading():
        offers = {row.name: row.look_at for row in database.ask(_OFFERS, now=now)}
    return dict(sorted(offers.items()))


def put_off_offer(database: Database, name: str, seen: Millis, again: Millis) -> None:
    """Set the next check of an open game, unless `recheck` was called for it since it was `seen`."""
    with database.writing():
        as_seen = (OfferRow.name == name) & (OfferRow.look_at == seen)
        database.run(OfferRow.update(look_at=again).where(as_seen))


def digests_due(database: Database, now: Millis) -> dict[str, Millis]:
    """Return the addresses with a digest to check now, each with the value for `seen` in `put_off_digest`."""
    with database.reading():
        digests = {row.address: row.look_at for row in database.ask(_DIGESTS, now=now)}
    return dict(sorted(digests.items()))


def put_off_digest(database: Database, address: str, seen: Millis, again: Millis) -> None:
    """Set the next check of a digest, unless `recheck_digest` was called for it since it was `seen`."""
    with database.writing():
        as_seen = (DigestRow.address == address) & (DigestRow.look_at == seen)
        database.run(DigestRow.update(look_at=again).where(as_seen))


def give_back(database: Database, workers: Sequence[str] | None = None) -> int:
    """Release the games of some workers (None: of all), for others to check. Return their number."""
    return _free(
        database, GameRow.worker.is_null(False) if workers is None else GameRow.worker.in_(list(workers))
    )


def within_a_day(name: str, at: Millis | None, now: Millis) -> Millis:
    """Return the time of the next check: the given time if there is one, but at most about a day from now."""
    if at == CHECK_AFTER_POLL:
        return at
    calm = now + MAX_CHECK_INTERVAL_MS + crc32(name.encode()) % CHECK_SPREAD_MS
    return calm if at is None else min(at, calm)


_GAME_IS_RUNNING = GameRow.status == "running"
_GAME_CHECK_ORDER = (GameRow.look_at, GameRow.deadline)


def _claimable(now: Any, worker: Any) -> Any:
    """Return the condition for games that a worker can claim. now, worker: values or slots."""
    # Games that a worker still has when it claims more were left over after an error.
    free = GameRow.lease.is_null() | (GameRow.lease <= now) | (GameRow.worker == worker)
    return _GAME_IS_RUNNING & (GameRow.look_at <= now) & free


# These queries run in every round.
_SELECT_CLAIMABLE_GAME = Prepared(
    GameRow.select(GameRow.name).where(_claimable(slot("now"), slot("worker"))).limit(1)
)
_UPDATE_GAMES_AFTER_POLL = Prepared(
    GameRow.update(look_at=CHECK_AT_ONCE).where(_GAME_IS_RUNNING & (GameRow.look_at == CHECK_AFTER_POLL))
)
_OFFERS = Prepared(OfferRow.select(OfferRow.name, OfferRow.look_at).where(OfferRow.look_at <= slot("now")))
_DIGESTS = Prepared(
    DigestRow.select(DigestRow.address, DigestRow.look_at).where(DigestRow.look_at <= slot("now"))
)
_IS_CLAIMED_GAME = (
    (GameRow.name == slot("game"))
    & (GameRow.worker == slot("worker"))
    & GameRow.look_at.in_([GameRow.lease, CHECK_AT_ONCE])
)
_LOOKED_AT = GameRow.update(look_at=slot("again"), **_CLEAR_GAME_LEASE)
_GIVE_BACK = Prepared(_LOOKED_AT.where(_IS_CLAIMED_GAME))
_GIVE_BACK_AS_SEEN = Prepared(_LOOKED_AT.where(_IS_CLAIMED_GAME & (GameRow.rev == slot("rev"))))


@cache
def _next(shared: bool) -> Prepared:
    """Return the query for the games to claim next. shared: as `Database.is_shared`."""
    here = GameRow.select(GameRow.name, GameRow.deadline).where(_claimable(slot("now"), slot("worker")))
    return Prepared(lock_unclaimed(here.order_by(*_GAME_CHECK_ORDER).limit(slot("limit")), shared))


@cache
def _update_game_claims(count: int) -> Prepared:
    """Return the statement that claims a list of games."""
    mine = GameRow.name.in_(slots(count))
    return Prepared(
        GameRow.update(look_at=slot("until"), lease=slot("until"), worker=slot("worker")).where(mine)
    )


def _by_deadline(row: Any) -> tuple[bool, Millis, str]:
    return row.deadline is None, row.deadline or 0, row.name


def _free(database: Database, claimed: Any) -> int:
    """Release claimed games and have them checked at once, even if a claim has moved their `look_at`."""
    at_once = peewee.Case(None, [(GameRow.look_at == GameRow.lease, CHECK_AT_ONCE)], GameRow.look_at)
    with database.writing():
        return int(database.run(GameRow.update(look_at=at_once, **_CLEAR_GAME_LEASE).where(claimed)))


# Suspended games: suspending them, and resuming them together with their emails.


BRING_BACK = 'Put its folder back (each backup contains it), and start "gm serve" again'
LOGS_LOST_REMEDY = (
    'Use "gm restore" with a backup, or delete the game and use "gm game import" with an export of it. '
    "Backups and exports from before the upgrade are complete"
)
"""The advice for a game that lost its log and seats in an earlier upgrade."""
MEND = 'Use "gm restore" with a backup, "gm game export" to save the game, or "gm game delete" to delete it'


def suspend_game(
    database: Database, stuck: Suspension, letters: Sequence[OutgoingMessage], now: Millis
) -> None:
    """Suspend a game that can't continue, or record a new reason. letters: emails that report this."""
    with database.writing():
        row = StuckRow.insert(game=stuck.game, document=canonical(stuck).decode())
        database.run(row.on_conflict(conflict_target=[StuckRow.game], preserve=[StuckRow.document]))
        outbox.put(database, letters, now)


def resume_game(
    database: Database, game: str, grounds: str | None, letters: Sequence[OutgoingMessage], now: Millis
) -> None:
    """Resume a game. Emails that waited for it are read next.

    grounds: the rules version that verified its log, or None. letters: emails that report this.
    """
    waiting = (LetterRow.disposition == HELD) & (LetterRow.game == game)
    fresh = {"disposition": None, "why": None, "handled": None, "tries": 0}
    with database.writing():
        database.run(StuckRow.delete().where(StuckRow.game == game))
        if grounds is not None:
            note_proven(database, game, grounds, (), now)
        recheck(database, [game])
        # The GM may have named an email's sender. Otherwise it is determined again.
        database.run(LetterRow.update(**fresh, game=None).where(waiting & LetterRow.seat.is_null()))
        database.run(LetterRow.update(**fresh).where(waiting))
        outbox.put(database, letters, now)


def suspended_games(database: Database) -> tuple[Suspension, ...]:
    """Return all suspended games by name."""
    with database.reading():
        rows = list(database.run(StuckRow.select()))
    suspensions = (read_suspension(row.document, row.game_id) for row in rows)
    return tuple(sorted(suspensions, key=lambda suspension: suspension.game))


def read_suspension(document: str, game: str) -> Suspension:
    """Return the suspension of a game."""
    try:
        suspension: Suspension = load(Suspension, document.encode())
    except Malformed as fault:  # even if the record is unreadable, the game is suspended
        why = f"the record of its suspension can't be read: {fault}"
        suspension = Suspension(game=game, kind="?", sort="unreadable", why=why, instead=MEND)
    return suspension


def unreadable_game(row: Any, why: str, instead: str) -> Suspension:
    """Return the suspension of a game with an unreadable row. An earlier suspension keeps its time."""
    if row.stuck is None:
        return Suspension(game=row.name, kind=str(row.kind), sort="unreadable", why=why, instead=instead)
    before = read_suspension(row.stuck, row.name)
    return replace_fields(before, sort="unreadable", why=why, instead=instead)


def kind_missing(kind: str) -> str:
    """Return the reason why games of this kind can't be played."""
    ill = games.why_unplayable(kind)
    if ill is None:
        return f"there is no kind of game called {kind} here"
    return f"its kind {kind} can't be played because of an error in {ill.where}: {ill.why}"


def note_proven(
    database: Database, game: str, grounds: str, letters: Sequence[OutgoingMessage], now: Millis
) -> None:
    """Record the rules version that verified a game's log. letters: emails that report this."""
    with database.writing():
        database.run(GameRow.update(proven=grounds).where(GameRow.name == game))
        outbox.put(database, letters, now)


def kinds_in_play(database: Database) -> tuple[tuple[str, str, str], ...]:
    """Return the name of each running game, its kind, and the rules version that verified it."""
    rows = GameRow.select(GameRow.name, GameRow.kind, GameRow.proven).where(GameRow.status == "running")
    with database.reading():
        return tuple((row.name, row.kind, row.proven or "") for row in database.run(rows))


def letters_waiting(database: Database, game: str) -> int:
    """Return the number of emails that wait for a suspended game."""
    return database.count(
        LetterRow.select().where((LetterRow.disposition == HELD) & (LetterRow.game == game))
    )
