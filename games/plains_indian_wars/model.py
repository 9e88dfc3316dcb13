"""The types of Plains Indian Wars: regions, cubes, cards, the state and the orders. No rules are here.

A region's id is its number ("N3", "SE6").
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NewType, Self

from games.order_kinds import OrderKind
from games.protocol import Form, Seat
from games.record import Record

Region = NewType("Region", str)
CardId = NewType("CardId", str)

Colour = Literal["Green", "Orange", "Blue", "Brown", "Purple", "White", "Black"]
"""The northern and southern tribes, cavalry, settlers, enemies of the tribes, wagons and the railroad."""

DeckName = Literal["Cavalry", "Settlers", "Northern", "Southern"]
Face = Literal["hit", "blank", "treaty"]
Belt = Literal["north", "south"]
Line = Literal["union", "central"]

US_SEAT = Seat("US")
"""The seat of Blue, Brown, Purple, White and Black. In Variant II rules and dice control them."""

NATIONS_SEAT = Seat("Nations")
"""The seat of Green and Orange in Variant II. In Variant I rules and dice control them."""

CUBE_COLOURS: tuple[Colour, ...] = ("Green", "Orange", "Blue", "Brown", "Purple", "White", "Black")
TRIBES: tuple[Colour, ...] = ("Green", "Orange")
SOLDIERS: tuple[Colour, ...] = ("Blue", "Brown", "Purple")
"""The fighting colours of the U.S. side."""

ALL_CUBES = 99
"""The count in a move for all cubes of a colour that can still move."""

Topic = Literal[
    "fight", "withdraw", "lose", "sit out", "equal", "trail", "custer", "fall back", "drive", "strike"
]
"""The topics of standing instructions."""

NEVER = "0"
TRIBES_LEAVE, WE_LEAVE = "tribes", "US"
FEWER = "fewer"
OREGON, CALIFORNIA = "Oregon", "California"

DEFAULT_LOSS_ORDER: tuple[Colour, ...] = ("Brown", "Purple", "Blue")
"""The order in which equally numerous colours lose cubes without an instruction."""


class CavalryColumn(Record, frozen=True, kw_only=True):
    """A column of cavalry: its region and the cubes that are left of it."""

    at: Region
    cubes: dict[Colour, int]


class State(Record, frozen=True, kw_only=True):
    """A whole position.

    turn: its number, 0 during the set-up; bag: the discs that weren't drawn yet; disc: the disc with orders
    due (None during the set-up); cubes: the cubes by region and colour, without zeros; ready, fallen: the
    Ready Boxes and the Casualty Boxes; union, mountains, central: the spaces that are built of each line;
    hands, decks, played: the cards of each deck, in the order of their numbers (cards are drawn at random, so
    a deck has no order); lost, through: the wagons that fell and the wagons that arrived; custer: whether
    Custer's force was wiped out; quiet: the regions without engagements until the end of the turn; circled:
    the number of dice that defend wagons until then (0 for the usual number); standing: the standing
    instructions by slot; tied: the regions from which the player chooses one for Custer; last: why this turn
    is the last one; ended: whether the game is over.

    Variant II. trains: the region of each wagon train on its way; arrived: the wagons that got through, by
    trail; parties: the section (from 0) of each line's workers and escorts; columns: the columns that are
    left (cubes doesn't include their cubes); gone: the cubes that are out of the game.
    """

    options: dict[str, str | int | bool]
    turn: int = 0
    bag: tuple[Colour, ...] = ()
    disc: Colour | None = None
    cubes: dict[Region, dict[Colour, int]] = {}
    ready: dict[Colour, int] = {}
    fallen: dict[Colour, int] = {}
    union: int = 0
    mountains: int = 0
    central: int = 0
    hands: dict[DeckName, tuple[CardId, ...]] = {}
    decks: dict[DeckName, tuple[CardId, ...]] = {}
    played: dict[DeckName, tuple[CardId, ...]] = {}
    lost: int = 0
    through: int = 0
    custer: bool = False
    quiet: tuple[Region, ...] = ()
    circled: int = 0
    standing: dict[str, tuple[str, ...]] = {}
    tied: tuple[Region, ...] = ()
    last: str | None = None
    ended: bool = False
    trains: dict[Belt, Region] = {}
    arrived: dict[Belt, int] = {}
    parties: dict[Line, int] = {}
    columns: dict[Colour, CavalryColumn] = {}
    gone: dict[Colour, int] = {}


if TYPE_CHECKING:

    class View(State, frozen=True, kw_only=True):
        """A state as one seat, or an observer, may know it. Only `Rules.view` makes one."""
else:
    View = State  # only type checkers tell them apart


_MOVE = "(move|send|march|ride)"
_FROM_TO = "(from|) {start:region} (-|to|into|for) {to:region}"
_CUBES = "(cube|cubes|)"
_AT = f"{_CUBES} (in|at|on|) {{at:region}}"


def _sequence_pattern(sort: str, count: int) -> str:
    """Return the pattern of several names of a sort, "N8 then N3", in the slots a, b, c and d."""
    separator = " (then|and then|and|, then|, and|,|) "
    return separator.join(f"{{{slot}:{sort}}}" for slot in "abcd"[:count])


class PlainsOrder(OrderKind, frozen=True, kw_only=True):
    """An order, by default made of the slots of a form that have the names of its fields."""

    @classmethod
    def from_slots(cls, _view: View, _form: str, slots: Mapping[str, Any]) -> Self:
        return cls(**slots)

    def tribe(self, _play: Any) -> Colour | None:
        """Return the tribe of an order of Variant II by its colour or card; None without a tribe."""
        return None


class Begin(PlainsOrder, frozen=True, kw_only=True):
    """``begin``: the game begins with its first disc."""

    FORMS = (
        Form(
            name="begin", pattern="(begin|begin the game|start|start the game|let us begin)", example="begin"
        ),
    )

    @property
    def slot(self) -> str:
        return "begin"

    def write(self) -> str:
        return "begin"


class CardOrder(PlainsOrder, frozen=True, kw_only=True):
    """An order about a card of the hand."""

    card: CardId

    @property
    def slot(self) -> str:
        return card_slot(self.card)

    def tribe(self, play: Any) -> Colour | None:
        colour: Colour = play.materials.decks[play.materials.deck_of[self.card]].colour
        return colour

    def write(self) -> str:
        return self.write_with(self.card)

    def write_with(self, name: str) -> str:
        """Return the canonical text with a name for the card."""
        return f"play {name}"


class PlayAction(CardOrder, frozen=True, kw_only=True):
    """``play Fort Laramie``: the action card of the phase; in Variant II there is one for each tribe."""

    FORMS = (Form(name="play", pattern="(play|use) {card:action}", example="play Fort Laramie"),)


class PlayEvent(CardOrder, frozen=True, kw_only=True):
    """``play Nelson Miles in N5``: an Event card, with its region if it needs one.

    to: the region that a force attacks from there: ``play Crazy Horse in N3 against N4``.
    """

    FORMS = (
        Form(name="event", pattern="(play|use) {card:event}", example="play Circle the Wagons"),
        Form(
            name="event",
            pattern="(play|use) {card:event} (in|at|on|against|from|) {at:region}",
            example="play Nelson Miles in N3",
        ),
        Form(
            name="event",
            pattern="(play|use) {card:event} (in|at|on|with|from|) {at:region} "
            "(against|on|at|to|-) {to:region}",
            example="play Nelson Miles in N3 against N4",
        ),
    )

    at: Region | None = None
    to: Region | None = None

    @property
    def slot(self) -> str:
        return f"event {self.card}"

    def write_with(self, name: str) -> str:
        where = f" in {self.at}" + (f" against {self.to}" if self.to else "") if self.at else ""
        return f"play {name}{where}"


class Discard(CardOrder, frozen=True, kw_only=True):
    """``discard Gatling Guns``: an Event is discarded if no action card is left in hand and deck."""

    FORMS = (
        Form(
            name="discard",
            pattern="(discard|give up|throw away) {card:event}",
            example="discard Gatling Guns",
        ),
    )

    def write_with(self, name: str) -> str:
        return f"discard {name}"


class Place(PlainsOrder, frozen=True, kw_only=True):
    """``place 3 Blue STL``: cubes of the disc's colour are placed."""

    FORMS = (
        Form(
            name="place",
            pattern=f"(place|put|add) {{count:number}} {{colour:colour}} {_AT}",
            example="place 3 Blue STL",
        ),
        Form(name="place", pattern=f"(place|put|add) {{count:number}} {_AT}", example="place 3 at St. Louis"),
        Form(
            name="place",
            pattern=f"(place|put|add) (a|) {{colour:colour}} {_AT}",
            example="place a Purple cube in NE4",
        ),
    )

    count: int
    colour: Colour
    at: Region

    @classmethod
    def from_slots(cls, _view: View, _form: str, slots: Mapping[str, Any]) -> Self:
        return cls(count=int(slots.get("count", "1")), colour=slots["colour"], at=slots["at"])

    @property
    def slot(self) -> str:
        return f"place {belt_of(self.at) or self.at}"

    def tribe(self, _play: Any) -> Colour | None:
        return self.colour

    def write(self) -> str:
        return f"place {self.count} {self.colour} {self.at}"


class NoPlace(PlainsOrder, frozen=True, kw_only=True):
    """``no cube north``: no Purple cube is placed in that belt."""

    FORMS = (
        Form(
            name="no-cube",
            pattern="(no|no purple|no more) (cube|cubes|) (in the|in|for the|) {belt:belt}",
            example="no cube north",
        ),
    )

    belt: Belt

    @property
    def slot(self) -> str:
        return f"place {self.belt}"

    def write(self) -> str:
        return f"no cube {self.belt}"


class Move(PlainsOrder, frozen=True, kw_only=True):
    """``move 2 Blue 3 Brown N5 - N3``: a group moves. cubes: numbers by colour, or ALL_CUBES."""

    FORMS = (
        Form(
            name="move",
            pattern=f"{_MOVE} {{first:number|all}} {{one:colour}} {_CUBES} {_FROM_TO}",
            example="move 2 Blue N5 - N3",
        ),
        Form(
            name="move",
            pattern=f"{_MOVE} {{first:number|all}} {{one:colour}} {_CUBES} (and|with|+|,|) "
            f"{{second:number|all}} {{other:colour}} {_CUBES} {_FROM_TO}",
            example="move 2 Blue and 3 Brown from Omaha to Cheyenne",
        ),
        Form(name="move", pattern=f"{_MOVE} {_FROM_TO}", example="move N5 - N3"),
    )

    cubes: dict[Colour, int]
    start: Region
    to: Region

    @classmethod
    def from_slots(cls, _view: View, _form: str, slots: Mapping[str, Any]) -> Self:
        """Return the order. Without numbers, all cubes of one colour move."""
        counts = {
            slots[colour]: ALL_CUBES if slots[number] == "all" else int(slots[number])
            for number, colour in (("first", "one"), ("second", "other"))
            if colour in slots
        } or {slots["colour"]: ALL_CUBES}
        cubes = {colour: counts[colour] for colour in CUBE_COLOURS if colour in counts}
        return cls(cubes=cubes, start=slots["start"], to=slots["to"])

    @property
    def slot(self) -> str:
        return f"move {self.start} {self.to}"

    def tribe(self, _play: Any) -> Colour | None:
        return next(iter(self.cubes), None)

    def write(self) -> str:
        cubes = " ".join(f"{'all' if n == ALL_CUBES else n} {colour}" for colour, n in self.cubes.items())
        return f"move {cubes} {self.start} - {self.to}"


class Recover(PlainsOrder, frozen=True, kw_only=True):
    """``recover``: one activation brings the Casualty Box back to the Ready Box.

    colour: the colour of the boxes; None for the colour of the disc.
    """

    FORMS = (
        Form(
            name="recover",
            pattern="(recover|recover casualties|recover the casualties|bring back casualties"
            "|bring casualties back)",
            example="recover",
        ),
        Form(name="recover", pattern="recover {colour:colour} [casualties]", example="recover Blue"),
    )

    colour: Colour | None = None

    @classmethod
    def from_slots(cls, view: View, _form: str, slots: Mapping[str, Any]) -> Self:
        colour = slots.get("colour")
        return cls(colour=None if colour == view.disc else colour)

    @property
    def slot(self) -> str:
        return self.write()

    def tribe(self, play: Any) -> Colour | None:
        tribes = play.scenario.tribes
        return self.colour or (tribes[0] if len(tribes) == 1 else play.now.disc)

    def write(self) -> str:
        return f"recover {self.colour or ''}".strip()


class Instruction(PlainsOrder, frozen=True, kw_only=True):
    """A standing instruction: the answer to a question of the rules in the middle of a turn.

    It applies until another one replaces it. about: a colour or a region, if the topic has one; says: the
    answer, in the words above.
    """

    FORMS = (
        Form(
            name="fight-first",
            pattern="(fight|engage) (first|) (in|at|) {a:region} [first]",
            example="fight N8 first",
        ),
        *(
            Form(
                name="fight-first",
                pattern=f"(fight|engage) (in|at|) {_sequence_pattern('region', count)}",
                example="fight " + " then ".join(("N8", "N3", "S4", "NE1")[:count]),
            )
            for count in (2, 3, 4)
        ),
        Form(
            name="withdraw",
            pattern=f"withdraw {{colour:colour}} {_CUBES} (at|when|on|from|) {{count:number}} "
            "(or fewer|or less|left|)",
            example="withdraw Blue at 2",
        ),
        Form(name="stay", pattern="withdraw {colour:colour} never", example="withdraw Blue never"),
        Form(name="stay", pattern="never withdraw {colour:colour}", example="never withdraw Blue"),
        Form(
            name="lose",
            pattern=f"lose {_sequence_pattern('colour', 3)}",
            example="lose Brown then Purple then Blue",
        ),
        Form(name="lose", pattern="lose {a:colour} first", example="lose Brown first"),
        Form(name="sit-out", pattern="sit out {who:sitter}", example="sit out Brown"),
        Form(name="sit-out", pattern="{who:sitter} (sits|sit) out", example="Purple sits out"),
        Form(
            name="equals",
            pattern="between equals {side:side} (leave|leaves|leaving)",
            example="between equals tribes leave",
        ),
        Form(
            name="wagons",
            pattern="(wagon|wagons) (by|take|via|go by|to) {branch:branch}",
            example="wagons by Oregon",
        ),
        Form(
            name="wagons",
            pattern="{count:number} (wagon|wagons) (by|take|takes|via|go by|goes by|to) {branch:branch}",
            example="1 wagon by Oregon",
        ),
        Form(
            name="custer", pattern="custer (in|at|to|rides to|goes to|) {at:region}", example="Custer in N3"
        ),
        Form(name="strike", pattern="strike {a:column} first", example="strike Blue first"),
        Form(
            name="strike",
            pattern=f"strike {_sequence_pattern('column', 2)}",
            example="strike Blue then Brown",
        ),
        Form(
            name="strike",
            pattern=f"strike {_sequence_pattern('column', 3)}",
            example="strike Blue then Brown then White",
        ),
        Form(name="fall-back", pattern=f"fall back {_FROM_TO}", example="fall back N3 - N2"),
        Form(name="drive", pattern=f"drive (tribes|the tribes|them|) {_FROM_TO}", example="drive N3 - N7"),
    )

    topic: Topic
    about: str = ""
    says: tuple[str, ...]

    @classmethod
    def from_slots(cls, _view: View, form: str, slots: Mapping[str, Any]) -> Self:
        topic, about, places = _INSTRUCTION_SLOTS[form]
        says = tuple(slots[place] for place in places if place in slots)
        if form == "lose":
            says = tuple(dict.fromkeys((*says, *DEFAULT_LOSS_ORDER)))
        return cls(topic=topic, about=slots.get(about, ""), says=says or (NEVER,))

    @property
    def slot(self) -> str:
        return f"{self.topic} {self.about}".strip()

    def write(self) -> str:
        answer, in_turn, alone = self.says[0], " then ".join(self.says), " first" * (len(self.says) == 1)
        wagons = (*self.says[1:], "wagon" if self.says[1:] == ("1",) else "wagons")
        texts: Mapping[Topic, str] = {
            "fight": f"fight {in_turn}{alone}",
            "withdraw": f"withdraw {self.about} " + ("never" if answer == NEVER else f"at {answer}"),
            "lose": f"lose {in_turn}",
            "sit out": f"sit out {answer}",
            "equal": f"between equals {'tribes' if answer == TRIBES_LEAVE else 'we'} leave",
            "trail": f"{' '.join(wagons)} by {answer}",
            "custer": f"Custer in {answer}",
            "fall back": f"fall back {self.about} - {answer}",
            "drive": f"drive {self.about} - {answer}",
            "strike": f"strike {in_turn}{alone}",
        }
        return texts[self.topic]


_INSTRUCTION_SLOTS: Mapping[str, tuple[Topic, str, tuple[str, ...]]] = {
    "fight-first": ("fight", "", ("a", "b", "c", "d")),
    "withdraw": ("withdraw", "colour", ("count",)),
    "stay": ("withdraw", "colour", ()),
    "lose": ("lose", "", ("a", "b", "c")),
    "sit-out": ("sit out", "", ("who",)),
    "equals": ("equal", "", ("side",)),
    "wagons": ("trail", "", ("branch", "count")),
    "custer": ("custer", "", ("at",)),
    "strike": ("strike", "", ("a", "b", "c")),
    "fall-back": ("fall back", "start", ("to",)),
    "drive": ("drive", "start", ("to",)),
}
"""The topic of each form of an instruction, the slot for `about`, and the slots for `says`."""


AnyOrder = Begin | PlayAction | PlayEvent | Discard | Place | NoPlace | Move | Recover | Instruction


def card_slot(card: CardId) -> str:
    """Return the slot of an action card: one for the phase, or in Variant II one for each tribe."""
    return {"NPT": "card north", "SPT": "card south"}.get(card[:3], "card")


def belt_of(region: Region) -> Belt | None:
    """Return the Purple belt of a region, including Canada and Mexico; None for other regions."""
    return "north" if region.startswith("NE") else "south" if region.startswith("SE") else None
