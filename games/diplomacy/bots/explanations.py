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
    Move,
    Piece,
    Province,
    SupportHold,
    SupportMove,
    Unit,
    UnitOrder,
    Waive,
)
from games.diplomacy.phrases import UNIT_KIND_NAMES
from games.protocol import Choice, Decision

Aim = Literal[
    "takes", "enters", "goes", "bars", "cuts", "stays", "helps in", "helps bar", "helps stay", "carries"
]
"""What an order is for: a centre to win (taken in Fall, entered in Spring) or another place is reached,
others are kept out of it, a support from there is cut, the unit or a comrade stays."""

_MIN_RIVAL_SAMPLES = 2
"""Against so many samples an order must have been tried to be told of as the next best."""


class Expects(Motive, frozen=True, kw_only=True):
    """An order of the best sheet that was found.

    aim, at: what it is for, and where; hits, samples: in how many of the samples that comes about; instead,
    margin: the best other order of the unit among the sheets tried, and by how many centres that sheet is
    worth less, on average over the samples that both were tried against; noise: a margin that chance may
    have made; fear: what becomes of it in some samples; tried: how many sheets there were.
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
    """A retreat, a build or a removal, by what the position is worth after it.

    instead: the next best; margin: by how many centres that is worth less; of: how many there were.
    """

    instead: AnyOrder | None
    margin: float
    of: int


@dataclass(frozen=True)
class OrderVerdict(Reasoned):
    """An order that was weighed against others, and why."""

    motive: Expects | Outweighs

    def choice(self, board: Board) -> Choice[Any]:
        """The order with its reason: what was expected of it, and the next best beside it."""
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

    One that gets its unit or a comrade nowhere is for keeping others out, or else for cutting a support.
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
    """Return, by unit, the sheet's other order that comes next to the best one, its margin, and the noise."""
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
    """Return whether an attack by land cuts a support that would have counted: any but one against itself."""
    season = settled.season
    if at not in season.aimed.get(to, ()) or at in season.carriers or season.nation[at] == season.nation[to]:
        return False
    return season.into.get(to, at) != at and settled.succeeds[to] is False


def verdict_phrase(board: Board, motive: Expects | Outweighs) -> str:
    """Return a reason as text: "takes Belgium in 17 of 20 simulations; 0.42 centres better than staying"."""
    if isinstance(motive, Outweighs):
        return _margin(board, motive)
    aim = _AIM_PHRASES[motive.aim].format(place=board.name(motive.at))
    hits = f"{aim} in {motive.hits} of {motive.samples} simulations"
    feared = [_FEARS[fear.danger].format(power=fear.by, times=fear.times) for fear in (motive.fear,) if fear]
    return "; ".join([hits, *feared, _margin(board, motive)])


_FEARS: Mapping[Danger, str] = {
    "driven out": "{power} dislodges it in {times}",
    "in the way": "{power} blocks it in {times}",
}


_AIM_PHRASES: Mapping[Aim, str] = {
    "takes": "takes {place}",
    "enters": "reaches the centre {place}",
    "goes": "reaches {place}",
    "bars": "keeps others out of {place}",
    "cuts": "cuts the support from {place}",
    "stays": "keeps {place}",
    "helps in": "supports a move to {place} that succeeds",
    "helps bar": "helps keep others out of {place}",
    "helps stay": "helps keep {place}",
    "carries": "convoys an army to {place} that arrives",
}


def _others(board: Board, motive: Expects | Outweighs) -> tuple[str, ...]:
    return (activity_words(board, motive.instead),) if motive.instead is not None else ()


def _margin(board: Board, motive: Expects | Outweighs) -> str:
    if motive.instead is None:
        return "there was no other choice" if isinstance(motive, Outweighs) else "no other order was tried"
    other = activity_words(board, motive.instead)
    if round(motive.margin, 2) <= 0:
        return f"as good as {other}"
    if isinstance(motive, Expects) and motive.margin <= motive.noise:
        return f"no clear difference from {other}"
    return f"{motive.margin:.2f} centres better than {other}"


def activity_words(board: Board, order: AnyOrder) -> str:
    """Return an order as what a unit is doing: "going to Burgundy"."""
    match order:
        case Hold():
            return "staying"
        case Move():
            return f"going to {board.name(order.goal)}"
        case SupportHold():
            return f"supporting {board.name(order.other.at)}"
        case SupportMove():
            return f"supporting {board.name(order.other.at)} into {board.name(order.to)}"
        case Convoy():
            return f"convoying {board.name(order.other.at)} to {board.name(order.to)}"
        case BuildCanoe():
            return "building a canoe-fleet"
        case Destroy():
            return f"destroying a canoe-fleet in {board.name(order.at)}"
        case Build():
            return f"building {_unit_to_build(board, order.unit)}"
        case Disband():
            return f"disbanding {board.name(order.unit.at)}"
        case Waive():
            return "building nothing"
        case _:
            assert_never(order)


def _unit_to_build(board: Board, piece: Piece) -> str:
    return f"{'an' if piece.kind == 'A' else 'a'} {UNIT_KIND_NAMES[piece.kind]} in {board.name(piece.spot)}"
