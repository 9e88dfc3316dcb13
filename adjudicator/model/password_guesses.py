"""Passwords that are guessed at: after how many none is looked at any more, and how long.

They are counted for each seat over all senders, since anybody may write any address into his From line.
"""

import hashlib

from adjudicator.clock import DAY, HOUR, Millis
from games.record import Record, replace_fields

MOST_LOOKED_AT = 3
"""So many passwords of one letter are compared at all."""

MAX_FREE_GUESSES = 5
"""So many in a row may not fit before the passwords of a seat rest."""

FIRST_REST: Millis = HOUR
MAX_REST_MS: Millis = 7 * DAY

GUESSES_EXPIRE_MS: Millis = 30 * DAY
"""After so long without another one it is as if nobody had ever guessed."""


class Guesses(Record, frozen=True, kw_only=True):
    """The failed guesses at a seat's password. lock: the password they were at; a new one is another lock.

    misses: how many in a row did not fit, since the last rest; rests: how often passwords rested, in a
    row; until: when the last rest ends; at: when something last did not fit.
    """

    lock: str = ""
    misses: int = 0
    rests: int = 0
    until: Millis = 0
    at: Millis = 0


NO_GUESSES = Guesses()
"""Nobody has guessed, or the right password came since."""


def lock_name(sealed: str) -> str:
    """Return a name for a sealed password that tells nothing of it."""
    return hashlib.sha256(sealed.encode()).hexdigest()[:16]


def counted_guesses(guesses: Guesses, lock: str, now: Millis) -> Guesses:
    """Return the guesses that still count at the password that a lock names."""
    forgotten = now - max(guesses.at, guesses.until) > GUESSES_EXPIRE_MS
    return Guesses(lock=lock) if forgotten or guesses.lock != lock else guesses


def is_resting(guesses: Guesses, now: Millis) -> bool:
    """Return whether no password is checked for the moment."""
    return now < guesses.until


def count_miss(guesses: Guesses, now: Millis) -> Guesses:
    """Return the guesses after one more miss.

    The last that is free begins a rest, twice as long as the one before.
    """
    if guesses.misses + 1 < MAX_FREE_GUESSES:
        return replace_fields(guesses, misses=guesses.misses + 1, at=now)
    rest = min(FIRST_REST << min(guesses.rests, 20), MAX_REST_MS)
    return replace_fields(guesses, misses=0, rests=guesses.rests + 1, until=now + rest, at=now)
