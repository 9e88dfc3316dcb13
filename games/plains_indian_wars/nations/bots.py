"""The bot of the nations: it chooses aims, and gathers cubes and groups there."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from games.dice import Dice
from games.messages import sentence
from games.plains_indian_wars import hands, railroad
from games.plains_indian_wars.board import ST_LOUIS
from games.plains_indian_wars.components import Card
from games.plains_indian_wars.model import (
    AnyOrder,
    Colour,
    Discard,
    Instruction,
    Move,
    Place,
    PlayAction,
    PlayEvent,
    Recover,
    Region,
    View,
)
from games.plains_indian_wars.nations import execution, legality
from games.plains_indian_wars.nations.execution import (
    home_regions,
    may_stand,
    placement_regions,
    reachable_regions,
)
from games.plains_indian_wars.nations.sequence import (
    TRAIL_OF_TRIBE,
    WESTWARD,
    acting_tribes,
    tribe_deck,
    tribes_with_cards,
)
from games.plains_indian_wars.working_state import WorkingState
from games.protocol import Bot, Choice, Due

# The gathering of a tribe with the cubes and groups of one card.


@dataclass(frozen=True)
class Aim:
    """A region that needs cubes.

    want: the number of cubes; worth: the value of each; why: the reason; few: the smallest number of cubes to
    send there.
    """

    at: Region
    want: int
    worth: int
    why: str
    few: int = 1


@dataclass
class GatheringPlan:
    """The plan for one card.

    placed: the cubes to place by region; moves: (start, to, count, why) in their order; recovers: whether an
    activation empties the Casualty Box; worth: the value of the plan.
    """

    card: Card
    placed: dict[Region, int] = field(default_factory=dict)
    moves: list[tuple[Region, Region, int, str]] = field(default_factory=list)
    recovers: bool = False
    worth: int = 0


def plan_gathering(
    play: WorkingState, colour: Colour, card: Card, aims: Sequence[Aim], posts: Sequence[Region], more: int
) -> GatheringPlan:
    """Return the best plan with a card for some aims, which are served one after the other.

    posts: the regions where one cube stays, so that others can be placed there later; more: the number of
    cubes that can be placed in addition to those of the card. One activation empties the Casualty Box if it
    has more cubes than the Ready Box.
    """
    recovers = play.fallen.get(colour, 0) > max(2, play.ready.get(colour, 0)) and card.groups > 1
    hosts = _GatheringState(play, colour, card, more, recovers)
    for post in posts:
        hosts.keep_post(post)
    plan = GatheringPlan(card=card, recovers=recovers)
    for aim in aims:
        hosts.serve_aim(aim, plan)
    hosts.place_rest(plan, aims)
    return plan


class _GatheringState:
    """The cubes of a tribe while it gathers. Those in `free` can still move, those in `settled` can't."""

    def __init__(self, play: WorkingState, colour: Colour, card: Card, more: int, recovers: bool) -> None:
        self.play, self.colour, self.card = play, colour, card
        self.cubes = min(play.cubes_of_card(card) + more, play.ready.get(colour, 0))
        self.groups = card.groups - recovers
        self.free = {region: play.count(region, colour) for region in play.regions_with((colour,))}
        self.settled: dict[Region, int] = {}
        self.active: set[Region] = set()
        self.open_to = placement_regions(play, colour)

    def keep_post(self, post: Region) -> None:
        """Keep one cube of a region where it is."""
        if self.free.get(post):
            self.free[post] -= 1
            self.settled[post] = 1

    def serve_aim(self, aim: Aim, plan: GatheringPlan) -> None:
        """Bring cubes to an aim, up to the number that it needs."""
        ways = self._starts_for(aim.at)
        missing = aim.want - self._cubes_at(aim.at)
        possible = self._cubes_at(aim.at) + sum(
            self._available(region) for region in ways[: max(0, self.groups)]
        )
        if missing > 0 and min(possible, aim.want) >= aim.few:
            if aim.at in self.open_to:
                missing -= self._place(aim.at, missing, plan)
            while missing > 0 and (start := self._best_start(aim)) is not None:
                if start in self.open_to:
                    self._place(start, missing - self.free.get(start, 0), plan)
                count = min(missing, self.free[start])
                self._send(start, aim, count, plan)
                missing -= count
        self.settled[aim.at] = self._cubes_at(aim.at)
        self.free[aim.at] = 0
        plan.worth += aim.worth * min(aim.want, self.settled[aim.at])

    def place_rest(self, plan: GatheringPlan, aims: Sequence[Aim]) -> None:
        """Place the cubes that are left near the first aim."""
        if not self.cubes or not self.open_to or not aims:
            return
        near = {aims[0].at, *self.play.board.near[aims[0].at]}
        room = [
            near_region
            for near_region in self.open_to
            if self._cubes_at(near_region) < self.play.tribe_limit(near_region)
        ]
        for region in sorted(room, key=lambda near_region: near_region not in near):
            self._place(region, self.play.tribe_limit(region) - self._cubes_at(region), plan)

    def _cubes_at(self, region: Region) -> int:
        return self.free.get(region, 0) + self.settled.get(region, 0)

    def _available(self, region: Region) -> int:
        return self.free.get(region, 0) + (self.cubes if region in self.open_to else 0)

    def _starts_for(self, at: Region) -> list[Region]:
        """Return the regions that cubes could come from, the one with most cubes first."""
        starts = [
            region
            for region, count in self.free.items()
            if count
            and region != at
            and at in reachable_regions(self.play, self.colour, region, self.card.moves)
        ]
        return sorted(starts, key=lambda start: -self._available(start))

    def _best_start(self, aim: Aim) -> Region | None:
        for region in self._starts_for(aim.at):
            if (region in self.active or self.groups > 0) and self._available(region) > 0:
                return region
        return None

    def _place(self, at: Region, count: int, plan: GatheringPlan) -> int:
        count = max(0, min(count, self.cubes))
        if count:
            self.cubes -= count
            self.free[at] = self.free.get(at, 0) + count
            plan.placed[at] = plan.placed.get(at, 0) + count
        return count

    def _send(self, start: Region, aim: Aim, count: int, plan: GatheringPlan) -> None:
        if start not in self.active:
            self.active.add(start)
            self.groups -= 1
        self.free[start] -= count
        self.settled[aim.at] = self.settled.get(aim.at, 0) + count
        plan.moves.append((start, aim.at, count, aim.why))


def forces_after(play: WorkingState, colour: Colour, plan: GatheringPlan) -> Mapping[Region, int]:
    """Return the number of a tribe's cubes in each region after a plan."""
    held = {region: play.count(region, colour) for region in play.regions_with((colour,))}
    for region, count in plan.placed.items():
        held[region] = held.get(region, 0) + count
    for start, to, count, _ in plan.moves:
        held[start] -= count
        held[to] = held.get(to, 0) + count
    return held


_Choices = Iterator[Choice[AnyOrder]]

_EVENTS_BY_STRENGTH = ("fierce", "strike", "sweep", "first-strike", "raid", "muster")
"""The operations of Events, the strongest first."""


@dataclass(frozen=True)
class _TribePlan:
    """The plan of a tribe. best: its gathering; held: its cubes by region after it."""

    play: WorkingState
    colour: Colour
    best: GatheringPlan
    aims: Sequence[Aim]
    held: Mapping[Region, int]


class NationsBot(Bot[View, AnyOrder]):
    """Plays the nations: implements `protocol.Bot`."""

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """Return a plan for each tribe that is due, each order with its reason, and no illegal orders."""
        choices: dict[str | None, Choice[AnyOrder]] = {}
        for colour in tribes_with_cards(view, acting_tribes(view)):
            for choice in _plan_choices(view, colour):
                order = choice.order
                if order.slot not in choices and legality.objection(view, order) is None:
                    choices[order.slot] = choice
        return tuple(choices.values())


def _plan_choices(view: View, colour: Colour) -> _Choices:
    play = WorkingState(view)
    play.set(disc=colour)
    hand = hands.cards_in_hand(view, tribe_deck(play, colour))
    actions = [card for card in hand if card.kind == "action"]
    if not actions:
        yield Choice(Discard(card=hand[0].id), sentence("plains_indian_wars.reasons.no_action"))
        return
    aims = tribe_aims(play, colour)
    muster = next((c for c in hand if c.effect and c.effect.op == "muster"), None)
    fallen = play.fallen.get(colour, 0)
    more = 0
    if muster is not None and muster.effect is not None and fallen > 2:
        more = min(muster.effect.cubes, fallen)
        play.ready[colour], play.fallen[colour] = play.ready.get(colour, 0) + fallen, 0
        yield Choice(PlayEvent(card=muster.id), sentence("plains_indian_wars.reasons.fallen_return"))
    gatherings = [
        plan_gathering(play, colour, card, aims, tribe_posts(play, colour), more) for card in actions
    ]
    best = max(gatherings, key=lambda gathering: (gathering.worth, -gathering.card.cubes, gathering.card.id))
    yield Choice(PlayAction(card=best.card.id), sentence("plains_indian_wars.reasons.most_cubes"))
    yield from _cube_choices(colour, best)
    outlook = _TribePlan(play, colour, best, aims, forces_after(play, colour, best))
    yield from _event_choices(outlook, [card for card in hand if card is not muster], bool(more))
    if view.turn == 1:
        yield Choice(
            Instruction(topic="withdraw", about=colour, says=("1",)),
            sentence("plains_indian_wars.reasons.lone_cube"),
        )


def _cube_choices(colour: Colour, best: GatheringPlan) -> _Choices:
    for region, count in best.placed.items():
        yield Choice(
            Place(count=count, colour=colour, at=region), sentence("plains_indian_wars.reasons.near")
        )
    for start, to, count, why in best.moves:
        yield Choice(Move(cubes={colour: count}, start=start, to=to), why)
    if best.recovers:
        yield Choice(Recover(colour=None), sentence("plains_indian_wars.reasons.more_fell"))


def _event_choices(outlook: _TribePlan, hand: Sequence[Card], one_played: bool) -> _Choices:
    """Yield the strongest Events with a target after the moves, as many as can be played."""
    cards = [card for card in hand if card.effect]
    events_left = outlook.play.materials.events - one_played
    for card in sorted(cards, key=lambda candidate: _EVENTS_BY_STRENGTH.index(_operation(candidate))):
        order = _event_order(outlook, card)
        if order is not None and events_left:
            events_left -= 1
            yield Choice(order, sentence("plains_indian_wars.reasons.target"))


def _operation(card: Card) -> str:
    assert card.effect is not None, "Events have effects"
    return card.effect.op


def _event_order(outlook: _TribePlan, card: Card) -> PlayEvent | None:
    play, held = outlook.play, outlook.held
    battles = [region for region in held if held[region] > 1 and execution.is_strike_target(play, region)]
    where = max(battles, key=lambda region: held[region], default=None)
    op = _operation(card)
    if op == "fierce":
        return _fierce_order(outlook, card, where)
    if op == "first-strike":
        return PlayEvent(card=card.id, at=where) if where and held[where] > 2 else None
    if op in ("strike", "sweep"):
        return _strike_order(outlook, card)
    if op == "raid":
        if play.scenario.works:
            by = railroad.tearable_regions(play.now)
            return PlayEvent(card=card.id) if any(held.get(region) for region in by) else None
        near = execution.raid_targets(play, outlook.colour)
        to = where or next(iter(near), None)
        return PlayEvent(card=card.id, at=to) if to and not play.scenario.campaign else None
    return None


def _fierce_order(outlook: _TribePlan, card: Card, where: Region | None) -> PlayEvent | None:
    """Return the Event in the region where a group starts that will fight; None if there is none."""
    starts = [start for start, to, count, _ in outlook.best.moves if to == where and count > 1]
    open_to = [start for start in starts if start in placement_regions(outlook.play, outlook.colour)]
    return PlayEvent(card=card.id, at=open_to[0]) if open_to else None


def _strike_order(outlook: _TribePlan, card: Card) -> PlayEvent | None:
    """Return a strike by the strongest force that can reach the U.S.

    A sweep is by a force that isn't in an engagement itself.
    """
    play, aims, sweep = outlook.play, outlook.aims, _operation(card) == "sweep"
    forces_at = []
    for at, count in outlook.held.items():
        reach = [at, *play.board.near[at]]
        prey = [to for to in reach if execution.is_strike_target(play, to) and not (sweep and to == at)]
        if count > 1 and prey and not (sweep and (execution.is_strike_target(play, at) or count > 4)):
            target = max(prey, key=lambda to: (to == aims[0].at if aims else 0, play.us_cubes(to)))
            forces_at.append((count, at, target))
    if not forces_at:
        return None
    _, at, target = max(forces_at)
    if sweep:
        return PlayEvent(card=card.id, at=at, to=next_train_region(play, outlook.colour))
    return PlayEvent(card=card.id, at=at, to=target)


# The aims of the bot: the wagon train, the workers before they build, or the Black Hills.


_MIN_ATTACKERS = 5
"""The smallest number of cubes that attacks workers and their escorts. Fewer cubes gather first."""


def tribe_aims(play: WorkingState, colour: Colour) -> tuple[Aim, ...]:
    """Return the aims of a tribe in this phase, the most important one first."""
    return _AIMS_BY_SCENARIO[_scenario_sort(play)](play, colour)


def next_train_region(play: WorkingState, colour: Colour) -> Region | None:
    """Return the next region of the wagon train, if a tribe may wait for it there; otherwise None."""
    at = play.now.trains.get(TRAIL_OF_TRIBE[colour], ST_LOUIS)
    if at == ST_LOUIS:
        return None
    ahead = [
        play.board.by_id[step_id].region
        for step_id in play.board.steps[at].next
        if step_id in play.board.by_id
    ]
    return next((region for region in ahead if may_stand(play, colour, region)), None)


def tribe_posts(play: WorkingState, colour: Colour) -> tuple[Region, ...]:
    """Return home regions along the trail ahead, to be held so that cubes can be placed there later."""
    at = play.now.trains.get(TRAIL_OF_TRIBE[colour])
    if at is None:
        return ()
    steps = [step.region for step in play.board.chart.trails[TRAIL_OF_TRIBE[colour]].steps]
    ahead = [region for region in steps if region not in steps[: steps.index(at) + 1]]
    beyond = [region for region in ahead if region not in home_regions(play, colour)]
    near = {other for region in beyond for other in play.board.near[region]}
    return play.board.in_board_order({*ahead, *near} & set(home_regions(play, colour)))


def _scenario_sort(play: WorkingState) -> str:
    return "train" if play.scenario.trains else "rails" if play.scenario.works else "columns"


def _train_aims(play: WorkingState, colour: Colour) -> tuple[Aim, ...]:
    """Return aims for full strength at the train, then at its next stop, then near the trail."""
    at = play.now.trains[TRAIL_OF_TRIBE[colour]]
    full = play.tribe_limit(at)
    aims = [Aim(at, full, 6, sentence("plains_indian_wars.reasons.train"), few=2)]
    ahead = next_train_region(play, colour)
    if ahead is not None:
        aims.append(Aim(ahead, full, 3, sentence("plains_indian_wars.reasons.train_next")))
    beside = [region for region in play.board.near[ahead or at] if region in placement_regions(play, colour)]
    aims += [
        Aim(region, full, 1, sentence("plains_indian_wars.reasons.near_trail"))
        for region in beside[:1]
        if region not in (at, ahead)
    ]
    return tuple(aims)


def _rail_aims(play: WorkingState, colour: Colour) -> tuple[Aim, ...]:
    """Return the workers as aims if they still build in this turn, and then their next section.

    An attack on workers needs enough cubes; otherwise the cubes gather beside them.
    """
    side = play.scenario.tribes.index(colour) if len(play.scenario.tribes) > 1 else 0
    assert play.scenario.works is not None, "the railroad is built by parties"
    rails = play.board.chart.railroad.sections
    aims, stands = [], []
    for line, section in play.now.parties.items():
        at = rails[section][play.scenario.works.sides[side]]
        if play.us_cubes(at):
            few = 2 if play.us_cubes(at) < _MIN_ATTACKERS else _MIN_ATTACKERS
            if "Black" in play.now.bag:
                aims.append(
                    Aim(at, play.tribe_limit(at), 6, sentence("plains_indian_wars.reasons.workers"), few=few)
                )
            beyond = section + (WESTWARD if line == "union" else -WESTWARD)
            if 0 <= beyond < len(rails):
                stands.append(rails[beyond][play.scenario.works.sides[side]])
    aims += [
        Aim(region, play.tribe_limit(region), 2, sentence("plains_indian_wars.reasons.workers_next"))
        for region in stands
    ]
    return tuple({aim.at: aim for aim in reversed(aims)}.values())[::-1]


def _column_aims(play: WorkingState, colour: Colour) -> tuple[Aim, ...]:
    """Return the Black Hills as an aim for as many cubes as they can hold, then the routes of columns."""
    campaign = play.scenario.campaign
    assert campaign is not None, "columns ride in a campaign"
    aims = [
        Aim(campaign.goal, play.tribe_limit(campaign.goal), 6, sentence("plains_indian_wars.reasons.hills"))
    ]
    for name, column in sorted(play.columns.items()):
        steps = campaign.columns[name].steps
        before = steps[-2]
        if column.at != campaign.goal and may_stand(play, colour, before):
            aims.append(Aim(before, 4, 1, sentence("plains_indian_wars.reasons.column")))
    return tuple({aim.at: aim for aim in reversed(aims)}.values())[::-1]


_AIMS_BY_SCENARIO: dict[str, Callable[[WorkingState, Colour], tuple[Aim, ...]]] = {
    "train": _train_aims,
    "rails": _rail_aims,
    "columns": _column_aims,
}
