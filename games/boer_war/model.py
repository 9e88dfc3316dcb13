"""The types of The Second Boer War: the state of a game, its orders, and questions about a position."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

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
from games.order_kinds import OrderKind
from games.pool import RoundCounters
from games.protocol import Form, Objection, Seat
from games.record import Record

# The patterns that forms of orders share, and the fields of orders that their places fill.

MAX_LEADERS, _MAX_POINTS, MAX_LINKS = 5, 9, 3
"""The most leaders, points of a path and links in one order."""

FROM = "[(from|to|by|via|at|in|-|:)]"
OF = "[(to|for|at|in|by|of|with|:|,)]"


def _repeat_pattern(item: str, least: int, most: int, joint: str) -> str:
    """Return the pattern of a list with `least` to `most` items. `{n}` in an item is its number."""
    more = ""
    for number in range(most, least, -1):
        more = f"[{joint} {item.format(n=number)} {more}]"
    text = f" {joint} ".join(item.format(n=number) for number in range(1, least + 1))
    return f"{text} {more}".strip()


def _leaders_pattern(most: int) -> str:
    return _repeat_pattern("{{l{n}:leader}}", 1, most, "[(+|and|with|,|&|)]")


def links_pattern(most: int) -> str:
    """Return the pattern of up to `most` links. A link is written as its two ends."""
    return _repeat_pattern("{{a{n}:point}} [(-|to)] {{b{n}:point}}", 1, most, "[(,|and)]")


GROUP = _leaders_pattern(3)
LEADERS = _leaders_pattern(MAX_LEADERS)
POINTS_PATH = _repeat_pattern("{{p{n}:point}}", 1, _MAX_POINTS, "[(-|to|via|through|by|,|>|into)]")
LONE_MARCH, GROUP_MARCH = f"{{l1:leader}} {FROM} {{p1:point}}", f"{GROUP} {FROM} {POINTS_PATH}"
LINK_ENDS = "{a1:point} [(-|to|and)] {b1:point}"
AT_POINT = "[at|in|on|of|the] {p1:point}"
SP = "{sp:number} [sp]"
STORM = "(storm|storms|attack|attacks|assault)"
GUNS = "[with] [the] [naval] (guns|e02)"
MOVES = "(move|moves|march|m)"
TRAINS = "(rail|rails|entrain|train|by rail)"
TREKS = "(trek|treks|ride|rides)"
RAILWAY = "[the] [(railway|rails|line|link)] [(between|from|at|on)]"
CUTS, RAIDS, REPAIRS = f"(cut|break) {RAILWAY}", f"(raid|wreck) {RAILWAY}", f"(repair|repairs|mend) {RAILWAY}"
BLOCKHOUSES = f"(blockhouse|blockhouses) {RAILWAY}"
REINFORCES = "(reinforce|reinforces|recruit|recruits)"
EVENT, RAILWAY_EVENT = (f"(event|play event|play) {{event:{sort}}}" for sort in ("event", "railway"))


def _numbered(slots: Mapping[str, str], place: str) -> tuple[str, ...]:
    numbered = (f"{place}{number}" for number in range(1, _MAX_POINTS + 1))
    return tuple(slots[name] for name in numbered if name in slots)


def _links(slots: Mapping[str, str]) -> tuple[Link, ...]:
    """Return the links that slots name. Two points without a link also make a code, which checks reject."""
    ends = zip(_numbered(slots, "a"), _numbered(slots, "b"), strict=True)
    return (Link(slots["k1"]),) if "k1" in slots else tuple(Link(f"{a}-{b}") for a, b in ends)


READERS: Mapping[str, Callable[[Mapping[str, str]], Any]] = {
    "event": lambda slots: slots["event"],
    "leader": lambda slots: slots.get("l1"),
    "leaders": lambda slots: _numbered(slots, "l"),
    "at": lambda slots: slots.get("p1"),
    "target": lambda slots: slots["p1"],
    "path": lambda slots: _numbered(slots, "p"),
    "points": lambda slots: _numbered(slots, "p"),
    "link": lambda slots: _links(slots)[0],
    "links": _links,
    "sp": lambda slots: int(slots["sp"]) if "sp" in slots else None,
}
"""What fills the fields of orders, by the name of the field. None: a form leaves the field out."""


BOERS, EMPIRE, PLAYER = Seat("Boers"), Seat("Empire"), Seat("player")
"""The seats: one for each side, or a single player who commands both sides or plays at their own table."""

SIDES: tuple[Side, Side] = ("boers", "empire")
SIDE_NAMES: dict[Side, str] = {"boers": "Boers", "empire": "Empire"}

Mode = Literal["war", "both", "table"]
"""war: a seat for each side; both: one seat for both sides; table: the board is on the player's own table."""


class LeaderStanding(Record, frozen=True, kw_only=True):
    """A leader on the map: the point, and the strength points (SP) that they lead, at least one."""

    at: Point
    sp: int


class State(Record, frozen=True, kw_only=True):
    """The state of a whole game.

    The sequence of play:
    turn: the Turn, 1 to 4. side: the side that acts now. counters: the face-up Action counters of each side.
    done: the number of actions already played in this round. part: the number of this turn within the round,
    counted from 1, for the turn's name. It also counts turns without a legal action. used: marks of things
    that a side can do only once a round: ``reinforce``, ``event``, ``camp``, ``siege LAD``. A mark
    ``moved BUL`` says that a leader has moved in this round, because bots use each leader once.

    Forces:
    leaders: the leaders on the map. boxes: the leaders in each Reorganization box. gone: the leaders who are
    out of the game. All others are still to come. lands: the points that a player chose for arriving leaders.
    standing: the Boer leaders who don't slip away or evade. garrisons: Empire SP without a leader.

    The map:
    control: the side that controls each point. trenches: the points where each side is entrenched. cuts,
    blockhouses: links with such a marker. camps: the points with camps, the oldest first. sieges: the level
    of each besieged town. fallen: the towns of completed sieges. recruited: the points where Boers have
    recruited in this Turn. recruits: R, the number of recruits in Turns III and IV.

    SP off the map:
    pools, scattered, lost: SP of each side in the pool, in the Scattered box, and removed for good.
    recruit_pool: recruits left for Turns III and IV. brought: all SP that ever came into the game. They equal
    the SP on the map, in the three places above and in the recruit pool.

    Events:
    played: the number of times that each event counter was played. kept: event markers that are ready for
    use, each with its leader or point ("" for none). shaken: Empire leaders who can't attack in their next
    round. black_week: if true, the Empire can't reinforce in that round. repulsed: Empire leaders who were
    beaten off in this Turn. beaten: true if the Empire has lost a battle. camp_ban: the number of Empire
    rounds without a camp that are left.
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
        """The seats and the board of the game."""
        mode = self.options["mode"]
        assert mode in ("war", "both", "table")
        return mode  # type: ignore[return-value]  # checked in the line above

    @property
    def box(self) -> Materials:
        """The data of the game: leaders, cards, events and the numbers that it was begun with.

        They are our own data, or those of an owner's box.
        """
        return box_of(self.options).materials_with(str(self.options.get("numbers", FIRST_NUMBERS)))

    @property
    def board(self) -> Board:
        """The map of the game."""
        return box_of(self.options).board

    @property
    def is_guerrilla(self) -> bool:
        """True in Turns III and IV."""
        return self.turn >= 3

    @property
    def round(self) -> int:
        """The number of the current round of the side that acts now, 1 to 11."""
        return self.rounds_finished(self.side) + 1

    def rounds_finished(self, side: Side) -> int:
        """Return the number of rounds that a side has finished in this Turn."""
        return 11 - self.counters[side].rounds

    def seat(self, side: Side) -> Seat:
        """Return the seat that commands a side."""
        if self.mode != "war":
            return PLAYER
        return BOERS if side == "boers" else EMPIRE

    def sp_on_map(self, side: Side) -> int:
        """Return the SP of a side on the map, with leaders and in garrisons."""
        led = sum(
            standing.sp for name, standing in self.leaders.items() if materials().leaders[name].side == side
        )
        return led + (sum(self.garrisons.values()) if side == "empire" else 0)


if TYPE_CHECKING:

    class View(State, frozen=True, kw_only=True):
        """A state as one seat or an observer may know it. Only `Rules.view` makes one."""
else:
    View = State  # only type checkers tell the two apart


def enemy_of(side: Side) -> Side:
    """Return the enemy of a side."""
    return "empire" if side == "boers" else "boers"


def side_of_seat(state: State, seat: Seat) -> Side:
    """Return the side that a seat commands now. A single player commands the side that acts."""
    return state.side if seat == PLAYER else "boers" if seat == BOERS else "empire"


class BoerWarOrder(OrderKind, frozen=True, kw_only=True):
    """An order of this game. It is written as its verb and its fields, in their order.

    SET_BY_FORM: the fields that the name of a form sets.
    """

    SET_BY_FORM: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    @classmethod
    def from_slots(cls, _view: View, form: str, slots: Mapping[str, str]) -> Self:
        read = {name: READERS[name](slots) for name in cls.__struct_fields__ if name in READERS}
        named = {name: value for name, value in read.items() if value is not None}
        return cls(**named, **cls.SET_BY_FORM.get(form, {}))

    def write(self) -> str:
        values = (getattr(self, name) for name in self.__struct_fields__)
        parts = (part for value in values for part in (value if isinstance(value, tuple) else (value,)))
        return _join_parts(type(self).__name__.upper(), *parts)


def _join_parts(*parts: object) -> str:
    """Return the text of an order from the parts that are not None."""
    return " ".join(str(part) for part in parts if part is not None)


class Move(BoerWarOrder, frozen=True, kw_only=True):
    """A move along links: ``MOVE BUL DUR PMB EST``, ``MOVE ROB+KIT ORS MOD``, ``MOVE CRO ZEE MAF INVEST``.

    leaders: one leader, or a Commander-in-Chief and up to two other leaders from the same point.
    path: the points on the way, with the goal at the end. It may begin with the point where they are. Between
    two points that have no link they take the shortest way.
    storm: if true, the move attacks a siege town instead of investing it.
    guns: if true, the battle uses the guns of the Naval Brigade (E02).
    """

    FORMS = (
        Form(name="move", pattern=f"{MOVES} {LONE_MARCH}", example="MOVE BUL EST"),
        Form(name="move", pattern=f"{MOVES} {GROUP_MARCH}", example="MOVE BUL DUR PMB EST"),
        Form(
            name="move",
            pattern=f"{GROUP} (moves|marches|goes|-) [to] {POINTS_PATH}",
            example="Buller moves to Estcourt",
        ),
        Form(
            name="move",
            pattern=f"{MOVES} {GROUP_MARCH} (and|to|) (invest|besiege)",
            example="MOVE CRO ZEE MAF INVEST",
        ),
        Form(
            name="move-storm", pattern=f"{MOVES} {LONE_MARCH} [and|to] {STORM}", example="MOVE CRO MAF STORM"
        ),
        Form(
            name="move-storm",
            pattern=f"{MOVES} {GROUP_MARCH} [and|to] {STORM}",
            example="MOVE CRO ZEE MAF STORM",
        ),
        Form(name="move-guns", pattern=f"{MOVES} {LONE_MARCH} {GUNS}", example="MOVE BUL COS GUNS"),
        Form(name="move-guns", pattern=f"{MOVES} {GROUP_MARCH} {GUNS}", example="MOVE BUL EST COS GUNS"),
    )
    SET_BY_FORM = {"move-storm": {"storm": True}, "move-guns": {"guns": True}}

    leaders: tuple[LeaderId, ...]
    path: tuple[Point, ...]
    storm: bool = False
    guns: bool = False

    def write(self) -> str:
        tail = ("STORM",) if self.storm else ("GUNS",) if self.guns else ()
        return _join_parts("MOVE", "+".join(self.leaders), *self.path, *tail)


class Rail(BoerWarOrder, frozen=True, kw_only=True):
    """A journey by rail: ``RAIL MET CPT DEA``. leaders and path are those of Move."""

    FORMS = (
        Form(name="rail", pattern=f"{TRAINS} {LONE_MARCH}", example="RAIL MET DEA"),
        Form(name="rail", pattern=f"{TRAINS} {GROUP_MARCH}", example="RAIL MET CPT DEA"),
        Form(
            name="rail",
            pattern=f"{GROUP} (rails|entrains|goes by rail) [from|to] {POINTS_PATH}",
            example="Methuen goes by rail to De Aar",
        ),
    )

    leaders: tuple[LeaderId, ...]
    path: tuple[Point, ...]

    def write(self) -> str:
        return _join_parts("RAIL", "+".join(self.leaders), *self.path)


class Assault(BoerWarOrder, frozen=True, kw_only=True):
    """An attack on the enemy in the same point, with all SP there: ``ASSAULT LAD``. guns: see Move."""

    FORMS = (
        Form(name="assault", pattern=f"(assault|sortie|sally) {AT_POINT}", example="ASSAULT LAD"),
        Form(
            name="assault-guns",
            pattern=f"(assault|sortie|sally) {AT_POINT} {GUNS}",
            example="ASSAULT LAD GUNS",
        ),
    )
    SET_BY_FORM = {"assault-guns": {"guns": True}}

    at: Point
    guns: bool = False

    def write(self) -> str:
        return _join_parts("ASSAULT", self.at, "GUNS" if self.guns else None)


class Siege(BoerWarOrder, frozen=True, kw_only=True):
    """An attempt to raise the level of a siege: ``SIEGE KIM``."""

    FORMS = (Form(name="siege", pattern=f"(siege|besiege|shell|bombard) {AT_POINT}", example="SIEGE KIM"),)

    at: Point


class Entrench(BoerWarOrder, frozen=True, kw_only=True):
    """An entrenchment of the force at a point: ``ENTRENCH COS``."""

    FORMS = (Form(name="entrench", pattern=f"(entrench|dig in) {AT_POINT}", example="ENTRENCH COS"),)

    at: Point


class Cut(BoerWarOrder, frozen=True, kw_only=True):
    """A cut of a railway link in Turns I and II: ``CUT ORS-MOD``."""

    FORMS = (
        Form(name="cut", pattern=f"{CUTS} {{k1:link}}", example="CUT ORS-MOD"),
        Form(
            name="cut",
            pattern=f"{CUTS} {LINK_ENDS}",
            example="cut the railway between Orange River and Modder River",
        ),
    )

    link: Link


class Raid(BoerWarOrder, frozen=True, kw_only=True):
    """A cut of a railway link in Turns III and IV: ``RAID BRA-KRO``.

    leader: the leader of the raiders, or None for the best one near the link.
    """

    FORMS = (
        Form(name="raid", pattern=f"{RAIDS} {{k1:link}}", example="RAID BRA-KRO"),
        Form(
            name="raid", pattern=f"{RAIDS} {LINK_ENDS}", example="raid the line from Brandfort to Kroonstad"
        ),
        Form(
            name="raid",
            pattern=f"{RAIDS} {LINK_ENDS} [(by|with|:)] {{l1:leader}}",
            example="RAID BRA-KRO DWT",
        ),
    )

    link: Link
    leader: LeaderId | None = None


class Repair(BoerWarOrder, frozen=True, kw_only=True):
    """A repair of one or two cuts: ``REPAIR ORS-MOD NAA-COL``."""

    FORMS = (
        Form(name="repair", pattern=f"{REPAIRS} {{k1:link}}", example="REPAIR ORS-MOD"),
        Form(name="repair", pattern=f"{REPAIRS} {links_pattern(2)}", example="REPAIR ORS-MOD NAA-COL"),
    )

    links: tuple[Link, ...]


class Reinforce(BoerWarOrder, frozen=True, kw_only=True):
    """SP from the pool: ``REINFORCE MET 2``, ``REINFORCE DUR 1`` (garrison), ``REINFORCE GAT ELN 1`` (box).

    In Turns III and IV the Boers recruit with it: ``REINFORCE DWT``.
    leader: the leader who gets the SP, or None for a garrison.
    at: the port of the garrison, or the port where a leader returns from the box.
    sp: the number of SP, or None for as many as possible.
    """

    FORMS = (
        Form(
            name="reinforce",
            pattern=f"{REINFORCES} {OF} {{l1:leader}} [{OF} {{p1:point}}] [{OF} {SP}]",
            example="REINFORCE MET 2",
        ),
        Form(
            name="reinforce",
            pattern=f"{REINFORCES} {SP} {OF} {{l1:leader}} [{OF} {{p1:point}}]",
            example="REINFORCE 2 SP for Methuen",
        ),
        Form(
            name="reinforce-garrison",
            pattern=f"{REINFORCES} {OF} {{p1:point}} [{OF} {SP}]",
            example="REINFORCE DUR 1",
        ),
    )

    leader: LeaderId | None = None
    at: Point | None = None
    sp: int | None = None


class Reorganize(BoerWarOrder, frozen=True, kw_only=True):
    """SP from the Scattered box: ``REORGANIZE BOT 2``.

    at: the point where a leader returns from the Reorganization box.
    sp: the number of SP, or None for as many as possible.
    """

    FORMS = (
        Form(
            name="reorganize",
            pattern=f"(reorganize|reorganise|reorg|rally) {OF} {{l1:leader}} [{OF} {{p1:point}}] [{OF} {SP}]",
            example="REORGANIZE BOT 2",
        ),
    )

    leader: LeaderId
    at: Point | None = None
    sp: int | None = None


class PlayEvent(BoerWarOrder, frozen=True, kw_only=True):
    """An event counter with its details: ``EVENT B02 OLI``.

    leaders: the leader who gets SP (E01, E03) or rides (E05, E10), the leaders of the drive (E11), and the
    leaders of B02, B03, B06, B07, B08, B09 and B12.
    points: the port of E01 and E03, the town of E04, E07 and B01, the path of E05, E10, B09 and B12, the goal
    of E11.
    links: the cuts that E08 repairs, then the link where it builds; the links that B08 cuts.
    """

    FORMS = (
        Form(name="event", pattern=EVENT, example="EVENT E02"),
        Form(name="event", pattern=f"{EVENT} {OF} {{l1:leader}}", example="EVENT B02 OLI"),
        Form(name="event", pattern=f"{EVENT} {OF} {{p1:point}}", example="EVENT E01 DUR"),
        Form(name="event", pattern=f"{EVENT} {OF} {LONE_MARCH}", example="EVENT E01 BUL DUR"),
        Form(name="event", pattern=f"{EVENT} {OF} {LEADERS}", example="EVENT B07 BOT DLR"),
        Form(
            name="event",
            pattern=f"{EVENT} {OF} {LEADERS} {FROM} {POINTS_PATH}",
            example="EVENT E05 FRE DUR PMB",
        ),
        Form(name="event", pattern=f"{EVENT} {OF} {POINTS_PATH}", example="EVENT B01 MAF"),
        Form(
            name="event",
            pattern=f"{EVENT} {OF} {{p1:point}} {OF} {LEADERS}",
            example="EVENT E11 REI ELL KNO RUN HUN",
        ),
        Form(name="event-links", pattern=f"{RAILWAY_EVENT} {OF} {{k1:link}}", example="EVENT E08 ORS-MOD"),
        Form(
            name="event-links",
            pattern=f"{RAILWAY_EVENT} {OF} {links_pattern(MAX_LINKS)}",
            example="EVENT E08 ORS-MOD KRO-VER",
        ),
        Form(
            name="event-links",
            pattern=f"{RAILWAY_EVENT} {OF} {{l1:leader}} {OF} {{k1:link}}",
            example="EVENT B08 DWT BRA-KRO",
        ),
        Form(
            name="event-links",
            pattern=f"{RAILWAY_EVENT} {OF} {{l1:leader}} {OF} {links_pattern(MAX_LINKS)}",
            example="EVENT B08 DWT BRA-KRO KRO-VER",
        ),
    )

    event: EventId
    leaders: tuple[LeaderId, ...] = ()
    points: tuple[Point, ...] = ()
    links: tuple[Link, ...] = ()

    def write(self) -> str:
        # The great drive (E11) names its goal first, other events leaders.
        drives = self.event == "E11" and len(self.points) == 1
        about = (*self.points, *self.leaders) if drives else (*self.leaders, *self.points)
        return _join_parts("EVENT", self.event, *about, *self.links)


class Drive(BoerWarOrder, frozen=True, kw_only=True):
    """An attack by up to three leaders on one point with Boers: ``DRIVE REI ELL KNO RUN``."""

    FORMS = (
        Form(
            name="drive",
            pattern="drive [on|at|to|against] {p1:point} [with|by|:] {l1:leader}",
            example="DRIVE REI ELL",
        ),
        Form(
            name="drive",
            pattern=f"drive [on|at|to|against] {{p1:point}} {OF} {LEADERS}",
            example="DRIVE REI ELL KNO RUN",
        ),
    )

    target: Point
    leaders: tuple[LeaderId, ...]


class Camp(BoerWarOrder, frozen=True, kw_only=True):
    """A concentration camp that is set up: ``CAMP KRO``."""

    FORMS = (
        Form(
            name="camp",
            pattern=f"(camp|build camp|set up camp|build a camp|set up a camp) {AT_POINT}",
            example="CAMP KRO",
        ),
    )

    at: Point


class Blockhouse(BoerWarOrder, frozen=True, kw_only=True):
    """A line of blockhouses along a railway link: ``BLOCKHOUSE KRO-VER``."""

    FORMS = (
        Form(name="blockhouse", pattern=f"{BLOCKHOUSES} {{k1:link}}", example="BLOCKHOUSE KRO-VER"),
        Form(
            name="blockhouse",
            pattern=f"{BLOCKHOUSES} {LINK_ENDS}",
            example="blockhouses from Kroonstad to Vereeniging",
        ),
    )

    link: Link


class Trek(BoerWarOrder, frozen=True, kw_only=True):
    """A move of one Boer leader in Turns III and IV: ``TREK DWT LIN REI FRK``. path: see Move."""

    FORMS = (
        Form(name="trek", pattern=f"{TREKS} {LONE_MARCH}", example="TREK DWT REI"),
        Form(
            name="trek", pattern=f"{TREKS} {{l1:leader}} {FROM} {POINTS_PATH}", example="TREK DWT LIN REI FRK"
        ),
        Form(
            name="trek",
            pattern=f"{{l1:leader}} (treks|rides) [from|to] {POINTS_PATH}",
            example="De Wet treks to Reitz",
        ),
    )

    leader: LeaderId
    path: tuple[Point, ...]


class Pass(BoerWarOrder, frozen=True, kw_only=True):
    """An action without effect: ``PASS``."""

    FORMS = (Form(name="pass", pattern="(pass|passes|do nothing)", example="PASS"),)


class Done(BoerWarOrder, frozen=True, kw_only=True):
    """The report that an action was carried out at the player's own table: ``DONE``."""

    FORMS = (Form(name="done", pattern="(done|action done|action carried out|carried out)", example="DONE"),)


class Stance(BoerWarOrder, frozen=True, kw_only=True):
    """A free order that stays in force: ``STANCE DLR STAND``, ``STANCE DLR SLIP``.

    slip: if true, the leader slips away from battles and evades skirmishes.
    """

    FORMS = (
        Form(
            name="stand",
            pattern="(stance {l1:leader} (stand|stands|fight|hold)|{l1:leader} (stands fast|stands))",
            example="STANCE DLR STAND",
        ),
        Form(
            name="slip",
            pattern="(stance {l1:leader} (slip|slips|evade|slip away)|{l1:leader} (slips away|evades))",
            example="STANCE DLR SLIP",
        ),
    )
    SET_BY_FORM = {"stand": {"slip": False}, "slip": {"slip": True}}

    leader: LeaderId
    slip: bool

    @property
    def slot(self) -> str:
        """The key that a later order replaces this one by: there is one stance for each leader."""
        return f"stance {self.leader}"

    def write(self) -> str:
        return _join_parts("STANCE", self.leader, "SLIP" if self.slip else "STAND")


class Transfer(BoerWarOrder, frozen=True, kw_only=True):
    """SP handed over within a point: ``TRANSFER BUL CLE 2``.

    It's free with a MOVE, RAIL or TREK in the same email.
    giver, taker: a leader, or None for the garrison of the point.
    """

    FORMS = (
        Form(
            name="transfer",
            pattern=f"(transfer|hand) {{l1:leader}} [to] {{l2:leader}} {SP}",
            example="TRANSFER BUL CLE 2",
        ),
        Form(
            name="transfer",
            pattern=f"(transfer|hand) {SP} [from] {{l1:leader}} [to] {{l2:leader}}",
            example="TRANSFER 2 SP from BUL to CLE",
        ),
        Form(
            name="leave",
            pattern=f"transfer {{l1:leader}} [to] [the] garrison {SP}",
            example="TRANSFER BUL GARRISON 1",
        ),
        Form(
            name="fetch",
            pattern=f"transfer [the] garrison [to] {{l1:leader}} {SP}",
            example="TRANSFER GARRISON BUL 1",
        ),
    )

    giver: LeaderId | None
    taker: LeaderId | None
    sp: int

    @classmethod
    def from_slots(cls, _view: View, form: str, slots: Mapping[str, str]) -> Self:
        first, second = LeaderId(slots["l1"]), LeaderId(slots["l2"]) if "l2" in slots else None
        giver, taker = (None, first) if form == "fetch" else (first, second)
        return cls(giver=giver, taker=taker, sp=int(slots["sp"]))

    @property
    def slot(self) -> str:
        """The key that a later order replaces this one by: there is one transfer for each pair."""
        return f"transfer {self.giver or 'garrison'} {self.taker or 'garrison'}"

    def write(self) -> str:
        return _join_parts("TRANSFER", self.giver or "GARRISON", self.taker or "GARRISON", self.sp)


class Garrison(BoerWarOrder, frozen=True, kw_only=True):
    """SP that a leader leaves behind: ``GARRISON ELL KRO 1``. It's free with a MOVE or RAIL of the leader."""

    FORMS = (
        Form(
            name="garrison",
            pattern=f"(garrison|leave) {{l1:leader}} {AT_POINT} [{OF} {SP}]",
            example="GARRISON ELL KRO 1",
        ),
        Form(
            name="garrison",
            pattern=f"garrison {AT_POINT} {OF} [{SP}] {OF} {{l1:leader}}",
            example="GARRISON KRO ELL",
        ),
    )

    leader: LeaderId
    at: Point
    sp: int = 1

    @property
    def slot(self) -> str:
        """The key that a later order replaces this one by: there is one for each leader and point."""
        return f"garrison {self.leader} {self.at}"


class Land(BoerWarOrder, frozen=True, kw_only=True):
    """The point where an Empire leader will arrive: ``LAND BUL DUR``. It's free and stays in force."""

    FORMS = (Form(name="land", pattern=f"(land|lands) {{l1:leader}} {AT_POINT}", example="LAND BUL DUR"),)

    leader: LeaderId
    at: Point

    @property
    def slot(self) -> str:
        """The key that a later order replaces this one by: there is one landing for each leader."""
        return f"land {self.leader}"


MarchOrder = Move | Rail | Trek
"""The orders that allow transfers in the same action."""

ActionOrder = (
    Move
    | Rail
    | Trek
    | Assault
    | Siege
    | Entrench
    | Cut
    | Raid
    | Repair
    | Reinforce
    | Reorganize
    | Drive
    | Camp
    | Blockhouse
    | Pass
    | Done
    | PlayEvent
)
"""The orders that use up an action, in the order in which their forms are tried."""

FreeOrder = Stance | Transfer | Garrison | Land
"""The orders that cost no action. They can go with an action or alone."""

AnyOrder = ActionOrder | FreeOrder


# Questions about SP, leaders and Command in a position.


def side_of(leader: LeaderId) -> Side:
    """Return the side of a leader."""
    return materials().leaders[leader].side


def leaders_of(state: State, side: Side) -> tuple[LeaderId, ...]:
    """Return the leaders of a side on the map, in the order of the data file."""
    return tuple(
        leader for leader in materials().leaders if leader in state.leaders and side_of(leader) == side
    )


def leaders_at(state: State, point: Point, side: Side) -> tuple[LeaderId, ...]:
    """Return the leaders of a side at a point, in the order of the data file."""
    here = [
        leader for leader, there in state.leaders.items() if there.at == point and side_of(leader) == side
    ]
    return in_box_order(here)


def in_box_order(leaders: list[LeaderId]) -> tuple[LeaderId, ...]:
    """Return leaders in the order of the data file."""
    if len(leaders) < 2:
        return tuple(leaders)
    return tuple(leader for leader in materials().leaders if leader in leaders)


def sp_at(state: State, point: Point, side: Side) -> int:
    """Return the SP of a side at a point, including the garrison."""
    garrison = state.garrisons.get(point, 0) if side == "empire" else 0
    return garrison + sum(
        there.sp for leader, there in state.leaders.items() if there.at == point and side_of(leader) == side
    )


def is_held(state: State, point: Point, side: Side) -> bool:
    """Return whether a side has any SP at a point."""
    if side == "empire" and point in state.garrisons:
        return True
    return any(there.at == point and side_of(leader) == side for leader, there in state.leaders.items())


def points_held(state: State, side: Side) -> frozenset[Point]:
    """Return the points where a side has any SP."""
    led = {there.at for leader, there in state.leaders.items() if side_of(leader) == side}
    return frozenset(led | set(state.garrisons) if side == "empire" else led)


def best_command(state: State, leaders: tuple[LeaderId, ...]) -> int:
    """Return the best Command among leaders, or the Command of a garrison if there are no leaders."""
    if not leaders:
        return state.box.numbers.battle.garrison_command
    return max(state.box.leaders[leader].command for leader in leaders)


def capacity(state: State, leader: LeaderId) -> int:
    """Return the number of SP that a leader can lead. Boers have another limit in the guerrilla war."""
    own = state.box.leaders[leader]
    if state.is_guerrilla and own.side == "boers":
        return state.box.numbers.moving.commando
    return own.capacity


def spare_capacity(state: State, leader: LeaderId) -> int:
    """Return the number of further SP that a leader on the map can lead."""
    return max(0, capacity(state, leader) - state.leaders[leader].sp)


def move_allowance(state: State, leader: LeaderId) -> int:
    """Return the number of links that a leader can move. Boers have another limit in the guerrilla war."""
    own = state.box.leaders[leader]
    if state.is_guerrilla and own.side == "boers":
        return state.box.numbers.moving.trek
    return own.move


def is_besieged(state: State, leader: LeaderId) -> bool:
    """Return whether a leader on the map is besieged in a town."""
    return side_of(leader) == "empire" and state.leaders[leader].at in state.sieges


def is_besieging(state: State, point: Point) -> bool:
    """Return whether the Boers at a point besiege it."""
    return point in state.sieges


def retreat_point(
    state: State, point: Point, side: Side, barred: frozenset[Point], *, own_only: bool = False
) -> Point | None:
    """Return the neighbour that leaders of a side retreat to, or None if there is no way out.

    It has no enemy SP and isn't among the barred points. Points under the side's own control come first, then
    the one with most own SP, then the first by code. own_only: if true, only points under the side's control
    are possible. Source: ruling 9.2 (retreat).
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


# The exception for an illegal order. `legality` turns it into an Objection.


class IllegalOrder(Exception):
    """An order that the rules forbid, with the code of its sentence and the values for it.

    near: the names that would be possible in the order instead.
    """

    def __init__(self, code: str, near: Iterable[str] = (), **detail: object) -> None:
        super().__init__(code)
        self.code = code
        self.detail = {key: str(value) for key, value in detail.items()}
        if names := " ".join(near):
            self.detail["near"] = names

    @property
    def objection(self) -> Objection:
        """The objection to the order."""
        return Objection(code=self.code, detail=self.detail)


def require_unused(state: State, what: str, code: str, at: str = "") -> None:
    """Raise IllegalOrder if something that is allowed once a round was done before. Source: ruling 6.3."""
    if what in state.used:
        raise IllegalOrder(code, at=at)
