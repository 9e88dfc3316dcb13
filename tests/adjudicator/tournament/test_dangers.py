"""The danger of each seat, measured by games: a seat that wins too often counts as more dangerous."""

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

import games
from adjudicator.cli.app import app
from adjudicator.errors import Refusal
from adjudicator.tournament.balance import TuningRound, mean_dangers, play_rounds
from adjudicator.tournament.match import PlayedGame
from adjudicator.tournament.tournament import FixtureRequest, contest, ending_after, fixture
from games.protocol import GameResult, Seat

GAME = games.kinds()["standard"]
TURKEY, RUSSIA = Seat("Turkey"), Seat("Russia")


def plan(years=2, level="intermediate", **dangers):
    return fixture(
        GAME, ending_after(GAME, years), FixtureRequest(level, seed="dangers", dangers=dangers or None)
    )


def test_the_first_round_goes_by_what_it_is_told_and_each_later_one_by_the_one_before():
    first, second, third = play_rounds(plan(Turkey=0.5), 3, games=2)
    seats = GAME.rules.board.powers
    assert first.dangers == {**dict.fromkeys(seats, 0.0), TURKEY: 0.5}
    for before, after, step in ((first, second, 0.25), (second, third, 0.25 / (1 + 1 / 12))):
        moved = {seat: before.dangers[seat] + step * (7 * before.shares[seat] - 1) for seat in seats}
        middle = sum(moved.values()) / 7
        assert after.dangers == pytest.approx({seat: danger - middle for seat, danger in moved.items()})
    assert [game.number for one in (first, second, third) for game in one.games] == [*range(6)]


def test_the_games_of_a_round_are_played_with_its_dangers():
    calm, wary = plan(4), plan(4, Turkey=3.0, Russia=-3.0)
    assert list(contest(calm, 2)) != list(contest(wary, 2))
    (one,) = play_rounds(wary, 1, games=2)
    assert one.games == tuple(contest(wary, 2))
    assert list(contest(replace(calm, dangers={}), 1)) == list(contest(plan(4, Turkey=0.0), 1))


def test_whoever_is_not_wary_plays_as_ever():
    assert list(contest(plan(2, "dumbbot"), 1)) == list(contest(plan(2, "dumbbot", Turkey=3.0), 1))


def game(winner: str, year8: dict[str, int], last: dict[str, int]) -> PlayedGame:
    scores = {year: {Seat(seat): count for seat, count in year8.items()} for year in range(1901, 1909)}
    return PlayedGame(
        number=0,
        result=GameResult(winners=(Seat(winner),), reason="centres"),
        turns=50,
        scores={**scores, 1909: {Seat(seat): count for seat, count in last.items()}},
        players={},
        survivors=(),
    )


def test_half_of_what_counts_are_points_and_half_the_squares_of_the_scores(monkeypatch):
    """Turkey wins with 18 of 34 against Russia's 16, and had 10 to its 20 after eight years."""
    won = game("Turkey", {"Turkey": 10, "Russia": 20}, {"Turkey": 18, "Russia": 16})
    monkeypatch.setattr("adjudicator.tournament.balance.contest", lambda *_, **__: [won])
    (one,) = play_rounds(plan(), 1, games=1)
    assert one.shares[TURKEY] == pytest.approx(1 / 2 + 18**2 / (18**2 + 16**2) / 4 + 100 / 500 / 4)
    assert one.shares[RUSSIA] == pytest.approx(16**2 / (18**2 + 16**2) / 4 + 400 / 500 / 4)
    assert sum(one.shares.values()) == pytest.approx(1)
    many = list(play_rounds(plan(), 60, games=1))
    assert many[-1].dangers[TURKEY] == 3.0, "and not more"


def test_what_counts_in_the_end_is_the_mean_of_the_later_half():
    played = [TuningRound(number, {TURKEY: float(number)}, {}, ()) for number in range(5)]
    assert mean_dangers(played) == {TURKEY: 3.0}
    assert mean_dangers(played[:1]) == {TURKEY: 0.0}


def test_a_seat_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(Refusal, match="Turky"):
        plan(Turky=1.0)
    assert plan(turkey=1.0).dangers == {TURKEY: 1.0}, "however it is written"


def typed(line):
    return CliRunner().invoke(app, line.split(), prog_name="gm")


LINE = "tournament standard --seats intermediate --games 1 --years 1 --seed dangers"


def test_rounds_are_told_as_they_come_and_the_dangers_last():
    shown = typed(f"{LINE} --dangers 2 --danger turkey=1")
    assert shown.exit_code == 0
    lines = shown.stdout.splitlines()
    assert lines[:2] == ["round 1: won by nobody", "round 2: won by nobody"]
    rows = {row.split()[0]: row.split() for row in lines if row}
    assert set(rows) > set(GAME.rules.board.powers)
    assert rows["Turkey"][1].startswith("+0.")
    told = json.loads(typed(f"{LINE} --dangers 2 --danger turkey=1 --json").stdout)
    assert [one["winners"] for one in told["rounds"]] == [[[]], [[]]]
    assert told["rounds"][0]["dangers"]["Turkey"] == 1
    assert told["dangers"]["Turkey"] == pytest.approx(float(rows["Turkey"][1]), abs=0.006)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("--danger Turkey=much", "--danger Turkey=0.5"),
        ("--danger Turkey=inf", "--danger Turkey=0.5"),
        ("--danger Turkey=nan", "--danger Turkey=0.5"),
        ("--danger Turkey=-9.5", "9 at most either way"),
        ("--danger Turkey", "KEY=VALUE"),
        ("--dangers 1 --chart chart.svg", "Leave out"),
        ("--record bots.json --danger Turkey=1", "--record works only with"),
    ],
)
def test_what_does_not_go_together_is_refused(given, why):
    shown = typed(f"{LINE} {given}" if "--record" not in given else f"tournament standard {given}")
    assert shown.exit_code == 2
    assert why in " ".join(shown.stderr.replace("│", " ").split())


def test_boards_and_bots_are_not_weighed_at_once():
    shown = typed("tournament indianomacy --balance 1 --dangers 1")
    assert shown.exit_code == 2
    assert "one after the other" in " ".join(shown.stderr.replace("│", " ").split())
