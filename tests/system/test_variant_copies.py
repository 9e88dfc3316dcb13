"""A game is played by its variant as it began, whatever happens to the files meanwhile."""

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from adjudicator.admin import game_admin, overrides
from adjudicator.cli.app import app
from adjudicator.messages import sentence
from adjudicator.storage import stored_games
from adjudicator.variants import use_variants
from games.diplomacy.boards import folders
from games.diplomacy.boards.folders import VariantFolders
from tests.kit.kinds import own_variants, put_variant, strait
from tests.kit.service_harness import HOUR, LocalService, local_service, text_of

NORTH = "north@example.org"
Change = Callable[[dict[str, Any]], object]


def changed(change: Change) -> dict[str, str]:
    """The files of the strait, with a change in its map.json."""
    files = strait()
    chart = json.loads(files["map.json"])
    change(chart)
    return files | {"map.json": json.dumps(chart)}


def wins_with(centres: int) -> dict[str, str]:
    return changed(lambda chart: chart["victory"].update(centres=centres))


@dataclass
class Shore:
    """A service with a game of the strait, whose folder is changed and taken away."""

    place: LocalService

    def put(self, files: dict[str, str]) -> None:
        """Put these files where the variant is found, and start the service again."""
        put_variant(self.place.folder / "variants", "strait", files)
        self.start()

    def take_away(self) -> None:
        shutil.rmtree(self.place.folder / "variants" / "strait")
        self.start()

    def start(self) -> None:
        use_variants(self.place.folder / "variants")
        self.place.service = replace(self.place.service)

    def begin(self, game: str) -> None:
        request = game_admin.GameRequest("strait", game, terms={"moves": "24h", "solo": "clock"})
        game_admin.new_game(self.place.service, request)
        game_admin.assign(self.place.service, game, "north", NORTH)
        self.place.work()

    def play(self, game: str, text: str = "Upland - Moor\nHaven - Strait") -> int:
        """Send orders for a game and let its turn run. Returns the number of its turns."""
        mail = reversed(self.place.mail(NORTH))
        letter = next(one for one in mail if f"[{game} " in one["Subject"] and "#" in one["Subject"])
        self.place.answer(NORTH, letter, text)
        self.place.work()
        self.place.clock.advance(25 * HOUR)
        self.place.work()
        return game_admin.position_of(self.place.service, game).played

    def gm(self, line: str) -> tuple[int, str]:
        """A command typed for this service."""
        config = ["--config", str(self.place.folder / "gm.toml")]
        done = CliRunner().invoke(app, [*config, *line.split()], prog_name="gm")
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done.exit_code, " ".join(done.output.split())

    def enough(self, game: str) -> int:
        """The number of centres that a game is won with."""
        variant_of: Any = game_admin.position_of(self.place.service, game).game.rules
        return int(variant_of.variant.board.chart.victory.centres)

    def forget_copies(self) -> None:
        """Leave all games as they were when games kept no copy of their variant."""
        with closing(sqlite3.connect(self.place.folder / "turnpost.db")) as database, database:
            database.execute("delete from edition")
            database.execute("update game set editions = null")


@pytest.fixture
def shore(tmp_path: Path) -> Iterator[Shore]:
    service = tmp_path / "service"
    with own_variants(service / "variants"), local_service(service) as place:
        made = Shore(place)
        made.put(strait())
        made.begin("narrow")
        yield made


def test_another_victory_in_the_folder_changes_no_game_that_runs(shore: Shore) -> None:
    assert shore.play("narrow") > 0
    shore.put(wins_with(4))
    assert (shore.play("narrow", "Moor H") > 1, shore.enough("narrow")) == (True, 5)
    shore.begin("later")
    assert (shore.enough("later"), shore.enough("narrow")) == (4, 5)
    for game in ("narrow", "later"):
        assert "identical" in shore.gm(f"game replay {game}")[1]
    code, said = shore.gm("doctor --wait 0")
    assert (
        code,
        "strait has changed since these games began, and they go on as they began: narrow" in said,
    ) == (
        0,
        True,
    ), said
    shore.put(strait())
    assert (shore.enough("later"), shore.enough("narrow")) == (4, 5)
    assert "identical" in shore.gm("game replay narrow")[1]


def test_names_and_drawings_are_improved_while_games_run(shore: Shore) -> None:
    def rename(chart: dict[str, Any]) -> None:
        chart["provinces"][0].update(name="Harbour", label=[100, 100])

    before = stored_games.kept_editions(shore.place.service.database, "narrow")[0][0].sha
    shore.put(changed(rename))
    assert shore.play("narrow", "Upland - Moor\nHarbour - Strait") == 1
    renamed = VariantFolders(others={"strait": changed(rename)}).edition("strait").sha
    assert before == renamed == game_admin.position_of(shore.place.service, "narrow").editions[0].sha
    assert "A HAV" not in shore.gm("doctor --wait 0")[1]


def test_a_game_goes_on_without_its_folder(shore: Shore, tmp_path: Path) -> None:
    assert shore.play("narrow") > 0
    shore.take_away()
    assert shore.play("narrow", "Upland - Moor\nHaven H") > 1
    assert "F HAV H" in "\n".join(text_of(one) for one in shore.place.mail(NORTH))
    assert "identical" in shore.gm("game replay narrow")[1]
    code, said = shore.gm("doctor --wait 0")
    assert (code, "these games go on by their own copy: narrow" in said) == (0, True), said
    file = tmp_path / "narrow.json"
    assert shore.gm(f"game export narrow --out {file}")[0] == 0
    with local_service(tmp_path / "elsewhere") as place:
        other = Shore(place)
        assert other.gm(f"game import {file}")[0] == 0
        assert "identical" in other.gm("game replay narrow")[1]
        assert game_admin.position_of(place.service, "narrow").game.about.title == "The Strait"
        assert [bound.since for bound, _ in stored_games.kept_editions(place.service.database, "narrow")] == [
            0
        ]


def test_a_game_that_began_without_a_copy_gets_it_at_its_next_turn(shore: Shore) -> None:
    shore.forget_copies()
    assert shore.play("narrow") > 0
    kept = stored_games.kept_editions(shore.place.service.database, "narrow")
    assert len(kept) == 1
    bound, files = kept[0]
    assert (bound.since, sorted(files)) == (
        0,
        ["standard/map.json", "standard/rulebook.toml", "strait/map.json", "strait/rulebook.toml"],
    )
    assert (
        f"by edition {bound.sha[:8]} of its variant" in shore.gm("game log narrow")[1].partition("turn ")[2]
    )
    shore.put(wins_with(4))
    assert (shore.play("narrow", "Moor H") > 1, shore.enough("narrow")) == (True, 5)


def test_a_game_moves_to_another_edition_by_the_gms_word(shore: Shore) -> None:
    assert shore.play("narrow") > 0
    shore.put(wins_with(4))
    overrides.update_variant(shore.place.service, "narrow", overrides.OverrideReason("shorter"))
    shore.place.work()
    assert shore.enough("narrow") == 4
    told = sentence("reports.by_hand.edition", title="The Strait", why="shorter")
    assert told.partition(".")[0] in " ".join(text_of(shore.place.mail(NORTH)[-1]).split())
    assert "of its variant replaced by" in shore.gm("game log narrow")[1]
    assert shore.play("narrow", "Moor H") > 1
    assert "identical" in shore.gm("game replay narrow")[1]
    assert "has changed since" not in shore.gm("doctor --wait 0")[1]
    shore.take_away()
    assert "identical" in shore.gm("game replay narrow")[1]
    assert [bound.since for bound in game_admin.position_of(shore.place.service, "narrow").editions] == [0, 2]
    code, said = shore.gm("game update-variant narrow --why again")
    assert (code, 'no variant called "strait" can be played now' in said) == (1, True)


def test_past_turns_are_replayed_by_the_edition_of_their_day(shore: Shore) -> None:
    def starts_with_an_army(chart: dict[str, Any]) -> None:
        chart["powers"][0]["starts"] = ["A HAV", "A UPL"]

    shore.play("narrow")
    shore.put(changed(starts_with_an_army))
    overrides.update_variant(shore.place.service, "narrow", overrides.OverrideReason("two armies"))
    assert game_admin.prove(shore.place.service, "narrow").fault is None


def test_an_edition_without_room_for_the_game_is_refused(shore: Shore) -> None:
    def without_upland(chart: dict[str, Any]) -> None:
        chart["provinces"] = [one for one in chart["provinces"] if one["id"] != "UPL"]
        for one in chart["provinces"]:
            one["army"] = [near for near in one["army"] if near != "UPL"]
        chart["powers"][0] |= {"homes": ["HAV"], "starts": ["F HAV"], "centres": ["HAV"]}
        chart["counts"] |= {"land": 5, "centres": 5, "units": 3}

    code, said = shore.gm("game update-variant narrow --why none")
    assert (code, "it is played by the rules that are installed" in said) == (1, True)
    shore.put(changed(without_upland))
    code, said = shore.gm("game update-variant narrow --why shorter")
    assert (code, "the new edition has no place for A UPL" in said) == (1, True), said
    assert shore.play("narrow") > 0


def test_files_in_an_import_are_checked_first(shore: Shore, tmp_path: Path) -> None:
    shore.play("narrow")
    file = tmp_path / "narrow.json"
    shore.gm(f"game export narrow --out {file}")
    shore.take_away()
    shore.gm("game delete narrow --why moved --yes")
    whole = json.loads(file.read_text())
    files = whole["variants"][0]["files"]
    chart = json.loads(files["strait/map.json"])
    easier = json.dumps(chart | {"victory": {"centres": 4}})
    faults = {
        "the files aren't those that the log names": files | {"strait/map.json": easier},
        "a variant has no such file": files | {"../gm.toml": "[service]"},
        "they are larger than any variant": files | {f"strait/names.{n}.toml": "" for n in _codes(101)},
        "its variant": files | {"strait/map.json": "{}"},
    }
    for why, instead in faults.items():
        whole["variants"][0]["files"] = instead
        file.write_text(json.dumps(whole))
        code, said = shore.gm(f"game import {file}")
        assert (code, why in said) == (1, True), said
    whole["variants"] = []
    file.write_text(json.dumps(whole))
    code, said = shore.gm(f"game import {file}")
    assert (code, 'No game is called "strait"' in said) == (1, True), said
    shore.put(wins_with(4))
    code, said = shore.gm(f"game import {file}")
    assert (code, "it is played by another edition of its variant, whose files are missing" in said) == (
        1,
        True,
    ), said
    shore.put(strait())
    assert shore.gm(f"game import {file}")[0] == 0


def _codes(count: int) -> Iterator[str]:
    for number in range(count):
        yield f"{chr(97 + number // 26)}{chr(97 + number % 26)}"


def test_a_game_of_a_variant_called_like_a_later_board_of_ours_keeps_its_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A GM had a "gulf" before Turnpost did. Its game goes on by its copy, and new games have ours."""
    service = tmp_path / "service"
    own = {name: text.replace('"strait"', '"gulf"') for name, text in strait().items()}
    with own_variants(service / "variants"), local_service(service) as place:
        shore = Shore(place)
        put_variant(service / "variants", "gulf", own)
        with monkeypatch.context() as earlier:
            others = tuple(name for name in folders.names() if name != "gulf")
            earlier.setattr(folders, "names", lambda: others)
            earlier.setattr("games.diplomacy.names", lambda: others)
            shore.start()
            request = game_admin.GameRequest("gulf", "narrow", terms={"moves": "24h", "solo": "clock"})
            game_admin.new_game(place.service, request)
            game_admin.assign(place.service, "narrow", "north", NORTH)
            place.work()
            assert shore.play("narrow") > 0
        shore.start()
        assert shore.play("narrow", "Moor H") > 1
        assert shore.enough("narrow") == 5
        assert "identical" in shore.gm("game replay narrow")[1]
        game_admin.new_game(place.service, game_admin.GameRequest("gulf", "later"))
        assert "Highland" in game_admin.position_of(place.service, "later").assignments
        assert "North" in game_admin.position_of(place.service, "narrow").assignments
