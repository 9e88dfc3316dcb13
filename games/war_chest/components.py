"""The sixteen units and what a game of them is set up with, from the data files of this package."""

from typing import NewType

from games.data import read_json, read_toml
from games.protocol import Invalid
from games.record import Malformed, Record, revive
from games.war_chest.board import HEXES, Hex

PACKAGE = "games.war_chest"

Coin = NewType("Coin", str)
"""A coin by the id of its unit, or ``ROYAL``; ``HIDDEN`` where a viewer may not know it."""

Card = Coin
"""The id of a unit: what its coins are called."""

ROYAL = Coin("royal")
HIDDEN = Coin("?")

ARCHER, BERSERKER, CAVALRY, CROSSBOWMAN = map(Coin, ("archer", "berserker", "cavalry", "crossbowman"))
ENSIGN, FOOTMAN, KNIGHT, LANCER = map(Coin, ("ensign", "footman", "knight", "lancer"))
LIGHT_CAVALRY, MARSHALL, MERCENARY = map(Coin, ("light_cavalry", "marshall", "mercenary"))
PIKEMAN, ROYAL_GUARD, SCOUT = map(Coin, ("pikeman", "royal_guard", "scout"))
SWORDSMAN, WARRIOR_PRIEST = map(Coin, ("swordsman", "warrior_priest"))


class Unit(Record, frozen=True, kw_only=True):
    """A card: how many coins it has, whether the automaton's deck has it, and what it says.

    most_on_board: how many units of it a side may have on the board at once.
    """

    id: Coin
    name: str
    aliases: tuple[str, ...]
    coins: int
    automaton: bool
    normal_attack: bool
    most_on_board: int
    tactic: str | None
    attribute: str | None
    restriction: str | None


class Board(Record, frozen=True, kw_only=True):
    """The starts of both sides, the neutral locations, and the numbers of the base game."""

    provenance: str
    marks: dict[str, str]
    bottom: tuple[Hex, ...]
    top: tuple[Hex, ...]
    neutral: tuple[Hex, ...]
    markers: int
    hand: int
    in_bag: int


class Numbers(Record, frozen=True, kw_only=True):
    """What the solo game and the drafts are set up with, as solo.toml says."""

    shown: int
    kept: int
    shown_duel: int
    picks: tuple[int, ...]
    royal_coins: dict[str, int]
    royal_mode: dict[str, dict[str, str]]
    turns: int


def _units() -> dict[Coin, Unit]:
    rows = read_json(PACKAGE, "data/units.json")["units"]
    try:
        units = revive(tuple[Unit, ...], rows)
    except Malformed as fault:
        raise Invalid("data/units.json", str(fault)) from fault
    return {unit.id: unit for unit in units}


def _board() -> Board:
    try:
        board: Board = revive(Board, read_json(PACKAGE, "data/board.json"))
    except Malformed as fault:
        raise Invalid("data/board.json", str(fault)) from fault
    for one in (*board.bottom, *board.top, *board.neutral):
        if one not in HEXES:
            raise Invalid("data/board.json", f"the board has no hex {one}")
    return board


def _lineups() -> dict[str, tuple[tuple[Coin, ...], ...]]:
    found = read_json(PACKAGE, "data/lineups.json")["lineups"]
    return {name: tuple(tuple(map(Coin, side)) for side in sides) for name, sides in found.items()}


def _numbers() -> Numbers:
    rows = read_toml(PACKAGE, "data/solo.toml")
    try:
        numbers: Numbers = revive(
            Numbers,
            {
                "shown": rows["draft"]["shown"],
                "kept": rows["draft"]["kept"],
                "shown_duel": rows["draft"]["duel"]["shown"],
                "picks": rows["draft"]["duel"]["picks"],
                "royal_coins": rows["royal_coins"],
                "royal_mode": rows["royal_mode"],
                "turns": rows["end"]["turns"],
            },
        )
    except (Malformed, KeyError) as fault:
        raise Invalid("data/solo.toml", str(fault)) from fault
    return numbers


UNITS = _units()
"""All units by id, in the order of their names."""

BOARD = _board()
LINEUPS = _lineups()
"""The rulebook's line-ups by name: the four cards of each side."""

NUMBERS = _numbers()
LOCATIONS: tuple[Hex, ...] = tuple(one for one in HEXES if one in {*BOARD.bottom, *BOARD.top, *BOARD.neutral})
"""The ten locations in the fixed order."""

DECK: tuple[Coin, ...] = tuple(unit.id for unit in UNITS.values() if unit.automaton)
"""The cards that the automaton can play."""

COIN_ORDER: dict[Coin, int] = {coin: place for place, coin in enumerate((*UNITS, ROYAL, HIDDEN))}


def sorted_coins(coins: object) -> tuple[Coin, ...]:
    """Coins in the order of their names, the Royal Coin last."""
    return tuple(sorted(coins, key=COIN_ORDER.__getitem__))  # type: ignore[call-overload]  # any iterable of coins


def name(coin: Coin) -> str:
    """A coin as people call it: "Light Cavalry", "Royal Coin"."""
    return UNITS[coin].name if coin in UNITS else {"royal": "Royal Coin", "?": "hidden"}[coin]
