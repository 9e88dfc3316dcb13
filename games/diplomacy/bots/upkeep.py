"""What follows the moves: retreats, builds and removals, each by an order of priorities."""

from collections import Counter

from games.dice import Dice
from games.diplomacy.bots.candidates import buildable
from games.diplomacy.bots.lists import choose, of_unit, sites
from games.diplomacy.bots.motives import Dissolves, Flees, Forgoes, GivesUp, Planned, Raises
from games.diplomacy.bots.situation import Situation
from games.diplomacy.model import Beaten, Build, Disband, Kind, Move, Piece, Province, Unit, Waive, parted
from games.priorities import Criterion, applies
from games.protocol import Due


def retreats(situation: Situation, due: Due, dice: Dice) -> tuple[Planned, ...]:
    """Where the seat's beaten units go, no two of them to one place, and none where it is taboo."""
    wanted = {owed.slot for owed in due.owes}
    taken: set[Province] = set()
    found = []
    for beaten in situation.view.beaten:
        if beaten.unit.power == due.seat and Disband(unit=beaten.unit.piece).slot in wanted:
            planned = _retreat(situation, beaten, taken, dice)
            found.append(planned)
            if isinstance(planned.order, Move):
                taken.add(planned.order.to)
    return tuple(found)


def builds(situation: Situation, count: int, dice: Dice) -> tuple[Planned, ...]:
    """What is built where: home centres to which enemies can come first, then those nearest to the front."""
    pieces = list(buildable(situation.variant, situation.view, situation.seat))
    kinds = Counter(unit.kind for unit in situation.mine)
    found = []
    for number in range(count):
        if not pieces:
            found.append(Planned(Waive(), Forgoes()))
            continue
        lists: tuple[Criterion[Piece], ...] = sites(situation, "the site", of_unit)
        criteria = (
            applies("a site to which enemies can come", lambda piece: situation.threat(piece.at) > 0),
            lists[0],
            Criterion("of the kind of which there are fewer", lambda piece: kinds[piece.kind]),
            *lists[1:],
        )
        piece, why = choose("build", pieces, criteria, dice, f"build/{number}", lambda one: one.spot)
        kinds[piece.kind] += 1
        pieces = [one for one in pieces if one.at != piece.at]
        found.append(Planned(Build(unit=piece), Raises(kind=piece.kind, weighed=(why,))))
    return tuple(found)


def removals(situation: Situation, count: int, dice: Dice) -> tuple[Planned, ...]:
    """Which units go: first who keeps no centre, of these who is farthest from what there is to win."""
    left = list(situation.mine)
    found = []
    for number in range(min(count, len(left))):
        criteria: tuple[Criterion[Unit], ...] = (
            applies("keeps no centre", lambda unit: not situation.is_keeper(unit)),
            Criterion("farthest from a centre to win", lambda unit: -situation.nearest(unit)),
            applies("has no enemy next door", lambda unit: not situation.enemies(unit.at)),
            Criterion(
                "farthest from the middle of the board", lambda unit: -situation.ways.outward.get(unit.at, 0)
            ),
        )
        unit, why = choose("remove", left, criteria, dice, f"remove/{number}", lambda one: one.at)
        left.remove(unit)
        found.append(Planned(Disband(unit=unit.piece), Dissolves(weighed=(why,))))
    return tuple(found)


def _retreat(situation: Situation, beaten: Beaten, taken: set[Province], dice: Dice) -> Planned:
    unit = beaten.unit
    ways = [spot for spot in beaten.retreats if parted(spot)[0] not in (situation.shunned, *taken)]
    # What was agreed to stay empty is only a last way.
    ways = [spot for spot in ways if parted(spot)[0] not in situation.shut] or ways
    if not ways:
        return Planned(Disband(unit=unit.piece), GivesUp())

    def is_worth(spot: Province) -> bool:
        return parted(spot)[0] in situation.prizes or parted(spot)[0] in situation.owned

    def where(spot: Province) -> tuple[Kind, Province]:
        return unit.kind, spot

    criteria = (
        applies("away from friends' centres", lambda spot: not situation.is_friends(parted(spot)[0])),
        applies("to a centre of its own or to win", is_worth),
        Criterion("where the fewest enemies can come", lambda spot: len(situation.enemies(parted(spot)[0]))),
        *sites(situation, "the place", where),
    )
    spot, why = choose("retreat", ways, criteria, dice, f"retreat/{unit.at}")
    to, coast = parted(spot)
    return Planned(Move(unit=unit.piece, to=to, coast=coast), Flees(weighed=(why,)))
