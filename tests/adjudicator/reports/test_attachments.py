"""The files that go with a report: a calendar entry that calendars understand, and the map to print."""

import re
from email import message_from_bytes, policy

import pytest

from adjudicator.post.envelope import seal
from adjudicator.reports import messages
from adjudicator.reports.attachments import attachments
from adjudicator.reports.calendar import entry
from adjudicator.reports.report import gather
from games.protocol import Turn

SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>'
NOW = 1_784_800_000_000
TURN = Turn(name="Spring, year 2; moves, und größere Taten", short="S2M", kind="moves")


def unfolded(content: bytes) -> list[str]:
    return content.decode().replace("\r\n ", "").split("\r\n")


def test_the_deadline_is_an_entry_of_its_own_instant_in_UTC():
    rows = unfolded(entry("demo", "Orchard", TURN, 1_784_910_000_000, NOW, "example.org", "Elm Tree"))
    assert rows[0] == "BEGIN:VCALENDAR"
    assert rows[-2:] == ["END:VCALENDAR", ""]
    assert "DTSTART:20260724T162000Z" in rows
    assert f"DTSTAMP:{20260723}T094640Z" in rows
    assert "UID:demo.s2m.elm-tree@example.org" in rows
    assert r"SUMMARY:demo: orders for Spring\, year 2\; moves\, und größere Taten (Elm Tree)" in rows
    assert rows.count("BEGIN:VALARM") == rows.count("END:VALARM") == 1


def test_a_later_deadline_replaces_the_earlier_entry():
    """RFC 5545, section 3.8.7.4: the same UID, a higher sequence."""
    first, second = (
        unfolded(entry("demo", "Orchard", TURN, 1_784_910_000_000 + later, NOW + later, "example.org", None))
        for later in (0, 86_400_000)
    )
    uid, sequence = (
        [next(row for row in rows if row.startswith(name)) for rows in (first, second)]
        for name in ("UID:", "SEQUENCE:")
    )
    assert uid[0] == uid[1]
    assert int(sequence[0].partition(":")[2]) < int(sequence[1].partition(":")[2]) < 2**31


def test_no_line_is_longer_than_75_octets_and_no_letter_is_cut():
    """RFC 5545, section 3.1."""
    wordy = Turn(name="ä" * 200, short="S2M", kind="moves")
    content = entry("demo", "Orchard", wordy, 1, NOW, "example.org", None)
    assert max(len(row) for row in content.split(b"\r\n")) <= 75
    assert "ä" * 200 in "".join(unfolded(content))


@pytest.fixture
def report(kit):
    return gather(kit.game(), kit.position(), kit.played(), kit.ELM)


def test_a_letter_carries_its_files_behind_text_and_picture(kit, report):
    files = attachments(report, SVG, NOW, "example.org")
    letter = messages.turn_report(
        kit.game(), report, kit.reader(), messages.Enclosed(picture=b"PNG", attached=files)
    )
    sealed = seal(letter, key=b"k", service_address="gm@example.org", service_name="T", now=NOW)
    message = message_from_bytes(sealed.raw, policy=policy.default)
    assert message.get_content_type() == "multipart/mixed"
    body, *rest = message.iter_parts()
    assert [part.get_content_type() for part in body.walk() if not part.is_multipart()] == [
        "text/plain",
        "text/html",
        "image/png",
    ]
    assert [(part.get_content_type(), part.get_filename()) for part in rest] == [
        ("text/calendar", "demo-Y2P.ics"),
        ("image/svg+xml", "demo-Y1P.svg"),
    ]
    assert all(part.get_content_disposition() == "attachment" for part in rest)
    assert rest[1].get_payload(decode=True).decode() == SVG
    assert re.search(r"\ADTSTART:", unfolded(rest[0].get_payload(decode=True))[8])


def test_what_is_not_there_is_not_attached(kit, report):
    over = kit.played(after=kit.Orchard(year=2, winners=(kit.ELM,)))
    ended = gather(kit.game(), kit.position(), over, kit.ELM)
    assert attachments(ended, None, NOW, "example.org") == ()
    assert [one.name for one in attachments(ended, SVG, NOW, "example.org")] == ["demo-Y1P.svg"]
    assert [one.name for one in attachments(report, None, NOW, "example.org")] == ["demo-Y2P.ics"]
