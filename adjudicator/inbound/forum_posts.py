"""Posts in the threads of games that are played in forums: the seat of each, and its effects.

Rule 1: a post counts as it was when it came to us. To change it, a player posts again: the last word
        counts, by any channel.
Rule 2: a From line proves nothing. A forum is known by the address that it alone was told, or by its
        signature; a poster by a word that went to them alone, or as senders of letters are.
Rule 3: errors in a post are told to its poster by letter, and to nobody else. A poster without a seat is
        never answered, so that two robots cannot talk to each other there.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import games
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
from adjudicator.model.games import AnyAct, FileOrders, GamePosition, Rekey, Stir
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
"""Why orders are filed that stood in a post: whoever reads the thread has seen them."""

VERBS_IN_POSTS = frozenset({"READY", "NOREADY", "WAIT", "NOWAIT", "CLEAR"})
"""What may be said in a post beside orders; all else is for letters."""

_GAME_TAG = re.compile(r"\[([a-z0-9-]{1,20})\]")
_POSTER_HEADERS = frozenset({"reply-to", "cc", "x-original-from", "x-original-sender"})
_LIST_HEADERS = frozenset({"precedence", "list-id", "list-post"})
POST_ACTOR = "the clerk"

Hears = Callable[[LetterReading], LetterReading]
Hear = Callable[[Sequence[FreshLine], SeatCommandContext, Letter, Hears], tuple[list[AnyAct], Transcript]]
"""Reads what a seat says, and does it: acts, and what it is told."""

Answer = Callable[[SeatCommandContext, Transcript, Sequence[AnyAct]], list[LetterDraft]]
"""The letters that answer a seat."""


@dataclass(frozen=True)
class ForumLetter:
    """A letter that came from a forum. forum: as games name it; games: those played there."""

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
        """Return the list's own address; "" where it has none."""
        channel = forum_channel(self.forum, self.service_context)
        return channel.address if channel else ""


def recognise_forum_letter(
    kept: StoredLetter, letter: Letter, passed: FilterResult, is_ours: IsOurs, context: RequestContext
) -> ForumLetter | LetterOutcome | None:
    """Return a letter as one that a forum sent; its outcome, where a robot wrote it; None: no forum did."""
    marked = _LIST_HEADERS & set(letter.marks) or any(
        "+forum." in recipient.lower() for recipient in letter.recipients
    )
    if not marked or passed.returned or passed.heavy:
        return None
    for forum, names in context.repository.people.threads().items():
        channel = forum_channel(forum, context.service_context)
        if channel is None or not _is_from(forum, channel.address, letter, kept, context):
            continue
        # Some lists mark what they carry so that they know it again: that is no robot's mark.
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
    """Return whether a forum has sent a letter: to the address it alone was told, or under its own signature.

    What it signed it sent to all its readers, each of whom may pass it on: it counts once, and lately.
    """
    service, raw = context.service_context, kept.raw
    if was_sent_by(service.key, service.address, forum, letter.recipients):
        return True
    domain = address.rpartition("@")[2]
    # Of a provider with many lists: who writes to one of them cannot name another there.
    if not domain or f"<mailto:{address}>" not in letter.marks.get("list-post", "").lower():
        return False
    if not is_dated_lately(letter, kept) or not is_accepted_nowhere_else(kept, context.repository):
        return False
    if service.authserv_id and authenticates_domain(results_of(raw, service.authserv_id), domain):
        return True
    return service.signed is not None and bool(service.signed(raw, domain))


def read_post(sent: ForumLetter, hear: Hear, answer: Answer) -> LetterOutcome:
    """Return the outcome of a post. hear: reads orders; answer: writes the letters to their players."""
    leaked = _void_leaked_tokens(sent)
    handled = _read_forum_letter(sent, hear, answer)
    return replace_fields(handled, acts=(*handled.acts, *leaked))


def _read_forum_letter(sent: ForumLetter, hear: Hear, answer: Answer) -> LetterOutcome:
    name = _game_of(sent)
    position = sent.context.repository.position(name) if name else None
    if position is None or not position.is_running:
        return _ignore(sent, sentence("clerk.posted.no_thread", forum=sent.forum))
    thread = _thread(position, sent)
    poster = find_poster(sent)
    if thread is None or poster is None:
        return _ignore(sent, sentence("clerk.posted.nobody", forum=sent.forum))
    lines = _without_quotations(fresh_lines(sent.letter))
    introduction = _recognise_poster_word(thread, position, poster, lines, sent)
    acts = introduction.acts
    seat = introduction.seat or _seat_of(position, poster, sent)
    if seat is None:
        unknown = sentence("clerk.posted.unknown", poster=poster, game=position.name)
        return _ignore(sent, unknown)
    spoken_lines = tuple(line for line in lines if not is_word_line(line.text))
    heard = _process_post(_SeatPost(sent, thread, position, seat, poster, spoken_lines), hear, answer)
    # One email says both, where the lines of the post are asked back.
    told_to: dict[Seat, tuple[str, ...]] = {}
    for reader, paragraphs in ((introduction.reader, introduction.paragraphs), (seat, heard.paragraphs)):
        if reader is not None and paragraphs:
            told_to[reader] = (*told_to.get(reader, ()), *paragraphs)
    answers = tuple(_write_letter(position, reader, sent, said_to) for reader, said_to in told_to.items())
    has_effect = acts or answers or heard.acts or heard.answers
    why = None if has_effect else sentence("clerk.posted.talk")
    return LetterOutcome(
        disposition="read" if why is None else "ignored",
        why=why or heard.why,
        # Of an address on a list nobody knows that it is alive and its player's.
        speaker=poster,
        game=position.name,
        seat=seat if why is None else None,
        acts=(*acts, *heard.acts),
        answers=(*answers, *heard.answers),
    )


def _ignore(sent: ForumLetter, why: str) -> LetterOutcome:
    return LetterOutcome("ignored", why, sent.letter.sender or None)


def _game_of(sent: ForumLetter) -> str | None:
    """Return the game in whose thread a post stands: it goes back to its beginning, or bears its name."""
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
    thread = thread_of(position.name, games.kinds()[position.kind], customs, sent.service_context)
    return thread if customs.forum == sent.forum else None


def find_poster(sent: ForumLetter) -> str | None:
    """Return the author of a post, as its forum knows them; None: nobody can tell.

    Where a list writes its own address in place of the author's, since their domain wants that, it puts
    theirs among those to answer or beside them; what else stands there they may have put there
    themselves.
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
    """Return the poster's own lines: no quotation, however it is marked."""
    texts = own_lines([line.text for line in lines])
    return tuple(replace_fields(line, text=text) for line, text in zip(lines, texts, strict=True))


# The player who wrote a post.


@dataclass(frozen=True)
class _Introduction:
    """What follows where a poster shows a word. seat: for which they post.

    reader, paragraphs: the seat whose word it is, and what its player is told.
    """

    seat: Seat | None = None
    acts: tuple[AnyAct, ...] = ()
    reader: Seat | None = None
    paragraphs: tuple[str, ...] = ()


def _recognise_poster_word(
    thread: GameThread, position: GamePosition, poster: str, lines: Sequence[FreshLine], sent: ForumLetter
) -> _Introduction:
    """Return the acts, letters and seat of a poster who shows by a word who they are."""
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
            text = sentence("clerk.posted.another_seat", poster=poster, game=position.name)
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
        taken = sentence("clerk.posted.known", poster=poster, game=position.name, seat=seat)
        return _Introduction(seat, (act,), seat, (taken,))
    return _Introduction()


def _seat_of(position: GamePosition, poster: str, sent: ForumLetter) -> Seat | None:
    """Return the seat for which a poster is known to post, or whose player's own address it is."""
    for known_poster in sent.context.repository.people.posters(position.name):
        assignment = position.assignments.get(known_poster.seat)
        is_his = assignment is not None and assignment.address == known_poster.address
        if is_his and (known_poster.place, known_poster.name) == (sent.forum, poster):
            return known_poster.seat
    held = [seat for seat, assignment in position.assignments.items() if assignment.address == poster]
    return held[0] if len(held) == 1 and _is_authenticated(poster, sent) else None


def _is_authenticated(poster: str, sent: ForumLetter) -> bool:
    """Return whether the poster's authorship is authenticated, beside what the forum says."""
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
    """What comes of what a post says. paragraphs: what its poster is told of it by a notice."""

    acts: tuple[AnyAct, ...] = ()
    answers: tuple[LetterDraft, ...] = ()
    paragraphs: tuple[str, ...] = ()
    why: str | None = None


def _process_post(post: _SeatPost, hear: Hear, answer: Answer) -> _PostResult:
    sent, commands = post.sent, list[Command]()

    def hears(reading: LetterReading) -> LetterReading:
        commands.extend(reading.commands)
        return replace_fields(
            reading, commands=tuple(command for command in reading.commands if command.verb in VERBS_IN_POSTS)
        )

    case = _build_case(post)
    acts, transcript = hear(post.lines, case, sent.letter, hears)
    verbs = [spoken_verb.verb for spoken_verb in commands]
    counts = any(row.in_force for row in transcript.rows) or not VERBS_IN_POSTS.isdisjoint(verbs)
    if not transcript.rows and not verbs:
        return _PostResult()
    if not post.thread.is_open:
        text = sentence("clerk.posted.by_letter", game=post.position.name)
        return _PostResult(paragraphs=(text,), why=sentence("clerk.posted.not_open"))
    if counts and post.thread.customs.posters == "proved" and not _is_proved(post):
        heard = [spoken_verb.line for spoken_verb in commands if spoken_verb.verb in VERBS_IN_POSTS]
        return _PostResult(
            paragraphs=_ask_poster(post, transcript, heard), why=sentence("clerk.posted.unproved")
        )
    for verb in dict.fromkeys(spoken_verb for spoken_verb in verbs if spoken_verb not in VERBS_IN_POSTS):
        for_letters = sentence("clerk.posted.for_letters", verb=verb)
        transcript = replace_fields(transcript, notes=(*transcript.notes, for_letters))
    if not counts:
        # Talk keeps no turn waiting, whatever in it looks like an order.
        return _PostResult(answers=tuple(answer(case, transcript, ())))
    done = tuple(
        replace_fields(act, why=REASON_POSTED) if isinstance(act, FileOrders) else act for act in acts
    )
    if post.position.timing.rest is not None:
        stirs = Stir(game=post.position.name, by=post.seat, seat=post.seat, at=sent.kept.received)
        done = (*done, stirs)
    return _PostResult(done, tuple(_write_answers(post, case, transcript, done, answer)))


def _is_proved(post: _SeatPost) -> bool:
    """Return whether the forum proves accounts itself, or the post bears its poster's signature."""
    return not post.sent.address or _is_authenticated(post.poster, post.sent)


def _build_case(post: _SeatPost) -> SeatCommandContext:
    sent, position = post.sent, post.position
    return SeatCommandContext(
        game=games.kinds()[position.kind],
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
    """Return a post about what is on file, or a letter; where something is wrong, a letter in any case."""
    shown = _write_saved_orders_post(post, acts) if post.thread.customs.answers == "post" else None
    plain = not (transcript.problems or transcript.notes or transcript.rests)
    letters = [] if shown is not None and plain else answer(case, transcript, acts)
    return [*letters, *([shown] if shown is not None else [])]


def _write_saved_orders_post(post: _SeatPost, acts: Sequence[AnyAct]) -> LetterDraft | None:
    """Return the post that shows what the seat has on file now; None: nothing new, or there were enough."""
    filed = next((act for act in acts if isinstance(act, FileOrders)), None)
    position, game, sent = post.position, games.kinds()[post.position.kind], post.sent
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
    """Return a letter to the player in whose name something was posted without authentication."""
    rows = "\n".join(f"| {line}" for line in (*(row.line for row in transcript.rows), *commands))
    text = sentence("clerk.posted.ask_back", poster=post.poster, game=post.position.name)
    return (text, rows, sentence("clerk.posted.send_back"))


def _write_letter(
    position: GamePosition, seat: Seat, sent: ForumLetter, paragraphs: tuple[str, ...]
) -> LetterDraft:
    assignment = position.assignments[seat]
    reader = reader_of(
        position, assignment, assignment.address or "", sent.context.repository, sent.service_context
    )
    key = f"letter/{sent.kept.fingerprint}/{seat}/thread"
    return notice(reader, Heading(key, sentence("clerk.posted.subject"), replies=True), paragraphs)


def _void_leaked_tokens(sent: ForumLetter) -> tuple[Rekey, ...]:
    """Return the acts that make void the reply tokens in a post: all readers of the thread see them there."""
    letter = sent.letter
    texts = [letter.subject, *letter.thread, *(part.text for part in letter.parts)]
    if not may_contain_token(texts, set()):
        return ()
    repository, why = sent.context.repository, sentence("clerk.posted.token")
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
    r"if|else|elseif|endif|phase|spring|summer|fall|autumn|winter|year)\b.*|[SUFW]\d+[MRA])",
    re.IGNORECASE,
)
"""What stands above orders, before a colon, and is nobody's name."""
_MAX_AUTHOR_CHARS = 40


@dataclass(frozen=True)
class ThreadPost:
    """One post: its author's name as it stands there, the line at which it begins, its lines.

    seat: whose it is; None for a name that is nobody's. when, edited: when it was written and changed, as
    the forum says it; "" where it does not.
    """

    author: str
    seat: Seat | None
    at: int
    lines: tuple[str, ...]
    when: str = ""
    edited: str = ""


def split_posts(text: str, authors: Mapping[str, Seat]) -> tuple[ThreadPost, ...]:
    """Split a thread into its posts: as a browser copies it, or where a line ``author:`` begins each.

    Such a line has orders behind it or below.

    authors: by their names, in any case, the seats whose orders they write. A name that is not among them
    begins a post too where it stands alone on its line, so that nothing is taken for somebody else's;
    what stands before the first name is nobody's, under the name "". Quotations are left out, and the
    marks of BBCode and Markdown.
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
    """Return the lines of each seat, in the order in which they were written."""
    lines: dict[Seat, tuple[str, ...]] = {}
    for post in posts:
        if post.seat is not None:
            lines[post.seat] = (*lines.get(post.seat, ()), *post.lines)
    return lines


def own_lines(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the lines of one post without quotations and marks, in their places: those left out are empty.

    A quotation that does not end takes all with it that follows.
    """
    rows = remove_quotations("\n".join(lines)).split("\n")
    opened = next((at for at, row in enumerate(rows) if "[quote" in row.lower()), len(rows))
    return tuple("" if at >= opened else _strip_markup(row) for at, row in enumerate(rows))


def remove_quotations(text: str) -> str:
    """Return the text without quotations; the lines keep their numbers."""
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
    """Return the author and the text after their name, where a line begins a post."""
    match = _AUTHOR_LINE.match(line)
    if match is None:
        return None
    author, rest = match.group(1).strip().lstrip("@"), match.group(2).strip()
    if author.casefold() in known:
        return author, rest
    alone = not rest and len(author) <= _MAX_AUTHOR_CHARS and len(author.split()) <= 3
    return (author, rest) if alone and not _NOT_AN_AUTHOR.fullmatch(author) else None
