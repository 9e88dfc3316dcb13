"""The public holidays of countries, in settings and in deadlines, and without the library."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from adjudicator.clock import HOUR, Millis, instant_of
from adjudicator.config import terms
from adjudicator.config.terms import read_deadlines, write_deadlines
from adjudicator.errors import Refusal
from adjudicator.turns.deadlines import calendar_of
from games.record import replace_fields

needs_holidays = pytest.mark.skipif(not terms.is_library_installed(), reason="holidays is not installed")


@pytest.fixture
def unknown(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine without the library."""
    terms.days_of.cache_clear()
    monkeypatch.setattr(terms, "HOLIDAYS_LIBRARY", "holidays_that_nobody_has")
    yield
    terms.days_of.cache_clear()


def at(text: str) -> Millis:
    return instant_of(datetime.fromisoformat(text).replace(tzinfo=UTC))


def due(holidays: str, start: str, hours: int) -> Millis:
    return calendar_of(read_deadlines({"holidays": holidays})).due(at(start), hours * HOUR)


@needs_holidays
@pytest.mark.parametrize(
    ("holidays", "start", "hours", "ends"),
    [
        ("DE", "2026-10-02 12:00", 24, "2026-10-04 12:00"),
        ("fr", "2026-10-02 12:00", 24, "2026-10-03 12:00"),
        ("FR", "2026-07-13 12:00", 24, "2026-07-15 12:00"),
        ("DE-BY", "2027-01-05 12:00", 24, "2027-01-07 12:00"),
        ("DE", "2027-01-05 12:00", 24, "2027-01-06 12:00"),
        ("DE,01-05", "2027-01-04 12:00", 24, "2027-01-06 12:00"),
        ("DE FR", "2026-07-13 12:00", 24, "2026-07-15 12:00"),
        ("US-CA", "2026-11-25 12:00", 24, "2026-11-28 12:00"),
        ("US", "2026-11-25 12:00", 24, "2026-11-27 12:00"),
    ],
)
def test_no_time_runs_on_a_country_s_holidays(holidays: str, start: str, hours: int, ends: str) -> None:
    assert due(holidays, start, hours) == at(ends)


@needs_holidays
def test_a_country_is_written_as_it_is_read() -> None:
    terms = read_deadlines({"holidays": "de-by, 12-24, US"})
    assert terms.holidays == ("12-24", "DE-BY", "US")
    assert read_deadlines(write_deadlines(terms)) == terms


@needs_holidays
@pytest.mark.parametrize("code", ["XX", "DE-QQ", "UK-1"])
def test_a_country_that_there_is_not_is_refused(code: str) -> None:
    with pytest.raises(Refusal, match="isn't a country or region with known holidays"):
        read_deadlines({"holidays": code})


def test_without_the_library_it_is_said_how_to_get_it(unknown: None) -> None:
    with pytest.raises(Refusal, match=r"pip install turnpost\[holidays\]"):
        read_deadlines({"holidays": "DE"})


def test_a_game_goes_on_where_the_library_has_gone(unknown: None) -> None:
    """Its other days still count as they did; `gm doctor` names the game."""

    terms = replace_fields(read_deadlines({"holidays": "12-25"}), holidays=("12-25", "DE"))
    calendar = calendar_of(terms)
    assert calendar.due(at("2026-12-24 12:00"), 24 * HOUR) == at("2026-12-26 12:00")
    assert calendar.due(at("2026-10-02 12:00"), 24 * HOUR) == at("2026-10-03 12:00")


def test_days_alone_load_no_library(unknown: None) -> None:
    assert due("12-25", "2026-12-24 12:00", 24) == at("2026-12-26 12:00")
