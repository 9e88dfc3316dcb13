"""A movement season as it is planned: who has his order, who stays and may support, who goes where."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from games.dice import Dice
from games.diplomacy.adjudication.afloat import is_afloat
from games.diplomacy.bots.common import Situation
from games.diplomacy.bots.reasons import AnyMotive, Backs, PlannedOrder
from games.diplomacy.model import Hold, Move, Province, SupportMove, Unit, UnitOrder, split_spot
from games.protocol import Seat


@dataclass
class SeasonPlan:
    """The season being planned. It grows until every unit has its order.

    planned: by unit; rooted: who does not leave his place, and why: he may support from there; taken: where
    ours will stand; backing: for each place that ours go to, how many take part and how many are wanted.
    """

    situation: Situation
    dice: Dice
    planned: dict[Unit, PlannedOrder] = field(default_factory=dict)
    rooted: dict[Unit, AnyMotive] = field(default_factory=dict)
    taken: set[Province] = field(default_factory=set)
    backing: dict[Province, tuple[Unit, int, int]] = field(default_factory=dict)

    def idle(self) -> tuple[Unit, ...]:
        """Units without an order, in board order."""
        return tuple(unit for unit in self.situation.mine if unit not in self.planned)

    def free(self) -> tuple[Unit, ...]:
        """Units without an order that may leave their places."""
        return tuple(unit for unit in self.idle() if unit not in self.rooted)

    def root(self, unit: Unit, motive: AnyMotive) -> None:
        """Let a unit stay where it is; what it does there is not settled by that."""
        self.rooted[unit] = motive
        self.taken.add(unit.at)

    def order(self, unit: Unit, order: UnitOrder, motive: AnyMotive) -> None:
        """Settle what a unit does; the place where it will stand is taken from then on."""
        self.planned[unit] = PlannedOrder(order, motive)
        self.taken.add(order.to if isinstance(order, Move) else unit.at)

    def hold(self, unit: Unit, motive: AnyMotive) -> None:
        """Let a unit stand."""
        self.order(unit, Hold(unit=unit.piece), motive)

    def lead(self, unit: Unit, spot: Province, motive: AnyMotive, wanted: int) -> None:
        """Send a unit to a spot, where others may support it: so many are wanted, itself included.

        Who comes ashore from a canoe-fleet cannot be supported (Indianomacy §6, ruling C12).
        """
        self.order(unit, self.situation.move(unit, spot), motive)
        if not is_afloat(self.situation.board, unit):
            self.backing[split_spot(spot)[0]] = unit, 1, wanted

    def back(self, unit: Unit, to: Province) -> None:
        """Let a unit support the comrade that goes to a place."""
        lead, number, wanted = self.backing[to]
        order = SupportMove(unit=unit.piece, other=lead.piece, to=to)
        self.order(unit, order, Backs(to=to, number=number + 1, of=wanted))
        self.backing[to] = lead, number + 1, wanted

    def is_open(self, place: Province) -> bool:
        """Return whether one of ours may go to a place: none will be there, and it is empty or being left."""
        unit = self.situation.standing.get(place)
        is_left = unit is None or (unit in self.planned and isinstance(self.planned[unit].order, Move))
        return is_left and place not in self.taken and place not in self.situation.closed_provinces

    def lacking(self) -> tuple[Province, ...]:
        """The places that ours go to with fewer than are wanted."""
        return tuple(to for to, (_, number, wanted) in self.backing.items() if number < wanted)

    def is_leaving(self, unit: Unit) -> bool:
        """Return whether a unit of ours is ordered away."""
        return unit in self.planned and isinstance(self.planned[unit].order, Move)


def powers_of(units: Sequence[Unit]) -> tuple[Seat, ...]:
    """Return the nations of some units, each once."""
    return tuple(dict.fromkeys(unit.power for unit in units))
