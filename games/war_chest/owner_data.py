"""The data of a game: the printed data, or the data of an owner's box from the options of the game."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from games.language import join_list
from games.messages import sentence
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
    """The contents of a box.

    units: the cards by id, in the order of their names. locations: all locations in the fixed order. deck:
    the cards that the automaton can play.
    """

    units: Mapping[Coin, UnitCard]
    board: Board
    lineups: Mapping[str, tuple[tuple[Coin, ...], tuple[Coin, ...]]]
    numbers: SoloFigures
    locations: tuple[Hex, ...]
    deck: tuple[Coin, ...]


def _check_box(documents: Mapping[str, Any]) -> Box:
    """Return the box of an owner's files. Raises Invalid with the file, row and field."""
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
        yield "", sentence("war_chest.box.units")
        return
    called = Counter(
        word.casefold() for unit in contents.units.values() for word in (unit.name, *unit.aliases)
    )
    for unit in contents.units.values():
        if unit.coins < max(contents.board.in_bag, 1):
            in_bag = contents.board.in_bag
            yield unit.id, sentence("war_chest.box.coins", coins=unit.coins, in_bag=in_bag)
        if not 1 <= unit.most_on_board <= max(unit.coins, 1):
            most = unit.most_on_board
            yield unit.id, sentence("war_chest.box.most_on_board", most=most, coins=unit.coins)
        if unit.automaton and PRINTED is not contents and unit.id not in PRINTED.deck:
            yield unit.id, sentence("war_chest.box.automaton")
        if unit.automaton and not unit.normal_attack:
            yield unit.id, sentence("war_chest.box.normal_attack")
        for word in unit.aliases:
            if called[word.casefold()] > 1 or word.casefold() in ("royal", "royal coin", "crown"):
                yield unit.id, sentence("war_chest.box.alias", alias=word)


def _board_faults(contents: Box) -> Iterator[tuple[str, str]]:
    board = contents.board
    named = {"bottom": board.bottom, "top": board.top, "neutral": board.neutral}
    for field, hexes in named.items():
        for hex_name in hexes:
            if hex_name not in HEXES:
                yield field, sentence("war_chest.box.no_hex", hex=hex_name)
            elif sum(other.count(hex_name) for other in named.values()) > 1:
                yield field, sentence("war_chest.box.twice", entry=hex_name)
    for field, starts in (("bottom", board.bottom), ("top", board.top)):
        if not 1 <= len(starts) < board.markers:
            yield field, sentence("war_chest.box.starts", count=len(starts), most=board.markers - 1)
    if board.markers > len(contents.locations):
        locations = len(contents.locations)
        yield "markers", sentence("war_chest.box.markers", markers=board.markers, locations=locations)
    for field, number in (("hand", board.hand), ("in_bag", board.in_bag)):
        if number < 1:
            yield field, sentence("war_chest.box.at_least_one", number=number)


def _lineup_faults(contents: Box) -> Iterator[tuple[str, str]]:
    for name, sides in contents.lineups.items():
        cards = [card for side in sides for card in side]
        for card, count in Counter(cards).items():
            if card not in contents.units:
                yield name, sentence("war_chest.box.no_unit", unit=card)
            if count > 1:
                yield name, sentence("war_chest.box.twice", entry=card)
        if any(len(side) != contents.numbers.draft.kept for side in sides):
            yield name, sentence("war_chest.box.lineup", units=contents.numbers.draft.kept)


def _number_faults(contents: Box) -> Iterator[tuple[str, str]]:
    draft, duel = contents.numbers.draft, contents.numbers.draft.duel
    if not 1 <= draft.kept <= len(contents.deck):
        yield "draft: kept", sentence("war_chest.box.kept", number=draft.kept, most=len(contents.deck))
    if not draft.kept <= draft.shown <= len(contents.units) - draft.kept:
        yield "draft: shown", sentence("war_chest.box.shown", number=draft.shown, least=draft.kept)
    least, most = 2 * draft.kept, len(contents.units)
    if not least <= duel.shown <= most:
        shown = sentence("war_chest.box.shown_duel", number=duel.shown, least=least, most=most)
        yield "draft: duel: shown", shown
    if min(duel.picks, default=0) < 1 or {sum(duel.picks[::2]), sum(duel.picks[1::2])} != {draft.kept}:
        yield "draft: duel: picks", sentence("war_chest.box.picks", number=draft.kept)
    for level, count in contents.numbers.royal_coins.items():
        if count < 0:
            yield f"royal_coins: {level}", sentence("war_chest.box.negative", number=count)
    for ladder, levels in contents.numbers.royal_mode.items():
        for level, mode in levels.items():
            if mode not in _MODES:
                yield (
                    f"royal_mode: {ladder}: {level}",
                    sentence("war_chest.box.mode", mode=mode, modes=join_list(_MODES, "or")),
                )
    if contents.numbers.end.turns < 1:
        yield "end: turns", sentence("war_chest.box.at_least_one", number=contents.numbers.end.turns)


PRINTED = _make_box(FILES.values(FILES.ours()))
"""The box of games without an owner's data."""

BOXES = OwnerBoxes(FILES, _check_box, PRINTED)
"""The printed box and those of owners."""

box = BOXES.of
"""Returns the box of a game with these options. Raises Invalid for files that are unusable."""
