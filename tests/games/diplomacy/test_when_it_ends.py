"""When a game on a board of armies and fleets ends: after the Fall that decides it, or by the former rule."""

from typing import Any

import pytest

import games
from games.diplomacy.boards import variants
from games.diplomacy.events import Captured, Ended
from games.diplomacy.rules import DiplomacyRules
from games.options import settle, settle_for_new_game
from games.protocol import GameResult
from games.record import replace_fields
from tests.kit.standard import DICE, RULES, position, read, scenes

ABOUT = games.kinds()["standard"].about
FALL = settle(ABOUT.options, {})
"""What a position has that says nothing."""

GERMANY = "BER KIE MUN DEN HOL BEL SWE NWY STP MOS WAR VIE BUD TRI SER PAR BRE"
"""Seventeen centres."""

STANDS = f"""
centres Germany: {GERMANY}
centres Italy: ROM NAP VEN TUN GRE
"""
TAKES = "Germany: A TYR - VEN\n A PIE S A TYR - VEN\nItaly: A VEN H"


def opened(text: str, phase: str, options: Any = FALL) -> Any:
    """The position of a text, in a phase."""
    (scene,) = scenes(text)
    return position(scene, phase, dict(options))


def played(state: Any, **orders: str) -> Any:
    """Play a phase and return the result. orders: by power, separated by semicolons."""
    given = {power: [read(state, text) for text in texts.split("; ")] for power, texts in orders.items()}
    return RULES.adjudicate(state, given, DICE)


def ending(done: Any) -> Any:
    """The event that tells of the end; None: the game goes on."""
    return next((event for event in done.events if isinstance(event, Ended)), None)


@pytest.mark.clause("standard", "Dip-victory")
def test_the_eighteenth_centre_wins_at_once_when_nobody_has_to_retreat():
    state = opened(STANDS + "Germany: A TYR\nItaly: A ROM", "F1905M")
    done = played(state, Germany="A TYR - VEN")
    assert done.state.winners == ("Germany",)
    assert done.state.phase.short == "F1905R", "the year does not go on to its builds"
    assert RULES.due(done.state) == ()
    assert RULES.result(done.state) == GameResult(winners=("Germany",), reason="centres")
    assert [type(event) for event in done.events[-2:]] == [Captured, Ended]


@pytest.mark.clause("standard", "Dip-victory")
def test_retreats_of_fall_come_first():
    state = opened(STANDS + "Germany: A TYR\n A PIE\nItaly: A VEN", "F1905M")
    done = played(state, Germany="A TYR - VEN; A PIE S A TYR - VEN", Italy="A VEN H")
    assert (done.state.phase.short, ending(done)) == ("F1905R", None)
    done = played(done.state, Italy="A VEN D")
    assert ending(done) == Ended(winners=("Germany",), reason="centres")


@pytest.mark.clause("standard", "Dip-victory")
def test_a_retreat_into_a_centre_can_take_the_victory_away():
    """Italy falls back on Trieste, of which nobody says who owns it until the retreats are over."""
    state = opened(STANDS + "Germany: A TYR\n A PIE\nItaly: A VEN", "F1905M")
    done = played(state, Germany="A TYR - VEN; A PIE S A TYR - VEN", Italy="A VEN H")
    done = played(done.state, Italy="A VEN - TRI")
    assert ending(done) is None
    assert done.state.phase.short == "W1905A"
    assert sum(owner == "Germany" for owner in done.state.centres.values()) == 17


@pytest.mark.clause("standard", "Dip-victory")
def test_seventeen_do_not_win_and_spring_decides_nothing():
    state = opened(STANDS + "Germany: A MUN\nItaly: A ROM", "F1905M")
    assert ending(played(state)) is None
    spring = opened(STANDS + "Germany: A TYR\nItaly: A ROM", "S1905M")
    done = played(spring, Germany="A TYR - VEN")
    assert (ending(done), done.state.phase.short) == (None, "F1905M")


@pytest.mark.clause("standard", "Dip-victory")
def test_a_centre_that_was_only_passed_in_spring_does_not_count():
    state = opened(STANDS + "Germany: A VEN\nItaly: A ROM", "F1905M")
    assert ending(played(state, Germany="A VEN - TYR")) is None


@pytest.mark.clause("standard", "Dip-victory")
@pytest.mark.parametrize("options", [{}, {**FALL, "victory_after": "winter"}])
def test_by_the_former_rule_builds_come_first(options):
    """A game that began before there was the option says nothing of it, and keeps the rule to its end."""
    state = opened(STANDS + "Germany: A TYR\nItaly: A ROM", "F1905M", options)
    done = played(state, Germany="A TYR - VEN")
    assert (ending(done), done.state.phase.short) == (None, "W1905A")
    assert {due.seat for due in RULES.due(done.state)} == {"Germany", "Italy"}
    assert ending(played(done.state)) == Ended(winners=("Germany",), reason="centres")


@pytest.mark.clause("standard", "Dip-victory")
def test_an_edit_in_winter_is_counted_when_winter_is_over():
    state = opened(STANDS + "Germany: A TYR", "W1905A")
    state = replace_fields(state, centres={**state.centres, "ROM": "Germany"})
    assert ending(played(state)) == Ended(winners=("Germany",), reason="centres")


@pytest.mark.clause("standard", "Dip-last-year")
def test_the_last_year_ends_after_its_fall_and_nobody_is_asked_for_builds():
    options = settle(ABOUT.options, {"last_year": 1905})
    text = "centres Germany: MUN BER KIE\ncentres France: PAR\nGermany: A MUN\n A BER\nFrance: A PAR"
    early = played(opened(text, "F1904M", options))
    assert early.state.phase.short == "W1904A", "the year before it has its builds"
    done = played(opened(text, "F1905M", options))
    assert ending(done) == Ended(winners=(), reason="last-year")
    assert RULES.due(done.state) == ()


@pytest.mark.clause("standard", "Dip-at-last-year")
@pytest.mark.clause("indianomacy", "Game-at-last-year")
@pytest.mark.parametrize(
    ("choice", "france", "winners"),
    [("draw", "PAR", ()), ("lead", "PAR", ("Germany",)), ("lead", "PAR BRE MAR", ("France", "Germany"))],
)
def test_at_the_last_year_the_most_centres_may_win(choice: str, france: str, winners: tuple[str, ...]):
    """Powers that have as many share it. Before the last year, and with enough centres, nothing changes."""
    options = settle(ABOUT.options, {"last_year": 1905, "at_last_year": choice})
    text = f"centres Germany: MUN BER KIE\ncentres France: {france}\nGermany: A MUN\n A BER\nFrance: A PAR"
    assert ending(played(opened(text, "F1904M", options))) is None
    done = played(opened(text, "F1905M", options))
    assert ending(done) == Ended(winners=winners, reason="most" if winners else "last-year")
    won = opened(STANDS + "Germany: A TYR\nItaly: A ROM", "F1905M", options)
    assert ending(played(won, Germany="A TYR - VEN")) == Ended(winners=("Germany",), reason="centres")


@pytest.mark.clause("standard", "Dip-last-year")
def test_the_last_year_waits_for_the_retreats_of_its_fall():
    options = settle(ABOUT.options, {"last_year": 1905})
    state = opened(STANDS + "Germany: A TYR\n A PIE\nItaly: A VEN", "F1905M", options)
    done = played(state, Germany="A TYR - VEN; A PIE S A TYR - VEN", Italy="A VEN H")
    assert ending(done) is None
    assert ending(played(done.state, Italy="A VEN - TRI")) == Ended(winners=(), reason="last-year")
    assert ending(played(done.state, Italy="A VEN D")) == Ended(winners=("Germany",), reason="centres")


@pytest.mark.clause("standard", "Dip-last-year")
def test_by_the_former_rule_the_last_year_has_its_winter():
    text = "centres Germany: MUN BER KIE\nGermany: A MUN\n A BER"
    done = played(opened(text, "F1905M", {"last_year": 1905}))
    assert (ending(done), done.state.phase.short) == (None, "W1905A")
    assert ending(played(done.state)) == Ended(winners=(), reason="last-year")


@pytest.mark.clause("standard", "Dip-victory")
@pytest.mark.parametrize("kind", ["standard", "fleet-rome", "chaos"])
def test_new_games_note_the_rule_in_their_set_up(kind):
    about = games.kinds()[kind].about
    assert settle_for_new_game(about, {})["victory_after"] == "fall"
    assert settle_for_new_game(about, {"victory_after": "winter"})["victory_after"] == "winter"
    assert settle(about.options, {})["victory_after"] == "fall", "and positions that say nothing mean it"


@pytest.mark.clause("standard", "Dip-victory")
@pytest.mark.parametrize("kind", ["fleet-rome", "chaos"])
def test_boards_that_rest_on_it_end_alike(kind):
    variant = variants.load(kind)
    rules, board = DiplomacyRules(variant), variant.board
    power, wanted = next(iter(board.powers)), board.chart.victory.centres
    state = rules.setup(settle(games.kinds()[kind].about.options, {}), DICE).state
    owned = dict.fromkeys(board.centres[:wanted], power)
    state = replace_fields(state, phase=replace_fields(state.phase, season="F", kind="M"), centres=owned)
    other = next(unit for unit in opened("Germany: A SYR", "F1905M").units)
    state = replace_fields(state, units=(replace_fields(other, power=power),))
    assert rules.adjudicate(state, {}, DICE).state.winners == (power,)


def test_indianomacy_has_no_such_choice():
    """Its 23 War Parties need the builds of Winter."""
    about = games.kinds()["indianomacy"].about
    assert "victory_after" not in settle_for_new_game(about, {})
    assert variants.load("indianomacy").rulebook.victory_after == "winter"


@pytest.mark.parametrize(
    ("options", "season"), [(FALL, "Fall"), ({}, "Winter"), ({**FALL, "victory_after": "winter"}, "Winter")]
)
def test_the_welcome_says_when_it_ends(options, season):
    state = RULES.setup({**options, "last_year": 1907}, DICE).state
    goal, time, *_ = games.kinds()["standard"].telling.introduction(RULES.view(state, "Italy"), "Italy")
    assert ("after a Fall" if season == "Fall" else "at the end of a year") in goal
    assert f"after the {season} of year 1907" in time


def test_a_position_told_as_a_question_keeps_the_rule_of_its_game():
    """A question that says nothing means today's rule, so that a former one is spelt out."""
    whatif = games.kinds()["standard"].whatif
    assert whatif is not None
    former = RULES.setup({}, DICE).state
    assert whatif.question(former).get("options") == {"victory_after": "winter"}
    assert whatif.position(whatif.question(former)).options["victory_after"] == "winter"
