"""The edits of every kind of game that has any: written, read, rejected in words, applied, reported."""

import random
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any

import pytest

import games
from adjudicator.model.games import DieForced, Edited, RolledBack, Undone
from adjudicator.turns.log import before_turn, counting_entries, undoable_overrides, verify_dice
from games.dice import commitment
from games.protocol import Edit, Edits, Form, Game, Invalid
from games.record import canonical, load, plain
from orders.reading.forms import compile_forms, match_text
from orders.reading.lexicon import index_lexicon as names_of
from tests.kit.campaign import campaign, options_for
from tests.kit.dice import any_dice
from tests.kit.edited_game import EditedGame, began
from tests.kit.memory_repository import SECRET
from tests.kit.toy import toy_found

STATES, TRIALS = 5, 5
"""So many states of a game are tried, each with so many drawn changes of every form."""

_PLACE = re.compile(r"\{(\w+):([\w|]+)\}")


def editable() -> list[str]:
    """The kinds in which something can be changed by hand."""
    with toy_found():
        return [kind for kind, game in games.kinds().items() if game.edits is not None]


pytestmark = pytest.mark.parametrize("kind", editable())


def context(game: Game) -> Edits[Any, Any]:
    """The parts of a game that a GM can change."""
    assert game.edits is not None
    return game.edits


def read(game: Game, state: Any, text: str) -> Edit:
    """The one change that a text asks for."""
    edits = context(game)
    found = match_text(text, compile_forms(tuple(edits.forms)), names_of(edits.lexicon(state)))
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
        for form in context(played.game).forms:
            found.append((state, read(played.game, state, form.example)))
            found += [(state, draw_edit(played.game, state, form, lot)) for _ in range(TRIALS)]
    return tuple(found)


def draw_edit(game: Game, state: Any, form: Form, lot: random.Random) -> Edit:
    """A change of a form with anything in its places, possible or not."""
    ids: dict[str, list[str]] = {}
    for term in context(game).lexicon(state):
        ids.setdefault(term.sort, []).append(term.id)
    slots = {
        place: lot.choice([one for sort in some.split("|") for one in ids[sort]])
        for place, some in _PLACE.findall(form.pattern)
    }
    edit: Edit = context(game).build(state, form.name, slots)
    return edit


def possible(kind: str) -> Iterator[tuple[Any, Edit]]:
    """Return the possible edits among them."""
    game = games.kinds()[kind]
    return (one for one in sights(kind) if context(game).check(*one) is None)


def test_every_form_is_read_by_its_example(kind: str) -> None:
    game = games.kinds()[kind]
    names = [form.name for form in context(game).forms]
    assert names
    assert all(form.example for form in context(game).forms)
    assert canonical_first(context(game).forms) == list(dict.fromkeys(names))


def canonical_first(forms: tuple[Form, ...]) -> list[str]:
    """The names in the order of the first form of each."""
    return sorted({form.name for form in forms}, key=[form.name for form in forms].index)


def test_a_change_that_was_written_is_read_as_that_change(kind: str) -> None:
    game = games.kinds()[kind]
    for state, edit in sights(kind):
        assert read(game, state, context(game).write(edit)) == edit
        assert load(context(game).edit_type, canonical(edit)) == edit


def test_the_first_form_of_a_name_is_the_one_that_is_written(kind: str) -> None:
    game = games.kinds()[kind]
    state = campaign(kind).steps[0].before
    first = {form.name: form for form in reversed(context(game).forms)}
    for form in first.values():
        assert context(game).write(read(game, state, form.example)).lower() == form.example.lower()


def test_what_cannot_be_changed_is_told_in_words(kind: str) -> None:
    game = games.kinds()[kind]
    for state, edit in sights(kind):
        advice = context(game).check(state, edit)
        assert advice is None or advice.problem.strip()


def test_the_rules_go_on_from_every_change(kind: str) -> None:
    """The state is a state: it is the same after its bytes, can be seen, and is played unless nobody owes."""
    game = games.kinds()[kind]
    made = 0
    for state, edit in possible(kind):
        after = context(game).apply(state, edit)
        made += after != state
        assert load(game.state_type, canonical(after)) == after
        assert game.rules.turn(after) == game.rules.turn(state)
        for viewer in (*campaign(kind).start.assignments, None):
            view = game.rules.view(after, viewer)
            assert canonical(game.rules.view(view, viewer)) == canonical(view)
        dues = game.rules.due(after)
        orders = {due.seat: game.rules.default(after, due) for due in dues}
        if dues and game.rules.result(after) is None:
            played = game.rules.adjudicate(after, orders, any_dice(999))
            assert bool(game.rules.due(played.state)) == (game.rules.result(played.state) is None)
    assert made


def test_each_change_is_told_to_each_reader(kind: str) -> None:
    """In one sentence; if seats see different things, nobody learns what they can't see."""
    game = games.kinds()[kind]
    for state, edit in possible(kind):
        after = context(game).apply(state, edit)
        for viewer in (*campaign(kind).start.assignments, None):
            told = context(game).tell(edit, viewer)
            assert told.strip().endswith(".")
            assert "\n" not in told
            if canonical(game.rules.view(after, viewer)) == canonical(game.rules.view(state, viewer)):
                assert context(game).write(edit) not in told


def test_a_game_with_many_deeds_by_hand_is_proved(kind: str) -> None:
    """Turns, edits, dice, rollbacks and what takes them back, drawn in any order."""
    meddle(kind, seed=1, person_actions=14)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(12))
def test_a_long_game_with_many_deeds_by_hand_is_proved(kind: str, seed: int) -> None:
    """The same for hours of play."""
    meddle(kind, seed, person_actions=250)


def meddle(kind: str, seed: int, person_actions: int) -> None:
    """A game of bots into which somebody meddles all the while; its log and its dice hold."""
    lot = random.Random(seed)
    told = began(kind, options_for(games.kinds()[kind]))
    for _ in range(person_actions):
        if told.game.rules.result(told.position.state) is not None:
            break
        with suppress(Invalid):
            lot.choices(MEDDLING, WEIGHTS)[0](told, lot)
    assert told.proved() is None
    proof = verify_dice("demo", commitment(SECRET), SECRET, told.entries, told.position.head_sha)
    assert (proof.fault, proof.entries) == (None, len(told.log))
    assert {entry.kind for entry in told.entries} > {"setup", "turn"}


def _edits(told: EditedGame, lot: random.Random) -> None:
    state, edits = told.position.state, context(told.game)
    tried = (draw_edit(told.game, state, lot.choice(edits.forms), lot) for _ in range(40))
    possible = next((edit for edit in tried if edits.check(state, edit) is None), None)
    if possible is not None:
        told.do(Edited(edit=plain(possible), text=edits.write(possible)))


def _takes_back(told: EditedGame, lot: random.Random) -> None:
    if possible := undoable_overrides(told.entries):
        told.do(Undone(number=lot.choice(possible).number))


def _puts_back(told: EditedGame, lot: random.Random) -> None:
    turns = [entry.turn for entry in counting_entries(told.entries) if entry.kind == "turn"]
    if turns and (found := before_turn(told.entries, lot.choice(turns))):
        told.do(RolledBack(to=found[0]))


def _sets_a_die(told: EditedGame, lot: random.Random) -> None:
    throws = [throw for entry in told.entries for throw in entry.throws]
    if throws:
        throw = lot.choice(throws)
        told.do(DieForced(label=throw.label, numbers=(lot.randint(1, throw.sides),)))


MEDDLING = (lambda told, lot: told.turn(), _edits, _takes_back, _puts_back, _sets_a_die)
WEIGHTS = (8, 8, 3, 1, 2)
