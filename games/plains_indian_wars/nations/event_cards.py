"""Event cards of the tribes' decks: one function for each operation of data/cards.json."""

from collections.abc import Callable, Mapping

from games.plains_indian_wars import hands, railroad
from games.plains_indian_wars.carrying_out import bring_back
from games.plains_indian_wars.components import Card, Effect
from games.plains_indian_wars.engagements import dice_for
from games.plains_indian_wars.events import CardPlayed, Fault, Placed, RailsTorn, Rode, Struck
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import Colour, PlayEvent, Region
from games.plains_indian_wars.nations.fights import casualties
from games.plains_indian_wars.nations.lands import controls, homes, is_empty, may_stand, places_for
from games.plains_indian_wars.nations.phase import Plan

WANT_REGION = ("strike", "sweep", "fierce", "first-strike")
"""The operations that are played in a region."""

WANT_TARGET = ("strike",)
"""Those that are played against another one besides."""


def carry_out(plan: Plan, order: PlayEvent) -> Fault | None:
    """Play an Event that may be played; why it does nothing, if so."""
    card = plan.play.box.cards[order.card]
    assert card.effect is not None, "an Event has an effect"
    hands.play_card(plan.play, card.id)
    plan.play.tell(CardPlayed, card=card.id, at=order.at, to=order.to)
    return _DO[card.effect.op](plan, card, card.effect, order)


def prey(play: Play, colour: Colour, at: Region) -> tuple[Region, ...]:
    """Where the force of a region may strike: there or in a neighbour, at the U.S.

    Guards alone and columns at their start are left out. Source: PIW2.card.held, PIW2.card.spared.
    """
    if not play.count(at, colour):
        return ()
    return tuple(region for region in (at, *play.board.near[at]) if is_prey(play, region))


def is_prey(play: Play, region: Region) -> bool:
    """Whether a card may strike at a region."""
    if not play.us(region):
        return False
    if play.scenario.trains:
        return region in play.now.trains.values()
    campaign = play.scenario.campaign
    starts = [route.steps[0] for route in campaign.columns.values()] if campaign else []
    return region not in starts


def raided(play: Play, colour: Colour) -> tuple[Region, ...]:
    """Where a raid on settlers and wagons may fall: where a tribe is, or next to it. None among columns."""
    if play.scenario.campaign:
        return ()
    held = play.regions((colour,))
    near = {one for region in held for one in (region, *play.board.near[region])}
    return tuple(
        r
        for r in play.board.sorted(near)
        if is_prey(play, r) and (play.count(r, "Brown") or play.count(r, "White"))
    )


def _none(order: PlayEvent) -> Fault:
    return Fault(code="no-target", detail={"card": order.card, "at": order.at or ""})


def _throw(plan: Plan, card: Card, effect: Effect, at: Region, to: Region, most: int) -> None:
    """A force throws once at a region, a die for each cube up to a number. Source: PIW2.card.strike."""
    play = plan.play
    if play.is_ahead:
        return
    label = f"{play.label}/{card.id}/{to}"
    count = min(play.count(at, plan.colour), most)
    faces = play.box.throw(play.dice, label, plan.colour, count)
    fell = casualties(play, to, sum(face in effect.faces for face in faces))
    play.tell(Struck, card=card.id, colour=plan.colour, start=at, to=to, faces=faces, fell=fell)


def _strike(plan: Plan, card: Card, effect: Effect, order: PlayEvent) -> Fault | None:
    """One force, one target. Source: PIW2.card.crazy."""
    at = order.at
    if at is None or not (targets := prey(plan.play, plan.colour, at)):
        return _none(order)
    to = order.to if order.to in targets else targets[0] if order.to is None else None
    if to is None:
        return _none(order)
    _throw(plan, card, effect, at, to, plan.play.scenario.card_dice)
    return None


def _sweep(plan: Plan, card: Card, effect: Effect, order: PlayEvent) -> Fault | None:
    """One force at all its neighbours, then away. Source: PIW2.card.geronimo, PIW2.card.geronimo.where."""
    play, at = plan.play, order.at
    if at is None or not play.count(at, plan.colour):
        return _none(order)
    for to in prey(play, plan.colour, at):
        if to != at:
            _throw(plan, card, effect, at, to, dice_for(play.count(at, plan.colour)))
    goal = _goal(play, plan.colour, effect, order)
    force = play.count(at, plan.colour)
    room = play.limit(goal) - play.tribes(goal) if goal else 0
    rest = force - min(force, room)
    for whither, count in ((goal, force - rest), (None, rest)):
        if count:
            _ride(plan, card, at, whither, count)
    return None


def _ride(plan: Plan, card: Card, at: Region, to: Region | None, count: int) -> None:
    play, colour = plan.play, plan.colour
    play.take(at, colour, count)
    if to is None:
        play.ready[colour] = play.ready.get(colour, 0) + count
    else:
        play.put(to, colour, count)
        plan.warpaths.come(at, to, count)
    play.tell(Rode, card=card.id, cubes={colour: count}, start=at, to=to)


def _goal(play: Play, colour: Colour, effect: Effect, order: PlayEvent) -> Region | None:
    """Where the force rides: the card's region, else one at home, as is said or where most room is."""
    if effect.to is not None and may_stand(play, colour, effect.to):
        return effect.to
    free = havens(play, colour, order.at)
    if order.to in free:
        return order.to
    return max(free, key=lambda region: play.limit(region) - play.tribes(region), default=None)


def havens(play: Play, colour: Colour, start: Region | None) -> tuple[Region, ...]:
    """The regions at home where a force may ride that has swept, while they have room."""
    return tuple(
        region
        for region in homes(play, colour)
        if region != start
        and (controls(play, colour, region) or is_empty(play, region))
        and play.tribes(region) < play.limit(region)
    )


def places_of(play: Play, colour: Colour, effect: Effect) -> tuple[Region | None, ...]:
    """Where an Event may be played, as the board stands; None: nowhere in particular."""
    if effect.op == "fierce":
        return places_for(play, colour)
    if effect.op in WANT_REGION:
        return play.regions((colour,)) or places_for(play, colour)
    return (None, *raided(play, colour)) if effect.op == "raid" and not play.scenario.works else (None,)


def goals_of(play: Play, colour: Colour, effect: Effect, at: Region) -> tuple[Region, ...]:
    """Whom a force strikes from a region, or where it rides from there; () where there is no choice."""
    if effect.op in WANT_TARGET:
        found = prey(play, colour, at)
    elif effect.op == "sweep" and (effect.to is None or not may_stand(play, colour, effect.to)):
        found = havens(play, colour, at) if play.count(at, colour) else ()
    else:
        return ()
    return found if len(found) > 1 else ()


def _fierce(plan: Plan, card: Card, effect: Effect, order: PlayEvent) -> Fault | None:
    """Cubes in one region, which fight fiercely. Source: PIW2.card.fierce."""
    if order.at is None or order.at not in places_for(plan.play, plan.colour):
        return _none(order)
    came = plan.put(order.at, effect.cubes)
    if came:
        plan.play.tell(Placed, colour=plan.colour, at=order.at, count=came, why="card")
    plan.fierce = order.at
    return None


def _first_strike(plan: Plan, card: Card, effect: Effect, order: PlayEvent) -> Fault | None:
    """The tribe throws alone at first. Source: PIW2.card.alone."""
    if order.at is None:
        return _none(order)
    plan.alone[order.at] = plan.play.scenario.alone
    return None


def _raid(plan: Plan, card: Card, effect: Effect, order: PlayEvent) -> Fault | None:
    """Rails torn off, or a raid on settlers and wagons. Source: PIW2.card.rails, PIW2.card.raid."""
    play = plan.play
    if play.scenario.works:
        count = railroad.tear_up(play, plan.colour, effect.spaces)
        if not count:
            return _none(order)
        play.tell(RailsTorn, card=card.id, count=count, built=play.now.union)
        return None
    targets = raided(play, plan.colour)
    to = order.at if order.at is not None else next(iter(targets), None)
    if to not in targets or to is None:
        return _none(order)
    if play.is_ahead:
        return None
    start = max((to, *play.board.near[to]), key=lambda region: play.count(region, plan.colour))
    count = max(effect.dice, min(play.count(start, plan.colour), play.scenario.card_dice))
    faces = play.box.throw(play.dice, f"{play.label}/{card.id}/{to}", plan.colour, count)
    fell: dict[Colour, int] = {}
    for _ in range(sum(face in effect.faces for face in faces)):
        here = {colour: play.count(to, colour) for colour in effect.prey}
        colour = max(effect.prey, key=lambda one: (here[one], -effect.prey.index(one)))
        if here[colour]:
            play.fall(to, colour, 1)
            fell[colour] = fell.get(colour, 0) + 1
    play.tell(Struck, card=card.id, colour=plan.colour, start=start, to=to, faces=faces, fell=fell)
    return None


def _muster(plan: Plan, card: Card, effect: Effect, order: PlayEvent) -> Fault | None:
    """The fallen come back, and some of them may be placed at once. Source: PIW2.card.muster."""
    came = bring_back(plan.play, plan.colour)
    plan.allowance.add(min(effect.cubes, came))
    return None if came else Fault(code="nobody-fell", detail={"colour": plan.colour})


_DO: Mapping[str, Callable[[Plan, Card, Effect, PlayEvent], Fault | None]] = {
    "strike": _strike,
    "sweep": _sweep,
    "fierce": _fierce,
    "first-strike": _first_strike,
    "raid": _raid,
    "muster": _muster,
}
