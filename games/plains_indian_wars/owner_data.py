"""The data of a game: our map, cards, dice and set-ups, or the files of an owner's box."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.messages import sentence
from games.own_box import DATA_OPTION, OwnerBoxes, OwnerFile, OwnerFiles, refuse
from games.plains_indian_wars.board import (
    PACKAGE,
    ST_LOUIS,
    Board,
    BoardRegion,
    MapFile,
    Railroad,
    Trail,
    TrailStep,
    board,
    compile_board,
)
from games.plains_indian_wars.components import (
    Card,
    CardsFile,
    ColumnCampaign,
    Deck,
    DiceFile,
    Die,
    Materials,
    RailroadWorks,
    Scenario,
    ScenariosFile,
    compile_materials,
    materials,
)
from games.plains_indian_wars.model import Colour
from games.protocol import Invalid
from games.record import Value, plain, replace_fields

MAP_FILE, CARDS_FILE, DICE_FILE, SCENARIOS_FILE = "map.json", "cards.json", "dice.json", "scenarios.json"

FILES = OwnerFiles(
    PACKAGE,
    {
        MAP_FILE: OwnerFile(
            MapFile,
            {
                "regions.*": BoardRegion,
                "trails.*": Trail,
                "trails.*.steps.*": TrailStep,
                "railroad": Railroad,
            },
            {
                "regions.*": ("name", "zone", "at", "broken"),
                "trails.*": ("name",),
                "trails.*.steps.*": ("region", "branch"),
                "railroad": ("sections",),
            },
        ),
        CARDS_FILE: OwnerFile(
            CardsFile,
            {"decks.*": Deck, "decks.*.cards.*": Card},
            {"decks.*": ("colour", "label"), "decks.*.cards.*": ("name", "kind")},
        ),
        DICE_FILE: OwnerFile(DiceFile, {"dice.*": Die}),
        SCENARIOS_FILE: OwnerFile(
            ScenariosFile,
            {"supply.*": int, "scenarios.*": Scenario},
            {
                "scenarios.*": (
                    *("title", "plays", "tribes", "fighters", "throws", "boxes", "called", "discs_called"),
                    *("decks", "discs", "passing", "empty_home", "treaties", "lands", "fork"),
                )
            },
        ),
    },
)


class Box(Value, frozen=True):
    """The components and the board of a game."""

    materials: Materials
    board: Board


def _build_box(documents: Mapping[str, Any]) -> Box:
    """Return the box of an owner's files. Raises Invalid, which names the file, row and field."""
    values = FILES.values(documents)
    refuse(MAP_FILE, _map_faults(values[MAP_FILE]))
    refuse(DICE_FILE, _dice_faults(values[DICE_FILE]))
    refuse(CARDS_FILE, _card_faults(values[CARDS_FILE]))
    for name, scenario in values[SCENARIOS_FILE].scenarios.items():
        refuse(f"{SCENARIOS_FILE}: {name}", _scenario_faults(scenario, PRINTED.materials.scenarios[name]))
        refuse(f"{SCENARIOS_FILE}: {name}", _supply_faults(scenario, values[SCENARIOS_FILE].supply))
    try:
        compiled_board = compile_board(
            {**documents[MAP_FILE], "railroad": plain(_with_space_positions(values[MAP_FILE].railroad))}
        )
    except Invalid as fault:
        what = fault.what.removeprefix("data/")
        raise Invalid(f"{DATA_OPTION}: {what}", fault.why, fault.instead) from fault
    return Box(
        compile_materials(values[CARDS_FILE], values[DICE_FILE], values[SCENARIOS_FILE]), compiled_board
    )


def _map_faults(chart: MapFile) -> Iterator[tuple[str, str]]:
    line = chart.railroad
    for field in ("spaces_in_a_section", "mountain_spaces", "limit", "mountain_dice"):
        if getattr(line, field) < 1:
            yield (
                f"railroad: {field}",
                sentence("plains_indian_wars.owner_data.at_least_one", value=getattr(line, field)),
            )
    spaces, ours = line.plains_spaces + line.mountain_spaces, board().chart.railroad
    if line.at != ours.at and len(line.at) != spaces:
        yield (
            "railroad: at",
            sentence("plains_indian_wars.owner_data.line_places", places=len(line.at), spaces=spaces),
        )
    if not line.built_by_brown or min(line.built_by_brown) < 0:
        yield "railroad: built_by_brown", sentence("plains_indian_wars.owner_data.built_by_brown")
    if not line.mountain_success:
        yield "railroad: mountain_success", sentence("plains_indian_wars.owner_data.mountain_success")
    for place in chart.regions:
        if place.key < 0:
            yield (
                f"regions: {place.id}: key",
                sentence("plains_indian_wars.owner_data.below_zero", value=place.key),
            )
    for name, trail in chart.trails.items():
        for step in trail.steps:
            count = len(board().by_id[step.id].next)
            if len(step.next) != count:
                yield (
                    f"trails: {name}: {step.id}: next",
                    sentence("plains_indian_wars.owner_data.next", count=count),
                )
        if sorted(step.number for step in trail.steps if step.number) != sorted(
            step.number for step in board().chart.trails[name].steps if step.number
        ):
            yield f"trails: {name}", sentence("plains_indian_wars.owner_data.night_numbers")


def _with_space_positions(line: Railroad) -> Railroad:
    """Return a railroad with a place for each space. Without the owner's places they are along our line."""
    ours = board().chart.railroad
    spaces = (ours.plains_spaces, ours.mountain_spaces)
    if line.at != ours.at or (line.plains_spaces, line.mountain_spaces) == spaces:
        return line
    plains, mountains = ours.at[: ours.plains_spaces], ours.at[ours.plains_spaces :]
    at = (*_spread_along(plains, line.plains_spaces), *_spread_along(mountains, line.mountain_spaces))
    return replace_fields(line, at=at)


def _spread_along(at: Sequence[tuple[float, float]], count: int) -> Iterator[tuple[float, float]]:
    """Yield a number of places along a line, evenly spaced from its start to its end."""
    for number in range(count):
        along = number * (len(at) - 1) / max(count - 1, 1)
        before = min(int(along), len(at) - 2)
        share, (x, y), (u, v) = along - before, at[before], at[before + 1]
        yield round(x + share * (u - x), 4), round(y + share * (v - y), 4)


def _dice_faults(faces: DiceFile) -> Iterator[tuple[str, str]]:
    for colour, die in faces.dice.items():
        if "hit" not in die.faces:
            yield f"{colour}: faces", sentence("plains_indian_wars.owner_data.no_hit")


def _card_faults(cards: CardsFile) -> Iterator[tuple[str, str]]:
    for name, deck in cards.decks.items():
        if not 1 <= cards.hand <= len(deck.cards):
            problem = sentence(
                "plains_indian_wars.owner_data.hand", value=cards.hand, cards=len(deck.cards), deck=name
            )
            yield "hand", problem
        for card in deck.cards:
            ours = PRINTED.materials.cards[card.id].effect
            at = f"decks: {name}: {card.id}"
            if card.kind == "action" and min(card.cubes, card.groups, card.moves) < 0:
                yield at, sentence("plains_indian_wars.owner_data.card_below_zero")
            if card.kind == "action" and card.city not in (None, "STL", "SAC"):
                yield f"{at}: city", sentence("plains_indian_wars.owner_data.city", name=card.city)
            if not _is_valid_text(card.text):
                yield f"{at}: text", sentence("plains_indian_wars.owner_data.braces")
            if (card.effect is None) != (ours is None):
                yield f"{at}: effect", sentence("plains_indian_wars.owner_data.effect_kind")
            elif card.effect is not None and ours is not None:
                mine, theirs = plain(ours), plain(card.effect)
                for field in mine:
                    words = not isinstance(mine[field], int) or isinstance(mine[field], bool)
                    if words and mine[field] != theirs[field]:
                        yield f"{at}: effect: {field}", sentence("plains_indian_wars.owner_data.effect_fixed")
                yield from _negative_numbers(theirs, f"{at}: effect")
    if cards.events < 0:
        yield "events", sentence("plains_indian_wars.owner_data.below_zero", value=cards.events)


def _is_valid_text(text: str) -> bool:
    """Return whether a card's text has no placeholders except {dice} and {rounds}."""
    try:
        text.format(dice=2, rounds="round")
    except (ValueError, LookupError, AttributeError):
        return False
    return True


def _scenario_faults(theirs: Scenario, ours: Scenario) -> Iterator[tuple[str, str]]:
    """Yield the faults of a scenario: other keys than in our file, and wrong numbers."""
    yield from _negative_numbers(plain(theirs), "")
    yield from _place_faults(theirs)
    for field in ("limits", "purple", "homes", "belts", "trains"):
        if set(getattr(theirs, field)) != set(getattr(ours, field)):
            if names := ", ".join(getattr(ours, field)):
                yield field, sentence("plains_indian_wars.owner_data.keys", names=names)
            else:
                yield field, sentence("plains_indian_wars.owner_data.no_keys")
    if (theirs.bands is None) != (ours.bands is None):
        yield "bands", sentence("plains_indian_wars.owner_data.bands")
    if _fixed_campaign_part(theirs.campaign) != _fixed_campaign_part(ours.campaign):
        yield "campaign", sentence("plains_indian_wars.owner_data.campaign_fixed")
    if _fixed_works_part(theirs.works) != _fixed_works_part(ours.works):
        yield "works", sentence("plains_indian_wars.owner_data.works_fixed")
    yield from _train_faults(theirs)
    for field in ("card_dice", "alone"):
        if getattr(theirs, field) < 1:
            yield field, sentence("plains_indian_wars.owner_data.at_least_one", value=getattr(theirs, field))
    if (theirs.turns == 0) != (ours.turns == 0):
        problem = sentence("plains_indian_wars.owner_data.turns", value=theirs.turns, ours=ours.turns)
        yield "turns", problem
    yield from _scenario_dice_faults(theirs, ours)


def _place_faults(scenario: Scenario) -> Iterator[tuple[str, str]]:
    """Yield the faults of a scenario's places: unknown regions, and colours that don't play."""
    for region, cubes in scenario.places.items():
        if region not in board().places:
            yield "places", sentence("plains_indian_wars.owner_data.region", name=region)
        for colour in cubes:
            if colour not in (*scenario.tribes, *scenario.fighters, "White"):
                yield (
                    f"places: {region}",
                    sentence("plains_indian_wars.owner_data.not_playing", colour=colour),
                )


def _train_faults(scenario: Scenario) -> Iterator[tuple[str, str]]:
    rolling: Counter[Colour] = Counter()
    for cubes in scenario.trains.values():
        rolling.update(cubes)
    if any(scenario.places.get(ST_LOUIS, {}).get(colour, 0) < count for colour, count in rolling.items()):
        yield "trains", sentence("plains_indian_wars.owner_data.train_cubes")


def _scenario_dice_faults(theirs: Scenario, ours: Scenario) -> Iterator[tuple[str, str]]:
    for placement in filter(None, (theirs.raids, theirs.belt_raids, theirs.bands)):
        if placement.sides < 1:
            yield "raids, belt_raids and bands", sentence("plains_indian_wars.owner_data.no_side")
    if theirs.raids.sides != ours.raids.sides or theirs.belt_raids.sides != ours.belt_raids.sides:
        yield "raids and belt_raids", sentence("plains_indian_wars.owner_data.sides")
    if ours.bands and theirs.bands and ours.bands.sides != theirs.bands.sides:
        yield "bands", sentence("plains_indian_wars.owner_data.sides")


def _fixed_campaign_part(campaign: ColumnCampaign | None) -> Any:
    """Return a campaign without the numbers of its columns' cubes."""
    whole = plain(campaign)
    for column in whole["columns"].values() if whole else ():
        column["cubes"] = sorted(column["cubes"])
    return whole


def _fixed_works_part(works: RailroadWorks | None) -> Any:
    """Return the sides and colours of the parties."""
    return works and (works.sides, sorted(works.most), sorted(works.western))


def _supply_faults(scenario: Scenario, supply: Mapping[Colour, int]) -> Iterator[tuple[str, str]]:
    used: Counter[Colour] = Counter()
    for cubes in scenario.places.values():
        used.update(cubes)
    for colour, count in used.items():
        if count > supply[colour]:
            problem = sentence(
                "plains_indian_wars.owner_data.supply", count=count, colour=colour, supply=supply[colour]
            )
            yield "places", problem


def _negative_numbers(value: Any, at: str) -> Iterator[tuple[str, str]]:
    """Yield a fault for every number below 0 in a value, with its path."""
    inside: Any = (
        value.items() if isinstance(value, dict) else enumerate(value, 1) if isinstance(value, list) else ()
    )
    for key, inner in inside:
        yield from _negative_numbers(inner, f"{at}: {key}" if at else str(key))
    if isinstance(value, int) and value < 0:
        yield at, sentence("plains_indian_wars.owner_data.below_zero", value=value)


PRINTED = Box(materials(), board())
"""The box of games without an owner's files."""

BOXES = OwnerBoxes(FILES, _build_box, PRINTED)
"""The published box and the owners' boxes."""

box = BOXES.of
"""Return the box of a game with these options. Raises Invalid for wrong files."""
