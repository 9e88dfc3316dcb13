"""Who plays when nobody does: an officer of rules of thumb for the U.S., a chief for the nations."""

from collections.abc import Iterator

from games.dice import Dice
from games.plains_indian_wars import hands, lawful, railroad
from games.plains_indian_wars.board import SACRAMENTO, ST_LOUIS
from games.plains_indian_wars.carrying_out import places_for
from games.plains_indian_wars.components import Card, Effect, materials
from games.plains_indian_wars.model import (
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
    Region,
    View,
)
from games.plains_indian_wars.nations.bots import Chief
from games.plains_indian_wars.phase_limits import BELTS
from games.plains_indian_wars.scouting import Ground
from games.protocol import Choice, Due

_Choices = Iterator[Choice[AnyOrder]]


class Leader:
    """Plays either side from the view alone, and says each time by which rule: implements `protocol.Bot`."""

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """What the officer or the chief orders."""
        return (Officer() if due.seat == US else Chief()).orders(view, due, dice)


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
    for belt in BELTS:
        yield _reinforced(view, ground, belt)
    if view.fallen.get("Purple", 0) > 2:
        yield Choice(Recover(), "too many are in the Casualty Box")
    for belt in BELTS:
        yield from _sent_on(ground, belt)


def _reinforced(view: View, ground: Ground, belt: Belt) -> Choice[AnyOrder]:
    """Purple's cube of a belt: into a fight that it may win, else where nobody is, else to the weakest."""
    regions = ground.play.board.zone("NE" if belt == "north" else "SE")
    open_to = [region for region in regions if ground.play.room(region) and _mingles(ground, region)]
    if not view.ready.get("Purple") or not open_to:
        return Choice(NoPlace(belt=belt), "there is no cube, or no room for one")
    fights = [r for r in open_to if ground.play.tribes(r) and ground.play.count(r, "Purple")]
    empty = [r for r in open_to if not ground.play.tribes(r) and not ground.play.us(r)]
    at = (fights or empty or sorted(open_to, key=lambda r: ground.play.count(r, "Purple")))[0]
    why = "helps those who are raided" if fights else "nobody holds it" if empty else "fewest are there"
    return Choice(Place(count=1, colour="Purple", at=at), why)


def _mingles(ground: Ground, region: Region) -> bool:
    return not ground.play.count(region, "Brown") or bool(ground.play.count(region, "Blue"))


def _sent_on(ground: Ground, belt: Belt) -> _Choices:
    """All but one of the strongest group of a belt go where they are wanted."""
    regions = ground.play.board.zone("NE" if belt == "north" else "SE")
    for start in ground.groups("Purple"):
        spare = ground.play.count(start, "Purple") - 1
        if start in regions and spare > 0:
            goal = ground.goal(start, ("Purple",), spare, ground.play.scenario.purple["moves"])
            if goal:
                yield Choice(Move(cubes={"Purple": spare}, start=start, to=goal.to), goal.reason)
                return


def _cards(view: View, ground: Ground) -> _Choices:
    """Blue or Brown: the strongest card, its cubes, its groups, and the Events that have a target."""
    colour: Colour = view.disc or "Blue"
    deck = materials().deck_for(colour)
    assert deck is not None, "Blue and Brown have decks"
    possible = hands.actions(view, deck)
    if not possible:
        yield from _given_up(view, hands.in_hand(view, deck))
        return
    card = max(possible, key=lambda one: (one.cubes + one.groups * one.moves, one.id))
    yield Choice(PlayAction(card=card.id), "the strongest card of the hand")
    yield from _events(view, ground, deck)
    yield from _placed(view, ground, card, colour)
    if view.fallen.get(colour, 0) > view.ready.get(colour, 0):
        yield Choice(Recover(), "more are in the Casualty Box than in the Ready Box")
    yield from _moves(ground, card, colour)


def _given_up(view: View, hand: tuple[Card, ...]) -> _Choices:
    yield Choice(Discard(card=hand[0].id), "no action card is left")


def _placed(view: View, ground: Ground, card: Card, colour: Colour) -> _Choices:
    """Cubes as near to the railhead as they may come, the rest to the emptier city."""
    count = min(card.cubes, view.ready.get(colour, 0))
    forward = [r for r in places_for(ground.play, colour) if not ground.play.board.is_city(r)]
    near = [r for r in forward if r in ground.railheads() and ground.play.room(r) >= count]
    city = card.city or min((ST_LOUIS, SACRAMENTO), key=lambda one: ground.play.count(one, colour))
    if not count:
        return
    if near:
        yield Choice(Place(count=count, colour=colour, at=near[0]), "beside the railhead")
    else:
        yield Choice(Place(count=count, colour=colour, at=city), "the emptier city")
        ground.play.muster(city, colour, count)


def _moves(ground: Ground, card: Card, colour: Colour) -> _Choices:
    """The strongest groups first: a fight at good odds, an empty region, else forward."""
    left = card.groups
    for start in ground.groups(colour):
        if not left:
            return
        here = ground.play.count(start, colour)
        stays = colour == "Brown" and not ground.play.board.is_city(start)
        if stays and start in ground.railheads():
            continue
        count = min(here - stays, 6)
        if count < 1:
            continue
        goal = ground.goal(start, (colour,), count, card.moves) or ground.forward(
            start, (colour,), count, card.moves
        )
        if goal is None:
            continue
        left -= 1
        ground.taken.add(goal.to)
        cubes: dict[Colour, int] = {colour: count}
        if colour == "Blue" and _may_take_along(ground, start, goal.to):
            cubes["Brown"] = min(2 * count, ground.play.count(start, "Brown"), 3)
        yield Choice(Move(cubes=cubes, start=start, to=goal.to), goal.reason)


def _may_take_along(ground: Ground, start: Region, to: Region) -> bool:
    """Whether the cavalry takes settlers along: out of a city, as long as there is room for all."""
    brown = ground.play.count(start, "Brown")
    return ground.play.board.is_city(start) and brown > 1 and ground.play.room(to) >= 8


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
