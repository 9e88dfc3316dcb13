"""Standing instructions: what the U.S. player has said in advance of choices amid a turn.

One row of TOPICS for each: what it decides, how it is said, and what holds while nothing was said.
"""

from collections.abc import Mapping, Sequence

from games.plains_indian_wars.components import Scenario
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import SOLDIERS, TRIBES, Colour, Instruction, Region, State, Topic
from games.record import Value

NEVER = "0"
TRIBES_LEAVE, WE_LEAVE = "tribes", "US"
FEWER = "fewer"
OREGON, CALIFORNIA = "Oregon", "California"

LOSE: tuple[Colour, ...] = ("Brown", "Purple", "Blue")
"""Who falls first among colours equally numerous, while nothing else was said."""

MOST_FIRST = 4
"""So many regions one instruction about the order of engagements may name."""


MOST_WITHDRAW = 99
"""Withdrawing at more cubes than this is said by no number."""

_NUMBERS = tuple(str(n) for n in range(1, 13))
"""How many wagons may be told to part from the others at the fork."""


class Row(Value, frozen=True):
    """A topic: what it is about, what holds without it, and what is asked."""

    asks: str
    default: str


TOPICS: Mapping[Topic, Row] = {
    "fight": Row("in which regions engagements are fought first", "in the order of the board"),
    "withdraw": Row("when cubes of a colour withdraw on blanks", "never"),
    "lose": Row(
        "which colour falls first when several are equally numerous", "Brown, then Purple, then Blue"
    ),
    "sit out": Row("who sits out where Brown and Purple stand together", "whoever is fewer, Purple if equal"),
    "equal": Row("who leaves after a treaty between equals", "the tribes"),
    "trail": Row("which way wagons take after South Pass", "by Oregon, the shorter one"),
    "custer": Row("where Custer rides if several regions would do", "the first of them on the board"),
    "fall back": Row("whither U.S. cubes go that leave a region", "where most of ours are, else to a city"),
    "drive": Row(
        "whither tribe cubes go that a treaty sends away",
        "away from key locations and trails, and where fewest of them are",
    ),
}

NATIONS_TOPICS: Mapping[Topic, Row] = {
    "fight": TOPICS["fight"],
    "withdraw": Row("when cubes of a tribe withdraw on blanks", "never"),
    "fall back": Row("whither cubes go that withdraw from a region", "where most of their tribe are"),
    "strike": Row("which troopers fall first among equals", "Blue, then Brown, then White"),
}
"""The same for the nations in Variant II; the last where columns ride."""


def topics(scenario: Scenario) -> Mapping[Topic, Row]:
    """What may be said in a scenario."""
    if scenario.plays == "US":
        return TOPICS
    return {one: row for one, row in NATIONS_TOPICS.items() if one != "strike" or scenario.campaign}


def said(play: Play, topic: Topic, about: str = "") -> tuple[str, ...]:
    """What was said of a topic; () while nothing was."""
    return play.now.standing.get(f"{topic} {about}".strip(), ())


def with_instruction(state: State, order: Instruction) -> dict[str, tuple[str, ...]]:
    """The standing instructions with one more, in the order of their slots."""
    return dict(sorted({**state.standing, order.slot: order.says}.items()))


def in_order(play: Play, regions: Sequence[Region]) -> tuple[Region, ...]:
    """Engagements in the order in which the U.S. player wants them. Source: PIW1.engage.2."""
    first = [Region(one) for one in said(play, "fight")]
    rank = {region: place for place, region in enumerate(first)}
    return tuple(sorted(regions, key=lambda region: rank.get(region, len(rank))))


def withdraws_at(play: Play, colour: Colour) -> int:
    """At how many cubes left a colour withdraws on blanks; 0: never."""
    return int((said(play, "withdraw", colour) or (NEVER,))[0])


def first_to_fall(play: Play, colours: Sequence[Colour]) -> Colour:
    """Which of some equally numerous colours loses a cube."""
    order = said(play, "lose") or LOSE
    return min(colours, key=order.index)


def falls_first(play: Play) -> tuple[Colour, ...]:
    """The order in which U.S. colours fall among equals in Variant II; troopers as the player said."""
    wanted = said(play, "strike")
    fighters = play.scenario.fighters
    named = [colour for one in wanted for colour in fighters if colour == one]
    return tuple(dict.fromkeys((*named, *fighters)))


def sits_out(play: Play, region: Region) -> Colour:
    """Which of Brown and Purple does not fight where both stand."""
    wanted = (said(play, "sit out") or (FEWER,))[0]
    if wanted == "Brown" or (wanted == FEWER and play.count(region, "Brown") < play.count(region, "Purple")):
        return "Brown"
    return "Purple"


def tribes_leave_between_equals(play: Play) -> bool:
    """Who goes after a treaty when both sides have as many cubes."""
    return (said(play, "equal") or (TRIBES_LEAVE,))[0] == TRIBES_LEAVE


def branch(play: Play) -> tuple[str, int]:
    """Which way wagons take at the fork, how many of one region at most (0: all); others part."""
    way, *most = said(play, "trail") or (OREGON,)
    return way, int(most[0]) if most else 0


def for_custer(play: Play, tied: Sequence[Region]) -> Region:
    """Where Custer rides, of regions that are equal."""
    wanted = (said(play, "custer") or ("",))[0]
    return Region(wanted) if wanted in tied else tied[0]


def fall_backs(play: Play, start: Region, colour: Colour) -> tuple[Region, ...]:
    """Where U.S. cubes that leave an engagement may go, the best first. Source: PIW1.engage.treaty.where."""
    found = [region for region in play.board.ways[start] if may_shelter(play, region, colour)]
    wanted = (said(play, "fall back", start) or ("",))[0]

    def rank(region: Region) -> tuple[bool, int, bool]:
        return (region != wanted, -play.us(region), not play.board.is_city(region))

    return tuple(sorted(found, key=rank))


def may_shelter(play: Play, region: Region, colour: Colour) -> bool:
    """Whether one cube of a U.S. colour may end a retreat there: its own side's, or empty, with room."""
    if not play.board.may_enter(colour, region) or play.tribes(region) or play.room(region) < 1:
        return False
    return may_mingle(play, region, (colour,))


def may_mingle(play: Play, region: Region, colours: Sequence[Colour]) -> bool:
    """Whether cubes may join those in a region: Brown and Purple share one only with Blue."""
    there = {colour for colour in SOLDIERS if play.count(region, colour)} | set(colours)
    return not {"Brown", "Purple"} <= there or "Blue" in there or play.board.is_city(region)


def drives(play: Play, start: Region, colour: Colour) -> tuple[Region, ...]:
    """Where tribe cubes that a treaty sends away may go, best for the U.S. first."""
    found = [
        region
        for region in play.board.near[start]
        if play.board.may_enter(colour, region)
        and not play.us(region)
        and play.tribes(region) < play.limit(region)
        and play.tribe(region) in (None, colour)
    ]
    wanted = (said(play, "drive", start) or ("",))[0]

    def rank(region: Region) -> tuple[bool, bool, bool, int]:
        place = play.board.places[region]
        return (region != wanted, bool(place.key), region in play.board.steps, play.tribes(region))

    return tuple(sorted(found, key=rank))


def may_say(play: Play, order: Instruction) -> str | None:
    """None if an instruction can be followed; else what might be said, as ids separated by spaces."""
    if order.topic == "custer" and play.now.tied:
        return None if order.says[0] in play.now.tied else " ".join(play.now.tied)
    if order.topic == "custer":
        return None if order.says[0] in play.board.zone("N") else " ".join(play.board.zone("N"))
    if order.topic == "fall back":
        ways = play.board.ways[Region(order.about)]
        return None if order.says[0] in ways else " ".join(ways)
    if order.topic == "drive":
        ways = _roads_of_tribes(play, Region(order.about))
        return None if order.says[0] in ways else " ".join(ways)
    if order.topic == "fight":
        return None if len(set(order.says)) == len(order.says) else " ".join(dict.fromkeys(order.says))
    return None


def is_sayable(play: Play, order: Instruction) -> bool:
    """Whether an instruction that no letter brought says what can be said of its topic."""
    about, said = order.about, set(order.says)
    regions, soldiers = set(map(str, play.board.places)), set(map(str, play.scenario.fighters))
    told: Mapping[Topic, tuple[set[str], set[str]]] = {
        "fight": ({""}, regions),
        "withdraw": ({*SOLDIERS, *TRIBES}, {str(n) for n in range(MOST_WITHDRAW + 1)}),
        "lose": ({""}, set(SOLDIERS)),
        "sit out": ({""}, {"Brown", "Purple", FEWER}),
        "equal": ({""}, {TRIBES_LEAVE, WE_LEAVE}),
        "trail": ({""}, {OREGON, CALIFORNIA, *_NUMBERS}),
        "custer": ({""}, regions),
        "fall back": (regions, regions),
        "drive": (regions, regions),
        "strike": ({""}, soldiers),
    }
    of, words = told[order.topic]
    if about not in of or not said or not said <= words:
        return False
    if order.topic == "trail" and [one in _NUMBERS for one in order.says] not in ([False], [False, True]):
        return False
    whole = order.topic != "lose" or said == words
    return whole and len(said) == len(order.says) and may_say(play, order) is None


def _roads_of_tribes(play: Play, start: Region) -> tuple[Region, ...]:
    """The neighbours of a region that a tribe which may stand in it may enter."""
    colours = [colour for colour in TRIBES if play.board.may_enter(colour, start)]
    return tuple(
        region
        for region in play.board.near[start]
        if any(play.board.may_enter(colour, region) for colour in colours)
    )
