"""A game that cannot go on, though nobody has stopped it: which, since when, and why."""

from typing import Literal

from adjudicator.model.bounds import Count, Instant, Line, Text
from games.record import Record

Sort = Literal["unreadable", "log", "turn"]
"""What is wrong: it cannot be read (its kind is not there, or a row of it is damaged); its log comes out
otherwise when it is played again by what its kind is now; its turn cannot be played."""


class Suspension(Record, frozen=True, kw_only=True):
    """A game that is suspended until it can go on, while all others play on.

    why, instead: what is wrong and what to do, for the gamesmaster. since: when it was noted, None: not yet;
    tried: when it was last tried to go on, at which revision of the game (rev) and by what (`grounds`).
    """

    game: Line
    kind: Line
    sort: Sort
    why: Text
    instead: Text
    since: Instant | None = None
    tried: Instant = 0
    rev: Count = 0
    grounds: Text = ""

    @property
    def is_mail_deferred(self) -> bool:
        """Return whether letters to it wait unread: rules that are not its own would read them wrongly."""
        return self.sort != "turn"
