"""Press that waits to go out together: what waits, for whom, and until when. Values and pure functions."""

from collections.abc import Iterable

from adjudicator.clock import HOUR, MINUTE, Millis
from adjudicator.model.people import GAMESMASTER_SEAT, HeldPress, Press
from games.protocol import Seat

MAX_PRESS_PER_HOUR = 5
"""So many emails with press an hour go at once from one seat to a reader; the rest goes out together."""

BATCH_EVERY_MS: Millis = 30 * MINUTE
"""No press waits longer."""

_LAST_MINUTE_MS: Millis = MINUTE


def is_read_by(press: Press, reader: str) -> bool:
    """Return whether press is mailed to a reader: nobody is sent their own."""
    if reader == GAMESMASTER_SEAT or press.to == (GAMESMASTER_SEAT,):
        return reader == GAMESMASTER_SEAT and press.to == (GAMESMASTER_SEAT,)
    return press.is_heard_by(None if "@" in reader else Seat(reader)) and press.seat != reader


def has_to_wait(press: Press, reader: str, earlier: Iterable[Press], held: Iterable[HeldPress]) -> bool:
    """Return whether press waits for a reader: they got enough of it in the last hour, or some waits already.

    earlier: press of the game before it; held: what waits in the game. Grey press counts whoever wrote it, so
    that nobody can tell by its delay which pieces have the same writer. The GM's press never waits.
    """
    if press.seat is None:
        return False
    alike = [piece for piece in earlier if _is_alike(piece, press) and piece.at > press.at - HOUR]
    if sum(is_read_by(piece, reader) for piece in alike) >= MAX_PRESS_PER_HOUR:
        return True
    return any(waiting.reader == reader and _is_alike(waiting.press, press) for waiting in held)


def _is_alike(piece: Press, other: Press) -> bool:
    """Return whether two pieces of press come from one seat, as their readers know it."""
    if piece.seat is None or piece.kind != other.kind:
        return False
    return piece.kind == "grey" or piece.seat == other.seat


def is_due(since: Millis, deadline: Millis | None, now: Millis, rounds: Millis = 0) -> bool:
    """Return whether press goes out that waits since then: after 30 minutes, and always before the deadline.

    The nearer the deadline is the less it waits, and in the last minute before it, or after it, not at all.
    rounds: how often it is looked, where that is seldom.
    """
    if deadline is None:
        return now >= since + BATCH_EVERY_MS
    waits = min(BATCH_EVERY_MS, max(0, deadline - since) // 2)
    return now >= since + waits or now + rounds >= deadline - _LAST_MINUTE_MS
