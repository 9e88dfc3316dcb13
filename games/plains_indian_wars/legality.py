"""Objections to illegal orders of the U.S., and concerns about parts of a plan that would be left out."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.plains_indian_wars import execution, hands, standing_orders
from games.plains_indian_wars.events import Instructed, LeftOut, OrderFault
from games.plains_indian_wars.execution import (
    PhaseLimits,
    UsPhase,
    carry_out_orders,
    group_fault,
    placement_fault,
    placement_regions,
    route_fault,
)
from games.plains_indian_wars.model import (
    ALL_CUBES,
    AnyOrder,
    CardId,
    Colour,
    DeckName,
    Discard,
    Instruction,
    Move,
    Place,
    PlayAction,
    PlayEvent,
    Recover,
    State,
    belt_of,
)
from games.plains_indian_wars.working_state import WorkingState
from games.protocol import Concern, Objection

ORDER_TYPES_BY_DISC: Mapping[str | None, tuple[str, ...]] = {
    None: ("Begin", "Instruction"),
    "Purple": ("Place", "NoPlace", "Move", "Recover", "Instruction"),
    "Blue": ("PlayAction", "PlayEvent", "Place", "Move", "Recover", "Instruction"),
    "Brown": ("PlayAction", "PlayEvent", "Place", "Move", "Recover", "Instruction"),
}
"""The types of orders that are accepted, by disc."""


def accepted_order_types(state: State) -> tuple[str, ...]:
    """Return the types of orders that are accepted now. A hand without action cards needs a discard."""
    plan = ORDER_TYPES_BY_DISC[state.disc]
    if state.disc in ("Blue", "Brown") and not _actions(state):
        return tuple("Discard" if name == "PlayAction" else name for name in plan)
    return plan


def objection(view: State, order: AnyOrder) -> Objection | None:
    """Return why an order can't be carried out in any plan; None if it can.

    Orders that depend on other orders of the plan, such as a placement or a card, have no objection.
    """
    if type(order).__name__ not in accepted_order_types(view):
        return _no("not-now", disc=view.disc or "")
    return _US_ORDER_CHECKS[type(order).__name__](WorkingState(view), order)


def concerns(view: State, orders: Sequence[AnyOrder]) -> tuple[Concern, ...]:
    """Return a concern for each order that would be left out of a plan, or carried out in part.

    Before a plan has its card, only groups that are larger than any room are known. Source: PIW1.move.limit.
    """
    play = WorkingState(view)
    if view.disc is not None and any(order.slot in required_slots(view) for order in orders):
        carry_out_orders(UsPhase(play, orders))
    else:
        most = play.scenario.limits["us"]
        for order in orders:
            if (
                isinstance(order, Move)
                and not play.board.is_city(order.to)
                and group_size(play, order) > most
            ):
                no_room = OrderFault(code="no-room", detail={"at": order.to, "count": str(most)})
                execution.report_fault(play, order, no_room)
    left_out_events = [event for event in play.events if isinstance(event, LeftOut)]
    return tuple(left_out(event, orders.index(event.order)) for event in left_out_events)


def group_size(play: WorkingState, order: Move) -> int:
    """Return the number of cubes of a group, from the cubes that are in its region now."""
    return sum(
        play.count(order.start, colour) if count == ALL_CUBES else count
        for colour, count in order.cubes.items()
    )


def left_out(event: LeftOut, place: int) -> Concern:
    """Return the concern about an order that would be left out. place: its index in the plan."""
    detail = {**event.why.detail, "order": str(place)}
    return Concern(code=event.why.code, detail=detail, drops=True, about=(place,))


def required_slots(state: State) -> tuple[str, ...]:
    """Return the slots with an order due."""
    if state.disc is None:
        return ("begin", "custer") if state.tied[1:] else ("begin",)
    return ("place north", "place south") if state.disc == "Purple" else ("card",)


def _no(code: str, **detail: str) -> Objection:
    return Objection(code=code, detail=detail)


def _actions(state: State) -> tuple[CardId, ...]:
    return tuple(card.id for card in hands.action_cards(state, _deck(state)))


def _deck(state: State) -> DeckName:
    return "Cavalry" if state.disc == "Blue" else "Settlers"


def _colour(play: WorkingState) -> Colour:
    return play.now.disc or "Blue"


def best_limits(play: WorkingState) -> PhaseLimits:
    """Return the limits of the phase with the best card in hand."""
    allowance = PhaseLimits(play, _colour(play))
    if play.now.disc != "Purple":
        hand = hands.cards_in_hand(play.now, _deck(play.now))
        allowance.take_best([card for card in hand if card.kind == "action"])
    return allowance


def _no_objection(_play: WorkingState, _order: AnyOrder) -> Objection | None:
    return None


def _action(play: WorkingState, order: PlayAction) -> Objection | None:
    possible = _actions(play.now)
    return None if order.card in possible else _no("not-in-hand", card=order.card, near=" ".join(possible))


def _discard(play: WorkingState, order: Discard) -> Objection | None:
    hand = play.now.hands[_deck(play.now)]
    return None if order.card in hand else _no("not-in-hand", card=order.card, near=" ".join(hand))


def _event(play: WorkingState, order: PlayEvent) -> Objection | None:
    hand = [card for card in hands.cards_in_hand(play.now, _deck(play.now)) if card.effect]
    if order.card not in [card.id for card in hand]:
        return _no("not-in-hand", card=order.card, near=" ".join(card.id for card in hand))
    effect = play.materials.cards[order.card].effect
    assert effect is not None, "Events have effects"
    if effect.op not in execution.REGION_OPERATIONS:
        return None if order.at is None else _no("no-region", card=order.card)
    targets = [region for region in play.board.places if execution.is_event_target(play, effect, region)]
    if order.at not in targets:
        return _no("wants-region", card=order.card, near=" ".join(targets))
    return None


def _place(play: WorkingState, order: Place) -> Objection | None:
    colour, best = _colour(play), best_limits(play)
    if order.colour != colour:
        return _no("other-disc", colour=order.colour, disc=colour)
    fault = placement_fault(play, colour, order, best)
    if fault is not None and fault.code != "apart":
        return Objection(code=fault.code, detail=fault.detail)
    if order.count > best.cubes_left(belt_of(order.at)):
        return _no("too-many", count=str(best.cubes_left(belt_of(order.at))), at=order.at)
    if not play.ready.get(colour):
        return _no("ready-box-empty", count="0", at=order.at)
    return None


def best_marches(play: WorkingState) -> tuple[tuple[Colour, ...], int, bool]:
    """Return the colours that may lead groups, their reach, and whether tribes stop them.

    All are for the best cards in hand.
    """
    colour = _colour(play)
    hand = () if colour == "Purple" else hands.cards_in_hand(play.now, _deck(play.now))
    effects = [card.effect for card in hand if card.effect]
    extra = [effect for effect in effects if effect.op == "extra-group"]
    leads = dict.fromkeys((colour, *(lead for effect in extra for lead in effect.leads)))
    reach = max([best_limits(play).reach, *(effect.moves for effect in extra)])
    return tuple(leads), reach, not any(effect.op == "remove" for effect in effects)


def _move(play: WorkingState, order: Move) -> Objection | None:
    leads, reach, stops = best_marches(play)
    here = {colour: _max_cubes(play, order, colour) for colour in order.cubes}
    for colour, count in order.cubes.items():
        if not here[colour] or (count != ALL_CUBES and count > here[colour]):
            return _no("too-few", start=order.start, colour=colour, count=str(here[colour]))
    counted = {colour: here[colour] if count == ALL_CUBES else count for colour, count in order.cubes.items()}
    fault = group_fault(leads, counted, order) if ALL_CUBES not in order.cubes.values() else None
    fault = fault or (None if set(leads) & set(order.cubes) else group_fault(leads, {}, order))
    fault = fault or route_fault(play, order, tuple(order.cubes), reach, stops=stops)
    return Objection(code=fault.code, detail=fault.detail) if fault else None


def _max_cubes(play: WorkingState, order: Move, colour: Colour) -> int:
    """Return the most cubes of a colour that can be in a region after cubes are placed."""
    here = play.count(order.start, colour)
    if colour == _colour(play) and order.start in placement_regions(play, colour):
        here += best_limits(play).cubes_left(belt_of(order.start))
    return here


def _recover(play: WorkingState, _order: Recover) -> Objection | None:
    colour = _colour(play)
    return None if play.fallen.get(colour) else _no("nobody-fell", colour=colour)


def _instruction(play: WorkingState, order: Instruction) -> Objection | None:
    wanted = standing_orders.allowed_instead(play, order)
    return (
        None if wanted is None else _no("no-such-choice", topic=order.topic, about=order.about, near=wanted)
    )


# Each function only gets orders of its own type.
_US_ORDER_CHECKS: Mapping[str, Callable[[WorkingState, Any], Objection | None]] = {
    "Begin": _no_objection,
    "PlayAction": _action,
    "Discard": _discard,
    "PlayEvent": _event,
    "Place": _place,
    "NoPlace": _no_objection,
    "Move": _move,
    "Recover": _recover,
    "Instruction": _instruction,
}


# A plan before it is carried out.


def validate_orders(
    play: WorkingState, orders: Sequence[AnyOrder], objection: Callable[[State, AnyOrder], Objection | None]
) -> list[AnyOrder]:
    """Return the orders without an objection; tell the others, and apply standing instructions."""
    state, valid_orders = play.now, []
    for order in orders:
        problem = objection(state, order)
        if problem is None:
            valid_orders.append(order)
        else:
            play.tell(LeftOut, order=order, why=OrderFault(code=problem.code, detail=problem.detail))
    for order in valid_orders:
        if isinstance(order, Instruction) and play.now.standing.get(order.slot) != order.says:
            play.set(standing=dict(sorted({**play.now.standing, order.slot: order.says}.items())))
            play.tell(Instructed, order=order)
    return valid_orders
