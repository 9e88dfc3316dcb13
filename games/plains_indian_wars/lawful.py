"""What may be ordered now: single orders by themselves, and what is odd about all of them together."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.plains_indian_wars import event_cards, hands, standing
from games.plains_indian_wars.carrying_out import carry_out, may_place, places_for
from games.plains_indian_wars.components import Effect
from games.plains_indian_wars.events import LeftOut
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.marches import group_fault, way_fault
from games.plains_indian_wars.model import (
    ALL,
    AnyOrder,
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
    State,
    belt_of,
)
from games.plains_indian_wars.phase import Phase
from games.plains_indian_wars.phase_limits import Allowance
from games.protocol import Concern, Objection

PLANS: Mapping[str | None, tuple[str, ...]] = {
    None: ("Begin", "Instruction"),
    "Purple": ("Place", "NoPlace", "Move", "Recover", "Instruction"),
    "Blue": ("PlayAction", "PlayEvent", "Place", "Move", "Recover", "Instruction"),
    "Brown": ("PlayAction", "PlayEvent", "Place", "Move", "Recover", "Instruction"),
}
"""Which orders a disc asks for."""


def accepts(state: State) -> tuple[str, ...]:
    """The order types wanted now; a hand without an action card is discarded from instead."""
    plan = PLANS[state.disc]
    if state.disc in ("Blue", "Brown") and not _actions(state):
        return tuple("Discard" if name == "PlayAction" else name for name in plan)
    return plan


def objection(view: State, order: AnyOrder) -> Objection | None:
    """Why an order cannot be carried out whatever else is ordered, or None.

    What depends on other orders of the phase (a group placed first, a card that gives more) is let pass here.
    """
    if type(order).__name__ not in accepts(view):
        return _no("not-now", disc=view.disc or "")
    return _CHECKS[type(order).__name__](Play(view), order)


def concerns(view: State, orders: Sequence[AnyOrder]) -> tuple[Concern, ...]:
    """What would be left out if these were all orders of the phase."""
    if view.disc is None or not any(order.slot in owed(view) for order in orders):
        return ()
    play = Play(view)
    carry_out(Phase(play, orders))
    found = [event for event in play.events if isinstance(event, LeftOut)]
    return tuple(left_out(one, orders.index(one.order)) for one in found)


def left_out(event: LeftOut, place: int) -> Concern:
    """An order that would be left out, or a part of it. place: its place in the orders of the phase."""
    detail = {**event.why.detail, "order": str(place)}
    return Concern(code=event.why.code, detail=detail, drops=True, about=(place,))


def owed(state: State) -> tuple[str, ...]:
    """The slots for which an order is wanted."""
    if state.disc is None:
        return ("begin", "custer") if state.tied[1:] else ("begin",)
    return ("place north", "place south") if state.disc == "Purple" else ("card",)


def _no(code: str, **detail: str) -> Objection:
    return Objection(code=code, detail=detail)


def _actions(state: State) -> tuple[CardId, ...]:
    return tuple(card.id for card in hands.actions(state, _deck(state)))


def _deck(state: State) -> DeckName:
    return "Cavalry" if state.disc == "Blue" else "Settlers"


def _colour(play: Play) -> Colour:
    return play.now.disc or "Blue"


def best_of(play: Play) -> Allowance:
    """The most that a card of the hand could give."""
    allowance = Allowance(play, _colour(play))
    if play.now.disc != "Purple":
        hand = hands.in_hand(play.now, _deck(play.now))
        allowance.at_best([card for card in hand if card.kind == "action"])
    return allowance


def _begin(play: Play, order: AnyOrder) -> Objection | None:
    return None


def _action(play: Play, order: PlayAction) -> Objection | None:
    possible = _actions(play.now)
    return None if order.card in possible else _no("not-in-hand", card=order.card, near=" ".join(possible))


def _discard(play: Play, order: Discard) -> Objection | None:
    hand = play.now.hands[_deck(play.now)]
    return None if order.card in hand else _no("not-in-hand", card=order.card, near=" ".join(hand))


def _event(play: Play, order: PlayEvent) -> Objection | None:
    hand = [card for card in hands.in_hand(play.now, _deck(play.now)) if card.effect]
    if order.card not in [card.id for card in hand]:
        return _no("not-in-hand", card=order.card, near=" ".join(card.id for card in hand))
    effect = play.box.cards[order.card].effect
    assert effect is not None, "Events have effects"
    if effect.op not in event_cards.WANT_REGION:
        return None if order.at is None else _no("no-region", card=order.card)
    targets = [region for region in play.board.places if event_cards.is_target(play, effect, region)]
    if order.at not in targets:
        return _no("wants-region", card=order.card, near=" ".join(targets))
    return None


def _place(play: Play, order: Place) -> Objection | None:
    colour, best = _colour(play), best_of(play)
    if order.colour != colour:
        return _no("other-disc", colour=order.colour, disc=colour)
    fault = may_place(play, colour, order, best)
    if fault is not None and fault.code != "apart":
        return Objection(code=fault.code, detail=fault.detail)
    if order.count > best.cubes(belt_of(order.at)):
        return _no("too-many", count=str(best.cubes(belt_of(order.at))), at=order.at)
    if not play.ready.get(colour):
        return _no("ready-box-empty", count="0", at=order.at)
    return None


def _no_place(play: Play, order: NoPlace) -> Objection | None:
    return None


def marches_at_best(play: Play) -> tuple[tuple[Colour, ...], int, bool]:
    """Who may lead groups, how far they go, and whether tribes stop them, by the best cards of the hand."""
    colour = _colour(play)
    effects = [] if colour == "Purple" else _effects(play)
    extra = [effect for effect in effects if effect.op == "extra-group"]
    leads = dict.fromkeys((colour, *(lead for effect in extra for lead in effect.leads)))
    reach = max([best_of(play).reach, *(effect.moves for effect in extra)])
    return tuple(leads), reach, not any(effect.op == "remove" for effect in effects)


def _move(play: Play, order: Move) -> Objection | None:
    leads, reach, stops = marches_at_best(play)
    here = {one: _at_most(play, order, one) for one in order.cubes}
    for one, count in order.cubes.items():
        if not here[one] or (count != ALL and count > here[one]):
            return _no("too-few", start=order.start, colour=one, count=str(here[one]))
    counted = {one: here[one] if count == ALL else count for one, count in order.cubes.items()}
    fault = group_fault(leads, counted, order) if ALL not in order.cubes.values() else None
    fault = fault or (None if set(leads) & set(order.cubes) else group_fault(leads, {}, order))
    fault = fault or way_fault(play, order, tuple(order.cubes), reach, stops=stops)
    return Objection(code=fault.code, detail=fault.detail) if fault else None


def _effects(play: Play) -> list[Effect]:
    return [card.effect for card in hands.in_hand(play.now, _deck(play.now)) if card.effect]


def _at_most(play: Play, order: Move, colour: Colour) -> int:
    """How many cubes of a colour may stand in a region once cubes were placed."""
    here = play.count(order.start, colour)
    if colour == _colour(play) and order.start in places_for(play, colour):
        here += best_of(play).cubes(belt_of(order.start))
    return here


def _recover(play: Play, order: Recover) -> Objection | None:
    colour = _colour(play)
    return None if play.fallen.get(colour) else _no("nobody-fell", colour=colour)


def _instruction(play: Play, order: Instruction) -> Objection | None:
    wanted = standing.may_say(play, order)
    return (
        None if wanted is None else _no("no-such-choice", topic=order.topic, about=order.about, near=wanted)
    )


# Each is asked about orders of its own type only.
_CHECKS: Mapping[str, Callable[[Play, Any], Objection | None]] = {
    "Begin": _begin,
    "PlayAction": _action,
    "Discard": _discard,
    "PlayEvent": _event,
    "Place": _place,
    "NoPlace": _no_place,
    "Move": _move,
    "Recover": _recover,
    "Instruction": _instruction,
}
