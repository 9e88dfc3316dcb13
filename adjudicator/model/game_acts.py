"""Acts: what letters, `gm` and the clock do to games on the books, as values. The store carries them out."""

from typing import Any

from adjudicator.clock import Millis
from adjudicator.model.deadlines import Solo
from adjudicator.model.people_acts import AnyPersonAction
from games.protocol import GameResult, OptionValue, Seat
from games.record import Record


class Act(Record, frozen=True, kw_only=True, tag=True):
    """Anything that can be done to a game, by letter, `gm` or clock. by: who; why: for the log."""

    game: str
    by: str
    why: str = ""


class FileOrders(Act, frozen=True, kw_only=True):
    """All that a seat has on file from now on, said in that turn, as `filed_orders.pack_items` gives it."""

    seat: Seat
    turn: str
    orders: tuple[Any, ...]


class TakeSeat(Act, frozen=True, kw_only=True):
    """A person takes a seat (address None: leaves it to a bot). password: a new one, sealed, or None."""

    seat: Seat
    address: str | None
    password: str | None = None


class SetBot(Act, frozen=True, kw_only=True):
    """A seat that nobody holds has this bot from now on. level None: the weakest; temper None: none."""

    seat: Seat
    level: str | None
    temper: str | None = None


class SetPassword(Act, frozen=True, kw_only=True):
    """A seat's player chooses a password, in clear: the house seals it before it is written anywhere."""

    seat: Seat
    password: str


class Rekey(Act, frozen=True, kw_only=True):
    """A seat's reply tokens are void from now on, and it has others: somebody else has seen one.

    why: where it was seen, as its holder is told; quietly: the answer to his own letter tells him already.
    seen: the generation of the token that was seen, where it is one from before a restore; else 0.
    """

    seat: Seat
    quietly: bool = False
    seen: int = 0


class SetWait(Act, frozen=True, kw_only=True):
    """A seat asks to wait for the deadline, or no longer does. turn: said for that one; None: the present."""

    seat: Seat
    wait: bool
    turn: str | None = None


class SetReady(Act, frozen=True, kw_only=True):
    """A seat has said all it has to say for a turn, or takes that back. turn: as in SetWait."""

    seat: Seat
    ready: bool
    turn: str | None = None


class Stir(Act, frozen=True, kw_only=True):
    """The player of a seat has written, in a game without a clock: reminders count from then."""

    seat: Seat
    at: Millis


class BeginGame(Act, frozen=True, kw_only=True):
    """A game of a player's own is begun, and he takes a seat of it; bots play the others.

    by: his address; options: settled; level, temper: of all bots, as in SetBot; solo: whether he wants a
    clock, None: as the house has it. The house draws the secret of the dice and the password of the seat.
    """

    kind: str
    options: dict[str, OptionValue]
    seat: Seat
    level: str | None = None
    temper: str | None = None
    solo: Solo | None = None


class EndGame(Act, frozen=True, kw_only=True):
    """A game ends without its rules: by a draw, a concession, the gamesmaster's word. turn: as in SetWait."""

    result: GameResult
    turn: str | None = None


class TakeBack(Act, frozen=True, kw_only=True):
    """The last action of whoever plays alone is taken back, before anything else of his letter is done.

    to: the number of the entry after which the game stands then; rev: of the game in which that was decided;
    at: when, in milliseconds UTC.
    """

    seat: Seat
    rev: int
    to: int
    at: int


SeatAct = (
    FileOrders | TakeSeat | SetBot | SetPassword | Rekey | SetWait | SetReady | Stir | BeginGame | TakeBack
)
"""What is done to one seat of a game."""

AnyAct = SeatAct | EndGame | AnyPersonAction
"""All that can be done. Chains over them end with `assert_never`, so mypy names the places of a new one."""
