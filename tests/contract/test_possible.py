"""Orders in `Listing` are accepted when they are sent back, in every position of a game."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import games
from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.inbound.filing import file_orders
from adjudicator.inbound.parse_contexts import parse_context
from adjudicator.model.games import GamePosition
from games.protocol import Game, Rules, Seat, State
from games.record import canonical, replace_fields
from orders.mail.body import FreshLine
from orders.reading.letter_reader import ParseContext, read_lines
from tests.kit.campaign import Campaign, campaign, every_kind
from tests.kit.memory_repository import new_position

KINDS = every_kind()
POSITIONS, AT_ONCE, TRIED = 5, 60, 12
"""So many positions of a game are looked at, and so many of the orders of each written back, and tried."""
SOAKED = 40
"""So many positions in the soak."""

by_kind = pytest.mark.parametrize("kind", KINDS)
SCENARIOS = tuple(f"2.{number}" for number in range(1, 8))


def looked_at(kind: str, positions: int = POSITIONS) -> Iterator[tuple[Campaign, State, Seat]]:
    """Some positions of the bots' game, with each seat that is asked there."""
    played = campaign(kind)
    states = [state for state in played.states if played.game.rules.due(state)]
    some = random.Random(kind).sample(states[1:], min(positions, len(states) - 1))
    for state in (states[0], *some):
        for seat in dict.fromkeys(due.seat for due in played.game.rules.due(state)):
            yield played, state, seat


@pytest.mark.long
@by_kind
def test_whatever_is_listed_is_taken_as_it_was_written(kind: str) -> None:
    """As one line in an email of its own: understood as that order, and legal."""
    sent = sum(
        taken_back(played.game, replace(played.start, state=state), seat)
        for played, state, seat in looked_at(kind)
    )
    assert sent > 20 or not overrides(kind, "legal_orders")


@pytest.mark.soak
@by_kind
def test_whatever_is_listed_anywhere_is_taken_and_can_be_tried(kind: str) -> None:
    """The same of many positions: what is listed, what is left out of the lists, and what is tried."""
    for played, state, seat in looked_at(kind, SOAKED):
        position = replace(played.start, state=state)
        taken_back(played.game, position, seat)
        others_taken_back(played.game, position, seat)
        tried_of(played.game, state, seat, random.Random(kind))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_nations_of_each_scenario_can_do_what_is_listed(scenario: str) -> None:
    """Variant II has its own rules."""
    options = {"scenario": scenario}
    game, start = games.kinds()["plains-indian-wars"], new_position("plains-indian-wars", options=options)
    assert sum(taken_back(game, start, due.seat) for due in game.rules.due(start.state)) > 5


def overrides(kind: str, method: str) -> bool:
    """Return whether the rules of a game have a method of their own in place of the default."""
    rules = games.kinds()[kind].rules
    return getattr(type(rules), method) is not getattr(Rules, method)


def taken_back(game: Game, position: GamePosition, seat: Seat) -> int:
    """Return the number of a seat's listed orders that were sent back and accepted."""
    rules, lot = game.rules, random.Random(1)
    listed = list(rules.legal_orders(rules.view(position.state, seat), seat) or ())
    context = parse_context(game, AuthenticatedSeat(position, seat, "token"))
    some = lot.sample(listed, min(AT_ONCE, len(listed)))
    for one in some:
        text = game.notation.write(one.order)
        assert is_taken(game, position, seat, text, context) == one.order, text
        assert one.of, text
        assert one.words, text
    return len(some)


@pytest.mark.long
@by_kind
def test_a_form_of_which_samples_are_listed_is_taken_whatever_stands_in_it(kind: str) -> None:
    """The unlisted ones are as many as stated, in the stated form; each of a sample is accepted."""
    sampled = [
        others_taken_back(played.game, replace(played.start, state=state), seat)
        for played, state, seat in looked_at(kind)
    ]
    assert sum(sampled) > 10 or not overrides(kind, "unlisted_orders")


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_so_it_is_in_each_scenario(scenario: str) -> None:
    options = {"scenario": scenario}
    game, start = games.kinds()["plains-indian-wars"], new_position("plains-indian-wars", options=options)
    assert sum(others_taken_back(game, start, due.seat) for due in game.rules.due(start.state)) > 3


@pytest.mark.parametrize("number", [0, 1])
def test_all_exchanges_of_white_cards_are_taken(number: int) -> None:
    """Those of one card and those of two leaders, while they are open."""
    game, start = games.kinds()["great-war"], new_position("great-war", options={"ask": True})
    _, *exchanges = game.rules.unlisted_orders(game.rules.view(start.state, Seat("player")), Seat("player"))
    assert [form.form.count("EXCHANGE") for form in exchanges] == [1, 1]
    assert len(exchanges[number].orders) > 10
    assert others_taken_back(game, start, Seat("player")) > 20


def is_taken(game: Game, position: GamePosition, seat: Seat, text: str, context: ParseContext) -> Any:
    """Return the order read from one line in an email of its own."""
    seated = AuthenticatedSeat(position, seat, "token")
    reading = read_lines((FreshLine(text=text),), context)
    rows = file_orders(game, seated, reading.orders, (), 0).rows
    assert [(row.grade, row.problem) for row in rows] == [("taken", None)], text
    return rows[0].order


def others_taken_back(game: Game, position: GamePosition, seat: Seat) -> int:
    """Return the number of a listing's omitted orders that were sent back and accepted."""
    rules = game.rules
    view = rules.view(position.state, seat)
    listed = list(rules.legal_orders(view, seat) or ())
    sent = {canonical(one.order) for one in listed}
    context = parse_context(game, AuthenticatedSeat(position, seat, "token"))
    done = 0
    for form in rules.unlisted_orders(view, seat):
        written = re.sub(r"\\\{\w+\\\}", r"[\\w-]+", re.escape(form.form))
        assert form.of in {one.of for one in listed}, form
        assert form.words, form
        for order in random.Random(1).sample(form.orders, min(TRIED, len(form.orders))):
            text = game.notation.write(order)
            assert re.fullmatch(written, text), (form.form, text)
            assert canonical(order) not in sent, text
            assert is_taken(game, position, seat, text, context) == order, text
            done += 1
    return done


@pytest.mark.long
@by_kind
def test_whatever_is_listed_can_be_tried(kind: str) -> None:
    """With nothing but the view, which stays unchanged; the trial has a text and a drawing."""
    lot = random.Random(kind)
    tried = sum(tried_of(played.game, state, seat, lot) for played, state, seat in looked_at(kind))
    assert tried > 20 or not overrides(kind, "dry_run")


def tried_of(game: Game, state: State, seat: Seat, lot: random.Random) -> int:
    """Return the number of a seat's listed orders that were tried and reported, with one of them drawn."""
    rules = game.rules
    view = rules.view(state, seat)
    if rules.dry_run(view, {}) is None:
        return 0
    before, listed = canonical(view), list(rules.legal_orders(view, seat) or ())
    some = lot.sample(listed, min(TRIED, len(listed)))
    for one in some:
        trial = rules.dry_run(view, {seat: [one.order]})
        assert trial is not None
        assert trial.events or trial.open
        for event in trial.events:
            game.telling.tell(event, seat)
    if some:
        game.telling.scene(rules.view(trial.after, seat), trial.events)
    assert canonical(view) == before
    return len(some)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["standard", "indianomacy"])
def test_no_move_that_is_lawful_is_missing(kind: str) -> None:
    """Every unit to every place, asked of the law one by one."""
    for played, state, seat in looked_at(kind):
        rules, view = played.game.rules, played.game.rules.view(state, seat)
        found = {
            term.id for term in played.game.notation.lexicon(view) if rules.adjacent_places(view, term.id)
        }
        names = {one for one in found if "/" not in one}
        listed = {one.order for one in rules.legal_orders(view, seat) or ()}
        moves: list[Any] = [one for one in listed if type(one).__name__ == "Move"]
        if not moves:
            continue
        units = {one.unit for one in moves}
        tried = [
            replace_fields(moves[0], unit=unit, to=to, coast="", canoe=False)
            for unit in units
            for to in names
        ]
        lawful = {one for one in tried if rules.check(view, seat, one) is None}
        assert {(one.unit, one.to) for one in lawful} <= {(one.unit, one.to) for one in moves}


@by_kind
def test_every_place_has_something_beside_it(kind: str) -> None:
    """For every name that can be in an order; a name that isn't a place has no neighbours."""
    played = campaign(kind)
    rules, view = played.game.rules, played.game.rules.view(played.start.state, None)
    if not rules.has_adjacency:
        return
    terms = {term.names[0]: term.id for term in played.game.notation.lexicon(view)}
    found = {name: rules.adjacent_places(view, place) for name, place in terms.items()}
    places = {name: near for name, near in found.items() if near is not None}
    assert len(places) > 20
    assert all(near for near in places.values())
    assert rules.adjacent_places(view, "nowhere at all") is None
