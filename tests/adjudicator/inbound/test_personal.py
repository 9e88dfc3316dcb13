"""TIMEZONE, PASSWORD, ABSENCE and SIGNOFF: a player's own settings."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.clock import datetime_of, instant_of
from adjudicator.config.terms import zones_called
from adjudicator.inbound.commands.context import parse_days
from adjudicator.messages import sentence
from adjudicator.model.games import SetPassword
from adjudicator.model.mail import LetterOutcome
from adjudicator.model.people import GamePolicy, NoteAbsence
from tests.adjudicator.config.test_zones import CALLED
from tests.adjudicator.inbound.conftest import IROQUOIS, MemoryPipeline
from tests.kit.mail import letter
from tests.kit.memory_repository import NOON

NAMES = (
    "America/New_York",
    "Asia/Tokyo",
    "Etc/GMT-2",
    "Europe/Amsterdam",
    "Europe/Berlin",
    "Europe/London",
    "UTC",
)


def read_reply(handled: LetterOutcome) -> str:
    """The text of the answer, in words."""
    (answer,) = handled.answers
    return " ".join(answer.text.split())


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        ("europe/berlin", "Europe/Berlin"),
        ("Amsterdam", "Europe/Amsterdam"),
        ("new york", "America/New_York"),
        ("CET", "Europe/Berlin"),
        ("utc", "UTC"),
        ("UTC+2", "Etc/GMT-2"),
        ("GMT +0", "UTC"),
    ],
)
def test_a_zone_may_be_called_in_many_ways(text: str, zone: str) -> None:
    assert zones_called(text, NAMES) == (zone,)


@pytest.mark.parametrize(("text", "zone"), CALLED)
def test_an_email_reads_what_the_gamesmasters_commands_read(
    text: str, zone: str, context: MemoryPipeline
) -> None:
    context.writes(f"TIMEZONE {text}")
    assert context.repository.people.person(IROQUOIS).zone == zone


def test_an_email_with_a_zone_that_is_none_is_told_what_is_like_it(context: MemoryPipeline) -> None:
    assert " ".join(
        sentence("inbound.personal.no_such_zone", said="Europe/Berln", zones=("Europe/Berlin",)).split()
    ) in read_reply(context.writes("TIMEZONE Europe/Berln"))
    assert "Perhaps you mean: Asia/Tokyo" in read_reply(context.writes("TIMEZONE Tokio"))


def test_deadlines_are_told_by_the_players_clocks(context: MemoryPipeline) -> None:
    """From the reply that confirms the zone on, with UTC beside it."""
    assert "EDT" in context.writes("TIMEZONE America/New_York").answers[0].text
    text = context.writes("STATUS").answers[0].text
    assert "EDT" in text
    assert "UTC" in text
    assert context.repository.people.person(IROQUOIS).zone == "America/New_York"
    assert sentence(
        "inbound.personal.zone", zone="America/New_York", at="Friday 24 July 2026, 08:00 EDT"
    ) in read_reply(context.writes("TIMEZONE"))


@pytest.mark.parametrize("line", ["timezone London", "timezone new york", "TimeZone UTC+2"])
def test_a_zone_need_not_be_in_capitals(context: MemoryPipeline, line: str) -> None:
    assert len(context.writes(line.replace(":", "")).acts) == 1


@pytest.mark.parametrize("text", ["TIMEZONE nowhere", "TIMEZONE Mars/Phobos"])
def test_an_unknown_zone_is_told_how_to_be_written(context: MemoryPipeline, text: str) -> None:
    handled = context.writes(text)
    assert handled.acts == ()
    assert "TIMEZONE Europe/Berlin" in read_reply(handled)


def test_a_password_is_set_and_never_shown(context: MemoryPipeline) -> None:
    handled = context.writes("PASSWORD seven-herons\nset password eight-herons")
    assert [act.password for act in handled.acts] == ["seven-herons", "eight-herons"]
    assert all(isinstance(act, SetPassword) for act in handled.acts)
    assert "herons" not in handled.answers[0].text + (handled.answers[0].html or "")
    assert "at least 6 characters" in read_reply(context.writes("PASSWORD abc"))


# ABSENCE.


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("20 December to 5 January", (2026, 12, 20), (2027, 1, 5)),
        ("20 Dec - 5 Jan", (2026, 12, 20), (2027, 1, 5)),
        ("from December 20 until January 5", (2026, 12, 20), (2027, 1, 5)),
        ("2026-12-20 to 2027-01-05", (2026, 12, 20), (2027, 1, 5)),
        ("20.12. to 5.1.", (2026, 12, 20), (2027, 1, 5)),
        ("20/12/2026 – 05/01/2027", (2026, 12, 20), (2027, 1, 5)),
        ("1st Aug till 3rd Aug", (2026, 8, 1), (2026, 8, 3)),
        ("tomorrow", (2026, 7, 25), (2026, 7, 25)),
        ("today to tomorrow", (2026, 7, 24), (2026, 7, 25)),
        ("29 Feb", (2028, 2, 29), (2028, 2, 29)),
        ("2 March", (2027, 3, 2), (2027, 3, 2)),
    ],
)
def test_days_are_read_as_people_write_them(
    text: str, first: tuple[int, int, int], last: tuple[int, int, int]
) -> None:
    """In July 2026: a day without a year is the next one of its name."""
    days = parse_days(text, NOON, UTC)
    assert days is not None
    assert datetime_of(days.first) == datetime(*first, tzinfo=UTC)
    assert datetime_of(days.last + 1).date() > datetime_of(days.last).date()
    assert (datetime_of(days.last).year, datetime_of(days.last).month, datetime_of(days.last).day) == last


@pytest.mark.parametrize(
    "text", ["soon", "31 February", "20 to 5", "the winter", "5 Smarch", "2026-13-01", "1-2-3-4"]
)
def test_what_names_no_days_is_not_guessed(text: str) -> None:
    assert parse_days(text, NOON, UTC) is None


def test_a_span_does_not_run_backwards() -> None:
    assert parse_days("2026-12-20 to 2026-12-19", NOON, UTC) is None


@given(
    day=st.dates(datetime(2026, 7, 24).date(), datetime(2031, 1, 1).date()),
    more=st.integers(0, 60),
    zone=st.sampled_from([ZoneInfo(name) for name in NAMES]),
)
def test_days_begin_and_end_by_the_players_clock(day, more, zone) -> None:
    """Also in the nights when clocks change."""
    last = datetime.fromordinal(day.toordinal() + more).date()
    days = parse_days(f"{day.isoformat()} to {last.isoformat()}", NOON, zone)
    assert days is not None
    begin, end = datetime_of(days.first, zone), datetime_of(days.last, zone)
    assert (begin.date(), begin.hour, begin.minute) == (day, 0, 0)
    assert end.date() == last
    assert datetime_of(days.last + 1, zone).hour == 0


def test_an_absence_is_noted_and_taken_back(context: MemoryPipeline) -> None:
    context.writes("TIMEZONE Europe/Berlin")
    handled = context.writes("Absence 1 Aug to 14 Aug")
    (act,) = handled.acts
    assert isinstance(act, NoteAbsence)
    assert act.absence is not None
    zone = ZoneInfo("Europe/Berlin")
    assert act.absence.first == instant_of(datetime(2026, 8, 1, tzinfo=zone))
    assert act.absence.last == instant_of(datetime(2026, 8, 15, tzinfo=zone)) - 1
    assert sentence(
        "inbound.personal.away", first="Saturday 1 August 2026", last="Friday 14 August 2026", game="demo"
    ) in read_reply(handled)
    assert "Iroquois is away until Friday 14 August 2026." in read_reply(context.writes("STATUS"))
    context.writes("ABSENCE OFF")
    assert context.repository.people.absences("demo") == ()


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Asia/Tokyo", "UTC", "Pacific/Pago_Pago"])
def test_in_an_anonymous_game_an_absence_is_the_same_wherever_its_player_lives(
    context: MemoryPipeline, zone: str
) -> None:
    """The absence ends when its days are over everywhere, and everyone reads the same dates without hours."""
    context.repository.people.rules["demo"] = GamePolicy(anonymous=True)
    context.writes(f"TIMEZONE {zone}")
    handled = context.writes("Absence 1 Aug to 14 Aug")
    (act,) = handled.acts
    assert isinstance(act, NoteAbsence)
    assert act.absence is not None
    assert datetime_of(act.absence.first).isoformat() == "2026-07-31T10:00:00+00:00"
    assert datetime_of(act.absence.last + 1).isoformat() == "2026-08-15T12:00:00+00:00"
    assert sentence(
        "inbound.personal.away", first="Saturday 1 August 2026", last="Friday 14 August 2026", game="demo"
    ) in read_reply(handled)
    assert "Iroquois is away until Friday 14 August 2026." in read_reply(
        context.writes("STATUS", seat="Muskhogean")
    )


def test_an_absence_may_be_as_long_in_an_anonymous_game(context: MemoryPipeline) -> None:
    for anonymous in (True, False):
        context.repository.people.rules["demo"] = GamePolicy(anonymous=anonymous)
        assert context.writes("ABSENCE 2026-08-01 to 2026-10-31").acts != (), "92 days"
        assert context.writes("ABSENCE 2026-08-01 to 2026-11-02").acts == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("ABSENCE soon", " ".join(sentence("inbound.personal.no_such_days", said="soon").split())),
        ("ABSENCE 2026-01-01 to 2026-01-05", sentence("inbound.personal.days_over")),
        ("ABSENCE 1 Aug to 30 Jul 2027", sentence("inbound.personal.many_weeks", most=13)),
    ],
)
def test_an_absence_that_is_none_is_told(context: MemoryPipeline, text: str, told: str) -> None:
    handled = context.writes(text)
    assert handled.acts == ()
    assert " ".join(told.split()) in read_reply(handled)


@pytest.mark.parametrize("line", ["absent friends", "away with them", "password"])
def test_talk_is_talk(context: MemoryPipeline, line: str) -> None:
    assert context.writes(line).acts == ()


# SIGNOFF.


def test_nothing_is_read_after_a_signoff(context: MemoryPipeline) -> None:
    context.writes("Mohawk H\nSIGNOFF\nOneida H\nSTATUS")
    assert context.filed() == ["W MHK H"]


def test_a_signon_after_it_begins_anew(context: MemoryPipeline) -> None:
    signon = "SIGNON demo Iroquois three-canoes"
    text = f"{signon}\nMohawk H\nSIGNOFF\nOneida H\n{signon}\nSeneca H"
    context.takes(letter(text, sender="home@example.com"))
    assert context.filed() == ["W MHK H", "W SEN H"]
