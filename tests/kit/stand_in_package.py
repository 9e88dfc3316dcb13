"""A stand-in for another package that plays standard Diplomacy, as `gm bench` calls one. Uses our rules."""

import json
from collections.abc import Sequence

from adjudicator.judge import answer_question, find_judge
from tests.kit.standard import BOARD

ANSWERS: list[object] = []
"""The result of every processed game."""


class Game:
    """A game in its first spring. map_name: a kind of game."""

    def __init__(self, map_name: str = "standard") -> None:
        self.map_name = map_name
        self._names = {power.upper(): power for power in BOARD.powers}
        self._units: dict[str, list[str]] = {name: ["A PAR"] for name in self._names.values()}
        self._orders: dict[str, list[str]] = {}

    def clear_units(self) -> None:
        """Remove all units from the map."""
        self._units = {}

    def clear_centers(self) -> None:
        """Ignore centres."""

    def set_units(self, power: str, units: Sequence[str], reset: bool = False) -> None:
        """Place a power's units on the map. reset: remove its other units."""
        name = self._names[power]
        self._units[name] = [*([] if reset else self._units.get(name, [])), *units]

    def set_orders(self, power: str, orders: Sequence[str]) -> None:
        """Set a power's orders."""
        self._orders[self._names[power]] = list(orders)

    def process(self) -> None:
        """Adjudicate the orders."""
        asked = {"phase": "S1901M", "centres": {}, "units": self._units, "orders": self._orders}
        said, is_answer = answer_question(find_judge(self.map_name), json.dumps(asked).encode())
        assert is_answer, said
        ANSWERS.append(said)
