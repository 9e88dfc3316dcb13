"""The changes by hand of every kind of game that has any: written, read, refused in words, done, told."""

import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import games
from games.protocol import Edit, Edits, Form, Game
from games.record import canonical, load
from orders.forms import compiled, match
from orders.lexicon import compiled as names_of
from tests.kit.campaign import campaign
from tests.kit.dice import any_dice
from tests.kit.toy import toy_found

STATES, TRIALS = 5, 5
"""So many states of a game are tried, each with so many drawn changes of every form."""

_PLACE = re.compile(r"\{(\w+):([\w|]+)\}")


def editable() -> list[str]:
    """The kinds in which something can be changed by hand."""
    with toy_found():
        return [kind for kind, game in games.kinds().items() if game.edits is not None]


pytestmark = pytest.mark.parametrize("kind", editable())


def desk(game: Game) -> Edits[Any, Any]:
    """What may be changed in a game."""
    assert game.edits is not None
    return game.edits


def read(game: Game, state: Any, text: str) -> Edit:
    """The one change that a text asks for."""
    edits = desk(game)
    found = match(text, compiled(tuple(edits.forms)), names_of(edits.lexicon(state)))
    built = {canonical(edit): edit for edit in (edits.build(state, m.form.name, m.slots) for m in found)}
    assert len(built) == 1, text
    return next(iter(built.values()))


@cache
def sights(kind: str) -> tuple[tuple[Any, Edit], ...]:
    """States of a played game that goes on, each with what the examples ask for and much that is drawn."""
    played, lot = campaign(kind), random.Random(11)
    states = [step.before for step in played.steps]
    found: list[tuple[Any, Edit]] = []
    for state in states[:: max(len(states) // STATES, 1)]:
        ids: dict[str, list[str]] = {}
        for term in desk(played.game).lexicon(state):
            ids.setdefault(term.sort, []).append(term.id)
        for form in desk(played.game).forms:
            found.append((state, read(played.game, state, form.example)))
            for _ in range(TRIALS):
                sorts = dict(_PLACE.findall(form.pattern))
                slots = {
                    place: lot.choice([one for sort in some.split("|") for one in ids[sort]])
                    for place, some in sorts.items()
                }
                found.append((state, desk(played.game).build(state, form.name, slots)))
    return tuple(found)


def possible(kind: str) -> Iterator[tuple[Any, Edit]]:
    """Those of them that can be made."""
    game = games.kinds()[kind]
    return (one for one in sights(kind) if desk(game).check(*one) is None)


def test_every_form_is_read_by_its_example(kind: str) -> None:
    game = games.kinds()[kind]
    names = [form.name for form in desk(game).forms]
    assert names
    assert all(form.example for form in desk(game).forms)
    assert canonical_first(desk(game).forms) == list(dict.fromkeys(names))


def canonical_first(forms: tuple[Form, ...]) -> list[str]:
    """The names in the order of the first form of each."""
    return sorted({form.name for form in forms}, key=[form.name for form in forms].index)


def test_a_change_that_was_written_is_read_as_that_change(kind: str) -> None:
    game = games.kinds()[kind]
    for state, edit in sights(kind):
        assert read(game, state, desk(game).write(edit)) == edit
        assert load(desk(game).edit_type, canonical(edit)) == edit


def test_the_first_form_of_a_name_is_the_one_that_is_written(kind: str) -> None:
    game = games.kinds()[kind]
    state = campaign(kind).steps[0].before
    first = {form.name: form for form in reversed(desk(game).forms)}
    for form in first.values():
        assert desk(game).write(read(game, state, form.example)).lower() == form.example.lower()


def test_what_cannot_be_changed_is_told_in_words(kind: str) -> None:
    game = games.kinds()[kind]
    for state, edit in sights(kind):
        advice = desk(game).check(state, edit)
        assert advice is None or advice.problem.strip()


def test_the_rules_go_on_from_every_change(kind: str) -> None:
    """The state is a state: it is the same after its bytes, can be seen, and is played unless nobody owes."""
    game = games.kinds()[kind]
    made = 0
    for state, edit in possible(kind):
        after = desk(game).apply(state, edit)
        made += after != state
        assert load(game.state_type, canonical(after)) == after
        assert game.rules.turn(after) == game.rules.turn(state)
        for viewer in (*campaign(kind).start.chairs, None):
            view = game.rules.view(after, viewer)
            assert canonical(game.rules.view(view, viewer)) == canonical(view)
        dues = game.rules.due(after)
        orders = {due.seat: game.rules.default(after, due) for due in dues}
        if dues and game.rules.result(after) is None:
            played = game.rules.adjudicate(after, orders, any_dice(999))
            assert bool(game.rules.due(played.state)) == (game.rules.result(played.state) is None)
    assert made


def test_each_change_is_told_to_each_reader(kind: str) -> None:
    """In one sentence; and where seats see different things, no reader learns what he cannot see."""
    game = games.kinds()[kind]
    for state, edit in possible(kind):
        after = desk(game).apply(state, edit)
        for viewer in (*campaign(kind).start.chairs, None):
            told = desk(game).tell(edit, viewer)
            assert told.strip().endswith(".")
            assert "\n" not in told
            if canonical(game.rules.view(after, viewer)) == canonical(game.rules.view(state, viewer)):
                assert desk(game).write(edit) not in told
