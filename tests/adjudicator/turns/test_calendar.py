"""Laws about dates: across time zones, days without play, and changes of the clocks."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from adjudicator.clock import Millis, datetime_of, instant_of
from adjudicator.config.terms import read_deadlines, write_deadlines
from adjudicator.model.deadlines import WEEKDAYS, Deadlines
from adjudicator.turns.deadlines import WorkingCalendar, calendar_of

HOUR: Millis = 3_600_000
DAY = 24 * HOUR

# Zones with changes by an hour and by half of one, at two in the morning and at midnight, and with none.
ZONES = (
    "UTC",
    "Europe/Amsterdam",
    "Europe/London",
    "America/New_York",
    "America/St_Johns",
    "America/Nuuk",
    "America/Santiago",
    "Africa/Cairo",
    "Asia/Beirut",
    "Asia/Kolkata",
    "Australia/Lord_Howe",
    "Pacific/Chatham",
    "Pacific/Apia",
)
SPAN = (
    instant_of(datetime(2024, 1, 1, tzinfo=ZoneInfo("UTC"))),
    instant_of(datetime(2031, 1, 1, tzinfo=ZoneInfo("UTC"))),
)


def changes(zone: str) -> list[Millis]:
    """The hours of the span within which the clocks of a zone change."""
    there, at, found = ZoneInfo(zone), SPAN[0], []
    while at < SPAN[1]:
        if datetime_of(at, there).utcoffset() != datetime_of(at + DAY, there).utcoffset():
            found += [one for one in range(at, at + DAY, HOUR) if _differs(one, there)]
        at += DAY
    return found


def _differs(at: Millis, zone: ZoneInfo) -> bool:
    return datetime_of(at, zone).utcoffset() != datetime_of(at + HOUR, zone).utcoffset()


NIGHTS = {zone: changes(zone) for zone in ZONES}


@st.composite
def calendars(draw: st.DrawFn) -> WorkingCalendar:
    """A calendar as people may agree on it."""
    off = draw(st.lists(st.sampled_from(WEEKDAYS), max_size=6, unique=True))
    days = st.dates(date(2024, 1, 1), date(2030, 12, 31))
    single = draw(st.lists(days.map(str), max_size=4))
    yearly = draw(st.lists(days.map(lambda day: f"{day:%m-%d}"), max_size=4))
    spans = draw(st.lists(days.map(lambda day: f"{day}..{day + timedelta(days=9)}"), max_size=2))
    hours = draw(st.lists(st.times().map(lambda one: f"{one:%H:%M}"), max_size=3))
    said = {
        "zone": draw(st.sampled_from(ZONES)),
        "days_off": ",".join(off) or "none",
        "holidays": ",".join((*single, *yearly, *spans)) or "none",
        "hours": ",".join(hours) or "any",
    }
    return calendar_of(read_deadlines(said))


@st.composite
def starts(draw: st.DrawFn) -> Millis:
    """An instant, half of the time in a night when clocks change somewhere."""
    if draw(st.booleans()):
        night = draw(st.sampled_from(NIGHTS[draw(st.sampled_from([z for z in ZONES if NIGHTS[z]]))]))
        return night + draw(st.integers(-3 * DAY, DAY))
    return draw(st.integers(*SPAN))


LENGTHS = st.integers(0, 30 * DAY)


def test_clocks_change_in_these_zones() -> None:
    """So that the properties below are tried on such nights."""
    assert sum(len(nights) > 8 for nights in NIGHTS.values()) >= 9


@given(calendars(), starts(), LENGTHS)
def test_a_deadline_never_falls_on_a_day_that_does_not_count(
    calendar: WorkingCalendar, start: Millis, length: Millis
) -> None:
    due = calendar.due(start, length)
    assert calendar.is_counted_day(datetime_of(due, calendar.zone).date())


@given(calendars(), starts(), LENGTHS)
def test_nobody_has_less_time_than_was_said(calendar: WorkingCalendar, start: Millis, length: Millis) -> None:
    """Counted in time that passes; but with fixed hours a day is one of the calendar, however long it is."""
    due = calendar.due(start, length)
    assert due >= start + length - (HOUR if calendar.hours else 0)
    if calendar.counts_every_day and not calendar.hours:
        assert due == start + length


@given(calendars(), starts(), LENGTHS)
def test_a_deadline_falls_at_an_hour_that_was_agreed_on(
    calendar: WorkingCalendar, start: Millis, length: Millis
) -> None:
    """Except on the night when that hour doesn't exist: then later by the change of the clocks.

    If they change at eleven, that is on the next day.
    """
    assume(calendar.hours)
    there = datetime_of(calendar.due(start, length), calendar.zone)
    assert any(
        instant_of(datetime.combine(day, hour, calendar.zone)) == instant_of(there)
        for hour in calendar.hours
        for day in (there.date(), there.date() - timedelta(days=1))
    )


@given(calendars(), starts(), LENGTHS, st.integers(0, 9 * DAY))
def test_a_deadline_never_moves_backwards(
    calendar: WorkingCalendar, start: Millis, length: Millis, later: Millis
) -> None:
    """A turn that begins later, or lasts longer, is never due earlier."""
    due = calendar.due(start, length)
    assert calendar.due(start, length + later) >= due
    assert calendar.due(start + later, length) >= due
    assert calendar.next_allowed(due) == due


@given(calendars(), starts(), LENGTHS, st.sampled_from(ZONES), st.sampled_from(ZONES))
def test_a_deadline_is_the_same_instant_for_all(
    calendar: WorkingCalendar, start: Millis, length: Millis, one: str, other: str
) -> None:
    """However a reader's clock shows it, who reads it back has the same instant."""
    due = calendar.due(start, length)
    here, there = (datetime_of(due, ZoneInfo(zone)).isoformat() for zone in (one, other))
    assert instant_of(datetime.fromisoformat(here)) == instant_of(datetime.fromisoformat(there)) == due


@given(calendars(), starts(), LENGTHS)
def test_time_is_counted_on_no_other_day(calendar: WorkingCalendar, start: Millis, length: Millis) -> None:
    """A turn gets its whole time, except the hour by which clocks may change at a day's end."""
    begin, end = calendar.open_from(start), calendar.after(start, length)
    counted, at = 0, begin
    while at < end:
        till = min(calendar.midnight_after(at), end)
        counted += (till - at) if calendar.is_counted_at(at) else 0
        at = till
    assert abs(counted - length) <= HOUR


@pytest.mark.parametrize(
    ("zone", "start", "hours", "due"),
    [
        # The last Sunday of March: two o'clock is three. The last of October: three is two again.
        ("Europe/Amsterdam", "2026-03-28T20:00", "20:00", "2026-03-29T20:00+02:00"),
        ("Europe/Amsterdam", "2026-03-28T20:00", "02:30", "2026-03-30T02:30+02:00"),
        ("Europe/Amsterdam", "2026-03-27T23:00", "02:30", "2026-03-29T03:30+02:00"),
        ("Europe/Amsterdam", "2026-10-24T02:00", "02:30", "2026-10-25T02:30+02:00"),
        ("Europe/Amsterdam", "2026-10-24T20:00", "20:00", "2026-10-25T20:00+01:00"),
        ("Africa/Cairo", "2026-04-22T22:00", "00:00", "2026-04-24T01:00+03:00"),
        ("Australia/Lord_Howe", "2026-10-03T12:00", "02:15", "2026-10-05T02:15+11:00"),
    ],
)
def test_hours_in_nights_when_clocks_change(zone: str, start: str, hours: str, due: str) -> None:
    """A day's length, then the next such hour."""
    calendar = calendar_of(read_deadlines({"zone": zone, "hours": hours}))
    begin = instant_of(datetime.fromisoformat(start).replace(tzinfo=ZoneInfo(zone)))
    assert datetime_of(calendar.due(begin, DAY), calendar.zone).isoformat(timespec="minutes") == due


def test_a_weekend_off() -> None:
    """Three days from Friday at six in the evening are over on Wednesday at six."""
    calendar = calendar_of(read_deadlines({"days_off": "sat,sun"}))
    friday = instant_of(datetime(2026, 11, 20, 18, tzinfo=ZoneInfo("UTC")))
    assert datetime_of(calendar.due(friday, 72 * HOUR)) == datetime(2026, 11, 25, 18, tzinfo=ZoneInfo("UTC"))
    saturday = friday + DAY
    assert datetime_of(calendar.due(saturday, DAY)) == datetime(2026, 11, 24, 0, tzinfo=ZoneInfo("UTC"))


def test_a_weekend_off_ends_at_an_hour() -> None:
    """Friday at nine in the evening is past eight: Monday it is."""
    calendar = calendar_of(read_deadlines({"days_off": "sat,sun", "hours": "20:00"}))
    thursday = instant_of(datetime(2026, 11, 19, 21, tzinfo=ZoneInfo("UTC")))
    assert datetime_of(calendar.due(thursday, DAY)) == datetime(2026, 11, 23, 20, tzinfo=ZoneInfo("UTC"))


def test_a_weekend_off_where_clocks_change() -> None:
    """On that Sunday clocks go forward; a day from Saturday noon is Monday noon, an hour earlier for UTC."""
    calendar = calendar_of(read_deadlines({"days_off": "sun", "zone": "Europe/Amsterdam"}))
    saturday = instant_of(datetime(2026, 3, 28, 12, tzinfo=calendar.zone))
    assert datetime_of(calendar.due(saturday, DAY), calendar.zone) == datetime(
        2026, 3, 30, 12, tzinfo=calendar.zone
    )


def test_holidays_every_year_and_once() -> None:
    calendar = calendar_of(read_deadlines({"holidays": "12-25..12-26, 2026-12-28"}))
    eve = instant_of(datetime(2026, 12, 24, 12, tzinfo=ZoneInfo("UTC")))
    assert datetime_of(calendar.due(eve, DAY)) == datetime(2026, 12, 27, 12, tzinfo=ZoneInfo("UTC"))
    assert datetime_of(calendar.due(eve, 2 * DAY)) == datetime(2026, 12, 29, 12, tzinfo=ZoneInfo("UTC"))
    assert not calendar.is_counted_day(date(2031, 12, 26))
    assert calendar.is_counted_day(date(2027, 12, 28))


def test_midnight_that_comes_twice() -> None:
    """St. John's, until 2011: at one past midnight clocks went back over it."""
    calendar = WorkingCalendar(ZoneInfo("America/St_Johns"), days_off=frozenset({5}))
    first = instant_of(datetime(2010, 11, 7, 0, 0, tzinfo=calendar.zone))
    again = instant_of(datetime(2010, 11, 7, 0, 0, tzinfo=calendar.zone).replace(fold=1))
    assert again - first == HOUR
    assert calendar.midnight_after(first - 1) == first
    assert calendar.midnight_after(first + 2 * 60_000) == again
    assert calendar.open_from(first + 2 * 60_000) == again


@pytest.mark.soak
@pytest.mark.parametrize("zone", sorted(available_timezones()))
def test_every_zone_there_is(zone: str) -> None:
    """Each day of two years, at an hour in the middle of the night, Sundays off."""
    calendar = WorkingCalendar(ZoneInfo(zone), days_off=frozenset({6}), hours=(time(0, 30), time(2, 30)))
    start, before = SPAN[0], 0
    while start < SPAN[0] + 2 * 365 * DAY:
        due = calendar.due(start, 20 * HOUR)
        assert due >= before
        assert calendar.is_counted_at(due)
        start, before = start + 7 * HOUR, due


def test_terms_are_written_as_they_are_read() -> None:
    said = {"moves": "1d12h", "days_off": "fri-mon", "hours": "20, 8:30", "holidays": "2027-03-26"}
    terms = read_deadlines(said)
    assert terms.days_off == ("mon", "fri", "sat", "sun")
    assert terms.hours == ("08:30", "20:00")
    assert read_deadlines(write_deadlines(terms)) == terms
    assert write_deadlines(terms)["moves"] == "36h"
    assert isinstance(terms, Deadlines)
