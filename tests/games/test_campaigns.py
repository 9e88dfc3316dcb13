"""The results in records, in every game for one player, and the bots' results shipped with it."""

from collections.abc import Iterator

import pytest

import games
from adjudicator.tournament.tournament import bot_of, game_results, results_table, seat_result
from games.dice import SealedDice
from games.options import settle
from games.protocol import CampaignCase, CaseResult, Game, Seat, SoloCampaign
from games.record import replace_fields

KINDS = sorted(kind for kind, game in games.kinds().items() if game.campaign is not None)
ROUGH = CampaignCase(name="rough", seat=Seat("player"), options={}, thing="points")
DICE = SealedDice(b"opening", "opening", 0)
QUICK = CampaignCase(name="quick", seat=Seat("player"), options={}, thing="turns", quick=True)


def campaign(kind: str) -> tuple[Game, SoloCampaign]:
    """A kind, and what a record counts of it."""
    game = games.kinds()[kind]
    assert game.campaign is not None
    return game, game.campaign


def cases() -> Iterator[tuple[str, int]]:
    """Each case of each kind, by its place."""
    return ((kind, place) for kind in KINDS for place in range(len(campaign(kind)[1].cases)))


def test_the_four_games_for_one_have_records() -> None:
    assert KINDS == ["boer-war", "great-war", "plains-indian-wars", "war-chest"]


@pytest.mark.parametrize(("kind", "place"), list(cases()))
def test_each_case_is_found_by_its_options_and_its_seat(kind: str, place: int) -> None:
    """Its options, settled, lead to it and to no other; another seat has another case or none."""
    game, found = campaign(kind)
    case = found.cases[place]
    settled = settle(game.about.options, case.options)
    assert case.seat in game.about.seats(settled)
    assert found.case(settled, case.seat) is case
    assert found.case(settled, Seat("nobody")) is None


@pytest.mark.parametrize("kind", KINDS)
def test_what_bots_got_is_there_for_every_case(kind: str) -> None:
    """The file in the game's data has so many games of each case, played by its best bot."""
    game, found = campaign(kind)
    results = found.results()
    assert set(results.cases) == {case.name for case in found.cases}
    assert results.bot == bot_of(game)
    for rows in results.cases.values():
        assert sum(sum(counts.values()) for counts in rows.values()) == results.games >= 300


@pytest.mark.parametrize("kind", KINDS)
def test_the_shipped_results_are_those_of_the_bots_as_they_are(kind: str) -> None:
    """The first game of the seed is among them. If a bot or a rule has changed, make them again:
    gm tournament KIND --games 300 --seed record --record games/.../data/bot_results.json
    """
    _, found = campaign(kind)
    results = found.results()
    for case in found.cases:
        one = game_results(kind, case.options, results.seed, 0)[case.seat]
        assert results.cases[case.name].get(one.end, {}).get(str(one.count), 0) > 0, case.name


def test_a_table_counts_alike_results_together() -> None:
    """Two games won by 5 and one lost by 2."""
    game = games.kinds()["great-war"]
    made = results_table(
        game,
        {
            "a side": (
                CaseResult(end="won", count=5),
                CaseResult(end="lost", count=-2),
                CaseResult(end="won", count=5),
            )
        },
        "7",
    )
    assert (made.games, made.seed, made.bot) == (3, "7", "greedy")
    assert made.cases == {"a side": {"won": {"5": 2}, "lost": {"-2": 1}}}


def test_a_victory_is_better_than_a_draw_and_that_than_a_defeat_whatever_was_counted() -> None:
    lost, drawn, won = (
        CaseResult(end=end, count=count) for end, count in (("lost", 9), ("drawn", 5), ("won", 1))
    )
    for case in (ROUGH, QUICK):
        assert sorted((won, lost, drawn), key=case.rank) == [lost, drawn, won]


def test_more_points_are_better_and_a_quick_victory_and_a_slow_defeat() -> None:
    few, many = CaseResult(end="won", count=4), CaseResult(end="won", count=9)
    assert ROUGH.rank(many) > ROUGH.rank(few)
    assert QUICK.rank(few) > QUICK.rank(many)
    assert QUICK.rank(replace_fields(many, end="lost")) > QUICK.rank(replace_fields(few, end="lost"))


def test_who_has_ended_a_game_how_is_told_apart_by_seat() -> None:
    """The Boers of a war that the Empire has won have lost it, after as many rounds."""
    game, found = campaign("boer-war")
    state = game.rules.setup(settle(game.about.options, {}), DICE).state
    over = replace_fields(state, ended="centres", winners=("empire",))
    boers, empire = (seat_result(game, found, over, case) for case in found.cases)
    assert (boers.end, empire.end) == ("lost", "won")
    assert boers.count == empire.count == 0
    later = replace_fields(over, turn=2)
    assert seat_result(game, found, later, found.cases[0]).count == 22


def test_a_peace_that_nobody_wins_is_a_draw() -> None:
    game, found = campaign("boer-war")
    state = game.rules.setup(settle(game.about.options, {}), DICE).state
    over = replace_fields(state, ended="negotiated", winners=())
    assert {seat_result(game, found, over, case).end for case in found.cases} == {"drawn"}


def test_victory_points_are_counted_in_halves_for_the_us_and_turns_for_the_nations() -> None:
    """At the opening of Variant I the tribes are ahead; in a scenario the turn counts."""
    game, found = campaign("plains-indian-wars")
    state = game.rules.setup(settle(game.about.options, {}), DICE).state
    before = found.count(state, found.cases[0])
    assert found.count(replace_fields(state, through=3), found.cases[0]) == before + 6
    second = found.cases[1]
    state = game.rules.setup(settle(game.about.options, second.options), DICE).state
    assert found.count(replace_fields(state, turn=7), second) == 7


def test_cards_of_ones_own_make_another_game_and_what_is_off_does_not() -> None:
    _, found = campaign("great-war")
    assert found.set_apart({"side": "allies", "chains": False}) == ()
    assert found.set_apart({"side": "allies", "chains": True, "cards": "{}"}) == ("cards", "chains")
