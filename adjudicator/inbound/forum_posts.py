"""Posts in the threads of games that are played in forums: the seat of each, and its effects.

Rule 1: a post counts as it was when we received it. To change an order, a player posts again: the latest
        order counts, by post or by email.
Rule 2: a From line proves nothing. We know a forum by the address that only this forum knows, or by its
        signature. We know a poster by a word that only they got, or as we know the senders of emails.
Rule 3: we report errors in a post to its poster by email, and to nobody else. A poster without a seat never
        gets a reply, so that two programs can't talk to each other there.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from adjudicator.auth.correspondents import is_word_line, poster_word, was_sent_by, words_in
from adjudicator.auth.reply_tokens import may_contain_token, reply_tokens_of_named_games
from adjudicator.auth.sender import (
    AuthenticatedSeat,
    Grade,
    authenticate,
    authenticates_domain,
    is_accepted_nowhere_else,
    is_dated_lately,
    results_of,
)
from adjudicator.context import RequestContext, ServiceContext
from adjudicator.inbound.commands.context import SeatCommandContext
from adjudicator.inbound.filters import FilterResult, IsOurs, filter_letter
from adjudicator.messages import sentence
from adjudicator.model.addresses import valid_address
from adjudicator.model.games import AnyAct, FileOrders, GamePosition, Rekey, ResetIdleTimer
from adjudicator.model.mail import LetterDraft, LetterOutcome, StoredLetter
from adjudicator.model.orders_on_file import order_of, present_items, unpack_items, write_item
from adjudicator.model.people import KnowPoster, Poster
from adjudicator.reports import posts
from adjudicator.reports.messages import Heading, notice, reader_of
from adjudicator.reports.order_sheet import missing
from adjudicator.reports.posts import (
    MAX_ORDER_POSTS_PER_TURN,
    GameThread,
    ThreadOrders,
    forum_channel,
    thread_of,
)
from adjudicator.reports.verdict import Transcript
from games.protocol import Seat
from games.record import replace_fields
from orders.commands import Command
from orders.mail import forum_threads
from orders.mail.body import FreshLine, fresh_lines
from orders.mail.forum_threads import CopiedPost
from orders.mail.headers import Header, addresses, read_headers, split_message
from orders.mail.letter import Letter
from orders.reading.budget import ReadingBudget
from orders.reading.letter_reader import LetterReading

REASON_POSTED = "posted in the thread"
"""Marks orders that were posted, because all readers of the thread have seen them."""

VERBS_IN_POSTS = frozenset({"READY", "NOREADY", "WAIT", "NOWAIT", "CLEAR"})
"""The commands that work in a post. All others only work by email."""

_GAME_TAG = re.compile(r"\[([a-z0-9-]{1,20})\]")
_POSTER_HEADERS = frozenset({"reply-to", "cc", "x-original-from", "x-original-sender"})
_LIST_HEADERS = frozenset({"precedence", "list-id", "list-post"})
POST_ACTOR = "the service"

ReadingFilter = Callable[[LetterReading], LetterReading]
LineProcessor = Callable[
    [Sequence[FreshLine], SeatCommandContext, Letter, ReadingFilter], tuple[list[AnyAct], Transcript]
]
"""Reads the lines of a seat. Returns the acts, and the transcript for its player."""

Answer = Callable[[SeatCommandContext, Transcript, Sequence[AnyAct]], list[LetterDraft]]
"""Returns the emails that answer a seat."""


@dataclass(frozen=True)
class ForumLetter:
    """An email that a forum sent. forum: its name in games. games: the games that are played there."""

    kept: StoredLetter
    letter: Letter
    forum: str
    games: tuple[str, ...]
    context: RequestContext
    headers: tuple[Header, ...] = field(repr=False, default=())

    @property
    def service_context(self) -> ServiceContext:
        """Return the service's context."""
        return self.context.service_context

    @property
    def address(self) -> str:
        """Return the list's own address, or "" if it has none."""
        channel = forum_channel(self.forum, self.service_context)
        return channel.address if channel else ""


def recognise_forum_letter(
    kept: StoredLetter, letter: Letter, passed: FilterResult, is_ours: IsOurs, context: RequestContext
) -> ForumLetter | LetterOutcome | None:
    """Return an email as one from a forum, its outcome if it is automatic, or None if no forum sent it."""
    marked = _LIST_HEADERS & set(letter.marks) or any(
        "+forum." in recipient.lower() for recipient in letter.recipients
    )
    if not marked or passed.returned or passed.heavy:
        return None
    for forum, names in context.repository.people.threads().items():
        channel = forum_channel(forum, context.service_context)
        if channel is None or not _is_from(forum, channel.address, letter, kept, context):
            continue
        # Some lists mark their own posts to recognise them. That doesn't mean that a program wrote the post.
        marks = {
            name: mark
            for name, mark in letter.marks.items()
            if not (name == "x-loop" and valid_address(mark) == channel.address)
        }
        without = {name: mark for name, mark in marks.items() if name not in _LIST_HEADERS}
        again = filter_letter(replace_fields(letter, marks=without), is_ours, context.service_context)
        if again.disposition != "read":
            return LetterOutcome(again.disposition, again.why, letter.sender or None)
        return ForumLetter(kept, letter, forum, names, context, read_headers(split_message(kept.raw)[0]))
    return None


def _is_from(forum: str, address: str, letter: Letter, kept: StoredLetter, context: RequestContext) -> bool:
    """Return whether a forum sent an email: to the address that only it knows, or with its signature.

    All readers of a forum get the signed email and can pass it on. So it counts once, and only if it is
    recent.
    """
    service, raw = context.service_context, kept.raw
    if was_sent_by(service.key, service.address, forum, letter.recipients):
        return True
    domain = address.rpartition("@")[2]
    # At a provider with many lists, a member of one list can't name another one in this header.
    if not domain or f"<mailto:{address}>" not in letter.marks.get("list-post", "").lower():
        return False
    if not is_dated_lately(letter, kept) or not is_accepted_nowhere_else(kept, context.repository):
        return False
    if service.authserv_id and authenticates_domain(results_of(raw, service.authserv_id), domain):
        return True
    return service.signed is not None and bool(service.signed(raw, domain))


def read_post(sent: ForumLetter, process_lines: LineProcessor, answer: Answer) -> LetterOutcome:
    """Return the outcome of a post. process_lines: reads orders. answer: writes the emails."""
    leaked = _void_leaked_tokens(sent)
    handled = _read_forum_letter(sent, process_lines, answer)
    return replace_fields(handled, acts=(*handled.acts, *leaked))


def _read_forum_letter(sent: ForumLetter, process_lines: LineProcessor, answer: Answer) -> LetterOutcome:
    name = _game_of(sent)
    position = sent.context.repository.position(name) if name else None
    if position is None or not position.is_running:
        return _ignore(sent, sentence("inbound.forum_posts.no_thread", forum=sent.forum))
    thread = _thread(position, sent)
    poster = find_poster(sent)
    if thread is None or poster is None:
        return _ignore(sent, sentence("inbound.forum_posts.nobody", forum=sent.forum))
    lines = _without_quotations(fresh_lines(sent.letter))
    introduction = _recognise_poster_word(thread, position, poster, lines, sent)
    acts = introduction.acts
    seat = introduction.seat or _seat_of(position, poster, sent)
    if seat is None:
        unknown = sentence("inbound.forum_posts.unknown", poster=poster, game=position.name)
        return _ignore(sent, unknown)
    spoken_lines = tuple(line for line in lines if not is_word_line(line.text))
    processed = _process_post(
        _SeatPost(sent, thread, position, seat, poster, spoken_lines), process_lines, answer
    )
    # If we ask about the lines of the post, one email contains both texts.
    told_to: dict[Seat, tuple[str, ...]] = {}
    for reader, paragraphs in ((introduction.reader, introduction.paragraphs), (seat, processed.paragraphs)):
        if reader is not None and paragraphs:
            told_to[reader] = (*told_to.get(reader, ()), *paragraphs)
    answers = tuple(_write_letter(position, reader, sent, said_to) for reader, said_to in told_to.items())
    has_effect = acts or answers or processed.acts or processed.answers
    why = None if has_effect else sentence("inbound.forum_posts.talk")
    return LetterOutcome(
        disposition="read" if why is None else "ignored",
        why=why or processed.why,
        # We can't know whether an address on a list is in use and belongs to the player.
        speaker=poster,
        game=position.name,
        seat=seat if why is None else None,
        acts=(*acts, *processed.acts),
        answers=(*answers, *processed.answers),
    )


def _ignore(sent: ForumLetter, why: str) -> LetterOutcome:
    return LetterOutcome("ignored", why, sent.letter.sender or None)


def _game_of(sent: ForumLetter) -> str | None:
    """Return the game of a thread: the post replies to the thread's first email, or names the game."""
    letter, repository = sent.letter, sent.context.repository
    before = {*letter.thread, *([letter.answers] if letter.answers else [])}
    for name in sent.games:
        position = repository.position(name)
        thread = _thread(position, sent) if position else None
        if thread is not None and thread.root in before:
            return name
    tagged = _GAME_TAG.findall(letter.subject.lower())
    return next((name for name in tagged if name in sent.games), None)


def _thread(position: GamePosition, sent: ForumLetter) -> GameThread | None:
    customs = sent.context.repository.people.policy(position.name)
    thread = thread_of(position.name, position.game, customs, sent.service_context)
    return thread if customs.forum == sent.forum else None


def find_poster(sent: ForumLetter) -> str | None:
    """Return the author of a post, as its forum knows them, or None if it can't be known.

    Some lists replace the author's address with their own, because the author's domain requires it. They add
    the author's address to Reply-To or another header. The author may have written the other addresses in
    these headers.
    """
    letter, own = sent.letter, sent.address
    if any("from" in defect for defect in letter.defects):
        return None
    if letter.sender != own:
        return valid_address(letter.sender)
    candidates = {
        address for head in sent.headers if head.name in _POSTER_HEADERS for address in addresses(head.value)
    } - {own}
    return valid_address(candidates.pop()) if len(candidates) == 1 else None


def _without_quotations(lines: Sequence[FreshLine]) -> tuple[FreshLine, ...]:
    """Return the poster's own lines, without quotations of any kind."""
    texts = own_lines([line.text for line in lines])
    return tuple(replace_fields(line, text=text) for line, text in zip(lines, texts, strict=True))


# The player who wrote a post.


@dataclass(frozen=True)
class _Introduction:
    """The effects of a post that shows a poster's word. seat: the seat that they post for.

    reader, paragraphs: the seat that the word belongs to, and the text for its player.
    """

    seat: Seat | None = None
    acts: tuple[AnyAct, ...] = ()
    reader: Seat | None = None
    paragraphs: tuple[str, ...] = ()


def _recognise_poster_word(
    thread: GameThread, position: GamePosition, poster: str, lines: Sequence[FreshLine], sent: ForumLetter
) -> _Introduction:
    """Return the acts, emails and seat of a poster who shows by a word who they are."""
    words = words_in([line.text for line in lines]) if thread.is_open else ()
    known = {
        known_poster.seat: known_poster
        for known_poster in sent.context.repository.people.posters(position.name)
    }
    for seat, assignment in position.assignments.items() if words else ():
        used = known[seat].used if seat in known else 0
        if assignment.address is None:
            continue
        word = poster_word(sent.service_context.key, position.name, seat, assignment.address, used)
        if word not in words:
            continue
        other = _seat_of(position, poster, sent)
        if other not in (None, seat):
            text = sentence("inbound.forum_posts.another_seat", poster=poster, game=position.name)
            return _Introduction(other, (), seat, (text,))
        new_poster = Poster(
            seat=seat,
            address=assignment.address,
            place=sent.forum,
            name=poster,
            used=used + 1,
            since=sent.kept.received,
        )
        act = KnowPoster(by=seat, game=position.name, poster=new_poster, before=used)
        taken = sentence("inbound.forum_posts.known", poster=poster, game=position.name, seat=seat)
        return _Introduction(seat, (act,), seat, (taken,))
    return _Introduction()


def _seat_of(position: GamePosition, poster: str, sent: ForumLetter) -> Seat | None:
    """Return the seat that a poster is known to post for, or the seat with the poster's own address."""
    for known_poster in sent.context.repository.people.posters(position.name):
        assignment = position.assignments.get(known_poster.seat)
        is_own = assignment is not None and assignment.address == known_poster.address
        if is_own and (known_poster.place, known_poster.name) == (sent.forum, poster):
            return known_poster.seat
    held = [seat for seat, assignment in position.assignments.items() if assignment.address == poster]
    return held[0] if len(held) == 1 and _is_authenticated(poster, sent) else None


def _is_authenticated(poster: str, sent: ForumLetter) -> bool:
    """Return whether the poster's authorship is authenticated by more than the word of the forum."""
    if sent.letter.sender != poster:
        return False
    parts = sent.letter, sent.kept, sent.context.repository, sent.service_context
    return authenticate(*parts, also=(sent.address,)) is Grade.PROVED


# The content of a post.


@dataclass(frozen=True)
class _SeatPost:
    """A post of a seat, in the thread of its game."""

    sent: ForumLetter
    thread: GameThread
    position: GamePosition
    seat: Seat
    poster: str
    lines: tuple[FreshLine, ...]


@dataclass(frozen=True)
class _PostResult:
    """The effects of a post. paragraphs: the text of the notice to its poster."""

    acts: tuple[AnyAct, ...] = ()
    answers: tuple[LetterDraft, ...] = ()
    paragraphs: tuple[str, ...] = ()
    why: str | None = None


def _process_post(post: _SeatPost, process_lines: LineProcessor, answer: Answer) -> _PostResult:
    sent, commands = post.sent, list[Command]()

    def filter_reading(reading: LetterReading) -> LetterReading:
        commands.extend(reading.commands)
        allowed = tuple(command for command in reading.commands if command.verb in VERBS_IN_POSTS)
        return replace_fields(reading, commands=allowed, unknown=())

    case = _build_case(post)
    acts, transcript = process_lines(post.lines, case, sent.letter, filter_reading)
    verbs = [spoken_verb.verb for spoken_verb in commands]
    counts = any(row.in_force for row in transcript.rows) or not VERBS_IN_POSTS.isdisjoint(verbs)
    if not transcript.rows and not verbs:
        return _PostResult()
    if not post.thread.is_open:
        text = sentence("inbound.forum_posts.by_letter", game=post.position.name)
        return _PostResult(paragraphs=(text,), why=sentence("inbound.forum_posts.not_open"))
    if counts and post.thread.customs.posters == "proved" and not _is_proved(post):
        verbs = [spoken_verb.line for spoken_verb in commands if spoken_verb.verb in VERBS_IN_POSTS]
        return _PostResult(
            paragraphs=_ask_poster(post, transcript, verbs), why=sentence("inbound.forum_posts.unproved")
        )
    for verb in dict.fromkeys(spoken_verb for spoken_verb in verbs if spoken_verb not in VERBS_IN_POSTS):
        for_letters = sentence("inbound.forum_posts.for_letters", verb=verb)
        transcript = replace_fields(transcript, notes=(*transcript.notes, for_letters))
    if not counts:
        # Chat doesn't keep a turn waiting, even if it looks like orders.
        return _PostResult(answers=tuple(answer(case, transcript, ())))
    done = tuple(
        replace_fields(act, why=REASON_POSTED) if isinstance(act, FileOrders) else act for act in acts
    )
    if post.position.timing.rest is not None:
        reset = ResetIdleTimer(game=post.position.name, by=post.seat, seat=post.seat, at=sent.kept.received)
        done = (*done, reset)
    return _PostResult(done, tuple(_write_answers(post, case, transcript, done, answer)))


def _is_proved(post: _SeatPost) -> bool:
    """Return whether the forum verifies accounts itself, or the post has its poster's signature."""
    return not post.sent.address or _is_authenticated(post.poster, post.sent)


def _build_case(post: _SeatPost) -> SeatCommandContext:
    sent, position = post.sent, post.position
    return SeatCommandContext(
        game=position.game,
        seated=AuthenticatedSeat(position, post.seat, "thread"),
        service_context=sent.service_context,
        repository=sent.context.repository,
        sender=post.poster,
        received=sent.kept.received,
        now=sent.context.now,
        key=sent.kept.fingerprint,
        allowance=ReadingBudget(),
    )


def _write_answers(
    post: _SeatPost, case: SeatCommandContext, transcript: Transcript, acts: Sequence[AnyAct], answer: Answer
) -> list[LetterDraft]:
    """Return a post about the saved orders, or an email. If something is wrong, there is always an email."""
    shown = _write_saved_orders_post(post, acts) if post.thread.customs.answers == "post" else None
    plain = not (transcript.problems or transcript.notes or transcript.rests)
    letters = [] if shown is not None and plain else answer(case, transcript, acts)
    return [*letters, *([shown] if shown is not None else [])]


def _write_saved_orders_post(post: _SeatPost, acts: Sequence[AnyAct]) -> LetterDraft | None:
    """Return the post that shows the saved orders. None: nothing is new, or there were enough posts."""
    filed = next((act for act in acts if isinstance(act, FileOrders)), None)
    position, game, sent = post.position, post.position.game, post.sent
    keys = (
        posts.orders_filed_key(position, post.seat, number)
        for number in range(1, MAX_ORDER_POSTS_PER_TURN + 1)
    )
    key = next(
        (candidate for candidate in keys if not sent.context.repository.has_written(f"{candidate}/forum")),
        None,
    )
    if filed is None or key is None:
        return None
    items = unpack_items(game.order_type, filed.orders)
    here = [item for item in present_items(game, position.state, items) if order_of(item) is not None]
    what = ThreadOrders(
        post.seat,
        game.rules.turn(position.state),
        tuple(write_item(game, item) for item in here),
        missing(game, position.state, items, post.seat),
    )
    service = posts.ServiceIdentity(
        sent.service_context.name, sent.service_context.address, sent.service_context.zone
    )
    news = posts.orders_filed_post(post.thread, what, key, service, sent.context.now)
    return posts.address_to_thread(news, post.thread, service, sent.letter.message_id or None)


def _ask_poster(post: _SeatPost, transcript: Transcript, commands: Sequence[str]) -> tuple[str, ...]:
    """Return the email to a player if an unauthenticated post has their name."""
    rows = "\n".join(f"| {line}" for line in (*(row.line for row in transcript.rows), *commands))
    text = sentence("inbound.forum_posts.ask_back", poster=post.poster, game=post.position.name)
    return (text, rows, sentence("inbound.forum_posts.send_back"))


def _write_letter(
    position: GamePosition, seat: Seat, sent: ForumLetter, paragraphs: tuple[str, ...]
) -> LetterDraft:
    assignment = position.assignments[seat]
    reader = reader_of(
        position, assignment, assignment.address or "", sent.context.repository, sent.service_context
    )
    key = f"letter/{sent.kept.fingerprint}/{seat}/thread"
    return notice(reader, Heading(key, sentence("inbound.forum_posts.subject"), replies=True), paragraphs)


def _void_leaked_tokens(sent: ForumLetter) -> tuple[Rekey, ...]:
    """Return the acts that revoke the reply tokens in a post, because all readers can see them."""
    letter = sent.letter
    texts = [letter.subject, *letter.thread, *(part.text for part in letter.parts)]
    if not may_contain_token(texts, set()):
        return ()
    repository, why = sent.context.repository, sentence("inbound.forum_posts.token")
    shown = reply_tokens_of_named_games(texts, repository, sent.service_context, sent.games).find_holders(
        *texts
    )
    return tuple(
        Rekey(game=holder.game, by=POST_ACTOR, why=why, seat=holder.seat, seen=holder.generation)
        for holder in shown
    )


# Orders from a forum: a thread that the GM pasted, divided by the writer of each post.


_BBCODE_QUOTE = re.compile(r"\[quote[^\]]*\](?:(?!\[quote).)*?\[/quote\]", re.IGNORECASE | re.DOTALL)
_BBCODE_TAG = re.compile(
    r"\[/?(?:b|i|u|s|list|url|img|size|color|spoiler|code|c|o|\*)(?:=[^\]]*)?\]", re.IGNORECASE
)
_MARKDOWN_MARKS = re.compile(r"^[#*_`\s]+|[*_`\s]+$")
_LIST_ITEM = re.compile(r"^(?:[-*+•]|\d+[.)])\s+")
_AUTHOR_LINE = re.compile(
    r"^(?:post(?:ed)? by\s+)?(.+?)(?:\s+(?:wrote|said|posted|writes))?\s*:\s*(.*)$", re.IGNORECASE
)
_NOT_AN_AUTHOR = re.compile(
    r"(?:(?:my|the|here|these)\b.*|(?:orders?|moves?|builds?|retreats?|removals?|notes?|press|p\.?s\.?|hi|hello|all|"
    r"if|else|elseif|endif|phase|spring|summer|fall|autumn|winter|year)\b.*|[SUFW]-?\d+[MRA])",
    re.IGNORECASE,
)
"""Words before a colon above orders that aren't the name of an author."""
_MAX_AUTHOR_CHARS = 40


@dataclass(frozen=True)
class ThreadPost:
    """A post: its author's name as written there, the number of its first line, and its lines.

    seat: the author's seat, or None for an unknown name. when, edited: when it was written and changed, as
    the forum writes it, or "".
    """

    author: str
    seat: Seat | None
    at: int
    lines: tuple[str, ...]
    when: str = ""
    edited: str = ""


def split_posts(text: str, authors: Mapping[str, Seat]) -> tuple[ThreadPost, ...]:
    """Return the posts of a thread that was copied from a browser, or that has a line ``author:`` above each
    post.

    The orders follow in the same line or below. Quotations and the marks of BBCode and Markdown are left out.

    authors: the seats by author's name, in any case. An unknown name on its own line begins a post too, so
    that its orders don't count for the author above. The lines above the first name belong to the author "".
    """
    known = {name.casefold(): seat for name, seat in authors.items()}
    if copied := forum_threads.read_posts(text, known):
        return tuple(_make_post(source, known) for source in copied if source.lines)
    posts: list[ThreadPost] = [ThreadPost("", None, 1, ())]
    for number, row in enumerate(remove_quotations(text).splitlines(), 1):
        line = _strip_markup(row)
        head = _read_author_line(line, known)
        if head is not None:
            author, rest = head
            posts.append(ThreadPost(author, known.get(author.casefold()), number, (rest,) if rest else ()))
        elif line:
            last = posts.pop()
            posts.append(ThreadPost(last.author, last.seat, last.at, (*last.lines, line)))
    return tuple(post for post in posts if post.lines)


def _make_post(source: CopiedPost, known: Mapping[str, Seat]) -> ThreadPost:
    lines = tuple(line for line in map(_strip_markup, source.lines) if line)
    return ThreadPost(
        source.author, known.get(source.author.casefold()), source.at, lines, source.when, source.edited
    )


def lines_by_seat(posts: Sequence[ThreadPost]) -> Mapping[Seat, tuple[str, ...]]:
    """Return the lines of each seat, in the order of the thread."""
    lines: dict[Seat, tuple[str, ...]] = {}
    for post in posts:
        if post.seat is not None:
            lines[post.seat] = (*lines.get(post.seat, ()), *post.lines)
    return lines


def own_lines(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the lines of a post without quotations and marks. Lines that are left out are empty.

    A quotation without an end includes all lines below it.
    """
    rows = remove_quotations("\n".join(lines)).split("\n")
    opened = next((at for at, row in enumerate(rows) if "[quote" in row.lower()), len(rows))
    return tuple("" if at >= opened else _strip_markup(row) for at, row in enumerate(rows))


def remove_quotations(text: str) -> str:
    """Return the text without quotations. The lines keep their numbers."""
    while (shorter := _BBCODE_QUOTE.sub(lambda quote: "\n" * quote.group().count("\n"), text)) != text:
        text = shorter
    return "\n".join("" if row.lstrip().startswith(">") else row for row in text.splitlines())


def _strip_markup(row: str) -> str:
    """Return a row without the marks of BBCode and Markdown."""
    text = _LIST_ITEM.sub("", _BBCODE_TAG.sub("", row).strip())
    return (
        re.sub(r"</?(?:ins|u|b|i)>", "", _MARKDOWN_MARKS.sub("", text))
        .replace("**", "")
        .replace("__", "")
        .strip()
    )


def _read_author_line(line: str, known: Mapping[str, Seat]) -> tuple[str, str] | None:
    """Return the author and the text after their name if the line begins a post, otherwise None."""
    match = _AUTHOR_LINE.match(line)
    if match is None:
        return None
    author, rest = match.group(1).strip().lstrip("@"), match.group(2).strip()
    if author.casefold() in known:
        return author, rest
    alone = not rest and len(author) <= _MAX_AUTHOR_CHARS and len(author.split()) <= 3
    return (author, rest) if alone and not _NOT_AN_AUTHOR.fullmatch(author) else None
