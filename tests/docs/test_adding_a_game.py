"""The tutorial's game: its code is found, passes the checks, and is played by email to the end.

The contract tests check its laws, as for every other kind (tests/kit/toy.py).
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import games
from adjudicator.admin import game_admin
from adjudicator.messages import sentence
from tests.kit import tutorial
from tests.kit.page_examples import lines, run_commands
from tests.kit.service_harness import LocalService, local_service, text_of
from tests.kit.toy import toy_found

ROOT = Path(__file__).parents[2]
PLAYER = "first@example.org"


@pytest.fixture(autouse=True)
def found() -> Iterator[None]:
    """The tutorial's folder is one of those in which kinds are found."""
    with toy_found():
        yield


def test_it_is_a_whole_game_in_about_two_hundred_lines() -> None:
    files = tutorial.files()
    assert "stones" in games.kinds()
    assert {"stones/__init__.py", "stones/clauses.toml", "stones/templates/board.svg"} < set(files)
    assert sum(len(text.splitlines()) for text in files.values()) < 215


def test_its_code_keeps_to_the_style_of_the_house(tmp_path: Path) -> None:
    tutorial.write(tmp_path / "games")
    ruff = [sys.executable, "-m", "ruff"]
    settings = ["--config", str(ROOT / "pyproject.toml"), "--no-cache", str(tmp_path)]
    for asked in (["check"], ["format", "--check"]):
        # The exceptions for each file are named from the folder in which ruff runs.
        done = subprocess.run(
            [*ruff, *asked, *settings], capture_output=True, text=True, check=False, cwd=tmp_path
        )
        assert done.returncode == 0, done.stdout


def test_what_the_page_says_to_type_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_commands(["gm init --no-local --timezone UTC --yes", *lines(tutorial.PAGE.read_text())])


def letters(place: LocalService) -> list[str]:
    return [text_of(one) for one in place.mail(PLAYER)]


def test_it_is_played_by_mail_from_the_first_letter_to_the_last(tmp_path: Path) -> None:
    """One letter holds several moves, one is refused in words, and the bot plays the other seat."""
    with local_service(tmp_path) as place:
        game_admin.new_game(
            place.service, game_admin.GameRequest("stones", "pebble", {"last": "wins"}), secret=b"sealed"
        )
        game_admin.assign(place.service, "pebble", "first", PLAYER)
        place.work()
        (welcome,) = place.mail(PLAYER)
        assert any(part.get_content_type() == "image/png" for part in welcome.walk())
        place.answer(PLAYER, welcome, "take 5\nremove 2 stones, please")
        place.work()
        (verdict,) = letters(place)[1:]
        assert sentence("reports.transcript.not_possible", why="that is too much") in verdict
        assert f"{sentence('reports.transcript.write')}  take 3" in verdict
        place.answer(PLAYER, welcome, "remove 2 stones, please")
        place.work()
        report = letters(place)[-1]
        assert re.search(r"took 2; \d+ left\.", report)
        for _ in range(12):
            if not game_admin.position_of(place.service, "pebble").is_running:
                break
            place.clock.advance(3_600_000)
            place.answer(PLAYER, place.mail(PLAYER)[-1], "IF 3 left THEN take 3\nELSE\ntake 1\nENDIF")
            place.work()
        assert not game_admin.position_of(place.service, "pebble").is_running
        assert "The game is over" in " ".join(letters(place)[-1].split())
        assert game_admin.prove(place.service, "pebble").fault is None
