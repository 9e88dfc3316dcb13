"""Common names of time zones have one reading in emails and in the GM's commands."""

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

import pytest

from adjudicator.config.service import Settings, read_settings
from adjudicator.config.terms import read_deadlines, zone_called, zones_called
from adjudicator.errors import Refusal

CALLED = [
    ("EST", "America/New_York"),
    ("est", "America/New_York"),
    ("PDT", "America/Los_Angeles"),
    ("MST", "America/Denver"),
    ("CET", "Europe/Berlin"),
    ("MEZ", "Europe/Berlin"),
    ("BST", "Europe/London"),
    ("Berlin", "Europe/Berlin"),
    ("berlin", "Europe/Berlin"),
    ("europe/berlin", "Europe/Berlin"),
    ("Europe/Berlin", "Europe/Berlin"),
    (" Europe/Berlin. ", "Europe/Berlin"),
    ("New York", "America/New_York"),
    ("new_york", "America/New_York"),
    ("Buenos Aires", "America/Argentina/Buenos_Aires"),
    ("GMT+2", "Etc/GMT-2"),
    ("UTC-5", "Etc/GMT+5"),
    ("utc + 1", "Etc/GMT-1"),
    ("Etc/GMT+5", "Etc/GMT+5"),
    ("utc", "UTC"),
    ("UTC", "UTC"),
]


@pytest.mark.parametrize(("text", "zone"), CALLED)
def test_a_term_may_call_a_zone_in_many_ways(text: str, zone: str) -> None:
    assert read_deadlines({"zone": text}).zone == zone


def test_two_names_of_one_zone_are_one_zone() -> None:
    assert zones_called("Buenos Aires") == ("America/Argentina/Buenos_Aires",)
    assert zones_called("Louisville") == ("America/Kentucky/Louisville",)


def test_no_word_of_people_is_a_fixed_offset() -> None:
    """EST follows the changes of the clocks where there are any."""
    for word in ("EST", "CST", "MST", "PST", "CET", "EET", "GMT"):
        zone = ZoneInfo(zone_called("setting zone", word))
        winter, summer = (datetime(2027, month, 10, tzinfo=zone).utcoffset() for month in (1, 7))
        assert winter != summer, word


def test_a_zone_that_is_none_is_refused_with_what_is_like_it() -> None:
    for text, like in [
        ("Europe/Berln", "Europe/Berlin"),
        ("Amsterdm", "Europe/Amsterdam"),
        ("New Yrok", "America/New_York"),
        ("America/NewYork", "America/New_York"),
        ("Tokio", "Asia/Tokyo"),
    ]:
        with pytest.raises(Refusal) as fault:
            read_deadlines({"zone": text})
        assert fault.value.why == f'"{text}" isn\'t a time zone'
        assert f"zone={like}" in (fault.value.instead or ""), text
    with pytest.raises(Refusal) as fault:
        read_deadlines({"zone": "Atlantis-on-Sea"})
    assert fault.value.instead == "Write zone=Europe/Amsterdam"


def test_a_name_that_several_zones_have_is_asked_back() -> None:
    several = [
        name
        for name in sorted({name.rpartition("/")[2] for name in available_timezones() if "/" in name})
        if len(zones_called(name)) > 1
    ]
    assert several
    for name in several:
        with pytest.raises(Refusal) as fault:
            zone_called("setting zone", name)
        assert "more than one" in fault.value.why
        for zone in zones_called(name)[:3]:
            assert zone in (fault.value.instead or "")


def test_every_zone_there_is_means_itself() -> None:
    """Except the short names that people use for something else."""
    for name in sorted(available_timezones()):
        if "/" in name:
            assert zone_called("setting zone", name) == name


def settings(zone: str, more: str = "") -> Settings:
    head = {"service": {"address": "gm@example.org", "timezone": zone}}
    page = {**head, "inbox": {"url": "maildir:in"}, "outbox": {"url": "maildir:out"}}
    if more:
        page["deadlines"] = {"zone": more}
    return read_settings(page, Path("/nowhere/gm.toml"), {})


def test_gm_toml_goes_on_meaning_what_it_meant() -> None:
    """A name of the time zone database means just that there; what was refused is read as elsewhere."""
    assert settings("EST").zone.key == "EST"
    assert settings("EST").deadlines.zone == "EST"
    assert settings("UTC", "MST").deadlines.zone == "MST"
    assert settings("Berlin").zone.key == "Europe/Berlin"
    assert settings("UTC", "new york").deadlines.zone == "America/New_York"
    with pytest.raises(Refusal) as fault:
        settings("Europe/Berln")
    assert 'timezone = "Europe/Berlin"' in (fault.value.instead or "")
