"""The hours that a game keeps: how long turns wait, on which days, at which hours, for whom.

Values only; `referee.calendar` and `referee.deadlines` reckon with them, `terms` reads and writes them.
"""

from collections.abc import Mapping
from typing import Literal

from adjudicator.clock import DAY, Millis
from adjudicator.model.people import Count, Instant, Line, SeatName, Span, Text
from games.record import Record, Value

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

Nmr = Literal["hold", "bot", "gm", "extend"]
"""What comes of no moves received: the units hold; the seat's bot orders for it; the turn waits for the
GM; the deadline is put off once, then the units hold."""

Away = Literal["ignore", "deadline", "bot", "substitute"]
"""What an absence does: nothing; deadlines are put off until after it; the seat's bot orders meanwhile; the
first on the waiting list plays it meanwhile, its bot where nobody waits."""

Solo = Literal["waits", "clock"]
"""Of a game that one person plays, all others being bots: its turns wait for him; or have deadlines too."""


class Deadlines(Value, frozen=True):
    """The time that a game waits for orders, in milliseconds by kind of turn, and its clock.

    grace: what is added at the end. zone: in which days begin and clocks are read, by its name; hours:
    those at which a deadline may fall ("20:00"; none: any); days_off: weekdays that do not count ("sat");
    holidays: days that do not count either, "12-25", "2027-03-26" or "2026-12-24..2027-01-01", or the
    public ones of a country or a part of it, "DE", "US-CA". reminder: how long before a deadline those who
    owe are reminded, 0: never. nmr, extension (how long it is put off); protect: whether nobody is passed
    over in the first turn. dropout: after so many turns in a row without orders a seat goes to its bot, 0:
    never. away, away_limit: by how much absences put a deadline off at most. solo: whether turns have
    deadlines while one person plays, and bots the rest.
    """

    lengths: Mapping[str, Millis]
    grace: Millis
    zone: str = "UTC"
    hours: tuple[str, ...] = ()
    days_off: tuple[str, ...] = ()
    holidays: tuple[str, ...] = ()
    reminder: Millis = 0
    nmr: Nmr = "hold"
    extension: Millis = DAY
    protect: bool = False
    dropout: int = 0
    away: Away = "deadline"
    away_limit: Millis = 14 * DAY
    solo: Solo = "waits"

    def length(self, kind: str) -> Millis:
        """The time for a turn of that kind; kinds that are not named wait as long as moves do."""
        return self.lengths.get(kind, self.lengths["moves"])


StopKind = Literal["pause", "hold", "nmr"]
"""Why no turn is played: the game is paused; its turn is held by hand; orders are missing, and it is for the
GM to say what becomes of that."""


class Stop(Record, frozen=True, kw_only=True):
    """A game's clock stands still. since: from when; left: how much of the turn's time there was then."""

    kind: StopKind
    since: Instant
    left: Span
    by: Text
    why: Text = ""


class Loan(Record, frozen=True, kw_only=True):
    """A seat that a substitute plays for a while. owner, password: to whom it comes back; until: when."""

    owner: Line
    password: Line | None
    substitute: Line
    until: Instant


class Rest(Record, frozen=True, kw_only=True):
    """A turn that waits for the one person in its game, without a clock.

    since: from when, or from his last letter; told: how often he was written to since.
    """

    since: Instant
    told: Count = 0


class Correction(Record, frozen=True, kw_only=True):
    """What people were told of a turn's deadline while they were seated, and when they are told again.

    told: by seat, the deadline that its person was told last, None: that none runs.
    """

    at: Instant
    told: dict[SeatName, Instant | None]


class Timing(Record, frozen=True, kw_only=True):
    """The state of a game's clock in its present turn.

    first: the deadline that the terms alone gave the turn, absences left out; by_hand: whether the
    GM has set it since, so that absences move it no more. reminded: whether those who owe were
    reminded; extended: whether the turn was put off because somebody was silent. stop: why the clock
    stands still, if it does. lapses: by seat and who sits there, for how many turns in a row it has been
    silent; loans: by seat, those that a substitute plays. rest: there is no clock, since one person plays
    alone. correction: people were seated a moment ago, and not all were told what is true now.
    """

    first: Instant | None = None
    by_hand: bool = False
    reminded: bool = False
    extended: bool = False
    stop: Stop | None = None
    lapses: dict[Line, Count] = {}
    loans: dict[SeatName, Loan] = {}
    rest: Rest | None = None
    correction: Correction | None = None
