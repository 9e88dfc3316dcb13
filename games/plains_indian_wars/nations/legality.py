"""Objections to illegal orders of the nations, and concerns about parts of a plan that would be left out."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.plains_indian_wars import hands, standing_orders
from games.plains_indian_wars.events import LeftOut, Moved, OrderFault, Placed, TurnedBack
from games.plains_indian_wars.legality import group_size, left_out
from games.plains_indian_wars.model import (
    ALL_CUBES,
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
from games.plains_indian_wars.nations import execution
from games.plains_indian_wars.nations.execution import (
    TribePhase,
    carry_out_plan,
    home_fault,
    may_stand,
    placement_regions,
    route_fault,
)
from games.plains_indian_wars.nations.sequence import acting_tribes, tribe_deck, tribes_with_cards
from games.plains_indian_wars.working_state import WorkingState
from games.protocol import Concern, Objection

_TRIBE_ORDER_TYPES = ("PlayAction", "Discard", "PlayEvent", "Place", "Move", "Recover", "Instruction")


def accepted_order_types(state: State) -> tuple[str, ...]:
    """Return the types of orders that are accepted now. A hand without action cards needs a discard."""
    play = WorkingState(state)
    lead = [
        hands.action_cards(state, tribe_deck(play, colour))
        for colour in tribes_with_cards(state, acting_tribes(state))
    ]
    wanted = {"PlayAction": any(lead), "Discard": not all(lead)}
    return tuple(name for name in _TRIBE_ORDER_TYPES if wanted.get(name, True))


def required_slots(state: State) -> tuple[str, ...]:
    """Return the slots with an order due: a card for each tribe that plays."""
    decks = [
        tribe_deck(WorkingState(state), colour) for colour in tribes_with_cards(state, acting_tribes(state))
    ]
    return tuple(card_slot(state.hands[deck][0]) for deck in decks)


def objection(view: State, order: AnyOrder) -> Objection | None:
    """Return why an order can't be carried out in any plan; None if it can.

    Orders that depend on other orders of the plan, such as a placement, have no objection.
    """
    if type(order).__name__ not in accepted_order_types(view):
        return _no("not-now")
    play = WorkingState(view)
    if not isinstance(order, Instruction):
        colour = order.tribe(play)
        if colour is None:
            return _no("whose-box", near=" ".join(acting_tribes(view)))
        if colour not in tribes_with_cards(view, acting_tribes(view)):
            return _no(
                "other-tribe", colour=colour, near=" ".join(tribes_with_cards(view, acting_tribes(view)))
            )
        play.set(disc=colour)
    return _TRIBE_CHECKS[type(order).__name__](play, order)


def concerns(view: State, orders: Sequence[AnyOrder]) -> tuple[Concern, ...]:
    """Return a concern for each order that would be left out of a plan, or carried out in part.

    Before a plan has its card, only groups that are larger than any room are known. Source: PIW2.limit.end.
    """
    play = WorkingState(view)
    for colour in tribes_with_cards(view, acting_tribes(view)):
        mine = [order for order in orders if order.tribe(play) == colour]
        if any(order.slot in required_slots(view) for order in mine):
            play.set(disc=colour)
            carry_out_plan(TribePhase(play, colour, orders))
            continue
        for group in (order for order in mine if isinstance(order, Move)):
            over = group_size(play, group) - play.tribe_limit(group.to)
            if over > 0:
                play.tell(TurnedBack, colour=colour, count=over, start=group.to, to=group.start)
    left_out_events = [event for event in play.events if isinstance(event, LeftOut)]
    return (
        *(left_out(event, orders.index(event.order)) for event in left_out_events),
        *(_goes_back(play, orders, event) for event in play.events if isinstance(event, TurnedBack)),
    )


def _goes_back(play: WorkingState, orders: Sequence[AnyOrder], event: TurnedBack) -> Concern:
    """Return the concern about cubes without room, which would go back.

    An order whose cubes all go back would be left out. Others are carried out as far as there is room.
    """
    detail = {
        "at": event.start,
        "to": event.to or "",
        "count": str(event.count),
        "colour": event.colour,
        "limit": str(play.tribe_limit(event.start)),
    }
    came = sum(
        told.cubes[event.colour] if isinstance(told, Moved) else told.count
        for told in play.events
        if (isinstance(told, Moved) and (told.start, told.to) == (event.to, event.start))
        or (isinstance(told, Placed) and event.to is None and told.at == event.start)
    )
    sent = [
        place
        for place, order in enumerate(orders)
        if (isinstance(order, Move) and (order.start, order.to) == (event.to, event.start))
        or (isinstance(order, Place) and event.to is None and order.at == event.start)
    ]
    about = tuple(sent[-1:]) if came == event.count else ()
    return Concern(
        code="goes-back" if event.to else "goes-back-ready",
        detail=detail | ({"order": str(about[0])} if about else {}),
        drops=bool(about),
        about=about,
    )


def _no(code: str, **detail: str) -> Objection:
    return Objection(code=code, detail=detail)


def _as_objection(fault: OrderFault | None) -> Objection | None:
    return Objection(code=fault.code, detail=fault.detail) if fault else None


def _colour(play: WorkingState) -> Colour:
    assert play.now.disc is not None, "the order says whose it is"
    return play.now.disc


def _actions(play: WorkingState) -> tuple[CardId, ...]:
    return tuple(card.id for card in hands.action_cards(play.now, tribe_deck(play, _colour(play))))


def best_numbers(play: WorkingState) -> tuple[int, int]:
    """Return the largest numbers of cubes and moves of the cards in hand."""
    hand = hands.cards_in_hand(play.now, tribe_deck(play, _colour(play)))
    effects = [card.effect for card in hand if card.effect]
    more = sum(effect.cubes for effect in effects if effect.op == "muster")
    cubes = max((play.cubes_of_card(card) for card in hand if card.kind == "action"), default=0) + more
    return cubes, max((card.moves for card in hand if card.kind == "action"), default=0)


def _action(play: WorkingState, order: PlayAction) -> Objection | None:
    possible = _actions(play)
    return None if order.card in possible else _no("not-in-hand", card=order.card, near=" ".join(possible))


def _discard(play: WorkingState, order: Discard) -> Objection | None:
    hand = play.now.hands[tribe_deck(play, _colour(play))]
    if _actions(play):
        return _no("play-an-action", near=" ".join(_actions(play)))
    return None if order.card in hand else _no("not-in-hand", card=order.card, near=" ".join(hand))


def _event(play: WorkingState, order: PlayEvent) -> Objection | None:
    """Return why an Event can't be played: it isn't in hand, or its regions are wrong."""
    hand = [card for card in hands.cards_in_hand(play.now, tribe_deck(play, _colour(play))) if card.effect]
    if order.card not in [card.id for card in hand]:
        return _no("not-in-hand", card=order.card, near=" ".join(card.id for card in hand))
    effect = play.materials.cards[order.card].effect
    assert effect is not None, "Events have effects"
    land = [r for r in play.board.places if play.board.may_enter(_colour(play), r)]
    if effect.op in execution.TRIBE_REGION_OPERATIONS and order.at not in land:
        return _no("wants-region", card=order.card, near=" ".join(_useful_regions(play, order)))
    raid_at = effect.op == "raid" and not play.scenario.works
    if order.at is not None and effect.op not in execution.TRIBE_REGION_OPERATIONS and not raid_at:
        return _no("no-region", card=order.card)
    if effect.op in execution.TRIBE_TARGET_OPERATIONS and order.to is not None and order.at is not None:
        near = (order.at, *play.board.near[order.at])
        return None if order.to in near else _no("wants-target", card=order.card, near=" ".join(near))
    if order.to is not None and effect.op != "sweep":
        return _no("no-target-wanted", card=order.card)
    return None


def _useful_regions(play: WorkingState, order: PlayEvent) -> tuple[Region, ...]:
    """Return the regions where a card probably has an effect on the present board."""
    colour = _colour(play)
    effect = play.materials.cards[order.card].effect
    assert effect is not None, "Events have effects"
    held = play.regions_with((colour,))
    if effect.op == "fierce":
        return placement_regions(play, colour)
    if effect.op in ("strike", "sweep"):
        return tuple(region for region in held if execution.strike_targets(play, colour, region)) or held
    return held


def _place(play: WorkingState, order: Place) -> Objection | None:
    colour = _colour(play)
    cubes, _ = best_numbers(play)
    if fault := home_fault(play, colour, order.at):
        return _as_objection(fault)
    if order.count > cubes:
        return _no("too-many", count=str(cubes), at=order.at)
    if not play.ready.get(colour) and not play.fallen.get(colour):
        return _no("ready-box-empty", count="0", at=order.at)
    return None


def _move(play: WorkingState, order: Move) -> Objection | None:
    colour = _colour(play)
    cubes, reach = best_numbers(play)
    if set(order.cubes) != {colour}:
        return _no("own-cubes", colour=colour)
    here = play.count(order.start, colour)
    if order.start in placement_regions(play, colour):
        here += cubes + 2
    if not here or (order.cubes[colour] != ALL_CUBES and order.cubes[colour] > here):
        return _no("too-few", start=order.start, colour=colour, count=str(here))
    return _as_objection(route_fault(play, colour, order, reach))


def _recover(play: WorkingState, _order: Recover) -> Objection | None:
    colour = _colour(play)
    return None if play.fallen.get(colour) else _no("nobody-fell", colour=colour)


def _instruction(play: WorkingState, order: Instruction) -> Objection | None:
    scenario = play.scenario
    if order.topic not in standing_orders.topics(scenario):
        return _no("never-asked")
    names: tuple[str, ...] = order.says
    choices: Sequence[str] = ()
    if order.topic == "withdraw":
        names, choices = (order.about,), scenario.tribes
    elif order.topic == "fall back":
        choices = _neighbours(play, Region(order.about))
    elif order.topic == "strike" and scenario.campaign:
        choices = tuple(scenario.campaign.columns)
    else:
        choices = tuple(dict.fromkeys(names))
    wrong = set(names) - set(choices) or len(set(names)) < len(names)
    return _no("no-such-choice", near=" ".join(choices)) if wrong else None


def _neighbours(play: WorkingState, start: Region) -> tuple[Region, ...]:
    """Return the neighbours of a region that any tribe of the scenario may enter."""
    return tuple(
        to
        for to in play.board.near[start]
        if any(may_stand(play, colour, to) for colour in play.scenario.tribes)
    )


# Each function only gets orders of its own type.
_TRIBE_CHECKS: Mapping[str, Callable[[WorkingState, Any], Objection | None]] = {
    "PlayAction": _action,
    "Discard": _discard,
    "PlayEvent": _event,
    "Place": _place,
    "Move": _move,
    "Recover": _recover,
    "Instruction": _instruction,
}
