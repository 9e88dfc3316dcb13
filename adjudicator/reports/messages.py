"""Complete emails: their subjects, readers and contents, as text and as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, tzinfo
from functools import cache, partial
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import games
from adjudicator.auth.correspondents import gm_address, person_address, writer_mark
from adjudicator.clock import MINUTE, datetime_of
from adjudicator.context import RequestContext, ServiceContext
from adjudicator.messages import sentence
from adjudicator.model.addresses import reply_address, reply_token, subject_tag
from adjudicator.model.games import AdjudicationResult, GamePosition, SeatAssignment
from adjudicator.model.mail import HeaderText, LetterDraft
from adjudicator.model.people import GAMESMASTER_SEAT, GameGm, GamePolicy, PeopleRepository, Press
from adjudicator.model.repository import Repository
from adjudicator.reports import maps
from adjudicator.reports.maps import shown_width
from adjudicator.reports.render import ROW_BAR, help_topics, page, render, section_for
from adjudicator.reports.report import PressItem
from adjudicator.reports.times import Words, by_gamesmaster
from adjudicator.reports.verdict import (
    MAX_REPLY_BYTES,
    REPLY_LENGTHS,
    fates,
    is_short,
    shorten_transcript,
    size_of,
)
from games.language import format_length, format_moment, join_list
from games.options import settle
from games.protocol import Form, Game, Lexicon, Seat, View
from games.record import Value, field, replace_fields
from orders.mail.service_text import SHEET_TITLE
from orders.reading import condition_blocks, forms, lexicon

if TYPE_CHECKING:
    from adjudicator.clock import Millis
    from adjudicator.model.deadline_status import Overdue
    from adjudicator.model.mail import Attachment
    from adjudicator.reports.report import Report, TurnChapter
    from adjudicator.reports.verdict import Fate, Transcript
    from games.protocol import Game, Seat, SeatColours, Turn


ONE_SEAT = "player"
"""The seat of a game that one player plays alone: no email shows this name."""

_SUBJECT_LENGTH = 110
_THEME_LENGTH = 40
"""Room for what a subject says, at least; the rest is for its tag."""
_REPLY_PREFIX = re.compile(r"^\s*((re|aw|sv|antw|r|rif|odp|vs)\s*(\[\d+\])?\s*:\s*)+", re.IGNORECASE)
_SUBJECT_TAG = re.compile(r"\[[^\]]*#[^\]]*\]\s*")


class LetterReader(Value, frozen=True):
    """The reader of an email: their address, and the seat and game that the email is for.

    game, seat, turn (its short name), token, reply_address: None for a reader without a seat. generation:
    the number of the reply token. zone: the reader's time zone, shown beside UTC. thread: our last
    Message-IDs to the seat, oldest first.
    """

    address: str
    game: str | None = None
    seat: Seat | None = None
    turn: str | None = None
    token: str | None = None
    reply_address: str | None = None
    generation: int = 1
    zone: tzinfo = UTC
    thread: tuple[str, ...] = ()

    @property
    def tag(self) -> str:
        """Return the end of the reader's subjects, "[demo S1M Iroquois #token]", or "" for a stranger."""
        return self.tag_for_turn(self.turn)

    def tag_for_turn(self, turn: str | None) -> str:
        """Return the tag of an email about a turn, or "[demo S1M]" without a seat."""
        if self.game is None:
            return ""
        if self.seat is None or self.token is None:
            return subject_tag(self.game, turn) if turn else ""
        return subject_tag(self.game, turn or "", self.seat, self.token)


class Heading(Value, frozen=True):
    """The header of an email. key: identifies the email. answer_to: the Message-ID that it answers.

    replies: whether it answers an email, which may have no Message-ID. turn: the short name of the turn
    that it is about, or None for the current one. shortens: whether a long subject is cut before its tag.
    """

    key: str
    subject: str
    answer_to: str | None = None
    thread: tuple[str, ...] | None = None
    replies: bool = False
    turn: str | None = None
    shortens: bool = True


class Enclosed(Value, frozen=True):
    """The parts of an email beside its text. picture: the map as PNG. html: whether it has HTML.

    front: the part of the map around the reader's units, enlarged, or its crowded part. chart: the game
    over time. Both are PNG. file: the name of the map's file, or None to name it by game and turn.
    """

    picture: bytes | None = None
    front: bytes | None = None
    chart: bytes | None = None
    file: str | None = None
    attached: tuple[Attachment, ...] = ()
    html: bool = True


class OverdueOrders(Value, frozen=True):
    """The orders that are missing from a seat. missing: their names. sheet: the lines of its order sheet.

    deadline: None if the turn waits for its player. overdue: the deadline if it has passed. otherwise: what
    happens if no orders arrive. asleep: whether this is the last reminder. now: the time of the reminder.
    """

    turn: Turn
    deadline: Millis | None
    missing: tuple[str, ...]
    sheet: tuple[str, ...]
    overdue: Overdue | None = None
    otherwise: str = "sheet"
    asleep: bool = False
    now: Millis | None = None


class WaitingGame(Value, frozen=True):
    """A game that waits for orders from its reader.

    missing: the names of the missing orders. reader: the reader in that game. overdue: the deadline if it
    has passed. badges: the marks of its seats on the map. standing: why no deadline runs, or "". seat: from
    `name_seat`.
    """

    title: str
    turn: Turn
    deadline: Millis | None
    missing: tuple[str, ...]
    reader: LetterReader
    overdue: Overdue | None = None
    badges: Mapping[str, SeatColours] = field(default_factory=dict)
    standing: str = ""
    seat: str | None = None


NOTHING_ENCLOSED = Enclosed()
"""Nothing goes with it."""


def report_key(report: Report, reader: LetterReader) -> str:
    """Return the key of the report of a turn to one reader."""
    return f"{report.game}/{report.entry}/report/{reader.seat or reader.address}"


def turn_report(
    game: Game,
    report: Report,
    reader: LetterReader,
    enclosed: Enclosed = NOTHING_ENCLOSED,
    heading: Heading | None = None,
    on_page: Report | None = None,
) -> LetterDraft:
    """Return the report of the turns just played. heading: the heading of a report without a turn.

    on_page: the report as its HTML shows it, None for all of it. If the email would be too large, the first
    turns are shortened, and the report says so.
    """
    heading = heading or Heading(report_key(report, reader), _report_subject(report, reader))
    heading = replace_fields(heading, turn=report.first_turn.short if report.first_turn else heading.turn)
    write = partial(_letter, game, "report", reader=reader, heading=heading, enclosed=enclosed)
    letter = write({"report": report, "on_page": on_page or report})
    for less, less_on_page in zip(shorter(report), shorter(on_page or report), strict=True):
        if weight_of(letter) <= MAX_REPORT_BYTES:
            break
        letter = write({"report": less, "on_page": less_on_page})
    return letter


def _report_subject(report: Report, reader: LetterReader) -> str:
    """Return the subject of a report without its tag: what is due from the reader and when, then the news."""
    news = report.headline or (report.first_turn.name if report.first_turn else "")
    if report.result is not None:
        return sentence("reports.messages.over", news=news)
    if not report.wanted or report.stopped:
        return news
    if report.overdue is not None:
        return sentence("reports.messages.due_now", news=news)
    if report.deadline is not None:
        when = format_moment(datetime_of(report.deadline, reader.zone), "EEE d MMM HH:mm")
        return sentence("reports.messages.due", when=when, news=news)
    return sentence("reports.messages.your_turn", news=news)


def welcome(
    game: Game,
    report: Report,
    reader: LetterReader,
    password: str | None = None,
    enclosed: Enclosed = NOTHING_ENCLOSED,
    thread: tuple[str, ...] = (),
) -> LetterDraft:
    """Return the first email to a seat: the position, how to order, the reply address.

    report: from `report.opening_report`. password: the seat's password in clear, if the email shall contain
    it. thread: paragraphs about the thread of the game.
    """
    key = f"{report.game}/0/welcome/{reader.seat or ''}/{reader.generation}"
    content = {
        "report": report,
        "password": password,
        "thread": thread,
        "you_play": name_seat(game, reader.seat),
        "bots": tuple(seat for seat in report.vacant if reader.seat != ONE_SEAT),
    }
    theme = render(game, "letters/welcome_subject.txt", content)
    return _letter(game, "letters/welcome", content, reader, Heading(key, theme), enclosed)


def table_rules(customs: GamePolicy) -> tuple[str, ...]:
    """Return sentences on what a game's settings allow its players, apart from the usual."""
    usual = GamePolicy()
    return tuple(
        sentence("outbound.welcome.table_rule", setting=name, value=getattr(customs, name))
        for name in ("press", "reach", "press_in", "draws", "votes", "listed")
        if getattr(customs, name) != getattr(usual, name)
    )


def name_seat(game: Game, seat: Seat | None) -> str | None:
    """Return a seat's name for use in a sentence ("the Iroquois"), or None for the only seat of a game."""
    if seat is None or seat == ONE_SEAT:
        return None
    return f"{game.about.article} {seat}".lstrip()


def verdict(
    game: Game | None, transcript: Transcript, reader: LetterReader, *, html: bool = True
) -> LetterDraft:
    """Return the reply to an email: the result of each line, then all saved orders.

    game: None if the email is about none. A reply that would be too long leaves something out, and says so.
    """
    write = partial(_verdict, game, reader, html)
    letter = write(transcript, fates(transcript.rows))
    for room in REPLY_LENGTHS:
        if is_short(letter) or size_of(letter) < MAX_REPLY_BYTES:
            break
        letter = write(*shorten_transcript(transcript, room))
    return letter


def _verdict(
    game: Game | None, reader: LetterReader, html: bool, transcript: Transcript, rows: Sequence[Fate]
) -> LetterDraft:
    theme = _SUBJECT_TAG.sub("", _REPLY_PREFIX.sub("", transcript.subject)).strip()
    subject = transcript.summary if reader.token else theme or transcript.summary
    key = f"letter/{transcript.fingerprint}/verdict"
    heading = Heading(key, f"Re: {subject}", transcript.answers, transcript.thread, replies=True)
    content = {"transcript": transcript, "rows": rows}
    pictures = Enclosed(
        picture=transcript.picture,
        chart=transcript.chart,
        file=transcript.file,
        attached=transcript.attached,
        html=html,
    )
    letter = _letter(game, "letters/verdict", content, reader, heading, pictures)
    if game is not None and game.rules.report_is_reply and transcript.fits_report:
        return replace_fields(letter, rows=transcript.rows)
    return letter


def reminder(game: Game, reader: LetterReader, key: str, owing: OverdueOrders) -> LetterDraft:
    """Return a reminder of missing orders, before a deadline or after a long silence without one."""
    turn = owing.turn.name
    if owing.asleep:
        theme = sentence("reports.messages.asleep", game=reader.game)
        words = sentence("reports.messages.asleep_words", game=reader.game)
    elif owing.deadline is None:
        theme = sentence("reports.messages.waits", game=reader.game)
        words = sentence("reports.messages.waits_words", game=reader.game)
    elif owing.overdue:
        theme = sentence("reports.messages.overdue", turn=turn)
        words = sentence("reports.messages.overdue_words", turn=turn)
    else:
        time = time_left(owing.deadline, owing.now)
        theme = sentence("reports.messages.orders_due", turn=turn, time=time)
        words = sentence("reports.messages.orders_due_words", turn=turn, time=time)
    context = {
        "title": theme,
        "words": words,
        "deadline": owing.deadline,
        "over": owing.overdue,
        "otherwise": ""
        if owing.deadline is None
        else sentence("reports.messages.otherwise", then=owing.otherwise),
        "missing": owing.missing,
        "sheet": owing.sheet,
    }
    return _letter(game, "letters/reminder", context, reader, Heading(key, theme), NOTHING_ENCLOSED)


def time_left(deadline: Millis, now: Millis | None) -> str:
    """Return how long it is until a deadline, in whole days, hours or minutes; "" if that is not known."""
    if now is None or deadline <= now:
        return ""
    minutes = max(1, round((deadline - now) / MINUTE))
    hours = round(minutes / 60)
    if minutes < 90 and minutes != 60:
        return format_length(minutes=minutes)
    if hours >= 48 and hours % 24 == 0:
        return format_length(days=hours // 24)
    return format_length(hours=hours)


def digest(
    reader: LetterReader, key: str, waiting: Sequence[WaitingGame], attached: tuple[Attachment, ...] = ()
) -> LetterDraft:
    """Return one email about all games that wait for a reader, with the reply address of each.

    It shows the reader's token of each game. attached: the deadlines of all the reader's games, for a
    calendar.
    """
    names = ", ".join(game.reader.game or "" for game in waiting)
    subject = sentence("reports.messages.digest", count=len(waiting), games=names)
    heading = Heading(key, subject, shortens=False)
    content = {"waiting": waiting}
    letter = _letter(None, "letters/digest", content, reader, heading, Enclosed(attached=attached))
    readers = (game.reader for game in waiting)
    shows = tuple((game.game, game.token) for game in readers if game.game and game.token)
    return replace_fields(letter, shows=shows, leave=HeaderText("LETTERS DIGEST OFF"))


def notice(
    reader: LetterReader, heading: Heading, paragraphs: tuple[str, ...], attached: tuple[Attachment, ...] = ()
) -> LetterDraft:
    """Return an email with some paragraphs and a subject. attached: its files."""
    content = {"title": heading.subject, "paragraphs": paragraphs}
    return _letter(None, "letters/notice", content, reader, heading, Enclosed(attached=attached))


def _letter(
    game: Game | None,
    template: str,
    content: Mapping[str, Any],
    reader: LetterReader,
    heading: Heading,
    enclosed: Enclosed,
) -> LetterDraft:
    """Return the email that a template makes of its content. game: whose template it is, if it has one.

    The `on_page` of a content is the report as its HTML shows it.
    """
    tag = reader.tag_for_turn(heading.turn or reader.turn)
    room = max(_SUBJECT_LENGTH - len(tag) - 1, _THEME_LENGTH)
    # The tag stays whole, because it has the reply token.
    subject = f"{_cut(heading.subject, room) if heading.shortens else heading.subject} {tag}".strip()
    picture = enclosed.picture
    context = {
        **content,
        "reader": reader,
        "subject": subject,
        "game": game,
        "picture": picture is not None,
        "front": shown_width(enclosed.front) if enclosed.front else None,
        "chart": enclosed.chart is not None,
        "order_page": next(
            (attachment.name for attachment in enclosed.attached if attachment.name.endswith(".html")), None
        ),
        "SHEET_TITLE": SHEET_TITLE,
    }
    page_context = {**context, "report": content["on_page"]} if "on_page" in content else context
    name = "-".join(word for word in (reader.game, heading.turn or reader.turn) if word) or "map"
    # Observers end these emails by a command. Players give up a seat in words.
    watches = reader.game and reader.reply_address and not reader.seat
    return LetterDraft(
        key=heading.key,
        to=HeaderText(reader.address),
        subject=HeaderText.clean(subject),
        text=render(game, f"{template}.txt", context),
        html=render(game, f"{template}.html", page_context) if enclosed.html else None,
        picture=picture if enclosed.html else None,
        picture_name=HeaderText(f"{enclosed.file or name}.png"),
        front=enclosed.front if enclosed.html else None,
        front_name=HeaderText(f"{name}-your-front.png" if reader.seat else f"{name}-close-up.png"),
        chart=enclosed.chart if enclosed.html else None,
        chart_name=HeaderText(f"{name}-chart.png"),
        attached=enclosed.attached,
        game=reader.game,
        seat=reader.seat,
        turn=reader.turn,
        token=reader.token,
        reply_to=HeaderText(reader.reply_address) if reader.reply_address else None,
        answer_to=HeaderText.clean(heading.answer_to) if heading.answer_to else None,
        thread=tuple(map(HeaderText.clean, reader.thread if heading.thread is None else heading.thread)),
        # Auto-Submitted tells replies from other automatic emails (RFC 3834, section 5).
        automatic=HeaderText("auto-replied" if heading.replies or heading.answer_to else "auto-generated"),
        leave=HeaderText(f"RESIGN {reader.game}") if watches else None,
    )


def _cut(subject: str, longest: int) -> str:
    """One row: what is longer ends with a sentence or a part of one, or else at a word with an ellipsis."""
    subject = " ".join(subject.split()).rstrip(".")
    if len(subject) <= longest:
        return subject
    room = subject[: longest - 1]
    whole = max(room.rfind("; "), room.rfind(". "))
    if whole > longest // 3:
        return room[:whole]
    return (room.rsplit(" ", 1)[0] if " " in room else room).rstrip(",;:.") + "…"


# The texts that HELP answers with.


HELP_TOPICS = (
    "general",
    "orders",
    "signon",
    "sheet",
    "joining",
    "press",
    "ending",
    "votes",
    "trouble",
    "absence",
    "letters",
    "data",
    "games",
)
"""What can be explained, each by ``templates/help/<topic>.txt``; the first is the answer to a bare HELP."""

FORMS_TOPIC = "forms"
"""The topic of a game under which every way to write an order is listed."""

_TOPIC_OF_WORD = {
    **dict.fromkeys(("join", "register", "preference", "observe", "resign", "list"), "joining"),
    "new": "games",
    **dict.fromkeys(("broadcast", "endpress"), "press"),
    **dict.fromkeys(("draw", "nodraw", "concede", "rematch"), "ending"),
    **dict.fromkeys(("vote", "novote", "pause", "resume", "extend"), "votes"),
    **dict.fromkeys(("block", "unblock", "report"), "trouble"),
    "timezone": "absence",
    **dict.fromkeys(("my data", "forget", "forget me", "keep", "keep me", "privacy"), "data"),
    **dict.fromkeys(("brief", "full", "digest", "round", "reasons"), "letters"),
    **dict.fromkeys(("signoff", "password"), "signon"),
    **dict.fromkeys(("clear", "if", "phase", "stop"), "orders"),
}
"""Under which topic a word is explained that is none itself."""


def help_text(
    topic: str, game: Game | None = None, view: View | None = None, own: tuple[Form, ...] = ()
) -> str:
    """Return the help on a topic, in paragraphs, or the general help if the topic is unknown.

    A topic of a game is a section of its page in the handbook. game: the game whose orders the text shows.
    view: a position of that game. own: orders that the reader could give now.
    """
    name = topic.strip().lower()
    options = getattr(view, "options", None)
    section = section_for(game, name, options) if game is not None and name not in HELP_TOPICS else None
    if section is not None and game is not None:
        is_of_forms = FORMS_TOPIC in section.topics and view is not None
        return f"{section.title}\n\n{_list_forms(game, view) if is_of_forms and view else section.text}"
    name = _TOPIC_OF_WORD.get(name, name)
    known = name if name in HELP_TOPICS else HELP_TOPICS[0]
    ways = order_forms(game, view) if game is not None else ()
    others = [form.name for form in ways if form.name not in {own_form.name for own_form in own}]
    shown = {"ways": own or ways, "own": bool(own), "others": others if own else []}
    shown["about"] = help_topics(game) if game is not None else ()
    shown |= _names_of_examples(game.notation.lexicon(view) if game is not None and view is not None else ())
    context = {"game": game, "topics": HELP_TOPICS, "kinds": games.labels(), **shown}
    return render(game, f"help/{known}.txt", context)


def _names_of_examples(lexicon_of_view: Lexicon) -> dict[str, object]:
    """Return names that the examples of a game's help use, so that they are names of its board.

    powers, places: in the game's order; none outside a game, or if it has none. numbers: whether provinces
    have numbers on the map.
    """
    named = [(entry.sort, entry.names) for entry in lexicon_of_view]
    places = [names for sort, names in named if sort == "province"]
    return {
        "powers": tuple(names[0] for sort, names in named if sort == "nation"),
        "places": tuple(names[0] for names in places),
        "numbers": any(name.isdecimal() for names in places for name in names),
    }


def order_forms(game: Game, view: View | None = None) -> tuple[Form, ...]:
    """Return how orders are written in a game, one form of each name. view: a position of the game."""
    if view is not None and (examples := game.notation.examples(view)):
        return examples
    first: dict[str, Form] = {}
    for form in game.notation.forms:
        first.setdefault(form.name, form)
    return tuple(first.values())


def _list_forms(game: Game, view: View) -> str:
    """Return every way to write an order and a condition in a game, with examples that it can read."""
    notation = game.notation
    names = lexicon.index_lexicon(notation.lexicon(view))
    grammar = forms.compile_forms(notation.forms)
    conditions = condition_blocks.Conditions(
        notation.conditions, names, notation.write_condition, lambda _text: False
    )
    own = {form.name: form for form in order_forms(game, view)}
    rows: dict[str, list[str]] = {}
    for form in (*own.values(), *(form for form in notation.forms if form.name in own)):
        if forms.match_text(form.example, grammar, names):
            rows.setdefault(form.name.replace("-", " "), []).append(form.example)
    example_by_condition: dict[str, str] = {}
    for form in notation.conditions:
        if form.name not in example_by_condition and conditions.read(form.example) is not None:
            example_by_condition[form.name] = form.example
    rows["IF may ask"] = list(example_by_condition.values())
    return "\n".join(
        f"{ROW_BAR}{name}: {'  or  '.join(dict.fromkeys(examples))}"
        for name, examples in rows.items()
        if examples
    )


def games_text() -> str:
    """Return the games that players can start, each with a line to send."""
    return help_text("games")


def rules_text(game: Game, usual: str | None = None, view: View | None = None) -> str:
    """Return what a game is about, its options, and how its orders are written.

    usual: the default level of its bots, or None for the first. view: a position of the game.
    """
    seats = game.about.seats(settle(game.about.options, {}))
    told = page(game, getattr(view, "options", None))
    sections = [section for section in told if section.topics[0] != FORMS_TOPIC]
    shown = {"sections": sections, "ways": order_forms(game, view), "within": view is not None}
    context = {"game": game, "seats": seats, "usual": usual, **shown}
    return render(game, "help/rules.txt", context)


# Notices about a seat that changes hands: subjects and paragraphs.


def lost_seat_notice(game: str, seat: Seat, why: str) -> tuple[str, tuple[str, ...]]:
    """Return the notice to a player who has lost a seat."""
    return (
        sentence("reports.seats.no_longer_subject", seat=seat, game=game),
        (
            sentence("reports.seats.no_longer", game=game, seat=seat),
            *by_gamesmaster(why),
        ),
    )


def substitute_started_notice(game: str, seat: Seat) -> tuple[str, tuple[str, ...]]:
    """Return the notice to an absent player that a substitute has started."""
    return (
        sentence("reports.seats.lent_out_subject", seat=seat, game=game),
        (sentence("reports.seats.lent_out", seat=seat, game=game),),
    )


def new_player_notice(seat: Seat, by_bot: bool) -> tuple[str, Words]:
    """Return the notice to all others in the game; it names nobody, since the player may be a secret."""

    def words(_reader: Seat | None, _zone: tzinfo) -> tuple[str, ...]:
        return (sentence("reports.seats.changed_hands", seat=seat, by_bot=by_bot),)

    return sentence("reports.seats.changed_hands_subject", seat=seat, by_bot=by_bot), words


def new_address_notice(game: str, seat: Seat, where: str) -> tuple[str, tuple[str, ...]]:
    """Return the notice that a reply address became known to others. where: where they could see it."""
    return (
        sentence("reports.seats.new_address_subject", seat=seat),
        (
            sentence("reports.seats.new_address", seat=seat, game=game, where=where),
            sentence("reports.seats.new_address_answer"),
            sentence("reports.seats.new_address_stands"),
        ),
    )


def self_disclosed_address_notice(seat: Seat) -> str:
    """Return the notice to a player who has just sent their reply address to others.

    It is part of the reply that has the new address.
    """
    return sentence("reports.seats.shown_by_himself", seat=seat)


def copied_email_notice(seat: Seat, addresses: Sequence[str]) -> str:
    """Return the notice that a player's email went to other players with the reply address."""
    return sentence("reports.seats.copied", seat=seat, addresses=join_list(addresses))


def copied_to_strangers_notice(addresses: Sequence[str], reply: str) -> str:
    """Return the notice that a player's email went to strangers. reply: the reply address that it shows."""
    return sentence("reports.seats.copied_to_stranger", addresses=join_list(addresses), reply=reply)


def revoked_address_notice(game: str, seat: Seat) -> tuple[str, tuple[str, ...]]:
    """Return the notice about an email in a player's name to a revoked reply address."""
    return (
        sentence("reports.seats.void_address_subject", seat=seat),
        (
            sentence("reports.seats.void_address", seat=seat, game=game),
            sentence("reports.seats.void_address_again"),
        ),
    )


def new_credentials_notice(game: str, seat: Seat, password: str) -> tuple[str, tuple[str, ...]]:
    """Return the notice with a player's new reply address and password after the old ones were revoked."""
    return (
        sentence("reports.seats.new_keys_subject", seat=seat),
        (
            sentence("reports.seats.new_keys", seat=seat),
            sentence("reports.seats.new_keys_line"),
            f"  SIGNON {game} {seat} {password}",
        ),
    )


# The reader of an email: the player of a seat with its token, or another address.


def reader_of(
    position: GamePosition,
    assignment: SeatAssignment,
    address: str,
    repository: Repository,
    service_context: ServiceContext,
) -> LetterReader:
    """Return the reader of an email for a seat. address: where the email goes."""
    turn = position.game.rules.turn(position.state).short
    token = reply_token(service_context.key, position.name, assignment.seat, assignment.generation, turn)
    return LetterReader(
        address=address,
        game=position.name,
        seat=assignment.seat,
        turn=turn,
        token=token,
        reply_address=reply_address(service_context.address, position.name, assignment.seat, token),
        generation=assignment.generation,
        zone=zone_of(address, repository, service_context),
        thread=repository.thread(position.name, assignment.seat),
    )


def caller_of(
    address: str, context: RequestContext, game: str | None = None, mark: str | None = None
) -> LetterReader:
    """Return a reader who gets an email for no seat. The reply address shows that the reader got the email.

    game: the game that it is about. mark: of the request that a reply confirms.
    """
    return LetterReader(
        address=address,
        game=game,
        reply_address=person_address(
            context.service_context.key, context.service_context.address, address, context.now, mark
        ),
        zone=zone_of(address, context.repository, context.service_context),
    )


def gm_reader(gm: GameGm, game: str, context: RequestContext) -> LetterReader:
    """Return a GM of a game as a reader of our emails. A reply to them goes to the GM's own address."""
    service = context.service_context
    # The reader has no game, because an observer's email would say how to stop it.
    return LetterReader(
        address=gm.address,
        reply_address=gm_address(service.key, service.address, game, gm),
        zone=zone_of(gm.address, context.repository, service),
    )


def gm_notice(
    gm: GameGm, game: str, heading: Heading, paragraphs: Sequence[str], context: RequestContext
) -> LetterDraft:
    """Return an email to a GM of a game."""
    return replace_fields(notice(gm_reader(gm, game, context), heading, tuple(paragraphs)), game=game)


def how_to_answer_press(writers: Iterable[Seat]) -> str:
    """Return a sentence that tells a GM of a game how to answer the press of some seats."""
    return sentence("inbound.gm_mail.answer_press", seats=tuple(dict.fromkeys(writers)))


def zone_of(address: str, repository: Repository, service_context: ServiceContext) -> ZoneInfo:
    """Return a person's own time zone, or the service's if there is none or it no longer exists."""
    person = repository.people.person(address)
    if person is None or not person.zone:
        return service_context.zone
    try:
        return ZoneInfo(person.zone)
    except (KeyError, ValueError, OSError):
        return service_context.zone


# The press of the turns that a report tells, as its reader may know it.


@cache
def lapsed_proposal() -> PressItem:
    """Return the note that a proposal to end the game has lapsed with its turn."""
    return PressItem(sentence("reports.press.lapsed_heading"), sentence("reports.press.lapsed"))


def dispatches(
    people_repository: PeopleRepository, game: str, played: AdjudicationResult, viewer: Seat | None
) -> tuple[PressItem, ...]:
    """Return the press to a viewer (None: an observer) in the turns just played, and the note on a lapsed
    proposal.

    Call this before the turns are stored. Press to the GM is private. Only players know of a proposal.
    """
    turns = {step.turn.short for step in played.steps}
    press = [
        dispatch
        for dispatch in people_repository.press(game)
        if dispatch.turn in turns and dispatch.to != (GAMESMASTER_SEAT,)
    ]
    heard = tuple(
        PressItem(_heading(dispatch, viewer), dispatch.text)
        for dispatch in press
        if dispatch.is_heard_by(viewer)
    )
    if viewer is not None and people_repository.votes(game):
        return (*heard, lapsed_proposal())
    return heard


def _heading(press: Press, viewer: Seat | None) -> str:
    """Return the writer and readers of press. A player who answered grey press doesn't learn its writer."""
    if press.blind and viewer == press.seat:
        return sentence("reports.press.heading_blind", writer=press.signature)
    return press.heading


def named_writer(key: bytes, game: str, press: Press) -> str:
    """Return the name of press's writer for a reply: the seat, GM, or a mark if it is not signed.

    key: the service's own.
    """
    if press.seat is None:
        return "GM"
    if press.kind == "white":
        return press.seat
    return f"WRITER {writer_mark(key, game, (press.turn, press.seat, str(press.at), press.text))}"


# A report of many turns: the last ones in full, and the outcome of each earlier one.


MAX_REPORT_BYTES = 250_000
"""What the report of a turn may have as it goes out, its pictures with it, and no file that was asked for."""

_CHAPTER_LENGTHS = (24_000, 12_000, 6_000, 0)
"""The maximum lengths that are tried for a report, in characters. The last turn is always whole."""

_MAX_HEADLINES = 12
"""The number of earlier turns that get a sentence if there is no room for more."""


def weight_of(outgoing: LetterDraft) -> int:
    """Return the size of an email in bytes, without attached files. Pictures grow by a third."""
    pictures = (outgoing.picture, outgoing.front, outgoing.chart)
    return size_of(outgoing) + sum(maps.weight_of(picture) * 41 // 30 for picture in pictures if picture)


def shorter(report: Report) -> Iterator[Report]:
    """Yield the report with less and less of the turns before the last, if it tells of several."""
    if len(report.chapters) > 1:
        for room in _CHAPTER_LENGTHS:
            yield (shorter_report := _within(report, room))
        own = [chapter for chapter in shorter_report.chapters[:-_MAX_HEADLINES] if chapter.passages]
        yield replace_fields(shorter_report, chapters=(*own, *shorter_report.chapters[-_MAX_HEADLINES:]))


def _within(report: Report, room: int) -> Report:
    chapters: list[TurnChapter] = []
    for chapter in reversed(report.chapters):
        room -= _length(report, chapter)
        is_whole = not chapters or (room >= 0 and chapters[-1].whole)
        chapters.append(chapter if is_whole else _summarise_chapter(chapter, report))
    short = [chapter.turn for chapter in chapters if not chapter.whole]
    kept = {chapter.turn.name for chapter in chapters if chapter.whole}
    return replace_fields(
        report,
        chapters=tuple(reversed(chapters)),
        bots=tuple(play for play in report.bots if play.turn in kept),
        first_short=short[-1] if short else None,
    )


def _summarise_chapter(chapter: TurnChapter, report: Report) -> TurnChapter:
    """Return a chapter with no more than its headline and all that is the reader's own."""
    own = tuple(passage for passage in chapter.passages if passage.heading == report.viewer)
    return replace_fields(chapter, passages=own, whole=False)


def _length(report: Report, chapter: TurnChapter) -> int:
    """Return the number of characters in a turn's part of a report."""
    length = sum(len(line.text) for passage in chapter.passages for line in passage.lines)
    why = (play.orders for play in report.bots if play.turn == chapter.turn.name)
    return length + sum(len(order) + len(reason) for orders in why for order, reason in orders)
