"""The next deadline in games with fixed hours, also when the clocks change."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.clock import DAY, HOUR, MINUTE, Millis, datetime_of, instant_of
from adjudicator.config.terms import read_deadlines
from adjudicator.model.deadlines import WEEKDAYS, Stop, Timing
from adjudicator.model.games import GamePosition
from adjudicator.turns.deadlines import calendar_of, deadline_after_turn, next_deadline
from adjudicator.turns.due_actions import ExtendForSilence, find_due_action
from adjudicator.turns.runner import play_turns
from games.protocol import Seat
from games.record import replace_fields
from tests.kit.memory_repository import game_of, new_position

SECONDS = 7_000
"""So late the clock looks at a turn that is due."""

PLAYER = Seat("player")
ZONES = ("Europe/Berlin", "America/New_York", "Australia/Sydney")
"""Each changes its clocks on nights of its own; the last one in the other half of the year."""


def at(text: str, zone: str = "UTC") -> Millis:
    """The instant of a local time such as "2026-11-28 16:48"."""
    return instant_of(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)))


def format_deadline(deadline: Millis, zone: str = "UTC") -> str:
    return f"{datetime_of(deadline, ZoneInfo(zone)):%Y-%m-%d %H:%M}"


def game(deadline: Millis | None = None, **terms: str) -> GamePosition:
    """A game of one player with such terms, whose turn has that deadline."""
    position = new_position("cairn", people={PLAYER: "player@example.net"})
    usual = {"solo": "clock", "grace": "0h", "hours": "20:00"}
    return replace(position, deadlines=read_deadlines({**usual, **terms}), deadline=deadline)


def after_turn(position: GamePosition, now: Millis, *, by: str = "clock", kind: str = "moves") -> Millis:
    """The deadline of the turn that follows one which runs now."""
    return deadline_after_turn(position, kind, now, by)


@pytest.mark.parametrize(
    ("length", "hours", "deadline", "following"),
    [
        ("24h", "16:48", "2026-11-28 16:48", "2026-11-29 16:48"),
        ("24h", "20:00", "2026-11-28 20:00", "2026-11-29 20:00"),
        ("48h", "20:00", "2026-11-28 20:00", "2026-11-30 20:00"),
        ("72h", "20:00", "2026-11-28 20:00", "2026-12-01 20:00"),
        ("7d", "20:00", "2026-11-28 20:00", "2026-12-05 20:00"),
        ("12h", "08:00,20:00", "2026-11-28 20:00", "2026-11-29 08:00"),
        ("36h", "08:00,20:00", "2026-11-28 20:00", "2026-11-30 08:00"),
        ("6h", "00:00,06:00,12:00,18:00", "2026-11-28 18:00", "2026-11-29 00:00"),
        ("25h", "20:00", "2026-11-28 20:00", "2026-11-30 20:00"),
    ],
)
@pytest.mark.parametrize("late", [0, 1, SECONDS, HOUR - 1])
def test_a_turn_that_ran_because_of_its_deadline_starts_at_that_deadline(
    length: str, hours: str, deadline: str, following: str, late: Millis
) -> None:
    """However many seconds later its report is written."""
    position = game(at(deadline), moves=length, hours=hours)
    assert format_deadline(after_turn(position, at(deadline) + 1 + late)) == following


@pytest.mark.parametrize(
    ("length", "grace", "following"),
    [
        ("24h", "12h", "2026-11-29 20:00"),
        ("24h", "6h", "2026-11-29 20:00"),
        ("48h", "12h", "2026-11-30 20:00"),
        ("72h", "12h", "2026-12-01 20:00"),
        ("24h", "11h30m", "2026-11-29 20:00"),
        # Twelve hours would be left of 24 after a grace of twelve, and no more than eleven after thirteen.
        ("24h", "13h", "2026-11-30 20:00"),
        ("24h", "24h", "2026-11-30 20:00"),
        ("48h", "25h", "2026-12-01 20:00"),
    ],
)
def test_half_the_time_is_left_after_a_grace_that_was_used(length: str, grace: str, following: str) -> None:
    position = game(at("2026-11-28 20:00"), moves=length, grace=grace)
    ran = at("2026-11-28 20:00") + position.deadlines.grace + SECONDS
    assert format_deadline(after_turn(position, ran)) == following


def test_the_whole_grace_counts_once_some_of_it_was_used() -> None:
    """Otherwise the next deadline would depend on the minute of the last orders."""
    position = game(at("2026-11-28 20:00"), moves="24h", grace="18h")
    assert format_deadline(after_turn(position, at("2026-11-28 20:00") + SECONDS)) == "2026-11-29 20:00"
    assert format_deadline(after_turn(position, at("2026-11-28 23:15"))) == "2026-11-30 20:00"
    assert format_deadline(after_turn(position, at("2026-11-29 13:59"))) == "2026-11-30 20:00"


def test_six_hours_are_left_of_a_short_turn() -> None:
    position = game(at("2026-11-28 08:00"), moves="4h", hours="08:00,12:00,16:00,20:00")
    assert format_deadline(after_turn(position, at("2026-11-28 08:00") + SECONDS)) == "2026-11-28 16:00"
    assert format_deadline(after_turn(position, at("2026-11-28 07:00"))) == "2026-11-28 16:00"


@pytest.mark.parametrize(
    ("ran", "following"),
    [
        # Early, all orders being in.
        ("2026-11-28 10:00", "2026-11-29 20:00"),
        ("2026-11-27 20:30", "2026-11-28 20:00+1"),
        ("2026-11-28 20:00", "2026-11-29 20:00"),
        ("2026-11-26 10:00", "2026-11-27 20:00"),
    ],
)
def test_a_turn_that_ran_early_starts_when_it_ran(ran: str, following: str) -> None:
    day, _, later = following.partition("+")
    expected = at(day) + int(later or 0) * DAY
    position = game(at("2026-11-28 20:00"), moves="24h")
    assert after_turn(position, at(ran)) == expected


def test_a_turn_that_is_run_by_hand_starts_when_it_ran() -> None:
    position = game(at("2026-11-28 20:00"), moves="24h")
    ran = at("2026-11-28 20:00") + SECONDS
    assert format_deadline(after_turn(position, ran)) == "2026-11-29 20:00"
    assert format_deadline(after_turn(position, ran, by="gm")) == "2026-11-30 20:00"
    assert format_deadline(after_turn(position, ran, by="gm York")) == "2026-11-30 20:00"


def test_a_turn_that_ran_more_than_an_hour_late_starts_when_it_ran() -> None:
    position = game(at("2026-11-28 20:00"), moves="24h", grace="2h")
    end = at("2026-11-28 22:00")
    assert format_deadline(after_turn(position, end + HOUR)) == "2026-11-29 20:00"
    assert format_deadline(after_turn(position, end + HOUR + 1)) == "2026-11-30 20:00"


def test_a_turn_without_a_deadline_starts_when_it_ran() -> None:
    """Such as one that was paused, held, or stopped since orders were missing."""
    ran = at("2026-11-28 20:00") + SECONDS
    assert format_deadline(after_turn(game(None, moves="24h"), ran)) == "2026-11-30 20:00"
    held = replace(
        game(at("2026-11-28 20:00"), moves="24h"),
        timing=Timing(stop=Stop(kind="hold", since=0, left=HOUR, by="gm")),
    )
    assert format_deadline(after_turn(held, ran)) == "2026-11-30 20:00"


@pytest.mark.parametrize("length", ["24h", "72h", "90m"])
@pytest.mark.parametrize("grace", ["0h", "12h"])
def test_games_without_fixed_hours_count_from_the_moment_they_ran(length: str, grace: str) -> None:
    position = game(at("2026-11-28 20:00"), moves=length, grace=grace, hours="any")
    ran = at("2026-11-28 20:00") + position.deadlines.grace + SECONDS
    assert after_turn(position, ran) == ran + position.deadlines.length("moves")


def test_a_deadline_that_was_set_by_hand_is_a_start_too() -> None:
    """As it was extended or set, even if it isn't one of the hours."""
    position = game(at("2026-11-28 17:30"), moves="24h")
    assert format_deadline(after_turn(position, at("2026-11-28 17:30") + SECONDS)) == "2026-11-29 20:00"
    position = game(at("2026-11-28 21:30"), moves="24h")
    assert format_deadline(after_turn(position, at("2026-11-28 21:30") + SECONDS)) == "2026-11-30 20:00"


HANDBOOK = Path(__file__).parents[3] / "docs" / "gm.md"
_TIME = r"(\w{3}) (\d\d:\d\d(?::\d\d)?)"
ROW = re.compile(
    rf"^\| `([^`]+)`(, clocks go forward that night)? \| {_TIME}(, by `)?[^|]*\| {_TIME}[^|]*\|$", re.M
)


def test_the_table_in_the_handbook_is_right() -> None:
    rows = ROW.findall(HANDBOOK.read_text().partition("### How the next deadline is counted")[2])
    assert len(rows) == 12
    for terms, spring, *ran, by_hand, day, hour in rows:
        zone, monday = ("Europe/Berlin", "2027-03-22") if spring else ("UTC", "2026-11-23")
        week = {
            name: f"{datetime.fromisoformat(monday) + timedelta(days=step):%Y-%m-%d}"
            for step, name in enumerate(WEEKDAYS)
        }
        due = at(f"{week['sat' if spring else 'mon']} 20:00", zone)
        position = game(due, zone=zone, **dict(term.split("=") for term in terms.split()))
        ran_at = at(f"{week[ran[0].lower()]} {ran[1]}", zone)
        expected = at(f"{week[day.lower()]} {hour}", zone)
        # A turn that runs at its deadline runs after it, by a millisecond at the least.
        at_deadline = ran_at == due and bool(position.deadlines.hours)
        assert after_turn(position, ran_at + at_deadline, by="gm" if by_hand else "clock") == expected, terms


def test_an_extension_is_counted_from_the_deadline_that_it_puts_off() -> None:
    position = game(at("2026-11-28 20:00"), moves="24h", nmr="extend", extension="24h", grace="12h")
    now = at("2026-11-29 08:00") + SECONDS
    found = find_due_action(game_of(position), position, now, now)
    assert found == ExtendForSilence(at("2026-11-29 20:00"), (PLAYER,))
    loose = replace(position, deadlines=read_deadlines({"solo": "clock", "nmr": "extend", "grace": "12h"}))
    assert find_due_action(game_of(loose), loose, now, now) == ExtendForSilence(now + 24 * HOUR, (PLAYER,))


def test_days_off_are_left_out_as_ever() -> None:
    """28 November 2026 is a Saturday."""
    daily = {"moves": "24h", "days_off": "sat,sun", "grace": "12h"}
    friday, ran = at("2026-11-27 20:00"), at("2026-11-28 08:00") + SECONDS
    assert format_deadline(after_turn(game(friday, **daily), ran)) == "2026-11-30 20:00"
    position = game(friday, **{**daily, "moves": "48h"})
    assert format_deadline(after_turn(position, ran)) == "2026-12-01 20:00"
    assert format_deadline(after_turn(game(None, **daily), at("2026-11-28 12:00"))) == "2026-12-01 20:00"


# In 2027 clocks go forward in Berlin on 28 March and in New York on 14 March, and back in Sydney on 4 April.
NIGHTS = {
    "Europe/Berlin": ("2027-03-28", "2027-10-31"),
    "America/New_York": ("2027-03-14", "2027-11-07"),
    "Australia/Sydney": ("2027-04-04", "2027-10-03"),
}


def test_the_daily_hour_is_kept_when_clocks_go_forward() -> None:
    """As in the calendar, exactly from the hour."""
    calendar = calendar_of(read_deadlines({"zone": "Europe/Berlin", "hours": "20:00"}))
    assert (
        format_deadline(calendar.due(at("2027-03-27 20:00", "Europe/Berlin"), DAY), "Europe/Berlin")
        == "2027-03-28 20:00"
    )


@pytest.mark.parametrize(("zone", "night"), [(zone, night) for zone in ZONES for night in NIGHTS[zone]])
@pytest.mark.parametrize("grace", ["0h", "6h", "11h30m", "12h"])
@pytest.mark.parametrize("hour", ["00:30", "03:30", "07:00", "20:00", "23:45"])
def test_the_daily_hour_is_kept_on_the_nights_when_clocks_change(
    zone: str, night: str, grace: str, hour: str
) -> None:
    """From the day before to the day after, with or without using the grace."""
    position = game(None, moves="24h", hours=hour, zone=zone, grace=grace)
    sunday = datetime.fromisoformat(night)
    days = [f"{sunday + timedelta(days=step):%Y-%m-%d} {hour}" for step in range(-2, 3)]
    for day, following in pairwise(days):
        running = replace(position, deadline=at(day, zone))
        for ran in (at(day, zone) + SECONDS, at(day, zone) + position.deadlines.grace + SECONDS):
            assert format_deadline(after_turn(running, ran), zone) == following


def test_the_rest_of_a_length_is_time_that_passes() -> None:
    """A day and twelve hours in a short night: a day of the calendar, then twelve hours."""
    calendar = calendar_of(read_deadlines({"zone": "Europe/Berlin", "hours": "08:00,09:00,20:00,21:00"}))
    berlin = "Europe/Berlin"
    assert (
        format_deadline(calendar.due(at("2027-03-27 20:00", berlin), 12 * HOUR), berlin) == "2027-03-28 09:00"
    )
    assert (
        format_deadline(calendar.due(at("2027-03-26 20:00", berlin), 36 * HOUR), berlin) == "2027-03-28 09:00"
    )
    assert (
        format_deadline(calendar.due(at("2027-03-27 20:00", berlin), 36 * HOUR), berlin) == "2027-03-29 08:00"
    )
    # Never later than a whole day more.
    assert (
        format_deadline(calendar.due(at("2027-03-27 20:00", berlin), DAY - MINUTE), berlin)
        == "2027-03-28 20:00"
    )


@dataclass(frozen=True)
class Manner:
    """The course of each turn of a month: how long before or after its deadline it runs, by the clock or by
    hand.
    """

    name: str
    late: Millis
    uses_grace: bool = False
    by: str = "clock"


MANNERS = (
    Manner("at the deadline", SECONDS),
    Manner("after the grace", SECONDS, uses_grace=True),
    Manner("in the grace", 5 * HOUR + SECONDS),
    Manner("early", -3 * HOUR),
    Manner("at the very millisecond", 1),
    Manner("nearly an hour late", 59 * MINUTE, uses_grace=True),
)
SETTINGS = {
    "daily": {"moves": "24h", "hours": "20:00"},
    "every other day": {"moves": "48h", "hours": "20:00"},
    "every third day": {"moves": "72h", "hours": "20:00"},
    "twice a day": {"moves": "12h", "hours": "08:00,20:00"},
    "weekly": {"moves": "7d", "hours": "12:00"},
    "weekdays": {"moves": "24h", "hours": "18:00", "days_off": "sat,sun"},
    "at any hour": {"moves": "24h", "hours": "any"},
}


def month(
    zone: str, night: str, manner: Manner, terms: dict[str, str], grace: str
) -> Iterator[tuple[GamePosition, Millis, Millis]]:
    """A month around a change of clocks: each turn with its deadline, when it ran, and what follows."""
    start = at(f"{datetime.fromisoformat(night) - timedelta(days=15):%Y-%m-%d} 15:13", zone)
    position = game(None, zone=zone, grace=grace, **terms)
    deadline = next_deadline(position, "moves", start)
    while deadline < start + 30 * DAY:
        ran = deadline + manner.late + (position.deadlines.grace if manner.uses_grace else 0)
        position = replace(position, deadline=deadline)
        following = after_turn(position, ran, by=manner.by)
        yield position, ran, following
        deadline = following


def is_by_deadline(position: GamePosition, ran: Millis) -> bool:
    assert position.deadline is not None
    return position.deadline < ran <= position.deadline + position.deadlines.grace + HOUR


def check_month(zone: str, night: str, manner: Manner, terms: dict[str, str], grace: str) -> None:
    """Check the properties of each deadline of such a month."""
    count = 0
    for position, ran, following in month(zone, night, manner, terms, grace):
        calendar, length = calendar_of(position.deadlines), position.deadlines.length("moves")
        there, before = (datetime_of(one, calendar.zone) for one in (following, position.deadline or 0))
        assert calendar.is_counted_at(following)
        count += 1
        if not position.deadlines.hours:
            assert following == ran + length
            continue
        assert f"{there:%H:%M}" in position.deadlines.hours
        # But for the hour that a night has more or less, as much is left as is promised.
        used = position.deadlines.grace if ran > (position.deadline or 0) + HOUR else 0
        due = (position.deadline or 0) + used if is_by_deadline(position, ran) else ran
        assert following >= due + max(length // 2, 6 * HOUR) - HOUR
        if is_by_deadline(position, ran) and not length % DAY and used * 2 <= length:
            days = [before.date() + timedelta(days=step) for step in range(1, 20)]
            expected = [day for day in days if calendar.is_counted_day(day)][length // DAY - 1]
            assert (there.date(), f"{there:%H:%M}") == (expected, f"{before:%H:%M}")
    assert count >= 3


@pytest.mark.parametrize("manner", MANNERS, ids=lambda manner: manner.name.replace(" ", "-"))
@pytest.mark.parametrize("kind", SETTINGS)
@pytest.mark.parametrize("grace", ["12h", "0h"])
def test_a_month_around_each_change_of_clocks(manner: Manner, kind: str, grace: str) -> None:
    for zone in ZONES:
        for night in NIGHTS[zone]:
            check_month(zone, night, manner, SETTINGS[kind], grace)


@given(
    st.sampled_from([(zone, night) for zone in ZONES for night in NIGHTS[zone]]),
    st.integers(-4 * DAY, 4 * DAY),
    st.integers(HOUR, 8 * DAY),
    st.integers(0, 2 * DAY),
    st.sampled_from([("20:00",), ("02:30",), ("08:00", "20:00"), ("00:00", "06:00", "12:00", "18:00")]),
    st.integers(-DAY, 4 * DAY),
)
def test_there_is_always_time_after_the_report(
    where: tuple[str, str], offset: int, length: int, grace: int, hours: tuple[str, ...], late: int
) -> None:
    """Half the length and six hours, from when the turn was due to run, less the hour of a short night."""
    zone, night = where
    deadline = at(f"{night} 12:00", zone) + offset
    terms = read_deadlines({"zone": zone, "hours": ",".join(hours), "solo": "clock"})
    terms = replace_fields(terms, lengths={"moves": length}, grace=grace)
    position = replace(game(deadline), deadlines=terms)
    ran = deadline + late
    following = after_turn(position, ran)
    calendar = calendar_of(terms)
    assert calendar.next_allowed(following) == following
    floor = max(length // 2, 6 * HOUR) - HOUR
    if not is_by_deadline(position, ran):
        assert following >= ran + max(length - HOUR, floor)
    else:
        used = grace if ran > deadline + min(grace, HOUR) else 0
        assert following >= deadline + max(length - HOUR, used + floor)
        # Another turn begins a day later at the latest, than any reckoning would have it.
        latest = max(length, used + max(length // 2, 6 * HOUR)) + HOUR
        assert following <= calendar.next_allowed(deadline + latest)


def test_the_loop_that_plays_turns_reckons_so() -> None:
    """A turn that the clock plays, with its report seven seconds after the hour."""
    deadline = at("2026-11-28 16:48")
    position = game(deadline, moves="24h", hours="16:48")
    played = play_turns(game_of(position), position, deadline + SECONDS, ripe=True)
    assert played is not None
    assert played.deadline is not None
    assert format_deadline(played.deadline) == "2026-11-29 16:48"
    by_hand = play_turns(game_of(position), position, deadline + SECONDS, ripe=True, by="gm")
    assert by_hand is not None
    assert by_hand.deadline is not None
    assert format_deadline(by_hand.deadline) == "2026-11-30 16:48"
