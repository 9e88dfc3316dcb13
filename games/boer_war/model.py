"""The nouns of The Second Boer War: the state, who stands where in it, and what may be ordered."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from games.boer_war.board import Board
from games.boer_war.components import (
    FIRST_NUMBERS,
    EventId,
    LeaderId,
    Link,
    Materials,
    Point,
    Side,
    materials,
)
from games.boer_war.owner_data import box_of
from games.pool import RoundCounters
from games.protocol import Objection, Order, Seat
from games.record import Record

BOERS, EMPIRE, PLAYER = Seat("Boers"), Seat("Empire"), Seat("player")
"""The two sides of a game of two; who commands both, or sits at a table of his own."""

SIDES: tuple[Side, Side] = ("boers", "empire")
SIDE_NAMES: dict[Side, str] = {"boers": "Boers", "empire": "Empire"}

Mode = Literal["war", "both", "table"]
"""A seat for each side (a bot where nobody sits); one seat for both; a table of the player's own."""


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


# Questions about SP, leaders and Command in a position.


def side_of(leader: LeaderId) -> Side:
    """Return the side of a leader."""
    return materials().leaders[leader].side


def leaders_of(state: State, side: Side) -> tuple[LeaderId, ...]:
    """Return a side's leaders on the map, in the order of the box."""
    return tuple(
        leader for leader in materials().leaders if leader in state.leaders and side_of(leader) == side
    )


def leaders_at(state: State, point: Point, side: Side) -> tuple[LeaderId, ...]:
    """Return a side's leaders in a point, in the order of the box."""
    here = [
        leader for leader, there in state.leaders.items() if there.at == point and side_of(leader) == side
    ]
    return in_box_order(here)


def in_box_order(leaders: list[LeaderId]) -> tuple[LeaderId, ...]:
    """Return leaders in the order of the box."""
    if len(leaders) < 2:
        return tuple(leaders)
    return tuple(leader for leader in materials().leaders if leader in leaders)


def led_at(state: State, point: Point, side: Side) -> int:
    """Return the SP of a side's leaders in a point."""
    return sum(
        there.sp for leader, there in state.leaders.items() if there.at == point and side_of(leader) == side
    )


def sp_at(state: State, point: Point, side: Side) -> int:
    """Return the SP of a side in a point, the garrison among them."""
    garrison = state.garrisons.get(point, 0) if side == "empire" else 0
    return led_at(state, point, side) + garrison


def is_held(state: State, point: Point, side: Side) -> bool:
    """Return whether a side has any SP in a point."""
    if side == "empire" and point in state.garrisons:
        return True
    return any(there.at == point and side_of(leader) == side for leader, there in state.leaders.items())


def points_held(state: State, side: Side) -> frozenset[Point]:
    """Return the points in which a side has any SP."""
    led = {there.at for leader, there in state.leaders.items() if side_of(leader) == side}
    return frozenset(led | set(state.garrisons) if side == "empire" else led)


def best_command(state: State, leaders: tuple[LeaderId, ...]) -> int:
    """Return the best Command of some leaders; that of a garrison where there are none."""
    if not leaders:
        return state.box.numbers.battle.garrison_command
    return max(state.box.leaders[leader].command for leader in leaders)


def capacity(state: State, leader: LeaderId) -> int:
    """Return how many SP a leader may lead: Boers three in the guerrilla war."""
    own = state.box.leaders[leader]
    if state.is_guerrilla and own.side == "boers":
        return state.box.numbers.moving.commando
    return own.capacity


def spare_capacity(state: State, leader: LeaderId) -> int:
    """Return how many SP more a leader on the map may lead."""
    return max(0, capacity(state, leader) - state.leaders[leader].sp)


def move_allowance(state: State, leader: LeaderId) -> int:
    """Return how many links a leader moves: Boers four in the guerrilla war."""
    own = state.box.leaders[leader]
    if state.is_guerrilla and own.side == "boers":
        return state.box.numbers.moving.trek
    return own.move


def is_besieged(state: State, leader: LeaderId) -> bool:
    """Return whether a leader on the map is shut up in a town."""
    return side_of(leader) == "empire" and state.leaders[leader].at in state.sieges


def is_besieging(state: State, point: Point) -> bool:
    """Return whether the Boers in a point besiege it."""
    return point in state.sieges


def retreat_point(
    state: State, point: Point, side: Side, barred: frozenset[Point], *, own_only: bool = False
) -> Point | None:
    """Return where leaders of a side go from a point: a neighbour without enemy SP that is not barred.

    One under their own control, if there is one; of several the one with most own SP, then the first by
    code. own_only: no other will do. None: there is no way out.

    Source: ruling 9.2 (retreat).
    """
    foes = points_held(state, "boers" if side == "empire" else "empire")
    free = [
        neighbour
        for neighbour in state.board.near[point]
        if neighbour not in barred and neighbour not in foes
    ]
    own = [neighbour for neighbour in free if state.control[neighbour] == side]
    choice = own if own or own_only else free
    return min(choice, key=lambda neighbour: (-sp_at(state, neighbour, side), neighbour), default=None)


# The exception for an illegal order: raised where it is found, made an Objection where it is asked.


class IllegalOrder(Exception):
    """An order that the rules forbid: a code, and the details for its words.

    near: the names that might stand in the order instead.
    """

    def __init__(self, code: str, near: Iterable[str] = (), **detail: object) -> None:
        super().__init__(code)
        self.code = code
        self.detail = {key: str(value) for key, value in detail.items()}
        if names := " ".join(near):
            self.detail["near"] = names

    @property
    def objection(self) -> Objection:
        """The same as a value."""
        return Objection(code=self.code, detail=self.detail)


def require_unused(state: State, what: str, code: str, at: str = "") -> None:
    """Raise IllegalOrder if what may be done once a round was done in this one. Source: ruling 6.3."""
    if what in state.used:
        raise IllegalOrder(code, at=at)
