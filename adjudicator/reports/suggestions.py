"""What may be suggested to a seat: an order that it could give now, or what is no order at all."""

from collections.abc import Sequence

from games.protocol import Due, Form, Game, Order, Seat, View
from games.protocol.optional import Attentive, Exemplary, Foresight
from orders.commands import COMMANDS
from orders.parsing import all_hold
from orders.parsing.forms import Match
from orders.parsing.forms import compiled as ready
from orders.parsing.lexicon import compiled as ready_names
from orders.words import tidy, words

_OPENING = frozenset(("IF", "STOP", "PHASE"))
"""With these begins what governs orders, and is none itself."""
_ASKED = frozenset(verb.name for verb in COMMANDS)


def would_do(
    game: Game, view: View, seat: Seat, dues: Sequence[Due], text: str, before: Sequence[Order] = ()
) -> bool:
    """Whether a text would be taken from a seat now if it wrote that: one order that is lawful, or a command.

    dues: of the seat; before: what its letter says that is played before it, where orders queue.
    """
    found = _matches(game, view, seat, text)
    if not found:
        return text == all_hold.TEXT or text.split(" ", 1)[0] in _OPENING | _ASKED
    orders = [game.notation.build(view, match.form.name, match.slots) for match in found]
    return all(order == orders[0] for order in orders) and is_open(game, view, seat, dues, orders[0], before)


def near(game: Game, view: View, seat: Seat, dues: Sequence[Due], text: str) -> str | None:
    """An order that the seat could give now, of the form in which that text is written; or None."""
    names = {match.form.name for match in _matches(game, view, seat, text)}
    return next((form.example for form in open_to(game, view, seat, dues) if form.name in names), None)


def is_open(
    game: Game, view: View, seat: Seat, dues: Sequence[Due], order: Order, before: Sequence[Order] = ()
) -> bool:
    """Whether a seat may give an order now. before: as in `would_do`."""
    due = next((due for due in dues if type(order).__name__ in due.accepts), None)
    if due is None:
        return False
    waits = order.slot is None and due.takes is not None and len(before) >= due.takes
    if waits and isinstance(game.rules, Foresight):
        return game.rules.foresee(view, seat, order, before) is None
    return game.rules.check(view, seat, order) is None


def open_to(game: Game, view: View, seat: Seat, dues: Sequence[Due]) -> tuple[Form, ...]:
    """An order of each kind that a seat could give now, each lawful by itself; none where the game has none.

    dues: of any seats.
    """
    if not isinstance(game.rules, Exemplary):
        return ()
    own = [due for due in dues if due.seat == seat]
    found: dict[str, str] = {}
    for name, orders in game.rules.examples(view, seat):
        first = next((order for order in orders if is_open(game, view, seat, own, order)), None)
        if name not in found and first is not None:
            found[name] = game.notation.write(first)
    return tuple(Form(name=name, pattern=text, example=text) for name, text in found.items())


def _matches(game: Game, view: View, seat: Seat, text: str) -> list[Match]:
    """Every meaning of a text as an order."""
    forms = game.notation.forms
    if isinstance(game.notation, Attentive):
        forms = (*forms, *game.notation.brief(view, seat))
    return ready(tuple(forms)).match(words(tidy(text)), ready_names(game.notation.lexicon(view)))
