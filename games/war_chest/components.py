"""The sixteen units, and the types of the game's data files."""

from typing import NewType

from games.data import read_value
from games.record import Record
from games.war_chest.board import Hex

PACKAGE = "games.war_chest"

Coin = NewType("Coin", str)
"""A coin: the id of its unit, ``ROYAL_COIN``, or ``HIDDEN_COIN`` if the viewer may not see it."""

Card = Coin
"""The id of a unit, which is also that of its coins."""

ROYAL_COIN = Coin("royal")
HIDDEN_COIN = Coin("?")

ARCHER, BERSERKER, CAVALRY, CROSSBOWMAN = map(Coin, ("archer", "berserker", "cavalry", "crossbowman"))
ENSIGN, FOOTMAN, KNIGHT, LANCER = map(Coin, ("ensign", "footman", "knight", "lancer"))
LIGHT_CAVALRY, MARSHALL, MERCENARY = map(Coin, ("light_cavalry", "marshall", "mercenary"))
PIKEMAN, ROYAL_GUARD, SCOUT = map(Coin, ("pikeman", "royal_guard", "scout"))
SWORDSMAN, WARRIOR_PRIEST = map(Coin, ("swordsman", "warrior_priest"))


class UnitCard(Record, frozen=True, kw_only=True):
    """A unit's card with its number of coins and its abilities.

    automaton: whether the automaton's deck contains the card. normal_attack: whether the unit can attack an
    adjacent unit without its tactic. most_on_board: the number of such units that a side may have on the
    board at once.
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
    """The starting locations of both sides, the neutral locations, and the numbers of the base game.

    markers: the control markers of each side; placing all of them wins. hand: the size of a full hand.
    in_bag: the coins of each card that start in the bag.
    """

    provenance: str
    marks: dict[str, str]
    bottom: tuple[Hex, ...]
    top: tuple[Hex, ...]
    neutral: tuple[Hex, ...]
    markers: int
    hand: int
    in_bag: int


class Duel(Record, frozen=True, kw_only=True):
    """The draft of two players: the number of cards shown, and the number picked in each pick."""

    shown: int
    picks: tuple[int, ...]


class DraftRules(Record, frozen=True, kw_only=True):
    """The draft against the automaton: the number of cards shown, and of those each side keeps."""

    shown: int
    kept: int
    duel: Duel


class End(Record, frozen=True, kw_only=True):
    """The end of an undecided game. turns: the number of turns per side after which it is a draw."""

    turns: int


class SoloFigures(Record, frozen=True, kw_only=True):
    """The numbers of the solo game and of the drafts, as in solo.toml."""

    draft: DraftRules
    royal_coins: dict[str, int]
    royal_mode: dict[str, dict[str, str]]
    end: End


class Units(Record, frozen=True, kw_only=True):
    """The contents of units.json."""

    provenance: str
    marks: dict[str, str]
    units: tuple[UnitCard, ...]


class Lineups(Record, frozen=True, kw_only=True):
    """The line-ups of the rulebook by name, each with the cards of both sides."""

    provenance: str
    marks: dict[str, str]
    lineups: dict[str, tuple[tuple[Coin, ...], tuple[Coin, ...]]]


UNIT_NAMES: dict[Coin, str] = {
    unit.id: unit.name for unit in read_value(PACKAGE, "data/units.json", Units).units
}
"""The names of the units by id, in alphabetical order. They are the same in every game."""

COIN_ORDER: dict[Coin, int] = {
    coin: place for place, coin in enumerate((*UNIT_NAMES, ROYAL_COIN, HIDDEN_COIN))
}


def sorted_coins(coins: object) -> tuple[Coin, ...]:
    """Return the coins in the order of their names, the Royal Coin last."""
    return tuple(sorted(coins, key=COIN_ORDER.__getitem__))  # type: ignore[call-overload]  # any iterable of coins


def name(coin: Coin) -> str:
    """Return the printed name of a coin: "Light Cavalry", "Royal Coin"."""
    return UNIT_NAMES[coin] if coin in UNIT_NAMES else {"royal": "Royal Coin", "?": "hidden"}[coin]
