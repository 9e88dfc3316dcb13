"""The advanced bot: it tries order sheets out against what others may do, and plays the best.

It begins with the intermediate's plans in all temperaments, and changes a few orders at a time while that is
better on average. It guesses the others' orders: those of a beginner, an intermediate or its own kind in
their place, and their best reply to its first plan. It sees no more than its seat, and spares its friends.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, assert_never

from games.dice import Dice, LabelledDice
from games.diplomacy.adjudication.resolver import DecidedSeason
from games.diplomacy.boards.board import Board
from games.diplomacy.bots.alliances import NO_PACT
from games.diplomacy.bots.base import PlanningBot
from games.diplomacy.bots.beginner import Beginner
from games.diplomacy.bots.candidates import Sheet, Variations, buildable_units, sheet_of
from games.diplomacy.bots.common import REMEMBERED_SEASONS, TEMPERS, Situation, Temper, movement_seasons
from games.diplomacy.bots.evaluation import Standpoint, Valuation
from games.diplomacy.bots.intermediate import Intermediate, Intermediate2026, remembering
from games.diplomacy.bots.opponents import (
    HABIT_SEASONS,
    DumbBot,
    Fits,
    Habit,
    Model,
    PastSeason,
    PlanCache,
    dangers_key,
    estimate_habits,
    guessing,
    neighbourhood,
    past_seasons,
    sample_replies,
)
from games.diplomacy.bots.reasons import Motive, Reasoned
from games.diplomacy.bots.search import Danger, Fear, Trials, orders_of, with_replies, worst_fear
from games.diplomacy.bots.trips import deny_canoes
from games.diplomacy.model import (
    NEUTRAL,
    AnyOrder,
    Beaten,
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
    View,
    Waive,
    split_spot,
)
from games.messages import sentence
from games.protocol import Choice, Decision, Due, PastTurn, Seat
from games.record import replace_fields

BUDGET = 300
"""Adjudications for one movement season: a sixth of a second of one core, mostly less."""

_TURNS_LOOKED_BACK = (HABIT_SEASONS + REMEMBERED_SEASONS) // 2 * 5
"""A year has at most five turns. In each of the seasons others remembered the seasons before it."""

_FORESEEN = 60
"""Adjudications for the plan of another bot of its kind."""

_A_SAMPLE = 60
"""It uses one more sample for this many adjudications of the budget."""
_SAMPLES = range(6, 25)


@dataclass(frozen=True)
class Advanced(PlanningBot):
    """A bot that searches. budget: how many adjudications it may make for the moves of a season.

    past: the movement seasons that it knows; turns: the turns that it remembers; fits: how well models fit
    past seasons; foresight: its plans for the last positions, for all nations; knows_its_kind: whether it
    expects others to search too, on boards of armies and fleets.
    """

    trusting: bool = False
    budget: int = BUDGET
    past: tuple[PastSeason, ...] = ()
    turns: tuple[PastTurn, ...] = ()
    fits: Fits = field(default_factory=dict, repr=False, compare=False)
    foresight: PlanCache = field(default_factory=PlanCache, repr=False, compare=False)
    knows_its_kind: bool = True

    @property
    def looks_back(self) -> int:
        """The number of turns with the movement seasons that it uses."""
        return _TURNS_LOOKED_BACK

    def with_history(self, past: Sequence[PastTurn]) -> "Advanced":
        """Return the same bot, which guesses others' orders by how they played."""
        return replace(self, past=past_seasons(past), turns=movement_seasons(past))

    def with_dangers(self, dangers: Mapping[Seat, float]) -> "Advanced":
        """Return the same bot with other dangers. It expects others to use them too."""
        return replace(self, dangers=dangers, fits={})

    def with_budget(self, budget: int) -> "Advanced":
        """The same bot with another budget."""
        return replace(self, budget=budget)

    def situation(self, view: View, seat: Seat) -> Situation:
        """Return its reading of a position. A seat played like a weaker model is not dangerous to it."""
        situation = super().situation(view, seat)
        if not self.past or not situation.dangers:
            return situation
        weaker = [at for at, model in enumerate(self.models()) if not model.searches]
        known = {power for power, habit in self.habits(situation).items() if habit.model in weaker}
        dangers = {power: danger for power, danger in situation.dangers.items() if power not in known}
        return replace(situation, dangers=dangers)

    def plan_orders(self, situation: Situation, due: Due, dice: Dice) -> tuple[Reasoned, ...]:
        """Return the orders for one Due, each with its reason. All kinds use the same valuation."""
        if due.kind == "moves":
            return self.moves(situation, dice)
        valuation = Valuation(situation)
        if due.kind == "retreats":
            return retreats(situation, due, valuation)
        if Build.__name__ in due.accepts:
            return builds(situation, due.takes or 0, valuation)
        return removals(situation, due.takes or 0, valuation)

    def moves(self, situation: Situation, dice: Dice) -> tuple[Reasoned, ...]:
        """Return an order for each unit of the seat: the best sheet that was found, with reasons.

        Canoe-fleets that an enemy could take are destroyed besides.
        """
        best, trials = self.search(situation, dice)
        return (*reason_verdicts(situation, trials, best), *deny_canoes(situation, best))

    def models(self) -> Sequence[Model]:
        """Return the ways to play that others may use, as far as they are considered."""
        level, beginner = Intermediate(self.variant, ways=self.ways), Beginner(self.variant, ways=self.ways)
        player = replace(level, dangers=self.dangers_on(self.variant.board), trusting=self.trusting)
        # Half of it is for the likeliest, which hardly rolls dice: a plan that is known exactly is most
        # useful.
        knows = level.dangers_on(self.variant.board) == player.dangers
        likeliest = ((player, 6),) if knows else ((player, 3), (level, 3))
        tempered = ((replace(player, temper=TEMPERS[name]), 1) for name in ("raider", "guardian"))
        levels: list[tuple[PlanningBot | DumbBot, int]] = [*likeliest, (beginner, 1), *tempered]
        sails = "W" not in self.variant.board.kinds
        if sails:
            levels.append((DumbBot(self.variant), 3))
        # On boards with canoe-fleets it would win more too, but then not every seat can win (docs/bots.md).
        if sails and self.knows_its_kind:
            levels.append((self._of_its_kind(player.dangers), 6))
        levels.append((Intermediate2026(self.variant, ways=self.ways), 1))
        models = (Model(model, often, self.foresight) for model, often in levels)
        return tuple(model.knowing(self.turns) for model in models)

    def _of_its_kind(self, dangers: Mapping[Seat, float] | None) -> "Advanced":
        """Return a player like itself that knows nothing of habits and expects no others to search."""
        return Advanced(
            self.variant,
            dangers=dangers,
            ways=self.ways,
            budget=_FORESEEN,
            foresight=self.foresight,
            knows_its_kind=False,
        )

    def trials(self, situation: Situation, dice: Dice) -> Trials:
        """Return the trials that measure order sheets in a situation."""
        units, dealt = neighbourhood(situation), guessing(situation.seat, dice)
        known = {power: habit.shares for power, habit in self.habits(situation).items()}
        count = min(max(self.budget // _A_SAMPLE, _SAMPLES.start), _SAMPLES.stop - 1)
        return Trials(
            board=situation.board,
            rulebook=situation.variant.rulebook,
            units=units,
            seat=situation.seat,
            samples=sample_replies(situation, self.models(), known, units, count, dealt),
            valuation=Valuation(situation),
            budget=self.budget,
        )

    def habits(self, situation: Situation) -> Mapping[Seat, Habit]:
        """Return how each nation nearby seems to play."""
        near = dict.fromkeys(unit.power for unit in neighbourhood(situation))
        others = [power for power in near if power not in (NEUTRAL, situation.seat)]
        return estimate_habits(self.models(), self.past, others, self.fits)

    def search(self, situation: Situation, dice: Dice) -> tuple[Sheet, Trials]:
        """Return the best sheet that was found, and the trials that show it.

        It starts from the intermediate's best plan. Adjacent nations may reply to it, except those that seem
        to play by dice. From there it climbs to better sheets until there are none or the budget is spent.
        """
        plans, trials = self._plans(situation, dice), self.trials(situation, dice)
        dicing = [at for at, model in enumerate(self.models()) if model.rolls_dice]
        clever = [power for power, habit in self.habits(situation).items() if habit.model not in dicing]
        others = Advanced(self.variant, dangers=self.dangers, ways=self.ways)
        trials = with_replies(situation, others, trials, max(plans, key=trials.mean), clever)
        best = max(plans, key=trials.mean)
        variations = Variations(situation, situation.mine)
        climbing = True
        while climbing and not trials.is_spent:
            climbing = False
            for change in variations.changes(best):
                sheet = variations.apply(best, change)
                if trials.beats(sheet, best):
                    best, climbing = sheet, True
        return best, trials

    def _plans(self, situation: Situation, dice: Dice) -> list[Sheet]:
        player = Intermediate(
            self.variant, self.temper, self.pact, situation.dangers, self.ways, past=self.turns
        )
        memory = player.recall(situation.seat)
        tempers = dict.fromkeys((self.temper, *TEMPERS.values()))
        if self.pact.truces:
            # In each temperament that it plans with, it keeps its word as long as its own temperament does.
            tempers = dict.fromkeys(replace_fields(temper, lead=self.temper.lead) for temper in tempers)

        def plan(temper: Temper) -> Sheet:
            def make_sheet(dice: Dice) -> Sheet:
                read = remembering(replace(situation, temper=temper), memory)
                return sheet_of(player.moves(read, dice))

            labelled = LabelledDice(dice, f"plan/{temper.name}/")
            if self.pact != NO_PACT:
                return make_sheet(labelled)
            dangers = dangers_key(situation.dangers)
            way = situation.seat, type(player).__name__, temper.name, dangers, memory.key
            return self.foresight.position(situation.view).plan(way, make_sheet, labelled)

        return [plan(temper) for temper in tempers]


# The reasons of the advanced bot: how an order does in its simulations, and how much better it is.


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


# Retreats, builds and removals, each by the worth of the position after it.


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
