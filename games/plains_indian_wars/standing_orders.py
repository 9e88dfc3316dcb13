"""Standing instructions: the player's answers to questions of the rules in the middle of a turn.

Each topic has a default, which applies without an instruction.
"""

from collections.abc import Mapping, Sequence

from games.plains_indian_wars import model
from games.plains_indian_wars.components import Scenario
from games.plains_indian_wars.model import FEWER, SOLDIERS, TRIBES, Colour, Instruction, Region, Topic
from games.plains_indian_wars.working_state import WorkingState

MAX_FIRST_ENGAGEMENTS = 4
"""The most regions in an instruction about the order of engagements."""


MAX_WITHDRAW_CUBES = 99
"""The largest number of cubes in an instruction about withdrawing."""

_WAGON_NUMBERS = tuple(str(n) for n in range(1, 13))
"""The numbers of wagons in an instruction about the fork."""


US_TOPICS: tuple[Topic, ...] = (
    *("fight", "withdraw", "lose", "sit out", "equal"),
    *("trail", "custer", "fall back", "drive"),
)
NATIONS_TOPICS: tuple[Topic, ...] = ("fight", "withdraw", "fall back", "strike")
"""The topics for the nations in Variant II; "strike" is only for scenarios with columns."""


def topics(scenario: Scenario) -> tuple[Topic, ...]:
    """Return the topics of a scenario."""
    if scenario.plays == "US":
        return US_TOPICS
    return tuple(topic for topic in NATIONS_TOPICS if topic != "strike" or scenario.campaign)


def instruction_on(play: WorkingState, topic: Topic, about: str = "") -> tuple[str, ...]:
    """Return the instruction on a topic; () without one."""
    return play.now.standing.get(f"{topic} {about}".strip(), ())


def engagement_order(play: WorkingState, regions: Sequence[Region]) -> tuple[Region, ...]:
    """Return the regions of engagements in the order of the instructions. Source: PIW1.engage.2."""
    first = [Region(region_id) for region_id in instruction_on(play, "fight")]
    rank = {region: place for place, region in enumerate(first)}
    return tuple(sorted(regions, key=lambda region: rank.get(region, len(rank))))


def withdraws_at(play: WorkingState, colour: Colour) -> int:
    """Return the number of cubes left at which a colour withdraws on blanks; 0 for never."""
    return int((instruction_on(play, "withdraw", colour) or (model.NEVER,))[0])


def first_to_fall(play: WorkingState, colours: Sequence[Colour]) -> Colour:
    """Return the colour that loses a cube, of equally numerous ones."""
    order = instruction_on(play, "lose") or model.DEFAULT_LOSS_ORDER
    return min(colours, key=order.index)


def fall_order(play: WorkingState) -> tuple[Colour, ...]:
    """Return the order in which equally numerous U.S. colours lose cubes in Variant II.

    The player's instruction about troopers comes first.
    """
    wanted = instruction_on(play, "strike")
    fighters = play.scenario.fighters
    named = [colour for name in wanted for colour in fighters if colour == name]
    return tuple(dict.fromkeys((*named, *fighters)))


def colour_sitting_out(play: WorkingState, region: Region) -> Colour:
    """Return the colour that sits out of an engagement in a region with Brown and Purple."""
    wanted = (instruction_on(play, "sit out") or (FEWER,))[0]
    if wanted == "Brown" or (wanted == FEWER and play.count(region, "Brown") < play.count(region, "Purple")):
        return "Brown"
    return "Purple"


def tribes_leave_between_equals(play: WorkingState) -> bool:
    """Return whether the tribes leave after a treaty if both sides have equally many cubes."""
    return (instruction_on(play, "equal") or (model.TRIBES_LEAVE,))[0] == model.TRIBES_LEAVE


def wagon_branch(play: WorkingState) -> tuple[str, int]:
    """Return the branch that wagons take at the fork, and how many of them (0 for all).

    The others take the other branch.
    """
    way, *most = instruction_on(play, "trail") or (model.OREGON,)
    return way, int(most[0]) if most else 0


def custer_region(play: WorkingState, tied: Sequence[Region]) -> Region:
    """Return the region where Custer rides, of equally good ones."""
    wanted = (instruction_on(play, "custer") or ("",))[0]
    return Region(wanted) if wanted in tied else tied[0]


def retreat_regions(play: WorkingState, start: Region, colour: Colour) -> tuple[Region, ...]:
    """Return the regions where U.S. cubes that leave an engagement may go, the best first.

    Source: PIW1.engage.treaty.where.
    """
    regions = [region for region in play.board.ways[start] if may_shelter(play, region, colour)]
    wanted = (instruction_on(play, "fall back", start) or ("",))[0]

    def rank(region: Region) -> tuple[bool, int, bool]:
        return (region != wanted, -play.us_cubes(region), not play.board.is_city(region))

    return tuple(sorted(regions, key=rank))


def may_shelter(play: WorkingState, region: Region, colour: Colour) -> bool:
    """Return whether a U.S. cube may retreat to a region: without tribes, and with room."""
    if not play.board.may_enter(colour, region) or play.tribe_cubes(region) or play.us_room(region) < 1:
        return False
    return may_mingle(play, region, (colour,))


def may_mingle(play: WorkingState, region: Region, colours: Sequence[Colour]) -> bool:
    """Return whether cubes may join those in a region. Brown and Purple only share one with Blue."""
    there = {colour for colour in SOLDIERS if play.count(region, colour)} | set(colours)
    return not {"Brown", "Purple"} <= there or "Blue" in there or play.board.is_city(region)


def drive_regions(play: WorkingState, start: Region, colour: Colour) -> tuple[Region, ...]:
    """Return the regions where a treaty may send tribe cubes, the best for the U.S. first."""
    regions = [
        region
        for region in play.board.near[start]
        if play.board.may_enter(colour, region)
        and not play.us_cubes(region)
        and play.tribe_cubes(region) < play.tribe_limit(region)
        and play.tribe_in(region) in (None, colour)
    ]
    wanted = (instruction_on(play, "drive", start) or ("",))[0]

    def rank(region: Region) -> tuple[bool, bool, bool, int]:
        place = play.board.places[region]
        return (region != wanted, bool(place.key), region in play.board.steps, play.tribe_cubes(region))

    return tuple(sorted(regions, key=rank))


def allowed_instead(play: WorkingState, order: Instruction) -> str | None:
    """Return the possible ids, separated by spaces, for an impossible instruction; None if it is possible."""
    choices: Sequence[Region]
    match order.topic:
        case "custer":
            choices = play.now.tied or play.board.regions_in_zones("N")
        case "fall back":
            choices = play.board.ways[Region(order.about)]
        case "drive":
            choices = _roads_of_tribes(play, Region(order.about))
        case "fight" if len(set(order.says)) < len(order.says):
            return " ".join(dict.fromkeys(order.says))
        case _:
            return None
    return None if order.says[0] in choices else " ".join(choices)


def is_valid_instruction(play: WorkingState, order: Instruction) -> bool:
    """Return whether an instruction is possible for its topic, with any about and says."""
    about, choices = order.about, set(order.says)
    regions, soldiers = set(map(str, play.board.places)), set(map(str, play.scenario.fighters))
    words_by_topic: Mapping[Topic, tuple[set[str], set[str]]] = {
        "fight": ({""}, regions),
        "withdraw": ({*SOLDIERS, *TRIBES}, {str(n) for n in range(MAX_WITHDRAW_CUBES + 1)}),
        "lose": ({""}, set(SOLDIERS)),
        "sit out": ({""}, {"Brown", "Purple", FEWER}),
        "equal": ({""}, {model.TRIBES_LEAVE, model.WE_LEAVE}),
        "trail": ({""}, {model.OREGON, model.CALIFORNIA, *_WAGON_NUMBERS}),
        "custer": ({""}, regions),
        "fall back": (regions, regions),
        "drive": (regions, regions),
        "strike": ({""}, soldiers),
    }
    of, words = words_by_topic[order.topic]
    if about not in of or not choices or not choices <= words:
        return False
    if order.topic == "trail" and [word in _WAGON_NUMBERS for word in order.says] not in (
        [False],
        [False, True],
    ):
        return False
    whole = order.topic != "lose" or choices == words
    return whole and len(choices) == len(order.says) and allowed_instead(play, order) is None


def _roads_of_tribes(play: WorkingState, start: Region) -> tuple[Region, ...]:
    """Return the neighbours of a region that its tribe may enter."""
    colours = [colour for colour in TRIBES if play.board.may_enter(colour, start)]
    return tuple(
        region
        for region in play.board.near[start]
        if any(play.board.may_enter(colour, region) for colour in colours)
    )
