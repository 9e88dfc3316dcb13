"""TIMEZONE, PASSWORD, ABSENCE: a player's commands on themselves."""

from adjudicator.auth.passwords import MAX_PASSWORD_CHARS
from adjudicator.clock import Millis, format_instant
from adjudicator.config.zones import MOST_SHOWN, zones_called, zones_like
from adjudicator.inbound.commands.choosing import parse_days
from adjudicator.inbound.commands.context import CommandContext, CommandResult, SeatCommandContext, reply_with
from adjudicator.messages import sentence
from adjudicator.model.game_acts import SetPassword
from adjudicator.model.people import Absence, Person
from adjudicator.model.people_acts import NoteAbsence, NotePerson
from adjudicator.reports.times import span
from games.record import replace_fields
from orders.commands import Command

MAX_ABSENCE: Millis = 92 * 24 * 3_600_000
ANYWHERE_ON_EARTH_EXTRA: Millis = 26 * 3_600_000
"""By so much a day is longer that lasts as long as it is that day somewhere on earth."""

MIN_PASSWORD_CHARS = 6


def set_zone(caller: CommandContext, command: Command) -> CommandResult:
    """Set the time zone in which the sender is told times from now on."""
    if not command.args:
        now = format_instant(caller.received, caller.zone)
        return reply_with(sentence("clerk.personal.zone", zone=caller.zone.key, at=now))
    text = command.args[0].strip(" .")
    zones = zones_called(text)
    if len(zones) != 1:
        near = (zones or zones_like(text))[:MOST_SHOWN]
        return reply_with(sentence("clerk.personal.no_such_zone", said=text, zones=near))
    known = caller.books.people.person(caller.address) or Person(address=caller.address)
    act = NotePerson(by=caller.address, person=replace_fields(known, zone=zones[0]))
    return CommandResult(acts=(act,), notes=(sentence("clerk.personal.zone_set", zone=zones[0]),))


def set_password(case: SeatCommandContext, command: Command) -> CommandResult:
    """Give the seat a password of the player's own choice."""
    password = command.args[0]
    if len(password) < MIN_PASSWORD_CHARS:
        return reply_with(sentence("clerk.personal.short_password", least=MIN_PASSWORD_CHARS))
    if len(password) > MAX_PASSWORD_CHARS:
        return reply_with(sentence("clerk.personal.long_password", most=MAX_PASSWORD_CHARS))
    act = SetPassword(game=case.name, by=case.seat, seat=case.seat, password=password)
    note = sentence("clerk.personal.password_set", seat=case.seat, game=case.name)
    return CommandResult(acts=(act,), notes=(note,))


def note_absence(case: SeatCommandContext, command: Command) -> CommandResult:
    """Note when the player cannot write: everybody is told, and the game acts on it."""
    text = command.args[0].strip(" .")
    if text.lower() in ("off", "none", "over", "cancelled"):
        back = NoteAbsence(game=case.name, by=case.seat, seat=case.seat, absence=None)
        return CommandResult(acts=(back,), notes=(sentence("clerk.personal.not_away"),))
    anonymous = case.books.people.policy(case.name).anonymous
    days = parse_days(text, case.received, case.zone, anywhere=anonymous)
    if days is None:
        return reply_with(sentence("clerk.personal.no_such_days", said=text))
    if days.last < case.received:
        return reply_with(sentence("clerk.personal.days_over"))
    if days.last - days.first > MAX_ABSENCE + (ANYWHERE_ON_EARTH_EXTRA if anonymous else 0):
        weeks = MAX_ABSENCE // (7 * 24 * 3_600_000)
        return reply_with(sentence("clerk.personal.many_weeks", most=weeks))
    absence = Absence(seat=case.seat, first=days.first, last=days.last)
    first, last = span(days.first, days.last, case.zone, anywhere=anonymous)
    act = NoteAbsence(game=case.name, by=case.seat, seat=case.seat, absence=absence)
    note = sentence("clerk.personal.away", first=first, last=last, game=case.name)
    return CommandResult(acts=(act,), notes=(note,))
