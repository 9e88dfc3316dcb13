"""How people may write to the clerk: seats in the words of their game, strangers in commands alone."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import games
from adjudicator.clerk.identity import Seated
from games.protocol import Attentive, Game, Order
from games.record import changed
from orders.commands import COMMANDS, Verb
from orders.reading import Phrasebook


def verbs() -> tuple[Verb, ...]:
    """The commands, as a player may write them here: "new" before a kind of game need not be in capitals."""
    kinds = games.kinds()
    names = sorted({*kinds, *(alias for game in kinds.values() for alias in game.about.aliases)})
    among = tuple(dict.fromkeys([*names, *(name.replace("-", " ") for name in names)]))
    return tuple(changed(verb, among=among) if verb.name == "NEW" else verb for verb in COMMANDS)


def phrasebook(game: Game, seated: Seated) -> Phrasebook:
    """How a seat may write in its game now."""
    view = game.rules.view(seated.position.state, seated.seat)
    forms = game.notation.forms
    resting: Callable[[], Sequence[Order]] = tuple
    doubt: Callable[[str, Mapping[str, str]], str | None] = _no_doubt
    if isinstance(game.notation, Attentive):
        forms = (*forms, *game.notation.brief(view, seated.seat))
        resting = partial(game.notation.resting, view, seated.seat)
        doubt = partial(game.notation.doubt, view)
    return Phrasebook(
        commands=verbs(),
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
    )


def _no_doubt(form: str, slots: Mapping[str, str]) -> None:
    return None


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
