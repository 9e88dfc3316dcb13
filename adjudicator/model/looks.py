"""Values for when time may make something due: games, offers of games, digests.

An instant in milliseconds UTC, or one of these. `referee.looking` computes
them, `store.looks` stores them.
"""

from adjudicator.clock import DAY, HOUR, MINUTE, Millis
from games.record import Value

CHECK_AT_ONCE: Millis = 0
"""Something was changed: at the next look."""

CHECK_AGAIN: Millis = -1
"""As `AT_ONCE`, of something beside the game that raises no `rev`: an absence, a sign-up."""

CHECK_AFTER_POLL: Millis = 1 << 62
"""When the mailbox was looked through: until then no turn is played by its deadline."""

MAX_CHECK_INTERVAL_MS: Millis = DAY
"""After so long everything is looked at, whatever was reckoned, and up to `SPREAD` later: not all at once."""

CHECK_SPREAD_MS: Millis = 6 * HOUR

FAILED_CHECK_INTERVAL_MS: Millis = MINUTE
"""After so long what failed by a fault of ours is tried again."""


class DueCheck(Value, frozen=True):
    """The result of a check of a game: nothing is due before an instant, as it stood at a revision.

    rev None: whatever its revision, for nobody could tell. drained: up to when letters were read then,
    where it is for that that the game waits.
    """

    game: str
    rev: int | None
    again: Millis
    drained: Millis | None = None
