"""The strength of the levels: each beats the one below it, and all beat bots without a plan."""

import pytest

import games
from adjudicator.tournament.tournament import (
    FixtureRequest,
    Tournament,
    TournamentStanding,
    contest,
    ending_after,
    fixture,
)


def measured(
    kind: str, stronger: str, weaker: str, count: int, years: int
) -> tuple[TournamentStanding, TournamentStanding]:
    """Return the results of a stronger bot among weaker ones, in each seat in turn; and theirs."""
    game = games.kinds()[kind]
    plan = fixture(
        game, ending_after(game, years), FixtureRequest(f"{stronger},{weaker}", rotates=True, seed="strength")
    )
    played = tuple(contest(plan, count))
    found = Tournament(seats=plan.seating.seats, score=game.score, games=played)
    standings = {one.name: one for one in found.by_player()}
    return standings[stronger], standings[weaker]


@pytest.mark.parametrize(
    ("kind", "stronger", "weaker"),
    [
        ("standard", "beginner", "random"),
        ("standard", "intermediate", "beginner"),
        ("standard", "advanced@60", "beginner"),
        ("indianomacy", "intermediate", "beginner"),
    ],
)
def test_in_a_round_of_short_games_the_stronger_is_ahead(kind, stronger, weaker):
    seats = len(games.kinds()[kind].about.seats({}))
    strong, weak = measured(kind, stronger, weaker, count=seats, years=4)
    assert strong.score.value > weak.score.value + 0.5


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["standard", "indianomacy"])
@pytest.mark.parametrize(
    ("stronger", "weaker"),
    [
        ("intermediate", "beginner"),
        ("advanced@200", "intermediate"),
        *(
            (level, who)
            for level in ("beginner", "intermediate", "advanced@200")
            for who in ("random", "hold")
        ),
    ],
)
def test_each_level_beats_the_one_below_it_and_who_does_not_plan(kind, stronger, weaker):
    """docs/bots.md has the tables; wins, points and centres are each apart by their 95 % intervals."""
    seats = len(games.kinds()[kind].about.seats({}))
    count = -(-200 // seats) * seats
    strong, weak = measured(kind, stronger, weaker, count, years=15)
    assert strong.wins.low > weak.wins.high
    assert strong.points.low > weak.points.high
    assert strong.score.low > weak.score.high


@pytest.mark.soak
def test_the_advanced_wins_more_than_dumbbot():
    strong, weak = measured("standard", "advanced@200", "dumbbot", count=210, years=15)
    assert strong.wins.low > weak.wins.high
    assert strong.points.low > weak.points.high
    assert strong.score.low > weak.score.high
