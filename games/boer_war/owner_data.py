"""The data of a game: our own, or those of an owner's box, which are checked file by file."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from games.boer_war.board import UNREACHABLE_DISTANCE, Board, board
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
from games.messages import sentence
from games.own_box import OwnerBoxes, OwnerFile, OwnerFiles, refuse
from games.record import Value, plain

# Errors in an owner's files whose rows have the right types. Each has a place in the file and a sentence.


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
"""Flags that the map needs. Without them a war can't be won or is over at once."""

_MAY_BE_NEGATIVE = {"battle": ("terrain", "trench", "unsupplied", "slip_from")}
"""The fields of numbers that can be below 0."""

_AT_LEAST_ONE = {
    "moving": ("rail", "trek", "commando"),
    "battle": ("hand", "beyond"),
    "skirmish": ("drive",),
    "siege": ("least", "rises", "step"),
    "scattered": ("one_of",),
}


def map_faults(chart: MapData) -> Faults:
    """Yield the errors of a map: wrong or repeated links, points out of reach, missing flags."""
    places = {place.id: place for place in chart.points}
    for link in chart.links:
        for end in (link.a, link.b):
            if end not in places:
                yield f"links: {link.a}-{link.b}", sentence("boer_war.faults.no_such_point", code=end)
    pairs = [frozenset((link.a, link.b)) for link in chart.links]
    for link, pair in zip(chart.links, pairs, strict=True):
        if len(pair) < 2 or pairs.count(pair) > 1:
            yield f"links: {link.a}-{link.b}", sentence("boer_war.faults.wrong_link")
    for place in chart.points:
        yield from _negative_faults(place, ("fort", "resistance"), f"points: {place.id}")
    ground = Board(places, chart.links)
    first = chart.points[0].id
    for point in ground.points:
        if ground.distance(first, point) >= UNREACHABLE_DISTANCE:
            yield f"links: {point}", sentence("boer_war.faults.unreachable", start=first)
    for flag in _REQUIRED_FLAGS:
        if not ground.flagged[flag]:
            yield "points", sentence("boer_war.faults.missing_flag", flag=flag)


def leader_faults(contents: Materials) -> Faults:
    """Yield the errors of leaders and garrisons, such as impossible places, numbers of SP and arrivals."""
    for name, leader in contents.leaders.items():
        at = f"leaders: {name}"
        yield from _negative_faults(leader, ("command", "sp", "leaves"), at)
        for field in ("move", "capacity"):
            if getattr(leader, field) < 1:
                yield (
                    f"{at}: {field}",
                    sentence("boer_war.faults.too_low", value=getattr(leader, field), least=1),
                )
        if leader.sp > leader.capacity:
            yield f"{at}: sp", sentence("boer_war.faults.over_capacity", sp=leader.sp, most=leader.capacity)
        points = (*leader.lands, *leader.district, *([leader.at] if leader.at else []))
        yield from _unknown_name_faults(points, contents.places, f"{at}: at, lands and district", "point")
        yield from _unknown_name_faults(leader.joins, contents.leaders, f"{at}: joins", "leader")
        if any(
            contents.leaders[other].side != leader.side for other in leader.joins if other in contents.leaders
        ):
            yield f"{at}: joins", sentence("boer_war.faults.joins_enemy")
        if leader.at is None:
            if leader.turn not in range(1, _TURN_COUNT + 1) or leader.round not in range(1, _ROUND_COUNT + 1):
                yield (
                    f"{at}: turn and round",
                    sentence("boer_war.faults.arrival", turns=_TURN_COUNT, rounds=_ROUND_COUNT),
                )
        elif leader.sp < 1:
            yield f"{at}: sp", sentence("boer_war.faults.leader_without_sp")
        elif leader.at in contents.places and contents.places[leader.at].control != leader.side:
            yield (
                f"{at}: at",
                sentence("boer_war.faults.enemy_point", at=leader.at, side=leader.side, file=MAP_FILE),
            )
    yield from _garrison_faults(contents)


def _garrison_faults(contents: Materials) -> Faults:
    posts = [post.at for post in contents.garrisons]
    for post in contents.garrisons:
        at = f"garrisons: {post.at}"
        if post.at not in contents.places:
            yield at, sentence("boer_war.faults.no_such_point", code=post.at)
        elif contents.places[post.at].control != "empire":
            yield at, sentence("boer_war.faults.enemy_garrison", file=MAP_FILE)
        if post.sp < 1 or posts.count(post.at) > 1:
            yield at, sentence("boer_war.faults.garrison")


def event_faults(contents: Materials, ours: Mapping[EventId, EventCounter]) -> Faults:
    """Yield the errors of events, such as unknown names, wrong sides and too few points."""
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
            yield f"{at}: leaders", sentence("boer_war.faults.event_leaders")
        if ours[name].points and not event.points:
            yield f"{at}: points", sentence("boer_war.faults.event_without_points")
        if any(turn not in range(1, _TURN_COUNT + 1) for turn in event.turns):
            yield f"{at}: turns", sentence("boer_war.faults.numbers_to", most=_TURN_COUNT)
        if event.points and event.uses > len(event.points):
            yield (
                f"{at}: uses",
                sentence("boer_war.faults.too_many_uses", points=len(event.points), uses=event.uses),
            )


def card_faults(contents: Materials) -> Faults:
    """Yield the errors of cards: missing or negative values, or too few cards for a battle."""
    for name, card in contents.cards.items():
        for side in ("boers", "empire"):
            if side not in card.values:
                yield f"cards: {name}: values", sentence("boer_war.faults.card_without_value", side=side)
        for worth in card.values.values():
            if min(worth) < 0:
                yield f"cards: {name}: values", sentence("boer_war.faults.card_below_zero", value=min(worth))
    most = max(leader.command for leader in contents.leaders.values())
    command = max(most, contents.numbers.battle.garrison_command)
    drawn = 2 * (contents.numbers.battle.hand + command) + max(
        event.number for event in contents.events.values()
    )
    if drawn > len(contents.cards):
        yield (
            "cards",
            sentence("boer_war.faults.too_few_cards", cards=drawn, file=NUMBERS_FILE),
        )


def number_faults(contents: Materials, ours: RuleNumbers) -> Faults:
    """Yield the errors of numbers, such as numbers out of their range and unknown names."""
    numbers = contents.numbers
    yield from _low_number_faults(numbers)
    if [(turn.number, turn.dates) for turn in numbers.turns] != [
        (turn.number, turn.dates) for turn in ours.turns
    ]:
        yield "turns", sentence("boer_war.faults.turns")
    for turn in numbers.turns:
        yield from _negative_faults(turn, ("empire_pool", "boer_pool", "reinforce"), f"turns: {turn.number}")
    for table, losses in (("battle", numbers.battle.losses), ("skirmish", numbers.skirmish.losses)):
        yield from _loss_faults(losses, f"{table}: losses")
    yield from _unknown_name_faults(
        numbers.transition.roster, contents.leaders, "transition: roster", "leader"
    )
    roster = [leader for leader in numbers.transition.roster if leader in contents.leaders]
    if len(set(roster)) < len(roster) or any(contents.leaders[leader].side != "boers" for leader in roster):
        yield "transition: roster", sentence("boer_war.faults.roster")
    room = len(numbers.transition.roster) * numbers.moving.commando
    if not numbers.rising.least <= numbers.rising.most <= room:
        yield "rising", sentence("boer_war.faults.rising", room=room)
    centres = sum("political" in place.flags for place in contents.places.values())
    if numbers.victory.centres > centres:
        yield (
            "victory: centres",
            sentence("boer_war.faults.too_many_centres", value=numbers.victory.centres, most=centres),
        )
    capes = (numbers.arriving.cape, numbers.arriving.republics)
    yield from _unknown_name_faults(capes, contents.places, "arriving", "point")
    if numbers.leader_test.out > _DIE_SIDES:
        yield "leader_test: out", sentence("boer_war.faults.die", sides=_DIE_SIDES)
    if any(round_number not in range(1, _ROUND_COUNT + 1) for round_number in numbers.attrition.rounds):
        yield "attrition: rounds", sentence("boer_war.faults.numbers_to", most=_ROUND_COUNT)


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
                    yield f"{table}: {field}", sentence("boer_war.faults.too_low", value=value, least=low)


def _loss_faults(losses: tuple[Losses, ...], at: str) -> Faults:
    """Yield the errors of a table of losses. It needs a row for every difference."""
    lows = [row.low for row in losses]
    if lows[:1] != [0] or lows != sorted(set(lows)):
        yield at, sentence("boer_war.faults.losses")
    for row in losses:
        yield from _negative_faults(row, ("loser", "winner"), at)


def _unknown_name_faults(
    named: Iterable[str], known: Mapping[Any, Any], at: str, thing: Literal["point", "leader"]
) -> Faults:
    for name in named:
        if name not in known:
            yield at, sentence(f"boer_war.faults.no_such_{thing}", code=name)


def _negative_faults(row: Any, fields: Iterable[str], at: str) -> Faults:
    for field in fields:
        if getattr(row, field) < 0:
            yield f"{at}: {field}", sentence("boer_war.faults.below_zero", value=getattr(row, field))


EARLIER_TABLES = tuple(name for name in EarlierNumbers.__struct_fields__ if name != "mark")
"""The tables for older games, which owners can't change."""

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
    """The data of a box and its map. earlier: the data with older numbers, by the value of the option."""

    materials: Materials
    board: Board
    earlier: Mapping[str, Materials]

    def materials_with(self, numbers: str) -> Materials:
        """Return the data with the numbers of that name, or with the present numbers for any other name."""
        return self.earlier.get(numbers, self.materials)


def _check_box(documents: Mapping[str, Any]) -> Box:
    """Return the box of an owner's files. Raises Invalid with the file, row and field of an error."""
    values: Mapping[str, Any] = FILES.values(documents)
    refuse(MAP_FILE, map_faults(values[MAP_FILE]))
    contents = compile_materials(*(values[name] for name in FILES.sheets))
    refuse(LEADERS_FILE, leader_faults(contents))
    refuse(EVENTS_FILE, event_faults(contents, PRINTED.materials.events))
    refuse(NUMBERS_FILE, number_faults(contents, PRINTED.materials.numbers))
    refuse(CARDS_FILE, card_faults(contents))
    return Box(contents, Board(contents.places, contents.ways), earlier_materials(contents))


PRINTED = Box(materials(), board(), earlier_materials(materials()))
"""The box of games without files of their own."""

BOXES = OwnerBoxes(FILES, _check_box, PRINTED)
"""Our own box and the boxes of owners."""

box_of = BOXES.of
"""Returns the box of a game with these options. Raises Invalid for files with errors."""
