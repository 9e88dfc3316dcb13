"""How people may write to the clerk: seats in the words of their game, strangers in commands alone."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import NamedTuple, cast

import games
from adjudicator.clerk.identity import Seated
from adjudicator.ledger.books import Books
from adjudicator.reports.help import TOPICS
from adjudicator.reports.suggestions import Asked, open_to
from games.protocol import Game, Lexicon, Order, Seat, View
from games.protocol.optional import Attentive, Exemplary, Foresight, Polyglot, Wary
from games.record import changed
from orders.commands import COMMANDS
from orders.parsing.made_once import made_once
from orders.parsing.parse_context import ParseContext


def known_names(books: Books | None, seated: Seated | None, verb: str) -> tuple[str, ...]:
    """The names with which what stands behind a command may begin, where it is not in capitals."""
    here = tuple(books.games()) if books and verb in (*_OF_GAMES, *_OF_OFFERS, *_OF_TURNS) else ()
    offers = tuple(offer.name for offer in books.society.offers()) if books and verb in _OF_OFFERS else ()
    seats = tuple(seated.position.chairs) if seated and verb in _OF_SEATS else ()
    turns = books.turns(seated.position.name) if books and seated and verb in _OF_TURNS else ()
    others = _kinds() if verb in ("NEW", "RULES") else _SHELF.get(verb, ())
    return (*here, *offers, *seats, *turns, *others)


_OF_GAMES = ("OBSERVE", "RESIGN")
_OF_TURNS = ("MAP", "HISTORY")
_OF_OFFERS = ("JOIN", "PREFERENCE")
_OF_SEATS = ("PRESS", "CONCEDE", "PREFERENCE")
_SHELF = {"GET": ("map", "history", "rules", "list", "status", "provinces", *TOPICS)}


def _kinds() -> tuple[str, ...]:
    kinds = games.kinds()
    known = sorted({*kinds, *(alias for game in kinds.values() for alias in game.about.aliases)})
    return tuple(dict.fromkeys([*known, *(name.replace("-", " ") for name in known)]))


def parse_context(game: Game, seated: Seated, books: Books | None = None) -> ParseContext:
    """How a seat may write in its game now. books: where other games are known."""
    view = game.rules.view(seated.position.state, seated.seat)
    return changed(
        wording(game, view, seated.seat, tuple(seated.position.chairs)),
        commands=COMMANDS,
        known=partial(known_names, books, seated),
        conditions=game.notation.conditions,
        turns=partial(game.rules.ahead, seated.position.state),
        phrase=game.notation.write_condition,
        examples=partial(_examples, game, seated),
    )


def wording(game: Game, view: View, seat: Seat, seats: tuple[Seat, ...] = ()) -> ParseContext:
    """How single orders of a seat may be written in a position. seats: all of the game."""
    forms = game.notation.forms
    resting: Callable[[], Sequence[Order]] = tuple
    reaches: Callable[[Order], bool] | None = None
    # Of orders that wait for others nobody can say it.
    able = _able(game)
    if not able.foresight:
        reaches = partial(_can_be, game, view, seat)
    doubt: Callable[[str, Mapping[str, str]], str | None] = _no_doubt
    fitted: Callable[[Order, str], tuple[Order, str | None]] = _as_it_is
    if able.attentive:
        attentive = cast(Attentive, game.notation)
        brief = attentive.brief(view, seat)
        forms = (*forms, *brief) if brief else forms
        resting = partial(attentive.resting, view, seat)
        doubt = partial(attentive.doubt, view)
        fitted = partial(attentive.fitted, view)
    lexicon = game.notation.lexicon(view)
    return ParseContext(
        commands=(),
        forms=forms,
        conditions=(),
        lexicon=lexicon,
        build=partial(game.notation.build, view),
        write=game.notation.write,
        titles=_titles(lexicon)(seat),
        seats=_seats(lexicon)(seats),
        resting=resting,
        doubt=doubt,
        fitted=fitted,
        reaches=reaches,
        native=cast(Polyglot, game.notation).native(view, seat) if able.polyglot else None,
        tongues=cast(Polyglot, game.notation).tongues if able.polyglot else dict,
        misgiving=cast(Wary, game.notation).misgiving if able.wary else _no_misgiving,
    )


class _Able(NamedTuple):
    """What the parts of a game can do beside what is asked of all."""

    foresight: bool
    attentive: bool
    polyglot: bool
    wary: bool


_ABLE: dict[tuple[type, type], _Able] = {}


def _able(game: Game) -> _Able:
    """The same for all parts of a type: to look through a protocol takes as long as to read an order."""
    rules, notation = game.rules, game.notation
    sorts = type(rules), type(notation)
    found = _ABLE.get(sorts)
    if found is None:
        attentive, polyglot = isinstance(notation, Attentive), isinstance(notation, Polyglot)
        found = _Able(isinstance(rules, Foresight), attentive, polyglot, isinstance(notation, Wary))
        _ABLE[sorts] = found
    return found


def _examples(game: Game, seated: Seated) -> Mapping[str, str] | None:
    """By form, an order that the seat could give now; None where the game has no such examples."""
    if not isinstance(game.rules, Exemplary):
        return None
    asked = Asked.of(game, seated.position.state, seated.seat)
    return {form.name: form.example for form in open_to(asked)}


@made_once
def _titles(lexicon: Lexicon) -> Callable[[Seat], tuple[str, ...]]:
    """What a seat is called, in whatever language; beginnings of its name are looked at by who reads."""

    @cache
    def of_seat(seat: Seat) -> tuple[str, ...]:
        names = (name for term in lexicon if term.id == seat for name in term.names)
        whole = (name for name in names if len(name) > 3 and not str(seat).lower().startswith(name.lower()))
        return (str(seat), *whole)

    return of_seat


@made_once
def _seats(lexicon: Lexicon) -> Callable[[tuple[Seat, ...]], tuple[str, ...]]:
    """What the seats of a game are called, in whatever language."""

    @cache
    def of_seats(seats: tuple[Seat, ...]) -> tuple[str, ...]:
        known = frozenset(seats)
        return (*map(str, seats), *(name for term in lexicon if term.id in known for name in term.names))

    return of_seats


def _can_be(game: Game, view: View, seat: Seat, order: Order) -> bool:
    return game.rules.check(view, seat, order) is None


def _no_doubt(form: str, slots: Mapping[str, str]) -> None:
    return None


def _no_misgiving(order: Order, text: str) -> None:
    return None


def _as_it_is(order: Order, text: str) -> tuple[Order, None]:
    return order, None


def commands_alone(books: Books) -> ParseContext:
    """What can be read in a letter that speaks for no seat."""
    return changed(STRANGERS, known=partial(known_names, books, None))


STRANGERS = ParseContext(
    commands=COMMANDS,
    forms=(),
    conditions=(),
    lexicon=(),
    build=lambda form, slots: Order(),
    write=lambda order: "",
    titles=(),
)
"""What can be read in a letter before it is known who wrote it: commands alone."""
