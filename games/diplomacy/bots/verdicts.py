"""Why the advanced gives an order: what it comes to in the samples, and how much that is better."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, assert_never

from games.diplomacy.board import Board
from games.diplomacy.bots.fears import Danger, Fear, fear
from games.diplomacy.bots.foreseen import Sheet
from games.diplomacy.bots.motives import Motive, Reasoned
from games.diplomacy.bots.situation import Situation
from games.diplomacy.bots.trials import Trials, orders_of
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
from games.diplomacy.phrases import KINDS
from games.diplomacy.resolver import Settled
from games.protocol import Choice, Decision

Aim = Literal[
    "takes", "enters", "goes", "bars", "cuts", "stays", "helps in", "helps bar", "helps stay", "carries"
]
"""What an order is for: a centre to win (taken in Fall, entered in Spring) or another place is reached,
others are kept out of it, a support from there is cut, the unit or a comrade stays."""

_FEWEST = 2
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
class Verdict(Reasoned):
    """An order that was weighed against others, and why."""

    motive: Expects | Outweighs

    def choice(self, board: Board) -> Choice[Any]:
        """The order with its reason: what was expected of it, and the next best beside it."""
        motive = self.motive
        kinds = dict.fromkeys((doing(board, self.order), *_others(board, motive)))
        decision = Decision(clause="worth", criterion=_margin(board, motive), choices=tuple(kinds))
        return Choice(self.order, phrase(board, motive), (decision,))


def verdicts(situation: Situation, trials: Trials, best: Sheet) -> tuple[Verdict, ...]:
    """What speaks for each order of a sheet, in board order of the units."""
    settled = [trials.settled(best, number) for number in range(len(trials.samples))]
    rivals = _rivals(trials, best)
    index = situation.board.index
    found = []
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
            fear=fear(settled, index, situation.seat, order),
            tried=len(trials.values),
        )
        found.append(Verdict(order, motive))
    return tuple(found)


def _outcome(
    situation: Situation, trials: Trials, best: Sheet, unit: Unit, settled: Sequence[Settled]
) -> tuple[Aim, Province, int]:
    """What a unit's order is for, where, and in how many samples that comes about.

    One that gets its unit or a comrade nowhere is for keeping others out, or else for cutting a support.
    """
    order, index = best[unit.at], situation.board.index
    aim, at, is_met = _aim(situation, unit, order)
    hits = sum(is_met(one, index) for one in settled)
    if not isinstance(order, Move | SupportMove):
        return aim, at, hits
    barred = sum(index[at] in one.contested for one in settled)
    if not hits and not barred:
        barred = _barred(situation, trials, best, order, settled)
    if barred > hits:
        return "bars" if isinstance(order, Move) else "helps bar", at, barred
    if isinstance(order, Move) and not hits:
        cut = sum(_cuts(one, index[unit.at], index[at]) for one in settled)
        return ("cuts", at, cut) if cut else (aim, at, hits)
    return aim, at, hits


def _rivals(trials: Trials, best: Sheet) -> Mapping[Province, tuple[UnitOrder, float, float]]:
    """By unit, the other order of the sheet that comes next to the best one, its margin, and the noise."""
    found: dict[Province, tuple[UnitOrder, float, float]] = {}
    fewest = min(_FEWEST, len(trials.samples))
    for key in trials.values:
        margin, count = trials.margin(best, key)
        if count < fewest:
            continue
        for at, order in orders_of(key).items():
            if order != best[at] and (at not in found or margin < found[at][1]):
                found[at] = order, margin, trials.noise(best, key)
    return found


Met = Callable[[Settled, Mapping[Province, int]], bool]


def _aim(situation: Situation, unit: Unit, order: UnitOrder) -> tuple[Aim, Province, Met]:
    """What an order is for, where, and how one sees in a settled season that it came about."""
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


def _barred(
    situation: Situation, trials: Trials, best: Sheet, order: Move | SupportMove, settled: Sequence[Settled]
) -> int:
    """In how many samples somebody else gets to where an order goes if its unit stays, and only then."""
    at, to = order.unit.at, situation.board.index[order.to]
    staying = {**best, at: Hold(unit=order.unit)}

    def is_entered(one: Settled) -> bool:
        nation = one.season.nation
        return any(goal == to and nation[come] != situation.seat for come, goal in one.moved.items())

    without = [trials.settled(staying, number) for number in range(len(settled))]
    pairs = zip(settled, without, strict=True)
    return sum(is_entered(other) and not is_entered(one) for one, other in pairs)


def _cuts(settled: Settled, at: int, to: int) -> bool:
    """Whether an attack by land cuts a support that would have counted: any but one against itself."""
    season = settled.season
    if at not in season.aimed.get(to, ()) or at in season.carriers or season.nation[at] == season.nation[to]:
        return False
    return season.into.get(to, at) != at and settled.succeeds[to] is False


def phrase(board: Board, motive: Expects | Outweighs) -> str:
    """A verdict in words: "takes Belgium in 17 of 20 samples, 0.42 centres better than staying"."""
    if isinstance(motive, Outweighs):
        return _margin(board, motive)
    said = _AIMS[motive.aim].format(place=board.name(motive.at))
    hits = f"{said} in {motive.hits} of {motive.samples} samples"
    feared = [_FEARS[one.danger].format(power=one.by, times=one.times) for one in (motive.fear,) if one]
    return "; ".join([hits, *feared, _margin(board, motive)])


_FEARS: Mapping[Danger, str] = {
    "driven out": "{power} drives it out in {times}",
    "in the way": "{power} is in the way in {times}",
}


_AIMS: Mapping[Aim, str] = {
    "takes": "takes {place}",
    "enters": "gets to {place}, a centre to win,",
    "goes": "gets to {place}",
    "bars": "keeps others out of {place}",
    "cuts": "cuts the support from {place}",
    "stays": "keeps {place}",
    "helps in": "helps a comrade into {place}, who gets there",
    "helps bar": "helps to keep others out of {place}",
    "helps stay": "helps to keep {place}, which is kept",
    "carries": "carries an army to {place}, which gets there",
}


def _others(board: Board, motive: Expects | Outweighs) -> tuple[str, ...]:
    return (doing(board, motive.instead),) if motive.instead is not None else ()


def _margin(board: Board, motive: Expects | Outweighs) -> str:
    if motive.instead is None:
        return "nothing else to choose" if isinstance(motive, Outweighs) else "nothing else was tried"
    other = doing(board, motive.instead)
    if round(motive.margin, 2) <= 0:
        return f"as good as {other}"
    if isinstance(motive, Expects) and motive.margin <= motive.noise:
        return f"no clear difference from {other}"
    return f"{motive.margin:.2f} centres better than {other}"


def doing(board: Board, order: AnyOrder) -> str:
    """What an order comes to, as what a unit is doing: "going to Burgundy"."""
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
            return f"carrying {board.name(order.other.at)} to {board.name(order.to)}"
        case BuildCanoe():
            return "building a canoe-fleet"
        case Destroy():
            return f"burning a canoe-fleet in {board.name(order.at)}"
        case Build():
            return f"building {_what(board, order.unit)}"
        case Disband():
            return f"giving up {board.name(order.unit.at)}"
        case Waive():
            return "building nothing"
        case _:
            assert_never(order)


def _what(board: Board, piece: Piece) -> str:
    return f"{'an' if piece.kind == 'A' else 'a'} {KINDS[piece.kind]} in {board.name(piece.spot)}"
