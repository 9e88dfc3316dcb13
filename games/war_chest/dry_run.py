"""Orders tried out ahead of time, for TRY and for orders that wait behind others of the same email."""

from collections.abc import Sequence

from games.messages import sentence
from games.protocol import DryRun, Event, Objection, Seat
from games.record import replace_fields
from games.war_chest import legality
from games.war_chest.components import UNIT_NAMES
from games.war_chest.execution import try_out
from games.war_chest.model import AnyOrder, Do, Side, State, View, without_one
from games.war_chest.setup import pick


def attempt(view: View, seat: Seat, orders: Sequence[AnyOrder]) -> DryRun:
    """Return the result of orders that a seat plays one after the other without turns of the opponent.

    Coins are never drawn: the result ends at the first draw.
    """
    state: State = view
    events: list[Event] = []
    if view.picks:
        if not orders:
            return DryRun(after=view, open=sentence("war_chest.dry_run.draft"))
        picked = pick(view, seat, tuple(orders))  # type: ignore[arg-type]  # a draft accepts only picks
        return DryRun(after=picked.state, events=picked.events, open=sentence("war_chest.dry_run.draft"))
    for order in orders:
        if state.agenda and order is not orders[0]:
            return DryRun(after=state, events=tuple(events), open=sentence("war_chest.dry_run.choice"))
        if legality.objection(state, seat, order) is not None:
            return DryRun(after=state, events=tuple(events), open=sentence("war_chest.dry_run.opponent"))
        played, whole = try_out(state, seat, order)
        state, events = played.state, [*events, *played.events]
        if not whole:
            return DryRun(after=state, events=tuple(events), open=sentence("war_chest.dry_run.drawn"))
        if state.ended is not None:
            return DryRun(after=state, events=tuple(events))
    return DryRun(
        after=replace_fields(state), events=tuple(events), open=sentence("war_chest.dry_run.opponent")
    )


# Checks of an order that waits behind others of its email, with turns of the opponent between them.


UNCERTAIN_CODES: frozenset[str] = frozenset(
    (
        *("hex-occupied", "line-blocked", "no-way", "no-target", "which-one", "knight", "yours-already"),
        *("on-board-already", "not-yours-to-deploy", "not-your-location", "will-be-lost"),
        *("initiative-yours", "claimed-already", "last-coin"),
    )
)
"""The codes of objections that the opponent's next turns could remove."""


def foresee(view: State, seat: Seat, order: AnyOrder, before: Sequence[AnyOrder]) -> Objection | None:
    """Return why an order cannot be legal after the orders before it, or None. Source: clause V.ahead.

    The side's own coins, moves and recruits are foreseen. An objection that the opponent's turns could
    remove doesn't count.
    """
    for earlier in before:
        view = view_after(view, seat, earlier)
    objection = legality.objection(view, seat, order)
    if objection is None or objection.code in UNCERTAIN_CODES or _may_come_near(order, objection):
        return None
    return objection


def view_after(view: State, seat: Seat, order: AnyOrder) -> State:
    """Return the view after an order of the seat, with the results that depend on the seat alone."""
    if legality.objection(view, seat, order) is not None:
        return _without_coin(view, seat, order)
    plan = legality.plan_maneuver(view, seat, order)
    view = order.apply(_without_coin(view, seat, order), seat)
    for done in plan:
        view = _after_step(view, done)
    return view


def _may_come_near(order: AnyOrder, objection: Objection) -> bool:
    """Return whether the order attacks a unit by its name, and that unit is only too far away now."""
    steps = order.maneuver.steps if order.maneuver else ()
    named = any(step.act == "attack" and step.to in UNIT_NAMES for step in steps)
    return named and objection.code in (
        "too-far",
        "no-normal-attack",
        "no-straight-line",
        "not-straight-ahead",
    )


def _after_step(view: State, done: Do) -> State:
    """Return the view after a step of the side's own unit. An attacked unit stays where it is."""
    unit = view.stack_at(done.at)
    if unit is None or unit.seat != done.seat:
        return view
    if done.pay:
        view = view.with_stack(replace_fields(unit, height=unit.height - 1))
        unit = view.stack_at(done.at)
    if done.act == "control":
        return replace_fields(view, control={**view.control, done.at: done.seat})
    if done.act == "attack" or unit is None:
        return view
    others = tuple(other for other in view.stacks if other != unit)
    return replace_fields(view, stacks=others).with_stack(replace_fields(unit, at=done.to))


def _without_coin(view: State, seat: Seat, order: AnyOrder) -> State:
    """Return the view without the coin of the order, and without the decision that the order makes."""
    have = legality.coins(view, seat)
    coin = order.payment(have)
    if coin not in have:
        return view
    side: Side = view.sides[seat]
    side_after = (
        replace_fields(side, drawn=None)
        if side.drawn
        else replace_fields(side, hand=without_one(side.hand, coin))
    )
    return replace_fields(view.with_side(seat, side_after), agenda=())
