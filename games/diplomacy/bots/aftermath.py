"""Retreats, builds and removals of the advanced, each by what the position is worth then."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.diplomacy.bots.candidates import buildable
from games.diplomacy.bots.situation import Situation
from games.diplomacy.bots.valuation import Standpoint, Valuation
from games.diplomacy.bots.verdicts import Outweighs, Verdict
from games.diplomacy.model import (
    AnyOrder,
    Beaten,
    Build,
    Disband,
    Kind,
    Move,
    Province,
    Waive,
    parted,
)
from games.protocol import Due

Occupants = dict[int, tuple[str, Kind]]

_MET = 0.5
"""What a retreat keeps of its worth to a place that somebody else may retreat to: both would be gone."""


@dataclass(frozen=True)
class _Option:
    """An order, and what the position is worth with it."""

    order: AnyOrder
    worth: float
    after: Occupants


def retreats(situation: Situation, due: Due, valuation: Valuation) -> tuple[Verdict, ...]:
    """Where the seat's beaten units go, no two of them to one place, and none where it is taboo."""
    wanted = {owed.slot for owed in due.owes}
    others = [one for one in situation.view.beaten if one.unit.power != due.seat]
    met = {parted(spot)[0] for one in others for spot in one.retreats}
    occupants = _present(situation)
    found = []
    for beaten in situation.view.beaten:
        if beaten.unit.power == due.seat and Disband(unit=beaten.unit.piece).slot in wanted:
            verdict, occupants = _best(_ways_out(situation, beaten, occupants, met, valuation))
            found.append(verdict)
    return tuple(found)


def builds(situation: Situation, count: int, valuation: Valuation) -> tuple[Verdict, ...]:
    """What is built where."""
    index, occupants = situation.board.index, _present(situation)
    pieces = buildable(situation.variant, situation.view, situation.seat)
    found = []
    for _ in range(count):
        options = []
        for piece in pieces:
            if index[piece.at] not in occupants:
                after = {**occupants, index[piece.at]: (situation.seat, piece.kind)}
                options.append(_Option(Build(unit=piece), valuation.worth(Standpoint(after)), after))
        verdict, occupants = _best(options or [_Option(Waive(), 0.0, occupants)])
        found.append(verdict)
    return tuple(found)


def removals(situation: Situation, count: int, valuation: Valuation) -> tuple[Verdict, ...]:
    """Which units go: those without which the most is left."""
    index, occupants = situation.board.index, _present(situation)
    found = []
    for _ in range(min(count, len(situation.mine))):
        options = []
        for unit in situation.mine:
            if index[unit.at] in occupants:
                after = {at: who for at, who in occupants.items() if at != index[unit.at]}
                options.append(_Option(Disband(unit=unit.piece), valuation.worth(Standpoint(after)), after))
        verdict, occupants = _best(options)
        found.append(verdict)
    return tuple(found)


def _ways_out(
    situation: Situation, beaten: Beaten, occupants: Occupants, met: set[Province], valuation: Valuation
) -> list[_Option]:
    unit, index = beaten.unit, situation.board.index
    gone = _Option(Disband(unit=unit.piece), valuation.worth(Standpoint(occupants)), occupants)
    ways = [
        (at, coast)
        for at, coast in map(parted, beaten.retreats)
        if index[at] not in occupants and at != situation.shunned
    ]
    options = []
    # What was agreed to stay empty is only a last way.
    for at, coast in [way for way in ways if way[0] not in situation.shut] or ways:
        after = {**occupants, index[at]: (situation.seat, unit.kind)}
        gain = valuation.worth(Standpoint(after)) - gone.worth
        worth = gone.worth + (gain * _MET if at in met and gain > 0 else gain)
        options.append(_Option(Move(unit=unit.piece, to=at, coast=coast), worth, after))
    return [*options, gone]


def _present(situation: Situation) -> Occupants:
    return {situation.board.index[unit.at]: (unit.power, unit.kind) for unit in situation.view.units}


def _best(options: Sequence[_Option]) -> tuple[Verdict, Occupants]:
    """The option worth the most, the first of equals, and who stands where after it."""
    best, *others = sorted(options, key=lambda one: -one.worth)
    motive = Outweighs(
        instead=others[0].order if others else None,
        margin=best.worth - others[0].worth if others else 0.0,
        of=len(options),
    )
    return Verdict(best.order, motive), best.after
