"""The years of a board: before year 1 and in year 0, several at a step, and seasons with other names."""

import pytest

from adjudicator.cli.tournament import scores_chart
from adjudicator.inbound.dry_run import dry_run, opening_of, position_of
from adjudicator.reports.report import history
from adjudicator.tournament.match import BotMatch, play
from adjudicator.tournament.tournament import Tournament
from games.dice import NoDice
from games.diplomacy.boards.variants import year_name
from games.diplomacy.bots.press import season_number
from games.messages import sentence
from games.options import settle_for_new_game
from games.protocol import Invalid, Seat, Turn
from orders.reading.structure import find_past_turn, find_turn, turn_in_heading
from tests.kit.made_boards import asked, made_game, topic

NORTH = Seat("North")
ROMAN = {"first_year": -260}
RAINS = {"season_names": {"S": "Dry season", "F": "Rains"}, "year_step": 5}


def read(game, text):
    """The orders in an email of North, as the reader keeps them: canonical text and the turn it is for."""
    raw = f"From: north@example.org\nTo: gm@example.org\nSubject: orders\n\n{text}".encode()
    said = dry_run(raw, position_of(game, opening_of(game)), game, NORTH)
    return [(row["read_as"], row["when"]) for row in said["orders"]]


def ahead(game):
    return game.rules.ahead(opening_of(game))


@pytest.mark.clause("standard", "Board-years")
@pytest.mark.parametrize(
    ("year", "phase", "following"), [(-260, "S-260M", "F-260M"), (-1, "S-1M", "F-1M"), (0, "S0M", "F0M")]
)
def test_a_game_in_a_year_before_the_first(year, phase, following):
    answer = asked(made_game({"first_year": year}))(phase=phase, units={}, centres={})
    assert (answer["phase"], answer["next"]["phase"]) == (phase, None), "nobody is left"
    ask = asked(made_game({"first_year": year}))
    assert ask(phase=phase, units={"North": ["A UPL"], "South": []})["next"]["phase"] == following


@pytest.mark.clause("standard", "Board-years")
def test_year_0_comes_between_1_bc_and_year_1():
    names = [turn.name for turn in ahead(made_game({"first_year": -1})) if turn.short.startswith("S")]
    assert [name.removesuffix(", moves") for name in names if "moves" in name][:3] == [
        "Spring 1 BC",
        "Spring 0",
        "Spring 1",
    ]
    assert (year_name(-260), year_name(0), year_name(1901)) == ("260 BC", "0", "1901")


def test_people_read_260_bc_and_programs_read_minus_260():
    game = made_game(ROMAN)
    assert game.rules.turn(opening_of(game)) == Turn(
        name="Spring 260 BC, moves", short="S-260M", kind="moves"
    )
    assert "Spring 260 BC, moves (S-260M)" in topic(game, "season")


@pytest.mark.parametrize(
    "text",
    [
        "PHASE F-260M: UPL - MOO",
        "PHASE F260M: UPL - MOO",
        "PHASE Fall 260 BC: UPL - MOO",
        "PHASE Fall -260: UPL - MOO",
        "Fall 260 BC:\nUPL - MOO",
        "Orders for Fall 260 BC\nUPL - MOO",
    ],
)
def test_orders_for_a_turn_bc_are_read_however_it_is_written(text):
    assert read(made_game(ROMAN), text) == [("A UPL - MOO", "PHASE F-260M")]


def test_a_turn_bc_is_past_when_its_number_is_greater():
    turns = ahead(made_game(ROMAN))
    assert find_past_turn("S-265M", turns) == "S-265M"
    assert find_past_turn("Spring 265 BC", turns) == "S-265M"
    assert find_past_turn("S-255M", turns) is None


@pytest.mark.clause("standard", "Board-steps")
def test_a_year_of_play_can_be_a_step_of_several_years():
    game = made_game({"first_year": -8}, {"year_step": 5})
    ask = asked(game)
    owned = {"North": ["UPL"], "South": ["DAL"]}
    after = ask(phase="F-8M", units={"North": ["A UPL"], "South": ["A DAL"]}, centres=owned)["next"]
    assert after["phase"] == "S-3M"
    fall = ask(**(after | {"phase": "F-3M"}))["next"]
    assert fall["phase"] == "S2M"
    years = dict.fromkeys(turn.short[1:-1] for turn in ahead(game))
    assert list(years) == ["-8", "-3", "2", "7", "12", "17"]


@pytest.mark.clause("standard", "Board-seasons")
def test_seasons_have_the_names_of_the_board():
    game = made_game({"first_year": 100}, RAINS)
    names = [turn.name for turn in ahead(game)]
    assert names[:3] == ["Dry season 100, moves", "Dry season 100, retreats", "Rains 100, moves"]
    assert "Dry season 100, moves (S100M)" in topic(game, "season")
    assert sentence("diplomacy.handbook.captures", seasons="Rains") in topic(game, "season")


@pytest.mark.parametrize(
    "text",
    [
        "PHASE F100M: UPL - MOO",
        "PHASE Rains 100: UPL - MOO",
        "Rains 100:\nUPL - MOO",
        "Rains:\nUPL - MOO",
        "Orders for the rains\nUPL - MOO",
    ],
)
def test_a_season_is_read_by_its_name(text):
    assert read(made_game({"first_year": 100}, RAINS), text) == [("A UPL - MOO", "PHASE F100M")]


def test_a_heading_with_a_word_of_two_seasons_names_neither():
    names = {"season_names": {"S": "Dry season", "F": "Wet season"}}
    turns = ahead(made_game({"first_year": 100}, names))
    assert turn_in_heading("Season 100:", turns) is None
    heading = turn_in_heading("Wet season:", turns)
    assert heading is not None
    assert heading.short == "F100M"
    dry = find_turn("dry season 101", turns)
    assert dry is not None
    assert dry.short == "S101M"


@pytest.mark.parametrize(
    ("rules", "entry"),
    [
        ({"season_names": {"S": ""}}, "season_names: S"),
        ({"season_names": {"S": "Fall"}}, "season_names: S"),
        ({"season_names": {"S": "Month 1"}}, "season_names: S"),
        ({"season_names": {"U": "Heat"}}, "season_names: U"),
        ({"year_step": 0}, "year_step"),
    ],
)
def test_a_season_or_a_step_that_cannot_be_played_is_refused(rules, entry):
    with pytest.raises(Invalid) as caught:
        made_game({}, rules)
    assert caught.value.what == f"rulebook.toml: {entry}"
    assert caught.value.instead


def test_steps_of_years_do_not_go_with_a_taboo():
    with pytest.raises(Invalid) as caught:
        made_game({"taboo": "MOO"}, {"year_step": 2})
    assert caught.value.what == "rulebook.toml: year_step"


@pytest.mark.parametrize("year", [-10_000, 10_000])
def test_a_year_of_five_digits_is_refused(year):
    with pytest.raises(Invalid) as caught:
        made_game({"first_year": year})
    assert caught.value.what == "map.json: first_year"


def test_the_last_year_of_a_game_bc():
    game = made_game(ROMAN)
    state = game.rules.setup({"last_year": -260}, NoDice()).state
    assert "260 BC" in " ".join(game.telling.introduction(game.rules.view(state, None), None))
    for _ in range(4):
        if game.rules.result(state) is None:
            state = game.rules.adjudicate(state, {}, NoDice()).state
    assert state.ended == "last-year"


@pytest.mark.clause("standard", "Board-years")
def test_builds_are_due_before_year_1_too():
    """A year below 0 prevents no builds."""
    game = made_game(ROMAN)
    position = {"phase": "W-260A", "units": {"North": ["A MOO"]}, "centres": {"North": ["HAV", "UPL"]}}
    assert [(due.seat, due.takes) for due in game.rules.due(game.whatif.position(position))] == [("North", 1)]
    done = asked(game)(**position, orders={"North": ["build Upland"]})
    assert [row["outcome"] for row in done["results"]] == ["built"]


@pytest.mark.clause("standard", "Board-steps")
def test_bots_count_seasons_and_not_years():
    """An attack agreed in Fall also counts in the next Spring, five years later."""
    game = made_game({"first_year": -8}, {"year_step": 5})
    step = game.rules.board.chart.year_step
    assert [season_number(turn, step) for turn in ("F-8M", "S-3M", "F-3M", "S2M")] == [-3, -2, -1, 0]


def test_a_step_belongs_into_the_rulebook():
    with pytest.raises(Invalid) as caught:
        made_game({"year_step": 5})
    assert caught.value.what == "map.json: year_step"


def test_a_course_of_years_from_0_begins_with_the_opening():
    game = made_game({"first_year": 0}, {"year_step": 5})
    states = [opening_of(game)]
    while states[-1].phase.year < 10:
        states.append(game.rules.adjudicate(states[-1], {}, NoDice()).state)
    course = history(game, "table", states, over=False)
    assert [year for year, _ in course.counts["North"]] == [-5, 0, 5]


def test_a_tournament_counts_years_that_are_played_alone():
    """Ten rounds of five years are fifty years. No year between them weighs."""
    game = made_game({"first_year": 0}, {"year_step": 5})
    options = settle_for_new_game(game.about, {"last_year": 15})
    match = BotMatch(0, options, dict.fromkeys(("North", "South"), "hold"), "seed")
    played = play(game, match, most_turns=99)
    assert list(played.scores) == [0, 5, 10, 15]
    assert (played.time_after(3), played.time_after(99)) == (10, 15)
    assert Tournament(seats=(NORTH,), score=game.score, games=(played,)).length() == 20


def test_the_chart_of_a_tournament_names_years_before_1_as_people_do():
    game = made_game(ROMAN)
    options = settle_for_new_game(game.about, {"last_year": -258})
    match = BotMatch(0, options, dict.fromkeys(("North", "South"), "hold"), "seed")
    played = play(game, match, most_turns=99)
    chart = scores_chart(game, Tournament(seats=(NORTH,), score=game.score, games=(played,)))
    assert f">{year_name(-260)}<" in chart
    assert ">-260<" not in chart
