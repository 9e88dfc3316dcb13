"""Instants as a GM types them, and the errors about those that can't be read."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from adjudicator.clock import datetime_of, instant_of
from adjudicator.config.terms import parse_instant
from adjudicator.errors import Refusal

ZONE = ZoneInfo("Europe/Amsterdam")
NOW = instant_of(datetime(2026, 11, 21, 19, 0, tzinfo=ZONE))
"""A Saturday."""


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("2026-12-01 20:00", "2026-12-01T20:00+01:00"),
        ("2026-12-01T20:00", "2026-12-01T20:00+01:00"),
        (" 2026-07-01   8:30 ", "2026-07-01T08:30+02:00"),
        ("2026-12-01T20:00+00:00", "2026-12-01T21:00+01:00"),
        ("20:00", "2026-11-21T20:00+01:00"),
        ("19:00", "2026-11-22T19:00+01:00"),
        ("8:30", "2026-11-22T08:30+01:00"),
        ("fri 20:00", "2026-11-27T20:00+01:00"),
        ("Friday 20:00", "2026-11-27T20:00+01:00"),
        ("sat 20:00", "2026-11-21T20:00+01:00"),
        ("sat 18:00", "2026-11-28T18:00+01:00"),
        ("today 20:00", "2026-11-21T20:00+01:00"),
        ("tomorrow 8:00", "2026-11-22T08:00+01:00"),
    ],
)
def test_what_is_meant(text: str, meant: str) -> None:
    assert datetime_of(parse_instant(text, ZONE, NOW), ZONE).isoformat(timespec="minutes") == meant


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("soon", "isn't a time that we can read"),
        ("2026-13-01 20:00", "isn't a time that we can read"),
        ("2026-12-01", "names no hour"),
        ("frog 20:00", "frog isn't a day of the week"),
        ("25:00", "isn't a time that we can read"),
        ("today 18:00", "that time has passed"),
    ],
)
def test_what_cannot_be_read_is_told_how_to_write(text: str, complaint: str) -> None:
    with pytest.raises(Refusal) as refused:
        parse_instant(text, ZONE, NOW)
    assert complaint in refused.value.why
    assert "2026-12-01 20:00" in str(refused.value.instead)
