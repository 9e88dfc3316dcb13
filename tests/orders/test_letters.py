"""The collection of letters: each as a mail program writes it, each with what it says."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders.mail.body import fresh_lines
from orders.mail.letter import fingerprint, open_letter
from orders.reading.letter_reader import LetterReading, read_lines
from orders.verdict import LineVerdict
from orders.words import strip_bullets
from tests.kit.dry_runs import read_letter
from tests.orders.plain import BOOK

FOLDER = Path(__file__).parent.parent / "letters"
LETTERS = sorted(FOLDER.glob("*.eml"))
"""Letters to the small game that `plain` has."""
PLAYED = sorted(FOLDER.glob("*/*.eml"))
"""Letters to the games that are played."""
SHEET = ("W MHK H", "W ONE H", "W ONO H", "W SEN H")
RAW = [path.read_bytes() for path in LETTERS]


def row(verdict: LineVerdict, keys: list[str]) -> dict[str, object]:
    """A verdict as `gm mail read` shows it, with these keys."""
    whole = {
        "line": verdict.line,
        "source": verdict.source,
        "grade": verdict.grade,
        "read_as": verdict.said,
        "superseded": verdict.superseded,
        "problem": verdict.problem,
        "instead": verdict.instead,
        "candidates": list(verdict.candidates),
    }
    return {key: whole[key] for key in keys}


@pytest.mark.parametrize("path", LETTERS, ids=lambda path: path.stem)
def test_a_letter_says_what_was_written_down_for_it(path):
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    letter = open_letter(path.read_bytes())
    assert letter.sender == "iroquois@example.org"
    lines = fresh_lines(letter, tuple(expected["sheet"]))
    assert [[line.source, line.text] for line in lines if not line.below] == expected["lines"]
    reading = read_lines(lines, BOOK)
    assert len(reading.orders) == len(expected["orders"])
    for verdict, wanted in zip(reading.orders, expected["orders"], strict=True):
        assert row(verdict, list(wanted)) == wanted
    commands = [
        {"line": one.line, "verb": one.verb, "args": list(one.args), "text": one.text}
        for one in reading.commands
    ]
    assert commands == expected["commands"]


def note_on(path: Path) -> dict[str, Any]:
    """Return the stored data of an email before it was read."""
    note: dict[str, Any] = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return note


def in_a_line(row: dict[str, Any]) -> str:
    """Return an order of `gm mail read`: its source if it isn't a body, grade, condition, and the text read
    or written.
    """
    source = "" if row["source"] == "body" else row["source"]
    when = row["when"] and f"[{row['when']}]"
    superseded = "superseded" if row["superseded"] else ""
    return " ".join(filter(None, (source, row["grade"], when, row["read_as"] or row["line"], superseded)))


@pytest.mark.parametrize("path", PLAYED, ids=lambda path: path.stem)
def test_a_letter_of_a_game_says_what_was_written_down_for_it(path):
    note = note_on(path)
    found = read_letter(path.read_bytes(), note["kind"], note["seat"], note.get("position"))
    assert found["disposition"] == note.get("disposition", "read")
    assert found["lines"] == note["lines"]
    assert [in_a_line(row) for row in found["orders"]] == note["orders"]
    commands = [
        " ".join((one["verb"], *one["args"])) + (f": {one['text']}" if one["text"] else "")
        for one in found["commands"]
    ]
    assert commands == note["commands"]


def test_the_collection_is_whole():
    assert len(LETTERS) + len(PLAYED) >= 150
    assert all(note_on(path)["known_from"] for path in (*LETTERS, *PLAYED))
    kinds = {note_on(path)["kind"] for path in PLAYED}
    assert kinds >= {"standard", "indianomacy", "war-chest", "plains-indian-wars"}


def everything(raw: bytes) -> LetterReading:
    """The whole way of a letter through the reader."""
    assert len(fingerprint(raw)) == 64
    letter = open_letter(raw)
    assert not any(defect.startswith("unreadable") for defect in letter.defects)
    texts = (letter.message_id, letter.sender, letter.sender_name, letter.subject, *letter.recipients)
    assert all(text.isprintable() for text in (*texts, *letter.thread, *letter.marks.values()))
    lines = fresh_lines(letter, SHEET)
    assert all(line.text.isprintable() for line in lines)
    return read_lines(lines, BOOK)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A letter of the collection with pieces cut, doubled, overwritten or put in."""
    raw = draw(st.sampled_from(RAW))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(raw)))
        end = min(len(raw), start + draw(st.integers(0, 80)))
        piece = draw(
            st.one_of(
                st.binary(max_size=40),
                st.just(raw[start:end] * 2),
                st.sampled_from(
                    [b"", b"\r\n", b"\0", b"> ", b"-- \n", b"=?utf-8?q?", b"--", b"\xff\xfe", b"<"]
                ),
            )
        )
        raw = raw[:start] + piece + raw[end:]
    return raw


@given(mutated())
def test_a_damaged_letter_never_raises(raw):
    everything(raw)


@given(st.binary(max_size=2_000))
def test_bytes_that_are_no_letter_never_raise(raw):
    everything(raw)


@pytest.mark.long
@given(st.lists(st.text(max_size=60), max_size=8))
def test_any_text_is_read(lines):
    everything(b"Content-Type: text/plain; charset=utf-8\n\n" + "\n".join(lines).encode("utf-8", "replace"))


WORDS = [
    *["W", "A", "S", "H", "D", "-", ",", ";", "?", ":", "10", "61", "b", "i"],
    "Mohawk",
    "Mohok",
    "Oneida",
    "to",
    "supports",
    "Lake",
    "Erie",
    "I",
    "if",
]


NAMES = ["10", "61", "Mohawk", "Mohok", "Oneida", "Lake", "Erie", "b", "i", "A"]


@given(st.lists(st.sampled_from(WORDS), max_size=14))
def test_whatever_is_taken_is_the_line_as_it_stands(pieces):
    """An order in force has every name and number of its line in it, and no question is in force."""
    text = " ".join(pieces)
    for verdict in everything(b"\n" + text.encode()).orders:
        if verdict.grade == "taken":
            bare = strip_bullets(verdict.line)
            assert "?" not in bare
            assert ("61" in bare.split()) <= ("DEL" in verdict.said)
            assert ("10" in bare.split() or "Mohawk" in bare) <= ("MHK" in verdict.said)
            behind = bare.partition("-")[2].split()[:1]
            goes = " to " in bare.partition("-")[0] or bool(behind and behind[0] in NAMES)
            assert goes <= (" - " in verdict.said)
