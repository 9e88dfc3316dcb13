"""Any lawful order: the opponent that whoever plans at all must beat. It plays in tournaments only."""

from games.dice import Dice
from games.diplomacy.boards.variants import Variant
from games.diplomacy.bots.candidates import Repertoire, buildable_units
from games.diplomacy.model import (
    AnyOrder,
    Beaten,
    Build,
    Disband,
    Move,
    View,
    Waive,
    split_spot,
)
from games.protocol import Choice, Due

REASON = "drawn among all that is lawful"


class Aimless:
    """Draws each order among the lawful ones: implements `protocol.Bot`."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """The orders for one Due: each unit's is drawn by itself, whatever the others do."""
        return tuple(Choice(order=order, reason=REASON) for order in self._draw_orders(view, due, dice))

    def _draw_orders(self, view: View, due: Due, dice: Dice) -> list[AnyOrder]:
        variant = self._variant.under(view.options)
        if due.kind == "moves":
            repertoire = Repertoire(variant, view)
            mine = repertoire.mine(due.seat)
            return [dice.pick(f"order/{unit.at}", repertoire.orders(unit)) for unit in mine]
        if due.kind == "retreats":
            beaten = [beaten_unit for beaten_unit in view.beaten if beaten_unit.unit.power == due.seat]
            return [
                dice.pick(f"retreat/{beaten_unit.unit.at}", _ways_out(beaten_unit)) for beaten_unit in beaten
            ]
        count = due.takes or 0
        if Build.__name__ in due.accepts:
            builds: dict[str, AnyOrder] = {}
            for piece in dice.shuffle("build", buildable_units(variant, view, due.seat)):
                builds.setdefault(piece.at, Build(unit=piece))
            return [*builds.values(), *(Waive() for _ in range(count))][:count]
        mine = tuple(unit for unit in view.units if unit.power == due.seat)
        return [Disband(unit=unit.piece) for unit in dice.shuffle("remove", mine)[:count]]


def _ways_out(beaten: Beaten) -> tuple[AnyOrder, ...]:
    piece = beaten.unit.piece
    going = [Move(unit=piece, to=at, coast=coast) for at, coast in map(split_spot, beaten.retreats)]
    return (*going, Disband(unit=piece))
