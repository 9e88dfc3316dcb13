"""Convoys: which fleets carry which army, and which armies go by sea."""

from collections.abc import Iterable, Mapping

from games.diplomacy.adjudication.convoy_routes import places_of_bits
from games.diplomacy.adjudication.encoded_orders import EncodedOrder, IndexedPosition


def embark(
    mustered: IndexedPosition,
    goal: Mapping[int, int],
    convoys: Mapping[int, EncodedOrder],
    overseas: Iterable[int],
) -> tuple[dict[int, int], dict[int, int]]:
    """Decide which armies go by convoy: by army the fleets that carry it, as a set of bits, and by fleet the
    army that it carries, whether or not this one needs a convoy.

    goal: by province, where its unit goes; convoys: by fleet, whom it is to carry where; overseas: the armies
    that cannot walk to their goals, or say VIA.

    An army that cannot walk to its goal does; one that can does so if it says VIA, or if a fleet of its own
    nation convoys it and the way is open (Rulebook.convoy_intent). One that says VIA though no fleets were
    ordered to convoy it all the way stays, or walks (Rulebook.missing_convoy). Nobody walks later.

    Source: Diplomacy; DATC 4.A.3, reading of 2023.
    """
    carrying: dict[int, int] = {}
    bits: dict[int, int] = {}
    for fleet, (_, _, army, to, _) in convoys.items():
        if goal.get(army) == to:
            carrying[fleet] = army
            bits[army] = bits.get(army, 0) | 1 << fleet
    carriers: dict[int, int] = {}
    for army in overseas:
        ready = bits.pop(army, 0)
        if goes_by_convoy(mustered, army, goal[army], ready, at_sea=True):
            carriers[army] = ready
    carriers |= {
        army: ready
        for army, ready in bits.items()
        if goes_by_convoy(mustered, army, goal[army], ready, at_sea=False)
    }
    return carriers, carrying


def goes_by_convoy(mustered: IndexedPosition, army: int, goal: int, ready: int, *, at_sea: bool) -> bool:
    """Return whether an army goes by convoy, by the rules of `embark`.

    ready: the fleets that were ordered to carry it, as a set of bits; at_sea: whether it is of `overseas`.
    """
    rulebook, nation = mustered.rulebook, mustered.nation
    if at_sea:
        walks = mustered.board.walks[army] >> goal & 1
        return not walks or rulebook.missing_convoy == "stays" or mustered.is_open(army, goal, ready)
    if rulebook.convoy_intent == "written" or not mustered.is_open(army, goal, ready):
        return False
    return rulebook.convoy_intent == "any-fleet" or any(
        nation[fleet] == nation[army] for fleet in places_of_bits(ready)
    )
