"""Reports of many turns: the size of each email, and the news of turns long ago."""

from itertools import islice

import pytest

from adjudicator.mail.envelope import encode_letter
from adjudicator.messages import sentence
from adjudicator.reports import messages
from adjudicator.reports.messages import MAX_REPORT_BYTES, weight_of
from adjudicator.reports.report import ReportPassage, TurnChapter, compile_report
from games.protocol import ReportLine, Turn
from games.record import replace_fields
from tests.kit.game_emails import letters_of_turns
from tests.kit.memory_repository import OFFICE

WEIGHED = {
    "standard": 3,
    "fleet-rome": 3,
    "chaos": 7,
    "indianomacy": 4,
    "war-chest": 3,
    "plains-indian-wars": 3,
    "great-war": 3,
    "boer-war": 3,
}
"""By kind of game, how many deadlines are played before a letter is weighed."""


def sealed(letter):
    return encode_letter(
        letter, key=OFFICE.key, service_address=OFFICE.address, service_name=OFFICE.name, now=0
    ).raw


@pytest.mark.parametrize("kind", WEIGHED)
def test_a_report_as_it_is_sent_has_less_than_200_kilobytes(kind):
    """With its pictures, in base64; also for many turns at once."""
    one = list(islice(letters_of_turns(kind), WEIGHED[kind]))[-1]
    letter = one.report()
    raw = sealed(letter)
    assert len(raw) < MAX_REPORT_BYTES
    assert abs(len(raw) - weight_of(letter)) < 6_000
    assert letter.picture


def chapters(kit, count, words, own=""):
    lines = (ReportPassage("Oak", (ReportLine(heading="Oak", text="damson " * words),)),)
    mine = (ReportPassage(str(kit.ELM), (ReportLine(heading="Elm", text=own),)),) if own else ()
    return tuple(
        TurnChapter(
            Turn(name=f"Year {n}", short=f"Y{n}P", kind="moves"),
            f"What came of year {n}.",
            (*lines, *mine),
            (),
        )
        for n in range(1, count + 1)
    )


def write_report(kit, told_of, picture=b""):
    report = replace_fields(
        compile_report(kit.game(), kit.position(), kit.played(), kit.ELM), chapters=told_of
    )
    return messages.turn_report(kit.game(), report, kit.reader(), messages.Enclosed(picture=picture or None))


def test_of_few_turns_all_is_told(kit):
    letter = write_report(kit, chapters(kit, 3, 300))
    assert letter.text.count("damson") == 900
    assert "HISTORY" not in letter.text


def test_of_many_turns_the_last_are_told_whole_and_the_others_in_a_sentence(kit):
    letter = write_report(kit, chapters(kit, 40, 900, own="picker pear to plum: what is mine"))
    assert weight_of(letter) < MAX_REPORT_BYTES
    assert "\nYear 1 to Year 40\n" in letter.text
    assert "HISTORY Y1P" in " ".join(letter.text.split())
    assert "HISTORY Y1P" in letter.html
    parts = letter.text.split("YEAR ")
    assert parts[-1].count("damson") == 900
    for number in range(1, 41):
        assert f"What came of year {number}." in letter.text or f"YEAR {number}\n" in letter.text
    assert letter.text.count("what is mine") == 40, "what is the reader's own is never left out"
    assert 900 * 2 < letter.text.count("damson") < 900 * 20
    assert sentence("reports.report.nothing_happened") not in letter.text + letter.html


def test_the_last_turn_is_told_whole_whatever_it_weighs(kit):
    letter = write_report(kit, chapters(kit, 20, 200), picture=b"\x89PNG" * 60_000)
    assert letter.text.count("damson") == 200
    assert "What came of year 9." in letter.text
    assert "What came of year 5." not in letter.text, "no more than twelve sentences where room is so short"
