"""Games as other programs keep them: written and read back, and played on by the package itself."""

import json
import warnings
from itertools import islice

import pytest

import games
from adjudicator.whatif import hearing
from games.exchange import Chapter
from games.options import settle
from tests.kit.campaign import wander
from tests.kit.dice import any_dice

GAME = games.kinds()["standard"]
RULES, EXCHANGE = GAME.rules, GAME.exchange
FORMATS = ("judge", "diplomacy")


def chronicle(kind="standard", seed=1, turns=10, **given):
    """A game in which everybody does anything lawful: its chapters, and how it stands."""
    game = games.kinds()[kind]
    options = settle(game.about.options, given)
    chapters = []
    for before, orders, dice, _ in islice(wander(game, options, seed), turns):
        done = game.rules.adjudicate(before, orders, dice)
        chapters.append(Chapter(game.rules.turn(before), before, orders, done.events, done.state))
    return chapters, chapters[-1].after


def played_again(told, kind="standard"):
    """The states of a record's game, played by our rules; whatever is told otherwise fails."""
    game = games.kinds()[kind]
    hear = hearing(game)
    state = game.rules.setup(settle(game.about.options, {}), any_dice(0)).state
    for one in told:
        while state.phase.short != one.turn:
            state = game.rules.adjudicate(state, {}, any_dice(0)).state
        assert game.exchange.mend(state, one) == (), one.turn
        orders = {}
        for seat, texts in one.orders.items():
            heard = [hear(state, seat, text) for text in texts]
            assert [h.problem for h in heard] == [None] * len(texts), texts
            orders[seat] = tuple(h.order for h in heard)
        yield state, orders
        state = game.rules.adjudicate(state, orders, any_dice(0)).state


@pytest.mark.parametrize("kind", ["standard", "fleet-rome", "chaos"])
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.soak)])
def test_what_is_written_reads_back_as_the_same_game(form, kind, seed):
    chapters, state = chronicle(kind, seed)
    exchange = games.kinds()[kind].exchange
    told = exchange.read(exchange.write(form, "demo", chapters, state))
    again = list(played_again(told, kind))
    assert [before for before, _ in again[: len(chapters)]] == [chapter.before for chapter in chapters]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(("kind", "other"), [("standard", "fleet-rome"), ("fleet-rome", "chaos")])
def test_a_record_is_of_one_board(form, kind, other):
    text = games.kinds()[kind].exchange.write(form, "demo", *chronicle(kind))
    assert games.kinds()[other].exchange.read(text) is None


def test_other_text_is_no_record():
    assert EXCHANGE.read("A PAR - BUR\n") is None
    assert EXCHANGE.read("{}") is None


@pytest.mark.parametrize("seed", range(3))
def test_the_package_reads_our_game_and_comes_to_the_same(seed):
    """It loads every phase, and plays each from its orders to the next, as it rules on missing convoys."""
    assert not list(differences(chronicle(seed=seed, turns=12, missing_convoy="walks")))


@pytest.mark.clause("standard", "4.A.3")
def test_otherwise_it_differs_by_armies_that_walk():
    found = [one for seed in range(2) for one in differences(chronicle(seed=seed, turns=9))]
    assert found
    assert all(any("VIA" in text for text in texts) for texts in found)


def differences(game):
    """The orders of each phase after which the package's units stand elsewhere than ours."""
    saved = json.loads(EXCHANGE.write("diplomacy", "demo", *game))
    for phase, after in zip(saved["phases"], saved["phases"][1:], strict=False):
        game = package_game(saved, phase)
        game.process()
        # It plays the adjustments of nobody too, where we have none to play.
        while game.get_current_phase() != after["name"] and not game.is_game_done:
            game.process()
        theirs = {power: sorted(units) for power, units in game.get_units().items()}
        if theirs != {power: sorted(units) for power, units in after["state"]["units"].items()}:
            yield [text for texts in phase["orders"].values() for text in texts]


def package_game(saved, phase):
    """The package's game in one phase of ours, with our orders."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        from diplomacy import Game
        from diplomacy.utils.export import from_saved_game_format
    assert len(from_saved_game_format(saved).get_phase_history()) >= 1
    game = Game(map_name=saved["map"])
    game.set_state(phase["state"])
    for power, orders in phase["orders"].items():
        game.set_orders(power, orders)
    return game


def test_we_read_the_package_s_game():
    """Played there, with a stand-off, a retreat and a build."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        from diplomacy import Game
        from diplomacy.utils.export import to_saved_game_format
    game = Game()
    for orders in PLAYED:
        for power, texts in orders.items():
            game.set_orders(power.upper(), texts)
        game.process()
    told = EXCHANGE.read(json.dumps(to_saved_game_format(game)))
    states = [state for state, _ in played_again(told)]
    assert [state.phase.short for state in states] == ["S1901M", "F1901M", "F1901R", "W1901A", "S1902M"]
    assert {unit.at for unit in states[-1].units if unit.power == "Austria"} == {"VEN", "TRI", "BUD", "VIE"}


PLAYED = (
    {"Austria": ["A VIE - TYR", "F TRI - VEN"], "Italy": ["A VEN H"], "France": ["A PAR - BUR"]},
    {"Austria": ["A TYR - VEN", "F TRI S A TYR - VEN", "A BUD - TRI"], "Germany": ["A MUN - BUR"]},
    {"Italy": ["A VEN - TUS"]},
    {"Austria": ["A VIE B"], "Italy": []},
)
