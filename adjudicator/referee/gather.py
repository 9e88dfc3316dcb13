"""The orders for what is due: on file, from a bot, by default, or not there yet."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from adjudicator.ledger import Chair
from games.dice import Dice, LabelledDice
from games.protocol import Due, Game, Order, Seat


@dataclass(frozen=True)
class Gathered:
    """All orders of a turn. left: what stays on file; reasons: the bots'; silent: people who sent none."""

    orders: Mapping[Seat, tuple[Order, ...]]
    left: Mapping[Seat, tuple[Order, ...]]
    reasons: Mapping[Seat, Mapping[str, str]] = field(default_factory=dict)
    silent: tuple[Seat, ...] = ()


def usable(game: Game, state: Any, due: Due, filed: tuple[Order, ...]) -> tuple[Order, ...]:
    """The orders on file that serve this due now: accepted, lawful, no more queued than wanted.

    Orders with a slot all count; of those that queue, the first `takes`, up to the first unlawful one.
    """
    view = game.rules.view(state, due.seat)
    chosen: list[Order] = []
    queued = 0
    blocked = False
    for order in filed:
        if type(order).__name__ not in due.accepts:
            continue
        lawful = game.rules.check(view, due.seat, order) is None
        if order.slot is not None:
            if lawful:
                chosen.append(order)
        elif not blocked and (due.takes is None or queued < due.takes):
            blocked = not lawful
            if lawful:
                chosen.append(order)
                queued += 1
    return tuple(chosen)


def missing(due: Due, orders: tuple[Order, ...]) -> tuple[str, ...]:
    """What a due still wants beside these orders, as people call it. Empty: everything is in."""
    slots = {order.slot for order in orders}
    if due.takes is None:
        return tuple(owed.name for owed in due.owes if owed.slot not in slots)
    wanting = due.takes - len(orders)
    if wanting <= 0:
        return ()
    return (f"{wanting} more order{'s' if wanting > 1 else ''}",)


def is_in(game: Game, state: Any, due: Due, chair: Chair, filed: tuple[Order, ...]) -> bool:
    """Whether a person has said all that is due: an order for each thing owed, or READY; WAIT says no."""
    if chair.wait:
        return False
    return chair.ready or not missing(due, usable(game, state, due, filed))


def gather(
    game: Game,
    state: Any,
    dues: tuple[Due, ...],
    filed: Mapping[Seat, tuple[Order, ...]],
    chairs: Mapping[Seat, Chair],
    ripe: bool,
    dice: Dice,
) -> Gathered | None:
    """The orders of every seat that owes some, or None while a person is waited for.

    ripe: nobody is waited for any longer; who sent nothing is in civil disorder and gets the default.
    dice: of the coming entry; each bot throws under its own labels.
    """
    people = [due for due in dues if chairs[due.seat].is_person]
    if not ripe and not all(is_in(game, state, d, chairs[d.seat], filed.get(d.seat, ())) for d in people):
        return None
    orders: dict[Seat, tuple[Order, ...]] = {}
    left: dict[Seat, tuple[Order, ...]] = {}
    reasons: dict[Seat, dict[str, str]] = {}
    silent: list[Seat] = []
    for due in dues:
        chair = chairs[due.seat]
        if chair.is_person:
            mine = filed.get(due.seat, ())
            chosen = usable(game, state, due, mine)
            left[due.seat] = _left(due, mine, chosen)
            if not chosen and not chair.ready:
                silent.append(due.seat)
                chosen = game.rules.default(state, due)
            orders[due.seat] = chosen
        else:
            bot = game.bots[chair.bot or next(iter(game.bots))]
            choices = bot.orders(
                game.rules.view(state, due.seat), due, LabelledDice(dice, f"bot/{due.seat}/")
            )
            orders[due.seat] = tuple(choice.order for choice in choices)
            reasons[due.seat] = {game.notation.write(choice.order): choice.reason for choice in choices}
    return Gathered(orders=orders, left=left, reasons=reasons, silent=tuple(silent))


def _left(due: Due, filed: tuple[Order, ...], chosen: tuple[Order, ...]) -> tuple[Order, ...]:
    """Queued orders beyond those played stay; an order for a slot was for this turn only."""
    if due.takes is None:
        return ()
    rest = list(filed)
    for order in chosen:
        rest.remove(order)
    return tuple(order for order in rest if order.slot is None)
