"""LETTERS, TIMEZONE, PASSWORD and ABSENCE: a player's own settings."""

from collections.abc import Sequence
from typing import Any, get_args

from adjudicator.auth.correspondents import request_mark
from adjudicator.auth.passwords import MAX_PASSWORD_CHARS
from adjudicator.clock import Millis, format_instant
from adjudicator.config.terms import MOST_SHOWN, zones_called, zones_like
from adjudicator.inbound.commands.context import (
    CommandContext,
    CommandResult,
    SeatCommandContext,
    parse_days,
    reply_with,
)
from adjudicator.messages import sentence
from adjudicator.model.addresses import valid_address
from adjudicator.model.games import SetPassword
from adjudicator.model.mail import Attachment, HeaderText
from adjudicator.model.people import (
    FORGET_COMMAND,
    Absence,
    AskToForget,
    ChooseDigest,
    ChooseLetters,
    Detail,
    Digest,
    Every,
    LetterChoice,
    Maps,
    NoteAbsence,
    NotePerson,
    Person,
    Reasons,
    Request,
    ScheduleForgetting,
)
from adjudicator.reports.times import both, span
from games.record import format_indented, replace_fields
from orders.commands import Command

_SINGLE_WORD_CHOICES = {
    word: what
    for what, words in (("detail", Detail), ("every", Every), ("maps", Maps))
    for word in get_args(words)
}
"""Words that say by themselves what they choose."""

_TWO_WORD_CHOICES = {"reasons": get_args(Reasons), "digest": get_args(Digest)}
"""Words that another one has to follow."""


_SHEET_CHOICES = {"off": "text", "on": "page"}
"""What may stand behind SHEET, and what it chooses: alone it wants the page."""

_ARCHIVE_CHOICES = {"public": True, "private": False}
"""Words by which somebody says whether the archive may name him."""


def choose_letters(caller: CommandContext, command: Command) -> CommandResult:
    """Choose, or ask what is chosen. A sender without a seat can choose the digest alone."""
    words = command.args[0].lower().replace(",", " ").strip(" .").split() if command.args else []
    choices = _parse_choices(words)
    if choices is None:
        return reply_with(sentence("inbound.letters.not_understood", line=command.line))
    digest: Digest | None = choices.pop("digest", None)
    public: bool | None = choices.pop("public", None)
    if not isinstance(caller, SeatCommandContext):
        return _choose_without_seat(caller, choices, digest, public)
    if choices.get("every") == "round" and not _has_rounds(caller):
        title = caller.game.about.title
        return reply_with(sentence("inbound.letters.no_rounds", game=caller.name, title=title))
    # The choices belong to the address that gets the reports, not to the sender, who may only have the token.
    holder = caller.seated.assignment.address or caller.sender
    acts: list[ChooseLetters | ChooseDigest | NotePerson] = []
    if choices:
        acts.append(
            ChooseLetters(by=caller.seat, game=caller.name, seat=caller.seat, address=holder, **choices)
        )
    if digest:
        acts.append(ChooseDigest(by=holder, address=holder, digest=digest, at=caller.received))
    if public is not None:
        acts.append(_set_public(caller, holder, public))
    notes = [*_describe_choices(caller, holder, choices), _describe_digest(caller, holder, digest)]
    return CommandResult(acts=tuple(acts), notes=(*notes, _describe_archive(caller, holder, public)))


def _choose_without_seat(
    caller: CommandContext, choices: dict[str, Any], digest: Digest | None, public: bool | None
) -> CommandResult:
    if choices:
        return reply_with(sentence("inbound.commands.belongs_to_a_seat", verb="LETTERS"))
    address = caller.address
    acts: list[ChooseDigest | NotePerson] = []
    if digest is not None:
        acts.append(ChooseDigest(by=address, address=address, digest=digest, at=caller.received))
    if public is not None:
        acts.append(_set_public(caller, address, public))
    return CommandResult(
        acts=tuple(acts),
        notes=(_describe_digest(caller, address, digest), _describe_archive(caller, address, public)),
    )


def _set_public(caller: CommandContext, holder: str, public: bool) -> NotePerson:
    known = caller.repository.people.person(holder) or Person(address=holder)
    return NotePerson(by=holder, person=replace_fields(known, public=public))


def _describe_archive(caller: CommandContext, holder: str, choice: bool | None) -> str:
    """Return a sentence on whether the archive names the player now."""
    known = caller.repository.people.person(holder) or Person(address=holder)
    public = known.public if choice is None else choice
    return sentence("inbound.letters.archive", public=public, name=known.name or "")


def _parse_choices(words: Sequence[str]) -> dict[str, Any] | None:
    """Return the choices by their kind, or None if a word is unknown."""
    choices: dict[str, Any] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word in _ARCHIVE_CHOICES:
            choices["public"] = _ARCHIVE_CHOICES[word]
        elif word == "sheet":
            choices["sheets"] = _SHEET_CHOICES[rest.pop(0) if rest and rest[0] in _SHEET_CHOICES else "on"]
        elif word in _SINGLE_WORD_CHOICES:
            choices[_SINGLE_WORD_CHOICES[word]] = word
        elif word in _TWO_WORD_CHOICES and rest and rest[0] in _TWO_WORD_CHOICES[word]:
            choices[word] = rest.pop(0)
        else:
            return None
    return choices


def _describe_choices(case: SeatCommandContext, holder: str, new_choices: dict[str, Any]) -> tuple[str, ...]:
    """Return sentences on what is chosen now for a seat."""
    choices = case.repository.people.choices(case.name)
    own = next(
        (earlier for earlier in choices if (earlier.seat, earlier.address) == (case.seat, holder)), None
    )
    style = replace_fields(own or LetterChoice(seat=case.seat, address=holder), **new_choices).style(
        case.service_context.letters
    )
    every = style.every if _has_rounds(case) else "turn"
    return (
        sentence(
            "inbound.letters.report",
            seat=case.seat,
            game=case.name,
            detail=style.detail,
            every=every,
            solo=case.game.campaign is not None,
        ),
        sentence("inbound.letters.maps", maps=style.maps),
        sentence("inbound.letters.sheets", sheets=style.sheets),
        sentence("inbound.letters.reasons", which=style.says_why),
    )


def _describe_digest(caller: CommandContext, holder: str, choice: Digest | None) -> str:
    """Return a sentence on how often the player gets a digest now."""
    known = caller.repository.people.subscription(holder)
    often = choice or (known.digest if known else "off")
    minute = caller.service_context.digest_at
    at = f"{minute // 60:02}:{minute % 60:02}"
    return sentence("inbound.letters.digest", digest=often, at=at, zone=caller.zone.key)


# TIMEZONE, PASSWORD, ABSENCE: a player's commands on themselves.


MAX_ABSENCE: Millis = 92 * 24 * 3_600_000
ANYWHERE_ON_EARTH_EXTRA: Millis = 26 * 3_600_000
"""By so much a day is longer that lasts as long as it is that day somewhere on earth."""

MIN_PASSWORD_CHARS = 6


def set_zone(caller: CommandContext, command: Command) -> CommandResult:
    """Set the time zone of the times in emails to the sender."""
    if not command.args:
        now = format_instant(caller.received, caller.zone)
        return reply_with(sentence("inbound.personal.zone", zone=caller.zone.key, at=now))
    text = command.args[0].strip(" .")
    zones = zones_called(text)
    if len(zones) != 1:
        near = (zones or zones_like(text))[:MOST_SHOWN]
        return reply_with(sentence("inbound.personal.no_such_zone", said=text, zones=near))
    known = caller.repository.people.person(caller.address) or Person(address=caller.address)
    act = NotePerson(by=caller.address, person=replace_fields(known, zone=zones[0]))
    return CommandResult(acts=(act,), notes=(sentence("inbound.personal.zone_set", zone=zones[0]),))


def set_password(case: SeatCommandContext, command: Command) -> CommandResult:
    """Give the seat a password of the player's own choice."""
    password = command.args[0]
    if len(password) < MIN_PASSWORD_CHARS:
        return reply_with(sentence("inbound.personal.short_password", least=MIN_PASSWORD_CHARS))
    if len(password) > MAX_PASSWORD_CHARS:
        return reply_with(sentence("inbound.personal.long_password", most=MAX_PASSWORD_CHARS))
    act = SetPassword(game=case.name, by=case.seat, seat=case.seat, password=password)
    note = sentence("inbound.personal.password_set", seat=case.seat, game=case.name)
    return CommandResult(acts=(act,), notes=(note,))


def note_absence(case: SeatCommandContext, command: Command) -> CommandResult:
    """Note the days of a player's absence. Everyone in the game gets the news, and the game acts on it."""
    text = command.args[0].strip(" .")
    if text.lower() in ("off", "none", "over", "cancelled"):
        back = NoteAbsence(game=case.name, by=case.seat, seat=case.seat, absence=None)
        return CommandResult(acts=(back,), notes=(sentence("inbound.personal.not_away"),))
    anonymous = case.repository.people.policy(case.name).anonymous
    days = parse_days(text, case.received, case.zone, anywhere=anonymous)
    if days is None:
        return reply_with(sentence("inbound.personal.no_such_days", said=text))
    if days.last < case.received:
        return reply_with(sentence("inbound.personal.days_over"))
    if days.last - days.first > MAX_ABSENCE + (ANYWHERE_ON_EARTH_EXTRA if anonymous else 0):
        weeks = MAX_ABSENCE // (7 * 24 * 3_600_000)
        return reply_with(sentence("inbound.personal.many_weeks", most=weeks))
    absence = Absence(seat=case.seat, first=days.first, last=days.last)
    first, last = span(days.first, days.last, case.zone, anywhere=anonymous)
    act = NoteAbsence(game=case.name, by=case.seat, seat=case.seat, absence=absence)
    note = sentence("inbound.personal.away", first=first, last=last, game=case.name)
    return CommandResult(acts=(act,), notes=(note,))


def _has_rounds(case: SeatCommandContext) -> bool:
    """Return whether the game has turns of several rounds, so that a report can wait for the round's end."""
    return case.game.rules.plan_span(case.seated.position.state, case.seat) is not None


# MY DATA, FORGET ME, KEEP ME: what we hold about a person, and how it is deleted.


MAX_DATA_BYTES = 5_000_000
"""More than that isn't sent by email."""

DATA_FILE_NAME = "my-data.json"


def send_data(caller: CommandContext, _command: Command) -> CommandResult:
    """Send everything that we hold about the owner of the address that the reply goes to."""
    data = caller.repository.people.personal_data(caller.address, caller.now)
    content = format_indented(data)
    if len(content) > MAX_DATA_BYTES:
        return reply_with(sentence("inbound.privacy.too_large", megabytes=MAX_DATA_BYTES // 1_000_000))
    file = Attachment(name=HeaderText(DATA_FILE_NAME), media=HeaderText("application/json"), content=content)
    return CommandResult(notes=(sentence("inbound.privacy.data", address=caller.address),), attached=(file,))


def forget_me(caller: CommandContext, _command: Command) -> CommandResult:
    """Ask the owner of the address by email whether they want to be forgotten.

    A reply token only shows that its sender saw one of our emails, and a password only that they know it. So
    nobody is forgotten without a YES from their own address.
    """
    due = caller.repository.people.forgetting(caller.address)
    if due is not None:
        return reply_with(sentence("inbound.privacy.forgotten_on", when=both(due, caller.zone)))
    if valid_address(caller.address) is None or caller.service_context.is_ours(caller.address):
        return reply_with(sentence("inbound.privacy.not_ours"))
    mark = request_mark(caller.service_context.key, caller.address, (FORGET_COMMAND,))
    request = Request(address=caller.address, lines=(FORGET_COMMAND,), at=caller.now, mark=mark)
    act = AskToForget(by=caller.address, request=request)
    return CommandResult(acts=(act,), notes=(sentence("inbound.privacy.asked", address=caller.address),))


def keep_me(caller: CommandContext, _command: Command) -> CommandResult:
    """Take back that the owner of the address will be forgotten."""
    due = caller.repository.people.forgetting(caller.address)
    act = ScheduleForgetting(by=caller.address, address=caller.address, due=None, at=caller.now)
    return CommandResult(acts=(act,), notes=(sentence("inbound.privacy.kept", was_due=due is not None),))
