"""The value of a position to the U.S., region by region, with the expected results of engagements."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product

from games.messages import sentence
from games.plains_indian_wars import railroad
from games.plains_indian_wars.board import CANADA, MEXICO
from games.plains_indian_wars.components import Materials
from games.plains_indian_wars.engagements import dice_for
from games.plains_indian_wars.model import TRIBES, Colour, Face, Region, View
from games.plains_indian_wars.us_phase import reachable_regions
from games.plains_indian_wars.working_state import WorkingState
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
