"""A game that started before a rule changed keeps the former rule: played, replayed, imported."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.admin import game_admin, transfer
from adjudicator.admin.transfer import encode_export, read
from tests.kit.service_harness import LocalService, local_service

HERON = Path(__file__).with_name("exports") / "heron-2.json"
"""A game of standard Diplomacy with the last year 1901, exported in Fall 1901 by a version without
``victory_after``."""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalService]:
    """A service with that game."""
    monkeypatch.setattr("adjudicator.outbound.composer.draw_map", lambda *position, **turn: None)
    with local_service(tmp_path) as it:
        transfer.bring_in(it.service, read(HERON.read_bytes(), HERON.name))
        yield it


def test_a_game_without_the_option_has_the_winter_of_its_last_year(
    place: LocalService, tmp_path: Path
) -> None:
    service = place.service
    assert "victory_after" not in game_admin.position_of(service, "heron").state.options
    played = []
    while game_admin.position_of(service, "heron").is_running:
        game_admin.play_now(service, "heron")
        played.append(transfer.export(service, "heron").entries[-1].turn)
    assert played[-1] == "W1901A", "its builds are asked for"
    assert game_admin.prove(service, "heron").fault is None
    document = transfer.export(service, "heron")
    assert transfer.proof_of(document).fault is None
    with local_service(tmp_path / "elsewhere") as other:
        finished = transfer.bring_in(other.service, read(encode_export(document), "heron.json"))
        assert (finished.status, finished.head_sha) == ("finished", document.head)


def test_a_new_game_with_the_same_last_year_ends_with_its_fall(place: LocalService) -> None:
    service = place.service
    request = game_admin.GameRequest("standard", "stork", {"last_year": 1901}, level="beginner")
    game_admin.new_game(service, request, secret=b"s" * 32)
    assert transfer.export(service, "stork").entries[0].options["victory_after"] == "fall"
    while game_admin.position_of(service, "stork").is_running:
        game_admin.play_now(service, "stork")
    assert transfer.export(service, "stork").entries[-1].turn in ("F1901M", "F1901R")
    assert game_admin.prove(service, "stork").fault is None
