"""MOVES and NEIGHBOURS: the orders that the rules allow now, and the places beside a place."""

import re
from collections.abc import Iterable, Mapping, Sequence

from adjudicator.inbound.commands.context import CommandResult, SeatCommandContext, reply_with
from adjudicator.messages import sentence
from adjudicator.reports.times import join_names
from adjudicator.reports.verdict import CommandAnswer
from games.protocol import Game, Lexicon
from games.protocol.optional import (
    LegalOrder,
    SupportsAdjacency,
    SupportsLegalOrders,
    SupportsUnlistedOrders,
    UnlistedOrders,
)
from orders.commands import Command
from orders.words import keys

_FORM_PLACEHOLDER = re.compile(r"\{(\w+)\}")
MAX_ORDERS_OF_NAMED_THING, MAX_ORDERS_PER_THING = 200, 8
"""So many orders are shown of one thing that was named, and of each where all are asked for."""


def ask_moves(case: SeatCommandContext, command: Command) -> CommandResult:
    """List what a unit, or each of them, could be ordered to do now: in words, and as it is written."""
    rules, position = case.game.rules, case.seated.position
    if not position.is_running:
        return reply_with(sentence("clerk.ordering.game_over"))
    if not isinstance(rules, SupportsLegalOrders):
        return reply_with(sentence("clerk.moves.not_listed", title=case.game.about.title))
    view = rules.view(position.state, case.seat)
    orders_by_thing = _group_by_thing(rules.legal_orders(view, case.seat)) if _is_asked(case) else {}
    unlisted_orders = (
        list(rules.unlisted_orders(view, case.seat))
        if orders_by_thing and isinstance(rules, SupportsUnlistedOrders)
        else []
    )
    if not orders_by_thing:
        return reply_with(sentence("clerk.moves.nothing_now"))
    if not command.args:
        title = sentence("clerk.moves.title_of_all", turn=rules.turn(view).name)
        parts = [
            _format_thing(case.game, of, some, MAX_ORDERS_PER_THING, unlisted_orders)
            for of, some in orders_by_thing.items()
        ]
        longer = next((of for of, some in orders_by_thing.items() if len(some) > MAX_ORDERS_PER_THING), None)
        return _reply(title, [*parts, sentence("clerk.moves.more", longer=longer)])
    named = command.args[0].strip(" .?!")
    some = _find_things(orders_by_thing, case.game.notation.lexicon(view), named)
    if not some:
        return reply_with(sentence("clerk.moves.no_such_thing", named=named, known=list(orders_by_thing)))
    title = sentence("clerk.moves.title", of=join_names(list(some)))
    parts = [
        _format_thing(case.game, of, orders, MAX_ORDERS_OF_NAMED_THING, unlisted_orders)
        for of, orders in some.items()
    ]
    return _reply(title, parts)


def ask_neighbours(case: SeatCommandContext, command: Command) -> CommandResult:
    """List the places beside a place."""
    rules = case.game.rules
    if not isinstance(rules, SupportsAdjacency):
        return reply_with(sentence("clerk.moves.no_places", title=case.game.about.title))
    view = rules.view(case.seated.position.state, case.seat)
    named = " ".join(command.args).strip(" .?!")
    if not named:
        return reply_with(sentence("clerk.moves.say_which_place"))
    for term in _find_terms(case.game.notation.lexicon(view), named):
        near = rules.adjacent_places(view, term.id)
        if near is not None:
            wide = max((len(neighbour.place) for neighbour in near), default=0)
            rows = [f"  {neighbour.place:<{wide}}  {neighbour.how}" for neighbour in near]
            title = sentence("clerk.moves.beside", place=term.names[0])
            return _reply(title, ["\n".join(rows)])
    return reply_with(sentence("clerk.moves.no_such_place", named=named))


def _is_asked(case: SeatCommandContext) -> bool:
    dues = case.game.rules.due(case.seated.position.state)
    return any(due.seat == case.seat for due in dues)


def _group_by_thing(orders: Iterable[LegalOrder]) -> dict[str, list[LegalOrder]]:
    groups: dict[str, list[LegalOrder]] = {}
    for order in orders:
        groups.setdefault(order.of, []).append(order)
    return groups


def _find_things(
    orders_by_thing: Mapping[str, list[LegalOrder]], lexicon: Lexicon, named: str
) -> dict[str, list[LegalOrder]]:
    """Return the things that a name may mean: by their own words, or by any name in them."""
    wanted_words = {keys(named), keys(named)[1:]} - {()}
    for words in tuple(wanted_words):
        wanted_words |= {
            keys(name) for term in _find_terms(lexicon, " ".join(words)) for name in (*term.names, term.id)
        }
    return {
        of: some
        for of, some in orders_by_thing.items()
        if any(_contains_words(keys(of), words) for words in wanted_words)
    }


def _find_terms(lexicon: Lexicon, named: str) -> Lexicon:
    wanted = keys(named)
    return tuple(term for term in lexicon if wanted in (keys(term.id), *(keys(name) for name in term.names)))


def _contains_words(words: tuple[str, ...], some: tuple[str, ...]) -> bool:
    """Return whether some words stand in others side by side."""
    size = len(some)
    return bool(some) and any(words[at : at + size] == some for at in range(len(words) - size + 1))


def _format_thing(
    game: Game, of: str, orders: Sequence[LegalOrder], most: int, besides: Sequence[UnlistedOrders] = ()
) -> str:
    """Return the orders for one thing, a row each, then the forms with more orders, and how many."""
    texts = [(game.notation.write(order.order), order.words) for order in orders[:most]]
    wide = max(len(text) for text, _ in texts)
    rows = [f"  {text:<{wide}}  {words}" for text, words in texts]
    more = len(orders) - len(texts)
    rows += [f"  {sentence('clerk.moves.and_more', left=more)}"] if more > 0 else []
    rows += [f"  {_describe_unlisted(form)}" for form in besides if form.of == of]
    return "\n".join([f"  {of}:", *(f"  {row}" for row in rows)])


def _describe_unlisted(further: UnlistedOrders) -> str:
    """Return the number of orders of a form that are not shown, and the form: what differs in capitals."""
    form = _FORM_PLACEHOLDER.sub(lambda match: match[1].upper(), further.form)
    return sentence("clerk.moves.unlisted", left=len(further.orders), form=form, words=further.words)


def _reply(title: str, parts: Sequence[str]) -> CommandResult:
    return CommandResult(answered=(CommandAnswer(title=title, text="\n\n".join(parts)),))
