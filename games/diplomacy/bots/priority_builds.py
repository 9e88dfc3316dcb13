"""Retreats, builds and removals after the moves, each by an order of priorities."""

from collections import Counter

from games.dice import Dice
from games.diplomacy.bots.candidates import buildable_units
from games.diplomacy.bots.common import Situation, choose, of_unit, site_criteria
from games.diplomacy.bots.reasons import Dissolves, Flees, Forgoes, GivesUp, PlannedOrder, Raises
from games.diplomacy.model import Beaten, Build, Disband, Kind, Move, Piece, Province, Unit, Waive, split_spot
from games.priorities import Criterion, applies
from games.protocol import Due


def retreats(situation: Situation, due: Due, dice: Dice) -> tuple[PlannedOrder, ...]:
    """Return where the seat's beaten units go: each to its own place, and none to a taboo one."""
    wanted = {owed.slot for owed in due.owes}
    taken: set[Province] = set()
    planned_orders = []
    for beaten in situation.view.beaten:
        if beaten.unit.power == due.seat and Disband(unit=beaten.unit.piece).slot in wanted:
            planned = _retreat(situation, beaten, taken, dice)
            planned_orders.append(planned)
            if isinstance(planned.order, Move):
                taken.add(planned.order.to)
    return tuple(planned_orders)


def builds(situation: Situation, count: int, dice: Dice) -> tuple[PlannedOrder, ...]:
    """Return the builds: home centres that enemies can come to first, then those nearest to the front."""
    pieces = list(buildable_units(situation.variant, situation.view, situation.seat))
    kinds = Counter(unit.kind for unit in situation.mine)
    planned_orders = []
    for number in range(count):
        if not pieces:
            planned_orders.append(PlannedOrder(Waive(), Forgoes()))
            continue
        lists: tuple[Criterion[Piece], ...] = site_criteria(situation, "the site", of_unit)
        criteria = (
            applies("a site to which enemies can come", lambda piece: situation.threat(piece.at) > 0),
            lists[0],
            Criterion("of the kind of which there are fewer", lambda piece: kinds[piece.kind]),
            *lists[1:],
        )
        piece, why = choose("build", pieces, criteria, dice, f"build/{number}", lambda option: option.spot)
        kinds[piece.kind] += 1
        pieces = [other for other in pieces if other.at != piece.at]
        planned_orders.append(PlannedOrder(Build(unit=piece), Raises(kind=piece.kind, weighed=(why,))))
    return tuple(planned_orders)


def removals(situation: Situation, count: int, dice: Dice) -> tuple[PlannedOrder, ...]:
    """Return the units to remove: first those that keep no centre, of these the farthest from any prize."""
    units = list(situation.mine)
    planned_orders = []
    for number in range(min(count, len(units))):
        criteria: tuple[Criterion[Unit], ...] = (
            applies("keeps no centre", lambda unit: not situation.is_keeper(unit)),
            Criterion("farthest from a centre to win", lambda unit: -situation.nearest(unit)),
            applies("has no enemy next door", lambda unit: not situation.enemies(unit.at)),
            Criterion(
                "farthest from the middle of the board", lambda unit: -situation.ways.outward.get(unit.at, 0)
            ),
        )
        unit, why = choose(
            "remove", units, criteria, dice, f"remove/{number}", lambda candidate: candidate.at
        )
        units.remove(unit)
        planned_orders.append(PlannedOrder(Disband(unit=unit.piece), Dissolves(weighed=(why,))))
    return tuple(planned_orders)


def _retreat(situation: Situation, beaten: Beaten, taken: set[Province], dice: Dice) -> PlannedOrder:
    unit = beaten.unit
    ways = [spot for spot in beaten.retreats if split_spot(spot)[0] not in (situation.taboo_province, *taken)]
    # What was agreed to stay empty is only a last way.
    ways = [spot for spot in ways if split_spot(spot)[0] not in situation.closed_provinces] or ways
    if not ways:
        return PlannedOrder(Disband(unit=unit.piece), GivesUp())

    def is_worth(spot: Province) -> bool:
        return split_spot(spot)[0] in situation.prizes or split_spot(spot)[0] in situation.own_centres

    def where(spot: Province) -> tuple[Kind, Province]:
        return unit.kind, spot

    criteria = (
        applies("away from friends' centres", lambda spot: not situation.is_friends(split_spot(spot)[0])),
        applies("to a centre of its own or to win", is_worth),
        Criterion(
            "where the fewest enemies can come", lambda spot: len(situation.enemies(split_spot(spot)[0]))
        ),
        *site_criteria(situation, "the place", where),
    )
    spot, why = choose("retreat", ways, criteria, dice, f"retreat/{unit.at}")
    to, coast = split_spot(spot)
    return PlannedOrder(Move(unit=unit.piece, to=to, coast=coast), Flees(weighed=(why,)))
