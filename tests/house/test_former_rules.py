"""A game that began before a rule changed keeps the former rule to its end: played, replayed, imported."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.gamesmaster import conduct, transfers
from adjudicator.gamesmaster.document import encode_export, read
from tests.kit.town import Town, town

HERON = Path(__file__).with_name("exports") / "heron-2.json"
"""A game of standard Diplomacy with the last year 1901, exported in Fall 1901 by a version without
``victory_after``."""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Town]:
    """A service with that game."""
    monkeypatch.setattr("adjudicator.secretary.writing.draw_map", lambda *position, **turn: None)
    with town(tmp_path) as it:
        transfers.bring_in(it.house, read(HERON.read_bytes(), HERON.name))
        yield it


def test_a_game_without_the_option_has_the_winter_of_its_last_year(place: Town, tmp_path: Path) -> None:
    house = place.house
    assert "victory_after" not in conduct.position_of(house, "heron").state.options
    turns = []
    while conduct.position_of(house, "heron").is_running:
        conduct.play_now(house, "heron")
        turns.append(transfers.export(house, "heron").entries[-1].turn)
    assert turns[-1] == "W1901A", "its builds are asked for"
    assert conduct.prove(house, "heron").fault is None
    document = transfers.export(house, "heron")
    assert transfers.proof_of(document).fault is None
    with town(tmp_path / "elsewhere") as other:
        finished = transfers.bring_in(other.house, read(encode_export(document), "heron.json"))
        assert (finished.status, finished.head_sha) == ("finished", document.head)


def test_a_new_game_with_the_same_last_year_ends_with_its_fall(place: Town) -> None:
    house = place.house
    request = conduct.GameRequest("standard", "stork", {"last_year": 1901}, level="beginner")
    conduct.new_game(house, request, secret=b"s" * 32)
    assert transfers.export(house, "stork").entries[0].options["victory_after"] == "fall"
    while conduct.position_of(house, "stork").is_running:
        conduct.play_now(house, "stork")
    assert transfers.export(house, "stork").entries[-1].turn in ("F1901M", "F1901R")
    assert conduct.prove(house, "stork").fault is None
