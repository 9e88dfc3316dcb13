"""Who plays the nations when nobody does: a chief of plain rules of thumb, each of them named."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.dice import Dice
from games.plains_indian_wars import hands, railroad
from games.plains_indian_wars.components import Card
from games.plains_indian_wars.in_play import Play
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
from games.plains_indian_wars.nations import event_cards, lawful
from games.plains_indian_wars.nations.gathering import Aim, Gathering, forces, gather
from games.plains_indian_wars.nations.lands import places_for
from games.plains_indian_wars.nations.sequence import acting, asked, deck_of
from games.plains_indian_wars.nations.targets import aims_of, next_region, posts_of
from games.protocol import Choice, Due

_Choices = Iterator[Choice[AnyOrder]]

_WORTH = ("fierce", "strike", "sweep", "first-strike", "raid", "muster")
"""Events, the strongest first."""


@dataclass(frozen=True)
class _Outlook:
    """What a tribe goes for. best: the way it gathers; held: its forces by region after that."""

    play: Play
    colour: Colour
    best: Gathering
    aims: Sequence[Aim]
    held: Mapping[Region, int]


class Chief:
    """Plays the nations: implements `protocol.Bot`."""

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """A plan for each tribe that is due, every order with its reason; unlawful thoughts are dropped."""
        found: dict[str | None, Choice[AnyOrder]] = {}
        for colour in asked(view, acting(view)):
            for choice in _plan(view, colour):
                order = choice.order
                if order.slot not in found and lawful.objection(view, order) is None:
                    found[order.slot] = choice
        return tuple(found.values())


def _plan(view: View, colour: Colour) -> _Choices:
    play = Play(view)
    play.set(disc=colour)
    hand = hands.in_hand(view, deck_of(play, colour))
    actions = [card for card in hand if card.kind == "action"]
    if not actions:
        yield Choice(Discard(card=hand[0].id), "no action card is left")
        return
    aims = aims_of(play, colour)
    muster = next((c for c in hand if c.effect and c.effect.op == "muster"), None)
    fallen = play.fallen.get(colour, 0)
    more = 0
    if muster is not None and muster.effect is not None and fallen > 2:
        more = min(muster.effect.cubes, fallen)
        play.ready[colour], play.fallen[colour] = play.ready.get(colour, 0) + fallen, 0
        yield Choice(PlayEvent(card=muster.id), "the fallen come back")
    found = [gather(play, colour, card, aims, posts_of(play, colour), more) for card in actions]
    best = max(found, key=lambda one: (one.worth, -one.card.cubes, one.card.id))
    yield Choice(PlayAction(card=best.card.id), "it brings most cubes to where they are wanted")
    yield from _cubes(colour, best)
    outlook = _Outlook(play, colour, best, aims, forces(play, colour, best))
    yield from _events(outlook, [card for card in hand if card is not muster], bool(more))
    if view.turn == 1:
        yield Choice(
            Instruction(topic="withdraw", about=colour, says=("1",)), "one cube alone wins no engagement"
        )


def _cubes(colour: Colour, best: Gathering) -> _Choices:
    for region, count in best.placed.items():
        yield Choice(Place(count=count, colour=colour, at=region), "near to where they are wanted")
    for start, to, count, why in best.moves:
        yield Choice(Move(cubes={colour: count}, start=start, to=to), why)
    if best.recovers:
        yield Choice(Recover(colour=None), "more are in the Casualty Box than in the Ready Box")


def _events(outlook: _Outlook, hand: Sequence[Card], one_played: bool) -> _Choices:
    """The strongest Events that have a target after the moves, as many as may be played."""
    cards = [card for card in hand if card.effect]
    left = outlook.play.box.events - one_played
    for card in sorted(cards, key=lambda one: _WORTH.index(_op(one))):
        order = _event(outlook, card)
        if order is not None and left:
            left -= 1
            yield Choice(order, "it has a target")


def _op(card: Card) -> str:
    assert card.effect is not None, "Events have effects"
    return card.effect.op


def _event(outlook: _Outlook, card: Card) -> PlayEvent | None:
    play, held = outlook.play, outlook.held
    battles = [one for one in held if held[one] > 1 and event_cards.is_prey(play, one)]
    where = max(battles, key=lambda one: held[one], default=None)
    op = _op(card)
    if op == "fierce":
        return _fierce(outlook, card, where)
    if op == "first-strike":
        return PlayEvent(card=card.id, at=where) if where and held[where] > 2 else None
    if op in ("strike", "sweep"):
        return _strike(outlook, card)
    if op == "raid":
        if play.scenario.works:
            by = railroad.tearable(play.now)
            return PlayEvent(card=card.id) if any(held.get(region) for region in by) else None
        near = event_cards.raided(play, outlook.colour)
        to = where or next(iter(near), None)
        return PlayEvent(card=card.id, at=to) if to and not play.scenario.campaign else None
    return None


def _fierce(outlook: _Outlook, card: Card, where: Region | None) -> PlayEvent | None:
    """Two cubes more where a group starts that will fight, if it is a good fight."""
    starts = [start for start, to, count, _ in outlook.best.moves if to == where and count > 1]
    open_to = [start for start in starts if start in places_for(outlook.play, outlook.colour)]
    return PlayEvent(card=card.id, at=open_to[0]) if open_to else None


def _strike(outlook: _Outlook, card: Card) -> PlayEvent | None:
    """The strongest force that has the U.S. in reach; a sweep by one that is not in the fight itself."""
    play, aims, sweep = outlook.play, outlook.aims, _op(card) == "sweep"
    forces_at = []
    for at, count in outlook.held.items():
        reach = [at, *play.board.near[at]]
        prey = [to for to in reach if event_cards.is_prey(play, to) and not (sweep and to == at)]
        if count > 1 and prey and not (sweep and (event_cards.is_prey(play, at) or count > 4)):
            target = max(prey, key=lambda to: (to == aims[0].at if aims else 0, play.us(to)))
            forces_at.append((count, at, target))
    if not forces_at:
        return None
    _, at, target = max(forces_at)
    if sweep:
        return PlayEvent(card=card.id, at=at, to=next_region(play, outlook.colour))
    return PlayEvent(card=card.id, at=at, to=target)
