"""TIMEZONE, PASSWORD, ABSENCE: what a player tells of himself."""

import re
from collections.abc import Iterable
from zoneinfo import available_timezones

from adjudicator.catalogue import sentence
from adjudicator.clerk.commands.case import Caller, Case, Done, told
from adjudicator.clerk.commands.choosing import days_of
from adjudicator.clock import Millis, spoken
from adjudicator.ledger.game_acts import SetPassword
from adjudicator.ledger.people_acts import NoteAbsence, NotePerson
from adjudicator.ledger.society import Absence, Person
from adjudicator.reports.times import span
from adjudicator.signs.passwords import LONGEST
from games.record import changed
from orders.commands import Command

LONGEST_ABSENCE: Millis = 92 * 24 * 3_600_000
ANYWHERE: Millis = 26 * 3_600_000
"""By so much a day is longer that lasts as long as it is that day somewhere on earth."""

SHORTEST_PASSWORD = 6
_OFFSET = re.compile(r"(?:utc|gmt)\s*([+-])\s*(\d{1,2})(?::?00)?", re.IGNORECASE)
_CUSTOMARY = {
    "gmt": "Europe/London", "bst": "Europe/London", "cet": "Europe/Berlin", "cest": "Europe/Berlin",
    "mez": "Europe/Berlin", "eet": "Europe/Athens", "est": "America/New_York", "edt": "America/New_York",
    "cst": "America/Chicago", "cdt": "America/Chicago", "mst": "America/Denver", "mdt": "America/Denver",
    "pst": "America/Los_Angeles", "pdt": "America/Los_Angeles", "jst": "Asia/Tokyo",
    "aest": "Australia/Sydney",
}  # fmt: skip
"""What people call the zones they live in, by a place where the clocks go so."""


def set_zone(caller: Caller, command: Command) -> Done:
    """Tell times by the clocks where he lives, from now on."""
    if not command.args:
        now = spoken(caller.received, caller.zone)
        return told(sentence("clerk.personal.zone", zone=caller.zone.key, at=now))
    said = command.args[0].strip(" .")
    zones = zones_called(said, available_timezones())
    if len(zones) != 1:
        return told(sentence("clerk.personal.no_such_zone", said=said, zones=sorted(zones)[:6]))
    known = caller.books.society.person(caller.address) or Person(address=caller.address)
    act = NotePerson(by=caller.address, person=changed(known, zone=zones[0]))
    return Done(acts=(act,), notes=(sentence("clerk.personal.zone_set", zone=zones[0]),))


def zones_called(text: str, names: Iterable[str]) -> tuple[str, ...]:
    """The time zones that a text may mean: by name, by the name of a city, by a custom, by their offset."""
    said = text.replace(" ", "_").lower()
    offset = _OFFSET.fullmatch(text)
    if offset:
        # The names of these count westwards.
        sign = "-" if offset[1] == "+" else "+"
        said = f"etc/gmt{sign}{int(offset[2])}" if int(offset[2]) else "utc"
    said = _CUSTOMARY.get(said, said).lower()
    sorted_names = sorted(names)
    exact = tuple(name for name in sorted_names if name.lower() == said)
    return exact or tuple(
        name for name in sorted_names if name.rpartition("/")[2].lower() == said and "/" in name
    )


def set_password(case: Case, command: Command) -> Done:
    """Give the seat a password of the player's own choice."""
    password = command.args[0]
    if len(password) < SHORTEST_PASSWORD:
        return told(sentence("clerk.personal.short_password", least=SHORTEST_PASSWORD))
    if len(password) > LONGEST:
        return told(sentence("clerk.personal.long_password", most=LONGEST))
    act = SetPassword(game=case.name, by=case.seat, seat=case.seat, password=password)
    note = sentence("clerk.personal.password_set", seat=case.seat, game=case.name)
    return Done(acts=(act,), notes=(note,))


def note_absence(case: Case, command: Command) -> Done:
    """Say when the player cannot write: everybody is told, and the game does what it does about that."""
    said = command.args[0].strip(" .")
    if said.lower() in ("off", "none", "over", "cancelled"):
        back = NoteAbsence(game=case.name, by=case.seat, seat=case.seat, absence=None)
        return Done(acts=(back,), notes=(sentence("clerk.personal.not_away"),))
    anonymous = case.books.society.customs(case.name).anonymous
    days = days_of(said, case.received, case.zone, anywhere=anonymous)
    if days is None:
        return told(sentence("clerk.personal.no_such_days", said=said))
    if days.last < case.received:
        return told(sentence("clerk.personal.days_over"))
    if days.last - days.first > LONGEST_ABSENCE + (ANYWHERE if anonymous else 0):
        weeks = LONGEST_ABSENCE // (7 * 24 * 3_600_000)
        return told(sentence("clerk.personal.many_weeks", most=weeks))
    absence = Absence(seat=case.seat, first=days.first, last=days.last)
    first, last = span(days.first, days.last, case.zone, anywhere=anonymous)
    act = NoteAbsence(game=case.name, by=case.seat, seat=case.seat, absence=absence)
    note = sentence("clerk.personal.away", first=first, last=last, game=case.name)
    return Done(acts=(act,), notes=(note,))
