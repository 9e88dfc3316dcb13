"""The files of a report: a calendar entry that calendars understand, and the map to print."""

import re
from dataclasses import replace
from email import message_from_bytes, policy

import pytest

from adjudicator.clock import DAY, HOUR, MINUTE
from adjudicator.mail.envelope import encode_letter
from adjudicator.reports import messages
from adjudicator.reports.maps import attachments
from adjudicator.reports.report import compile_report
from adjudicator.reports.times import CalendarEntry, Organizer, render_calendar
from adjudicator.turns.runner import position_after
from games.protocol import Turn

SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>'
NOW = 1_784_800_000_000
OF_HOUSE = Organizer(name="Turnpost", address="gm@example.org")
TURN = Turn(name="Spring, year 2; moves, und größere Taten", short="S2M", kind="moves")


def unfolded(content: bytes) -> list[str]:
    return content.decode().replace("\r\n ", "").split("\r\n")


def note(**fields) -> CalendarEntry:
    """An entry of the seat Elm Tree."""
    usual = {"game": "demo", "title": "Orchard", "seat": "Elm Tree"}
    return CalendarEntry(
        **{**usual, "turn": TURN, "deadline": 1_784_910_000_000, "length": 3 * DAY, **fields}
    )


def rows_of(*entries: CalendarEntry, told: int = NOW) -> list[str]:
    return unfolded(render_calendar(entries, told, OF_HOUSE))


def test_the_deadline_is_an_entry_of_its_own_instant_in_UTC():
    rows = rows_of(note())
    assert rows[0] == "BEGIN:VCALENDAR"
    assert rows[-2:] == ["END:VCALENDAR", ""]
    assert "METHOD:PUBLISH" in rows
    assert "DTSTART:20260724T162000Z" in rows
    assert f"DTSTAMP:{20260723}T094640Z" in rows
    assert "UID:demo.elm-tree.deadline@example.org" in rows
    assert "SEQUENCE:1784800000" in rows
    assert r"SUMMARY:demo: orders for Spring\, year 2\; moves\, und größere Taten (Elm Tree)" in rows
    assert rows.count("BEGIN:VALARM") == rows.count("END:VALARM") == 1


def test_the_next_turn_s_deadline_takes_the_place_of_the_entry():
    """RFC 5545, section 3.8.7.4: the same UID, a higher sequence."""
    first, second = (
        rows_of(note()),
        rows_of(note(turn=Turn(name="x", short="F2M", kind="moves")), told=NOW + 1000),
    )
    counted = [int(row[9:]) for rows in (first, second) for row in rows if row.startswith("SEQUENCE:")]
    assert counted[0] < counted[1]
    uids = [[row for row in rows if row.startswith("UID:")] for rows in (first, second)]
    assert uids[0] == uids[1]


def test_what_is_taken_away_is_cancelled():
    """RFC 5546, section 3.2.5."""
    rows = rows_of(note(turn=None, deadline=None))
    assert {"METHOD:CANCEL", "STATUS:CANCELLED", "SEQUENCE:1784800001"} <= set(rows)
    assert "UID:demo.elm-tree.deadline@example.org" in rows
    assert "BEGIN:VALARM" not in rows


@pytest.mark.parametrize(
    ("length", "trigger", "said"),
    [
        (14 * DAY, "1440M", "in 24 hours"),
        (3 * DAY, "1440M", "in 24 hours"),
        (DAY, "480M", "in 8 hours"),
        (HOUR, "20M", "in 20 minutes"),
        (4 * HOUR + 30 * MINUTE, "90M", "in 1 hour and 30 minutes"),
        (MINUTE, "5M", "in 5 minutes"),
    ],
)
def test_the_alarm_goes_by_the_length_of_the_turn(length, trigger, said):
    rows = rows_of(note(length=length))
    assert f"TRIGGER:-PT{trigger}" in rows
    assert f"DESCRIPTION:demo: orders are due {said}" in rows


def test_no_line_is_longer_than_75_octets_and_no_letter_is_cut():
    """RFC 5545, section 3.1."""
    content = render_calendar([note(turn=Turn(name="ä" * 200, short="S2M", kind="moves"))], NOW, OF_HOUSE)
    assert max(len(row) for row in content.split(b"\r\n")) <= 75
    assert "ä" * 200 in "".join(unfolded(content))


RESTRICTIONS = {
    "PUBLISH": {"DTSTAMP": (1, 1), "DTSTART": (1, 1), "ORGANIZER": (1, 1), "SUMMARY": (1, 1), "UID": (1, 1),
                "SEQUENCE": (0, 1), "DESCRIPTION": (0, 1), "STATUS": (0, 1), "TRANSP": (0, 1),
                "ATTENDEE": (0, 0), "REQUEST-STATUS": (0, 0)},
    "CANCEL": {"DTSTAMP": (1, 1), "ORGANIZER": (1, 1), "SEQUENCE": (1, 1), "UID": (1, 1), "DTSTART": (0, 1),
               "SUMMARY": (0, 1), "STATUS": (0, 1), "REQUEST-STATUS": (0, 0)},
}  # fmt: skip
"""How often each property may stand in an event: RFC 5546, sections 3.2.1 and 3.2.5."""
STATUSES = {"PUBLISH": {"TENTATIVE", "CONFIRMED", "CANCELLED"}, "CANCEL": {"CANCELLED"}}


def check_restrictions(content: bytes) -> str:
    """The method of a calendar object, whose events are as RFC 5546 wants them for it."""
    rows = unfolded(content)
    (method,) = [row.removeprefix("METHOD:") for row in rows if row.startswith("METHOD:")]
    events = "\n".join(rows).split("BEGIN:VEVENT\n")[1:]
    assert events
    for event in events:
        inside = re.sub(r"BEGIN:VALARM\n.*?END:VALARM\n", "", event.partition("END:VEVENT")[0], flags=re.S)
        there = [re.split("[;:]", row)[0] for row in inside.splitlines()]
        assert set(there) <= set(RESTRICTIONS[method])
        for name, (least, most) in RESTRICTIONS[method].items():
            assert least <= there.count(name) <= most, name
        assert re.search(r"^STATUS:(\w+)$", inside, re.M)[1] in STATUSES[method]
        assert re.search(r'^ORGANIZER;CN="[^"]+":mailto:[^ ]+@[^ ]+$', inside, re.M)
    return method


@pytest.mark.parametrize("seat", ["Elm Tree", None])
def test_a_deadline_is_published_as_RFC_5546_wants_it(seat):
    assert check_restrictions(render_calendar([note(seat=seat)], NOW, OF_HOUSE)) == "PUBLISH"
    assert (
        check_restrictions(render_calendar([note(seat=seat), note(game="other")], NOW, OF_HOUSE)) == "PUBLISH"
    )
    gone = render_calendar([note(seat=seat, turn=None, deadline=None)], NOW, OF_HOUSE)
    assert check_restrictions(gone) == "CANCEL"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Turnpost", 'ORGANIZER;CN="Turnpost":mailto:gm@example.org'),
        ("Club; games, at 8:30", 'ORGANIZER;CN="Club; games, at 8:30":mailto:gm@example.org'),
        ('The "Elm" Club', "ORGANIZER;CN=\"The ^'Elm^' Club\":mailto:gm@example.org"),
        ("Größe", 'ORGANIZER;CN="Größe":mailto:gm@example.org'),
        ("", 'ORGANIZER;CN="gm@example.org":mailto:gm@example.org'),
    ],
)
def test_the_service_is_the_organizer(name, shown):
    """A name in quotation marks, and marks in it as RFC 6868 writes them."""
    assert shown in unfolded(render_calendar([note()], NOW, Organizer(name=name, address="gm@example.org")))


@pytest.mark.parametrize("over", [False, True])
def test_the_part_of_the_letter_names_the_method(kit, over):
    """RFC 6047, section 2.4: the parameter has to be there, and say what the object says."""
    after_it = kit.Orchard(year=2, winners=(kit.ELM,)) if over else None
    played = kit.played(after=after_it) if over else kit.played()
    told = compile_report(kit.game(), kit.position(), played, kit.ELM)
    files = attachments(told, stands(kit, played), None, NOW, OF_HOUSE)
    letter = messages.turn_report(kit.game(), told, kit.reader(), messages.Enclosed(attached=files))
    sealed = encode_letter(letter, key=b"k", service_address="gm@example.org", service_name="T", now=NOW)
    (part,) = message_from_bytes(sealed.raw, policy=policy.default).iter_attachments()
    assert part.get_content_type() == "text/calendar"
    assert part.get_param("method") == check_restrictions(part.get_payload(decode=True))
    assert part.get_param("charset") == "utf-8"


@pytest.fixture
def report(kit):
    return compile_report(kit.game(), kit.position(), kit.played(), kit.ELM)


def test_a_letter_carries_its_files_behind_text_and_picture(kit, report):
    files = attachments(report, stands(kit), SVG, NOW, OF_HOUSE)
    letter = messages.turn_report(
        kit.game(), report, kit.reader(), messages.Enclosed(picture=b"PNG", attached=files)
    )
    sealed = encode_letter(letter, key=b"k", service_address="gm@example.org", service_name="T", now=NOW)
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
    assert re.search(r"\ADTSTART:", unfolded(rest[0].get_payload(decode=True))[9])


def stands(kit, played=None):
    """The game after what was played, at the revision before."""
    return replace(position_after(kit.position(), played or kit.played()), rev=kit.position().rev)


def test_what_is_not_there_is_not_attached(kit, report):
    assert [one.name for one in attachments(report, stands(kit), None, NOW, OF_HOUSE)] == ["demo-Y2P.ics"]


def test_a_game_that_is_over_takes_its_deadline_away(kit, report):
    over = kit.played(after=kit.Orchard(year=2, winners=(kit.ELM,)))
    ended = compile_report(kit.game(), kit.position(), over, kit.ELM)
    position = stands(kit, over)
    (note,) = attachments(ended, position, None, NOW, OF_HOUSE)
    assert b"METHOD:CANCEL" in note.content
    alone = replace(position, assignments={kit.ELM: position.assignments[kit.ELM]})
    assert attachments(ended, alone, None, NOW, OF_HOUSE) == ()
    assert [one.name for one in attachments(ended, alone, SVG, NOW, OF_HOUSE)] == ["demo-Y1P.svg"]
