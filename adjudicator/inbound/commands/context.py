"""The context of a command, and its result."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from adjudicator.auth.admission import Admission
from adjudicator.auth.private_games import VisibleGames
from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.clock import EASTERNMOST_ZONE, WESTERNMOST_ZONE, Millis, datetime_of, instant_of
from adjudicator.context import ServiceContext
from adjudicator.model.addresses import short_seat_name
from adjudicator.model.games import AnyAct, BeginGame, TakeBack
from adjudicator.model.mail import Attachment
from adjudicator.model.people import NoteGuesses, PlayerBlock, Press, Signup
from adjudicator.model.repository import Repository
from adjudicator.reports.maps import chart_of
from adjudicator.reports.messages import zone_of
from adjudicator.reports.report import History
from adjudicator.reports.verdict import CommandAnswer
from adjudicator.turns.bots import Talk
from games.protocol import Game, Seat
from games.record import Value
from orders.reading.budget import ReadingBudget


@dataclass(frozen=True, kw_only=True)
class CommandContext:
    """The sender of an email with commands.

    sender: the sender's address. received, now: when the email arrived, and when it is answered.
    sender_name: the name in its From header. key: identifies the email forever. begun: the games that it has
    started already. joined: its sign-ups. mapped: the game whose map the reply shows. carried: how many
    copies of press it has sent. wrote: that press. words_tried: how many words of games it has tried.
    guessed: the counts of wrong ones. blocked: the sender's blocks if it has changed them.
    """

    service_context: ServiceContext
    repository: Repository
    sender: str
    received: Millis
    now: Millis
    sender_name: str = ""
    key: str = ""
    begun: tuple[BeginGame, ...] = ()
    joined: tuple[Signup, ...] = ()
    mapped: str | None = None
    carried: int = 0
    wrote: tuple[Press, ...] = ()
    words_tried: int = 0
    guessed: tuple[NoteGuesses, ...] = ()
    blocked: tuple[PlayerBlock, ...] | None = None

    @property
    def blocks(self) -> tuple[PlayerBlock, ...]:
        """Return the sender's blocks, as this email has changed them."""
        return self.repository.people.blocks(self.address) if self.blocked is None else self.blocked

    @property
    def admission(self) -> Admission:
        """Return the part that decides who gets a seat at once."""
        return Admission(self.repository, self.now)

    @property
    def visible(self) -> VisibleGames:
        """Return the games that the sender may know of."""
        return VisibleGames(self.repository, self.address)

    @property
    def address(self) -> str:
        """Return the sender's address, which replies go to."""
        return self.sender

    @property
    def signups(self) -> dict[str, Signup]:
        """Return the sender's sign-ups by game, from the database and from this email."""
        signups = (*self.repository.people.signed_up(self.address), *self.joined)
        return {signup.game: signup for signup in signups}

    @property
    def zone(self) -> ZoneInfo:
        """Return the sender's time zone, as far as we know it."""
        return zone_of(self.address, self.repository, self.service_context)


@dataclass(frozen=True, kw_only=True)
class SeatCommandContext(CommandContext):
    """The player of a seat, in an email with commands.

    allowance: the rest of the email's allowance. undo: the effect of UNDO in the game at that time, or why
    it has none. replies_to: the Message-ID that the email answers, if any. talk: the press in it so far,
    and the answers of bots.
    """

    game: Game
    seated: AuthenticatedSeat
    allowance: ReadingBudget = field(default_factory=ReadingBudget)
    undo: TakeBack | str | None = None
    replies_to: str | None = None
    talk: Talk | None = None

    @property
    def address(self) -> str:
        """The address that replies go to.

        With a token it is the seat's own address, because a token only shows that its sender saw our email.
        A password shows who writes.
        """
        return self.sender if self.seated.how == "password" else self.seated.assignment.address or self.sender

    @property
    def visible(self) -> VisibleGames:
        """Return the games that the player may know of."""
        return VisibleGames(self.repository, self.address, self.name)

    @property
    def turn(self) -> str:
        """Return the short name of the game's present turn."""
        return self.game.rules.turn(self.seated.position.state).short

    @property
    def name(self) -> str:
        """Return the name of the game."""
        return self.seated.position.name

    @property
    def seat(self) -> Seat:
        """Return the seat that the email is for."""
        return self.seated.seat


class CommandResult(Value, frozen=True):
    """The result of a command: acts, sentences for the reply, blocks of text.

    wait, ready: the seat's new WAIT and READY for this turn (None: unchanged). clears: whether all saved
    orders are withdrawn. picture: a map as PNG. mapped: the game of the map. file: the file name of the map.
    history: a game over time, shown as a chart. attached: further files.
    """

    acts: tuple[AnyAct, ...] = ()
    notes: tuple[str, ...] = ()
    answered: tuple[CommandAnswer, ...] = ()
    wait: bool | None = None
    ready: bool | None = None
    clears: bool = False
    picture: bytes | None = None
    mapped: str | None = None
    file: str | None = None
    history: History | None = None
    attached: tuple[Attachment, ...] = ()


def collect_pictures(done: Sequence[CommandResult]) -> dict[str, Any]:
    """Return the pictures in a reply to commands: the last map with its file's name, the last chart."""
    mapped = next((result for result in reversed(done) if result.picture is not None), CommandResult())
    course = next((result.history for result in reversed(done) if result.history is not None), None)
    chart = None if course is None else chart_of(course)
    files = tuple(dict.fromkeys(file for result in done for file in result.attached))
    return {"picture": mapped.picture, "file": mapped.file, "chart": chart, "attached": files}


def reply_with(*sentences: str) -> CommandResult:
    """Return a result of sentences alone: nothing is done."""
    return CommandResult(notes=sentences)


# Command arguments: seats by their names, and days as people write them.


_SEAT_SEPARATOR = re.compile(r"\s*(?:[,;/&+]|\band\b|\bthen\b|\bor\b)\s*", re.IGNORECASE)
_MONTH_STEMS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ISO_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DOTTED_DATE = re.compile(r"(\d{1,2})[./](\d{1,2})(?:[./](\d{4})?)?")
_DAY_MONTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)?\s+([a-z]{3,9})\.?(?:,?\s+(\d{4}))?")
_MONTH_DAY = re.compile(r"([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?")
_DAY_SPAN_SEPARATOR = re.compile(r"\s+(?:to|till|until|through|-+|–|—)\s+|\s*(?:–|—|\.\.+)\s*", re.IGNORECASE)


class ChosenSeats(NamedTuple):
    """Seats that were named, in order, and the words that name none."""

    seats: tuple[Seat, ...]
    unknown: tuple[str, ...]


def choose_seats(text: str, seats: Collection[Seat]) -> ChosenSeats:
    """Return the seats that a list names: in full, or by a prefix that only one has."""
    named_seats: list[Seat] = []
    unknown: list[str] = []
    for part in filter(None, _SEAT_SEPARATOR.split(text.strip(" .:!*"))):
        seat = match_seat(part, seats)
        if seat is not None:
            named_seats.append(seat)
            continue
        words = part.split()
        matches = [match_seat(word, seats) for word in words]
        if len(words) > 1 and all(matches):
            named_seats += [match for match in matches if match is not None]
        else:
            unknown.append(part)
    return ChosenSeats(tuple(dict.fromkeys(named_seats)), tuple(unknown))


def match_seat(text: str, seats: Iterable[Seat]) -> Seat | None:
    """Return the seat with that name, or the only one with a name that begins so."""
    prefix = short_seat_name(re.sub(r"^\s*the\s+", "", text, flags=re.IGNORECASE))
    names = {short_seat_name(seat): seat for seat in seats}
    if prefix in names:
        return names[prefix]
    begun = [seat for name, seat in names.items() if prefix and name.startswith(prefix)]
    return begun[0] if len(begun) == 1 else None


class DaySpan(NamedTuple):
    """The first and the last instant of some days."""

    first: Millis
    last: Millis


def parse_days(text: str, now: Millis, zone: tzinfo, *, anywhere: bool = False) -> DaySpan | None:
    """Return the first and last day that a text names, such as ``20 December to 5 January``, or None.

    A single day is both. A day without a year is the next one of that name, and the second day is not
    before the first. zone: the time zone of the days. anywhere: the days begin in the first time zone on
    Earth and end in the last, so that nothing shows where a player lives.
    """
    today = datetime_of(now, zone).date()
    parts = _DAY_SPAN_SEPARATOR.split(re.sub(r"^\s*from\s+", "", text.strip(" ."), flags=re.IGNORECASE))
    if not 1 <= len(parts) <= 2:
        return None
    first = _parse_day(parts[0], today)
    last = first if first is None or len(parts) == 1 else _parse_day(parts[1], first)
    if first is None or last is None or last < first:
        return None
    begins, ends = (EASTERNMOST_ZONE, WESTERNMOST_ZONE) if anywhere else (zone, zone)
    return DaySpan(
        _instant_at_midnight(first, begins), _instant_at_midnight(last + timedelta(days=1), ends) - 1
    )


def _instant_at_midnight(day: date, zone: tzinfo) -> Millis:
    return instant_of(datetime.combine(day, time(), zone))


def _parse_day(text: str, after: date) -> date | None:
    """Return a day by its name. Without a year, it is the next one of that name from a day on."""
    name = text.strip().lower()
    near = {"today": after, "tomorrow": after + timedelta(days=1)}
    if name in near:
        return near[name]
    for form, order in ((_ISO_DATE, "ymd"), (_DOTTED_DATE, "dmy"), (_DAY_MONTH, "dmy"), (_MONTH_DAY, "mdy")):
        match = form.fullmatch(name)
        if match:
            values = dict(zip(order, match.groups(), strict=True))
            return _make_date(values["y"], _parse_month(values["m"]), int(values["d"]), after)
    return None


def _parse_month(text: str) -> int | None:
    if text.isdigit():
        return int(text)
    return next((number for number, name in enumerate(_MONTH_STEMS, 1) if text.startswith(name)), None)


def _make_date(year: str | None, month: int | None, day: int, after: date) -> date | None:
    years: Sequence[int] = (int(year),) if year else range(after.year, after.year + 5)
    for candidate_year in years:
        try:
            candidate = date(candidate_year, month or 0, day)
        except ValueError:
            continue
        if year or candidate >= after:
            return candidate
    return None


# Signatures: a text may end with its writer's name, below a greeting or alone.


_MAX_SIGNATURE_ROWS = 3
"""So many rows at the end of a text may be its signature."""

_MIN_NAME_CHARS = 2
"""A word of one letter is nobody's name."""

_SIGNATURE_SEPARATOR = re.compile(r"[,;:!?()/|]+|\.(?=\s|$)|(?:^|\s)[-–—~*]+|[–—]")
"""What stands between a greeting and a name."""

_GREETING_WORDS = frozenset({
    "a", "always", "and", "as", "best", "by", "cheers", "ever", "faithfully", "for", "friend", "from", "good",
    "greetings", "hello", "humble", "i", "in", "kind", "love", "luck", "many", "me", "of", "oh", "player",
    "regards", "respectfully", "servant", "sign", "signed", "sincerely", "thank", "thanks", "the", "this",
    "to", "truly", "us", "warm", "warmly", "we", "wishes", "with", "written", "you", "your", "yours", "beste",
    "bis", "danke", "dein", "deine", "der", "die", "freundliche", "freundlichen", "gez", "gruss", "grusse",
    "grussen", "gruesse", "gruessen", "herzliche", "ihr", "ihre", "lg", "liebe", "mfg", "mit", "schone", "vg",
    "viele", "amicalement", "atentamente", "bien", "cordiali", "cordialement", "cordialmente", "groeten",
    "met", "salutations", "saludos", "saluti", "vriendelijke",
})  # fmt: skip
"""Words of greetings, without their accents, among which a name is bare all the same."""


def find_signature(text: str, names: Iterable[str], beside: str = "") -> str | None:
    """Return the row at the end of a text that is only one of the names or a part of it, or None.

    The row may have a greeting ("Yours, Anna of the Iroquois"), and initials count as a name. A name inside
    a sentence does not count. beside: another name that the row may have, and that signs nothing.
    """
    polite = _GREETING_WORDS | set(_split_words(beside))
    known = {word for name in names for word in _words_of_name(name)} - polite
    rows = [row.strip() for row in text.splitlines() if row.strip()]
    for row in reversed(rows[-_MAX_SIGNATURE_ROWS:]):
        parts = [part for part in _SIGNATURE_SEPARATOR.split(row) if part.strip()]
        if any(_is_name(part, known, polite) for part in (row, *parts[-1:])):
            return row
    return None


def _is_name(part: str, known: set[str], polite: frozenset[str]) -> bool:
    bare = set(_split_words(part)) - polite
    return bool(bare) and bare <= known


def _words_of_name(name: str) -> Iterator[str]:
    """Yield the words of a name, and its initials."""
    words = _split_words(name)
    yield from (word for word in words if len(word) >= _MIN_NAME_CHARS)
    if len(words) >= _MIN_NAME_CHARS:
        yield "".join(word[0] for word in words)


def _split_words(text: str) -> list[str]:
    """Return the words of a text, without accents and capitals; initials with their stops are one word."""
    bare = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    closed = re.sub(r"\b(\w)\.\s?(?=\w\b\.?)", r"\1", bare)
    return re.findall(r"[^\W_]+", closed.casefold())
