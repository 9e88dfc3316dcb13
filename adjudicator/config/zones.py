"""Time zones as people call them, in emails and in the gamesmaster's commands alike."""

import re
from collections.abc import Iterable
from datetime import datetime
from difflib import get_close_matches
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from adjudicator.errors import Refusal

USUAL = "Europe/Amsterdam"
"""The zone of which an example is made."""

MOST_SHOWN = 6
"""No more zones are suggested than that."""

_OFFSET = re.compile(r"(?:utc|gmt)\s*([+-])\s*(\d{1,2})(?::?00)?", re.IGNORECASE)
_CUSTOMARY = {
    "gmt": "Europe/London", "bst": "Europe/London", "cet": "Europe/Berlin", "cest": "Europe/Berlin",
    "mez": "Europe/Berlin", "eet": "Europe/Athens", "est": "America/New_York", "edt": "America/New_York",
    "cst": "America/Chicago", "cdt": "America/Chicago", "mst": "America/Denver", "mdt": "America/Denver",
    "pst": "America/Los_Angeles", "pdt": "America/Los_Angeles", "jst": "Asia/Tokyo",
    "aest": "Australia/Sydney",
}  # fmt: skip
"""What people call the zones they live in, by a place where the clocks go so."""


def zones_called(text: str, names: Iterable[str] | None = None) -> tuple[str, ...]:
    """Return the time zones that a text may mean: by name, by a city, by a custom, by their offset.

    names: of the zones that there are; None: those of the time zone database.
    """
    text = text.strip(" .")
    said = text.replace(" ", "_").lower()
    offset = _OFFSET.fullmatch(text)
    if offset:
        # The names of these count westwards.
        sign = "-" if offset[1] == "+" else "+"
        said = f"etc/gmt{sign}{int(offset[2])}" if int(offset[2]) else "utc"
    said = _CUSTOMARY.get(said, said).lower()
    known = _names() if names is None else sorted(names)
    exact = tuple(name for name in known if name.lower() == said)
    return exact or _told_apart(
        tuple(name for name in known if name.rpartition("/")[2].lower() == said and "/" in name)
    )


def zone_called(what: str, text: str, write: str = "zone={zone}") -> str:
    """Return the one time zone that a text means, by its name.

    what, write: what is read, and how a zone is written there, for the Refusal that is raised if the text
    means none, or several.
    """
    zones = zones_called(text)
    if len(zones) == 1:
        return zones[0]
    why = f"{text} is the name of more than one time zone" if zones else f"{text} is no time zone"
    shown = (zones or zones_like(text) or (USUAL,))[:MOST_SHOWN]
    raise Refusal(what, why, "write  " + ",  or  ".join(write.format(zone=zone) for zone in shown))


def zones_like(text: str) -> tuple[str, ...]:
    """Return the zones whose cities are written nearly so, the nearest first: of the region that is named."""
    region, _, said = text.strip(" .").replace(" ", "_").lower().rpartition("/")
    cities: dict[str, str] = {}
    for name in _names():
        if "/" in name and name.lower().startswith(f"{region}/" if region else ""):
            cities.setdefault(name.rpartition("/")[2].lower(), name)
    return tuple(cities[city] for city in get_close_matches(said, cities, n=3, cutoff=0.75))


def _told_apart(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the zones; but one of them, by its fullest name, where the clocks of all go alike."""
    clocks = {tuple(ZoneInfo(name).utcoffset(month) for month in _MONTHS) for name in names}
    return names if len(clocks) != 1 else (max(names, key=lambda name: name.count("/")),)


_MONTHS = tuple(datetime(year, month, 15) for year in range(2020, 2036) for month in range(1, 13))


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(available_timezones()))
