"""The data that a game is played with: ours, or those of its owner's box, which are in its options."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from games.own_box import OwnerBoxes, OwnerFile, OwnerFiles, refuse
from games.record import Value
from games.war_chest.board import HEXES, Hex
from games.war_chest.components import PACKAGE, UNIT_NAMES, Board, Coin, Lineups, SoloFigures, UnitCard, Units

UNITS_FILE, BOARD_FILE, LINEUPS_FILE, SOLO_FILE = "units.json", "board.json", "lineups.json", "solo.toml"

FILES = OwnerFiles(
    PACKAGE,
    {
        UNITS_FILE: OwnerFile(Units, {"units.*": UnitCard}, {"units.*": ("name",)}),
        BOARD_FILE: OwnerFile(Board, {"marks": dict[str, str]}),
        LINEUPS_FILE: OwnerFile(Lineups, {"lineups.*": tuple[tuple[Coin, ...], tuple[Coin, ...]]}),
        SOLO_FILE: OwnerFile(
            SoloFigures, {"draft.duel": Any, "royal_coins.*": int, "royal_mode.*.*": str, "end": Any}
        ),
    },
)

_MODES = ("recruit", "mass_recruit", "maneuver_all")


class Box(Value, frozen=True):
    """The contents of a box. units: by id, in the order of their names.

    locations: in the fixed order; deck: the cards that the automaton can play.
    """

    units: Mapping[Coin, UnitCard]
    board: Board
    lineups: Mapping[str, tuple[tuple[Coin, ...], tuple[Coin, ...]]]
    numbers: SoloFigures
    locations: tuple[Hex, ...]
    deck: tuple[Coin, ...]


def _check_box(documents: Mapping[str, Any]) -> Box:
    """Return the box of an owner's files. Raises Invalid naming file, row and field."""
    contents = _make_box(FILES.values(documents))
    refuse(UNITS_FILE, _unit_faults(contents))
    refuse(BOARD_FILE, _board_faults(contents))
    refuse(SOLO_FILE, _number_faults(contents))
    refuse(LINEUPS_FILE, _lineup_faults(contents))
    return contents


def _make_box(values: Mapping[str, Any]) -> Box:
    units, board = values[UNITS_FILE].units, values[BOARD_FILE]
    ours = {*board.bottom, *board.top, *board.neutral}
    return Box(
        units={unit.id: unit for unit in units},
        board=board,
        lineups=values[LINEUPS_FILE].lineups,
        numbers=values[SOLO_FILE],
        locations=tuple(hex_name for hex_name in HEXES if hex_name in ours),
        deck=tuple(unit.id for unit in units if unit.automaton),
    )


def _unit_faults(contents: Box) -> Iterator[tuple[str, str]]:
    if tuple(contents.units) != tuple(UNIT_NAMES):
        yield "", "the units are not the sixteen of the game, in the order of their names"
        return
    called = Counter(
        word.casefold() for unit in contents.units.values() for word in (unit.name, *unit.aliases)
    )
    for unit in contents.units.values():
        if unit.coins < max(contents.board.in_bag, 1):
            yield unit.id, f"its coins are {unit.coins}, and {contents.board.in_bag} of them go into the bag"
        if not 1 <= unit.most_on_board <= max(unit.coins, 1):
            yield unit.id, f"its most_on_board is {unit.most_on_board} and must be from 1 to {unit.coins}"
        if unit.automaton and PRINTED is not contents and unit.id not in PRINTED.deck:
            yield unit.id, "its automaton is true, but the solo sheet does not say how it would play it"
        if unit.automaton and not unit.normal_attack:
            yield unit.id, "its normal_attack is false, and the automaton attacks so: say automaton false too"
        for word in unit.aliases:
            if called[word.casefold()] > 1 or word.casefold() in ("royal", "royal coin", "crown"):
                yield unit.id, f"its aliases have {word}, which another coin is called too"


def _board_faults(contents: Box) -> Iterator[tuple[str, str]]:
    board = contents.board
    named = {"bottom": board.bottom, "top": board.top, "neutral": board.neutral}
    for field, hexes in named.items():
        for hex_name in hexes:
            if hex_name not in HEXES:
                yield field, f"the board has no hex {hex_name}"
            elif sum(other.count(hex_name) for other in named.values()) > 1:
                yield field, f"{hex_name} stands there twice"
    for field, starts in (("bottom", board.bottom), ("top", board.top)):
        if not 1 <= len(starts) < board.markers:
            yield field, f"it has {len(starts)} starts and must have from 1 to {board.markers - 1}"
    if board.markers > len(contents.locations):
        yield "markers", f"there are {board.markers} of a side, and {len(contents.locations)} locations"
    for field, number in (("hand", board.hand), ("in_bag", board.in_bag)):
        if number < 1:
            yield field, f"it is {number} and must be 1 at least"


def _lineup_faults(contents: Box) -> Iterator[tuple[str, str]]:
    for name, sides in contents.lineups.items():
        cards = [card for side in sides for card in side]
        for card, count in Counter(cards).items():
            if card not in contents.units:
                yield name, f"there is no unit {card}"
            if count > 1:
                yield name, f"{card} stands there twice"
        if any(len(side) != contents.numbers.draft.kept for side in sides):
            yield name, f"each side should have {contents.numbers.draft.kept} units"


def _number_faults(contents: Box) -> Iterator[tuple[str, str]]:
    draft, duel = contents.numbers.draft, contents.numbers.draft.duel
    if not 1 <= draft.kept <= len(contents.deck):
        yield (
            "draft: kept",
            f"it is {draft.kept} and must be from 1 to {len(contents.deck)}, the automaton's units",
        )
    if not draft.kept <= draft.shown <= len(contents.units) - draft.kept:
        yield (
            "draft: shown",
            f"it is {draft.shown}, must be {draft.kept} at least, and leave the AI its units",
        )
    if not 2 * draft.kept <= duel.shown <= len(contents.units):
        yield (
            "draft: duel: shown",
            f"it is {duel.shown} and must be from {2 * draft.kept} to {len(contents.units)}",
        )
    if min(duel.picks, default=0) < 1 or {sum(duel.picks[::2]), sum(duel.picks[1::2])} != {draft.kept}:
        yield "draft: duel: picks", f"each person should pick {draft.kept} in all"
    for level, count in contents.numbers.royal_coins.items():
        if count < 0:
            yield f"royal_coins: {level}", f"it is {count} and cannot be below 0"
    for ladder, levels in contents.numbers.royal_mode.items():
        for level, mode in levels.items():
            if mode not in _MODES:
                yield f"royal_mode: {ladder}: {level}", f"{mode} is none of {', '.join(_MODES)}"
    if contents.numbers.end.turns < 1:
        yield "end: turns", f"it is {contents.numbers.end.turns} and must be 1 at least"


PRINTED = _make_box(FILES.values(FILES.ours()))
"""The box of every game whose owner says nothing."""

BOXES = OwnerBoxes(FILES, _check_box, PRINTED)
"""The printed one, and those of owners."""

box = BOXES.of
"""The box of a game with these options. Raises Invalid for files that cannot be played with."""
