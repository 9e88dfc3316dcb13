"""When somebody has to look next at what time may make due: games, offers of games, digests.

An instant in milliseconds UTC, or one of these. Values only; `referee.looking` reckons, `store.looks` keeps.
"""

from adjudicator.clock import DAY, HOUR, MINUTE, Millis
from games.record import Value

AT_ONCE: Millis = 0
"""Something was changed: at the next look."""

STIRRED: Millis = -1
"""As `AT_ONCE`, of something beside the game that raises no `rev`: an absence, a sign-up."""

AFTER_POLL: Millis = 1 << 62
"""When the mailbox was looked through: until then no turn is played by its deadline."""

CALM: Millis = DAY
"""After so long everything is looked at, whatever was reckoned, and up to `SPREAD` later: not all at once."""

SPREAD: Millis = 6 * HOUR

HELD: Millis = MINUTE
"""After so long what failed by a fault of ours is tried again."""


class Looked(Value, frozen=True):
    """What a look at a game found: nothing to do before an instant, as it stood at a revision.

    rev None: whatever its revision, for nobody could tell. drained: up to when letters were read then, where
    it is for that that the game waits.
    """

    game: str
    rev: int | None
    again: Millis
    drained: Millis | None = None
