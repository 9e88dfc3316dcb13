"""Who plays when nobody does: an officer of rules of thumb for the U.S., a chief for the nations."""

from collections.abc import Iterator

from games.dice import Dice
from games.plains_indian_wars import hands, lawful, railroad
from games.plains_indian_wars.components import Card, Effect, materials
from games.plains_indian_wars.model import (
    SOLDIERS,
    US,
    AnyOrder,
    Begin,
    Belt,
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
    View,
)
from games.plains_indian_wars.nations import bots as nations
from games.plains_indian_wars.officer import Deployment, Step, campaigns
from games.plains_indian_wars.phase_limits import BELTS
from games.plains_indian_wars.prospect import Prospect
from games.plains_indian_wars.scouting import Ground
from games.protocol import Choice, Due

_Choices = Iterator[Choice[AnyOrder]]


class Leader:
    """Plays either side from the view alone, and says each time by which rule: implements `protocol.Bot`."""

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """What the officer or the chief orders."""
        return (Officer() if due.seat == US else nations.Chief()).orders(view, due, dice)


class Officer:
    """Plays the U.S.: implements `protocol.Bot`."""

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """A plan for the phase that is due, each order with its reason; unlawful thoughts are dropped."""
        ground = Ground(view)
        thought = {None: _set_up, "Purple": _purple}.get(view.disc, _cards)(view, ground)
        found: dict[str | None, Choice[AnyOrder]] = {}
        for choice in thought:
            if choice.order.slot not in found and lawful.objection(view, choice.order) is None:
                found[choice.order.slot] = choice
        return tuple(found.values())


def _set_up(view: View, ground: Ground) -> _Choices:
    yield Choice(Begin(), "the board is set up")
    if view.tied:
        where = Instruction(topic="custer", says=view.tied[:1])
        yield Choice(where, "the first of the regions with the most Green")
    alone = Instruction(topic="withdraw", about="Brown", says=("1",))
    yield Choice(alone, "a lone settler is no match for a band")


def _purple(view: View, ground: Ground) -> _Choices:
    """A cube for each belt, then a group of each: where the schedule gains most."""
    prospect = Prospect(view, treaties=False)
    recovers = view.fallen.get("Purple", 0) > 2 and view.ready.get("Purple", 0) < 4
    moves, groups = ground.play.scenario.purple["moves"], len(BELTS) - recovers
    deployed = Deployment(prospect, "Purple", moves, groups)
    for belt in BELTS:
        yield _reinforced(view, ground, deployed, belt)
    if recovers:
        yield Choice(Recover(), "too many are in the Casualty Box")
    for step in deployed.steps():
        yield _moved(prospect, step)


def _reinforced(view: View, ground: Ground, deployed: Deployment, belt: Belt) -> Choice[AnyOrder]:
    """Purple's cube of a belt, where it gains most."""
    regions = ground.play.board.zone("NE" if belt == "north" else "SE")
    open_to = [r for r in regions if deployed.gain_of(r) is not None]
    if not view.ready.get("Purple") or not open_to:
        return Choice(NoPlace(belt=belt), "there is no cube, or no room for one")
    at = max(open_to, key=lambda region: deployed.gain_of(region) or 0)
    deployed.add(at, 1)
    why = "helps those who are raided" if ground.play.tribes(at) else "holds it against raids"
    return Choice(Place(count=1, colour="Purple", at=at), why)


def _cards(view: View, ground: Ground) -> _Choices:
    """Blue or Brown: the card and places by which the schedule gains most; Events that have a target."""
    colour: Colour = view.disc or "Blue"
    deck = materials().deck_for(colour)
    assert deck is not None, "Blue and Brown have decks"
    possible = hands.actions(view, deck)
    if not possible:
        yield from _given_up(view, hands.in_hand(view, deck))
        return
    prospect = Prospect(view)
    recovers = view.fallen.get(colour, 0) > max(3, view.ready.get(colour, 0))
    found = (campaigns(prospect, colour, card, card.groups - recovers) for card in possible)
    plan = max((plan for plans in found for plan in plans), key=lambda one: (one.worth, one.card))
    yield Choice(PlayAction(card=plan.card), "the card by which most is gained")
    yield from _events(view, ground, deck)
    if plan.at is not None:
        yield Choice(Place(count=plan.count, colour=colour, at=plan.at), "most is gained from there")
    if recovers:
        yield Choice(Recover(), "more are in the Casualty Box than in the Ready Box")
    for step in plan.steps:
        yield _moved(prospect, step)


def _moved(prospect: Prospect, step: Step) -> Choice[AnyOrder]:
    cubes: dict[Colour, int] = {}
    for colour, count in zip(SOLDIERS, step.cubes, strict=True):
        if count:
            cubes[colour] = count
    return Choice(Move(cubes=cubes, start=step.start, to=step.to), prospect.reason(step.to))


def _given_up(view: View, hand: tuple[Card, ...]) -> _Choices:
    yield Choice(Discard(card=hand[0].id), "no action card is left")


def _events(view: View, ground: Ground, deck: DeckName) -> _Choices:
    """Every Event of the hand that does something as the board stands."""
    for card in hands.in_hand(view, deck):
        if card.effect is not None:
            order = _event(view, ground, card, card.effect)
            if order is not None:
                yield Choice(order, "it has a target")


def _event(view: View, ground: Ground, card: Card, effect: Effect) -> PlayEvent | None:
    play = ground.play
    if effect.op == "remove":
        where = {
            "by-blue": ground.by("Blue"),
            "by-purple": play.board.zone("NE", "SE"),
            "railroad": tuple(play.board.section),
        }[effect.where or "railroad"]
        at = ground.best_of(where)
        return PlayEvent(card=card.id, at=at) if at else None
    if effect.op == "quiet":
        beside = [region for region, n in play.board.section.items() if n + 1 in effect.sections]
        best = max(beside, key=lambda region: (play.count(region, "White"), play.us(region)))
        return PlayEvent(card=card.id, at=best)
    if effect.op == "rails":
        free = railroad.plains_left(view) and railroad.workers(play, railroad.union_section(view))
        return PlayEvent(card=card.id) if free else None
    if effect.op == "circle":
        rolling = sum(play.count(region, "White") for region in play.board.steps)
        return PlayEvent(card=card.id) if rolling > 1 else None
    strongest = next(iter(ground.groups(view.disc or "Blue")), None)
    if effect.op == "extra-group":
        return PlayEvent(card=card.id, at=strongest) if strongest else None
    target = ground.best_of(ground.by("Blue"))
    return PlayEvent(card=card.id, at=target) if target else None
