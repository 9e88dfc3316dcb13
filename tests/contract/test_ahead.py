"""Coming turns and conditions, for every kind of game: the basis of orders in advance."""

import re
from functools import cache

import pytest

import games
from games.protocol import Condition, Rules
from orders.reading.forms import compile_forms as ready_forms
from orders.reading.forms import match_text
from orders.reading.lexicon import index_lexicon as ready_names
from tests.kit.campaign import campaign, every_kind, kinds_that

each_kind = pytest.mark.parametrize("kind", every_kind())

_PLACE = re.compile(r"\{(\w+):([\w|]+)\}")
_MOST = 12
"""So many names of a sort are tried in each place."""


@cache
def conditions_of(kind: str) -> tuple[Condition, ...]:
    """Every form of condition of a kind, with some names of the right sorts in its places."""
    game = games.kinds()[kind]
    found = []
    for state in campaign(kind).states[:2]:
        lexicon = game.notation.lexicon(state)
        for form in game.notation.conditions:
            for number in range(_MOST):
                slots = {}
                for place, sorts in _PLACE.findall(form.pattern):
                    ids = [term.id for term in lexicon if term.sort in sorts.split("|")]
                    slots[place] = ids[number % len(ids)]
                found.append(Condition(form=form.name, slots=slots))
    return tuple(found)


@each_kind
def test_a_condition_that_was_written_is_read_as_that_condition(kind: str) -> None:
    game = games.kinds()[kind]
    forms = ready_forms(tuple(game.notation.conditions))
    names = ready_names(game.notation.lexicon(campaign(kind).start.state))
    for condition in conditions_of(kind):
        text = game.notation.write_condition(condition)
        meanings = {
            (one.form.name, tuple(sorted(one.slots.items()))) for one in match_text(text, forms, names)
        }
        assert meanings == {(condition.form, tuple(sorted(condition.slots.items())))}, text


@each_kind
def test_every_condition_holds_or_does_not_in_every_state(kind: str) -> None:
    """As each seat sees it, at the start of a turn."""
    game = games.kinds()[kind]
    played = campaign(kind)
    for state in played.states[:: max(1, len(played.states) // 5)]:
        for seat in played.start.assignments:
            view = game.rules.view(state, seat)
            for condition in conditions_of(kind):
                assert game.rules.holds(view, seat, condition) in (True, False)


@each_kind
def test_the_turns_ahead_begin_with_the_present_one(kind: str) -> None:
    """No turn is there twice, and the next turns are among them."""
    game = games.kinds()[kind]
    states = campaign(kind).states
    for number, state in enumerate(states[:-1]):
        ahead = game.rules.ahead(state)
        shorts = [turn.short for turn in ahead]
        assert ahead[0] == game.rules.turn(state)
        assert len(set(shorts)) == len(shorts)
        if len(shorts) > 1 and number + 1 < len(states) - 1:
            assert game.rules.turn(states[number + 1]).short in shorts


@pytest.mark.parametrize("kind", kinds_that(lambda game: type(game.rules).turn_names is not Rules.turn_names))
def test_turns_to_come_have_names_that_were_known_before(kind: str) -> None:
    """A game that cannot say what comes next can say what it may be called, up to a round of turns ahead.

    By these names an email is known again that was sent under a turn that a restored backup does not know.
    """
    rules, states = games.kinds()[kind].rules, campaign(kind).states
    for place, state in enumerate(states[:-1]):
        names = list(rules.turn_names(state))
        assert len(names) == len(set(names)) <= 2_000
        to_come = {rules.turn(later).short for later in states[place : place + 12]}
        assert to_come <= set(names)
