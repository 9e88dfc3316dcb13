"""The nouns of The Second Boer War: sides, points, leaders, the state, what may be ordered."""

from typing import TYPE_CHECKING, Literal

from games.boer_war.board import Board
from games.boer_war.codes import EventId, LeaderId, Link, Point, Side
from games.boer_war.components import FIRST_NUMBERS, Materials, materials
from games.boer_war.owner_data import box_of
from games.pool import RoundCounters
from games.protocol import Order, Seat
from games.record import Record

BOERS, EMPIRE, PLAYER = Seat("Boers"), Seat("Empire"), Seat("player")
"""The two sides of a game of two; who commands both, or sits at a table of his own."""

SIDES: tuple[Side, Side] = ("boers", "empire")
SIDE_NAMES: dict[Side, str] = {"boers": "Boers", "empire": "Empire"}

Mode = Literal["war", "both", "table"]
"""A seat for each side (a bot where nobody sits); one seat for both; a table of the player's own."""

ACTION_DUE, TABLE_ACTION_DUE = "the next action", "the action at your table"
"""What orders are due for, as a person is told."""


class LeaderStanding(Record, frozen=True, kw_only=True):
    """A leader on the map: at which point, with how many SP (one at least)."""

    at: Point
    sp: int


class State(Record, frozen=True, kw_only=True):
    """A whole game.

    turn: 1 to 4; side: whose round it is; counters: the Action counters of each side that lie open; done: the
    actions of this round; part: how many letters' worth of it were played, from 1, for the turn's name; used:
    what may be done once a round and was: ``reinforce``, ``event``, ``camp``, ``siege LAD``; and who went
    somewhere in it, ``moved BUL``, since bots use a leader once.

    leaders: those on the map; boxes: the Reorganization boxes; gone: who is out of the game or has left. All
    others are still to come. lands: where the owner wants coming leaders to land. standing: Boer leaders told
    not to slip away, nor to evade. garrisons: Empire SP without a leader.
    control: of every point; trenches: where a side is entrenched; cuts, blockhouses: on links; camps: in the
    order in which they were set up; sieges: the level of each besieged town; fallen: completed sieges, for
    good; recruited: where Boers have recruited in this Turn; recruits: R, over Turns III and IV.

    pools, scattered, lost: SP of each side to come, in the Scattered box, and lost for good; recruit_pool: of
    Turns III and IV; brought: all SP that ever came into the game: what is on the map, in these three and in
    the recruit pool together.

    played: how often each event counter was played; kept: event markers that lie ready, with the leader or
    the point they belong to ("" for none); shaken: Empire leaders who may not attack in their next round and,
    if black_week, with them nobody is reinforced in it; repulsed: Empire leaders beaten off in this Turn;
    beaten: whether the Empire has lost a battle; camp_ban: Empire rounds to come without a camp.
    """

    options: dict[str, str | int | bool]
    turn: int = 1
    side: Side = "boers"
    counters: dict[Side, RoundCounters]
    done: int = 0
    part: int = 1
    used: tuple[str, ...] = ()

    leaders: dict[LeaderId, LeaderStanding] = {}
    boxes: dict[Side, tuple[LeaderId, ...]]
    gone: tuple[LeaderId, ...] = ()
    lands: dict[LeaderId, Point] = {}
    standing: tuple[LeaderId, ...] = ()
    garrisons: dict[Point, int] = {}

    control: dict[Point, Side] = {}
    trenches: dict[Side, tuple[Point, ...]]
    cuts: tuple[Link, ...] = ()
    blockhouses: tuple[Link, ...] = ()
    camps: tuple[Point, ...] = ()
    sieges: dict[Point, int] = {}
    fallen: tuple[Point, ...] = ()
    recruited: tuple[Point, ...] = ()
    recruits: int = 0

    pools: dict[Side, int]
    scattered: dict[Side, int]
    lost: dict[Side, int]
    recruit_pool: int = 0
    brought: dict[Side, int]

    played: dict[EventId, int] = {}
    kept: dict[EventId, str] = {}
    shaken: tuple[LeaderId, ...] = ()
    black_week: bool = False
    repulsed: tuple[LeaderId, ...] = ()
    beaten: bool = False
    camp_ban: int = 0

    winners: tuple[Side, ...] = ()
    ended: str | None = None

    @property
    def mode(self) -> Mode:
        """The way it is played."""
        mode = self.options["mode"]
        assert mode in ("war", "both", "table")
        return mode  # type: ignore[return-value]  # just looked at

    @property
    def box(self) -> Materials:
        """The data that it is played with, ours or of an owner's box: leaders, cards, events, numbers.

        By the numbers that the game was begun with.
        """
        return box_of(self.options).materials_with(str(self.options.get("numbers", FIRST_NUMBERS)))

    @property
    def board(self) -> Board:
        """The map that it is played on."""
        return box_of(self.options).board

    @property
    def is_guerrilla(self) -> bool:
        """Return whether it is Turn III or IV."""
        return self.turn >= 3

    @property
    def round(self) -> int:
        """The number of the round of the side whose round it is: 1 to 11."""
        return self.rounds_finished(self.side) + 1

    def rounds_finished(self, side: Side) -> int:
        """Return the rounds that a side has finished in this Turn: the box of its "Round finished" marker."""
        return 11 - self.counters[side].rounds

    def seat(self, side: Side) -> Seat:
        """Return the seat that commands a side."""
        if self.mode != "war":
            return PLAYER
        return BOERS if side == "boers" else EMPIRE

    def sp_on_map(self, side: Side) -> int:
        """Return the SP of a side on the map: of its leaders, and of garrisons."""
        led = sum(
            standing.sp for name, standing in self.leaders.items() if materials().leaders[name].side == side
        )
        return led + (sum(self.garrisons.values()) if side == "empire" else 0)


if TYPE_CHECKING:

    class View(State, frozen=True, kw_only=True):
        """A state as one seat, or a spectator, may know it: `Rules.view` alone makes one."""
else:
    View = State  # the types alone tell them apart


def enemy_of(side: Side) -> Side:
    """Return the enemy of a side."""
    return "empire" if side == "boers" else "boers"


def side_of_seat(state: State, seat: Seat) -> Side:
    """Return the side that a seat commands now: its own, or the one whose round it is."""
    return state.side if seat == PLAYER else "boers" if seat == BOERS else "empire"


class Move(Order, frozen=True, kw_only=True):
    """``MOVE BUL DUR PMB EST``, ``MOVE ROB+KIT ORS MOD``, ``MOVE CRO ZEE MAF INVEST``: along links.

    leaders: one, or a Commander-in-Chief and up to two others of his point. path: the points passed, the last
    one its goal; the point they stand in may begin it, and where two points in a row have no link the way
    between is the shortest one. storm: a siege town is attacked and not invested. guns: the Naval Brigade's
    guns (E02) are used in the battle.
    """

    leaders: tuple[LeaderId, ...]
    path: tuple[Point, ...]
    storm: bool = False
    guns: bool = False


class Rail(Order, frozen=True, kw_only=True):
    """``RAIL MET CPT DEA``: by rail; leaders and path as in Move."""

    leaders: tuple[LeaderId, ...]
    path: tuple[Point, ...]


class Assault(Order, frozen=True, kw_only=True):
    """``ASSAULT LAD``: attack the enemy in one's own point with all SP there. guns: as in Move."""

    at: Point
    guns: bool = False


class Siege(Order, frozen=True, kw_only=True):
    """``SIEGE KIM``"""

    at: Point


class Entrench(Order, frozen=True, kw_only=True):
    """``ENTRENCH COS``"""

    at: Point


class Cut(Order, frozen=True, kw_only=True):
    """``CUT ORS-MOD``: a railway link, in Turns I and II."""

    link: Link


class Raid(Order, frozen=True, kw_only=True):
    """``RAID BRA-KRO``: a railway link, in Turns III and IV. leader: whose men; None: the first near it."""

    link: Link
    leader: LeaderId | None = None


class Repair(Order, frozen=True, kw_only=True):
    """``REPAIR ORS-MOD NAA-COL``: up to two cuts taken away."""

    links: tuple[Link, ...]


class Reinforce(Order, frozen=True, kw_only=True):
    """``REINFORCE MET 2``, ``REINFORCE DUR 1`` (a garrison), ``REINFORCE GAT ELN 1`` (out of the box).

    leader: who gets them, None for a garrison; at: the port of a garrison, or of a leader who comes back.
    sp: how many, None: as many as may be. In Turns III and IV the Boers recruit so: ``REINFORCE DWT``.
    """

    leader: LeaderId | None = None
    at: Point | None = None
    sp: int | None = None


class Reorganize(Order, frozen=True, kw_only=True):
    """``REORGANIZE BOT 2``: SP out of the Scattered box. at: where a leader of the box comes back with them.

    sp None: as many as may be.
    """

    leader: LeaderId
    at: Point | None = None
    sp: int | None = None


class PlayEvent(Order, frozen=True, kw_only=True):
    """``EVENT B02 OLI``: an event counter, and whatever it asks for.

    leaders: E01, E03 (whoever gets the SP), E05, E10 (who rides), E11 (the drive), B02, B03, B06, B07, B08,
    B09, B12. points: the port of E01 and E03, the town of E04, E07 and B01, the way of E05, E10, B09 and B12,
    the goal of E11. links: the cuts that E08 takes away and the link on which it builds; those that B08 cuts.
    """

    event: EventId
    leaders: tuple[LeaderId, ...] = ()
    points: tuple[Point, ...] = ()
    links: tuple[Link, ...] = ()


class Drive(Order, frozen=True, kw_only=True):
    """``DRIVE REI ELL KNO RUN``: up to three leaders on one point with Boers."""

    target: Point
    leaders: tuple[LeaderId, ...]


class Camp(Order, frozen=True, kw_only=True):
    """``CAMP KRO``"""

    at: Point


class Blockhouse(Order, frozen=True, kw_only=True):
    """``BLOCKHOUSE KRO-VER``"""

    link: Link


class Trek(Order, frozen=True, kw_only=True):
    """``TREK DWT LIN REI FRK``: one Boer leader in Turns III and IV; path as in Move."""

    leader: LeaderId
    path: tuple[Point, ...]


class Pass(Order, frozen=True, kw_only=True):
    """``PASS``"""


class Done(Order, frozen=True, kw_only=True):
    """``DONE``: the action was carried out at the player's own table."""


class Stance(Order, frozen=True, kw_only=True):
    """``STANCE DLR STAND``: free, and standing. slip: he slips away in battles, and evades skirmishes."""

    leader: LeaderId
    slip: bool

    @property
    def slot(self) -> str:
        """One for each leader."""
        return f"stance {self.leader}"


class Transfer(Order, frozen=True, kw_only=True):
    """``TRANSFER BUL CLE 2``: SP handed over in one point, free with a MOVE, RAIL or TREK of the same letter.

    giver, taker: a leader, or None for the garrison of the other's point.
    """

    giver: LeaderId | None
    taker: LeaderId | None
    sp: int

    @property
    def slot(self) -> str:
        """One for each pair."""
        return f"transfer {self.giver or 'garrison'} {self.taker or 'garrison'}"


class Garrison(Order, frozen=True, kw_only=True):
    """``GARRISON ELL KRO 1``: a leader leaves SP behind, free with his MOVE or RAIL."""

    leader: LeaderId
    at: Point
    sp: int = 1

    @property
    def slot(self) -> str:
        """One for each leader and point."""
        return f"garrison {self.leader} {self.at}"


class Land(Order, frozen=True, kw_only=True):
    """``LAND BUL DUR``: free, and standing: where an Empire leader who is still to come shall land."""

    leader: LeaderId
    at: Point

    @property
    def slot(self) -> str:
        """One for each leader."""
        return f"land {self.leader}"


MarchOrder = Move | Rail | Trek
"""What SP may be handed over with."""

ActionOrder = (
    Move
    | Rail
    | Assault
    | Siege
    | Entrench
    | Cut
    | Raid
    | Repair
    | Reinforce
    | Reorganize
    | PlayEvent
    | Drive
    | Camp
    | Blockhouse
    | Trek
    | Pass
    | Done
)
"""What uses up an action."""

FreeOrder = Stance | Transfer | Garrison | Land
"""What costs nothing, and goes with an action or alone."""

AnyOrder = ActionOrder | FreeOrder
