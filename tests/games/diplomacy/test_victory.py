"""Victory by a list of conditions: for all or for one power, by a lead, by provinces, by the most centres."""

from typing import Any

import pytest

from games.dice import NoDice, SealedDice
from games.diplomacy.adjudication.victory import centres_to_win, needs_to_win
from games.diplomacy.boards.board import WinningCondition
from games.messages import sentence
from games.protocol import Game, Invalid
from games.record import revive
from tests.kit.made_boards import asked, made_game, told, topic

FALL_WINS = {"victory_after": "fall"}


def board_with(*conditions: dict[str, Any], **chart: Any) -> Game:
    """The Strait with these conditions of victory, which are checked after Fall. Nobody is neutral."""
    return made_game({"victory": list(conditions), "neutral": [], **chart}, FALL_WINS)


def fall(game: Game, year: int = 1, **owned: str) -> dict[str, Any]:
    """The end of a Fall when the powers own these centres and have a unit each on the first of them."""
    centres = {power: names.split() for power, names in owned.items()}
    units = {power: [f"A {names[0]}"] for power, names in centres.items()}
    return asked(game)(phase=f"F{year}M", units=units, centres=centres, orders={})


def winners(answer: dict[str, Any]) -> list[str] | None:
    """The winners, none for a draw; None while the game goes on."""
    return answer.get("winners")


@pytest.mark.clause("standard", "Victory-list")
def test_a_number_of_centres_for_all_and_fewer_for_one_power():
    game = board_with({"centres": 5}, {"power": "South", "centres": 3})
    assert winners(fall(game, North="HAV UPL MOO ISL", South="DAL POR")) is None
    assert winners(fall(game, North="HAV UPL MOO ISL DAL", South="POR")) == ["North"]
    assert winners(fall(game, North="HAV UPL MOO", South="DAL POR ISL")) == ["South"]


@pytest.mark.clause("standard", "Victory-lead")
@pytest.mark.parametrize(
    ("year", "north", "south", "expected"),
    [
        (1904, "HAV UPL MOO ISL", "DAL POR", None),
        (1904, "HAV UPL MOO ISL DAL", "POR", ["North"]),
        (1905, "HAV UPL MOO ISL", "DAL POR", ["North"]),
        (1905, "HAV UPL MOO", "DAL POR", None),
        (1908, "HAV UPL MOO", "DAL POR", ["North"]),
        (1950, "HAV UPL MOO", "DAL POR", ["North"]),
        (1950, "HAV UPL", "DAL POR", None),
    ],
)
def test_a_lead_wins_and_a_smaller_one_later(year, north, south, expected):
    """Four more than the next power win, two more from 1905 on, and one more from 1908 on."""
    game = board_with({"lead": 4, "lead_from": [[1905, 2], [1908, 1]]}, first_year=1901)
    assert winners(fall(game, year, North=north, South=south)) == expected


@pytest.mark.clause("standard", "Victory-provinces")
def test_certain_provinces_win_for_their_owner():
    game = board_with({"provinces": ["ISL", "MOO"]})
    done = fall(game, North="ISL MOO", South="POR HAV UPL DAL")
    assert winners(done) == ["North"]
    assert winners(fall(game, North="ISL HAV UPL DAL", South="MOO POR")) is None


@pytest.mark.clause("standard", "Victory-list")
def test_a_condition_asks_for_all_that_it_says():
    game = board_with({"provinces": ["ISL"], "centres": 4, "lead": 2})
    assert winners(fall(game, North="ISL HAV UPL MOO", South="DAL POR")) == ["North"]
    assert winners(fall(game, North="DAL HAV UPL MOO", South="ISL POR")) is None
    assert winners(fall(game, North="ISL HAV UPL", South="DAL")) is None


@pytest.mark.clause("standard", "Victory-most")
def test_the_most_centres_win_from_a_year_on():
    game = board_with({"centres": 6}, {"most_from": 3}, tie="goes-on")
    owned = {"North": "HAV UPL MOO", "South": "DAL POR"}
    assert winners(fall(game, 2, **owned)) is None
    assert winners(fall(game, 3, **owned)) == ["North"]
    level = fall(game, 3, North="HAV UPL", South="DAL POR")
    assert winners(level) is None
    assert winners(fall(game, 4, **owned)) == ["North"]


@pytest.mark.clause("standard", "Victory-tie")
@pytest.mark.parametrize(
    ("tie", "level", "ahead"),
    [
        ("shared", ["North", "South"], ["North", "South"]),
        ("most", None, ["North"]),
        ("draw", [], []),
        ("goes-on", None, None),
    ],
)
def test_what_a_tie_means(tie, level, ahead):
    """Both powers have three centres, which win; or one has four and the other three."""
    game = made_game(
        {
            "victory": [{"centres": 3}],
            "tie": tie,
            "neutral": [],
            "provinces": [{"id": "STR", "centre": "sourced"}],
        },
        FALL_WINS,
    )
    assert winners(fall(game, North="HAV UPL MOO", South="DAL POR ISL")) == level
    assert winners(fall(game, North="HAV UPL MOO STR", South="DAL POR ISL")) == ahead


def test_the_first_condition_that_a_power_meets_decides():
    game = board_with({"provinces": ["ISL"]}, {"centres": 4})
    assert winners(fall(game, North="HAV UPL MOO DAL", South="ISL POR")) == ["South"]


def test_the_end_is_told_with_its_reason():
    for condition, reason in (
        ({"lead": 2}, "lead"),
        ({"provinces": ["MOO"]}, "provinces"),
        ({"most_from": 1}, "most"),
        ({"centres": 3}, "centres"),
    ):
        game = board_with(condition)
        state = game.whatif.position(
            {
                "phase": "F1M",
                "units": {"North": ["A HAV"], "South": ["A POR"]},
                "centres": {"North": ["HAV", "UPL", "MOO"], "South": ["POR"]},
            }
        )
        done = game.rules.adjudicate(state, {}, NoDice())
        assert done.state.ended == reason
        ending = sentence(
            "diplomacy.reports_results.won",
            winners="North",
            reason=sentence(f"diplomacy.reports_endings.{reason}"),
        )
        assert ending in told(game, done.events)


# What players are told.


CONDITIONS = (
    {"centres": 5},
    {"power": "South", "centres": 4, "provinces": ["ISL"]},
    {"lead": 3, "lead_from": [[1905, 2]]},
    {"most_from": 1910},
)


def test_the_help_and_the_introduction_say_every_condition_and_the_tie():
    game = board_with(*CONDITIONS, first_year=1901, tie="draw")
    view = game.rules.view(game.rules.setup({}, NoDice()).state, None)
    helped = topic(game, "victory")
    short = "You win with 5 of the 6 supply centres after a Fall."
    others = sentence("diplomacy.victory.other_ways", number=3)
    assert game.telling.introduction(view, None)[0] == f"{short} {others}"
    game = board_with(*CONDITIONS[:3], first_year=1901, tie="draw")
    intro = " ".join(game.telling.introduction(view, None))
    assert (
        "You win with 5 of the 6 supply centres or 3 supply centres more than the next power after" in intro
    )
    assert "A power wins with 5 of the 6 supply centres after a Fall." in helped
    assert "the most supply centres, from 1910 on, after a Fall." in helped
    for text in (helped, intro):
        assert "South wins with 4 of the 6 supply centres, Isle among them, after a Fall." in text
        assert "3 supply centres more than the next power" in text
        assert "A smaller lead is enough later: 2 from 1905." in text
        assert sentence("diplomacy.victory.tie_draw") in text


def test_a_table_says_what_each_power_needs_now():
    game = board_with(*CONDITIONS, first_year=1901)

    def needed(year):
        state = game.whatif.position(
            {
                "phase": f"S{year}M",
                "units": {"North": ["A HAV"], "South": ["A POR"]},
                "centres": {"North": ["HAV", "UPL", "MOO"], "South": ["POR"]},
            }
        )
        tables = {table.title: table for table in game.telling.tables(game.rules.view(state, None))}
        return dict(tables[sentence("diplomacy.victory.table")].rows)

    assert needed(1901) == {
        "North": "4 centres",
        "South": "5 centres, or 4 centres with Isle",
    }
    assert needed(1905)["North"] == "3 centres"
    assert needed(1910)["South"] == "4 centres with Isle, or 3 centres"


def test_a_board_with_one_number_has_no_such_table():
    game = made_game()
    view = game.rules.view(game.rules.setup({}, NoDice()).state, None)
    titles = [table.title for table in game.telling.tables(view)]
    assert sentence("diplomacy.victory.table") not in titles


# What bots know.


def situated(game, year, **owned):
    centres = {power: names.split() for power, names in owned.items()}
    units = {power: [f"A {names[0]}"] for power, names in centres.items()}
    return game.whatif.position({"phase": f"S{year}M", "units": units, "centres": centres})


@pytest.mark.clause("standard", "Victory-list")
def test_bots_count_what_a_power_needs_as_things_are():
    game = board_with(*CONDITIONS, first_year=1901)
    board = game.rules.board
    state = situated(game, 1901, North="HAV UPL MOO", South="POR DAL")
    assert (centres_to_win(board, state, "North"), centres_to_win(board, state, "South")) == (5, 4)
    assert [need.provinces for need in needs_to_win(board, state, "South")][1] == ("ISL",)
    later = situated(game, 1910, North="HAV UPL MOO", South="POR DAL")
    assert (centres_to_win(board, later, "North"), centres_to_win(board, later, "South")) == (2, 3)


@pytest.mark.parametrize("level", ["beginner", "intermediate"])
@pytest.mark.parametrize("goal", ["ISL", "POR"])
def test_bots_go_for_the_centre_that_wins(level, goal):
    """The fleet in the Strait could take the Isle or Port, and goes where North wins."""
    game = board_with({"centres": 6}, {"power": "North", "provinces": [goal, "HAV"]})
    state = game.whatif.position(
        {
            "phase": "F1M",
            "units": {"North": ["F STR"]},
            "centres": {"North": ["HAV", "UPL"], "South": ["DAL"]},
        }
    )
    (due,) = game.rules.due(state)
    dice = SealedDice(b"the tests' own", "victory", 0)
    (choice,) = game.bots[level].orders(game.rules.view(state, "North"), due, dice)
    assert choice.order.to == goal


# What can't be played.


@pytest.mark.parametrize(
    ("victory", "entry"),
    [
        ([], "victory"),
        ([{}], "victory[0]"),
        ([{"power": "South"}], "victory[0]"),
        ([{"centres": 5}, {"power": "West", "centres": 3}], "victory[1]: power"),
        ([{"centres": 0}], "victory[0]: centres"),
        ([{"lead": 0}], "victory[0]: lead"),
        ([{"provinces": ["STR"]}], "victory[0]: provinces"),
        ([{"lead": 2, "lead_from": [[5, 1], [3, 1]]}], "victory[0]: lead_from"),
        ([{"lead": 2, "lead_from": [[5, 3]]}], "victory[0]: lead_from"),
        ([{"lead": 2, "lead_from": [[5, 0]]}], "victory[0]: lead_from"),
        ([{"centres": 5, "lead_from": [[5, 1]]}], "victory[0]: lead_from"),
        ([{"most_from": 0}], "victory[0]: most_from"),
        ([{"centres": 2}], "victory"),
        ([{"power": "South", "provinces": ["POR", "DAL"]}], "victory"),
        ({"centres": 2}, "victory: centres"),
        ([{"centers": 5}], "victory[0]: centers"),
    ],
)
def test_a_victory_that_cannot_be_judged_is_refused(victory, entry):
    with pytest.raises(Invalid) as caught:
        made_game({"victory": victory})
    assert caught.value.what == f"map.json: {entry}"
    assert caught.value.instead


def test_a_tie_of_no_kind_is_refused():
    with pytest.raises(Invalid) as caught:
        made_game({"tie": "coin"})
    assert caught.value.what == "map.json: tie"


def test_the_former_way_to_write_a_victory_stays():
    game = made_game({"victory": {"centres": 5, "units": 4}})
    assert game.rules.board.winning_conditions == (
        revive(WinningCondition, {"centres": 5}),
        revive(WinningCondition, {"units": 4}),
    )
    assert centres_to_win(game.rules.board, game.rules.setup({}, NoDice()).state, "North") == 4
