"""What the nations may order now: single orders, and what is odd about all of them together."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.plains_indian_wars import hands, standing
from games.plains_indian_wars.events import Fault, LeftOut
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.lawful import left_out
from games.plains_indian_wars.model import (
    ALL,
    AnyOrder,
    CardId,
    Colour,
    Discard,
    Instruction,
    Move,
    Place,
    PlayAction,
    PlayEvent,
    Recover,
    Region,
    State,
    card_slot,
)
from games.plains_indian_wars.nations import event_cards
from games.plains_indian_wars.nations.carrying_out import carry_out, place_fault
from games.plains_indian_wars.nations.lands import may_stand, places_for
from games.plains_indian_wars.nations.phase import Plan, concerned
from games.plains_indian_wars.nations.sequence import acting, asked, deck_of
from games.plains_indian_wars.nations.warpaths import way_fault
from games.protocol import Concern, Objection

_ORDERS = ("PlayAction", "Discard", "PlayEvent", "Place", "Move", "Recover", "Instruction")


def accepts(state: State) -> tuple[str, ...]:
    """The order types wanted now; a hand without an action card is discarded from instead."""
    play = Play(state)
    lead = [hands.actions(state, deck_of(play, colour)) for colour in asked(state, acting(state))]
    wanted = {"PlayAction": any(lead), "Discard": not all(lead)}
    return tuple(name for name in _ORDERS if wanted.get(name, True))


def owed(state: State) -> tuple[str, ...]:
    """The slots for which an order is wanted: a card for each tribe that plays."""
    decks = [deck_of(Play(state), colour) for colour in asked(state, acting(state))]
    return tuple(card_slot(state.hands[deck][0]) for deck in decks)


def objection(view: State, order: AnyOrder) -> Objection | None:
    """Why an order cannot be carried out whatever else is ordered, or None.

    What depends on other orders of the phase (a group placed first) is let pass here.
    """
    if type(order).__name__ not in accepts(view):
        return _no("not-now")
    play = Play(view)
    if not isinstance(order, Instruction):
        colour = concerned(play, order)
        if colour is None:
            return _no("whose-box", near=" ".join(acting(view)))
        if colour not in asked(view, acting(view)):
            return _no("other-tribe", colour=colour, near=" ".join(asked(view, acting(view))))
        play.set(disc=colour)
    return _CHECKS[type(order).__name__](play, order)


def concerns(view: State, orders: Sequence[AnyOrder]) -> tuple[Concern, ...]:
    """What would be left out if these were all orders of the phase."""
    if not any(order.slot in owed(view) for order in orders):
        return ()
    play = Play(view)
    for colour in asked(view, acting(view)):
        if any(order.slot in owed(view) and concerned(play, order) == colour for order in orders):
            play.set(disc=colour)
            carry_out(Plan(play, colour, orders))
    found = [event for event in play.events if isinstance(event, LeftOut)]
    return tuple(left_out(one, orders.index(one.order)) for one in found)


def _no(code: str, **detail: str) -> Objection:
    return Objection(code=code, detail=detail)


def _said(fault: Fault | None) -> Objection | None:
    return Objection(code=fault.code, detail=fault.detail) if fault else None


def _colour(play: Play) -> Colour:
    assert play.now.disc is not None, "the order says whose it is"
    return play.now.disc


def _actions(play: Play) -> tuple[CardId, ...]:
    return tuple(card.id for card in hands.actions(play.now, deck_of(play, _colour(play))))


def best_of(play: Play) -> tuple[int, int]:
    """The most cubes and moves that a card of the hand could give."""
    hand = hands.in_hand(play.now, deck_of(play, _colour(play)))
    effects = [card.effect for card in hand if card.effect]
    more = sum(effect.cubes for effect in effects if effect.op == "muster")
    cubes = max((play.cubes_of(card) for card in hand if card.kind == "action"), default=0) + more
    return cubes, max((card.moves for card in hand if card.kind == "action"), default=0)


def _action(play: Play, order: PlayAction) -> Objection | None:
    possible = _actions(play)
    return None if order.card in possible else _no("not-in-hand", card=order.card, near=" ".join(possible))


def _discard(play: Play, order: Discard) -> Objection | None:
    hand = play.now.hands[deck_of(play, _colour(play))]
    if _actions(play):
        return _no("play-an-action", near=" ".join(_actions(play)))
    return None if order.card in hand else _no("not-in-hand", card=order.card, near=" ".join(hand))


def _event(play: Play, order: PlayEvent) -> Objection | None:
    """A card of the hand, with the regions that its effect wants."""
    hand = [card for card in hands.in_hand(play.now, deck_of(play, _colour(play))) if card.effect]
    if order.card not in [card.id for card in hand]:
        return _no("not-in-hand", card=order.card, near=" ".join(card.id for card in hand))
    effect = play.box.cards[order.card].effect
    assert effect is not None, "Events have effects"
    land = [r for r in play.board.places if play.board.may_enter(_colour(play), r)]
    if effect.op in event_cards.WANT_REGION and order.at not in land:
        return _no("wants-region", card=order.card, near=" ".join(_where(play, order)))
    raid_at = effect.op == "raid" and not play.scenario.works
    if order.at is not None and effect.op not in event_cards.WANT_REGION and not raid_at:
        return _no("no-region", card=order.card)
    if effect.op in event_cards.WANT_TARGET and order.to is not None and order.at is not None:
        near = (order.at, *play.board.near[order.at])
        return None if order.to in near else _no("wants-target", card=order.card, near=" ".join(near))
    if order.to is not None and effect.op != "sweep":
        return _no("no-target-wanted", card=order.card)
    return None


def _where(play: Play, order: PlayEvent) -> tuple[Region, ...]:
    """Where a card would do something as the board stands, as far as that can be said beforehand."""
    colour = _colour(play)
    effect = play.box.cards[order.card].effect
    assert effect is not None, "Events have effects"
    held = play.regions((colour,))
    if effect.op == "fierce":
        return places_for(play, colour)
    if effect.op in ("strike", "sweep"):
        return tuple(region for region in held if event_cards.prey(play, colour, region)) or held
    return held


def _place(play: Play, order: Place) -> Objection | None:
    colour = _colour(play)
    cubes, _ = best_of(play)
    if fault := place_fault(play, colour, order.at):
        return _said(fault)
    if order.count > cubes:
        return _no("too-many", count=str(cubes), at=order.at)
    if not play.ready.get(colour) and not play.fallen.get(colour):
        return _no("ready-box-empty", count="0", at=order.at)
    return None


def _move(play: Play, order: Move) -> Objection | None:
    colour = _colour(play)
    cubes, reach = best_of(play)
    if set(order.cubes) != {colour}:
        return _no("own-cubes", colour=colour)
    here = play.count(order.start, colour)
    if order.start in places_for(play, colour):
        here += cubes + 2
    if not here or (order.cubes[colour] != ALL and order.cubes[colour] > here):
        return _no("too-few", start=order.start, colour=colour, count=str(here))
    return _said(way_fault(play, colour, order, reach))


def _recover(play: Play, order: Recover) -> Objection | None:
    colour = _colour(play)
    return None if play.fallen.get(colour) else _no("nobody-fell", colour=colour)


def _instruction(play: Play, order: Instruction) -> Objection | None:
    scenario = play.scenario
    if order.topic not in standing.topics(scenario):
        return _no("never-asked")
    said: tuple[str, ...] = order.says
    choices: Sequence[str] = ()
    if order.topic == "withdraw":
        said, choices = (order.about,), scenario.tribes
    elif order.topic == "fall back":
        choices = _neighbours(play, Region(order.about))
    elif order.topic == "strike" and scenario.campaign:
        choices = tuple(scenario.campaign.columns)
    else:
        choices = tuple(dict.fromkeys(said))
    wrong = set(said) - set(choices) or len(set(said)) < len(said)
    return _no("no-such-choice", near=" ".join(choices)) if wrong else None


def _neighbours(play: Play, start: Region) -> tuple[Region, ...]:
    """Where cubes of a region could ever withdraw to."""
    return tuple(
        to
        for to in play.board.near[start]
        if any(may_stand(play, colour, to) for colour in play.scenario.tribes)
    )


# Each is asked about orders of its own type only.
_CHECKS: Mapping[str, Callable[[Play, Any], Objection | None]] = {
    "PlayAction": _action,
    "Discard": _discard,
    "PlayEvent": _event,
    "Place": _place,
    "Move": _move,
    "Recover": _recover,
    "Instruction": _instruction,
}
