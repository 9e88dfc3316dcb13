"""Tournaments of bots: the same games from the same seed, and sums that add up."""

from dataclasses import dataclass, replace
from itertools import pairwise

import pytest

import games
from adjudicator.errors import Refusal
from adjudicator.reports.charts import line_chart
from adjudicator.reports.maps import png
from adjudicator.tournament.match import UNDECIDED, BotMatch, PlayedGame, states
from adjudicator.tournament.tournament import (
    Fixture,
    FixtureRequest,
    Tournament,
    contest,
    ending_after,
    fixture,
)
from games.options import settle
from games.protocol import Bot, GameResult, Seat, TournamentScore

GAME = games.kinds()["indianomacy"]
SHORT = {"last_year": 3}
NORTH, SOUTH = Seat("North"), Seat("South")


def make_played_game(
    number: int,
    winners: tuple[str, ...],
    scores: dict[int, dict[str, int]],
    players: str = "crow owl",
    orders: dict[tuple[int, Seat, str], int] | None = None,
) -> PlayedGame:
    """A game; a player with nothing left doesn't survive. players: of North and of South."""
    result = GameResult(winners=tuple(map(Seat, winners)), reason="centres" if winners else "last-year")
    counts = {time: {Seat(seat): count for seat, count in some.items()} for time, some in scores.items()}
    north, south = players.split()
    return PlayedGame(
        number=number,
        result=result,
        turns=7,
        scores=counts,
        players={NORTH: north, SOUTH: south},
        survivors=tuple(counts[max(counts)]),
        orders=orders or {},
    )


SCORE = TournamentScore(thing="pebbles", time="year", when=int, of=dict)
TWO = Tournament(
    seats=(NORTH, SOUTH),
    score=SCORE,
    games=(
        make_played_game(0, ("South",), {1: {"North": 2, "South": 4}, 2: {"South": 6}}),
        make_played_game(1, (), {1: {"North": 4, "South": 4}}, "owl crow"),
    ),
)


def plan(seed: str, seats: str = "", *, rotates: bool = False) -> Fixture:
    return fixture(GAME, SHORT, FixtureRequest(seats, rotates=rotates, seed=seed))


def test_the_same_seed_plays_the_same_games_and_another_one_others():
    first, again = (list(contest(plan("a"), 2)) for _ in range(2))
    assert first == again
    assert first[0].scores != first[1].scores
    assert next(contest(plan("b"), 1)).scores != first[0].scores


def test_the_same_games_are_played_in_several_processes_and_come_in_their_order():
    mixed = plan("a", "hold,random", rotates=True)
    assert list(contest(mixed, 3, jobs=2)) == list(contest(mixed, 3))


def test_scores_are_counted_each_year_to_the_last():
    (game,) = contest(plan("a"), 1)
    assert list(game.scores) == [1, 2, 3]
    assert game.end == 3
    assert game.result == GameResult(winners=(), reason="last-year")
    assert all(0 < sum(counts.values()) <= 44 for counts in game.scores.values())


def test_a_game_that_does_not_end_is_given_up_and_nobody_has_won_or_shares_it():
    (game,) = contest(replace(plan("a"), most_turns=2), 1)
    assert game.result == GameResult(winners=(), reason=UNDECIDED)
    assert game.turns == 2
    assert game.is_undecided
    assert {game.points(seat) for seat in game.players} == {0.0}
    found = Tournament(seats=tuple(game.players), score=SCORE, games=(game,))
    assert (found.count_undecided(), found.draws()) == (1, 0)


def test_a_draw_is_shared_by_those_who_are_still_there():
    (game,) = contest(plan("a", "apache=hold,others=hold"), 1)
    assert game.survivors == tuple(game.players)
    assert game.points(Seat("Apache")) == 1 / 8


def test_years_are_counted_from_the_first_of_the_board():
    assert ending_after(GAME, 3) == {"last_year": 3}
    assert ending_after(games.kinds()["standard"], 3) == {"last_year": 1903}
    with pytest.raises(Refusal):
        ending_after(games.kinds()["war-chest"], 3)


def test_wins_draws_endings_and_lengths_are_counted():
    assert TWO.wins() == {"South": 1, "North": 0}
    assert list(TWO.wins()) == ["South", "North"], "the most first"
    assert (TWO.draws(), TWO.count_undecided()) == (1, 0)
    assert TWO.endings() == {"centres": 1, "last-year": 1}
    assert TWO.length() == 1.5


def test_orders_are_counted_by_seat_and_kind_over_the_games_that_lasted_so_long():
    """Four holds of one year in two games are two; of the second year, which one game has, what it has."""
    given = [{(1, NORTH, "Hold"): 1, (1, NORTH, "Move"): 4}, {(1, NORTH, "Hold"): 3, (2, NORTH, "Hold"): 3}]
    long = {1: {"North": 2, "South": 4}, 2: {"South": 6}}
    games = (
        make_played_game(0, (), {1: long[1]}, orders=given[0]),
        make_played_game(1, (), long, orders=given[1]),
    )
    counted = Tournament(seats=(NORTH, SOUTH), score=SCORE, games=games).orders()
    assert counted == {NORTH: {"Hold": {1: 2, 2: 3}, "Move": {1: 2, 2: 0}}, SOUTH: {}}
    assert list(counted[NORTH]) == ["Hold", "Move"], "the most frequent first"


def test_every_order_that_a_bot_gives_is_counted_when_it_is_due():
    """A war of the Boers has one action a turn, with whatever is free besides."""
    war = games.kinds()["boer-war"]
    (game,) = contest(fixture(war, {}, FixtureRequest(seed="orders")), 1)
    free = {"Stance", "Transfer", "Garrison", "Land"}
    assert sum(count for (_, _, kind), count in game.orders.items() if kind not in free) == game.turns
    assert {time for time, _, _ in game.orders} == set(range(1, game.end + 1))


def test_a_win_counts_one_and_a_draw_its_share_by_seat_and_by_player():
    south, north = TWO.by_seat()
    assert (south.name, south.won, south.drawn, south.points.value) == ("South", 1, 1, 0.75)
    assert (north.name, north.won, north.drawn, north.points.value) == ("North", 0, 1, 0.25)
    owl, crow = TWO.by_player()
    assert (owl.name, owl.played, owl.won, owl.drawn) == ("owl", 2, 1, 1), "he sat in both seats"
    assert owl.wins.value == 0.5
    assert owl.points.value == 0.75
    assert owl.score.value == 5
    assert (crow.name, crow.points.value, crow.score.value) == ("crow", 0.25, 2)


def test_seats_of_one_player_in_one_game_are_one_observation():
    alone = Tournament(
        seats=(NORTH, SOUTH),
        score=SCORE,
        games=(
            make_played_game(0, ("South",), {1: {"North": 2, "South": 4}}, "owl owl"),
            make_played_game(1, ("North",), {1: {"North": 4, "South": 2}}, "owl owl"),
        ),
    )
    (owl,) = alone.by_player()
    assert (owl.played, owl.won) == (4, 2)
    assert owl.points.value == 0.5
    assert owl.points.low == owl.points.high == 0.5, "each game gives both seats together one point"


def test_a_game_that_is_over_counts_on_with_its_last_score():
    assert TWO.means() == {1: {"North": 3, "South": 4}, 2: {"North": 2, "South": 5}}
    assert TWO.means_of_players() == {1: {"crow": 3, "owl": 4}, 2: {"crow": 2, "owl": 5}}


def test_a_kind_without_a_score_and_options_that_are_not_there_are_refused():
    with pytest.raises(Refusal):
        fixture(games.kinds()["war-chest"], {})
    with pytest.raises(Refusal):
        fixture(GAME, {"weather": "fine"})


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


def test_who_looks_back_is_shown_the_last_turns_and_nobody_else_is_asked():
    @dataclass(frozen=True)
    class Watcher(Bot):
        shown: list
        looks_back: int = 2

        def orders(self, view, due, dice):
            return ()

        def with_history(self, past):
            self.shown.append([one.turn.short for one in past])
            return self

    shown: list = []
    seats = GAME.about.seats({})
    bots = {seat: GAME.bots["beginner"] for seat in seats} | {seats[0]: Watcher(shown)}
    match = BotMatch(0, settle(GAME.about.options, {}), dict.fromkeys(seats, "beginner"), "watched")
    short = [GAME.rules.turn(state).short for state in states(GAME, match, bots, most_turns=5)]
    assert shown[:2] == [[], short[:1]]
    assert all(one in (short[at : at + 2] for at in range(4)) for one in shown[2:])
    assert len({tuple(one) for one in shown}) == len(shown) > 3
