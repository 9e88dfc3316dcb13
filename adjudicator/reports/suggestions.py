"""Suggestions for a seat: orders that it could give now, or texts that are not orders."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Self

from games.protocol import Due, Form, Game, Order, Seat, State, View
from games.record import Value
from orders import commands, words
from orders.reading import all_hold, forms, lexicon

_CONDITION_WORDS = frozenset(("IF", "STOP", "PHASE"))
"""Lines that begin with one of these govern orders and are not orders."""


class SeatView(Value, frozen=True):
    """A seat's view and what is due from it, used to check each suggestion."""

    game: Game
    seat: Seat
    view: View
    dues: tuple[Due, ...]

    @classmethod
    def of(cls, game: Game, state: State, seat: Seat) -> Self:
        """Return what a seat sees in a state, and what is due from it."""
        dues = tuple(due for due in game.rules.due(state) if due.seat == seat)
        return cls(game, seat, game.rules.view(state, seat), dues)

    def due_for(self, order: Order | None) -> Due | None:
        """Return what the order would be for among what is due, if anything."""
        return next((due for due in self.dues if type(order).__name__ in due.accepts), None)


def is_acceptable(asked: SeatView, text: str, before: Sequence[Order] = ()) -> bool:
    """Return whether a text would be accepted from a seat now: one legal order, or a command.

    before: the orders of the same email that are carried out first, if orders queue.
    """
    orders = _read_orders(asked, text)
    if not orders:
        return text == all_hold.ALL_HOLD_TEXT or text.split(" ", 1)[0] in _CONDITION_WORDS | {
            verb.name for verb in commands.PLAYER_COMMANDS
        }
    return all(order == orders[0] for order in orders) and is_possible(asked, orders[0], before)


def is_already_given(asked: SeatView, text: str, given_orders: Sequence[Order]) -> bool:
    """Return whether a text is among the orders given, or would replace one of them."""
    return any(_is_given(order, given_orders) for order in _read_orders(asked, text))


def nearest_order(
    asked: SeatView, text: str, before: Sequence[Order] = (), given_orders: Sequence[Order] = ()
) -> str | None:
    """Return an order that the seat could give now, in the form of the text, or None.

    If the text is an order for a unit, the returned order is for that unit, unless the unit has one of
    given_orders. before: as in `is_acceptable`. given_orders: as in `possible_orders`.
    """
    meanings = _matches(asked, text)
    names = {match.form.name for match in meanings}
    slots = {asked.game.notation.build(asked.view, match.form.name, match.slots).slot for match in meanings}
    slots -= {None, *(order.slot for order in given_orders)}
    offered = possible_orders(asked, before, given_orders, slots)
    return next((form.example for form in offered if form.name in names), None)


def is_possible(asked: SeatView, order: Order, before: Sequence[Order] = ()) -> bool:
    """Return whether a seat may give an order now. before: as in `is_acceptable`."""
    due, rules = asked.due_for(order), asked.game.rules
    if due is None:
        return False
    waits = order.slot is None and due.takes is not None and len(before) >= due.takes
    if waits and rules.orders_depend:
        return rules.foresee(asked.view, asked.seat, order, before) is None
    return rules.check(asked.view, asked.seat, order) is None


def possible_orders(
    asked: SeatView,
    before: Sequence[Order] = (),
    given_orders: Sequence[Order] = (),
    slots: Collection[str | None] = (),
) -> tuple[Form, ...]:
    """Return an order of each kind that a seat could give now, each legal by itself; none if the game has
    none.

    before: as in `is_acceptable`; given_orders: orders that must be neither repeated nor replaced; slots: if
    given, only orders for these are returned.
    """
    game = asked.game
    example_by_form: dict[str, str] = {}
    for name, orders in game.rules.examples(asked.view, asked.seat) or ():
        wanted = (order for order in orders if not slots or order.slot in slots)
        new = (order for order in wanted if not _is_given(order, given_orders))
        first = next((order for order in new if is_possible(asked, order, before)), None)
        if name not in example_by_form and first is not None:
            example_by_form[name] = game.notation.write(first)
    return tuple(Form(name=name, pattern=text, example=text) for name, text in example_by_form.items())


def _is_given(order: Order, given_orders: Sequence[Order]) -> bool:
    """Return whether an order is among others, or one for the same thing is."""
    return order in given_orders or (
        order.slot is not None and any(order.slot == other.slot for other in given_orders)
    )


def _read_orders(asked: SeatView, text: str) -> list[Order]:
    return [
        asked.game.notation.build(asked.view, match.form.name, match.slots) for match in _matches(asked, text)
    ]


def _matches(asked: SeatView, text: str) -> list[forms.FormMatch]:
    """Return all meanings of a text as an order."""
    notation = asked.game.notation
    known = (*notation.forms, *notation.short_forms(asked.view, asked.seat))
    return forms.compile_forms(known).match(
        words.words(words.tidy(text)), lexicon.index_lexicon(notation.lexicon(asked.view))
    )
