"""What may be suggested to a seat: an order that it could give now, or what is no order at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from games.protocol import Due, Form, Game, Order, Seat, State, View
from games.protocol.optional import Attentive, Exemplary, Foresight
from games.record import Value
from orders import commands, words
from orders.parsing import all_hold, forms, lexicon

_OPENING = frozenset(("IF", "STOP", "PHASE"))
"""With these begins what governs orders, and is none itself."""


class Asked(Value, frozen=True):
    """What a seat sees, and what is due from it: by this anything suggested to it is weighed."""

    game: Game
    seat: Seat
    view: View
    dues: tuple[Due, ...]

    @classmethod
    def of(cls, game: Game, state: State, seat: Seat) -> Self:
        """What a seat is asked in a state."""
        dues = tuple(due for due in game.rules.due(state) if due.seat == seat)
        return cls(game, seat, game.rules.view(state, seat), dues)

    def due_for(self, order: Order | None) -> Due | None:
        """What such an order would answer, if anything."""
        return next((due for due in self.dues if type(order).__name__ in due.accepts), None)


def would_do(asked: Asked, text: str, before: Sequence[Order] = ()) -> bool:
    """Whether a text would be taken from a seat now if it wrote that: one order that is lawful, or a command.

    before: what its letter says that is played before it, where orders queue.
    """
    orders = _meant(asked, text)
    if not orders:
        return text == all_hold.TEXT or text.split(" ", 1)[0] in _OPENING | {
            verb.name for verb in commands.COMMANDS
        }
    return all(order == orders[0] for order in orders) and is_open(asked, orders[0], before)


def is_said(asked: Asked, text: str, said: Sequence[Order]) -> bool:
    """Whether a text says what has been said, or would take the place of that."""
    return any(_is_said(order, said) for order in _meant(asked, text))


def near(asked: Asked, text: str, before: Sequence[Order] = (), said: Sequence[Order] = ()) -> str | None:
    """An order that the seat could give now, of the form in which that text is written; or None.

    before: as in `would_do`; said: as in `open_to`.
    """
    names = {match.form.name for match in _matches(asked, text)}
    return next((form.example for form in open_to(asked, before, said) if form.name in names), None)


def is_open(asked: Asked, order: Order, before: Sequence[Order] = ()) -> bool:
    """Whether a seat may give an order now. before: as in `would_do`."""
    due, rules = asked.due_for(order), asked.game.rules
    if due is None:
        return False
    waits = order.slot is None and due.takes is not None and len(before) >= due.takes
    if waits and isinstance(rules, Foresight):
        return rules.foresee(asked.view, asked.seat, order, before) is None
    return rules.check(asked.view, asked.seat, order) is None


def open_to(asked: Asked, before: Sequence[Order] = (), said: Sequence[Order] = ()) -> tuple[Form, ...]:
    """An order of each kind that a seat could give now, each lawful by itself; none if the game has none.

    before: as in `would_do`; said: orders that are neither said again nor replaced.
    """
    game = asked.game
    if not isinstance(game.rules, Exemplary):
        return ()
    found: dict[str, str] = {}
    for name, orders in game.rules.examples(asked.view, asked.seat):
        new = (order for order in orders if not _is_said(order, said))
        first = next((order for order in new if is_open(asked, order, before)), None)
        if name not in found and first is not None:
            found[name] = game.notation.write(first)
    return tuple(Form(name=name, pattern=text, example=text) for name, text in found.items())


def _is_said(order: Order, said: Sequence[Order]) -> bool:
    """Whether an order is among others, or one for the same thing is."""
    return order in said or (order.slot is not None and any(order.slot == one.slot for one in said))


def _meant(asked: Asked, text: str) -> list[Order]:
    return [
        asked.game.notation.build(asked.view, match.form.name, match.slots) for match in _matches(asked, text)
    ]


def _matches(asked: Asked, text: str) -> list[forms.Match]:
    """Every meaning of a text as an order."""
    notation = asked.game.notation
    known = notation.forms
    if isinstance(notation, Attentive):
        known = (*known, *notation.brief(asked.view, asked.seat))
    return forms.compiled(tuple(known)).match(
        words.words(words.tidy(text)), lexicon.compiled(notation.lexicon(asked.view))
    )
