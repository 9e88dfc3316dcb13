"""Tournaments of bots: the same games from the same seed, and sums that add up."""

from itertools import pairwise

import pytest

import games
from adjudicator.arena.tournament import Played, Tournament, contest, ending_after
from adjudicator.errors import Refusal
from adjudicator.reports.chart import line_chart
from adjudicator.reports.picture import png
from games.protocol import Result, Score, Seat

GAME = games.kinds()["indianomacy"]
SHORT = {"last_year": 3}


def played(number: int, winners: tuple[str, ...], scores: dict[int, dict[str, int]]) -> Played:
    result = Result(winners=tuple(map(Seat, winners)), reason="centres" if winners else "last-year")
    counts = {time: {Seat(seat): count for seat, count in some.items()} for time, some in scores.items()}
    return Played(number=number, result=result, turns=7, scores=counts)


SCORE = Score(thing="pebbles", time="year", when=int, of=dict)
TWO = Tournament(
    seats=(Seat("North"), Seat("South")),
    score=SCORE,
    games=(
        played(0, ("South",), {1: {"North": 2, "South": 4}, 2: {"South": 6}}),
        played(1, (), {1: {"North": 4, "South": 4}}),
    ),
)


def test_the_same_seed_plays_the_same_games_and_another_one_others():
    first, again = (list(contest(GAME, 2, SHORT, "a")) for _ in range(2))
    assert first == again
    assert first[0].scores != first[1].scores
    assert next(contest(GAME, 1, SHORT, "b")).scores != first[0].scores


def test_scores_are_counted_each_year_to_the_last():
    (game,) = contest(GAME, 1, SHORT, "a")
    assert list(game.scores) == [1, 2, 3]
    assert game.end == 3
    assert game.result == Result(winners=(), reason="last-year")
    assert all(0 < sum(counts.values()) <= 44 for counts in game.scores.values())


def test_years_are_counted_from_the_first_of_the_board():
    assert ending_after(GAME, 3) == {"last_year": 3}
    assert ending_after(games.kinds()["standard"], 3) == {"last_year": 1903}
    with pytest.raises(Refusal):
        ending_after(games.kinds()["war-chest"], 3)


def test_wins_draws_endings_and_lengths_are_counted():
    assert TWO.wins() == {"South": 1, "North": 0}
    assert list(TWO.wins()) == ["South", "North"], "the most first"
    assert TWO.draws() == 1
    assert TWO.endings() == {"centres": 1, "last-year": 1}
    assert TWO.length() == 1.5


def test_a_game_that_is_over_counts_on_with_its_last_score():
    assert TWO.means() == {1: {"North": 3, "South": 4}, 2: {"North": 2, "South": 5}}


def test_a_kind_without_a_score_and_options_that_are_not_there_are_refused():
    with pytest.raises(Refusal):
        list(contest(games.kinds()["war-chest"], 1, {}, "a"))
    with pytest.raises(Refusal):
        list(contest(GAME, 1, {"weather": "fine"}, "a"))


def test_a_chart_names_each_line_where_it_ends_and_no_label_covers_another():
    drawn = line_chart(
        "Pebbles",
        "two games",
        "year",
        "pebbles",
        {name: [(1, 3.0), (2, height)] for name, height in (("one", 4.0), ("two", 4.0), ("three <3>", 0.0))},
    )
    assert "three &lt;3&gt;" in drawn
    heights = sorted(
        float(line.split('y="')[1].split('"')[0])
        for line in drawn.splitlines()
        if any(f">{name}<" in line for name in ("one", "two", "three &lt;3&gt;"))
    )
    assert len(heights) == 3
    assert all(low - high >= 19.9 for high, low in pairwise(heights))
    assert png(drawn, 500).startswith(b"\x89PNG")


def test_a_chart_of_one_moment_and_of_nothing_won_is_drawn_too():
    assert "<path" in line_chart("Pebbles", "", "year", "pebbles", {"one": [(1, 0.0)]})
