"""Pieces of a game's pages are reused from its files, so that a turn only renders one turn."""

import pytest

from adjudicator.admin import game_admin, overrides, website

FILES = ("index.html", "game.json", "bbcode.txt", "judge.txt", "diplomacy.json")


@pytest.fixture
def replayed_turns(monkeypatch):
    """The turns that the archive has played again, by their places in the log, in order."""
    found, plainly = [], website.step_at

    def step_at(game, position, log, place):
        found.append(place)
        return plainly(game, position, log, place)

    monkeypatch.setattr(website, "step_at", step_at)
    return found


def begin_vienna(room):
    room.begin("standard", "vienna", 3)
    room.build()
    room.play("vienna")


def whole(room, folder):
    """The archive as it is built at once."""
    room.build(folder)
    return room.files(folder)


def test_of_turns_that_stand_there_none_is_played_again(room, replayed_turns, tmp_path):
    begin_vienna(room)
    assert replayed_turns == [1, 2, 3]
    room.build()
    # The third once more: the fourth's headline doesn't say what the third's said.
    assert replayed_turns == [1, 2, 3, 4, 3]
    assert room.files() == whole(room, tmp_path / "whole")
    assert replayed_turns == [1, 2, 3, 4, 3, 1, 2, 3, 4]


@pytest.mark.parametrize("file", FILES)
def test_what_was_changed_in_a_file_is_set_anew(room, tmp_path, file):
    """A letter in the middle of a turn, or all of it."""
    begin_vienna(room)
    place = room.site / "games" / "vienna" / file
    text = place.read_text(encoding="utf-8")
    middle = text.index("Spain" if "Spain" in text else "SPA")
    place.write_text(f"{text[:middle]}X{text[middle + 1 :]}", encoding="utf-8")
    room.build()
    assert room.files() == whole(room, tmp_path / "whole")
    room.play("vienna")
    place.unlink()
    room.build()
    assert room.files() == whole(room, tmp_path / "again")


def test_what_stands_elsewhere_in_a_file_now_is_set_anew(room, tmp_path):
    """Bytes before it moved everything."""
    begin_vienna(room)
    for file in FILES:
        place = room.site / "games" / "vienna" / file
        place.write_bytes(b" " + place.read_bytes())
    room.build()
    assert room.files() == whole(room, tmp_path / "whole")


def test_a_turn_that_is_taken_back_and_played_otherwise_is_told_as_it_was(room, tmp_path):
    """It has the name and the address of the one that no longer counts."""
    room.begin("standard", "vienna", 3)
    room.build()
    before = room.page("vienna")
    overrides.rollback(room.service, "vienna", "F1901M", overrides.OverrideReason("a slip"), tell=False)
    room.play("vienna")
    room.build()
    assert room.page("vienna") != before
    assert room.files() == whole(room, tmp_path / "whole")


def test_a_game_that_is_over_is_told_whole(room, tmp_path):
    """The bots' reasons are added to the orders of turns that were shown without them."""
    begin_vienna(room)
    room.build()
    assert 'class="why"' not in room.page("vienna")
    game_admin.end(room.service, "vienna", [], "enough")
    room.build()
    assert 'class="why"' in room.page("vienna")
    assert room.files() == whole(room, tmp_path / "whole")
