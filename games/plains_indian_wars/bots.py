"""The bots: rules of thumb for the U.S. and for the nations."""

from collections.abc import Iterator

from games.dice import Dice
from games.plains_indian_wars import hands, legality, railroad
from games.plains_indian_wars.components import Card, Effect, materials
from games.plains_indian_wars.evaluation import PositionEvaluation
from games.plains_indian_wars.model import (
    SOLDIERS,
    US_SEAT,
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
from games.plains_indian_wars.officer import Deployment, GroupMove, phase_plans
from games.plains_indian_wars.phase_limits import BELTS
from games.plains_indian_wars.scouting import BoardScan
from games.protocol import Choice, Due

_Choices = Iterator[Choice[AnyOrder]]


class PlainsBot:
    """Plays either side from the view alone, and says each time by which rule: implements `protocol.Bot`."""

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """Return the orders of the bot that plays the seat."""
        return (UsBot() if due.seat == US_SEAT else nations.NationsBot()).orders(view, due, dice)


class UsBot:
    """Plays the U.S.: implements `protocol.Bot`."""

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """Return a plan for the phase that is due, each order with its reason; illegal ideas are dropped."""
        ground = BoardScan(view)
        thought = {None: _set_up_phase, "Purple": _purple_phase}.get(view.disc, _card_phase)(view, ground)
        choices: dict[str | None, Choice[AnyOrder]] = {}
        for choice in thought:
            if choice.order.slot not in choices and legality.objection(view, choice.order) is None:
                choices[choice.order.slot] = choice
        return tuple(choices.values())


def _set_up_phase(view: View, ground: BoardScan) -> _Choices:
    yield Choice(Begin(), "the board is set up")
    if view.tied:
        where = Instruction(topic="custer", says=view.tied[:1])
        yield Choice(where, "the first of the regions with the most Green")
    alone = Instruction(topic="withdraw", about="Brown", says=("1",))
    yield Choice(alone, "a lone settler is no match for a band")


def _purple_phase(view: View, ground: BoardScan) -> _Choices:
    """A cube for each belt, then a group of each: where the schedule gains most."""
    prospect = PositionEvaluation(view, treaties=False)
    recovers = view.fallen.get("Purple", 0) > 2 and view.ready.get("Purple", 0) < 4
    moves, groups = ground.play.scenario.purple["moves"], len(BELTS) - recovers
    deployed = Deployment(prospect, "Purple", moves, groups)
    for belt in BELTS:
        yield _reinforce_belt(view, ground, deployed, belt)
    if recovers:
        yield Choice(Recover(), "too many are in the Casualty Box")
    for step in deployed.steps():
        yield _move_choice(prospect, step)


def _reinforce_belt(view: View, ground: BoardScan, deployed: Deployment, belt: Belt) -> Choice[AnyOrder]:
    """Return where Purple's cube of a belt comes: where it gains most."""
    regions = ground.play.board.regions_in_zones("NE" if belt == "north" else "SE")
    open_to = [r for r in regions if deployed.gain_of(r) is not None]
    if not view.ready.get("Purple") or not open_to:
        return Choice(NoPlace(belt=belt), "there is no cube, or no room for one")
    at = max(open_to, key=lambda region: deployed.gain_of(region) or 0)
    deployed.add(at, 1)
    why = "helps those who are raided" if ground.play.tribe_cubes(at) else "holds it against raids"
    return Choice(Place(count=1, colour="Purple", at=at), why)


def _card_phase(view: View, ground: BoardScan) -> _Choices:
    """Blue or Brown: the card and places by which the schedule gains most; Events that have a target."""
    colour: Colour = view.disc or "Blue"
    deck = materials().deck_for(colour)
    assert deck is not None, "Blue and Brown have decks"
    possible = hands.action_cards(view, deck)
    if not possible:
        yield from _discard_choice(view, hands.cards_in_hand(view, deck))
        return
    prospect = PositionEvaluation(view)
    recovers = view.fallen.get(colour, 0) > max(3, view.ready.get(colour, 0))
    plans_by_card = (phase_plans(prospect, colour, card, card.groups - recovers) for card in possible)
    plan = max(
        (plan for plans in plans_by_card for plan in plans),
        key=lambda candidate: (candidate.worth, candidate.card),
    )
    yield Choice(PlayAction(card=plan.card), "the card by which most is gained")
    yield from _events(view, ground, deck)
    if plan.at is not None:
        yield Choice(Place(count=plan.count, colour=colour, at=plan.at), "most is gained from there")
    if recovers:
        yield Choice(Recover(), "more are in the Casualty Box than in the Ready Box")
    for step in plan.steps:
        yield _move_choice(prospect, step)


def _move_choice(prospect: PositionEvaluation, step: GroupMove) -> Choice[AnyOrder]:
    cubes: dict[Colour, int] = {}
    for colour, count in zip(SOLDIERS, step.cubes, strict=True):
        if count:
            cubes[colour] = count
    return Choice(Move(cubes=cubes, start=step.start, to=step.to), prospect.reason(step.to))


def _discard_choice(view: View, hand: tuple[Card, ...]) -> _Choices:
    yield Choice(Discard(card=hand[0].id), "no action card is left")


def _events(view: View, ground: BoardScan, deck: DeckName) -> _Choices:
    """Every Event of the hand that does something as the board stands."""
    for card in hands.cards_in_hand(view, deck):
        if card.effect is not None:
            order = _event(view, ground, card, card.effect)
            if order is not None:
                yield Choice(order, "it has a target")


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
