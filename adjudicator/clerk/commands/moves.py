"""MOVES and NEIGHBOURS: what can be ordered now, by the rules, and what lies beside a place."""

import re
from collections.abc import Iterable, Mapping, Sequence

from adjudicator.catalogue import sentence
from adjudicator.clerk.commands.case import Case, Done, told
from adjudicator.reports.times import listed
from adjudicator.reports.transcript import Answer
from games.protocol import Game, Lexicon
from games.protocol.optional import Charted, Listing, Possible, Sampled, Unlisted
from orders.commands import Command
from orders.words import keys

_DIFFERS = re.compile(r"\{(\w+)\}")
MOST_OF_ONE, MOST_OF_ALL = 200, 8
"""So many orders are shown of one thing that was named, and of each where all are asked for."""


def ask_moves(case: Case, command: Command) -> Done:
    """What a unit, or each of them, could be ordered to do now: in words, and as one writes it."""
    rules, position = case.game.rules, case.seated.position
    if not position.running:
        return told(sentence("clerk.ordering.game_over"))
    if not isinstance(rules, Listing):
        return told(sentence("clerk.moves.not_listed", title=case.game.about.title))
    view = rules.view(position.state, case.seat)
    found = _grouped(rules.possible(view, case.seat)) if _is_asked(case) else {}
    besides = list(rules.unlisted(view, case.seat)) if found and isinstance(rules, Sampled) else []
    if not found:
        return told(sentence("clerk.moves.nothing_now"))
    if not command.args:
        title = sentence("clerk.moves.title_of_all", turn=rules.turn(view).name)
        parts = [_part(case.game, of, some, MOST_OF_ALL, besides) for of, some in found.items()]
        longer = next((of for of, some in found.items() if len(some) > MOST_OF_ALL), None)
        return _answered(title, [*parts, sentence("clerk.moves.more", longer=longer)])
    named = command.args[0].strip(" .?!")
    some = _of(found, case.game.notation.lexicon(view), named)
    if not some:
        return told(sentence("clerk.moves.no_such_thing", named=named, known=list(found)))
    title = sentence("clerk.moves.title", of=listed(list(some)))
    parts = [_part(case.game, of, orders, MOST_OF_ONE, besides) for of, orders in some.items()]
    return _answered(title, parts)


def ask_neighbours(case: Case, command: Command) -> Done:
    """What lies beside a place."""
    rules = case.game.rules
    if not isinstance(rules, Charted):
        return told(sentence("clerk.moves.no_places", title=case.game.about.title))
    view = rules.view(case.seated.position.state, case.seat)
    named = " ".join(command.args).strip(" .?!")
    if not named:
        return told(sentence("clerk.moves.say_which_place"))
    for term in _terms(case.game.notation.lexicon(view), named):
        near = rules.beside(view, term.id)
        if near is not None:
            wide = max((len(one.place) for one in near), default=0)
            rows = [f"  {one.place:<{wide}}  {one.how}" for one in near]
            title = sentence("clerk.moves.beside", place=term.names[0])
            return _answered(title, ["\n".join(rows)])
    return told(sentence("clerk.moves.no_such_place", named=named))


def _is_asked(case: Case) -> bool:
    dues = case.game.rules.due(case.seated.position.state)
    return any(due.seat == case.seat for due in dues)


def _grouped(orders: Iterable[Possible]) -> dict[str, list[Possible]]:
    found: dict[str, list[Possible]] = {}
    for one in orders:
        found.setdefault(one.of, []).append(one)
    return found


def _of(found: Mapping[str, list[Possible]], lexicon: Lexicon, named: str) -> dict[str, list[Possible]]:
    """The things that a name may mean: by their own words, or by any name of what stands in them."""
    said = {keys(named), keys(named)[1:]} - {()}
    for words in tuple(said):
        said |= {keys(name) for term in _terms(lexicon, " ".join(words)) for name in (*term.names, term.id)}
    return {of: some for of, some in found.items() if any(_holds(keys(of), words) for words in said)}


def _terms(lexicon: Lexicon, named: str) -> Lexicon:
    wanted = keys(named)
    return tuple(term for term in lexicon if wanted in (keys(term.id), *(keys(name) for name in term.names)))


def _holds(words: tuple[str, ...], some: tuple[str, ...]) -> bool:
    """Whether some words stand in others side by side."""
    size = len(some)
    return bool(some) and any(words[at : at + size] == some for at in range(len(words) - size + 1))


def _part(
    game: Game, of: str, orders: Sequence[Possible], most: int, besides: Sequence[Unlisted] = ()
) -> str:
    """The orders for one thing, a row each, then of which forms there are how many more."""
    texts = [(game.notation.write(one.order), one.words) for one in orders[:most]]
    wide = max(len(text) for text, _ in texts)
    rows = [f"  {text:<{wide}}  {words}" for text, words in texts]
    left = len(orders) - len(texts)
    rows += [f"  {sentence('clerk.moves.and_more', left=left)}"] if left > 0 else []
    rows += [f"  {_unlisted(one)}" for one in besides if one.of == of]
    return "\n".join([f"  {of}:", *(f"  {row}" for row in rows)])


def _unlisted(one: Unlisted) -> str:
    """How many orders of a form are not shown, and how they are written: what differs in capitals."""
    form = _DIFFERS.sub(lambda found: found[1].upper(), one.form)
    return sentence("clerk.moves.unlisted", left=len(one.orders), form=form, words=one.words)


def _answered(title: str, parts: Sequence[str]) -> Done:
    return Done(answered=(Answer(title=title, text="\n\n".join(parts)),))
