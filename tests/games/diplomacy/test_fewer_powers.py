"""The boards for two and three players on the standard map: who plays, from where, and games to their end."""

from typing import Any

import pytest

from games import kinds
from games.dice import SealedDice
from games.options import settle_for_new_game
from games.record import replace_fields
from tests.kit.bot_games import rounds
from tests.kit.kinds import FEWER_POWERS
from tests.kit.standard import BOARD

LAST_YEAR = 1915


def opening(kind: str) -> Any:
    return kinds()[kind].rules.setup({}, SealedDice(b"the tests' own", kind, 0)).state


def starts(kind: str) -> dict[str, set[tuple[str, str]]]:
    """The units of each power at the start, by kind and place."""
    units: dict[str, set[tuple[str, str]]] = {}
    for unit in opening(kind).units:
        units.setdefault(unit.power, set()).add((unit.kind, unit.at))
    return units


def plays_as_in_standard(kind: str, *powers: str) -> bool:
    """Whether these powers alone play, with their usual units and home centres, and nobody owns the rest."""
    usual, state = starts("standard"), opening(kind)
    homes = {centre for power in powers for centre in BOARD.powers[power].centres}
    return starts(kind) == {power: usual[power] for power in powers} and set(state.centres) == homes


@pytest.mark.clause("france-austria", "FvA-powers")
def test_france_and_austria_start_as_usual() -> None:
    assert plays_as_in_standard("france-austria", "France", "Austria")


@pytest.mark.clause("germany-italy", "GvI-powers")
def test_germany_and_italy_start_as_usual() -> None:
    assert plays_as_in_standard("germany-italy", "Germany", "Italy")


@pytest.mark.clause("france-germany-austria", "FGA-powers")
def test_france_germany_and_austria_start_as_usual() -> None:
    assert plays_as_in_standard("france-germany-austria", "France", "Germany", "Austria")


@pytest.mark.clause("england-turkey", "EvT-powers")
def test_england_starts_at_sea_against_turkey() -> None:
    assert starts("england-turkey") == {
        "England": {("F", "NTH"), ("F", "ENG"), ("A", "LON")},
        "Turkey": starts("standard")["Turkey"],
    }
    owners = opening("england-turkey").centres
    assert {centre for centre, owner in owners.items() if owner == "England"} == {"EDI", "LON", "LVP"}
    assert len(owners) == 6


@pytest.mark.parametrize("kind", FEWER_POWERS)
def test_the_rest_is_the_standard_board(kind: str) -> None:
    """So the tests of the standard board hold for its borders, its rulings and its drawing."""
    board: Any = kinds()[kind].rules.board
    ours, theirs = board.chart, BOARD.chart
    assert (ours.provinces, ours.victory, ours.first_year, ours.size) == (
        theirs.provinces,
        theirs.victory,
        theirs.first_year,
        theirs.size,
    )
    own, usual = kinds()[kind].rules.variant.rulebook, kinds()["standard"].rules.variant.rulebook
    assert replace_fields(own, source=usual.source, aliases=usual.aliases) == usual


@pytest.mark.parametrize("kind", FEWER_POWERS)
def test_bots_play_a_game_to_its_end(kind: str) -> None:
    """All of their orders are possible, and a power wins or the last year passes."""
    game = kinds()[kind]
    options = settle_for_new_game(game.about, {"last_year": LAST_YEAR})
    centres = len(opening(kind).centres)
    for played in rounds(game, b"a whole game", bot="intermediate", options=options):
        for due, choices in played.asked:
            assert all(game.rules.check(played.before, due.seat, choice.order) is None for choice in choices)
        last = played.after
    result = game.rules.result(last)
    assert result is not None
    assert result.winners or last.phase.year == LAST_YEAR
    assert len(last.centres) > 2 * centres, "the centres of nobody are taken"
