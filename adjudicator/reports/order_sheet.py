"""The order sheet: what a seat still has to order, its saved orders, suggestions, and related lists."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Self

from adjudicator.messages import as_sentence, sentence
from adjudicator.model.games import GamePosition
from adjudicator.model.orders_on_file import (
    NOT_DUE,
    BlockedOrder,
    Filing,
    Item,
    Untaken,
    accepted_items,
    is_flag,
    is_gap,
    later_items,
    order_of,
    present_items,
    queued_items,
    slot_of,
    weigh,
    write_item,
)
from games.protocol import Advice, Due, Form, Game, Order, Seat, State, View
from games.record import Record, Value, replace_fields
from orders import commands, words
from orders.reading import condition_blocks, forms, lexicon, structure


class HeldUp(Record, frozen=True, kw_only=True):
    """A saved order that cannot be carried out now: its text, why, and what to write.

    queued: whether the orders queued after it wait too; stopped: whether the player's own STOP blocks it,
    which `problem` repeats; untaken: it is not an order but a rejected line, explained elsewhere.
    """

    order: str
    problem: str
    instead: str | None = None
    queued: bool = True
    stopped: bool = False
    untaken: bool = False


class SavedOrder(Record, frozen=True, kw_only=True):
    """A saved order: what it is for, in words ("" for orders in a queue), and its canonical text.

    kept: it was saved before the email that we reply to; untaken: it is a rejected line, and queued: it keeps
    its place in a queue. left_out: it cannot be carried out together with the others, or not all of it.
    problem, instead: why the line was rejected or the order is left out, and what to write; None if the reply
    says so elsewhere.
    """

    name: str
    order: str
    kept: bool = False
    untaken: bool = False
    queued: bool = False
    left_out: bool = False
    problem: str | None = None
    instead: str | None = None

    @property
    def mark(self) -> str:
        """Return the mark that a reply sets before the order."""
        if self.untaken or self.left_out:
            return "✗"
        return "–" if self.kept else "✓"

    @property
    def state(self) -> str:
        """Return where the order came from, or what is wrong with it, in a few words."""
        if self.untaken:
            return sentence("reports.transcript.saved_untaken")
        if self.left_out:
            return sentence("reports.transcript.saved_left_out")
        return (
            sentence("reports.transcript.saved_before")
            if self.kept
            else sentence("reports.transcript.saved_now")
        )


def sheet(game: Game, position: GamePosition, seat: Seat) -> tuple[str, ...]:
    """Return the lines of a seat's order sheet for the present turn; empty if nothing is due from it."""
    dues = game.rules.due(position.state)
    return sheet_lines(game, position.state, dues, position.filed.get(seat, ()), seat)


def sheet_lines(
    game: Game, state: State, dues: Sequence[Due], filed: Sequence[Item], seat: Seat
) -> tuple[str, ...]:
    """Return the canonical orders to print for a seat: its saved orders, and defaults for missing ones.

    An order for a slot replaces the default of that slot. If a number of orders is due, defaults fill the
    rest, first those that were not given yet. Orders in a queue come next, and orders for later turns last.
    Each line is complete, with its conditions. A blocked order is replaced by the order that we suggest, so
    that the sheet can be sent back as it is.
    """
    own = [due for due in dues if due.seat == seat]
    items = [item for due in own for item in _with_defaults(game, state, due, filed)]
    lines = [write_item(game, item) for item in (*items, *(later_items(game, state, filed) if own else ()))]
    for held_order in held_up(game, state, filed, seat):
        if held_order.instead is not None and held_order.order in lines:
            lines[lines.index(held_order.order)] = held_order.instead
    return tuple(lines)


def saved_orders(
    game: Game,
    state: State,
    filed: Sequence[Item],
    seat: Seat,
    before: Collection[Item] = (),
    told: Collection[str] = (),
) -> tuple[SavedOrder, ...]:
    """Return the saved orders of a seat for what is due now, and for turns to come.

    before: what it had already; told: the lines and orders whose problems the reply already explains.
    """
    had = (*present_items(game, state, tuple(before)), *later_items(game, state, tuple(before)))
    left_out = {item.line: item for item in filed if isinstance(item, Untaken) and item.left_out}
    named: list[tuple[str, Item]] = []
    for due in game.rules.due(state):
        if due.seat != seat:
            continue
        names = {owed.slot: owed.name for owed in due.owes}
        items = _sort_as_owed(due, accepted_items(game, state, due, filed))
        if any(map(is_gap, filed)):
            # Rejected lines keep their places in the queue.
            items = [item for item in items if slot_of(item) is not None]
            items += queued_items(due, present_items(game, state, filed))
        named += [(names.get(slot_of(item) or "", ""), item) for item in items]
    named += [("", item) for item in later_items(game, state, filed)]
    named += [
        ("", item) for item in filed if isinstance(item, Untaken) and is_flag(item) and not item.left_out
    ]
    rows = []
    for name, item in named:
        text = item.line if isinstance(item, Untaken) else write_item(game, item)
        flag = item if isinstance(item, Untaken) else left_out.get(text)
        saved = SavedOrder(name=name, order=text, kept=item in had)
        if flag is not None:
            problem, instead = (None, None) if text in told else (flag.why, flag.instead)
            saved = replace_fields(
                saved,
                untaken=flag is item,
                queued=flag.queued,
                left_out=flag is not item,
                problem=as_sentence(problem) if problem else None,
                instead=instead or None,
            )
        rows.append(saved)
    return tuple(rows)


def missing(game: Game, state: State, filed: Sequence[Item], seat: Seat) -> tuple[str, ...]:
    """Return the missing orders of a seat in words: the names of units, or the number of orders of a kind."""
    names: list[str] = []
    for due in game.rules.due(state):
        if due.seat != seat:
            continue
        given = weigh(game, state, due, filed).orders
        if due.takes is None:
            slots = {order.slot for order in given}
            names += [owed.name for owed in due.owes if owed.slot not in slots]
        elif len(given) < due.takes:
            names.append(sentence("reports.sheet.missing", count=due.takes - len(given), kind=due.kind))
    return tuple(names)


def held_up(game: Game, state: State, filed: Sequence[Item], seat: Seat) -> tuple[HeldUp, ...]:
    """Return the orders of a seat that are due now but blocked: queued ones, and those sent ahead."""
    return tuple(
        _held_up(game, state, seat, held)
        for due in game.rules.due(state)
        if due.seat == seat
        for held in weigh(game, state, due, filed).held
    )


def _held_up(game: Game, state: State, seat: Seat, held: BlockedOrder) -> HeldUp:
    if held.untaken is not None:
        return HeldUp(order=held.untaken.line, problem="", untaken=True)
    assert held.order is not None, "a blocked item is an order or a rejected line"
    text = game.notation.write(held.order)
    if held.stop is not None:
        return HeldUp(order=text, problem=condition_blocks.stop_text(held.stop.when), stopped=True)
    assert held.objection is not None, "it is held up for a reason"
    if held.objection.code == NOT_DUE:
        advice = Advice(problem=sentence("reports.sheet.only_due", kind=held.objection.detail["kind"]))
    else:
        advice = game.telling.advise(game.rules.view(state, seat), held.objection)
    would = advice.instead is not None and is_acceptable(SeatView.of(game, state, seat), advice.instead)
    return HeldUp(
        order=text,
        problem=advice.problem,
        instead=advice.instead if would else None,
        queued=held.queued,
    )


def _with_defaults(game: Game, state: State, due: Due, filed: Sequence[Item]) -> list[Item]:
    given = _sort_as_owed(due, accepted_items(game, state, due, filed))
    defaults = game.rules.default(state, due)
    certain = {slot_of(item) for item in given if not isinstance(item, Filing)}
    spare: list[Item] = [order for order in defaults if order.slot is None or order.slot not in certain]
    if due.takes is not None:
        orders = [item for item in given if order_of(item) is not None]
        spare.sort(key=lambda item: item in orders)
        return given + spare[: max(0, due.takes - len(orders))]
    if any(slot_of(item) is None for item in given):
        spare = [order for order in spare if slot_of(order) is not None]
    # Unconditional orders come first: as in an email, conditional orders take precedence over them.
    return _sort_as_owed(
        due, sorted(given + spare, key=lambda item: isinstance(item, Filing) and bool(slot_of(item)))
    )


def _sort_as_owed(due: Due, items: Sequence[Item]) -> list[Item]:
    """Return items in the order of what is due, then other slots and queues in their given order."""
    rank = {owed.slot: place for place, owed in enumerate(due.owes)}
    return sorted(items, key=lambda item: rank.get(slot_of(item) or "", len(rank)))


# Suggestions for a seat: orders that it could give now, or texts that are not orders.


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
        return text == structure.ALL_HOLD_TEXT or text.split(" ", 1)[0] in _CONDITION_WORDS | {
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
