"""The bot of the nations: plain rules of thumb, each of them named."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.dice import Dice
from games.plains_indian_wars import hands, railroad
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
from games.plains_indian_wars.nations import event_cards, legality
from games.plains_indian_wars.nations.gathering import Aim, GatheringPlan, forces_after, plan_gathering
from games.plains_indian_wars.nations.lands import placement_regions
from games.plains_indian_wars.nations.sequence import acting_tribes, tribe_deck, tribes_with_cards
from games.plains_indian_wars.nations.targets import next_train_region, tribe_aims, tribe_posts
from games.plains_indian_wars.working_state import WorkingState
from games.protocol import Choice, Due

_Choices = Iterator[Choice[AnyOrder]]

_EVENTS_BY_STRENGTH = ("fierce", "strike", "sweep", "first-strike", "raid", "muster")
"""Events, the strongest first."""


@dataclass(frozen=True)
class _TribePlan:
    """The plan of a tribe. best: the way it gathers; held: its forces by region after that."""

    play: WorkingState
    colour: Colour
    best: GatheringPlan
    aims: Sequence[Aim]
    held: Mapping[Region, int]


class NationsBot:
    """Plays the nations: implements `protocol.Bot`."""

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """Return a plan for each tribe that is due, each order with its reason; illegal ideas are dropped."""
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
        yield Choice(Discard(card=hand[0].id), "no action card is left")
        return
    aims = tribe_aims(play, colour)
    muster = next((c for c in hand if c.effect and c.effect.op == "muster"), None)
    fallen = play.fallen.get(colour, 0)
    more = 0
    if muster is not None and muster.effect is not None and fallen > 2:
        more = min(muster.effect.cubes, fallen)
        play.ready[colour], play.fallen[colour] = play.ready.get(colour, 0) + fallen, 0
        yield Choice(PlayEvent(card=muster.id), "the fallen come back")
    gatherings = [
        plan_gathering(play, colour, card, aims, tribe_posts(play, colour), more) for card in actions
    ]
    best = max(gatherings, key=lambda gathering: (gathering.worth, -gathering.card.cubes, gathering.card.id))
    yield Choice(PlayAction(card=best.card.id), "it brings most cubes to where they are wanted")
    yield from _cube_choices(colour, best)
    outlook = _TribePlan(play, colour, best, aims, forces_after(play, colour, best))
    yield from _event_choices(outlook, [card for card in hand if card is not muster], bool(more))
    if view.turn == 1:
        yield Choice(
            Instruction(topic="withdraw", about=colour, says=("1",)), "one cube alone wins no engagement"
        )


def _cube_choices(colour: Colour, best: GatheringPlan) -> _Choices:
    for region, count in best.placed.items():
        yield Choice(Place(count=count, colour=colour, at=region), "near to where they are wanted")
    for start, to, count, why in best.moves:
        yield Choice(Move(cubes={colour: count}, start=start, to=to), why)
    if best.recovers:
        yield Choice(Recover(colour=None), "more are in the Casualty Box than in the Ready Box")


def _event_choices(outlook: _TribePlan, hand: Sequence[Card], one_played: bool) -> _Choices:
    """Yield the strongest Events that have a target after the moves, as many as may be played."""
    cards = [card for card in hand if card.effect]
    events_left = outlook.play.materials.events - one_played
    for card in sorted(cards, key=lambda candidate: _EVENTS_BY_STRENGTH.index(_operation(candidate))):
        order = _event_order(outlook, card)
        if order is not None and events_left:
            events_left -= 1
            yield Choice(order, "it has a target")


def _operation(card: Card) -> str:
    assert card.effect is not None, "Events have effects"
    return card.effect.op


def _event_order(outlook: _TribePlan, card: Card) -> PlayEvent | None:
    play, held = outlook.play, outlook.held
    battles = [region for region in held if held[region] > 1 and event_cards.is_strike_target(play, region)]
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
        near = event_cards.raid_targets(play, outlook.colour)
        to = where or next(iter(near), None)
        return PlayEvent(card=card.id, at=to) if to and not play.scenario.campaign else None
    return None


def _fierce_order(outlook: _TribePlan, card: Card, where: Region | None) -> PlayEvent | None:
    """Return two more cubes where a group starts that will fight, if it is a good fight."""
    starts = [start for start, to, count, _ in outlook.best.moves if to == where and count > 1]
    open_to = [start for start in starts if start in placement_regions(outlook.play, outlook.colour)]
    return PlayEvent(card=card.id, at=open_to[0]) if open_to else None


def _strike_order(outlook: _TribePlan, card: Card) -> PlayEvent | None:
    """Return a strike by the strongest force that has the U.S. in reach.

    A sweep is by one that is not in the fight itself.
    """
    play, aims, sweep = outlook.play, outlook.aims, _operation(card) == "sweep"
    forces_at = []
    for at, count in outlook.held.items():
        reach = [at, *play.board.near[at]]
        prey = [to for to in reach if event_cards.is_strike_target(play, to) and not (sweep and to == at)]
        if count > 1 and prey and not (sweep and (event_cards.is_strike_target(play, at) or count > 4)):
            target = max(prey, key=lambda to: (to == aims[0].at if aims else 0, play.us_cubes(to)))
            forces_at.append((count, at, target))
    if not forces_at:
        return None
    _, at, target = max(forces_at)
    if sweep:
        return PlayEvent(card=card.id, at=at, to=next_train_region(play, outlook.colour))
    return PlayEvent(card=card.id, at=at, to=target)
