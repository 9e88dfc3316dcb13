"""What an order may be: why it is unlawful, or what would be left out. Orders are tried out on the view."""

from collections.abc import Iterable, Sequence
from typing import assert_never

from games.great_war import carrying_out, white_cards
from games.great_war.closing import in_reach
from games.great_war.components import CardId, solo
from games.great_war.events import LeftOut
from games.great_war.in_play import Table
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
from games.great_war.notation import GreatWarNotation
from games.protocol import Concern, Objection
from games.record import changed

_NOTATION = GreatWarNotation()


def objection(view: State, order: AnyOrder) -> Objection | None:
    """Why an order cannot count at all now, or None."""
    if isinstance(order, Lay | Strike):
        return _round(view, order)
    if isinstance(order, GuardLeader):
        return _guard(view, order)
    if isinstance(order, StopEvent):
        return _stop(view, order)
    if isinstance(order, BonusPlay):
        return _bonus(view, order)
    if isinstance(order, Blockade):
        return _blockade(view, order)
    if isinstance(order, Draw):
        return _draw(order)
    if isinstance(order, Exchange):
        return white_cards.objection_to(view, order)
    if isinstance(order, Length):
        return _length(view, order)
    if isinstance(order, Begin):
        return None if view.stage == "set-up" else Objection(code="begun")
    assert_never(order)


def foreseen(view: State, order: AnyOrder, before: Sequence[AnyOrder]) -> Objection | None:
    """What is certain now against an order for a later part of the Turn; before: those for this Round.

    Events and the AI may take a card till then; one that is laid in this Round, or is not held, cannot come.
    """
    used = [one for sooner in before for one in cards_of(sooner)]
    held = [one for one in view.armies[PLAYER].hand if one not in used]
    if isinstance(order, Lay) and order.role != view.role(PLAYER):
        return _wrong_role(view, order)
    if isinstance(order, Blockade):
        held += [laid.card for laid in view.armies[PLAYER].row]
        held += used
    wanted = cards_of(order)
    if wanted and not set(wanted) & set(held):
        near = " ".join(dict.fromkeys(held))
        return Objection(code="not-held", detail={"card": wanted[0], "near": near})
    return None


def cards_of(order: AnyOrder) -> tuple[CardId, ...]:
    """The player's cards that an order names."""
    if isinstance(order, Lay):
        return order.cards
    if isinstance(order, Strike):
        return (order.joker,)
    if isinstance(order, BonusPlay):
        return (order.play.card,) if order.play else ()
    if isinstance(order, Blockade):
        return tuple(play.card for play in order.plays)
    if isinstance(order, GuardLeader | StopEvent | Draw | Exchange | Length | Begin):
        return ()
    assert_never(order)


def concerns(view: State, orders: Sequence[AnyOrder]) -> tuple[Concern, ...]:
    """What of lawful orders would be left out, and what is odd about them. Source: GW44."""
    found = [
        Concern(code=one.code, detail=one.detail, drops=True, about=about(view, orders, one))
        for one in left_out(view, orders)
    ]
    held = view.armies[PLAYER].hand
    for order in orders:
        if isinstance(order, GuardLeader) and order.cards and not set(order.cards) & set(held):
            found.append(Concern(code="guard-not-held", detail={"near": " ".join(order.cards)}))
        if isinstance(order, Strike) and not any(isinstance(one, Lay) for one in orders):
            found.append(Concern(code="joker-alone", detail={"number": str(order.number)}))
    reacts = [one for one in held if Table(view).stops_leaders(one)]
    if reacts and orders and not view.leader and not any(isinstance(one, GuardLeader) for one in orders):
        found.append(Concern(code="may-guard", detail={"near": " ".join(reacts)}))
    return tuple(found)


def about(view: State, orders: Sequence[AnyOrder], dropped: Objection) -> tuple[int, ...]:
    """The place of the order of this Round, or of the Bonus phase, of which a card would be left out.

    A Joker that an order of its own plays lies there before the others, so it is the others that lack it.
    """
    names = [
        (isinstance(order, Strike), place)
        for place, order in enumerate(orders)
        if (isinstance(order, BonusPlay) or (isinstance(order, Lay | Strike) and order.number == view.round))
        and dropped.detail.get("card") in cards_of(order)
    ]
    return tuple(place for _, place in sorted(names)[:1])


def left_out(view: State, orders: Sequence[AnyOrder]) -> list[Objection]:
    """The parts of the orders for the present Round that would not be carried out, tried on the view."""
    if view.stage not in ("round 1", "round 2"):
        return []
    trial = Table(view)
    carrying_out.play_round(trial, orders, view.round)
    return [objection_of(view, one) for one in trial.events if isinstance(one, LeftOut)]


def objection_of(view: State, event: LeftOut) -> Objection:
    """A part left out, as an objection that says what there is instead."""
    return Objection(code=event.code, detail={**event.detail, "near": " ".join(_near(view, event))})


def _near(view: State, event: LeftOut) -> Iterable[CardId]:
    if event.code == "not-held":
        return dict.fromkeys(view.armies[PLAYER].hand)
    if event.code == "no-target":
        return [laid.card for laid in view.armies[AI].row if laid.up]
    return ()


def _round(view: State, order: Lay | Strike) -> Objection | None:
    if view.stage not in ("round 1", "round 2"):
        return Objection(code="no-round")
    if isinstance(order, Lay) and order.role != view.role(PLAYER):
        return _wrong_role(view, order)
    if order.number != view.round:
        code = "round-over" if order.number < view.round else "round-to-come"
        return Objection(code=code, detail={"round": str(view.round)})
    if isinstance(order, Strike):
        return _strike(view, order)
    twice = [one for one in order.cards if order.cards.count(one) > view.armies[PLAYER].hand.count(one) > 0]
    if twice:
        return Objection(code="twice", detail={"card": twice[0]})
    if order.base is not None and order.base.wild:
        return Objection(code="wild-base", detail={"card": order.base.card})
    return _nothing_left(view, order)


def _wrong_role(view: State, order: Lay) -> Objection:
    role = view.role(PLAYER)
    instead = _NOTATION.write(changed(order, role=role))
    return Objection(code="wrong-role", detail={"role": role, "instead": instead})


def _nothing_left(view: State, order: Lay) -> Objection | None:
    """The first fault of an order of which nothing could be laid."""
    if not order.cards:
        return None
    trial = Table(view)
    carrying_out.play_round(trial, [order], view.round)
    if len(trial.army(PLAYER).row) > len(view.armies[PLAYER].row):
        return None
    faults = [one for one in trial.events if isinstance(one, LeftOut)]
    return objection_of(view, faults[0]) if faults else None


def _strike(view: State, order: Strike) -> Objection | None:
    table = Table(view)
    jokers = [one for one in dict.fromkeys(table.army(PLAYER).hand) if _strikes(table, one)]
    if order.joker not in jokers:
        return Objection(code="no-joker", detail={"card": order.joker, "near": " ".join([*jokers, BEST])})
    row = [laid.card for laid in table.army(AI).row if laid.up]
    if order.aim not in row and order.aim != BEST:
        return Objection(
            code="no-target", detail={"card": order.joker, "aim": order.aim, "near": " ".join(row)}
        )
    return None


def _strikes(table: Table, one: CardId) -> bool:
    return table.is_joker(one) and "round" in table.card(one).timing


def _length(view: State, order: Length) -> Objection | None:
    if view.turn > solo().turns.short:
        return Objection(code="length-settled")
    lengths = (solo().turns.short, solo().turns.long)
    if order.turns in lengths:
        return None
    return Objection(code="no-length", detail={"turns": str(order.turns), "near": "5 10"})


def _guard(view: State, order: GuardLeader) -> Objection | None:
    table = Table(view)
    if not order.cards:
        return None if view.leader else Objection(code="no-guard")
    wrong = [one for one in order.cards if not table.stops_leaders(one)]
    if not wrong:
        return None
    near = [one for one in table.book.cards if table.stops_leaders(one)]
    return Objection(code="stops-no-leader", detail={"card": wrong[0], "near": " ".join(near)})


def _stop(view: State, order: StopEvent) -> Objection | None:
    table = Table(view)
    near = [one for one in dict.fromkeys(table.army(PLAYER).hand) if table.stops_events(one)]
    if not view.waits:
        return Objection(code="no-event")
    if order.card not in near:
        return Objection(code="stops-no-event", detail={"card": order.card, "near": " ".join(near)})
    return None


def _bonus(view: State, order: BonusPlay) -> Objection | None:
    if order.play is None:
        return None
    table = Table(view)
    one = order.play.card
    near = [
        held for held in dict.fromkeys(table.army(PLAYER).hand) if "bonus_phase" in table.card(held).timing
    ]
    if one not in near:
        return Objection(code="no-bonus-card", detail={"card": one, "near": " ".join(near)})
    event = table.forbidden(one)
    if event is not None:
        return Objection(code="forbidden", detail={"card": one, "event": event})
    return None


def _blockade(view: State, order: Blockade) -> Objection | None:
    table = Table(view)
    own = [one.card for one in table.army(PLAYER).row if one.up and table.card(one.card).effect("blockade")]
    for play in order.plays:
        if play.card not in own:
            return Objection(code="no-blockade", detail={"card": play.card, "near": " ".join([*own, BEST])})
        found = [laid.card for laid in in_reach(table, PLAYER, play.card)]
        aim = play.aims[0] if play.aims else BEST
        if aim not in (*found, BEST, NOTHING):
            detail = {"card": play.card, "aim": aim, "near": " ".join(found)}
            return Objection(code="no-target", detail=detail)
    return None


def _draw(order: Draw) -> Objection | None:
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
