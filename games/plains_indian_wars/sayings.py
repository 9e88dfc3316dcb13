"""The instructions that may be given ahead of a turn's choices, topic by topic."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations

from games.plains_indian_wars import standing_orders
from games.plains_indian_wars.model import TRIBES, AnyOrder, Instruction, Topic
from games.plains_indian_wars.notation import write_instruction
from games.plains_indian_wars.working_state import WorkingState
from games.protocol import Objection
from games.protocol.optional import UnlistedOrders

INSTRUCTIONS_GROUP = "standing instructions"
MAX_WITHDRAW_CUBES_LISTED = 12
"""At so many cubes or fewer withdrawing is listed; more can be written."""

ObjectionCheck = Callable[[AnyOrder], Objection | None]

_INSTRUCTION_FORMS: Mapping[Topic, tuple[tuple[str, str], ...]] = {
    "fight": (("fight {region} first", "any region"),),
    "withdraw": (
        ("withdraw {colour} at {number}", f"of any colour, at 1 to {MAX_WITHDRAW_CUBES_LISTED} cubes"),
        ("withdraw {colour} never", "of any colour"),
    ),
    "lose": (("lose {colour} then {colour} then {colour}", "in any order"),),
    "sit out": (("sit out {colour}", "Brown, Purple or fewer"),),
    "equal": (("between equals {side} leave", "we or tribes"),),
    "trail": (
        ("wagons by {branch}", "by Oregon or California"),
        ("{number} wagons by {branch}", "so many of them"),
        ("{number} wagon by {branch}", "one of them"),
    ),
    "custer": (("Custer in {region}", "where he may ride"),),
    "fall back": (("fall back {region} - {region}", "from a region to one beside it"),),
    "drive": (("drive {region} - {region}", "from a region to one beside it"),),
    "strike": (("strike {colour} first", "any troopers"),),
}


def sample_instructions(play: WorkingState, objection: ObjectionCheck) -> Iterator[tuple[AnyOrder, str]]:
    """Yield one instruction of each topic that may be given now, and what the topic decides."""
    rows = standing_orders.topics(play.scenario)
    for topic, orders in _instructions_by_topic(play, objection):
        yield orders[0], rows[topic].asks


def unlisted_instructions(
    play: WorkingState, wanted: Sequence[str], objection: ObjectionCheck
) -> Iterator[UnlistedOrders]:
    """Yield by topic the other instructions that may be given now."""
    for topic, orders in _instructions_by_topic(play, objection) if Instruction.__name__ in wanted else ():
        for form, words in _INSTRUCTION_FORMS[topic]:
            pattern = re.compile(re.sub(r"\\{\w+\\}", r"[\\w-]+", re.escape(form)))
            some = tuple(order for order in orders[1:] if pattern.fullmatch(write_instruction(order)))
            if some:
                yield UnlistedOrders(of=INSTRUCTIONS_GROUP, form=form, words=words, orders=some)


def _instructions_by_topic(
    play: WorkingState, objection: ObjectionCheck
) -> Iterator[tuple[Topic, tuple[Instruction, ...]]]:
    """Yield the possible instructions by topic; Custer's is listed apart while it must be chosen."""
    for topic in standing_orders.topics(play.scenario):
        orders = tuple(order for order in _instructions_about(play, topic) if objection(order) is None)
        if orders and not (topic == "custer" and play.now.tied):
            yield topic, orders


def _instructions_about(play: WorkingState, topic: Topic) -> Iterator[Instruction]:
    fighters = play.scenario.fighters
    regions = [place_data.id for place_data in play.board.places.values() if place_data.zone != "EDGE"]
    if topic in ("fight", "custer"):
        yield from (Instruction(topic=topic, says=(region,)) for region in regions)
    elif topic == "withdraw":
        counts = [standing_orders.NEVER, *(str(count) for count in range(1, MAX_WITHDRAW_CUBES_LISTED + 1))]
        for colour in standing_orders.DEFAULT_LOSS_ORDER if play.scenario.plays == "US" else TRIBES:
            yield from (Instruction(topic=topic, about=colour, says=(count,)) for count in counts)
    elif topic == "lose":
        yield from (
            Instruction(topic=topic, says=some) for some in permutations(standing_orders.DEFAULT_LOSS_ORDER)
        )
    elif topic == "sit out":
        yield from (
            Instruction(topic=topic, says=(sitter,)) for sitter in ("Brown", "Purple", standing_orders.FEWER)
        )
    elif topic == "equal":
        sides = (standing_orders.TRIBES_LEAVE, standing_orders.WE_LEAVE)
        yield from (Instruction(topic=topic, says=(side,)) for side in sides)
    elif topic == "trail":
        for way in (standing_orders.OREGON, standing_orders.CALIFORNIA):
            yield Instruction(topic=topic, says=(way,))
            yield from (Instruction(topic=topic, says=(way, str(count))) for count in range(1, 5))
    elif topic == "strike":
        yield from (Instruction(topic=topic, says=(trooper,)) for trooper in fighters)
    else:
        ways = ((start, to) for start in regions for to in play.board.near[start] if to in regions)
        yield from (Instruction(topic=topic, about=start, says=(to,)) for start, to in ways)
