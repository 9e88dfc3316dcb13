"""The bot of the U.S., which sends every group where it gains most points of the schedule.

PlainsBot passes the nations to their own bot.
"""

from collections.abc import Iterator, Sequence

from games.dice import Dice
from games.messages import sentence
from games.plains_indian_wars import hands, legality, railroad, standing_orders
from games.plains_indian_wars.board import SACRAMENTO, ST_LOUIS
from games.plains_indian_wars.components import Card, Effect, materials
from games.plains_indian_wars.evaluation import CubeCounts, PositionEvaluation
from games.plains_indian_wars.execution import placement_regions
from games.plains_indian_wars.model import (
    SOLDIERS,
    US_SEAT,
    AnyOrder,
    Begin,
    Belt,
    CardId,
    Colour,
    DeckName,
    Discard,
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
from games.plains_indian_wars.us_phase import BELTS
from games.plains_indian_wars.working_state import WorkingState
from games.protocol import Bot, Choice, Due
from games.record import Value

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
