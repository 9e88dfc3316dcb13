"""The plan of a tribe up to its engagements: orders and Event cards are carried out.

`nations.legality` uses the same code to check whole plans."""

from collections.abc import Callable, Mapping
from typing import assert_never

from games.plains_indian_wars import hands, railroad
from games.plains_indian_wars.board import tribe_of
from games.plains_indian_wars.components import Card, Effect
from games.plains_indian_wars.engagements import dice_for
from games.plains_indian_wars.events import CardPlayed, OrderFault, Placed, RailsTorn, Rode, Struck
from games.plains_indian_wars.execution import (
    bring_back,
    event_fault,
    play_action_card,
    recover,
    report_fault,
)
from games.plains_indian_wars.model import (
    AnyOrder,
    Begin,
    Colour,
    Discard,
    Instruction,
    Move,
    NoPlace,
    Place,
    PlayAction,
    PlayEvent,
    Recover,
    Region,
)
from games.plains_indian_wars.nations.tribe_phase import (
    TribePhase,
    apply_hits,
    controls,
    home_regions,
    is_empty,
    may_stand,
    placement_regions,
)
from games.plains_indian_wars.working_state import WorkingState

# Rule 1: cards that bring cubes back come first, then cubes are placed; everything else happens in the order
# of the plan.
# Rule 2: an order that can't be carried out becomes a LeftOut event, and changes nothing else.
# Rule 3: a dry run doesn't roll dice, so attacks by cards do nothing in it.


FIRST_OPERATIONS, PLACING_OPERATIONS = ("muster",), ("fierce",)
"""The operations of Events that are carried out before cubes are placed, and together with them."""


def carry_out_plan(plan: TribePhase) -> None:
    """Carry out cards, cubes and moves, and tell orders that can't be carried out. Source: PIW2.turn.plan."""
    play_action_card(plan.play, plan.colour, plan.orders, plan.allowance)
    early = [order for order in plan.orders if _operation_of(plan, order) in FIRST_OPERATIONS]
    cubes = [o for o in plan.orders if isinstance(o, Place) or _operation_of(plan, o) in PLACING_OPERATIONS]
    rest = [order for order in plan.orders if order not in (*early, *cubes)]
    for order in (*early, *cubes, *rest):
        if isinstance(order, Place):
            report_fault(plan.play, order, _place_cubes(plan, order))
        elif isinstance(order, Move):
            report_fault(plan.play, order, plan.warpaths.move(order))
        elif isinstance(order, PlayEvent):
            report_fault(plan.play, order, _play_event(plan, order))
        elif isinstance(order, Recover):
            report_fault(plan.play, order, recover(plan.play, plan.colour, plan.allowance))
        elif not isinstance(order, Begin | PlayAction | Discard | NoPlace | Instruction):
            assert_never(order)
    plan.warpaths.turn_back()


def _place_cubes(plan: TribePhase, order: Place) -> OrderFault | None:
    """Place cubes, up to the number of the action card. Source: PIW2.place.home."""
    fault = home_fault(plan.play, plan.colour, order.at)
    if fault is not None:
        return fault
    wanted = min(order.count, plan.allowance.cubes_left(None))
    came = plan.place_cubes(order.at, wanted)
    plan.allowance.count_placed(None, came)
    if came:
        plan.play.tell(Placed, colour=plan.colour, at=order.at, count=came)
    if came == order.count:
        return None
    code = "too-many" if wanted < order.count else "ready-box-empty"
    return OrderFault(code=code, detail={"count": str(came), "at": order.at})


def _play_event(plan: TribePhase, order: PlayEvent) -> OrderFault | None:
    """Play an Event; return why it can't be played or has no effect. Source: PIW1.cards.events."""
    fault = event_fault(plan.play, plan.colour, plan.allowance, plan.events_played, order)
    if fault is not None:
        return fault
    plan.events_played += 1
    return carry_out_event(plan, order)


def _operation_of(plan: TribePhase, order: AnyOrder) -> str:
    if not isinstance(order, PlayEvent):
        return ""
    effect = plan.play.materials.cards[order.card].effect
    return effect.op if effect else ""


def home_fault(play: WorkingState, colour: Colour, at: Region) -> OrderFault | None:
    """Return why cubes of a tribe can't be placed in a region; None if they can."""
    open_to = placement_regions(play, colour)
    if at in open_to:
        return None
    code = "not-held" if tribe_of(at) == colour and play.board.is_plains(at) else "no-home"
    return OrderFault(code=code, detail={"at": at, "near": " ".join(open_to)})


# Event cards of the tribes' decks: one function for each operation of data/cards.json.


TRIBE_REGION_OPERATIONS = ("strike", "sweep", "fierce", "first-strike")
"""The operations that are played in a region."""

TRIBE_TARGET_OPERATIONS = ("strike",)
"""The operations that are played in a region against another one."""


def carry_out_event(plan: TribePhase, order: PlayEvent) -> OrderFault | None:
    """Play an Event that can be played; return why it has no effect, or None."""
    card = plan.play.materials.cards[order.card]
    assert card.effect is not None, "an Event has an effect"
    hands.play_card(plan.play, card.id)
    plan.play.tell(CardPlayed, card=card.id, at=order.at, to=order.to)
    return _TRIBE_EFFECTS[card.effect.op](plan, card, card.effect, order)


def strike_targets(play: WorkingState, colour: Colour, at: Region) -> tuple[Region, ...]:
    """Return the regions where the force of a region can strike: its own region and its neighbours.

    Guards alone and columns at their start aren't targets. Source: PIW2.card.held, PIW2.card.spared.
    """
    if not play.count(at, colour):
        return ()
    return tuple(region for region in (at, *play.board.near[at]) if is_strike_target(play, region))


def is_strike_target(play: WorkingState, region: Region) -> bool:
    """Return whether a card can strike at the U.S. in a region."""
    if not play.us_cubes(region):
        return False
    if play.scenario.trains:
        return region in play.now.trains.values()
    campaign = play.scenario.campaign
    starts = [route.steps[0] for route in campaign.columns.values()] if campaign else []
    return region not in starts


def raid_targets(play: WorkingState, colour: Colour) -> tuple[Region, ...]:
    """Return the regions where a card can raid settlers and wagons: with the tribe or beside it.

    In a campaign of columns there are none.
    """
    if play.scenario.campaign:
        return ()
    held = play.regions_with((colour,))
    near = {neighbour for region in held for neighbour in (region, *play.board.near[region])}
    return tuple(
        r
        for r in play.board.in_board_order(near)
        if is_strike_target(play, r) and (play.count(r, "Brown") or play.count(r, "White"))
    )


def _no_target(order: PlayEvent) -> OrderFault:
    return OrderFault(code="no-target", detail={"card": order.card, "at": order.at or ""})


def _roll_strike(plan: TribePhase, card: Card, effect: Effect, at: Region, to: Region, most: int) -> None:
    """Roll once for a force, with a die for each cube up to a number. Source: PIW2.card.strike."""
    play = plan.play
    if play.is_dry_run:
        return
    label = f"{play.dice_label}/{card.id}/{to}"
    count = min(play.count(at, plan.colour), most)
    faces = play.materials.roll(play.dice, label, plan.colour, count)
    fell = apply_hits(play, to, sum(face in effect.faces for face in faces))
    play.tell(Struck, card=card.id, colour=plan.colour, start=at, to=to, faces=faces, fell=fell)


def _strike(plan: TribePhase, card: Card, effect: Effect, order: PlayEvent) -> OrderFault | None:
    """Let one force strike at one region. Source: PIW2.card.crazy."""
    at = order.at
    if at is None or not (targets := strike_targets(plan.play, plan.colour, at)):
        return _no_target(order)
    to = order.to if order.to in targets else targets[0] if order.to is None else None
    if to is None:
        return _no_target(order)
    _roll_strike(plan, card, effect, at, to, plan.play.scenario.card_dice)
    return None


def _sweep(plan: TribePhase, card: Card, effect: Effect, order: PlayEvent) -> OrderFault | None:
    """Let one force strike at all its neighbours, and then ride away.

    Source: PIW2.card.geronimo, PIW2.card.geronimo.where.
    """
    play, at = plan.play, order.at
    if at is None or not play.count(at, plan.colour):
        return _no_target(order)
    for to in strike_targets(play, plan.colour, at):
        if to != at:
            _roll_strike(plan, card, effect, at, to, dice_for(play.count(at, plan.colour)))
    goal = _ride_goal(play, plan.colour, effect, order)
    force = play.count(at, plan.colour)
    room = play.tribe_limit(goal) - play.tribe_cubes(goal) if goal else 0
    rest = force - min(force, room)
    for whither, count in ((goal, force - rest), (None, rest)):
        if count:
            _ride(plan, card, at, whither, count)
    return None


def _ride(plan: TribePhase, card: Card, at: Region, to: Region | None, count: int) -> None:
    play, colour = plan.play, plan.colour
    play.remove_cubes(at, colour, count)
    if to is None:
        play.ready[colour] = play.ready.get(colour, 0) + count
    else:
        play.add_cubes(to, colour, count)
        plan.warpaths.note_arrival(at, to, count)
    play.tell(Rode, card=card.id, cubes={colour: count}, start=at, to=to)


def _ride_goal(play: WorkingState, colour: Colour, effect: Effect, order: PlayEvent) -> Region | None:
    """Return the region that a force rides to: the card's, or otherwise one at home; None if there is none.

    At home it is the region of the order, or the region with the most room.
    """
    if effect.to is not None and may_stand(play, colour, effect.to):
        return effect.to
    free = havens(play, colour, order.at)
    if order.to in free:
        return order.to
    return max(free, key=lambda region: play.tribe_limit(region) - play.tribe_cubes(region), default=None)


def havens(play: WorkingState, colour: Colour, start: Region | None) -> tuple[Region, ...]:
    """Return the regions at home with room for a force that rides away."""
    return tuple(
        region
        for region in home_regions(play, colour)
        if region != start
        and (controls(play, colour, region) or is_empty(play, region))
        and play.tribe_cubes(region) < play.tribe_limit(region)
    )


def event_places(play: WorkingState, colour: Colour, effect: Effect) -> tuple[Region | None, ...]:
    """Return the regions where an Event can be played now, with None for an Event without a region."""
    if effect.op == "fierce":
        return placement_regions(play, colour)
    if effect.op in TRIBE_REGION_OPERATIONS:
        return play.regions_with((colour,)) or placement_regions(play, colour)
    return (None, *raid_targets(play, colour)) if effect.op == "raid" and not play.scenario.works else (None,)


def event_goals(play: WorkingState, colour: Colour, effect: Effect, at: Region) -> tuple[Region, ...]:
    """Return the regions that a force can strike from a region, or ride to; () if there is no choice."""
    if effect.op in TRIBE_TARGET_OPERATIONS:
        goals = strike_targets(play, colour, at)
    elif effect.op == "sweep" and (effect.to is None or not may_stand(play, colour, effect.to)):
        goals = havens(play, colour, at) if play.count(at, colour) else ()
    else:
        return ()
    return goals if len(goals) > 1 else ()


def _fierce(plan: TribePhase, _card: Card, effect: Effect, order: PlayEvent) -> OrderFault | None:
    """Place cubes in a region. In their first engagement treaties are hits. Source: PIW2.card.fierce."""
    if order.at is None or order.at not in placement_regions(plan.play, plan.colour):
        return _no_target(order)
    came = plan.place_cubes(order.at, effect.cubes)
    if came:
        plan.play.tell(Placed, colour=plan.colour, at=order.at, count=came, why="card")
    plan.fierce = order.at
    return None


def _first_strike(plan: TribePhase, _card: Card, _effect: Effect, order: PlayEvent) -> OrderFault | None:
    """Let only the tribe roll in the first rounds. Source: PIW2.card.alone."""
    if order.at is None:
        return _no_target(order)
    plan.alone[order.at] = plan.play.scenario.alone
    return None


def _raid(plan: TribePhase, card: Card, effect: Effect, order: PlayEvent) -> OrderFault | None:
    """Remove spaces of the railroad, or raid settlers and wagons. Source: PIW2.card.rails, PIW2.card.raid."""
    play = plan.play
    if play.scenario.works:
        count = railroad.tear_up(play, plan.colour, effect.spaces)
        if not count:
            return _no_target(order)
        play.tell(RailsTorn, card=card.id, count=count, built=play.now.union)
        return None
    targets = raid_targets(play, plan.colour)
    to = order.at if order.at is not None else next(iter(targets), None)
    if to not in targets or to is None:
        return _no_target(order)
    if play.is_dry_run:
        return None
    start = max((to, *play.board.near[to]), key=lambda region: play.count(region, plan.colour))
    count = max(effect.dice, min(play.count(start, plan.colour), play.scenario.card_dice))
    faces = play.materials.roll(play.dice, f"{play.dice_label}/{card.id}/{to}", plan.colour, count)
    fell: dict[Colour, int] = {}
    for _ in range(sum(face in effect.faces for face in faces)):
        here = {colour: play.count(to, colour) for colour in effect.prey}
        colour = max(effect.prey, key=lambda candidate: (here[candidate], -effect.prey.index(candidate)))
        if here[colour]:
            play.eliminate(to, colour, 1)
            fell[colour] = fell.get(colour, 0) + 1
    play.tell(Struck, card=card.id, colour=plan.colour, start=start, to=to, faces=faces, fell=fell)
    return None


def _muster(plan: TribePhase, _card: Card, effect: Effect, _order: PlayEvent) -> OrderFault | None:
    """Empty the Casualty Box, and let some of its cubes be placed at once. Source: PIW2.card.muster."""
    came = bring_back(plan.play, plan.colour)
    plan.allowance.add_cubes(min(effect.cubes, came))
    return None if came else OrderFault(code="nobody-fell", detail={"colour": plan.colour})


_TRIBE_EFFECTS: Mapping[str, Callable[[TribePhase, Card, Effect, PlayEvent], OrderFault | None]] = {
    "strike": _strike,
    "sweep": _sweep,
    "fierce": _fierce,
    "first-strike": _first_strike,
    "raid": _raid,
    "muster": _muster,
}
