"""A reply in any game begins with its count and its deadline, and says nothing twice."""

import re
import textwrap
from dataclasses import replace

import pytest

import games
from adjudicator.inbound.pipeline import handle_letter
from adjudicator.messages import sentence
from adjudicator.model.deadlines import Stop, Timing
from adjudicator.model.games import GamePosition
from adjudicator.model.mail import LetterDraft
from adjudicator.reports.order_sheet import sheet
from games.record import replace_fields
from orders.mail.html_rows import rows_of
from orders.mail.service_text import begins_as_title
from tests.kit.mail import letter, stored_letter
from tests.kit.memory_repository import (
    NOON,
    OFFICE,
    MemoryRepository,
    address_for,
    game_of,
    new_position,
)

PHONE_COLUMNS, FIRST_ROWS = 40, 12
PLAYER, OTHER = "player@example.org", "other@example.org"
KINDS = tuple(games.kinds())
TIMES = ("deadline", "paused", "late", "solo")
ASKED = {
    "MOVES": "MOVES",
    "HELP": "HELP",
    "STATUS": "STATUS",
    "WAIT": "WAIT",
    "READY": "READY",
    "nothing": "Hello GM, how are you?",
    "mistakes": "{order}\nstauts\n",
    "both": "{order}\nA Xyzzy - Foobar\nMOVES\nHELP\nRULES\nSTATUS\nWAIT",
}


def position_at(kind: str, time: str) -> tuple[GamePosition, str]:
    """Return a game in its first turn, and a seat of a player from whom orders are due."""
    start = new_position(kind)
    seats = [due.seat for due in game_of(start).rules.due(start.state) if due.seat != "ai"]
    others = [seat for seat in start.assignments if seat not in (seats[0], "ai")]
    people = {seats[0]: PLAYER} | ({others[0]: OTHER} if others and time != "solo" else {})
    position = new_position(kind, people=people)
    if time == "solo":
        deadlines = replace_fields(position.deadlines, solo="waits")
        position = replace(position, deadline=None, deadlines=deadlines)
    if time == "paused":
        stop = Stop(kind="pause", since=NOON, left=3_600_000, by="gm", why="A holiday.")
        position = replace(position, deadline=None, timing=Timing(stop=stop))
    return position, seats[0]


def reply_to(position: GamePosition, seat: str, text: str, time: str) -> LetterDraft:
    """Return the reply to an email of the seat's player."""
    order = next(iter(sheet(game_of(position), position, seat)), "")
    at = (position.deadline or NOON) + 60_000 if time == "late" else NOON
    raw = letter(text.format(order=order), sender=PLAYER, to=address_for(position, seat), date=at)
    repository = MemoryRepository({position.name: position})
    (answer,) = handle_letter(stored_letter(raw, at), repository, OFFICE, at).answers
    return answer


def on_a_phone(text: str) -> list[str]:
    """Return the rows of a plain text as a narrow screen breaks them."""
    return [
        row
        for line in text.split("\n")
        for row in textwrap.wrap(line, PHONE_COLUMNS, break_long_words=True, drop_whitespace=True) or [""]
    ]


CASES = [(kind, time, asked) for kind in KINDS for time in TIMES for asked in ASKED]


@pytest.mark.parametrize(("kind", "time", "asked"), CASES)
def test_the_deadline_is_on_the_first_screen_of_a_phone(kind: str, time: str, asked: str) -> None:
    position, seat = position_at(kind, time)
    reply = reply_to(position, seat, ASKED[asked], time)
    first = on_a_phone(reply.text)[:FIRST_ROWS]
    assert any("deadline" in row.lower() for row in first), "\n".join(first)
    page = [row.text for row in rows_of(reply.html or "") if row.text.strip()]
    assert any("deadline" in row.lower() for row in page[: FIRST_ROWS // 2]), page[:FIRST_ROWS]


@pytest.mark.parametrize("kind", KINDS)
def test_the_count_stands_first_and_what_is_to_fix_above_what_is_accepted(kind: str) -> None:
    position, seat = position_at(kind, "deadline")
    rows = reply_to(position, seat, ASKED["mistakes"], "deadline").text.split("\n")
    counts = sentence("reports.transcript.counts", problems=1, taken=1)
    assert next(row for row in rows[2:] if row) == f"{counts}."
    marks = [row[0] for row in rows if row[:2] in ("✓ ", "✗ ", "– ")]
    assert marks == sorted(marks, key="✗✓–".index)
    assert marks.count("✗") == 1


# What an email says, a sentence at a time: each fact stands in it once, in one wording.
FACTS = {
    "the deadline": r"\bdeadline\b.*\d\d:\d\d",
    "no deadline": r"deadline:? +none|there is no deadline",
    "waiting": r"\basked to wait\b|\bthe turn won't run until you send NOWAIT\b",
    "being ready": r"\byou're ready\b",
    "nothing due": r"\bnothing is due from you\b",
    "what is missing": r"(?:^|\. )missing:",
    "how to change an order": r"\bto change an order\b",
    "an early run": r"\bthe turn runs early if\b",
    "being held by a mistake": r"\bwon't run (?:early )?until you fix\b",
}


@pytest.mark.parametrize(("kind", "time", "asked"), CASES)
def test_nothing_is_said_twice(kind: str, time: str, asked: str) -> None:
    """Not in other words either; answers to HELP, RULES or STATUS may repeat it."""
    position, seat = position_at(kind, time)
    reply = reply_to(position, seat, ASKED[asked], time)
    own = re.sub(r"(?ms)^REPLY TO .*?(?=^YOUR ORDERS FOR)", "", reply.text)
    rows = [row for row in own.split("\n") if not row.startswith(("> ", "|"))]
    title = next((at for at, row in enumerate(rows) if begins_as_title(row)), None)
    said = " ".join("\n".join(rows[:title]).split())
    for fact, pattern in FACTS.items():
        assert len(re.findall(pattern, said, re.IGNORECASE)) <= 1, (fact, said)
    told = [one for one in re.split(r"(?<=[.!?]) ", said) if len(one.split()) > 4]
    assert sorted(set(told)) == sorted(told)
