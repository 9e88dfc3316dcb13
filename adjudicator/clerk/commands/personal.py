"""TIMEZONE, PASSWORD, ABSENCE: what a player tells of himself."""

from adjudicator.catalogue import sentence
from adjudicator.clerk.commands.case import Caller, Case, Done, told
from adjudicator.clerk.commands.choosing import days_of
from adjudicator.clock import Millis, spoken
from adjudicator.ledger.game_acts import SetPassword
from adjudicator.ledger.people_acts import NoteAbsence, NotePerson
from adjudicator.ledger.society import Absence, Person
from adjudicator.reports.times import span
from adjudicator.settings.zones import MOST_SHOWN, zones_called, zones_like
from adjudicator.signs.passwords import LONGEST
from games.record import changed
from orders.commands import Command

LONGEST_ABSENCE: Millis = 92 * 24 * 3_600_000
ANYWHERE: Millis = 26 * 3_600_000
"""By so much a day is longer that lasts as long as it is that day somewhere on earth."""

SHORTEST_PASSWORD = 6


def set_zone(caller: Caller, command: Command) -> Done:
    """Tell times by the clocks where he lives, from now on."""
    if not command.args:
        now = spoken(caller.received, caller.zone)
        return told(sentence("clerk.personal.zone", zone=caller.zone.key, at=now))
    said = command.args[0].strip(" .")
    zones = zones_called(said)
    if len(zones) != 1:
        near = (zones or zones_like(said))[:MOST_SHOWN]
        return told(sentence("clerk.personal.no_such_zone", said=said, zones=near))
    known = caller.books.society.person(caller.address) or Person(address=caller.address)
    act = NotePerson(by=caller.address, person=changed(known, zone=zones[0]))
    return Done(acts=(act,), notes=(sentence("clerk.personal.zone_set", zone=zones[0]),))


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
