"""Parse contexts: seats write in the words of their game, strangers in commands alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING

import games
from adjudicator.auth.private_games import VisibleGames
from adjudicator.reports import messages
from adjudicator.reports.order_sheet import SeatView, possible_orders
from games.protocol import Game, Lexicon, Order, Seat, View
from games.record import replace_fields
from orders.commands import PLAYER_COMMANDS
from orders.reading.budget import make_once
from orders.reading.letter_reader import ParseContext

if TYPE_CHECKING:
    from adjudicator.auth.sender import AuthenticatedSeat
    from adjudicator.model.repository import Repository


def known_names(visible: VisibleGames | None, seated: AuthenticatedSeat | None, verb: str) -> tuple[str, ...]:
    """Return the names that the argument of a command may begin with, where it is not in capitals."""
    here = (
        visible.games()
        if visible and verb in (*_VERBS_WITH_GAME, *_VERBS_WITH_OFFER, *_VERBS_WITH_TURN)
        else ()
    )
    offers = tuple(offer.name for offer in visible.offers()) if visible and verb in _VERBS_WITH_OFFER else ()
    seats = tuple(seated.position.assignments) if seated and verb in _VERBS_WITH_SEAT else ()
    turns = (
        visible.repository.turns(seated.position.name)
        if visible and seated and verb in _VERBS_WITH_TURN
        else ()
    )
    topics = (*_GET_TOPICS, *messages.HELP_TOPICS) if verb == "GET" else ()
    others = _kinds() if verb in ("NEW", "RULES") else topics
    return (*here, *offers, *seats, *turns, *others)


_VERBS_WITH_GAME = ("OBSERVE", "RESIGN")
_VERBS_WITH_TURN = ("MAP", "HISTORY")
_VERBS_WITH_OFFER = ("JOIN", "PREFERENCE")
_VERBS_WITH_SEAT = ("PRESS", "CONCEDE", "PREFERENCE", "DRAW")
_GET_TOPICS = ("map", "history", "rules", "list", "status", "provinces")


def _kinds() -> tuple[str, ...]:
    known = sorted(games.names())
    return tuple(dict.fromkeys([*known, *(name.replace("-", " ") for name in known)]))


def parse_context(
    game: Game, seated: AuthenticatedSeat, repository: Repository | None = None
) -> ParseContext:
    """Return how a seat may write in its game now. books: where other games are known."""
    view = game.rules.view(seated.position.state, seated.seat)
    visible = None
    if repository is not None:
        visible = VisibleGames(repository, seated.assignment.address or "", seated.position.name)
    return replace_fields(
        order_context(game, view, seated.seat, tuple(seated.position.assignments)),
        commands=PLAYER_COMMANDS,
        known=partial(known_names, visible, seated),
        conditions=game.notation.conditions,
        turns=partial(game.rules.ahead, seated.position.state),
        phrase=game.notation.write_condition,
        examples=partial(_examples, game, seated),
    )


def _examples(game: Game, seated: AuthenticatedSeat) -> Mapping[str, str] | None:
    """Return by form an order that the seat could give now; None where the game has no such examples."""
    asked = SeatView.of(game, seated.position.state, seated.seat)
    if game.rules.examples(asked.view, asked.seat) is None:
        return None
    return {form.name: form.example for form in possible_orders(asked)}


def commands_only(repository: Repository, sender: str) -> ParseContext:
    """Return what can be read in a letter that speaks for no seat."""
    visible = VisibleGames(repository, sender)
    return replace_fields(COMMANDS_ONLY_CONTEXT, known=partial(known_names, visible, None))


COMMANDS_ONLY_CONTEXT = ParseContext(
    commands=PLAYER_COMMANDS,
    forms=(),
    conditions=(),
    lexicon=(),
    build=lambda _form, _slots: Order(),
    write=lambda _order: "",
    titles=(),
)
"""What can be read in a letter before it is known who wrote it: commands alone."""


# Order contexts: the forms of single orders of a seat, in an email or in a question to the judge.
#
# A judge needs no other part of reading emails, so neither the database nor templates are loaded for it.


def order_context(game: Game, view: View, seat: Seat, seats: tuple[Seat, ...] = ()) -> ParseContext:
    """Return how single orders of a seat may be written in a position. seats: all of the game."""
    notation = game.notation
    short_forms, lexicon = notation.short_forms(view, seat), notation.lexicon(view)
    return ParseContext(
        commands=(),
        forms=(*notation.forms, *short_forms) if short_forms else notation.forms,
        conditions=(),
        lexicon=lexicon,
        build=partial(notation.build, view),
        write=notation.write,
        titles=_title_finder(lexicon)(seat),
        seats=_seat_names_finder(lexicon)(seats),
        resting=partial(notation.hold_orders, view, seat),
        doubt=partial(notation.doubt, view),
        fitted=partial(notation.fit_order, view),
        # An order that depends on others can't be judged alone.
        reaches=None if game.rules.orders_depend else partial(_is_legal, game, view, seat),
        native=notation.native(view, seat),
        tongues=notation.lexicons_by_language,
        misgiving=notation.misreading,
    )


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
