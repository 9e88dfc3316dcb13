"""The advanced bot: it tries order sheets out against what others may do, and plays the best.

It begins with the intermediate's plans in all temperaments, and changes a few orders at a time while that is
better on average. It guesses the others' orders: those of a beginner, an intermediate or its own kind in
their place, and their best reply to its first plan. It sees no more than its seat, and spares its friends.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from games.dice import Dice, LabelledDice
from games.diplomacy.bots.alliances import NO_PACT
from games.diplomacy.bots.base import PlanningBot
from games.diplomacy.bots.beginner import Beginner
from games.diplomacy.bots.candidates import Variations, buildable_units, sheet_of
from games.diplomacy.bots.common import TEMPERS, Situation, Temper
from games.diplomacy.bots.evaluation import Standpoint, Valuation
from games.diplomacy.bots.explanations import OrderVerdict, Outweighs, reason_verdicts
from games.diplomacy.bots.intermediate import Intermediate, Intermediate2026, remembering
from games.diplomacy.bots.memory import REMEMBERED_SEASONS, movement_seasons
from games.diplomacy.bots.opponents import (
    HABIT_SEASONS,
    DumbBot,
    Fits,
    Habit,
    Model,
    PastSeason,
    dangers_key,
    estimate_habits,
    guessing,
    neighbourhood,
    past_seasons,
    sample_replies,
)
from games.diplomacy.bots.plan_cache import PlanCache, Sheet
from games.diplomacy.bots.reasons import Reasoned
from games.diplomacy.bots.search import Trials, with_replies
from games.diplomacy.bots.trips import deny_canoes
from games.diplomacy.model import (
    NEUTRAL,
    AnyOrder,
    Beaten,
    Build,
    Disband,
    Kind,
    Move,
    Province,
    View,
    Waive,
    split_spot,
)
from games.protocol import Due, PastTurn, Seat
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
