"""Passwords that are guessed at: after how many none is looked at any more, and how long.

They are counted for each seat over all senders, since anybody may write any address into his From line.
"""

import hashlib

from adjudicator.clock import DAY, HOUR, Millis
from games.record import Record, changed

MOST_LOOKED_AT = 3
"""So many passwords of one letter are compared at all."""

FREE = 5
"""So many in a row may not fit before the passwords of a seat rest."""

FIRST_REST: Millis = HOUR
LONGEST_REST: Millis = 7 * DAY

FORGOTTEN: Millis = 30 * DAY
"""After so long without another one it is as if nobody had ever guessed."""


class Guesses(Record, frozen=True, kw_only=True):
    """What was tried at a seat. lock: which password was guessed at; a new one is another lock.

    misses: how many in a row did not fit, since the last rest; rests: how often passwords rested, in a row;
    until: when the last rest ends; at: when something last did not fit.
    """

    lock: str = ""
    misses: int = 0
    rests: int = 0
    until: Millis = 0
    at: Millis = 0


NONE = Guesses()
"""Nobody has guessed, or the right password came since."""


def lock_of(sealed: str) -> str:
    """What names a sealed password, and tells nothing of it."""
    return hashlib.sha256(sealed.encode()).hexdigest()[:16]


def counting(guesses: Guesses, lock: str, now: Millis) -> Guesses:
    """What still counts of guesses at the password that a lock names."""
    forgotten = now - max(guesses.at, guesses.until) > FORGOTTEN
    return Guesses(lock=lock) if forgotten or guesses.lock != lock else guesses


def is_resting(guesses: Guesses, now: Millis) -> bool:
    """Whether no password is looked at for the moment."""
    return now < guesses.until


def missed(guesses: Guesses, now: Millis) -> Guesses:
    """One more that did not fit. The last that is free begins a rest, twice as long as the one before."""
    if guesses.misses + 1 < FREE:
        return changed(guesses, misses=guesses.misses + 1, at=now)
    rest = min(FIRST_REST << min(guesses.rests, 20), LONGEST_REST)
    return changed(guesses, misses=0, rests=guesses.rests + 1, until=now + rest, at=now)
