"""The archive as a folder: the same games give the same bytes, and only changes are written."""

import zlib

import pytest

from adjudicator.admin import game_admin, website
from adjudicator.errors import Refusal
from adjudicator.reports.maps import svg
from adjudicator.website import maps


@pytest.fixture
def two(room):
    """Two games with a turn each, and their archive."""
    for name in ("coins", "flags"):
        room.begin("war-chest", name, 1)
    room.build()
    return room


def test_the_same_games_make_the_same_bytes(two, tmp_path):
    """Whenever it is built, and wherever; of a game whose log is public too."""
    two.begin("standard", "vienna")
    two.build()
    assert "games/vienna/log.json" in two.files()
    two.clock.advance(10_000_000)
    two.build(tmp_path / "other")
    assert two.files(tmp_path / "other") == two.files()


def test_what_has_not_changed_is_left_alone(two):
    """A second time nothing is made; after a turn, that game's files, and the first page."""
    assert two.build() == two.build()
    assert two.build().written == 0
    before = two.files()
    two.play("coins")
    built = two.build()
    after = two.files()
    assert built.made == ("coins",)
    changed = {name for name in after if before.get(name) != after[name]}
    pages = {"index.html", *(f"games/coins/{name}" for name in ("index.html", "game.json", "bbcode.txt"))}
    assert changed == {".turnpost-site", ".turnpost-plates/coins", *pages}


def test_a_game_that_is_deleted_goes_from_the_archive(two):
    """Its folder too."""
    game_admin.delete(two.service, "flags", "a slip")
    built = two.build()
    assert built.gone == ("flags",)
    assert not [name for name in two.files() if "flags" in name]
    assert "flags" not in (two.site / "index.html").read_text()


def test_a_folder_of_somebody_elses_is_not_touched(room, tmp_path):
    """It holds something, and not what we know."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with pytest.raises(Refusal, match="doesn't hold a Turnpost archive"):
        room.build(tmp_path / "mine")
    assert [one.name for one in (tmp_path / "mine").iterdir()] == ["letter.txt"]


def test_what_the_archive_remembers_may_be_lost(two):
    """It is made again, with the same bytes."""
    before = two.files()
    (two.site / ".turnpost-site").write_text("{}")
    assert two.build().written == 0
    assert two.files() == before


def test_an_archive_that_is_kept_sees_what_another_has_built(two, tmp_path):
    """The service keeps one; meanwhile a gamesmaster builds by command, or the memory is lost."""
    kept = website.archive_of(two.service, two.site)
    two.play("coins")
    assert website.renew(two.service, kept).made == ("coins",)
    two.play("flags")
    assert two.build().made == ("flags",)
    two.play("coins")
    assert website.renew(two.service, kept).made == ("coins",)
    two.build(tmp_path / "whole")
    assert two.files(tmp_path / "whole") == two.files()
    (two.site / ".turnpost-site").unlink()
    with pytest.raises(Refusal, match="doesn't hold a Turnpost archive"):
        website.renew(two.service, kept)


def test_several_processes_make_the_same_bytes(two, tmp_path, monkeypatch):
    """As one process alone does."""
    monkeypatch.setattr(website, "MIN_GAMES_FOR_PROCESSES", 2)
    website.build(two.service, tmp_path / "many", jobs=2)
    assert two.files(tmp_path / "many") == two.files()


def test_a_page_that_somebody_deleted_comes_back(two):
    """A first page, and nothing else is written."""
    before = two.files()
    (two.site / "index.html").unlink()
    assert two.build().written == 1
    assert two.files() == before


def test_a_turn_draws_one_map_and_makes_what_a_whole_build_makes(room, tmp_path, monkeypatch):
    """The drawings of earlier turns are reused. Once the game is over they are deleted."""
    drawn = []
    monkeypatch.setattr(maps, "svg", lambda *told: drawn.append(told[3]) or svg(*told))
    room.begin("war-chest", "coins", 2)
    room.build()
    assert len(drawn) == 3
    room.play("coins")
    room.build()
    assert len(drawn) == 4
    room.build(tmp_path / "whole")
    assert drawn[4:] == drawn[:4]
    assert room.files(tmp_path / "whole") == room.files()
    game_admin.end(room.service, "coins", [], "enough")
    room.build()
    assert len(drawn) == 8
    assert not (room.site / ".turnpost-plates").exists()


@pytest.mark.parametrize("kept", [b"", b"no plate", zlib.compress(b"[]"), "other"], ids=repr)
def test_plates_that_cannot_be_read_are_made_anew(two, kept):
    """Missing, damaged or made by another program; those of another game fit no turn."""
    before = two.files()
    place = two.site / ".turnpost-plates" / "coins"
    place.write_bytes(kept if isinstance(kept, bytes) else place.with_name("flags").read_bytes())
    (two.site / ".turnpost-site").write_text("{}")
    two.build()
    assert two.files() == before
