"""The bot of the U.S., which sends every group where it gains most points of the schedule.

It evaluates a position region by region, with the expected results of engagements. PlainsBot passes the
nations to their own bot.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product

from games.dice import Dice
from games.messages import sentence
from games.plains_indian_wars import hands, legality, railroad, standing_orders
from games.plains_indian_wars.board import CANADA, MEXICO, SACRAMENTO, ST_LOUIS
from games.plains_indian_wars.components import Card, Effect, Materials, materials
from games.plains_indian_wars.engagements import dice_for
from games.plains_indian_wars.execution import BELTS, placement_regions, reachable_regions
from games.plains_indian_wars.model import (
    SOLDIERS,
    TRIBES,
    US_SEAT,
    AnyOrder,
    Begin,
    Belt,
    CardId,
    Colour,
    DeckName,
    Discard,
    Face,
    Instruction,
    Move,
    NoPlace,
    Place,
    PlayAction,
    PlayEvent,
    Recover,
    Region,
    View,
    belt_of,
)
from games.plains_indian_wars.nations import bots as nations
from games.plains_indian_wars.working_state import WorkingState
from games.protocol import Bot, Choice, Due
from games.record import Value

CubeCounts = tuple[int, int, int]
"""The numbers of Blue, Brown and Purple cubes in a region."""

EXPECTED_TURNS = 10
"""The usual number of turns of a game."""


class EvaluationWeights(Value, frozen=True):
    """The weights of the evaluation, in points of the schedule, found by playing: see provenance.md.

    cube: the value of a U.S. cube on the board; fell: of a lost tribe cube; pull: how strongly tribes attract
    cubes to a region; fades: the share of that pull in the next region; early, early4: the share of its value
    that a held region or a gathering has on the first turn; gathered: the cost of tribe cubes in a region, by
    their number; pair: the cost of two tribe cubes in a belt region; exit: of tribes in Canada or Mexico;
    raided: of a wagon among tribes; coming: the share of a wagon that is a step away; guarded: the value of a
    guarded wagon; trail, belt, key: the value of regions there; lone: the share of a held region's value
    that is kept when tribes come, by number of cubes; mixed: how much more of it two colours keep; raid: the
    chance that tribes come in a turn; crews: the value of settlers beside the railhead, by their number.
    """

    cube: float = 0.25
    fell: float = 0.3
    pull: float = 0.2
    fades: float = 0.5
    early: float = 0.54
    early4: float = 0.36
    gathered: tuple[float, ...] = (0, 0, 1.2, 0.8, 4)
    pair: float = 0.7
    exit: float = 1.6
    raided: float = 0.36
    coming: float = 0.13
    guarded: float = 0.4
    trail: float = 1.36
    belt: float = 0.5
    key: float = 0.8
    lone: tuple[float, ...] = (0, 0.36, 0.68, 0.84, 0.92, 0.95, 0.97, 0.98, 1)
    mixed: float = 0.14
    raid: float = 0.17
    crews: tuple[float, ...] = (0, 1.25, 2, 3, 3.5, 3.75)


class PositionEvaluation:
    """An evaluation of a position for one phase. treaties: whether treaties count in its engagements."""

    def __init__(self, view: View, *, treaties: bool = True, scales: EvaluationWeights | None = None) -> None:
        self.play, self.treaties, self.scales = WorkingState(view), treaties, scales or EvaluationWeights()
        ground, self._faces = self.play.board, die_faces(self.play.materials)
        self.line = railheads(self.play)
        count = self.play.count
        self.stands: dict[Region, CubeCounts] = {
            region: (count(region, "Blue"), count(region, "Brown"), count(region, "Purple"))
            for region in ground.places
        }
        self._tribes = {region: self.play.tribe_cubes(region) for region in ground.places}
        self._wagons = {region: self.play.count(region, "White") for region in ground.places}
        self._risk = self._wagons_at_risk()
        late = min(1.0, view.turn / EXPECTED_TURNS)
        self._late = _interpolate(self.scales.early, late)
        self._late4 = _interpolate(self.scales.early4, late)
        turns_left = 0 if view.last else max(0, EXPECTED_TURNS - view.turn)
        self._raids = {
            colour: 1 - (1 - self.scales.raid) ** (turns_left + (colour in view.bag)) for colour in TRIBES
        }
        self._known: dict[tuple[Region, CubeCounts], float] = {}
        self._ways: dict[tuple[Region, bool, bool, int], tuple[Region, ...]] = {}
        self._pull = self._pulls()

    def worth(self, region: Region, stand: CubeCounts) -> float:
        """Return the expected points of a region with these U.S. cubes in it, after any fight."""
        key = (region, stand)
        if key not in self._known:
            self._known[key] = self._evaluate(region, stand)
        return self._known[key]

    def reachable(self, start: Region, colours: Sequence[Colour], reach: int) -> tuple[Region, ...]:
        """Return the regions that a group can reach, without cities."""
        key = (start, "Blue" in colours, "Purple" in colours, reach)
        if key not in self._ways:
            regions = reachable_regions(self.play, start, colours, reach)
            self._ways[key] = tuple(region for region in regions if not self.play.board.is_city(region))
        return self._ways[key]

    def reason(self, region: Region) -> str:
        """Return the most important reason why a group goes to a region."""
        ground, tribes = self.play.board, self._tribes[region]
        reasons = (
            (tribes > 2 and ground.is_plains(region), "plains_indian_wars.reasons.gathering"),
            (region in (CANADA, MEXICO), "plains_indian_wars.reasons.frontier"),
            (tribes > 0, "plains_indian_wars.reasons.fight"),
            (bool(self._wagons[region]), "plains_indian_wars.reasons.wagons"),
            (region in self.line, "plains_indian_wars.reasons.railhead"),
            (ground.places[region].key > 0, "plains_indian_wars.reasons.key"),
            (region in ground.steps, "plains_indian_wars.reasons.trail"),
            (True, "plains_indian_wars.reasons.free"),
        )
        return sentence(next(slug for holds, slug in reasons if holds))

    def _wagons_at_risk(self) -> Mapping[Region, float]:
        """Return the wagons of each region, plus a share of the wagons that come there next."""
        ground, coming = self.play.board, self.scales.coming
        wagons: dict[Region, float] = dict(self._wagons)
        for step in ground.steps.values():
            for step_id in step.next:
                if step_id in ground.by_id:
                    wagons[ground.by_id[step_id].region] += (
                        coming * self._wagons[step.region] / len(step.next)
                    )
        for trail in ground.chart.trails.values():
            wagons[trail.steps[0].region] += coming * (self.play.now.turn < EXPECTED_TURNS)
        return wagons

    def _tribes_cost(self, region: Region, cubes: int) -> float:
        """Return the value of tribe cubes in a region to the U.S., which is negative."""
        if not cubes:
            return 0
        scales = self.scales
        cost = -1.0 * (not self._wagons[region]) - scales.raided * self._risk[region]
        if region in (CANADA, MEXICO):
            return cost - scales.exit
        if self.play.board.is_plains(region):
            return cost - self._late4 * scales.gathered[min(cubes, len(scales.gathered) - 1)]
        return cost - 0.3 - scales.pair * (cubes > 1)

    def _evaluate(self, region: Region, stand: CubeCounts) -> float:
        blue, brown, purple = stand
        scales, tribes, cubes = self.scales, self._tribes[region], sum(stand)
        near = scales.pull * self._pull[region]
        if self.play.board.is_city(region):
            return scales.cube * cubes + near * min(cubes, 6)
        if not cubes:
            return self._tribes_cost(region, tribes)
        if not tribes:
            return (
                self._holding_worth(region, cubes, brown, blue > 0 and brown + purple > 0)
                + (scales.cube + near) * cubes
            )
        after = engagement_odds(self._faces, blue, max(brown, purple), tribes, self.treaties)
        share_left = after.ours / cubes
        mixed = blue * share_left >= 1 and (brown + purple) * share_left >= 1
        held = self._holding_worth(region, after.ours, brown * share_left, mixed) if after.ours else 0
        lost = self._tribes_cost(region, max(1, round(after.theirs))) if after.held < 1 else 0
        fight = after.held * held + (1 - after.held) * lost + scales.fell * (tribes - after.theirs)
        return fight + (scales.cube + near) * after.ours

    def _holding_worth(self, region: Region, cubes: float, brown: float, mixed: bool) -> float:
        """Return the value of a held region: rows of the schedule, wagons and railhead, and its safety."""
        ground, scales = self.play.board, self.scales
        place = ground.places[region]
        belt = place.zone in ("NE", "SE")
        rows = (
            self._late * (ground.is_plains(region) + scales.key * place.key)
            + scales.trail * (region in ground.steps)
            + scales.guarded * self._risk[region]
            + float(region in (CANADA, MEXICO))
            + scales.belt * belt
        )
        kept = min(1.0, scales.lone[min(len(scales.lone) - 1, round(cubes))] + scales.mixed * mixed)
        raided = self._raids["Green" if place.zone in ("N", "NE") else "Orange"]
        rails = scales.crews[min(len(scales.crews) - 1, round(brown))] if region in self.line else 0
        return rows * (1 - raided * (1 - kept)) + rails

    def _pulls(self) -> Mapping[Region, float]:
        """Return how strongly each region attracts cubes, because of tribes there and farther on."""
        ground = self.play.board
        best = {
            region: 0.5 * (region in self.line) - self._tribes_cost(region, self._tribes[region])
            for region in ground.places
        }
        for _ in range(4):
            best = {
                region: max([best[region], *(self.scales.fades * best[to] for to in ground.ways[region])])
                for region in ground.places
            }
        return best


def railheads(play: WorkingState) -> frozenset[Region]:
    """Return the regions beside the open ends of the railroad."""
    if not railroad.plains_left(play.now):
        return frozenset()
    line = play.board.chart.railroad
    regions = set(line.sections[railroad.union_section(play.now)])
    if play.now.mountains == line.mountain_spaces:
        regions |= set(line.sections[railroad.central_section(play.now)])
    return frozenset(regions)


def _interpolate(early: float, late: float) -> float:
    return early + (1 - early) * late


# The expected result of an engagement: the side that holds the region, and the cubes that are left.


class EngagementOdds(Value, frozen=True):
    """The odds of a fight.

    held: the chance that the U.S. has the region afterwards; gone: the chance that no tribe cube is left;
    ours, theirs: the expected numbers of cubes left to the U.S. and to the tribe.
    """

    held: float
    gone: float
    ours: float
    theirs: float


DieFaces = tuple[tuple[Face, ...], tuple[Face, ...], tuple[Face, ...]]
"""The faces of the Blue, Brown and Green dice."""


def die_faces(box: Materials) -> DieFaces:
    """Return the faces of the dice for `engagement_odds`."""
    return box.faces["Blue"], box.faces["Brown"], box.faces["Green"]


@cache
def engagement_odds(faces: DieFaces, blue: int, others: int, tribe: int, treaties: bool) -> EngagementOdds:
    """Return the odds of Blue and other U.S. cubes against cubes of a tribe.

    others: the number of Brown or Purple cubes, whose dice have the same hits. Ambushes and withdrawals are
    ignored.
    """
    ours = blue + others
    if not tribe:
        return EngagementOdds(float(ours > 0), 1.0, ours, 0)
    if not ours:
        return EngagementOdds(0.0, 0.0, 0, tribe)
    held = gone = ours_left = remaining = 0.0
    again = 0.0
    for (hits, treaty), chance in _us_roll_odds(faces, dice_for(blue), dice_for(others)).items():
        for (suffered, sign), other in _roll_odds(faces[2], dice_for(tribe)).items():
            weight = chance * other
            if treaties and treaty and sign:
                held += weight * (ours >= tribe)
                ours_left += weight * ours
                remaining += weight * tribe
            elif not hits and not suffered:
                again += weight
            else:
                after = engagement_odds(
                    faces, *_after_hits(blue, others, suffered), max(0, tribe - hits), treaties
                )
                held += weight * after.held
                gone += weight * after.gone
                ours_left += weight * after.ours
                remaining += weight * after.theirs
    once = 1 - again
    return EngagementOdds(held / once, gone / once, ours_left / once, remaining / once)


def _after_hits(blue: int, others: int, hits: int) -> tuple[int, int]:
    """Return both counts after hits: each hits the more numerous colour, and among equals not Blue."""
    for _ in range(min(hits, blue + others)):
        blue, others = (blue - 1, others) if blue > others else (blue, others - 1)
    return blue, others


@cache
def _us_roll_odds(faces: DieFaces, blue: int, others: int) -> Mapping[tuple[int, bool], float]:
    chances: dict[tuple[int, bool], float] = {}
    for (first, chance), (two, other) in product(
        _roll_odds(faces[0], blue).items(), _roll_odds(faces[1], others).items()
    ):
        key = (first[0] + two[0], first[1] or two[1])
        chances[key] = chances.get(key, 0) + chance * other
    return chances


@cache
def _roll_odds(faces: tuple[Face, ...], dice: int) -> Mapping[tuple[int, bool], float]:
    """Return the chance of each number of hits, with and without a treaty among the faces."""
    chances: dict[tuple[int, bool], float] = {}
    for roll in product(faces, repeat=dice):
        key = (roll.count("hit"), "treaty" in roll)
        chances[key] = chances.get(key, 0) + len(faces) ** -dice
    return chances


_COLOUR_INDEX: dict[Colour, int] = {"Blue": 0, "Brown": 1, "Purple": 2}


class GroupMove(Value, frozen=True):
    """A possible move of a group. gain: how much more the board is worth to the U.S. after it."""

    start: Region
    to: Region
    cubes: CubeCounts
    gain: float


class PhasePlan(Value, frozen=True):
    """A plan for a phase.

    at, count: the region where cubes are placed (None for no cubes), and their number; steps: the moves in
    their order; worth: the value of the board after them.
    """

    card: CardId
    at: Region | None
    count: int
    steps: tuple[GroupMove, ...]
    worth: float


def phase_plans(prospect: PositionEvaluation, colour: Colour, card: Card, groups: int) -> Iterator[PhasePlan]:
    """Yield the best plan with an action card for each region where its cubes can be placed."""
    play = prospect.play
    count = min(card.cubes, play.ready.get(colour, 0))
    cities = (card.city,) if card.city else (SACRAMENTO, ST_LOUIS)
    places = [
        region
        for region in placement_regions(play, colour)
        if not play.board.is_city(region) or region in cities
    ]
    for at in places if count else [None]:
        deployed = Deployment(prospect, colour, card.moves, groups)
        here = 0
        if at is not None:
            here = min(count, play.us_room(at))
            if not here or not standing_orders.may_mingle(play, at, (colour,)):
                continue
            deployed.add(at, here)
        steps = tuple(deployed.steps())
        yield PhasePlan(card.id, at, here, steps, deployed.total_worth())


class Deployment:
    """The cubes of a phase while its moves are planned one by one, the best first."""

    def __init__(self, prospect: PositionEvaluation, colour: Colour, reach: int, groups: int) -> None:
        self.prospect, self.colour, self.reach, self.groups = prospect, colour, reach, groups
        self.stands = dict(prospect.stands)
        self.fresh = dict(self.stands)
        self.started: set[Region] = set()
        self._cached_moves: dict[Region, tuple[GroupMove, ...]] = {}

    def add(self, region: Region, count: int) -> None:
        """Place cubes in a region."""
        for stands in (self.stands, self.fresh):
            stands[region] = _add_counts(stands[region], _counts_of(self.colour, count))

    def gain_of(self, region: Region) -> float | None:
        """Return what one more cube would gain in a region; None if there is no room for it."""
        after = _add_counts(self.stands[region], _counts_of(self.colour, 1))
        if not self._fits(after):
            return None
        return self.prospect.worth(region, after) - self.prospect.worth(region, self.stands[region])

    def total_worth(self) -> float:
        """Return the value of the board with the cubes where they are now."""
        return sum(self.prospect.worth(region, stand) for region, stand in self.stands.items())

    def steps(self, least: float = 0.05) -> Iterator[GroupMove]:
        """Yield the moves, the best first, as long as one gains at least `least`."""
        while True:
            moves = [
                step for start in self.stands if self._may_start(start) for step in self._moves_from(start)
            ]
            best = max(moves, key=lambda step: (step.gain, step.start, step.to), default=None)
            if best is None or best.gain < least:
                return
            self._make_move(best)
            yield best

    def _may_start(self, start: Region) -> bool:
        if not self.fresh[start][_COLOUR_INDEX[self.colour]] or self.prospect.play.tribe_cubes(start):
            return False
        if start in self.started:
            return True
        same_belt = self.colour == "Purple" and belt_of(start) in {belt_of(region) for region in self.started}
        return len(self.started) < self.groups and not same_belt

    def _moves_from(self, start: Region) -> tuple[GroupMove, ...]:
        """Return the moves out of a region, from a cache that `_make_move` clears where it changes cubes."""
        if start not in self._cached_moves:
            self._cached_moves[start] = tuple(self._evaluate_moves(start))
        return self._cached_moves[start]

    def _evaluate_moves(self, start: Region) -> Iterator[GroupMove]:
        worth, here = self.prospect.worth, self.stands[start]
        before = worth(start, here)
        for cubes in self._groups(start):
            staying = _subtract_counts(here, cubes)
            if staying[1] and staying[2] and not staying[0] and not self.prospect.play.board.is_city(start):
                continue
            leaving = worth(start, staying) - before
            for to in self._reachable(start, cubes):
                there = self.stands[to]
                after = _add_counts(there, cubes)
                if not self._fits(after):
                    continue
                gain = leaving + worth(to, after) - worth(to, there)
                yield GroupMove(start, to, cubes, gain)

    def _groups(self, start: Region) -> Iterator[CubeCounts]:
        """Yield the groups that may leave a region: cubes of the disc's colour, and cubes that they lead."""
        blue, brown, purple = self.fresh[start]
        if self.colour == "Purple":
            yield from ((0, 0, n) for n in range(1, min(purple, 8) + 1))
        elif self.colour == "Blue":
            for n in range(1, min(blue, 6) + 1):
                yield from (
                    (n, m, 0)
                    for m in {0, 1, min(2, brown), min(n, brown), min(2 * n, brown, 8 - n)}
                    if m <= min(brown, 2 * n)
                )
        else:
            for n in range(1, min(brown, 6) + 1):
                yield from ((m, n, 0) for m in {0, 1, min(n // 2, blue)} if m <= min(n // 2, blue))

    def _reachable(self, start: Region, cubes: CubeCounts) -> tuple[Region, ...]:
        colours = tuple(colour for colour in SOLDIERS if cubes[_COLOUR_INDEX[colour]])
        return self.prospect.reachable(start, colours, self.reach)

    def _fits(self, after: CubeCounts) -> bool:
        limit = self.prospect.play.scenario.limits["us"]
        return sum(after) <= limit and (after[0] > 0 or not (after[1] and after[2]))

    def _make_move(self, step: GroupMove) -> None:
        self.started.add(step.start)
        self.stands[step.start] = _subtract_counts(self.stands[step.start], step.cubes)
        self.fresh[step.start] = _subtract_counts(self.fresh[step.start], step.cubes)
        self.stands[step.to] = _add_counts(self.stands[step.to], step.cubes)
        for start in tuple(self._cached_moves):
            if start in (step.start, step.to) or any(
                move.to in (step.start, step.to) for move in self._cached_moves[start]
            ):
                del self._cached_moves[start]


def _add_counts(first: CubeCounts, second: CubeCounts) -> CubeCounts:
    return (first[0] + second[0], first[1] + second[1], first[2] + second[2])


def _subtract_counts(first: CubeCounts, second: CubeCounts) -> CubeCounts:
    return (first[0] - second[0], first[1] - second[1], first[2] - second[2])


def _counts_of(colour: Colour, count: int) -> CubeCounts:
    return (count * (colour == "Blue"), count * (colour == "Brown"), count * (colour == "Purple"))


# The board for the choice of Event cards: regions that they could target, and regions near a colour.


class BoardScan:
    """The board before a phase."""

    def __init__(self, view: View) -> None:
        self.play = WorkingState(view)

    def regions_of(self, colour: Colour) -> tuple[Region, ...]:
        """Return the regions that a colour holds without tribes there, the strongest group first."""
        held = [region for region in self.play.regions_with((colour,)) if not self.play.tribe_cubes(region)]
        return tuple(sorted(held, key=lambda region: -self.play.count(region, colour)))

    def best_target(self, regions: Sequence[Region]) -> Region | None:
        """Return the region with the most tribe cubes; None if there are no tribe cubes.

        Among equals, a region with more wagons comes first.
        """

        def prey(region: Region) -> tuple[int, int, int]:
            play = self.play
            return play.tribe_cubes(region), play.count(region, "White"), play.board.places[region].key

        return max((region for region in regions if self.play.tribe_cubes(region)), key=prey, default=None)

    def regions_near(self, colour: Colour) -> tuple[Region, ...]:
        """Return the regions that hold cubes of a colour, and their neighbours."""
        near = {
            neighbour
            for region in self.play.regions_with((colour,))
            for neighbour in (region, *self.play.board.near[region])
        }
        return self.play.board.in_board_order(near)


_Choices = Iterator[Choice[AnyOrder]]


class PlainsBot(Bot[View, AnyOrder]):
    """Plays either side and gives a reason for each order: implements `protocol.Bot`."""

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """Return the orders of the bot that plays the seat."""
        return (UsBot() if due.seat == US_SEAT else nations.NationsBot()).orders(view, due, dice)


class UsBot(Bot[View, AnyOrder]):
    """Plays the U.S.: implements `protocol.Bot`."""

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """Return a plan for the phase that is due, each order with its reason, and no illegal orders."""
        ground = BoardScan(view)
        ideas = {None: _set_up_phase, "Purple": _purple_phase}.get(view.disc, _card_phase)(view, ground)
        choices: dict[str | None, Choice[AnyOrder]] = {}
        for choice in ideas:
            if choice.order.slot not in choices and legality.objection(view, choice.order) is None:
                choices[choice.order.slot] = choice
        return tuple(choices.values())


def _set_up_phase(view: View, _ground: BoardScan) -> _Choices:
    yield Choice(Begin(), sentence("plains_indian_wars.reasons.set_up"))
    if view.tied:
        where = Instruction(topic="custer", says=view.tied[:1])
        yield Choice(where, sentence("plains_indian_wars.reasons.custer"))
    alone = Instruction(topic="withdraw", about="Brown", says=("1",))
    yield Choice(alone, sentence("plains_indian_wars.reasons.lone_settler"))


def _purple_phase(view: View, ground: BoardScan) -> _Choices:
    """Yield a placement for each belt, then the moves that gain most points."""
    prospect = PositionEvaluation(view, treaties=False)
    recovers = view.fallen.get("Purple", 0) > 2 and view.ready.get("Purple", 0) < 4
    moves, groups = ground.play.scenario.purple["moves"], len(BELTS) - recovers
    deployed = Deployment(prospect, "Purple", moves, groups)
    for belt in BELTS:
        yield _reinforce_belt(view, ground, deployed, belt)
    if recovers:
        yield Choice(Recover(), sentence("plains_indian_wars.reasons.many_fell"))
    for step in deployed.steps():
        yield _move_choice(prospect, step)


def _reinforce_belt(view: View, ground: BoardScan, deployed: Deployment, belt: Belt) -> Choice[AnyOrder]:
    """Return the placement of Purple's cube in a belt: in the region where it gains most."""
    regions = ground.play.board.regions_in_zones("NE" if belt == "north" else "SE")
    open_to = [r for r in regions if deployed.gain_of(r) is not None]
    if not view.ready.get("Purple") or not open_to:
        return Choice(NoPlace(belt=belt), sentence("plains_indian_wars.reasons.no_cube"))
    at = max(open_to, key=lambda region: deployed.gain_of(region) or 0)
    deployed.add(at, 1)
    raided = ground.play.tribe_cubes(at)
    reason = sentence("plains_indian_wars.reasons.helps" if raided else "plains_indian_wars.reasons.holds")
    return Choice(Place(count=1, colour="Purple", at=at), reason)


def _card_phase(view: View, ground: BoardScan) -> _Choices:
    """Yield Blue's or Brown's plan: the card and regions that gain most points, and Events with a target."""
    colour: Colour = view.disc or "Blue"
    deck = materials().deck_for(colour)
    assert deck is not None, "Blue and Brown have decks"
    possible = hands.action_cards(view, deck)
    if not possible:
        yield Choice(
            Discard(card=hands.cards_in_hand(view, deck)[0].id),
            sentence("plains_indian_wars.reasons.no_action"),
        )
        return
    prospect = PositionEvaluation(view)
    recovers = view.fallen.get(colour, 0) > max(3, view.ready.get(colour, 0))
    plans_by_card = (phase_plans(prospect, colour, card, card.groups - recovers) for card in possible)
    plan = max(
        (plan for plans in plans_by_card for plan in plans),
        key=lambda candidate: (candidate.worth, candidate.card),
    )
    yield Choice(PlayAction(card=plan.card), sentence("plains_indian_wars.reasons.best_card"))
    yield from _events(view, ground, deck)
    if plan.at is not None:
        yield Choice(
            Place(count=plan.count, colour=colour, at=plan.at),
            sentence("plains_indian_wars.reasons.best_place"),
        )
    if recovers:
        yield Choice(Recover(), sentence("plains_indian_wars.reasons.more_fell"))
    for step in plan.steps:
        yield _move_choice(prospect, step)


def _move_choice(prospect: PositionEvaluation, step: GroupMove) -> Choice[AnyOrder]:
    cubes = {colour: count for colour, count in zip(SOLDIERS, step.cubes, strict=True) if count}
    return Choice(Move(cubes=cubes, start=step.start, to=step.to), prospect.reason(step.to))


def _events(view: View, ground: BoardScan, deck: DeckName) -> _Choices:
    """Yield every Event in hand that has an effect on the present board."""
    for card in hands.cards_in_hand(view, deck):
        if card.effect is not None:
            order = _event(view, ground, card, card.effect)
            if order is not None:
                yield Choice(order, sentence("plains_indian_wars.reasons.target"))


def _event(view: View, ground: BoardScan, card: Card, effect: Effect) -> PlayEvent | None:
    play = ground.play
    if effect.op == "remove":
        where = {
            "by-blue": ground.regions_near("Blue"),
            "by-purple": play.board.regions_in_zones("NE", "SE"),
            "railroad": tuple(play.board.section),
        }[effect.where or "railroad"]
        at = ground.best_target(where)
        return PlayEvent(card=card.id, at=at) if at else None
    if effect.op == "quiet":
        beside = [region for region, n in play.board.section.items() if n + 1 in effect.sections]
        best = max(beside, key=lambda region: (play.count(region, "White"), play.us_cubes(region)))
        return PlayEvent(card=card.id, at=best)
    if effect.op == "rails":
        free = railroad.plains_left(view) and railroad.section_workers(play, railroad.union_section(view))
        return PlayEvent(card=card.id) if free else None
    if effect.op == "circle":
        rolling = sum(play.count(region, "White") for region in play.board.steps)
        return PlayEvent(card=card.id) if rolling > 1 else None
    strongest = next(iter(ground.regions_of(view.disc or "Blue")), None)
    if effect.op == "extra-group":
        return PlayEvent(card=card.id, at=strongest) if strongest else None
    target = ground.best_target(ground.regions_near("Blue"))
    return PlayEvent(card=card.id, at=target) if target else None
