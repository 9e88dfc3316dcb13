"""`gm variant` checks data folders, and imports and exports boards of other programs."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from adjudicator.cli.app import app
from games.messages import sentence
from tests.kit.variant_folders import example_files

VARIANTS = Path(__file__).parents[3] / "games" / "diplomacy" / "variants"


def check(folder: Path, *more: str) -> Result:
    return CliRunner().invoke(app, ["variant", "check", str(folder), *more])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the standard board, to be spoilt."""
    return Path(shutil.copytree(VARIANTS / "standard", tmp_path / "mine"))


def spoil(folder: Path, file: str, old: str, new: str) -> None:
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_a_sound_variant_is_counted_and_drawn(folder: Path, tmp_path: Path) -> None:
    drawn = tmp_path / "map.svg"
    found = json.loads(check(folder, "--json", "--out", str(drawn)).stdout)
    census = dict(found["tables"]["Census"])
    assert (census["borders on foot"], census["borders by water, by coast"]) == ("111", "141")
    assert ["St Petersburg", "STP"] not in found["tables"]["Borders"]
    assert ["STP", "FIN LVN MOS NWY", "NC: BAR NWY; SC: FIN BOT LVN"] in found["tables"]["Borders"]
    assert found["findings"] == []
    assert "Norwegian Sea" in drawn.read_text(encoding="utf-8")


def test_a_variant_that_rests_on_another_is_checked_alike() -> None:
    done = check(VARIANTS / "chaos")
    assert done.exit_code == 0
    assert "Chaos can be played." in done.output


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("map.json", '"fleet": ["ALB", "APU"', '"fleet": ["APU"', "ADR does not name ALB"),
        ("map.json", '"STP/NC"', '"STP"', "Write STP/NC or STP/SC"),
        ("map.json", '"title"', "title", "map.json: is no JSON at line 3"),
        ("map.json", '"sea": 19', '"sea": 20', "20 are claimed, 19 are there"),
        ("map.json", '"F STP/SC"', '"F STP"', "F STP/NC or F STP/SC"),
        ("rulebook.toml", "[why]", "[why", "rulebook.toml: is no TOML"),
        ("rulebook.toml", "own-fleet", "own-flute", "convoy_intent"),
        ("outline.geojson", "{", "", "outline.geojson: is no JSON"),
        ("outline.geojson", '"id":"ADR"', '"id":"XXX"', "XXX isn't a province in map.json"),
        ("outline.geojson", '"Feature","properties"', '"Feature","props"', "properties: is missing"),
        ("outline.geojson", '"geometry":{"type":"Polygon"', '"geometry":{"type":"Point"', "is Point"),
        ("outline.geojson", "[745.1,1058.7]", "[745.1]", "[745.1] isn't a point that can be drawn"),
        ("outline.geojson", "[745.1,1058.7]", "[745.1,1e9]", "far off the sheet of 1600 by 1440"),
        ("outline.geojson", "[745.1,1058.7]", "[745.1,1058]", "Repeat its first point at the end"),
        ("map.json", '"size": [', '"size": [0, ', "map.json: size: is a list of 3. Write a list of 2"),
        ("map.json", '"name": "standard"', '"name": "standard", "name": "x"', 'the entry "name" twice'),
        ("map.json", '"#d9664d"', '"gold"', "map.json: powers: Austria: colour: gold isn't a colour"),
        ("map.json", '"first_year": 1901', '"first_year": NaN', "NaN isn't a number here"),
        ("map.json", '"kind": "sea"', '"kind": "see"', '"see" isn\'t one of the choices. Write land or sea'),
        ("map.json", '"designer"', '"desinger"', "Did you mean designer?"),
        ("rulebook.toml", 'kind = "M"', 'kind = "A"', "each phase of moves needs one of retreats"),
        ("rulebook.toml", "captures = true", "", "supply centres never change hands"),
        (
            "rulebook.toml",
            "{season} {year}, {kind}",
            "{season} {year",
            "{season} {year doesn't name every turn",
        ),
    ],
)
def test_what_is_wrong_is_named_by_file_and_entry(
    folder: Path, file: str, old: str, new: str, said: str
) -> None:
    spoil(folder, file, old, new)
    done = check(folder)
    assert done.exit_code == 1
    assert said in done.output


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("map.json", '"victory": {"centres": 18}', '"victory": {"centres": 17}', "two powers can have them"),
        ("map.json", '"victory": {"centres": 18}', '"victory": {"centres": 99}', "and there are 34"),
        ("map.json", '"abbr": "ADR"', '"abbr": "NEW"', '"NEW" (Adriatic Sea) is also the command NEW'),
        ("map.json", '["Adriatic"]', '["Wenn"]', '"Wenn" (Adriatic Sea) is also a word for IF'),
        ("map.json", '["Adriatic"]', '["Winter"]', '"Winter" (Adriatic Sea) is also a word for IF, PHASE'),
        ("map.json", '["Adriatic"]', '["Build"]', '"Build" (Adriatic Sea) is also a word that begins orders'),
        (
            "map.json",
            '["Adriatic"]',
            '["Occupied"]',
            '"Occupied" (Adriatic Sea) is also a word of conditions',
        ),
        ("map.json", '["Adriatic"]', '["Aegean"]', '"Aegean" means Adriatic Sea and Aegean Sea, so we ask'),
        ("map.json", '"French"', '"German"', '"German" means France and Germany, so we ask'),
        (
            "names.de.toml",
            '"Türkei"',
            '"Russland"',
            '"Russland" means Russia and Turkey',
        ),
        ("map.json", '"abbr": "ADR"', '"abbr": "F"', "Adriatic Sea is called F, like a kind of unit"),
        (
            "map.json",
            '"letter": "T"',
            '"letter": "1"',
            "Italy (I) and Turkey (1) have letters that look alike",
        ),
        (
            "map.json",
            "#3f91b7",
            "#86a7f2",
            "England (#85a7f1) and France (#86a7f2) have colours that look alike",
        ),
        ("map.json", "[692.0, 1007.1]", "[692.0, 1507.1]", "the label of Adriatic Sea is off the sheet"),
    ],
)
def test_what_is_odd_is_said(folder: Path, file: str, old: str, new: str, said: str) -> None:
    spoil(folder, file, old, new)
    done = check(folder)
    assert done.exit_code == 0
    assert said in done.output


def test_units_and_centres_that_nobody_can_use_are_said(tmp_path: Path) -> None:
    """North's only land is an island without a boat, and Moor is cut off from everything."""
    folder = tmp_path / "mine"
    folder.mkdir()
    for name, text in example_files().items():
        (folder / name).write_text(text, encoding="utf-8")
    chart = json.loads((folder / "map.json").read_text(encoding="utf-8"))
    roads = {"DAL": ["POR"], "POR": ["DAL"]}
    for place in chart["provinces"]:
        place |= {"army": roads.get(place["id"], []), "fleet": []}
    north, south = chart["powers"]
    north |= {"starts": ["A HAV"], "centres": [], "partners": []}
    south |= {"starts": ["A DAL"]}
    chart |= {"counts": {}, "neutral": [], "powers": [north, south, south | {"id": "East", "letter": "E"}]}
    chart["powers"][2] |= {"homes": [], "starts": [], "centres": [], "colour": "#30a040"}
    (folder / "map.json").write_text(json.dumps(chart), encoding="utf-8")
    said = check(folder).output
    assert "A HAV of North can never move" in said
    assert "A DAL of South can never move" not in said
    assert "Moor is a supply centre that no unit can ever reach" in said
    assert "North has no centre to build in" in said
    assert "East has neither a unit nor a centre, so it is out from the start" in said


def test_an_outline_as_map_makers_export_it_is_drawn(folder: Path, tmp_path: Path) -> None:
    """Points with a height, a province of several parts, and no backdrop."""
    path = folder / "outline.geojson"
    outline = json.loads(path.read_text(encoding="utf-8"))
    del outline["backdrop"]
    first = outline["features"][0]["geometry"]
    first |= {"type": "MultiPolygon", "coordinates": [first["coordinates"]]}
    ring = outline["features"][1]["geometry"]["coordinates"][0]
    ring[:] = [[*point, 0.0] for point in ring]
    path.write_text(json.dumps(outline), encoding="utf-8")
    done = check(folder, "--out", str(tmp_path / "map.svg"))
    assert (done.exit_code, "Warnings\nnone" in done.output) == (0, True)


def test_a_year_without_moves_is_refused(folder: Path) -> None:
    """`gm judge` waited for them for ever."""
    rulebook = (folder / "rulebook.toml").read_text(encoding="utf-8")
    head, rest = rulebook.split("[[year]]", 1)
    year = '[[year]]\nseason = "W"\nkind = "A"\nends_year = true\n\n'
    (folder / "rulebook.toml").write_text(head + year + rest[rest.index("[why]") :], encoding="utf-8")
    done = check(folder)
    assert done.exit_code == 1
    assert "rulebook.toml: year: no phase has moves. Add a phase of kind M" in done.output


def test_a_folder_without_an_outline_has_a_schematic_picture(folder: Path, tmp_path: Path) -> None:
    (folder / "outline.geojson").unlink()
    spoil(folder, "map.json", '"name": "standard"', '"name": "mine"')
    assert sentence("diplomacy.survey.schematic", file="outline.geojson") in check(folder).output
    assert check(folder, "--out", str(tmp_path / "map.svg")).exit_code == 0
    assert sentence("diplomacy.map.schematic") in (tmp_path / "map.svg").read_text()


def test_a_base_that_is_no_name_is_refused(folder: Path) -> None:
    text = (folder / "rulebook.toml").read_text()
    (folder / "rulebook.toml").write_text(f"base = {{}}\n{text}")
    done = check(folder)
    assert (done.exit_code, "rulebook.toml: base" in done.output) == (1, True), done.output


def test_a_folder_must_be_one_and_hold_a_map(tmp_path: Path) -> None:
    assert "isn't a folder" in check(tmp_path / "nowhere").output
    assert "map.json: is missing" in check(tmp_path).output


def test_bots_play_a_variant_to_show_who_wins_and_what_nobody_uses(tmp_path: Path) -> None:
    """Nobody comes to the glacier, which no fleet reaches."""
    files = example_files()
    raw = json.loads(files["map.json"])
    glacier = {"id": "GLA", "abbr": "GLA", "name": "Glacier", "kind": "land", "army": [], "fleet": []}
    raw["provinces"].append(glacier | {"centre": "sourced", "label": [560, 60], "radius": 9})
    raw["counts"] = {}
    (tmp_path / "map.json").write_text(json.dumps(raw))
    (tmp_path / "rulebook.toml").write_text(files["rulebook.toml"])
    chart = tmp_path / "chart.svg"
    found = json.loads(check(tmp_path, "--play", "3", "--chart", str(chart), "--json").stdout)
    assert len(found["played"]["games"]) == 3
    assert sum(found["played"]["wins"].values()) + found["played"]["draws"] == 3
    assert any("GLA" in text for text in found["unused"]), found["unused"]
    assert "supply centres on average, 3 games of bots" in chart.read_text()
    said = check(tmp_path, "--play", "1").output
    assert "1 game of The Strait" in said
    assert "No game gave these supply centres another owner" in said


# Boards of other programs.


DUEL = "MAP standard\nUNPLAYED ALL EXCEPT FRANCE GERMANY\nUNOWNED EDI\nRULE NO_CONVOYS\n"


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["variant", *words])


def test_a_board_of_another_program_becomes_a_folder_that_is_checked(tmp_path: Path) -> None:
    (tmp_path / "duel.map").write_text(DUEL)
    done = run("import", str(tmp_path / "duel.map"), "--into", str(tmp_path), "--json")
    found = json.loads(done.stdout)
    assert found["notes"] == [
        {
            "file": "duel.map",
            "line": 4,
            "text": sentence("diplomacy.map_files.other_rule", rule="NO_CONVOYS"),
            "changes_play": True,
        }
    ]
    assert check(tmp_path / "duel").exit_code == 0
    again = run("import", str(tmp_path / "duel.map"), "--into", str(tmp_path))
    assert (again.exit_code, "exists already" in again.output) == (1, True)


def test_what_an_import_left_is_a_table(tmp_path: Path) -> None:
    (tmp_path / "duel.map").write_text(DUEL)
    done = run("import", str(tmp_path / "duel.map"), "--into", str(tmp_path))
    assert done.exit_code == 0
    assert "Duel can be played." in done.output
    assert "NO_CONVOYS" in done.output


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("MAP nowhere", "Put nowhere.map beside it.map"),
        ("VICTORY many", "it.map: line 1"),
        ("MAP ../it", "needs it"),
    ],
)
def test_a_board_that_cannot_be_read_is_refused_with_its_line(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "it.map").write_text(text)
    done = run("import", str(tmp_path / "it.map"), "--into", str(tmp_path))
    assert done.exit_code == 1
    assert why in done.output
    assert [path.name for path in tmp_path.iterdir()] == ["it.map"]


def test_other_files_are_not_boards(tmp_path: Path) -> None:
    (tmp_path / "it.txt").write_text("")
    assert "ends in neither .map nor .json" in run("import", str(tmp_path / "it.txt")).output
    assert "No such file" in run("import", str(tmp_path / "no.map")).output


def test_a_board_is_written_for_other_programs(tmp_path: Path) -> None:
    file = tmp_path / "chaos.map"
    assert run("export", "chaos", "--out", str(file)).exit_code == 0
    assert "RULE BUILD_ANY" in file.read_text()
    assert run("export", "standard").stdout.startswith("# Diplomacy\nVICTORY 18\n")
    refused = run("export", "war-chest")
    assert (refused.exit_code, "isn't a board of armies and fleets" in refused.output) == (1, True)


def test_a_board_is_written_as_a_folder_of_our_own_form(tmp_path: Path) -> None:
    """Under another name it is a variant of one's own."""
    copy = tmp_path / "my-chaos"
    done = run("export", "chaos", "--folder", str(copy), "--json")
    assert json.loads(done.stdout)["files"] == ["map.json", "rulebook.toml"]
    assert (copy / "map.json").read_text() == (VARIANTS / "chaos" / "map.json").read_text()
    spoil(copy, "map.json", '"name": "chaos"', '"name": "my-chaos"')
    spoil(copy, "rulebook.toml", 'aliases = ["chaos-diplomacy"]', "")
    assert json.loads(check(copy, "--json").stdout)["kind"] == "my-chaos"
    assert "outline.geojson" in run("export", "standard", "--folder", str(tmp_path / "mine")).output
    again = run("export", "chaos", "--folder", str(copy))
    assert (again.exit_code, "exists already" in again.output) == (1, True)
    assert run("export", "chaos", "--folder", "x", "--out", "y.map").exit_code == 2


def test_a_board_of_ours_that_comes_back_has_another_name(tmp_path: Path) -> None:
    """It would be based on itself."""
    file = tmp_path / "standard.map"
    assert run("export", "standard", "--out", str(file)).exit_code == 0
    found = json.loads(run("import", str(file), "--into", str(tmp_path), "--json").stdout)
    assert found["folder"] == str(tmp_path / "standard-imported")
    assert not found["findings"]


def test_a_refused_import_leaves_no_folder(tmp_path: Path) -> None:
    (tmp_path / "duel.map").write_text(f"{DUEL}BEGIN SPRING 99999 MOVEMENT\n")
    done = run("import", str(tmp_path / "duel.map"), "--into", str(tmp_path))
    assert done.exit_code == 1, done.output
    assert [path.name for path in tmp_path.iterdir()] == ["duel.map"]


DRAWN = Path(__file__).parents[2] / "drawings" / "isthmus"


@pytest.fixture
def isthmus(tmp_path: Path) -> Path:
    """A board and its drawing, which wasn't taken yet."""
    return shutil.copytree(DRAWN, tmp_path / "isthmus")


def test_a_drawing_is_taken(isthmus: Path, tmp_path: Path) -> None:
    svg = str(isthmus / "isthmus.svg")
    before = json.loads((isthmus / "map.json").read_text())
    done = run("draw", str(isthmus), svg, "--tolerance", "2", "--out", str(tmp_path / "map.svg"))
    assert done.exit_code == 0, done.output
    after = json.loads((isthmus / "map.json").read_text())
    moved = {"label", "radius", "anchors"}
    for old, new in zip(before["provinces"], after["provinces"], strict=True):
        kept = {key: value for key, value in new.items() if key not in moved}
        assert kept == {key: value for key, value in old.items() if key not in moved}
    assert 'id="pISTH"' in (tmp_path / "map.svg").read_text()
    told = json.loads(run("draw", str(isthmus), svg, "--json").output)
    assert (told["findings"], told["notes"]) == ([], [])


def test_borders_are_proposed_and_not_written(isthmus: Path) -> None:
    spoil(isthmus, "map.json", '"army": ["WES", "MID"]', '"army": []')
    before = (isthmus / "map.json").read_text()
    svg = str(isthmus / "isthmus.svg")
    lines = run("borders", str(isthmus), "--from-drawing", svg).output.splitlines()
    (changed,) = (line for line in lines if line.startswith("* {"))
    assert json.loads(changed[2:])["army"] == ["WES", "MID"]
    rows = json.loads(run("borders", str(isthmus), "--from-drawing", svg, "--json").output)
    assert [row["id"] for row in rows if not row["same"]] == ["ISTH"]
    assert (isthmus / "map.json").read_text() == before


def test_a_drawing_that_cannot_be_taken_changes_nothing(isthmus: Path) -> None:
    before = {file.name: file.read_bytes() for file in isthmus.iterdir()}
    svg = isthmus / "isthmus.svg"
    broken = isthmus.parent / "broken.svg"
    broken.write_text(svg.read_text().replace('id="WES"', 'id="WAS"'))
    done = run("draw", str(isthmus), str(broken))
    assert (done.exit_code, "no shape for WES" in done.output) == (1, True)
    assert run("draw", str(isthmus), str(isthmus / "none.svg")).exit_code == 1
    spoil(isthmus, "map.json", '"kind": "sea"', '"kind": "fen"')
    assert run("draw", str(isthmus), str(svg)).exit_code == 1
    (isthmus / "map.json").write_bytes(before["map.json"])
    assert {file.name: file.read_bytes() for file in isthmus.iterdir()} == before
