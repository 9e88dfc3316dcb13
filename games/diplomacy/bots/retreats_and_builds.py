"""Retreats, builds and removals of the advanced bot, each by the worth of the position after it."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.diplomacy.bots.candidates import buildable_units
from games.diplomacy.bots.common import Situation
from games.diplomacy.bots.evaluation import Standpoint, Valuation
from games.diplomacy.bots.explanations import OrderVerdict, Outweighs
from games.diplomacy.model import (
    AnyOrder,
    Beaten,
    Build,
    Disband,
    Kind,
    Move,
    Province,
    Waive,
    split_spot,
)
from games.protocol import Due

Occupants = dict[int, tuple[str, Kind]]

_MET = 0.5
"""The share of its worth that a retreat keeps if another unit may retreat there too, since both would be
disbanded."""


@dataclass(frozen=True)
class _ValuedOrder:
    """An order, the worth of the position after it, and the units there."""

    order: AnyOrder
    worth: float
    after: Occupants


def retreats(situation: Situation, due: Due, valuation: Valuation) -> tuple[OrderVerdict, ...]:
    """Return the retreats of the seat's dislodged units, each to a different place and none to the taboo."""
    wanted = {owed.slot for owed in due.owes}
    others = [beaten_unit for beaten_unit in situation.view.beaten if beaten_unit.unit.power != due.seat]
    met = {split_spot(spot)[0] for beaten_unit in others for spot in beaten_unit.retreats}
    occupants = _present(situation)
    verdicts = []
    for beaten in situation.view.beaten:
        if beaten.unit.power == due.seat and Disband(unit=beaten.unit.piece).slot in wanted:
            verdict, occupants = _best(_ways_out(situation, beaten, occupants, met, valuation))
            verdicts.append(verdict)
    return tuple(verdicts)


def builds(situation: Situation, count: int, valuation: Valuation) -> tuple[OrderVerdict, ...]:
    """Return the builds with their places."""
    index, occupants = situation.board.index, _present(situation)
    pieces = buildable_units(situation.variant, situation.view, situation.seat)
    verdicts = []
    for _ in range(count):
        options = []
        for piece in pieces:
            if index[piece.at] not in occupants:
                after = {**occupants, index[piece.at]: (situation.seat, piece.kind)}
                options.append(_ValuedOrder(Build(unit=piece), valuation.worth(Standpoint(after)), after))
        verdict, occupants = _best(options or [_ValuedOrder(Waive(), 0.0, occupants)])
        verdicts.append(verdict)
    return tuple(verdicts)


def removals(situation: Situation, count: int, valuation: Valuation) -> tuple[OrderVerdict, ...]:
    """Return the units to remove: those whose loss costs the least."""
    index, occupants = situation.board.index, _present(situation)
    verdicts = []
    for _ in range(min(count, len(situation.mine))):
        options = []
        for unit in situation.mine:
            if index[unit.at] in occupants:
                after = {at: who for at, who in occupants.items() if at != index[unit.at]}
                options.append(
                    _ValuedOrder(Disband(unit=unit.piece), valuation.worth(Standpoint(after)), after)
                )
        verdict, occupants = _best(options)
        verdicts.append(verdict)
    return tuple(verdicts)


def _ways_out(
    situation: Situation, beaten: Beaten, occupants: Occupants, met: set[Province], valuation: Valuation
) -> list[_ValuedOrder]:
    unit, index = beaten.unit, situation.board.index
    gone = _ValuedOrder(Disband(unit=unit.piece), valuation.worth(Standpoint(occupants)), occupants)
    ways = [
        (at, coast)
        for at, coast in map(split_spot, beaten.retreats)
        if index[at] not in occupants and at != situation.taboo_province
    ]
    options = []
    # A place that should stay empty is only the last choice.
    for at, coast in [way for way in ways if way[0] not in situation.closed_provinces] or ways:
        after = {**occupants, index[at]: (situation.seat, unit.kind)}
        gain = valuation.worth(Standpoint(after)) - gone.worth
        worth = gone.worth + (gain * _MET if at in met and gain > 0 else gain)
        options.append(_ValuedOrder(Move(unit=unit.piece, to=at, coast=coast), worth, after))
    return [*options, gone]


def _present(situation: Situation) -> Occupants:
    return {situation.board.index[unit.at]: (unit.power, unit.kind) for unit in situation.view.units}


def _best(options: Sequence[_ValuedOrder]) -> tuple[OrderVerdict, Occupants]:
    """Return the option worth the most, the first of equals, and the occupants of the provinces after it."""
    best, *others = sorted(options, key=lambda option: -option.worth)
    motive = Outweighs(
        instead=others[0].order if others else None,
        margin=best.worth - others[0].worth if others else 0.0,
        of=len(options),
    )
    return OrderVerdict(best.order, motive), best.after
