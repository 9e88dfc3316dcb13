"""The same season judged by an independent adjudicator: the `diplomacy` package, installed for tests only."""

import warnings
from dataclasses import dataclass

from games.diplomacy.model import AnyOrder, Province, Unit
from tests.kit.skirmish import Skirmish
from tests.kit.standard import BOARD, NOTATION, written

with warnings.catch_warnings():
    # The package leaves a file open while it loads its map.
    warnings.simplefilter("ignore", ResourceWarning)
    import diplomacy

    MAP = diplomacy.Map("standard")


@dataclass(frozen=True)
class Verdict:
    """Who stands where after a season, and where each dislodged unit may go; units as ``FRANCE A PAR``.

    A unit that has nowhere to go is not listed: it is gone.
    """

    units: frozenset[str]
    retreats: dict[str, frozenset[Province]]


def verdict(skirmish: Skirmish) -> Verdict:
    """What the package makes of a season."""
    game = diplomacy.Game()
    game.clear_units()
    game.clear_centers()
    for power in BOARD.powers:
        units = [f"{unit.kind} {unit.spot}" for unit in skirmish.state.units if unit.power == power]
        game.set_units(power.upper(), units, reset=True)
    for power, orders in skirmish.given.items():
        game.set_orders(power.upper(), [text(order) for order in orders])
    game.process()
    return Verdict(
        frozenset(f"{name} {unit}" for name, power in game.powers.items() for unit in power.units),
        {
            f"{name} {unit}": frozenset(map(Province, near))
            for name, power in game.powers.items()
            for unit, near in power.retreats.items()
            if near
        },
    )


def name(unit: Unit) -> str:
    """A unit as verdicts name it."""
    return f"{unit.power.upper()} {written(unit.piece)}"


def text(order: AnyOrder) -> str:
    """An order as the package reads it: as we write it."""
    return NOTATION.write(order)
