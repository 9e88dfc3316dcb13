"""Small emails that once cost minutes, or got replies of megabytes: the cost of each, in steps and bytes.

This covers everything from an email's bytes to the sealed reply. The cost of reading alone is in
tests/orders.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from adjudicator.auth.passwords import seal as sealed_password
from adjudicator.inbound.commands import MAX_PRESS_COPIES
from adjudicator.inbound.filing import MAX_ORDERS_ON_FILE
from adjudicator.inbound.pipeline import handle_letter
from adjudicator.mail.envelope import encode_letter
from adjudicator.messages import sentence
from adjudicator.model.mail import LetterOutcome
from adjudicator.model.orders_on_file import Item, is_flagged, order_of
from adjudicator.model.people import SendPress
from adjudicator.reports import maps
from adjudicator.reports.messages import help_text
from adjudicator.reports.verdict import MAX_REPLY_BYTES
from orders.commands import PLAYER_COMMANDS
from orders.reading.budget import MAX_COMMANDS_PER_LETTER, MAX_LINES_PER_LETTER
from orders.reading.condition_blocks import MAX_IF_DEPTH, MAX_QUESTIONS_PER_ORDER
from tests.kit.mail import letter, stored_letter
from tests.kit.memory_repository import (
    NOON,
    OFFICE,
    MemoryRepository,
    address_for,
    new_position,
    with_changed_seat,
)
from tests.kit.steps import steps


@pytest.fixture(scope="module", autouse=True)
def skip_drawing() -> None:
    """Pictures are drawn: letters are weighed."""


ROOT = Path(__file__).parents[2]
FRANCE, ITALY = "france@example.net", "italy@example.net"
MOST_STEPS = 3_000_000
"""About a second. An order sheet of a normal length takes some ten thousand."""

DEMO_MAP = sentence("inbound.maps_and_history.map_shown", game="demo", turn="Spring 1901, moves")
NO_CONDITION = "This game doesn't know the condition"
NOT_READ = "We didn't read"
"""How the sentence names what is beyond the allowance; it is asked of the catalogue in one test."""

NASTY = "<&\"'=☃" * 400


@dataclass(frozen=True)
class Small:
    """A row: what is written, a sentence that its answer has, and how many orders are on file then."""

    name: str
    text: str
    said: str
    filed: int = 0


SMALL = (
    Small("MAP 1,900 times", "MAP\n" * 1_900, DEMO_MAP),
    Small("GET PROVINCES 1,900 times", "GET PROVINCES\n" * 1_900, "REPLY TO NAMES AND OTHER SPELLINGS"),
    Small("GET MAP beside MAP", "MAP\nGET MAP\nGET map\n" * 600, DEMO_MAP),
    Small("HELP with 1,900 words", "".join(f"HELP w{i}\n" for i in range(1_900)), "360 commands"),
    Small("STATUS of 1,900 games", "".join(f"STATUS g{i}\n" for i in range(1_900)), "360 commands"),
    Small("1,000 brackets", f"IF {'(' * 1_000}A VEN{')' * 1_000} THEN A PAR - BUR", NO_CONDITION),
    Small("2,000 open brackets", f"IF {'(' * 2_000}A VEN THEN A PAR - BUR", NO_CONDITION),
    Small("IF of nothing 1,900 times", "IF … is empty\n" * 1_900, "1,500 lines"),
    Small(
        "IF in IF 900 times",
        "IF A VEN THEN\nA PAR - BUR\n" * 900,
        "too many conditions: up to 12 IFs can be open at once",
        12,
    ),
    Small("900 orders", "A PAR - BUR\nF BRE - MAO\n" * 450, "500 lines", filed=2),
    Small("2,000 misspelt orders", "".join(f"A Parris{i} - Burgndy\n" for i in range(2_000)), "lines ("),
    Small(
        "a line of 100,000 signs", "MAP" + "!," * 50_000 + "x", sentence("reports.transcript.nothing_found")
    ),
    Small("HISTORY of 40 turns", "".join(f"HISTORY S{i}M\n" for i in range(40)), "35 commands"),
    Small("lines of signs", f"A PAR - BUR {NASTY}\n" * 80, "63 to fix. Deadline:"),
    Small(
        "talk of 200 KB",
        ("if your last or " * 180 + "\n") * 70,
        "Your email has more than 200000 bytes of text",
    ),
)


def repository() -> MemoryRepository:
    """A game of two persons, one of whom has a password."""
    return MemoryRepository({"demo": new_position("standard", people={"France": FRANCE, "Italy": ITALY})})


def read_reply(handled: LetterOutcome) -> str:
    """The words of the one answer, on one line."""
    (answer,) = handled.answers
    return " ".join(answer.text.split())


def handle_text(text: str, on: MemoryRepository) -> LetterOutcome:
    """Process an email from France and return its outcome."""
    to = address_for(on.positions["demo"], "France")
    handled = handle_letter(
        stored_letter(letter(text, sender=FRANCE, to=to, subject="Re: x")), on, OFFICE, NOON
    )
    on.do(handled.acts)
    return handled


def weight(handled: LetterOutcome) -> int:
    """The bytes of the answer as it is sent, but for its picture."""
    (answer,) = handled.answers
    service = {"service_address": OFFICE.address, "service_name": OFFICE.name}
    whole = encode_letter(answer, key=OFFICE.key, now=NOON, **service)
    return len(whole.raw) - len(answer.picture or b"") * 78 // 57


@pytest.mark.parametrize("small", SMALL, ids=lambda one: one.name)
def test_a_small_letter_costs_little_and_is_answered_shortly(small: Small) -> None:
    handle_text("MAP", repository())  # draws the picture, which is not what is counted here
    on, done = repository(), list[LetterOutcome]()
    assert steps(lambda: done.append(handle_text(small.text, on))) < MOST_STEPS
    assert weight(done[0]) < MAX_REPLY_BYTES
    assert small.said in read_reply(done[0])
    assert len(orders_on(on)) == small.filed


def test_a_picture_is_drawn_once_for_all_who_ask_for_the_same() -> None:
    on = repository()
    handle_text("MAP", on)
    before = maps.map_picture.cache_info()
    one, other = handle_text("MAP\nMAP demo\nGET MAP\n", on), handle_text("MAP", on)
    assert one.answers[0].picture == other.answers[0].picture
    after = maps.map_picture.cache_info()
    assert (after.misses, after.hits) == (before.misses, before.hits + 2)


def test_an_answer_shows_one_map_and_says_so_of_others() -> None:
    on = repository()
    on.positions["other"] = new_position("indianomacy", name="other")
    said = read_reply(handle_text("MAP\nMAP other\nGET MAP other\n", on))
    assert sentence("inbound.maps_and_history.one_map", shown="demo", wanted="other", turn=None) in said
    assert DEMO_MAP in said
    assert (
        sentence("inbound.maps_and_history.map_shown", game="other", turn="Spring, year 1, moves") not in said
    )


def test_what_is_beyond_the_allowance_is_named_in_one_sentence() -> None:
    text = "".join(f"A PAR - BUR #{i}\n" for i in range(403)) + "".join(f"STATUS g{i}\n" for i in range(3))
    said = read_reply(handle_text(text, repository()))
    assert "We read up to 400 lines and 40 commands per email" in said
    left = (*(f"A PAR - BUR #{i}" for i in range(400, 403)), "STATUS g0", "STATUS g1")
    named = ", ".join(f'"{line}"' for line in left)
    lines = sentence("inbound.too_long.many_lines", number=6, named=named, last="STATUS g2")
    assert sentence("inbound.too_long.left_out", lines=400, commands=40, left=lines) in said
    assert 'and so on to "STATUS g2"' in said
    assert "and and" not in said


def orders_on(on: MemoryRepository) -> list[Item]:
    """Return France's saved orders, without rejected lines."""
    return [item for item in on.positions["demo"].filed.get("France", ()) if order_of(item) is not None]


def test_what_is_left_out_changes_nothing() -> None:
    on = repository()
    handle_text("A PAR - BUR\n" + "I think\n" * 400 + "A PAR - GAS\nF BRE - MAO\nWAIT\n", on)
    (order,) = orders_on(on)
    assert is_flagged(on.positions["demo"].filed["France"]), "and the turn is not played early"
    assert order.slot == "A PAR"
    assert not on.positions["demo"].assignments["France"].wait


def test_an_allowance_is_that_of_a_letter_and_not_of_each_of_its_seats() -> None:
    on = repository()
    on.positions["demo"] = with_changed_seat(
        on.positions["demo"], "Italy", password=sealed_password("three-canoes")
    )
    text = "A PAR - BUR\n" * 300 + "SIGNON demo Italy three-canoes\n" + "A VEN - TYR\n" * 300
    to = address_for(on.positions["demo"], "France")
    handled = handle_letter(
        stored_letter(letter(text, sender=FRANCE, to=to, subject="Re: x")), on, OFFICE, NOON
    )
    france, italy = (" ".join(answer.text.split()) for answer in handled.answers)
    assert NOT_READ not in france
    assert f"{NOT_READ}: 200 lines" in italy


def test_a_letter_carries_120_copies_of_press_and_names_what_it_does_not_carry() -> None:
    handled = handle_text("".join(f"PRESS TO ALL\nhello {i}\nENDPRESS\n" for i in range(30)), repository())
    sent = [act for act in handled.acts if isinstance(act, SendPress)]
    assert len(sent) == MAX_PRESS_COPIES // 6
    assert read_reply(handled).count("Not sent: PRESS TO ALL") == 30 - len(sent)


LONG: dict[str, Callable[[], str]] = {
    "press": lambda: "".join(f"PRESS TO ITALY\n{i}{'x' * 19_000}\nENDPRESS\n" for i in range(10)),
    "press of signs": lambda: "".join(f"PRESS TO ITALY\n{i}{NASTY * 6}\nENDPRESS\n" for i in range(10)),
    "orders on conditions": lambda: "".join(
        f"IF {' AND '.join(['A VEN', 'NOT A ROM'] * 10)} THEN A PAR - BUR ENDIF\n" for _ in range(300)
    ),
    "orders for later turns": lambda: "".join(
        f"PHASE F19{i:02}M: IF A {place} THEN A PAR - BUR\n"
        for i in range(1, 60)
        for place in ("VEN", "ROM", "NAP", "TUN", "SMY", "ANK")
    ),
    "doubts": lambda: "if you agree\nA PAR - BUR or what?\n" * 200,
    "help on all": lambda: "HELP orders\nHELP press\nRULES boer-war\nRULES standard\nRULES great-war\n" * 8,
}


@pytest.mark.parametrize("what", LONG)
def test_no_answer_is_longer_than_200_kilobytes(what: str) -> None:
    handled = handle_text(LONG[what](), repository())
    assert weight(handled) < MAX_REPLY_BYTES


def test_what_an_answer_has_no_room_for_is_counted_in_it() -> None:
    on = repository()
    long = "F BRE - MAO\n" + "".join(f"A PAR - BUR {'<' * 400} {i}\n" for i in range(390))
    said = read_reply(handle_text(long, on))
    assert re.search("This reply would be too long, so we don't show [0-9]+ of your lines", said)
    assert re.search(r"We accepted 1 of them\. [0-9]+ changed nothing or must be fixed", said)
    assert "F BRE - MAO" in said, "what is on file is told whatever else is left out"


def test_a_stranger_s_questions_have_the_same_allowance() -> None:
    raw = letter(
        "".join(f"STATUS g{i}\n" for i in range(1_900)), sender="stranger@example.com", subject="Re: x"
    )
    (answer,) = handle_letter(stored_letter(raw), repository(), OFFICE, NOON).answers
    assert len(answer.text) < MAX_REPLY_BYTES / 4
    assert "360 commands" in " ".join(answer.text.split())


def test_help_and_the_handbook_say_the_limits() -> None:
    handbook = " ".join((ROOT / "docs" / "players.md").read_text(encoding="utf-8").split())
    weights = {verb.name: verb.weight for verb in PLAYER_COMMANDS if verb.weight > 1}
    assert weights == {"MAP": 4, "HISTORY": 8, "INVITE": 4, "MOVES": 4, "RECORD": 8, "SHEET": 8, "TRY": 8}
    assert f"We read up to {MAX_LINES_PER_LETTER} lines and {MAX_COMMANDS_PER_LETTER} commands" in " ".join(
        help_text("general").split()
    )
    assert (
        f"{MAX_LINES_PER_LETTER} lines (not counting press) and {MAX_COMMANDS_PER_LETTER} commands per email"
        in handbook
    )
    assert f"{MAX_PRESS_COPIES} readers" in handbook
    assert f"Up to {MAX_IF_DEPTH} `IF`s can be open at once" in handbook
    assert f"an order can have up to {MAX_QUESTIONS_PER_ORDER} conditions" in handbook


def test_a_seat_has_1_000_orders_on_file_and_a_letter_with_more_is_asked_back() -> None:
    on, places = repository(), ("VEN", "ROM", "NAP", "TUN", "SMY", "ANK", "CON", "BUL", "SER", "GRE", "ALB")
    asked = [
        f"A {one} AND NOT A {other} OR F {third}" for one in places for other in places for third in places
    ]
    heard = [
        read_reply(handle_text("".join(f"IF {one} THEN A PAR - BUR\n" for one in asked[at : at + 300]), on))
        for at in range(0, 1_200, 300)
    ]
    assert NOT_READ not in " ".join(heard)
    too_many = sentence("inbound.filing.too_many", most=MAX_ORDERS_ON_FILE)
    assert [too_many in one for one in heard] == [
        False,
        False,
        False,
        True,
    ]
    assert len(orders_on(on)) == 900
