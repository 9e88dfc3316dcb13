"""Parse contexts: seats write in the words of their game, strangers in commands alone."""

from collections.abc import Mapping
from functools import partial

import games
from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.inbound.order_contexts import order_context
from adjudicator.model.repository import Repository
from adjudicator.reports.messages import HELP_TOPICS
from adjudicator.reports.suggestions import SeatView, possible_orders
from games.protocol import Game, Order
from games.protocol.optional import SupportsExampleOrders
from games.record import replace_fields
from orders.commands import PLAYER_COMMANDS
from orders.reading.letter_reader import ParseContext


def known_names(books: Repository | None, seated: AuthenticatedSeat | None, verb: str) -> tuple[str, ...]:
    """Return the names that the argument of a command may begin with, where it is not in capitals."""
    here = (
        tuple(books.games())
        if books and verb in (*_VERBS_WITH_GAME, *_VERBS_WITH_OFFER, *_VERBS_WITH_TURN)
        else ()
    )
    offers = (
        tuple(offer.name for offer in books.people.offers()) if books and verb in _VERBS_WITH_OFFER else ()
    )
    seats = tuple(seated.position.chairs) if seated and verb in _VERBS_WITH_SEAT else ()
    turns = books.turns(seated.position.name) if books and seated and verb in _VERBS_WITH_TURN else ()
    others = _kinds() if verb in ("NEW", "RULES") else _TOPICS_OF_VERB.get(verb, ())
    return (*here, *offers, *seats, *turns, *others)


_VERBS_WITH_GAME = ("OBSERVE", "RESIGN")
_VERBS_WITH_TURN = ("MAP", "HISTORY")
_VERBS_WITH_OFFER = ("JOIN", "PREFERENCE")
_VERBS_WITH_SEAT = ("PRESS", "CONCEDE", "PREFERENCE")
_TOPICS_OF_VERB = {"GET": ("map", "history", "rules", "list", "status", "provinces", *HELP_TOPICS)}


def _kinds() -> tuple[str, ...]:
    kinds = games.kinds()
    known = sorted({*kinds, *(alias for game in kinds.values() for alias in game.about.aliases)})
    return tuple(dict.fromkeys([*known, *(name.replace("-", " ") for name in known)]))


def parse_context(game: Game, seated: AuthenticatedSeat, books: Repository | None = None) -> ParseContext:
    """Return how a seat may write in its game now. books: where other games are known."""
    view = game.rules.view(seated.position.state, seated.seat)
    return replace_fields(
        order_context(game, view, seated.seat, tuple(seated.position.chairs)),
        commands=PLAYER_COMMANDS,
        known=partial(known_names, books, seated),
        conditions=game.notation.conditions,
        turns=partial(game.rules.ahead, seated.position.state),
        phrase=game.notation.write_condition,
        examples=partial(_examples, game, seated),
    )


def _examples(game: Game, seated: AuthenticatedSeat) -> Mapping[str, str] | None:
    """Return by form an order that the seat could give now; None where the game has no such examples."""
    if not isinstance(game.rules, SupportsExampleOrders):
        return None
    asked = SeatView.of(game, seated.position.state, seated.seat)
    return {form.name: form.example for form in possible_orders(asked)}


def commands_only(books: Repository) -> ParseContext:
    """Return what can be read in a letter that speaks for no seat."""
    return replace_fields(COMMANDS_ONLY_CONTEXT, known=partial(known_names, books, None))


COMMANDS_ONLY_CONTEXT = ParseContext(
    commands=PLAYER_COMMANDS,
    forms=(),
    conditions=(),
    lexicon=(),
    build=lambda form, slots: Order(),
    write=lambda order: "",
    titles=(),
)
"""What can be read in a letter before it is known who wrote it: commands alone."""
