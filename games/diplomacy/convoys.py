"""Convoys: which fleets carry which army, and which armies go by sea."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.diplomacy.board import Board
from games.diplomacy.model import AnyOrder, Convoy, Move, Province
from games.diplomacy.routes import is_open
from games.diplomacy.rulebook import Rulebook


@dataclass(frozen=True)
class Embarked:
    """Who goes by convoy, by province.

    carriers: the fleets that carry each army at sea, as a set of bits; carrying: the army of each fleet whose
    order matches that army's move, whether or not it needs a convoy.
    """

    carriers: dict[int, int]
    carrying: dict[int, int]


def embark(
    board: Board, rulebook: Rulebook, nation: Sequence[str | None], orders: Mapping[Province, AnyOrder]
) -> Embarked:
    """Decide which armies go by convoy. nation: whose unit stands where; orders: lawful ones.

    An army that cannot walk to its goal does; one that can does so if it says VIA, or if a fleet of its own
    nation convoys it and the way is open (Rulebook.convoy_intent). One that says VIA though no fleets were
    ordered to convoy it all the way stays, or walks (Rulebook.missing_convoy). Nobody walks later.

    Source: Diplomacy; DATC 4.A.3, reading of 2023.
    """
    index = board.index
    fleets = [(index[at], order) for at, order in orders.items() if isinstance(order, Convoy)]
    moves = {
        index[at]: order for at, order in orders.items() if isinstance(order, Move) and order.unit.kind == "A"
    }
    carrying: dict[int, int] = {}
    bits: dict[int, int] = {}
    for fleet, convoy in fleets:
        army = index[convoy.other.at]
        if army in moves and moves[army].to == convoy.to:
            carrying[fleet] = army
            bits[army] = bits.get(army, 0) | 1 << fleet
    carriers: dict[int, int] = {}
    for army, move in moves.items():
        ready = bits.get(army, 0)
        walks = move.to in board.army[move.unit.at]
        if not walks or (move.via and rulebook.missing_convoy == "stays"):
            carriers[army] = ready
        elif ready and is_open(board.waters, army, index[move.to], ready):
            own = any(carrying[one] == army and nation[one] == nation[army] for one in carrying)
            shown = rulebook.convoy_intent == "any-fleet" or (own and rulebook.convoy_intent == "own-fleet")
            if move.via or shown:
                carriers[army] = ready
    return Embarked(carriers, carrying)
