"""Compares two verdicts on a season of standard Diplomacy: ours, and an independent one."""

from games.diplomacy.events import Dislodged, Resolved
from games.diplomacy.model import AnyOrder, Convoy, Hold, Move, Province, SupportMove, split_spot
from games.protocol import Event
from games.record import replace_fields
from tests.kit.random_seasons import Skirmish
from tests.kit.standard import DICE, RULES
from tests.kit.verdicts import Verdict, name

Differing = tuple[set[str], dict[str, tuple[frozenset[Province] | None, frozenset[Province] | None]]]


def difference(season: Skirmish, theirs: Verdict) -> Differing | None:
    """Return the differences in units and retreats, or None if both agree.

    The package offers a unit dislodged by a convoyed army retreats to occupied provinces and to those with a
    stand-off. They are left out.
    """
    done = RULES.adjudicate(season.state, season.given, DICE)
    units = {name(unit) for unit in done.state.units}
    told = [event for event in done.events if isinstance(event, Dislodged)]
    retreats = {name(one.unit): frozenset(one.retreats) for one in told if one.retreats}
    shut = {unit.at for unit in done.state.units} | _stood_off(done.events)
    overseas = {name(one.unit) for one in told if _is_overseas(season, one.by.at)}
    offered = {
        unit: frozenset(there for there in near if unit not in overseas or split_spot(there)[0] not in shut)
        for unit, near in theirs.retreats.items()
    }
    offered = {unit: near for unit, near in offered.items() if near}
    if units == theirs.units and retreats == offered:
        return None
    return units ^ theirs.units, {one: (retreats.get(one), offered.get(one)) for one in {*retreats, *offered}}


def hold_self_attacks(season: Skirmish) -> Skirmish:
    """Return the season with holds in place of orders against one's own units.

    These are supports against a unit of the same nation, and attacks on its own convoying fleet.
    """
    owner = {unit.at: unit.power for unit in season.state.units}
    fleets = {at for at, order in season.orders.items() if isinstance(order, Convoy)}
    suspects: dict[Province, AnyOrder] = {
        at: Hold(unit=order.unit)
        for at, order in season.orders.items()
        if isinstance(order, Move | SupportMove)
        and owner.get(order.to) == owner[at]
        and (isinstance(order, SupportMove) or order.to in fleets)
    }
    return Skirmish(season.state, {**season.orders, **suspects})


def apply_options(season: Skirmish, options: dict[str, str]) -> Skirmish:
    """Return the season under a choice of rules."""
    return Skirmish(replace_fields(season.state, options=options), season.orders)


def _is_overseas(season: Skirmish, at: Province) -> bool:
    """Return whether an army goes by convoy: a fleet convoys it there."""
    order = season.orders[at]
    return any(
        isinstance(other, Convoy) and other.other.at == at and other.to == order.to
        for other in season.orders.values()
    )


def _stood_off(events: tuple[Event, ...]) -> set[Province]:
    """Return the provinces with a failed move."""
    return {
        event.order.to
        for event in events
        if isinstance(event, Resolved) and event.outcome == "bounced" and isinstance(event.order, Move)
    }
