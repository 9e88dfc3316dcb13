"""``gm report`` prints a turn again, as it was mailed or for a forum."""

import shutil
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from tests.adjudicator.cli.conftest import Terminal


@pytest.fixture(scope="module")
def twice(template_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with one person in it, of which two turns were played; to be copied."""
    folder = tmp_path_factory.mktemp("twice") / "service"
    terminal = Terminal(Path(shutil.copytree(template_folder / "beaver", folder)))
    for _ in range(2):
        terminal.says("turn process beaver")
    return folder


@pytest.fixture
def played_terminal(twice: Path, tmp_path: Path) -> Terminal:
    """That game, in a copy for one test."""
    return Terminal(Path(shutil.copytree(twice, tmp_path / "service")))


def read_mailed_report(terminal: Terminal) -> str:
    """The text of the report that was mailed last."""
    terminal.says("run send")
    letters = [
        message_from_bytes(file.read_bytes(), policy=policy.default)
        for file in (terminal.folder / "mail" / "out" / "new").iterdir()
    ]
    subjects = [str(letter["Subject"]) for letter in letters]
    reports = [
        letter
        for letter, subject in zip(letters, subjects, strict=True)
        if " [beaver F1M " in subject and not subject.startswith("Press:")
    ]
    body = reports[-1].get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def test_a_seat_s_report_is_the_one_that_was_mailed(played_terminal: Terminal) -> None:
    """Two turns ran at once, Fall and Winter; the email tells the first one in fewer words."""
    told = played_terminal.says("report beaver --seat iroquois")
    assert "Iroquois (you)" in told
    sent, rows = (
        [row for row in text.splitlines() if row.startswith("| ")]
        for text in (read_mailed_report(played_terminal), told)
    )
    assert len(sent) > 20
    left = iter(rows)
    assert all(row in left for row in sent), "in their order"


@pytest.mark.parametrize(
    ("form", "mark"), [("bbcode", "[b]Iroquois[/b]"), ("markdown", "### Iroquois"), ("text", "FALL, YEAR 1")]
)
def test_it_is_told_in_the_form_that_is_asked_for(played_terminal: Terminal, form: str, mark: str) -> None:
    assert mark in played_terminal.says(f"report beaver --as {form}")
    told = played_terminal.told(f"report beaver --as {form}")
    assert (told["game"], told["seat"], told["as"]) == ("beaver", None, form)
    assert mark in told["report"]


def test_a_page_of_html_has_its_map_inside(played_terminal: Terminal) -> None:
    out = played_terminal.folder / "report.html"
    assert "report.html" in played_terminal.says(f"report beaver --as html --out {out}")
    page = out.read_text()
    assert 'src="data:image/png;base64,iVBOR' in page
    assert "cid:" not in page


def test_an_earlier_turn_is_told_as_it_stood_then(played_terminal: Terminal) -> None:
    first = played_terminal.says("report beaver --turn s1m")
    assert "Spring, year 1, moves\n" in first
    assert "\nFall, year 1, moves\n" not in first
    assert "| Held: W MHK" in first


def test_before_the_first_turn_the_opening_is_told(terminal: Terminal) -> None:
    terminal.says("game new indianomacy beaver")
    for form in ("text", "html", "bbcode", "markdown"):
        assert "Indianomacy II" in terminal.says(f"report beaver --as {form}")


def test_what_cannot_be_told_is_refused(played_terminal: Terminal) -> None:
    assert 'Game beaver has no turn "F9M"' in played_terminal.refused("report beaver --turn F9M")
    assert "S1M, F1M" in played_terminal.refused("report beaver --turn F9M")
    assert 'has no seat "beaver"' in played_terminal.refused("report beaver --seat beaver")
    assert "Can't write /nowhere/report.txt" in played_terminal.refused(
        "report beaver --out /nowhere/report.txt"
    )


def test_a_deadline_that_moves_takes_the_place_of_the_one_in_calendars(beaver: Terminal) -> None:
    def entries() -> list[dict[str, str]]:
        """The calendar entries of our letters, oldest first."""
        found = []
        for file in sorted(
            (beaver.folder / "mail" / "out" / "new").iterdir(), key=lambda one: one.stat().st_mtime_ns
        ):
            for part in message_from_bytes(file.read_bytes(), policy=policy.default).walk():
                if part.get_content_type() == "text/calendar":
                    content = bytes(part.get_payload(decode=True)).decode()
                    found.append(dict(row.split(":", 1) for row in content.splitlines() if ":" in row))
        return found

    beaver.says("run send")
    beaver.says('turn extend beaver 24h --why "a holiday"')
    beaver.says("run send")
    first, *_, last = entries()
    assert first["UID"] == last["UID"]
    assert int(first["SEQUENCE"]) <= int(last["SEQUENCE"])
    assert first["DTSTART"] < last["DTSTART"]
