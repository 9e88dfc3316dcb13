"""The reasons why an order is illegal, and the parts of an order that would be left out.

Orders are tried on the view.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from games.great_war import decks, execution
from games.great_war.components import CardId, solo
from games.great_war.events import LeftOut
from games.great_war.model import (
    AI,
    BEST,
    NOTHING,
    PLAYER,
    AnyOrder,
    Begin,
    Blockade,
    BonusPlay,
    Draw,
    Exchange,
    GuardLeader,
    Lay,
    Length,
    State,
    StopEvent,
    Strike,
)
from games.great_war.scoring import in_reach
from games.great_war.working_state import WorkingState
from games.messages import sentence
from games.protocol import Concern, Objection, OrderLimit, OrderLimits, OrderUse
from games.record import replace_fields


def objection(view: State, order: AnyOrder) -> Objection | None:
    """Return the reason why an order is illegal now, or None."""
    if isinstance(order, Lay | Strike):
        return _round_objection(view, order)
    if isinstance(order, GuardLeader):
        return _guard_objection(view, order)
    if isinstance(order, StopEvent):
        return _event_objection(view, order)
    if isinstance(order, BonusPlay):
        return _bonus_objection(view, order)
    if isinstance(order, Blockade):
        return _blockade_objection(view, order)
    if isinstance(order, Draw):
        return _draw_objection(order)
    if isinstance(order, Exchange):
        return decks.exchange_objection(view, order)
    if isinstance(order, Length):
        return _length_objection(view, order)
    if isinstance(order, Begin):
        return None if view.stage == "set-up" else Objection(code="begun")
    assert_never(order)


def foresee(view: State, order: AnyOrder, before: Sequence[AnyOrder]) -> Objection | None:
    """Return the reason why an order for later in the Turn will certainly be illegal, or None.

    before: the orders for this Combat Round. Events and the AI may still take a card. A card that this
    Round's orders play, or that isn't in the hand, can't be played later.
    """
    used = [card_id for sooner in before for card_id in sooner.played]
    held = [card_id for card_id in view.armies[PLAYER].hand if card_id not in used]
    if isinstance(order, Lay) and order.role != view.role(PLAYER):
        return _role_objection(view, order)
    if isinstance(order, Blockade):
        held += [table_card.card for table_card in view.armies[PLAYER].row]
        held += used
    if order.played and not set(order.played) & set(held):
        near = " ".join(dict.fromkeys(held))
        return Objection(code="not-held", detail={"card": order.played[0], "near": near})
    return None


def concerns(view: State, orders: Sequence[AnyOrder]) -> tuple[Concern, ...]:
    """Return the parts of legal orders that would be left out, and other warnings. Source: GW44."""
    result = [
        Concern(
            code=objection.code, detail=objection.detail, drops=True, about=about(view, orders, objection)
        )
        for objection in find_left_out(view, orders)
    ]
    held = view.armies[PLAYER].hand
    for order in orders:
        if isinstance(order, GuardLeader) and order.cards and not set(order.cards) & set(held):
            result.append(Concern(code="guard-not-held", detail={"near": " ".join(order.cards)}))
        if isinstance(order, Strike) and not any(isinstance(other, Lay) for other in orders):
            result.append(Concern(code="joker-alone", detail={"number": str(order.number)}))
    reacts = [card_id for card_id in held if WorkingState(view).stops_leaders(card_id)]
    if reacts and orders and not view.leader and not any(isinstance(other, GuardLeader) for other in orders):
        result.append(Concern(code="may-guard", detail={"near": " ".join(reacts)}))
    return tuple(result)


def order_limits(view: State, orders: Sequence[AnyOrder]) -> OrderLimits:
    """Return what orders of the present Combat Round share: its base, and each card of the hand.

    Source: GW44.
    """
    uses = tuple(tuple(_uses(order)) for order in orders)
    base = sentence("great_war.limits.base")
    limits = [OrderLimit(id=f"base {number}", most=1, over=base) for number in (1, 2)]
    hand = view.armies[PLAYER].hand
    for card in dict.fromkeys(hand):
        over = sentence("great_war.limits.card", card=card)
        limits.append(OrderLimit(id=f"card {card}", most=hand.count(card), over=over))
    known = {limit.id for limit in limits}
    return OrderLimits(
        limits=tuple(limits),
        uses=tuple(tuple(use for use in some if use.limit in known) for some in uses),
    )


def _uses(order: AnyOrder) -> Iterator[OrderUse]:
    if isinstance(order, Strike) or (isinstance(order, Lay) and order.base is not None):
        yield OrderUse(limit=f"base {order.number}")
    if isinstance(order, StopEvent):
        yield OrderUse(limit=f"card {order.card}")
    if isinstance(order, Strike | Lay):
        yield from (OrderUse(limit=f"card {card}") for card in order.played)


def about(view: State, orders: Sequence[AnyOrder], dropped: Objection) -> tuple[int, ...]:
    """Return the place of the order whose card would be left out, or () if there is none.

    Only orders of this Round or of the Bonus phase count. A Joker that cancels a card by its own order is
    played first, so it is missing in the other order.
    """
    names = [
        (isinstance(order, Strike), place)
        for place, order in enumerate(orders)
        if (isinstance(order, BonusPlay) or (isinstance(order, Lay | Strike) and order.number == view.round))
        and dropped.detail.get("card") in order.played
    ]
    return tuple(place for _, place in sorted(names)[:1])


def find_left_out(view: State, orders: Sequence[AnyOrder]) -> list[Objection]:
    """Return the parts of this Round's orders that wouldn't be carried out, tried on the view."""
    if view.stage not in ("round 1", "round 2"):
        return []
    trial = WorkingState(view)
    execution.play_round(trial, orders, view.round)
    return [objection_of(view, event) for event in trial.events if isinstance(event, LeftOut)]


def objection_of(view: State, event: LeftOut) -> Objection:
    """Return an event for a left-out part as an objection that lists alternatives."""
    return Objection(code=event.code, detail={**event.detail, "near": " ".join(_alternatives(view, event))})


def _alternatives(view: State, event: LeftOut) -> Iterable[CardId]:
    if event.code == "not-held":
        return dict.fromkeys(view.armies[PLAYER].hand)
    if event.code == "no-target":
        return [table_card.card for table_card in view.armies[AI].row if table_card.up]
    return ()


def _round_objection(view: State, order: Lay | Strike) -> Objection | None:
    if view.stage not in ("round 1", "round 2"):
        return Objection(code="no-round")
    if isinstance(order, Lay) and order.role != view.role(PLAYER):
        return _role_objection(view, order)
    if order.number != view.round:
        code = "round-over" if order.number < view.round else "round-to-come"
        return Objection(code=code, detail={"round": str(view.round)})
    if isinstance(order, Strike):
        return _strike_objection(view, order)
    twice = [
        card_id
        for card_id in order.played
        if order.played.count(card_id) > view.armies[PLAYER].hand.count(card_id) > 0
    ]
    if twice:
        return Objection(code="twice", detail={"card": twice[0]})
    if order.base is not None and order.base.wild:
        return Objection(code="wild-base", detail={"card": order.base.card})
    return _nothing_left(view, order)


def _role_objection(view: State, order: Lay) -> Objection:
    role = view.role(PLAYER)
    instead = replace_fields(order, role=role).write()
    return Objection(code="wrong-role", detail={"role": role, "instead": instead})


def _nothing_left(view: State, order: Lay) -> Objection | None:
    """Return the first fault of an order if none of its cards could be played, or None."""
    if not order.played:
        return None
    trial = WorkingState(view)
    execution.play_round(trial, [order], view.round)
    if len(trial.army(PLAYER).row) > len(view.armies[PLAYER].row):
        return None
    faults = [event for event in trial.events if isinstance(event, LeftOut)]
    return objection_of(view, faults[0]) if faults else None


def _strike_objection(view: State, order: Strike) -> Objection | None:
    table = WorkingState(view)
    jokers = [
        card_id
        for card_id in dict.fromkeys(table.army(PLAYER).hand)
        if table.is_joker(card_id) and "round" in table.card(card_id).timing
    ]
    if order.joker not in jokers:
        return Objection(code="no-joker", detail={"card": order.joker, "near": " ".join([*jokers, BEST])})
    row = [table_card.card for table_card in table.army(AI).row if table_card.up]
    if order.aim not in row and order.aim != BEST:
        return Objection(
            code="no-target", detail={"card": order.joker, "aim": order.aim, "near": " ".join(row)}
        )
    return None


def _length_objection(view: State, order: Length) -> Objection | None:
    if view.turn > solo().turns.short:
        return Objection(code="length-settled")
    lengths = (solo().turns.short, solo().turns.long)
    if order.turns in lengths:
        return None
    return Objection(code="no-length", detail={"turns": str(order.turns), "near": "5 10"})


def _guard_objection(view: State, order: GuardLeader) -> Objection | None:
    table = WorkingState(view)
    if not order.cards:
        return None if view.leader else Objection(code="no-guard")
    wrong = [card_id for card_id in order.cards if not table.stops_leaders(card_id)]
    if not wrong:
        return None
    near = [card_id for card_id in table.book.cards if table.stops_leaders(card_id)]
    return Objection(code="stops-no-leader", detail={"card": wrong[0], "near": " ".join(near)})


def _event_objection(view: State, order: StopEvent) -> Objection | None:
    table = WorkingState(view)
    near = [card_id for card_id in dict.fromkeys(table.army(PLAYER).hand) if table.stops_events(card_id)]
    if not view.waits:
        return Objection(code="no-event")
    if order.card not in near:
        return Objection(code="stops-no-event", detail={"card": order.card, "near": " ".join(near)})
    return None


def _bonus_objection(view: State, order: BonusPlay) -> Objection | None:
    if order.play is None:
        return None
    table = WorkingState(view)
    card_id = order.play.card
    near = [
        held for held in dict.fromkeys(table.army(PLAYER).hand) if "bonus_phase" in table.card(held).timing
    ]
    if card_id not in near:
        return Objection(code="no-bonus-card", detail={"card": card_id, "near": " ".join(near)})
    event = table.forbidding_event(card_id)
    if event is not None:
        return Objection(code="forbidden", detail={"card": card_id, "event": event})
    return None


def _blockade_objection(view: State, order: Blockade) -> Objection | None:
    table = WorkingState(view)
    own = [
        table_card.card
        for table_card in table.army(PLAYER).row
        if table_card.up and table.card(table_card.card).effect("blockade")
    ]
    for play in order.plays:
        if play.card not in own:
            return Objection(code="no-blockade", detail={"card": play.card, "near": " ".join([*own, BEST])})
        reachable = [target.card for target in in_reach(table, PLAYER, play.card)]
        aim = play.aims[0] if play.aims else BEST
        if aim not in (*reachable, BEST, NOTHING):
            detail = {"card": play.card, "aim": aim, "near": " ".join(reachable)}
            return Objection(code="no-target", detail=detail)
    return None


def _draw_objection(order: Draw) -> Objection | None:
    hand = solo().human_hand
    for name in ("neutral", "nationality", "bonus"):
        least, most = getattr(hand.least, name), getattr(hand.most, name)
        if not least <= getattr(order.parts, name) <= most:
            return Objection(
                code="split-range",
                detail={"deck": name, "least": str(least), "most": str(most), "near": "4 1"},
            )
    size = order.parts.neutral + order.parts.nationality + order.parts.bonus
    if size != solo().hand_size.value:
        return Objection(
            code="split-sum", detail={"sum": str(size), "size": str(solo().hand_size.value), "near": "4 1"}
        )
    return None
