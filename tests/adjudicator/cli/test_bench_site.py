"""`gm bench site` measures everything that it promises."""

import pytest

from adjudicator.admin import game_admin
from adjudicator.bench import load, turns
from adjudicator.storage import stored_games
from tests.adjudicator.website.conftest import room as room  # a service without a game


def test_it_builds_games_and_a_turn_and_tells_how_large_a_page_is():
    """Three games of two turns, and one of four."""
    found = turns.measure_archive("war-chest", 3, 2, 4, 2, 1)
    figures = {figure.what: figure for figure in found}
    assert [one.unit for one in found] == ["s", "s", "s", "ms", "ms", "ms", "ms", "ms", "KB", "KB"]
    assert all(figure.value > 0 for figure in found)
    assert figures["nothing new"].value < figures["turn 4 of a long game"].value


def test_a_game_is_there_again_under_other_names(room):
    """Its rows are, and its page is as that of the first, but for the name."""
    room.begin("standard", "vienna", 2)
    assert not load.has_rules_dice(room.service, "vienna")
    load.double(room.service.database, "vienna", ["prague", "berlin"])
    room.build()
    assert (
        game_admin.position_of(room.service, "prague").state
        == game_admin.position_of(room.service, "vienna").state
    )
    pages = [room.page(name, "game.json").replace(name, "NAME") for name in ("vienna", "prague", "berlin")]
    assert pages[0] == pages[1] == pages[2]
    assert len(stored_games.log(room.service.database, "berlin")) == 3


@pytest.mark.parametrize(("kind", "thrown"), [("standard", False), ("plains-indian-wars", True)])
def test_a_game_whose_rules_throw_dice_is_known(room, kind, thrown):
    """Its dice hang on its name: it is played rather than copied."""
    room.begin(kind, "here", 1)
    assert load.has_rules_dice(room.service, "here") == thrown
