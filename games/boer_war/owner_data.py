"""The data that a game is played with: ours, or that of an owner's box, which is checked file by file."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from games.boer_war.board import Board, board
from games.boer_war.components import (
    EVEN_NUMBERS,
    FIRST_NUMBERS,
    NUMBER_TABLES,
    PACKAGE,
    WEIGHED_NUMBERS,
    BattleCard,
    CardData,
    EarlierNumbers,
    EventCounter,
    EventData,
    EventId,
    Flag,
    Leader,
    LeaderData,
    Losses,
    MapData,
    MapPoint,
    Materials,
    RuleNumbers,
    compile_materials,
    earlier_materials,
    materials,
)
from games.own_box import OwnerBoxes, OwnerFile, OwnerFiles, refuse
from games.record import Value, plain

# Faults of an owner's files whose rows are all of their types: where in a file, and what is wrong.


MAP_FILE, LEADERS_FILE, CARDS_FILE, EVENTS_FILE, NUMBERS_FILE = (
    "map.json",
    "leaders.json",
    "cards.json",
    "events.json",
    "numbers.json",
)

Faults = Iterator[tuple[str, str]]

_TURN_COUNT, _ROUND_COUNT, _DIE_SIDES = 4, 11, 6
_REQUIRED_FLAGS: tuple[Flag, Flag] = ("port", "political")
"""Flags without which a war could not be won, or would be at once."""

_MAY_BE_NEGATIVE = {"battle": ("terrain", "trench", "unsupplied", "slip_from")}
"""The fields of numbers that may be below 0."""

_AT_LEAST_ONE = {
    "moving": ("rail", "trek", "commando"),
    "battle": ("hand", "beyond"),
    "skirmish": ("drive",),
    "siege": ("least", "rises", "step"),
    "scattered": ("one_of",),
}


def map_faults(chart: MapData) -> Faults:
    """Yield the faults of a map.

    Links join two points of the map, each pair once, and all points; what victory asks for is there.
    """
    places = {place.id: place for place in chart.points}
    for link in chart.links:
        for end in (link.a, link.b):
            if end not in places:
                yield f"links: {link.a}-{link.b}", f"there is no point {end}"
    pairs = [frozenset((link.a, link.b)) for link in chart.links]
    for link, pair in zip(chart.links, pairs, strict=True):
        if len(pair) < 2 or pairs.count(pair) > 1:
            yield f"links: {link.a}-{link.b}", "joins a point to itself, or stands there twice"
    for place in chart.points:
        yield from _negative_faults(place, ("fort", "resistance"), f"points: {place.id}")
    ground = Board(places, chart.links)
    first = chart.points[0].id
    for point in ground.points:
        if point not in ground.reachable_from(first):
            yield f"links: {point}", f"no way leads there from {first}"
    for flag in _REQUIRED_FLAGS:
        if not ground.flagged[flag]:
            yield "points", f"none of them has the flag {flag}"


def leader_faults(contents: Materials) -> Faults:
    """Yield the faults of leaders and garrisons: they stand among their own, and lead what they can."""
    for name, leader in contents.leaders.items():
        at = f"leaders: {name}"
        yield from _negative_faults(leader, ("command", "sp", "leaves"), at)
        for field in ("move", "capacity"):
            if getattr(leader, field) < 1:
                yield f"{at}: {field}", f"it is {getattr(leader, field)} and must be 1 at least"
        if leader.sp > leader.capacity:
            yield f"{at}: sp", f"it is {leader.sp}, and he leads {leader.capacity} at most"
        points = (*leader.lands, *leader.district, *([leader.at] if leader.at else []))
        yield from _unknown_name_faults(points, contents.places, f"{at}: at, lands and district", "point")
        yield from _unknown_name_faults(leader.joins, contents.leaders, f"{at}: joins", "leader")
        if any(
            contents.leaders[other].side != leader.side for other in leader.joins if other in contents.leaders
        ):
            yield f"{at}: joins", "he joins leaders of his own side"
        if leader.at is None:
            if leader.turn not in range(1, _TURN_COUNT + 1) or leader.round not in range(1, _ROUND_COUNT + 1):
                yield (
                    f"{at}: turn and round",
                    f"he comes in Turn 1 to {_TURN_COUNT}, round 1 to {_ROUND_COUNT}",
                )
        elif leader.sp < 1:
            yield f"{at}: sp", "who stands on the map has 1 at least"
        elif leader.at in contents.places and contents.places[leader.at].control != leader.side:
            yield (
                f"{at}: at",
                f"{leader.at} is not controlled by the {leader.side}: see control in {MAP_FILE}",
            )
    yield from _garrison_faults(contents)


def _garrison_faults(contents: Materials) -> Faults:
    posts = [post.at for post in contents.garrisons]
    for post in contents.garrisons:
        at = f"garrisons: {post.at}"
        if post.at not in contents.places:
            yield at, f"there is no point {post.at}"
        elif contents.places[post.at].control != "empire":
            yield at, f"it is not controlled by the empire: see control in {MAP_FILE}"
        if post.sp < 1 or posts.count(post.at) > 1:
            yield at, "it stands there once, with an SP at least"


def event_faults(contents: Materials, ours: Mapping[EventId, EventCounter]) -> Faults:
    """Yield the faults of events: they name what is there, and as many points as they are played about."""
    for name, event in contents.events.items():
        at = f"events: {name}"
        yield from _negative_faults(event, ("uses", "number", "die", "bonus", "needs", "near"), at)
        yield from _unknown_name_faults(event.points, contents.places, f"{at}: points", "point")
        yield from _unknown_name_faults(event.leaders, contents.leaders, f"{at}: leaders", "leader")
        if any(
            contents.leaders[leader].side != event.side
            for leader in event.leaders
            if leader in contents.leaders
        ):
            yield f"{at}: leaders", "they are those of its own side"
        if ours[name].points and not event.points:
            yield f"{at}: points", "it is about points, and names none"
        if any(turn not in range(1, _TURN_COUNT + 1) for turn in event.turns):
            yield f"{at}: turns", f"they are numbers from 1 to {_TURN_COUNT}"
        if event.points and event.uses > len(event.points):
            yield f"{at}: uses", f"it is about {len(event.points)} points, and is played {event.uses} times"


def card_faults(contents: Materials) -> Faults:
    """Yield the faults of cards: each has a value for each side, and there are enough for both hands."""
    for name, card in contents.cards.items():
        for side in ("boers", "empire"):
            if side not in card.values:
                yield f"cards: {name}: values", f"it has none for the {side}"
        for worth in card.values.values():
            if min(worth) < 0:
                yield f"cards: {name}: values", f"one is {min(worth)} and cannot be below 0"
    most = max(leader.command for leader in contents.leaders.values())
    command = max(most, contents.numbers.battle.garrison_command)
    drawn = 2 * (contents.numbers.battle.hand + command) + max(
        event.number for event in contents.events.values()
    )
    if drawn > len(contents.cards):
        yield (
            "cards",
            f"a battle might draw {drawn}: see hand in {NUMBERS_FILE}, and command",
        )


def number_faults(contents: Materials, ours: RuleNumbers) -> Faults:
    """Yield the faults of numbers: none is too low for the rules, and they name what is there."""
    numbers = contents.numbers
    yield from _low_number_faults(numbers)
    if [(turn.number, turn.dates) for turn in numbers.turns] != [
        (turn.number, turn.dates) for turn in ours.turns
    ]:
        yield "turns", "they are four, with the numbers and dates of ours"
    for turn in numbers.turns:
        yield from _negative_faults(turn, ("empire_pool", "boer_pool", "reinforce"), f"turns: {turn.number}")
    for table, losses in (("battle", numbers.battle.losses), ("skirmish", numbers.skirmish.losses)):
        yield from _loss_faults(losses, f"{table}: losses")
    yield from _unknown_name_faults(
        numbers.transition.roster, contents.leaders, "transition: roster", "leader"
    )
    roster = [leader for leader in numbers.transition.roster if leader in contents.leaders]
    if len(set(roster)) < len(roster) or any(contents.leaders[leader].side != "boers" for leader in roster):
        yield "transition: roster", "they are Boers, each once"
    room = len(numbers.transition.roster) * numbers.moving.commando
    if not numbers.rising.least <= numbers.rising.most <= room:
        yield "rising", f"least is not above most, and most not above the {room} that its leaders may lead"
    centres = sum("political" in place.flags for place in contents.places.values())
    if numbers.victory.centres > centres:
        yield "victory: centres", f"it is {numbers.victory.centres}, and the map has {centres}"
    capes = (numbers.arriving.cape, numbers.arriving.republics)
    yield from _unknown_name_faults(capes, contents.places, "arriving", "point")
    if numbers.leader_test.out > _DIE_SIDES:
        yield "leader_test: out", f"a die has {_DIE_SIDES} sides"
    if any(round_number not in range(1, _ROUND_COUNT + 1) for round_number in numbers.attrition.rounds):
        yield "attrition: rounds", f"they are numbers from 1 to {_ROUND_COUNT}"


def _low_number_faults(numbers: RuleNumbers) -> Faults:
    for table, fields in plain(numbers).items():
        if isinstance(fields, dict):
            for field, value in fields.items():
                low = 1 if field in _AT_LEAST_ONE.get(table, ()) else 0
                if (
                    isinstance(value, int | float)
                    and value < low
                    and field not in _MAY_BE_NEGATIVE.get(table, ())
                ):
                    yield f"{table}: {field}", f"it is {value} and must be {low} at least"


def _loss_faults(losses: tuple[Losses, ...], at: str) -> Faults:
    """Yield the faults of a table of losses: it needs a row for every difference."""
    lows = [row.low for row in losses]
    if lows[:1] != [0] or lows != sorted(set(lows)):
        yield at, "the first row begins at 0, and each later one above the one before"
    for row in losses:
        yield from _negative_faults(row, ("loser", "winner"), at)


def _unknown_name_faults(named: Iterable[str], known: Mapping[Any, Any], at: str, what: str) -> Faults:
    for name in named:
        if name not in known:
            yield at, f"there is no {what} {name}"


def _negative_faults(row: Any, fields: Iterable[str], at: str) -> Faults:
    for field in fields:
        if getattr(row, field) < 0:
            yield f"{at}: {field}", f"it is {getattr(row, field)} and cannot be below 0"


EARLIER_TABLES = tuple(name for name in EarlierNumbers.__struct_fields__ if name != "mark")
"""The tables of games that were begun before: no owner changes those."""

FILES = OwnerFiles(
    PACKAGE,
    {
        MAP_FILE: OwnerFile(MapData, {"points.*": MapPoint}, {"points.*": ("name", "region", "lon", "lat")}),
        LEADERS_FILE: OwnerFile(LeaderData, {"leaders.*": Leader}, {"leaders.*": ("name", "side")}),
        CARDS_FILE: OwnerFile(CardData, {"cards.*": BattleCard}, {"cards.*": ("empire", "boers")}),
        EVENTS_FILE: OwnerFile(
            EventData, {"events.*": EventCounter}, {"events.*": ("side", "name", "takes")}
        ),
        NUMBERS_FILE: OwnerFile(
            RuleNumbers,
            NUMBER_TABLES,
            {
                "rounds": ("of_a_side", "first"),
                **dict.fromkeys((FIRST_NUMBERS, WEIGHED_NUMBERS, EVEN_NUMBERS), EARLIER_TABLES),
            },
        ),
    },
    sourced="S",
)


class Box(Value, frozen=True):
    """The contents of a box, its map compiled, and the numbers by which earlier games go on.

    earlier: by the value of the option that says which.
    """

    materials: Materials
    board: Board
    earlier: Mapping[str, Materials]

    def materials_with(self, numbers: str) -> Materials:
        """Return the contents, by these numbers."""
        return self.earlier.get(numbers, self.materials)


def _check_box(documents: Mapping[str, Any]) -> Box:
    """Return the box of an owner's files. Raises Invalid naming file, row and field."""
    values: Mapping[str, Any] = FILES.values(documents)
    refuse(MAP_FILE, map_faults(values[MAP_FILE]))
    contents = compile_materials(*(values[name] for name in FILES.sheets))
    refuse(LEADERS_FILE, leader_faults(contents))
    refuse(EVENTS_FILE, event_faults(contents, PRINTED.materials.events))
    refuse(NUMBERS_FILE, number_faults(contents, PRINTED.materials.numbers))
    refuse(CARDS_FILE, card_faults(contents))
    return Box(contents, Board(contents.places, contents.ways), earlier_materials(contents))


PRINTED = Box(materials(), board(), earlier_materials(materials()))
"""The box of every game whose owner says nothing."""

BOXES = OwnerBoxes(FILES, _check_box, PRINTED)
"""The printed one, and those of owners."""

box_of = BOXES.of
"""The box of a game with these options. Raises Invalid for files that cannot be played with."""
