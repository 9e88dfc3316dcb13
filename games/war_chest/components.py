"""The sixteen units, and the types of what a game of them is set up with."""

from typing import NewType

from games.data import read_json
from games.protocol import Invalid
from games.record import Malformed, Record, revive
from games.war_chest.board import Hex

PACKAGE = "games.war_chest"

Coin = NewType("Coin", str)
"""A coin by the id of its unit, or ``ROYAL``; ``HIDDEN`` where a viewer may not know it."""

Card = Coin
"""The id of a unit: what its coins are called."""

ROYAL_COIN = Coin("royal")
HIDDEN_COIN = Coin("?")

ARCHER, BERSERKER, CAVALRY, CROSSBOWMAN = map(Coin, ("archer", "berserker", "cavalry", "crossbowman"))
ENSIGN, FOOTMAN, KNIGHT, LANCER = map(Coin, ("ensign", "footman", "knight", "lancer"))
LIGHT_CAVALRY, MARSHALL, MERCENARY = map(Coin, ("light_cavalry", "marshall", "mercenary"))
PIKEMAN, ROYAL_GUARD, SCOUT = map(Coin, ("pikeman", "royal_guard", "scout"))
SWORDSMAN, WARRIOR_PRIEST = map(Coin, ("swordsman", "warrior_priest"))


class UnitCard(Record, frozen=True, kw_only=True):
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


class Duel(Record, frozen=True, kw_only=True):
    """The draft of two persons: cards shown, and how many are picked in turn."""

    shown: int
    picks: tuple[int, ...]


class DraftRules(Record, frozen=True, kw_only=True):
    """The draft against the automaton: cards shown and kept."""

    shown: int
    kept: int
    duel: Duel


class End(Record, frozen=True, kw_only=True):
    """After so many turns of a side the game is a draw."""

    turns: int


class SoloFigures(Record, frozen=True, kw_only=True):
    """The figures of the solo game and the drafts, as solo.toml gives them."""

    draft: DraftRules
    royal_coins: dict[str, int]
    royal_mode: dict[str, dict[str, str]]
    end: End


class Units(Record, frozen=True, kw_only=True):
    """The file of the units."""

    provenance: str
    marks: dict[str, str]
    units: tuple[UnitCard, ...]


class Lineups(Record, frozen=True, kw_only=True):
    """The rulebook's line-ups by name: the cards of each side."""

    provenance: str
    marks: dict[str, str]
    lineups: dict[str, tuple[tuple[Coin, ...], tuple[Coin, ...]]]


def _read_printed_units() -> Units:
    try:
        units: Units = revive(Units, read_json(PACKAGE, "data/units.json"))
    except Malformed as fault:
        raise Invalid("data/units.json", str(fault)) from fault
    return units


UNIT_NAMES: dict[Coin, str] = {unit.id: unit.name for unit in _read_printed_units().units}
"""What the units are called, by id, in the order of their names: the same in every game."""

COIN_ORDER: dict[Coin, int] = {
    coin: place for place, coin in enumerate((*UNIT_NAMES, ROYAL_COIN, HIDDEN_COIN))
}


def sorted_coins(coins: object) -> tuple[Coin, ...]:
    """Coins in the order of their names, the Royal Coin last."""
    return tuple(sorted(coins, key=COIN_ORDER.__getitem__))  # type: ignore[call-overload]  # any iterable of coins


def name(coin: Coin) -> str:
    """A coin as people call it: "Light Cavalry", "Royal Coin"."""
    return UNIT_NAMES[coin] if coin in UNIT_NAMES else {"royal": "Royal Coin", "?": "hidden"}[coin]
