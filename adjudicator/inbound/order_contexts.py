"""Order contexts: how single orders of a seat may be written, in an email or in a question to the judge.

A judge needs no more of what reads emails: neither books nor templates are loaded for it.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import NamedTuple, cast

from games.protocol import Game, Lexicon, Order, Seat, View
from games.protocol.optional import (
    SupportsLanguages,
    SupportsMisreadingCheck,
    SupportsPositionForms,
    SupportsQueueChecks,
)
from orders.reading.budget import make_once
from orders.reading.letter_reader import ParseContext


def order_context(game: Game, view: View, seat: Seat, seats: tuple[Seat, ...] = ()) -> ParseContext:
    """Return how single orders of a seat may be written in a position. seats: all of the game."""
    forms = game.notation.forms
    resting: Callable[[], Sequence[Order]] = tuple
    reaches: Callable[[Order], bool] | None = None
    # Of orders that wait for others nobody can say it.
    able = _capabilities_of(game)
    if not able.foresight:
        reaches = partial(_is_legal, game, view, seat)
    doubt: Callable[[str, Mapping[str, str]], str | None] = _no_doubt
    fitted: Callable[[Order, str], tuple[Order, str | None]] = _keep_order
    if able.attentive:
        attentive = cast(SupportsPositionForms, game.notation)
        brief = attentive.short_forms(view, seat)
        forms = (*forms, *brief) if brief else forms
        resting = partial(attentive.hold_orders, view, seat)
        doubt = partial(attentive.doubt, view)
        fitted = partial(attentive.fit_order, view)
    lexicon = game.notation.lexicon(view)
    return ParseContext(
        commands=(),
        forms=forms,
        conditions=(),
        lexicon=lexicon,
        build=partial(game.notation.build, view),
        write=game.notation.write,
        titles=_title_finder(lexicon)(seat),
        seats=_seat_names_finder(lexicon)(seats),
        resting=resting,
        doubt=doubt,
        fitted=fitted,
        reaches=reaches,
        native=cast(SupportsLanguages, game.notation).native(view, seat) if able.polyglot else None,
        tongues=cast(SupportsLanguages, game.notation).lexicons_by_language if able.polyglot else dict,
        misgiving=cast(SupportsMisreadingCheck, game.notation).misreading if able.wary else _no_misgiving,
    )


class _Capabilities(NamedTuple):
    """The optional capabilities of a game's parts."""

    foresight: bool
    attentive: bool
    polyglot: bool
    wary: bool


_CAPABILITIES: dict[tuple[type, type], _Capabilities] = {}


def _capabilities_of(game: Game) -> _Capabilities:
    """Return a game's capabilities, cached by type: a protocol check takes as long as reading an order."""
    rules, notation = game.rules, game.notation
    key = type(rules), type(notation)
    capabilities = _CAPABILITIES.get(key)
    if capabilities is None:
        attentive, polyglot = (
            isinstance(notation, SupportsPositionForms),
            isinstance(notation, SupportsLanguages),
        )
        capabilities = _Capabilities(
            isinstance(rules, SupportsQueueChecks),
            attentive,
            polyglot,
            isinstance(notation, SupportsMisreadingCheck),
        )
        _CAPABILITIES[key] = capabilities
    return capabilities


@make_once
def _title_finder(lexicon: Lexicon) -> Callable[[Seat], tuple[str, ...]]:
    """Return a function that lists a seat's names, in every language; the reader looks at prefixes itself."""

    @cache
    def of_seat(seat: Seat) -> tuple[str, ...]:
        names = (name for term in lexicon if term.id == seat for name in term.names)
        whole = (name for name in names if len(name) > 3 and not str(seat).lower().startswith(name.lower()))
        return (str(seat), *whole)

    return of_seat


@make_once
def _seat_names_finder(lexicon: Lexicon) -> Callable[[tuple[Seat, ...]], tuple[str, ...]]:
    """Return a function that lists the names of the seats of a game, in every language."""

    @cache
    def of_seats(seats: tuple[Seat, ...]) -> tuple[str, ...]:
        known = frozenset(seats)
        return (*map(str, seats), *(name for term in lexicon if term.id in known for name in term.names))

    return of_seats


def _is_legal(game: Game, view: View, seat: Seat, order: Order) -> bool:
    return game.rules.check(view, seat, order) is None


def _no_doubt(form: str, slots: Mapping[str, str]) -> None:
    return None


def _no_misgiving(order: Order, text: str) -> None:
    return None


def _keep_order(order: Order, text: str) -> tuple[Order, None]:
    return order, None
