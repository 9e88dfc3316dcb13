"""How people may write to the clerk: seats in the words of their game, strangers in commands alone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import games
from adjudicator.clerk.identity import Seated
from adjudicator.ledger import Books
from adjudicator.reports.help import TOPICS
from games.protocol import Attentive, Game, Order
from games.record import changed
from orders.commands import COMMANDS, Verb
from orders.reading import Phrasebook


def verbs(books: Books | None = None, seated: Seated | None = None) -> tuple[Verb, ...]:
    """The commands, as they may be written here: with names that are known, they need not be in capitals."""
    names = _names(books, seated)
    return tuple(
        verb if verb.name not in names else changed(verb, among=(*(verb.among or ()), *names[verb.name]))
        for verb in COMMANDS
    )


def _names(books: Books | None, seated: Seated | None) -> Mapping[str, tuple[str, ...]]:
    """By verb the names with which what stands behind it may begin."""
    kinds = games.kinds()
    known = sorted({*kinds, *(alias for game in kinds.values() for alias in game.about.aliases)})
    kinds_said = tuple(dict.fromkeys([*known, *(name.replace("-", " ") for name in known)]))
    offers = [offer.name for offer in books.society.offers()] if books else []
    here = (*(books.games() if books else ()), *offers)
    seats = tuple(seated.position.chairs) if seated else ()
    turns = books.turns(seated.position.name) if books and seated else ()
    return {
        "NEW": kinds_said,
        "RULES": kinds_said,
        **dict.fromkeys(("JOIN", "OBSERVE", "RESIGN", "MAP"), here),
        "PREFERENCE": (*here, *seats),
        "HISTORY": (*here, *turns),
        **dict.fromkeys(("PRESS", "CONCEDE"), seats),
        "GET": ("map", "history", "rules", "list", "status", "provinces", *TOPICS),
    }


def phrasebook(game: Game, seated: Seated, books: Books | None = None) -> Phrasebook:
    """How a seat may write in its game now. books: where other games are known."""
    view = game.rules.view(seated.position.state, seated.seat)
    forms = game.notation.forms
    resting: Callable[[], Sequence[Order]] = tuple
    doubt: Callable[[str, Mapping[str, str]], str | None] = _no_doubt
    fitted: Callable[[Order, str], tuple[Order, str | None]] = _as_it_is
    if isinstance(game.notation, Attentive):
        forms = (*forms, *game.notation.brief(view, seated.seat))
        resting = partial(game.notation.resting, view, seated.seat)
        doubt = partial(game.notation.doubt, view)
        fitted = partial(game.notation.fitted, view)
    return Phrasebook(
        commands=verbs(books, seated),
        forms=forms,
        conditions=game.notation.conditions,
        lexicon=game.notation.lexicon(view),
        build=partial(game.notation.build, view),
        write=game.notation.write,
        titles=(seated.seat,),
        turns=partial(game.rules.ahead, seated.position.state),
        phrase=game.notation.write_condition,
        resting=resting,
        doubt=doubt,
        fitted=fitted,
    )


def _no_doubt(form: str, slots: Mapping[str, str]) -> None:
    return None


def _as_it_is(order: Order, text: str) -> tuple[Order, None]:
    return order, None


def commands_alone(books: Books) -> Phrasebook:
    """What can be read in a letter that speaks for no seat."""
    return replace(STRANGERS, commands=verbs(books))


STRANGERS = Phrasebook(
    commands=COMMANDS,
    forms=(),
    conditions=(),
    lexicon=(),
    build=lambda form, slots: Order(),
    write=lambda order: "",
    titles=(),
)
"""What can be read in a letter before it is known who wrote it: commands alone."""
