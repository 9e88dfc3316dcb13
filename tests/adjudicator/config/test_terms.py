"""The settings of a game as people write them, and in gm.toml."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.config.service import Settings, read_settings
from adjudicator.config.terms import (
    DEADLINE_SETTINGS,
    POLICY_SETTINGS,
    length_text,
    read_deadlines,
    read_policy,
    sort_settings,
    write_deadlines,
    write_policy,
)
from adjudicator.errors import Refusal
from adjudicator.model.deadlines import Deadlines
from adjudicator.model.people import GamePolicy

HOUR = 3_600_000


def settings(*lines: str) -> Settings:
    """Return the settings of a gm.toml with these lines under [deadlines]."""
    head = '[service]\naddress = "gm@example.org"\ntimezone = "Europe/Amsterdam"\n'
    text = head + '[inbox]\nurl = "maildir:in"\n[outbox]\nurl = "maildir:out"\n[deadlines]\n'
    return read_settings(tomllib.loads(text + "\n".join(lines)), Path("/nowhere/gm.toml"), {})


def test_the_usual_terms() -> None:
    terms = read_deadlines({})
    assert (terms.length("moves"), terms.length("retreats"), terms.grace) == (
        72 * HOUR,
        24 * HOUR,
        12 * HOUR,
    )
    assert (terms.nmr, terms.reminder, terms.protect, terms.dropout) == ("hold", 24 * HOUR, False, 0)


@given(st.integers(0, 366 * 24 * 60).map(lambda minutes: minutes * 60_000))
def test_a_length_is_read_as_it_is_written(length: int) -> None:
    text = length_text(length)
    assert read_deadlines({"grace": text}).grace == length


@pytest.mark.parametrize(
    ("key", "text", "read"),
    [
        ("hours", "20, 8:30 8.30 0830", ("08:30", "20:00")),
        ("hours", "any", ()),
        ("days_off", "Saturday-Sunday", ("sat", "sun")),
        ("days_off", "sun-mon; WED", ("mon", "wed", "sun")),
        ("days_off", "none", ()),
        ("holidays", "12-25..12-26 2027-03-26", ("12-25", "12-26", "2027-03-26")),
        ("holidays", "2026-12-24..2027-01-02", ("2026-12-24..2027-01-02",)),
        ("zone", "America/New_York", "America/New_York"),
        ("nmr", "BOT", "bot"),
        ("protect", "YES", True),
        ("dropout", "3", 3),
        ("reminder", "0h", 0),
        ("away", "ignore", "ignore"),
    ],
)
def test_how_terms_may_be_written(key: str, text: str, read: object) -> None:
    terms = read_deadlines({key: text})
    assert getattr(terms, key) == read
    assert read_deadlines(write_deadlines(terms)) == terms


@pytest.mark.parametrize(
    ("key", "text", "why", "instead"),
    [
        ("moves", "soon", '"soon" isn\'t a duration', "72h"),
        ("moves", "0h", '"0h" isn\'t a duration', "72h"),
        ("moves", "9999d", '"9999d" isn\'t a duration', "at most a year"),
        ("hours", "25:00", '"25:00" isn\'t an hour of the day', "hours=20:00"),
        ("hours", "8pm", '"8pm" isn\'t an hour of the day', "hours=20:00"),
        ("days_off", "someday", '"someday" isn\'t a weekday', "days_off=sat,sun"),
        ("days_off", "mon-sun", "leaves no day of the week", "days_off=sat,sun"),
        ("holidays", "christmas", '"christmas" isn\'t a date', "holidays=12-25"),
        ("holidays", "2026-02-30", '"2026-02-30" isn\'t a date', "holidays=12-25"),
        ("holidays", "2026-01-01..2026-12-31", "two months at most", "holidays=12-25"),
        ("holidays", "2026-12-24..2026-12-20", "nor a range of dates", "holidays=12-25"),
        (
            "holidays",
            ",".join(f"2026-{m:02}-{d:02}" for m in range(1, 13) for d in range(1, 12)),
            "there are 132",
            "120",
        ),
        ("zone", "Europe/Atlantis", '"Europe/Atlantis" isn\'t a time zone', "zone=Europe/Amsterdam"),
        ("nmr", "kill", '"kill" isn\'t possible here', "hold, bot, gm, extend"),
        ("protect", "perhaps", "neither yes nor no", "protect=yes"),
        ("dropout", "-1", "isn't a number from 0 to 99", "dropout=2"),
        ("snacks", "many", "games have no such setting", "moves"),
    ],
)
def test_what_cannot_be_read_is_told_how_to_write(key: str, text: str, why: str, instead: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_deadlines({key: text})
    assert refused.value.what == f"setting {key}"
    assert why in refused.value.why
    assert instead in str(refused.value.instead)


def test_what_is_not_mentioned_stays() -> None:
    before = read_deadlines({"moves": "48h", "days_off": "sun"})
    after = read_deadlines({"grace": "1h"}, before)
    assert (after.length("moves"), after.days_off, after.grace) == (48 * HOUR, ("sun",), HOUR)
    assert read_deadlines({"retreats": "1h"}, before).length("moves") == 48 * HOUR


def test_customs_are_terms_too() -> None:
    customs = read_policy({"press": "grey", "anonymous": "yes"}, GamePolicy())
    assert (customs.press, customs.anonymous, customs.reach) == ("grey", True, "all")
    assert read_policy(write_policy(customs), GamePolicy()) == customs
    with pytest.raises(Refusal, match='"shouted" isn\'t possible here'):
        read_policy({"press": "shouted"}, GamePolicy())


def test_terms_are_told_apart() -> None:
    assert sort_settings({"moves": "48h", "press": "none", "early": "no"}) == (
        {"moves": "48h"},
        {"press": "none"},
        False,
    )
    assert sort_settings({}) == ({}, {}, None)
    with pytest.raises(Refusal, match="early"):
        sort_settings({"snacks": "many"})


def test_every_term_says_what_it_means_and_is_read_as_usual() -> None:
    assert write_deadlines(read_deadlines({})) == {key: term.usual for key, term in DEADLINE_SETTINGS.items()}
    assert write_policy(GamePolicy()) == {key: term.usual for key, term in POLICY_SETTINGS.items()}
    assert all(term.meaning for term in (*DEADLINE_SETTINGS.values(), *POLICY_SETTINGS.values()))


def test_gm_toml_has_them_in_the_words_of_toml() -> None:
    terms = settings(
        'moves = "48h"', 'hours = ["20:00", "8:00"]', 'days_off = "sat,sun"', "protect = true", "dropout = 2"
    ).deadlines
    assert isinstance(terms, Deadlines)
    assert terms.length("moves") == 48 * HOUR
    assert (terms.hours, terms.days_off, terms.protect, terms.dropout) == (
        ("08:00", "20:00"),
        ("sat", "sun"),
        True,
        2,
    )
    assert terms.zone == "Europe/Amsterdam"
    assert settings('zone = "UTC"').deadlines.zone == "UTC"
    assert settings("days_off = []").deadlines.days_off == ()
    assert settings('downtime = "3h"').downtime == 3 * HOUR


@pytest.mark.parametrize(
    ("line", "what", "instead"),
    [
        ('moves = "soon"', "[deadlines] moves", "72h"),
        ("moves = 1.5", "[deadlines] moves", None),
        ('hours = "late"', "[deadlines] hours", 'hours = "20:00"'),
        ('zone = "Mars"', "[deadlines] zone", 'zone = "Europe/Amsterdam"'),
        ('snacks = "many"', "[deadlines] snacks", "moves"),
        ('downtime = "long"', "[deadlines] downtime", 'downtime = "1h"'),
    ],
)
def test_a_fault_in_gm_toml_is_named_with_its_key(line: str, what: str, instead: str | None) -> None:
    with pytest.raises(Refusal) as refused:
        settings(line)
    assert refused.value.what == f"gm.toml: {what}"
    assert instead is None or instead in str(refused.value.instead)
