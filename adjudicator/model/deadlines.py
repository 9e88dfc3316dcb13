"""A game's deadline settings: the time for orders, the days and hours that count, and rules for absences.

Only values. `turns.deadlines` computes with them. `config.terms` reads and writes them.
"""

from collections.abc import Mapping
from typing import Literal

from adjudicator.clock import DAY, Millis
from adjudicator.model.people import Count, Instant, Line, SeatName, Span, Text
from games.record import Record, Value, replace_fields

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

Nmr = Literal["hold", "bot", "gm", "extend"]
"""What happens without orders: the units hold; the seat's bot gives orders; the turn waits for the GM; the
deadline is extended once, then the units hold."""

Away = Literal["ignore", "deadline", "bot", "substitute"]
"""What an absence causes: nothing; deadlines are extended past it; the seat's bot plays meanwhile; the
first player on the waiting list plays meanwhile, or the bot if nobody is waiting."""

Solo = Literal["waits", "clock"]
"""For a game with one human player: its turns wait for this player, or have deadlines too."""


class Deadlines(Value, frozen=True):
    """The time for orders, in milliseconds by kind of turn, and the game's clock.

    grace: the extra time after a deadline. zone: the time zone's name. hours: the hours allowed for deadlines
    ("20:00"; empty: any). days_off: weekdays that don't count ("sat"). holidays: other days that don't count:
    "12-25", "2027-03-26", "2026-12-24..2027-01-01", or the public holidays of a country or region, "DE",
    "US-CA". reminder: how long before a deadline players with missing orders are reminded, 0: never. nmr:
    the effect of missing orders, extension: by how much the deadline is extended. protect: whether the first
    turn waits for everyone. dropout: a bot replaces a player after this many turns without orders in a row,
    0: never. away: the effect of an absence, away_limit: the longest extension for absences. solo: whether a
    game with one human player has deadlines.
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
        """Return the time for this kind of turn. Kinds without a setting wait as long as moves do."""
        return self.lengths.get(kind, self.lengths["moves"])


StopKind = Literal["pause", "hold", "nmr"]
"""Why no turn runs: the GM has paused the game; the GM has held this turn; orders are missing and the GM
must decide."""


class Stop(Record, frozen=True, kw_only=True):
    """A stopped clock. since: when it stopped. left: the rest of the turn's time at that moment."""

    kind: StopKind
    since: Instant
    left: Span
    by: Text
    why: Text = ""


class Loan(Record, frozen=True, kw_only=True):
    """A seat that a substitute plays for a while. owner, password: of its regular player. until: the end."""

    owner: Line
    password: Line | None
    substitute: Line
    until: Instant


class Rest(Record, frozen=True, kw_only=True):
    """A turn without a clock that waits for the game's one human player.

    since: the start of the wait, or the time of the player's last email. told: the number of reminders since.
    """

    since: Instant
    told: Count = 0


class Correction(Record, frozen=True, kw_only=True):
    """The deadlines that players were given while others were seated, and when corrections are sent.

    told: by seat, the deadline that its player was last given, None: no deadline.
    """

    at: Instant
    told: dict[SeatName, Instant | None]


TableMotion = Literal["pause", "resume", "extend", "end"]
"""The motions of players: pause the game, resume it, more time for this turn, an end without a winner."""


class Ballot(Record, frozen=True, kw_only=True):
    """A seat's vote for a motion. length: of an extension. at: when it was cast."""

    seat: SeatName
    motion: TableMotion
    length: Span = 0
    at: Instant


class Timing(Record, frozen=True, kw_only=True):
    """The state of a game's clock in its current turn.

    first: the deadline by the settings alone, without absences. by_hand: whether the GM has set the deadline,
    so that absences don't change it. reminded: whether reminders were sent. extended: whether the turn was
    extended because of missing orders. stop: why the clock is stopped, if it is. lapses: by seat and player,
    the number of turns in a row without orders. loans: by seat, those played by substitutes. rest: there is
    no clock, since there is one human player. correction: players were seated recently, and some were given
    another deadline than the current one. ballots: the votes for open motions. movers: the
    seats that have moved one this turn. voted_time: whether a vote has extended the turn. late_seats:
    those whose orders were missing when it ended, so that the turn waits for them.
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
    ballots: tuple[Ballot, ...] = ()
    movers: tuple[SeatName, ...] = ()
    voted_time: bool = False
    late_seats: tuple[SeatName, ...] = ()

    def with_ballot(self, ballot: Ballot, *, moves: bool) -> "Timing":
        """Return the state with a vote, once for each seat and motion. moves: whether it moves the motion."""
        key = ballot.seat, ballot.motion, ballot.length
        others = (other for other in self.ballots if (other.seat, other.motion, other.length) != key)
        is_new = moves and ballot.seat not in self.movers
        movers = (*self.movers, ballot.seat) if is_new else self.movers
        return replace_fields(self, ballots=(*others, ballot), movers=movers)

    def without_ballots(self, seat: str) -> "Timing":
        """Return the state without the votes of a seat."""
        return replace_fields(self, ballots=tuple(each for each in self.ballots if each.seat != seat))
