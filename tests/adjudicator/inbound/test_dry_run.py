"""A dry run of an email: every key, and every grade that needs no deadline."""

import json
from typing import Any

import pytest

import games
from adjudicator.inbound.dry_run import dry_run, opening_of, position_of
from adjudicator.messages import sentence
from games.protocol import Seat
from tests.kit.mail import letter

KEYS = ["disposition", "why", "answered", "lines", "orders", "commands"]
ROW = ["line", "source", "grade", "read_as", "when", "superseded", "problem", "instead", "candidates"]


def look(text: str, kind: str = "indianomacy", seat: str = "Iroquois", **headers: str) -> dict[str, Any]:
    """Return the dry run of an email in the opening."""
    game = games.kinds()[kind]
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return dry_run(letter(text, headers=named), position_of(game, opening_of(game)), game, Seat(seat))


def test_the_evening_letter() -> None:
    found = look("Mohok - Delaware, Oneida S Mohawk to Delaware\n\nsee you at the bay\nSTATUS")
    assert list(found) == KEYS
    assert (found["disposition"], found["why"], found["answered"]) == ("read", None, True)
    assert found["lines"] == [
        "Mohok - Delaware, Oneida S Mohawk to Delaware",
        "see you at the bay",
        "STATUS",
    ]
    assert found["orders"][0] == {
        "line": "Mohok - Delaware",
        "source": "body",
        "grade": "corrected",
        "read_as": "W MHK - DEL",
        "when": None,
        "superseded": False,
        "problem": 'we read "Mohok" as Mohawk',
        "instead": None,
        "candidates": [],
    }
    assert [list(row) for row in found["orders"]] == [ROW, ROW]
    assert found["commands"] == [{"line": "STATUS", "verb": "STATUS", "args": [], "text": ""}]
    assert json.loads(json.dumps(found)) == found


@pytest.mark.parametrize(
    ("line", "grade", "read_as", "when"),
    [
        ("W Mohawk - Delaware", "taken", "W MHK - DEL", None),
        ("Mohawk - Delaware?", "doubtful", "W MHK - DEL", None),
        ("Mohawk - Nootka", "unlawful", "W MHK - NOO", None),
        ("WAIVE", "idle", "WAIVE", None),
        ("Mohawk - Nowhereland", "unread", None, None),
        ("PHASE F1M: Mohawk - Nootka", "taken", "W MHK - NOO", "PHASE F1M"),
        ("PHASE S1M: Mohawk - Nootka", "unlawful", "W MHK - NOO", "PHASE S1M"),
        ("IF NOT W Delaware THEN Mohawk - Delaware ENDIF", "taken", "W MHK - DEL", "IF NOT W DEL"),
        ("IF W Delaware THEN Mohawk - Nootka ENDIF", "unlawful", "W MHK - NOO", "IF W DEL"),
        ("PHASE W9A: Mohawk H", "unread", None, None),
        ("PHASE F0M: Mohawk H", "late", "W MHK H", "PHASE F0M"),
    ],
)
def test_each_grade(line: str, grade: str, read_as: str | None, when: str | None) -> None:
    row = look(line)["orders"][0]
    assert (row["grade"], row["read_as"], row["when"]) == (grade, read_as, when)
    assert bool(row["problem"]) == (grade != "taken")


def test_what_is_said_twice_counts_once() -> None:
    """The last legal order counts; those of the two branches of an IF are kept side by side."""
    found = look(
        "Mohawk H\nMohawk - Delaware\nMohawk - Nootka\nIF W Huron THEN Oneida H ELSE Oneida - Delaware ENDIF"
    )
    assert [row["superseded"] for row in found["orders"]] == [True, False, False, False, False]
    assert [row["when"] for row in found["orders"]][3:] == ["IF W HUR", "ELSE"]


def test_words_that_only_give_structure_are_no_commands() -> None:
    found = look("PHASE F1M\nIF W Huron THEN\nOneida H\nELSE\nSeneca H\nENDIF")
    assert found["commands"] == []
    assert len(found["orders"]) == 2


def test_a_robots_letter_is_not_read() -> None:
    found = look("Mohawk H", Auto_Submitted="auto-replied")
    assert list(found) == KEYS
    assert (found["disposition"], found["answered"], found["orders"]) == ("ignored", False, [])
    assert found["why"] == sentence("inbound.filters.of_a_robot", auto="auto-replied")


def test_a_lists_letter_waits() -> None:
    found = look("Mohawk H", List_Id="<games.example.org>")
    assert (found["disposition"], found["answered"]) == ("quarantined", False)


def test_a_weak_sign_of_a_robot_is_none_where_the_seat_is_known() -> None:
    assert look("Mohawk H", Precedence="bulk")["disposition"] == "read"


def test_an_edited_line_of_the_sheet_is_an_order() -> None:
    quoted = "\n".join(
        "> " + line
        for line in (
            "Order sheet, change it and send it back:",
            "",
            "W MHK - DEL",
            "W ONE H",
            "W ONO H",
            "W SEN H",
            "",
        )
    )
    rows = look(f"done below\n\nOn Monday, the service wrote:\n{quoted}\n")["orders"]
    assert [(row["source"], row["read_as"]) for row in rows] == [("sheet", "W MHK - DEL")]


def test_a_stop_is_read_in_a_game_of_queues() -> None:
    found = look("stop if flint is on top\ndrop marble", kind="cairn", seat="player")
    stop = found["orders"][0]
    assert (stop["grade"], stop["read_as"], stop["when"]) == (
        "taken",
        "STOP IF flint is on top",
        None,
    )
    (idle,) = look("stop if W Huron")["orders"]
    assert (idle["grade"], idle["read_as"]) == ("idle", "STOP IF W HUR")


def test_every_kind_can_be_looked_at() -> None:
    """From its opening, for each of its seats."""
    for kind, game in games.kinds().items():
        position = position_of(game, opening_of(game))
        for seat in position.assignments:
            assert dry_run(letter("hello"), position, game, seat)["orders"] == [], kind


@pytest.mark.parametrize(
    "subject", ["Automatic reply: orders", "Out of office until Monday", "Risposta automatica"]
)
@pytest.mark.parametrize(
    ("text", "disposition"),
    [
        ("I am away until Monday.", "ignored"),
        ("Mohawk - Delaware\n\nI am away until Monday.", "read"),
        ("I shall move Mohawk to Delaware", "ignored"),
        ("Away from 20 December to 5 January", "ignored"),
        ("I am away.\n\n> W MHK - DEL", "ignored"),
        ("I am away.\n-- \nMohawk - Delaware", "ignored"),
    ],
)
def test_a_subject_of_absence_silences_no_order(subject: str, text: str, disposition: str) -> None:
    game = games.kinds()["indianomacy"]
    raw = letter(text, subject=subject)
    found = dry_run(raw, position_of(game, opening_of(game)), game, Seat("Iroquois"))
    assert found["disposition"] == disposition
