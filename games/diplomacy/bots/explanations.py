"""The reasons of the advanced bot: how an order does in its simulations, and how much better it is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, assert_never

from games.diplomacy.adjudication.resolver import DecidedSeason
from games.diplomacy.boards.board import Board
from games.diplomacy.bots.common import Situation
from games.diplomacy.bots.plan_cache import Sheet
from games.diplomacy.bots.reasons import Motive, Reasoned
from games.diplomacy.bots.search import Danger, Fear, Trials, orders_of, worst_fear
from games.diplomacy.model import (
    AnyOrder,
    Build,
    BuildCanoe,
    Convoy,
    Destroy,
    Disband,
    Hold,
    Kind,
    Move,
    Province,
    SupportHold,
    SupportMove,
    Unit,
    UnitOrder,
    Waive,
)
from games.messages import sentence
from games.protocol import Choice, Decision

Aim = Literal[
    "takes", "enters", "goes", "bars", "cuts", "stays", "helps in", "helps bar", "helps stay", "carries"
]
"""The purpose of an order: the unit takes a centre (in Fall), enters it (in Spring) or reaches another place;
it keeps others out, cuts a support or stays; or it helps another unit of its power."""

_MIN_RIVAL_SAMPLES = 2
"""An order must have been tried against this many samples to be called the next best."""


class Expects(Motive, frozen=True, kw_only=True):
    """An order of the best sheet that was found.

    aim, at: the order's purpose and its place. hits, samples: the number of samples where it works, and of
    all samples. instead, margin: the best other order of the unit among the sheets tried, and how many
    centres that sheet is worth less, on average over the samples that both were tried against. noise: a
    margin that may be chance. fear: the worst danger in the samples. tried: the number of sheets.
    """

    aim: Aim
    at: Province
    hits: int
    samples: int
    instead: UnitOrder | None
    margin: float
    noise: float
    fear: Fear | None = None
    tried: int


class Outweighs(Motive, frozen=True, kw_only=True):
    """A retreat, a build or a removal, chosen by the worth of the position after it.

    instead: the next best order; margin: how many centres it is worth less; of: the number of choices.
    """

    instead: AnyOrder | None
    margin: float
    of: int


@dataclass(frozen=True)
class OrderVerdict(Reasoned):
    """An order that was compared with others, and the reason for it."""

    motive: Expects | Outweighs

    def choice(self, board: Board) -> Choice[Any]:
        """Return the order with its reason: the expected result and a comparison with the next best."""
        motive = self.motive
        kinds = dict.fromkeys((activity_words(board, self.order), *_others(board, motive)))
        decision = Decision(clause="worth", criterion=_margin(board, motive), choices=tuple(kinds))
        return Choice(self.order, verdict_phrase(board, motive), (decision,))


def reason_verdicts(situation: Situation, trials: Trials, best: Sheet) -> tuple[OrderVerdict, ...]:
    """Return the reasons for each order of a sheet, in board order of the units."""
    settled = [trials.decide_against(best, number) for number in range(len(trials.samples))]
    rivals = _rivals(trials, best)
    index = situation.board.index
    results = []
    for unit in situation.mine:
        order = best[unit.at]
        aim, at, hits = _outcome(situation, trials, best, unit, settled)
        instead, margin, noise = rivals.get(unit.at, (None, 0.0, 0.0))
        motive = Expects(
            aim=aim,
            at=at,
            hits=hits,
            samples=len(settled),
            instead=instead,
            margin=margin,
            noise=noise,
            fear=worst_fear(settled, index, situation.seat, order),
            tried=len(trials.values),
        )
        results.append(OrderVerdict(order, motive))
    return tuple(results)


def _outcome(
    situation: Situation, trials: Trials, best: Sheet, unit: Unit, settled: Sequence[DecidedSeason]
) -> tuple[Aim, Province, int]:
    """Return the aim of a unit's order, its place, and in how many samples it comes about.

    If the order never moves a unit, its aim is to keep others out, or otherwise to cut a support.
    """
    order, index = best[unit.at], situation.board.index
    aim, at, is_met = _aim(situation, unit, order)
    hits = sum(is_met(season, index) for season in settled)
    if not isinstance(order, Move | SupportMove):
        return aim, at, hits
    barred = sum(index[at] in season.contested for season in settled)
    if not hits and not barred:
        barred = _count_barred(situation, trials, best, order, settled)
    if barred > hits:
        return "bars" if isinstance(order, Move) else "helps bar", at, barred
    if isinstance(order, Move) and not hits:
        cut = sum(_cuts(season, index[unit.at], index[at]) for season in settled)
        return ("cuts", at, cut) if cut else (aim, at, hits)
    return aim, at, hits


def _rivals(trials: Trials, best: Sheet) -> Mapping[Province, tuple[UnitOrder, float, float]]:
    """Return each unit's second-best order, with how much less its sheet is worth, and the noise."""
    rivals: dict[Province, tuple[UnitOrder, float, float]] = {}
    fewest = min(_MIN_RIVAL_SAMPLES, len(trials.samples))
    for key in trials.values:
        margin, count = trials.margin(best, key)
        if count < fewest:
            continue
        for at, order in orders_of(key).items():
            if order != best[at] and (at not in rivals or margin < rivals[at][1]):
                rivals[at] = order, margin, trials.noise(best, key)
    return rivals


Met = Callable[[DecidedSeason, Mapping[Province, int]], bool]


def _aim(situation: Situation, unit: Unit, order: UnitOrder) -> tuple[Aim, Province, Met]:
    """Return the aim of an order, its place, and a test of whether a decided season has met it."""
    if isinstance(order, Move):
        aim: Aim = "takes" if situation.is_fall else "enters"
        return aim if order.to in situation.prizes else "goes", order.to, _moves(unit.at, order.to)
    if isinstance(order, SupportMove):
        return "helps in", order.to, _moves(order.other.at, order.to)
    if isinstance(order, Convoy):
        return "carries", order.to, _moves(order.other.at, order.to)
    if isinstance(order, SupportHold):
        return "helps stay", order.other.at, _stays(order.other.at)
    if isinstance(order, Hold | BuildCanoe | Build | Disband):
        return "stays", unit.at, _stays(unit.at)
    assert_never(order)


def _moves(at: Province, to: Province) -> Met:
    return lambda settled, index: settled.moved.get(index[at]) == index[to]


def _stays(at: Province) -> Met:
    return lambda settled, index: index[at] not in settled.beaten


def _count_barred(
    situation: Situation,
    trials: Trials,
    best: Sheet,
    order: Move | SupportMove,
    settled: Sequence[DecidedSeason],
) -> int:
    """Return in how many samples another unit gets to an order's goal if its unit stays, and only then."""
    at, to = order.unit.at, situation.board.index[order.to]
    staying = {**best, at: Hold(unit=order.unit)}

    def is_entered(outcome: DecidedSeason) -> bool:
        nation = outcome.season.nation
        return any(goal == to and nation[come] != situation.seat for come, goal in outcome.moved.items())

    without = [trials.decide_against(staying, number) for number in range(len(settled))]
    pairs = zip(settled, without, strict=True)
    return sum(is_entered(other) and not is_entered(outcome) for outcome, other in pairs)


def _cuts(settled: DecidedSeason, at: int, to: int) -> bool:
    """Return whether an attack by land cuts a support that would have counted.

    A support against the attacker's own province isn't cut.
    """
    season = settled.season
    if at not in season.aimed.get(to, ()) or at in season.carriers or season.nation[at] == season.nation[to]:
        return False
    return season.into.get(to, at) != at and settled.succeeds[to] is False


def verdict_phrase(board: Board, motive: Expects | Outweighs) -> str:
    """Return a reason as text: "takes Belgium in 17 of 20 simulations; 0.42 centres better than staying"."""
    if isinstance(motive, Outweighs):
        return _margin(board, motive)
    parts = [
        sentence(
            _AIM_SLUGS[motive.aim],
            count=motive.samples,
            place=board.name(motive.at),
            hits=motive.hits,
            samples=motive.samples,
        )
    ]
    if motive.fear:
        parts.append(
            sentence(_DANGER_SLUGS[motive.fear.danger], power=motive.fear.by, times=motive.fear.times)
        )
    return "; ".join((*parts, _margin(board, motive)))


_DANGER_SLUGS: Mapping[Danger, str] = {
    "driven out": "diplomacy.bots_simulations.dislodged",
    "in the way": "diplomacy.bots_simulations.blocked",
}


_AIM_SLUGS: Mapping[Aim, str] = {
    "takes": "diplomacy.bots_simulations.takes",
    "enters": "diplomacy.bots_simulations.enters",
    "goes": "diplomacy.bots_simulations.goes",
    "bars": "diplomacy.bots_simulations.bars",
    "cuts": "diplomacy.bots_simulations.cuts",
    "stays": "diplomacy.bots_simulations.stays",
    "helps in": "diplomacy.bots_simulations.helps_in",
    "helps bar": "diplomacy.bots_simulations.helps_bar",
    "helps stay": "diplomacy.bots_simulations.helps_stay",
    "carries": "diplomacy.bots_simulations.carries",
}


def _others(board: Board, motive: Expects | Outweighs) -> tuple[str, ...]:
    return (activity_words(board, motive.instead),) if motive.instead is not None else ()


def _margin(board: Board, motive: Expects | Outweighs) -> str:
    if motive.instead is None:
        if isinstance(motive, Outweighs):
            return sentence("diplomacy.bots_simulations.no_other_choice")
        return sentence("diplomacy.bots_simulations.no_other_tried")
    if round(motive.margin, 2) <= 0:
        slug = "diplomacy.bots_simulations.as_good"
    elif isinstance(motive, Expects) and motive.margin <= motive.noise:
        slug = "diplomacy.bots_simulations.no_clear_difference"
    else:
        slug = "diplomacy.bots_simulations.better"
    return sentence(slug, margin=f"{motive.margin:.2f}", activity=activity_words(board, motive.instead))


def activity_words(board: Board, order: AnyOrder) -> str:
    """Return an order as what a unit is doing: "going to Burgundy"."""
    match order:
        case Hold():
            return sentence("diplomacy.bots_activities.staying")
        case Move():
            return sentence("diplomacy.bots_activities.going", goal=board.name(order.goal))
        case SupportHold():
            return sentence("diplomacy.bots_activities.supporting", place=board.name(order.other.at))
        case SupportMove():
            place, goal = board.name(order.other.at), board.name(order.to)
            return sentence("diplomacy.bots_activities.supporting_into", place=place, goal=goal)
        case Convoy():
            place, goal = board.name(order.other.at), board.name(order.to)
            return sentence("diplomacy.bots_activities.convoying", place=place, goal=goal)
        case BuildCanoe():
            return sentence("diplomacy.bots_activities.building_canoe")
        case Destroy():
            return sentence("diplomacy.bots_activities.destroying_canoe", place=board.name(order.at))
        case Build():
            return sentence(_NEW_UNIT_SLUGS[order.unit.kind], place=board.name(order.unit.spot))
        case Disband():
            return sentence("diplomacy.bots_activities.disbanding", place=board.name(order.unit.at))
        case Waive():
            return sentence("diplomacy.bots_activities.waiving")
        case _:
            assert_never(order)


_NEW_UNIT_SLUGS: Mapping[Kind, str] = {
    "W": "diplomacy.bots_activities.building_war_party",
    "A": "diplomacy.bots_activities.building_army",
    "F": "diplomacy.bots_activities.building_fleet",
}
