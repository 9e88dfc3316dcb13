"""``gm game``, ``seat``, ``turn`` and ``map``: the GM's commands for games."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.adjudicator.cli.conftest import Terminal
from tests.adjudicator.cli.typing_hand import typed_at_terminal


def test_a_new_game_tells_the_next_step(terminal: Terminal) -> None:
    said = terminal.says("game new Indianonacy beaver")
    assert said.startswith("beaver: a game of Indianomacy II, 8 seats, all with bots.\n")
    assert "gm seat assign beaver" in said


def test_a_name_left_out_is_kind_and_number(terminal: Terminal) -> None:
    first = terminal.told("game new indianomacy")
    assert (first["game"], first["turn"]["short"], first["early"]) == ("indianomacy-1", "S1M", True)
    assert terminal.told("game new indianomacy --no-early")["game"] == "indianomacy-2"


def test_options_are_kept(terminal: Terminal) -> None:
    told = terminal.told("game new indianomacy beaver --option last_year=3 --no-early")
    assert told["options"]["last_year"] == 3
    assert told["early"] is False


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("game new chess", 'No game is called "chess"'),
        ("game new indianomacy Beaver.1", 'Can\'t call a game "Beaver.1"'),
        ("game new indianomacy x --option moon=full", "Option moon: there is no such option"),
        ("game new indianomacy x --option last_year=soon", 'Option last_year: "soon" isn\'t a whole number'),
        ("game show otter", 'No game called "otter"'),
        ("game replay otter", 'No game called "otter"'),
        ("seat show otter Iroquois", 'No game called "otter"'),
        ("turn process otter", 'No game called "otter"'),
        ("map otter", 'No game called "otter"'),
    ],
)
def test_what_cannot_be_done_is_refused_with_what_to_do(
    terminal: Terminal, line: str, complaint: str
) -> None:
    assert terminal.refused(line).startswith(complaint)


def test_a_refusal_says_what_to_do(beaver: Terminal) -> None:
    assert beaver.refused("game show otter") == 'No game called "otter". Games: beaver.\n'


def test_a_refusal_for_programs(beaver: Terminal) -> None:
    result = beaver.gm("game show otter --json")
    assert result.exit_code == 1
    assert '"what": "No game called \\"otter\\""' in result.stdout
    assert result.stderr == ""


def test_a_name_that_is_taken(beaver: Terminal) -> None:
    assert "another game has that name" in beaver.refused("game new indianomacy beaver")


def test_without_settings_nothing_is_done(tmp_path: Path) -> None:
    assert 'Use "gm init"' in Terminal(tmp_path).refused("game list")


def test_books_that_cannot_be_opened(terminal: Terminal) -> None:
    (terminal.folder / "turnpost.db").write_bytes(b"no database at all, but long enough to be looked at" * 9)
    result = terminal.gm("game list")
    assert result.exit_code == 1
    assert "turnpost.db" in result.stderr


def test_the_list_of_games(terminal: Terminal) -> None:
    assert "gm game new" in terminal.says("game list")
    terminal.says("game new indianomacy beaver")
    terminal.says("seat assign beaver iroquois iroquois@example.org")
    head, row = terminal.says("game list").splitlines()
    assert head.split() == ["game", "kind", "turn", "deadline", "players", "missing"]
    assert row.split()[:3] == ["beaver", "indianomacy", "S1M"]
    assert row.split()[-2:] == ["1", "1"]
    assert [one["game"] for one in terminal.told("game list")] == ["beaver"]


def test_a_game_as_it_stands(beaver: Terminal) -> None:
    shown = beaver.says("game show beaver")
    assert "Turn: Spring, year 1, moves (S1M)" in shown
    assert "Deadline: " in shown
    assert "missing: W Mohawk, W Oneida, W Onondaga, W Seneca" in shown
    assert "Supply centres" in shown
    told = beaver.told("game show beaver")
    seats = {seat["seat"]: seat for seat in told["seats"]}
    assert seats["Iroquois"]["missing"] == ["W Mohawk", "W Oneida", "W Onondaga", "W Seneca"]
    assert seats["Dakota"] == {
        "seat": "Dakota",
        "player": "bot",
        "address": None,
        "bot": "intermediate",
        "temperament": None,
        "drawn": None,
        "owes": True,
        "missing": [],
        "wait": False,
        "ready": False,
        "missed": 0,
        "trouble": None,
    }
    assert (told["status"], told["result"], told["turns_played"]) == ("running", None, 0)


def test_a_seat_is_given_and_taken_back(beaver: Terminal) -> None:
    assert beaver.told("seat show beaver IROQUOIS")["address"] == "iroquois@example.org"
    assert "A bot now plays Iroquois" in beaver.says("seat assign beaver iroquois bot")
    assert beaver.told("seat show beaver iroquois")["player"] == "bot"
    assert beaver.told("seat assign beaver iroquois else@example.org")["address"] == "else@example.org"


def test_a_password_is_told_to_nobody_but_its_player(terminal: Terminal) -> None:
    terminal.says("game new indianomacy beaver")
    said = terminal.says("seat assign beaver iroquois iroquois@example.org")
    raw = terminal.gm("mail show 1 --out --raw").stdout
    password = raw.split("SIGNON beaver Iroquois ")[1].split()[0]
    assert len(password) == 12
    readable = terminal.says("mail show 1 --out") + terminal.says("mail show 1 --out --json")
    listed = terminal.says("mail list --out") + terminal.says("seat show beaver iroquois --json")
    assert password not in said + readable + listed


def test_a_seat_that_is_not_there(beaver: Terminal) -> None:
    assert beaver.refused("seat show beaver huron").startswith('Game beaver has no seat "huron"')
    assert "isn't a player's address" in beaver.refused("seat assign beaver dakota nobody")
    assert "isn't a player's address" in beaver.refused("seat assign beaver dakota gm@example.org")


def test_orders_on_file_in_canonical_form(beaver: Terminal) -> None:
    reply = beaver.told("seat show beaver iroquois")["reply_address"]
    assert reply.startswith("gm+beaver.iroquois.")
    assert "No saved orders." in beaver.says("seat show beaver iroquois")
    beaver.mail(reply, "Mohawk - Delaware\nWAIT\n")
    beaver.says("run poll")
    beaver.says("run process")
    shown = beaver.says("seat show beaver iroquois")
    assert "Saved orders:\n  W MHK - DEL\n" in shown
    assert "WAIT" in shown
    told = beaver.told("seat show beaver iroquois")
    assert (told["orders"], told["wait"], len(told["missing"])) == (["W MHK - DEL"], True, 3)
    assert beaver.told("seat show beaver dakota")["reply_address"] is None


def test_a_turn_played_by_hand(beaver: Terminal) -> None:
    said = beaver.says("turn process beaver")
    assert said.startswith("Processed S1M of beaver. ")
    assert "due " in said
    told = beaver.told("turn process beaver")
    assert len(told["played"]) >= 1
    assert told["result"] is None
    seats = beaver.told("game show beaver")["seats"]
    assert next(seat for seat in seats if seat["seat"] == "Iroquois")["missed"] >= 1


def test_a_game_that_is_over(terminal: Terminal) -> None:
    terminal.says("game new indianomacy beaver --option last_year=1")
    while terminal.told("game show beaver")["status"] == "running":
        last = terminal.says("turn process beaver")
    assert "The game is over: " in last
    assert "Won by " in terminal.says("game show beaver")
    told = terminal.told("game show beaver")
    assert (told["turn"], told["deadline"]) == (None, None)
    assert told["result"]["reason"]
    assert "the game is over" in terminal.refused("turn process beaver")
    assert "the game is over" in terminal.refused("seat assign beaver iroquois iroquois@example.org")
    assert terminal.says("game replay beaver").endswith("turns, identical.\n")


def test_on_a_terminal_it_asks_before_people_are_left_out(beaver: Terminal) -> None:
    words = ["--config", str(beaver.config), "turn", "process", "beaver"]
    code, shown = typed_at_terminal(words, "n\n")
    assert code == 1
    assert "Orders of Iroquois are missing" in shown
    assert beaver.told("game show beaver")["turns_played"] == 0
    assert typed_at_terminal(words, "y\n")[0] == 0
    code, shown = typed_at_terminal([*words, "--yes"], "")
    assert code == 0
    assert "missing" not in shown
    assert beaver.told("game show beaver")["turns_played"] >= 2


def test_a_log_that_was_not_tampered_with(beaver: Terminal) -> None:
    assert beaver.says("game replay beaver") == "beaver: 0 turns, identical.\n"
    beaver.says("turn process beaver")
    told = beaver.told("game replay beaver")
    assert told["difference"] is None
    assert told["entries"] == told["turns"] + 1
    assert told["turns"] >= 1


def test_a_log_that_was_tampered_with(beaver: Terminal) -> None:
    beaver.says("turn process beaver")
    with closing(sqlite3.connect(beaver.folder / "turnpost.db")) as repository, repository:
        (state,) = repository.execute("select state from entry where number = 1").fetchone()
        assert b'"61"' in state
        repository.execute(
            "update entry set state = ? where number = 1", (state.replace(b'"61"', b'"60"', 1),)
        )
    assert "entry 1 (S1M): the state differs; before that, 0 turns agree" in beaver.refused(
        "game replay beaver"
    )
    result = beaver.gm("game replay beaver --json")
    assert result.exit_code == 1
    assert '"difference": "entry 1' in result.stdout


def test_a_state_that_its_game_cannot_read(beaver: Terminal) -> None:
    with closing(sqlite3.connect(beaver.folder / "turnpost.db")) as repository, repository:
        repository.execute("update game set state = ?", (b'{"pebbles": 3}',))
    refused = beaver.refused("game show beaver")
    assert "is suspended: it cannot be read: Malformed: Object contains unknown field `pebbles`" in refused


def test_a_map_as_svg_and_png(beaver: Terminal, tmp_path: Path) -> None:
    printed = beaver.says("map beaver")
    assert printed.startswith("<svg") or printed.startswith("<?xml")
    svg, png = tmp_path / "map.svg", tmp_path / "map.PNG"
    assert "Drew the map" in beaver.says(f"map beaver --out {svg}")
    assert svg.read_text(encoding="utf-8") == printed.removesuffix("\n")
    told = beaver.told(f"map beaver --out {png}")
    assert told == {"game": "beaver", "turn": "S1M", "file": str(png), "svg": None}
    assert png.read_bytes().startswith(b"\x89PNG")
    assert beaver.told("map beaver")["svg"] == printed.removesuffix("\n")


def test_a_map_that_cannot_be_written(beaver: Terminal, tmp_path: Path) -> None:
    assert "Can't write" in beaver.refused(f"map beaver --out {tmp_path / 'no' / 'map.svg'}")


def test_maps_are_drawn_for_those_who_get_them(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second of work, so none while all seats are bots'."""
    drawn: list[object] = []
    monkeypatch.setattr(
        "adjudicator.outbound.composer.draw_map", lambda *position, **turn: drawn.append(turn)
    )
    terminal.says("game new standard vienna")
    terminal.says("turn process vienna")
    assert drawn == []
    for seat in ("france", "england"):
        terminal.says(f"seat assign vienna {seat} {seat}@example.org")
    assert len(drawn) == 2, "for the welcomes"
    terminal.says("turn process vienna --yes")
    assert len(drawn) == 4, "for two reports, each of which has a front of its own"
