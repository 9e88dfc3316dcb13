"""Reads and writes the settings of a game in people's notation: ``moves=48h``, ``days_off=sat,sun``.

The same keys in [deadlines] of gm.toml are the defaults of a new game.
"""

import logging
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, time, timedelta
from difflib import get_close_matches
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, get_args
from zoneinfo import ZoneInfo, available_timezones

from adjudicator.clock import Millis, datetime_of, instant_of
from adjudicator.config.toml_reader import TIME_UNITS_MS, duration
from adjudicator.errors import Refusal
from adjudicator.model.addresses import valid_address
from adjudicator.model.channel_posts import is_channel_name
from adjudicator.model.deadlines import WEEKDAYS, Away, Deadlines, Nmr, Solo
from adjudicator.model.people import (
    Draws,
    GamePolicy,
    Listed,
    Looks,
    Posters,
    PressRule,
    PressTurns,
    Reach,
    ThreadAnswers,
    ThreadOrders,
    Votes,
    lock_name,
)
from games.record import Value, replace_fields

MAX_SETTING_LENGTH_MS: Millis = 366 * TIME_UNITS_MS["d"]
MAX_HOLIDAYS = 120
MAX_HOLIDAY_DAYS = 62
LENGTH_KEYS = ("moves", "retreats", "builds")
MIN_WORD_CHARS, MAX_WORD_CHARS = 6, 60
"""The lengths of the word that lets new players in."""

EARLY = "early"
"""The key of the setting that isn't a deadline: whether a turn runs as soon as all orders are in."""


class GameSetting(Value, frozen=True):
    """One setting of a game. usual: its default. meaning: a description for people.

    read: parses a text, or raises Refusal. write: returns the canonical text.
    """

    usual: str
    meaning: str
    read: Callable[[str, str], Any]
    write: Callable[[Any], str]


def read_deadlines(given: Mapping[str, str], base: Deadlines | None = None) -> Deadlines:
    """Return the deadlines from texts. The other settings are as in `base`, or the default.

    Raises Refusal for a key that is unknown or has an unreadable value, with what to write instead.
    """
    _check_known(given, DEADLINE_SETTINGS)
    texts = (
        dict(given) if base else {key: term.usual for key, term in DEADLINE_SETTINGS.items()} | dict(given)
    )
    values = {key: DEADLINE_SETTINGS[key].read(key, text) for key, text in texts.items()}
    lengths = {key: values.pop(key) for key in LENGTH_KEYS if key in values}
    if base is None:
        return Deadlines(lengths=lengths, **values)
    return replace_fields(base, lengths={**base.lengths, **lengths}, **values)


def read_policy(given: Mapping[str, str], base: GamePolicy) -> GamePolicy:
    """Return the policy from texts. The other settings are as in `base`. Raises as `read_deadlines`."""
    _check_known(given, POLICY_SETTINGS)
    return replace_fields(base, **{key: POLICY_SETTINGS[key].read(key, text) for key, text in given.items()})


def write_policy(customs: GamePolicy) -> dict[str, str]:
    """Return the whole policy by its keys, in a form that `read_policy` can read."""
    return {key: term.write(getattr(customs, key)) for key, term in POLICY_SETTINGS.items()}


def sort_settings(given: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str], bool | None]:
    """Sort settings into deadlines, policy, and whether turns run early (None if not given).

    Raises as `read_deadlines`.
    """
    _check_known(given, {**DEADLINE_SETTINGS, EARLY: None, **POLICY_SETTINGS})
    times = {key: text for key, text in given.items() if key in DEADLINE_SETTINGS}
    customs = {key: text for key, text in given.items() if key in POLICY_SETTINGS}
    return times, customs, read_early(given[EARLY]) if EARLY in given else None


def _check_known(given: Mapping[str, str], known: Mapping[str, object]) -> None:
    for key in given:
        if key not in known:
            raise Refusal(f"setting {key}", "games have no such setting", "Settings: " + ", ".join(known))


def read_early(text: str) -> bool:
    """Return whether a turn runs as soon as all orders are in, from a text. Raises Refusal."""
    return _flag(EARLY, text)


def yes_or_no(flag: bool) -> str:
    """Return a flag as "yes" or "no"."""
    return "yes" if flag else "no"


def write_deadlines(deadlines: Deadlines) -> dict[str, str]:
    """Return all deadline settings by their keys, in a form that `read_deadlines` can read."""
    return {
        key: term.write(deadlines.length(key) if key in LENGTH_KEYS else getattr(deadlines, key))
        for key, term in DEADLINE_SETTINGS.items()
    }


def length_text(millis: Millis) -> str:
    """Return a length of time in people's notation: "72h", "4d" beyond three days, "1h30m"."""
    if millis == 0:
        return "0h"
    parts, rest = [], millis
    for unit in ("d", "h", "m", "s"):
        if unit == "d" and (millis % TIME_UNITS_MS["d"] or millis <= 3 * TIME_UNITS_MS["d"]):
            continue
        number, rest = divmod(rest, TIME_UNITS_MS[unit])
        parts += [f"{number}{unit}"] if number else []
    return "".join(parts)


def length_of(what: str, text: str, *, zero: bool = False) -> Millis:
    """Return the length of time in a text, at most a year. Raises Refusal."""
    length = duration(text)
    if length is None or (length == 0 and not zero) or length > MAX_SETTING_LENGTH_MS:
        raise Refusal(what, f'"{text}" isn\'t a duration', "Use 72h, 3d or 1d12h (at most a year)")
    return length


def _length(key: str, text: str) -> Millis:
    return length_of(f"setting {key}", text)


def _length_or_none(key: str, text: str) -> Millis:
    return length_of(f"setting {key}", text, zero=True)


def _hours(key: str, text: str) -> tuple[str, ...]:
    hours = set()
    for item in _items(text, none="any"):
        match = re.fullmatch(r"([01]?\d|2[0-3])[:.]?([0-5]\d)?", item)
        if match is None or (len(item) > 2 and match[2] is None):
            raise Refusal(
                f"setting {key}", f'"{item}" isn\'t an hour of the day', f"Write {key}=20:00 or {key}=any"
            )
        hours.add(f"{time(int(match[1]), int(match[2] or 0)):%H:%M}")
    return tuple(sorted(hours))


def _days_off(key: str, text: str) -> tuple[str, ...]:
    days = set()
    for item in _items(text, none="none"):
        first, dash, last = (part[:3] for part in item.partition("-"))
        if first not in WEEKDAYS or (dash and last not in WEEKDAYS):
            raise Refusal(
                f"setting {key}", f'"{item}" isn\'t a weekday', f"Write {key}=sat,sun or {key}=none"
            )
        start, end = WEEKDAYS.index(first), WEEKDAYS.index(last or first)
        days |= {WEEKDAYS[(start + step) % 7] for step in range((end - start) % 7 + 1)}
    if len(days) == 7:
        raise Refusal(f"setting {key}", "it leaves no day of the week", f"Write {key}=sat,sun or {key}=none")
    return tuple(day for day in WEEKDAYS if day in days)


def _holidays(key: str, text: str) -> tuple[str, ...]:
    holidays = {day for item in _items(text, none="none") for day in _holiday(key, item)}
    if len(holidays) > MAX_HOLIDAYS:
        raise Refusal(f"setting {key}", f"there are {len(holidays)} of them", f"Name at most {MAX_HOLIDAYS}")
    return tuple(sorted(holidays))


def _holiday(key: str, text: str) -> tuple[str, ...]:
    """Return one day or a range of days (of every year, or of one year), or a country's holidays."""
    if is_country_code(text.upper()):
        return (_country(key, text.upper()),)
    first, _, last = text.partition("..")
    yearly = re.fullmatch(r"\d\d-\d\d(\.\.\d\d-\d\d)?", text)
    try:
        begins, ends = (
            date.fromisoformat(f"2000-{end}" if yearly else end) for end in (first, last or first)
        )
    except ValueError:
        begins, ends = date.max, date.min
    days = (ends - begins).days
    if not 0 <= days <= MAX_HOLIDAY_DAYS:
        raise Refusal(
            f"setting {key}",
            f'"{text}" isn\'t a date, nor a range of dates in one year (two months at most)',
            f"Write {key}=12-25 for every year, {key}=2027-03-26 for one year, "
            f"{key}=2027-07-01..2027-07-21 for a range, or {key}=DE for a country's holidays",
        )
    if yearly:
        return tuple(f"{begins + timedelta(days=step):%m-%d}" for step in range(days + 1))
    return (f"{begins}..{ends}" if days else str(begins),)


def _country(key: str, code: str) -> str:
    if not is_library_installed():
        raise Refusal(f"setting {key}", f"the holidays of {code} aren't installed here", INSTALL_HOLIDAYS)
    if not is_known_country(code):
        raise Refusal(
            f"setting {key}",
            f'"{code}" isn\'t a country or region with known holidays',
            f"Write {key}=DE or {key}=US-CA (ISO 3166), or the dates: {key}=12-25",
        )
    return code


def _zone(key: str, text: str) -> str:
    return zone_called(f"setting {key}", text, f"{key}={{zone}}")


def _one_of(kind: Any) -> Callable[[str, str], str]:
    def read(key: str, text: str) -> str:
        if text.lower() not in get_args(kind):
            raise Refusal(
                f"setting {key}", f'"{text}" isn\'t possible here', "Choose: " + ", ".join(get_args(kind))
            )
        return text.lower()

    return read


def _flag(key: str, text: str) -> bool:
    if text.lower() not in ("yes", "no", "true", "false"):
        raise Refusal(f"setting {key}", f'"{text}" is neither yes nor no', f"Write {key}=yes or {key}=no")
    return text.lower() in ("yes", "true")


def _count(key: str, text: str) -> int:
    if not re.fullmatch(r"\d{1,2}", text):
        raise Refusal(f"setting {key}", f'"{text}" isn\'t a number from 0 to 99', f"Write {key}=2")
    return int(text)


def _percent(key: str, text: str) -> int:
    number = text.strip().removesuffix("%").strip()
    if number.lower() in ("no", "none", "off"):
        return 0
    if not re.fullmatch(r"\d{1,3}", number) or int(number) > 100:
        raise Refusal(
            f"setting {key}", f'"{text}" isn\'t a percentage up to 100', f"Write {key}=90% or {key}=no"
        )
    return int(number)


def _forum(key: str, text: str) -> str:
    if text.strip().lower() in ("", "none"):
        return ""
    forum = valid_address(text) if "@" in text else text.strip().lower()
    if not forum or not ("@" in forum or is_channel_name(forum)):
        raise Refusal(
            f"setting {key}",
            f'"{text}" is neither an address nor the name of a channel',
            f"Write {key}=turns@lists.example.org, {key}=club for a channel in gm.toml, or {key}=none",
        )
    return forum


def _word(key: str, text: str) -> str:
    word = text.strip()
    if word.lower() in ("", "none"):
        return ""
    if not MIN_WORD_CHARS <= len(word) <= MAX_WORD_CHARS or re.search(r"[\s,=]", word):
        raise Refusal(
            f"setting {key}",
            f"it isn't one word of {MIN_WORD_CHARS} to {MAX_WORD_CHARS} characters",
            f"Write {key}=three-canoes, or {key}=none",
        )
    return word


def _show_word(sealed: str) -> str:
    """Return that there is a word, and a mark that changes with the word and doesn't reveal it."""
    return f"set-{lock_name(sealed)[:6]}" if sealed else "none"


def _items(text: str, none: str) -> list[str]:
    items = [item for item in re.split(r"[\s,;]+", text.strip().lower()) if item]
    return [] if items in ([none], ["none"]) else items


def _list(none: str) -> Callable[[Iterable[str]], str]:
    return lambda items: ",".join(items) or none


DEADLINE_SETTINGS: dict[str, GameSetting] = {
    "moves": GameSetting("72h", "how long a turn waits for orders", _length, length_text),
    "retreats": GameSetting("24h", "how long a turn with only retreats waits", _length, length_text),
    "builds": GameSetting("24h", "how long a turn with only builds and disbands waits", _length, length_text),
    "grace": GameSetting("12h", "the grace period: late orders still count", _length_or_none, length_text),
    "hours": GameSetting("any", "the times of day for deadlines: 20:00, or several", _hours, _list("any")),
    "days_off": GameSetting("none", "weekdays without play: sat,sun", _days_off, _list("none")),
    "holidays": GameSetting(
        "none",
        "days without play: 12-25,2027-03-26, or a country's: DE, US-CA",
        _holidays,
        _list("none"),
    ),
    "zone": GameSetting("UTC", "the time zone of these times and days", _zone, str),
    "reminder": GameSetting(
        "24h", "how long before a deadline the reminder goes out", _length_or_none, length_text
    ),
    "nmr": GameSetting(
        "hold",
        "if orders are missing at the deadline: units hold, the bot orders, ask the GM, or extend once",
        _one_of(Nmr),
        str,
    ),
    "extension": GameSetting("24h", "the length of that extension", _length, length_text),
    "protect": GameSetting(
        "no",
        "whether the first turn waits for everyone: it is extended once, then we ask the GM",
        _flag,
        yes_or_no,
    ),
    "dropout": GameSetting(
        "0", "turns in a row without orders before a bot takes over; 0: never", _count, str
    ),
    "away": GameSetting(
        "deadline",
        "what an absence does: nothing, extend the deadline, let the bot or a substitute order",
        _one_of(Away),
        str,
    ),
    "away_limit": GameSetting("14d", "the maximum extension by absences", _length, length_text),
    "solo": GameSetting(
        "waits",
        "with one player against bots: the turn waits for the player, or has a deadline",
        _one_of(Solo),
        str,
    ),
}
"""Every deadline setting by its key, in the order of the settings' list."""

POLICY_SETTINGS: dict[str, GameSetting] = {
    "press": GameSetting("any", "press between players: signed, unsigned, any", _one_of(PressRule), str),
    "reach": GameSetting(
        "all",
        "who reads a player's press: whom they write to; neighbours only; or public, everybody all of it",
        _one_of(Reach),
        str,
    ),
    "press_in": GameSetting(
        "all",
        "when there is press: in all turns, or in moves only, as in the rulebook",
        _one_of(PressTurns),
        str,
    ),
    "anonymous": GameSetting("no", "whether it is secret who plays which seat", _flag, yes_or_no),
    "draws": GameSetting(
        "all",
        "who agrees to a draw: all, the majority; named: all, and it may leave some out; none: no draws",
        _one_of(Draws),
        str,
    ),
    "votes": GameSetting(
        "majority",
        "who has to agree to a pause, more time or the end: the majority, all; none: no votes",
        _one_of(Votes),
        str,
    ),
    "forum": GameSetting(
        "none",
        "the thread for the game: a mailing list's address, or a channel in gm.toml",
        _forum,
        lambda place: place or "none",
    ),
    "orders": GameSetting(
        "sent",
        "orders in a thread: by email, and the thread says they are sent; or open, in posts too",
        _one_of(ThreadOrders),
        str,
    ),
    "answers": GameSetting(
        "letter", "the reply to a post: by email, or by a post", _one_of(ThreadAnswers), str
    ),
    "posters": GameSetting(
        "proved",
        "what authenticates a post: its verified signature, or the list or forum itself",
        _one_of(Posters),
        str,
    ),
    "records": GameSetting(
        "no", "whether STATUS shows how often each player has sent orders", _flag, yes_or_no
    ),
    "reliable": GameSetting(
        "no",
        "how often new players must have sent orders, such as 90%; those with less wait for the GM's consent",
        _percent,
        lambda percent: f"{percent}%" if percent else "no",
    ),
    "looks": GameSetting(
        "after",
        "when all learn that a GM who plays has looked at hidden orders: after the game, or now",
        _one_of(Looks),
        str,
    ),
    "listed": GameSetting(
        "yes",
        "who may know of the game: yes, all; watch, all, but new players need the word; no, only its people",
        _one_of(Listed),
        str,
    ),
    "word": GameSetting(
        "none",
        "the word for JOIN in such a game, which we store sealed; none: by invitation",
        _word,
        _show_word,
    ),
}
"""Every policy setting by its key."""

MEANINGS = {key: term.meaning for key, term in {**DEADLINE_SETTINGS, **POLICY_SETTINGS}.items()} | {
    EARLY: "whether the turn runs as soon as all orders are in"
}
"""The description of each setting, for people."""


# The public holidays of a country or a part of one: ``DE``, ``DE-BY``, ``US-CA``.
# The library is large (14 MB, a quarter of a second to load), and few games name a country. So it is optional
# (``turnpost[holidays]``), and loaded when a game needs it.


HOLIDAYS_LIBRARY = "holidays"
INSTALL_HOLIDAYS = 'Type "pip install turnpost[holidays]"'

_COUNTRY_CODE_RE = re.compile(r"([A-Z]{2})(?:-([A-Z0-9]{1,3}))?")

log = logging.getLogger(__name__)


def is_country_code(text: str) -> bool:
    """Return whether a text has the form of a code for a country or a part of one."""
    return _COUNTRY_CODE_RE.fullmatch(text) is not None


def is_library_installed() -> bool:
    """Return whether the library is installed."""
    return find_spec(HOLIDAYS_LIBRARY) is not None


@cache
def is_known_country(code: str) -> bool:
    """Return whether the library knows the country and its part."""
    return _days(code, 2026) is not None


@lru_cache(maxsize=256)
def days_of(code: str, year: int) -> frozenset[date]:
    """Return the public holidays of a year. Empty if the library is missing, as `gm doctor` reports."""
    if not is_library_installed():
        log.error("the holidays of %s are not known here: %s", code, INSTALL_HOLIDAYS)
        return frozenset()
    return _days(code, year) or frozenset()


def _days(code: str, year: int) -> frozenset[date] | None:
    match = _COUNTRY_CODE_RE.fullmatch(code)
    if match is None:
        return None
    library = import_module(HOLIDAYS_LIBRARY)
    try:
        return frozenset(library.country_holidays(match[1], subdiv=match[2], years=year))
    except NotImplementedError:
        return None


# Instants and lengths of time in a GM's notation: "2026-12-01 20:00", "fri 20:00", "20:00", "36h".


TIME_EXAMPLES = 'Write it like "2026-12-01 20:00", "fri 20:00" or "20:00"'

_TIME_PATTERN = r"(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)"
_SHORT_HOUR_RE = re.compile(r"[ T](?=\d:)")
_DAY_AND_TIME_RE = re.compile(rf"(?:(?P<day>[a-z]+) +)?{_TIME_PATTERN}")


def parse_instant(text: str, zone: ZoneInfo, now: Millis) -> Millis:
    """Return the instant of a text in a time zone. For a weekday or a time, that is the next one.

    A date with an offset ("2026-12-01T20:00+01:00") ignores the time zone. Raises Refusal.
    """
    words = " ".join(text.lower().split())
    match = _DAY_AND_TIME_RE.fullmatch(words)
    if match is not None:
        return _next(match["day"], time(int(match["hour"]), int(match["minute"])), zone, now, text)
    try:
        date = datetime.fromisoformat(_SHORT_HOUR_RE.sub("T0", words.upper()))
    except ValueError as fault:
        raise Refusal(f'"{text}"', "it isn't a time that we can read", TIME_EXAMPLES) from fault
    if ":" not in words:
        raise Refusal(f'"{text}"', "it names no hour", TIME_EXAMPLES)
    return instant_of(date if date.tzinfo else date.replace(tzinfo=zone))


def _next(day: str | None, hour: time, zone: ZoneInfo, now: Millis, text: str) -> Millis:
    today = datetime_of(now, zone).date()
    days = range(8)
    if day in ("today", "tomorrow"):
        days = range(1) if day == "today" else range(1, 2)
    elif day is not None:
        if day[:3] not in WEEKDAYS:
            raise Refusal(f'"{text}"', f"{day} isn't a day of the week", TIME_EXAMPLES)
        ahead = (WEEKDAYS.index(day[:3]) - today.weekday()) % 7
        days = range(ahead, ahead + 8, 7)
    for step in days:
        struck = instant_of(datetime.combine(today + timedelta(days=step), hour, zone))
        if struck > now:
            return struck
    raise Refusal(f'"{text}"', "that time has passed", TIME_EXAMPLES)


# Time zones as people name them, in emails and in the GM's commands.


USUAL = "Europe/Amsterdam"
"""The zone for examples."""

MOST_SHOWN = 6
"""The maximum number of suggested zones."""

_OFFSET = re.compile(r"(?:utc|gmt)\s*([+-])\s*(\d{1,2})(?::?00)?", re.IGNORECASE)
_CUSTOMARY = {
    "gmt": "Europe/London", "bst": "Europe/London", "cet": "Europe/Berlin", "cest": "Europe/Berlin",
    "mez": "Europe/Berlin", "eet": "Europe/Athens", "est": "America/New_York", "edt": "America/New_York",
    "cst": "America/Chicago", "cdt": "America/Chicago", "mst": "America/Denver", "mdt": "America/Denver",
    "pst": "America/Los_Angeles", "pdt": "America/Los_Angeles", "jst": "Asia/Tokyo",
    "aest": "Australia/Sydney",
}  # fmt: skip
"""Common names for time zones, each with a city in the zone."""


def zones_called(text: str, names: Iterable[str] | None = None) -> tuple[str, ...]:
    """Return the time zones that a text may mean: by name, city, common name or offset.

    names: the names of all zones (default: those in the time zone database).
    """
    text = text.strip(" .")
    zone_name = text.replace(" ", "_").lower()
    offset = _OFFSET.fullmatch(text)
    if offset:
        # The signs in the names of these zones are reversed.
        sign = "-" if offset[1] == "+" else "+"
        zone_name = f"etc/gmt{sign}{int(offset[2])}" if int(offset[2]) else "utc"
    zone_name = _CUSTOMARY.get(zone_name, zone_name).lower()
    known = _names() if names is None else sorted(names)
    exact = tuple(name for name in known if name.lower() == zone_name)
    return exact or _told_apart(
        tuple(name for name in known if name.rpartition("/")[2].lower() == zone_name and "/" in name)
    )


def zone_called(what: str, text: str, write: str = "zone={zone}") -> str:
    """Return the name of the one time zone that a text means.

    what: the name of the value, for messages. write: how to write a zone there. Raises Refusal if the text
    means no zone or several.
    """
    zones = zones_called(text)
    if len(zones) == 1:
        return zones[0]
    why = f'"{text}" is the name of more than one time zone' if zones else f'"{text}" isn\'t a time zone'
    shown = (zones or zones_like(text) or (USUAL,))[:MOST_SHOWN]
    raise Refusal(what, why, "Write " + " or ".join(write.format(zone=zone) for zone in shown))


def zones_like(text: str) -> tuple[str, ...]:
    """Return the zones whose cities have a similar spelling, the most similar first, in the given region."""
    region, _, wanted = text.strip(" .").replace(" ", "_").lower().rpartition("/")
    cities: dict[str, str] = {}
    for name in _names():
        if "/" in name and name.lower().startswith(f"{region}/" if region else ""):
            cities.setdefault(name.rpartition("/")[2].lower(), name)
    return tuple(cities[city] for city in get_close_matches(wanted, cities, n=3, cutoff=0.75))


def _told_apart(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the zones, or only the fullest name if the clocks of all agree."""
    clocks = {tuple(ZoneInfo(name).utcoffset(month) for month in _MONTHS) for name in names}
    return names if len(clocks) != 1 else (max(names, key=lambda name: name.count("/")),)


_MONTHS = tuple(datetime(year, month, 15) for year in range(2020, 2036) for month in range(1, 13))


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(available_timezones()))
