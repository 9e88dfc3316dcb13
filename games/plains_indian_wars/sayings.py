"""What may be said in advance of a turn's choices, topic by topic."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations

from games.plains_indian_wars import standing
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import TRIBES, AnyOrder, Instruction, Topic
from games.plains_indian_wars.notation import write_instruction
from games.protocol import Objection
from games.protocol.optional import Unlisted

OF = "standing instructions"
MOST_CUBES = 12
"""At so many cubes or fewer withdrawing is listed; more can be written."""

Check = Callable[[AnyOrder], Objection | None]

_FORMS: Mapping[Topic, tuple[tuple[str, str], ...]] = {
    "fight": (("fight {region} first", "any region"),),
    "withdraw": (
        ("withdraw {colour} at {number}", f"of any colour, at 1 to {MOST_CUBES} cubes"),
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


def samples(play: Play, objection: Check) -> Iterator[tuple[AnyOrder, str]]:
    """Of each topic one thing that may be said now, and what the topic decides."""
    rows = standing.topics(play.scenario)
    for topic, orders in _by_topic(play, objection):
        yield orders[0], rows[topic].asks


def sayable(play: Play, wanted: Sequence[str], objection: Check) -> Iterator[Unlisted]:
    """By topic what else may be said now."""
    for topic, orders in _by_topic(play, objection) if Instruction.__name__ in wanted else ():
        for form, words in _FORMS[topic]:
            pattern = re.compile(re.sub(r"\\{\w+\\}", r"[\\w-]+", re.escape(form)))
            some = tuple(one for one in orders[1:] if pattern.fullmatch(write_instruction(one)))
            if some:
                yield Unlisted(of=OF, form=form, words=words, orders=some)


def _by_topic(play: Play, objection: Check) -> Iterator[tuple[Topic, tuple[Instruction, ...]]]:
    """Where Custer rides is listed by itself while it has to be chosen."""
    for topic in standing.topics(play.scenario):
        orders = tuple(one for one in _said(play, topic) if objection(one) is None)
        if orders and not (topic == "custer" and play.now.tied):
            yield topic, orders


def _said(play: Play, topic: Topic) -> Iterator[Instruction]:
    fighters = play.scenario.fighters
    regions = [one.id for one in play.board.places.values() if one.zone != "EDGE"]
    if topic in ("fight", "custer"):
        yield from (Instruction(topic=topic, says=(one,)) for one in regions)
    elif topic == "withdraw":
        counts = [standing.NEVER, *(str(count) for count in range(1, MOST_CUBES + 1))]
        for colour in standing.LOSE if play.scenario.plays == "US" else TRIBES:
            yield from (Instruction(topic=topic, about=colour, says=(count,)) for count in counts)
    elif topic == "lose":
        yield from (Instruction(topic=topic, says=some) for some in permutations(standing.LOSE))
    elif topic == "sit out":
        yield from (Instruction(topic=topic, says=(one,)) for one in ("Brown", "Purple", standing.FEWER))
    elif topic == "equal":
        sides = (standing.TRIBES_LEAVE, standing.WE_LEAVE)
        yield from (Instruction(topic=topic, says=(one,)) for one in sides)
    elif topic == "trail":
        for way in (standing.OREGON, standing.CALIFORNIA):
            yield Instruction(topic=topic, says=(way,))
            yield from (Instruction(topic=topic, says=(way, str(count))) for count in range(1, 5))
    elif topic == "strike":
        yield from (Instruction(topic=topic, says=(one,)) for one in fighters)
    else:
        ways = ((start, to) for start in regions for to in play.board.near[start] if to in regions)
        yield from (Instruction(topic=topic, about=start, says=(to,)) for start, to in ways)
