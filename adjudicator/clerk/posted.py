"""Posts in the threads of games that are played in forums: whose each is, and what it comes to.

Rule 1: a post counts by what it was when it came to us. Who wants it otherwise posts again: the last word
        counts, whichever way it came.
Rule 2: a From line proves nothing. A forum is known by the address that it alone was told, or by its
        signature; a poster by a word that went to him alone, or as senders of letters are.
Rule 3: what is wrong with a post its poster is told by letter, and nobody else. Whoever is nobody's poster is
        never answered, so that two robots cannot talk to each other there.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import games
from adjudicator.catalogue import sentence
from adjudicator.clerk.authentication import (
    Grade,
    authenticate,
    is_accepted_nowhere_else,
    is_dated_lately,
)
from adjudicator.clerk.authentication_results import results_of, vouches
from adjudicator.clerk.commands.case import Case
from adjudicator.clerk.forum_threads import own_lines
from adjudicator.clerk.gate import IsOurs, Passed, disposition
from adjudicator.clerk.identity import Seated
from adjudicator.clerk.keys import keys_named, may_show
from adjudicator.ledger.filed_orders import order_of, unpacked, written
from adjudicator.ledger.game_acts import AnyAct, FileOrders, Rekey, Stir
from adjudicator.ledger.letters import Handled, Kept, Outgoing
from adjudicator.ledger.orders_in_force import present
from adjudicator.ledger.people_acts import KnowPoster
from adjudicator.ledger.positions import Position
from adjudicator.ledger.society import Poster
from adjudicator.office import Desk, Office
from adjudicator.reports import in_forum, posts
from adjudicator.reports.in_forum import MOST_POSTS, OnFile, Thread, place_of, thread_of
from adjudicator.reports.messages import Heading, notice
from adjudicator.reports.reader import reader_of
from adjudicator.reports.sheet import missing
from adjudicator.reports.transcript import Transcript
from adjudicator.signs.addresses import valid_address
from adjudicator.signs.forum_marks import is_word_line, poster_word, was_sent_by, words_in
from games.protocol import Seat
from games.record import changed
from orders.allowance import Allowance
from orders.commands import Command
from orders.letters.body import FreshLine, fresh_lines
from orders.letters.headers import Header, addresses, divide, read_headers
from orders.letters.letter import Letter
from orders.parsing.reading import Reading

IN_THREAD = "posted in the thread"
"""Why orders are filed that stood in a post: whoever reads the thread has seen them."""

HEARD = frozenset({"READY", "NOREADY", "WAIT", "NOWAIT", "CLEAR"})
"""What may be said in a post beside orders; all else is for letters."""

_TAG = re.compile(r"\[([a-z0-9-]{1,20})\]")
_ELSEWHERE = frozenset({"reply-to", "cc", "x-original-from", "x-original-sender"})
_LISTED = frozenset({"precedence", "list-id", "list-post"})
BY = "the clerk"

Hears = Callable[[Reading], Reading]
Hear = Callable[[Sequence[FreshLine], Case, Letter, Hears], tuple[list[AnyAct], Transcript]]
"""Reads what a seat says, and does it: acts, and what it is told."""

Answer = Callable[[Case, Letter, Transcript, Sequence[AnyAct]], list[Outgoing]]
"""The letters that answer a seat."""


@dataclass(frozen=True)
class Sent:
    """A letter that came from a forum. forum: as games name it; games: those played there."""

    kept: Kept
    letter: Letter
    forum: str
    games: tuple[str, ...]
    desk: Desk
    headers: tuple[Header, ...] = field(repr=False, default=())

    @property
    def office(self) -> Office:
        """Where it came to."""
        return self.desk.office

    @property
    def address(self) -> str:
        """The list's own address; "" where it has none."""
        channel = place_of(self.forum, self.office)
        return channel.address if channel else ""


def from_forum(
    kept: Kept, letter: Letter, passed: Passed, is_ours: IsOurs, desk: Desk
) -> Sent | Handled | None:
    """A letter as one that a forum sent; what becomes of it, where a robot wrote it; None: no forum did."""
    marked = _LISTED & set(letter.marks) or any("+forum." in one.lower() for one in letter.recipients)
    if not marked or passed.returned or passed.heavy:
        return None
    for forum, names in desk.books.society.threads().items():
        channel = place_of(forum, desk.office)
        if channel is None or not _is_from(forum, channel.address, letter, kept, desk):
            continue
        # Some lists mark what they carry so that they know it again: that is no robot's mark.
        marks = {
            name: mark
            for name, mark in letter.marks.items()
            if not (name == "x-loop" and valid_address(mark) == channel.address)
        }
        without = {name: mark for name, mark in marks.items() if name not in _LISTED}
        again = disposition(changed(letter, marks=without), is_ours, desk.office)
        if again.disposition != "read":
            return Handled(again.disposition, again.why, letter.sender or None)
        return Sent(kept, letter, forum, names, desk, read_headers(divide(kept.raw)[0]))
    return None


def _is_from(forum: str, address: str, letter: Letter, kept: Kept, desk: Desk) -> bool:
    """Whether a forum has sent a letter: to the address it alone was told, or under its own signature.

    What it signed it sent to all its readers, each of whom may pass it on: it counts once, and lately.
    """
    office, raw = desk.office, kept.raw
    if was_sent_by(office.key, office.address, forum, letter.recipients):
        return True
    domain = address.rpartition("@")[2]
    # Of a provider with many lists: who writes to one of them cannot name another there.
    if not domain or f"<mailto:{address}>" not in letter.marks.get("list-post", "").lower():
        return False
    if not is_dated_lately(letter, kept) or not is_accepted_nowhere_else(kept, desk.books):
        return False
    if office.authserv_id and vouches(results_of(raw, office.authserv_id), domain):
        return True
    return office.signed is not None and bool(office.signed(raw, domain))


def read_post(sent: Sent, hear: Hear, answer: Answer) -> Handled:
    """What a post comes to. hear: reads orders; answer: writes the letters to who gave them."""
    leaked = _leaked(sent)
    handled = _read(sent, hear, answer)
    return changed(handled, acts=(*handled.acts, *leaked))


def _read(sent: Sent, hear: Hear, answer: Answer) -> Handled:
    name = _game_of(sent)
    position = sent.desk.books.position(name) if name else None
    if position is None or not position.running:
        return _ignored(sent, sentence("clerk.posted.no_thread", forum=sent.forum))
    thread = _thread(position, sent)
    poster = poster_of(sent)
    if thread is None or poster is None:
        return _ignored(sent, sentence("clerk.posted.nobody", forum=sent.forum))
    lines = _own(fresh_lines(sent.letter))
    introduction = _introduced(thread, position, poster, lines, sent)
    acts = introduction.acts
    seat = introduction.seat or _seat_of(position, poster, sent)
    if seat is None:
        unknown = sentence("clerk.posted.unknown", poster=poster, game=position.name)
        return _ignored(sent, unknown)
    said = tuple(line for line in lines if not is_word_line(line.text))
    heard = _heard(_Post(sent, thread, position, seat, poster, said), hear, answer)
    # One email says both, where the lines of the post are asked back.
    told_to: dict[Seat, tuple[str, ...]] = {}
    for reader, paragraphs in ((introduction.reader, introduction.paragraphs), (seat, heard.paragraphs)):
        if reader is not None and paragraphs:
            told_to[reader] = (*told_to.get(reader, ()), *paragraphs)
    answers = tuple(_letter(position, reader, sent, said_to) for reader, said_to in told_to.items())
    told = acts or answers or heard.acts or heard.answers
    why = None if told else sentence("clerk.posted.talk")
    return Handled(
        disposition="read" if why is None else "ignored",
        why=why or heard.why,
        # Of an address on a list nobody knows that it is alive and its player's.
        speaker=poster,
        game=position.name,
        seat=seat if why is None else None,
        acts=(*acts, *heard.acts),
        answers=(*answers, *heard.answers),
    )


def _ignored(sent: Sent, why: str) -> Handled:
    return Handled("ignored", why, sent.letter.sender or None)


def _game_of(sent: Sent) -> str | None:
    """The game in whose thread a post stands: it goes back to its beginning, or bears its name."""
    letter, books = sent.letter, sent.desk.books
    before = {*letter.thread, *([letter.answers] if letter.answers else [])}
    for name in sent.games:
        position = books.position(name)
        thread = _thread(position, sent) if position else None
        if thread is not None and thread.root in before:
            return name
    tagged = _TAG.findall(letter.subject.lower())
    return next((name for name in tagged if name in sent.games), None)


def _thread(position: Position, sent: Sent) -> Thread | None:
    customs = sent.desk.books.society.customs(position.name)
    thread = thread_of(position.name, games.kinds()[position.kind], customs, sent.office)
    return thread if customs.forum == sent.forum else None


def poster_of(sent: Sent) -> str | None:
    """Who wrote a post, as its forum knows him; None: nobody can tell.

    Where a list writes its own address in place of his, since his domain wants that, it puts his among those
    to answer or beside them; what else stands there he may have put there himself.
    """
    letter, own = sent.letter, sent.address
    if any("from" in defect for defect in letter.defects):
        return None
    if letter.sender != own:
        return valid_address(letter.sender)
    said = {one for head in sent.headers if head.name in _ELSEWHERE for one in addresses(head.value)} - {own}
    return valid_address(said.pop()) if len(said) == 1 else None


def _own(lines: Sequence[FreshLine]) -> tuple[FreshLine, ...]:
    """What the poster says himself: no quotation, whatever marks it."""
    texts = own_lines([line.text for line in lines])
    return tuple(changed(line, text=text) for line, text in zip(lines, texts, strict=True))


# Who it is.


@dataclass(frozen=True)
class _Introduction:
    """What follows where a poster shows a word. seat: for which they post.

    reader, paragraphs: the seat whose word it is, and what its player is told.
    """

    seat: Seat | None = None
    acts: tuple[AnyAct, ...] = ()
    reader: Seat | None = None
    paragraphs: tuple[str, ...] = ()


def _introduced(
    thread: Thread, position: Position, poster: str, lines: Sequence[FreshLine], sent: Sent
) -> _Introduction:
    """What follows where a poster shows by a word who he is."""
    words = words_in([line.text for line in lines]) if thread.is_open else ()
    known = {one.seat: one for one in sent.desk.books.society.posters(position.name)}
    for seat, chair in position.chairs.items() if words else ():
        used = known[seat].used if seat in known else 0
        if chair.address is None:
            continue
        word = poster_word(sent.office.key, position.name, seat, chair.address, used)
        if word not in words:
            continue
        other = _seat_of(position, poster, sent)
        if other not in (None, seat):
            said = sentence("clerk.posted.another_seat", poster=poster, game=position.name)
            return _Introduction(other, (), seat, (said,))
        one = Poster(
            seat=seat,
            address=chair.address,
            place=sent.forum,
            name=poster,
            used=used + 1,
            since=sent.kept.received,
        )
        act = KnowPoster(by=seat, game=position.name, poster=one, before=used)
        taken = sentence("clerk.posted.known", poster=poster, game=position.name, seat=seat)
        return _Introduction(seat, (act,), seat, (taken,))
    return _Introduction()


def _seat_of(position: Position, poster: str, sent: Sent) -> Seat | None:
    """The seat for which a poster is known to post, or whose player's own address it is."""
    for one in sent.desk.books.society.posters(position.name):
        chair = position.chairs.get(one.seat)
        is_his = chair is not None and chair.address == one.address
        if is_his and (one.place, one.name) == (sent.forum, poster):
            return one.seat
    held = [seat for seat, chair in position.chairs.items() if chair.address == poster]
    return held[0] if len(held) == 1 and _is_vouched(poster, sent) else None


def _is_vouched(poster: str, sent: Sent) -> bool:
    """Whether it is shown that the poster wrote it, beside what the forum says."""
    if sent.letter.sender != poster:
        return False
    parts = sent.letter, sent.kept, sent.desk.books, sent.office
    return authenticate(*parts, also=(sent.address,)) is Grade.PROVED


# What it says.


@dataclass(frozen=True)
class _Post:
    """A post of a seat, in the thread of its game."""

    sent: Sent
    thread: Thread
    position: Position
    seat: Seat
    poster: str
    lines: tuple[FreshLine, ...]


@dataclass(frozen=True)
class _Heard:
    """What comes of what a post says. paragraphs: what its poster is told of it by a notice."""

    acts: tuple[AnyAct, ...] = ()
    answers: tuple[Outgoing, ...] = ()
    paragraphs: tuple[str, ...] = ()
    why: str | None = None


def _heard(post: _Post, hear: Hear, answer: Answer) -> _Heard:
    sent, commands = post.sent, list[Command]()

    def hears(reading: Reading) -> Reading:
        commands.extend(reading.commands)
        return changed(reading, commands=tuple(one for one in reading.commands if one.verb in HEARD))

    case = _case(post)
    acts, transcript = hear(post.lines, case, sent.letter, hears)
    said_too = [one.verb for one in commands]
    counts = any(row.in_force for row in transcript.rows) or not HEARD.isdisjoint(said_too)
    if not transcript.rows and not said_too:
        return _Heard()
    if not post.thread.is_open:
        said = sentence("clerk.posted.by_letter", game=post.position.name)
        return _Heard(paragraphs=(said,), why=sentence("clerk.posted.not_open"))
    if counts and post.thread.customs.posters == "proved" and not _is_proved(post):
        heard = [one.line for one in commands if one.verb in HEARD]
        return _Heard(paragraphs=_asked_back(post, transcript, heard), why=sentence("clerk.posted.unproved"))
    for verb in dict.fromkeys(one for one in said_too if one not in HEARD):
        for_letters = sentence("clerk.posted.for_letters", verb=verb)
        transcript = changed(transcript, notes=(*transcript.notes, for_letters))
    if not counts:
        # Talk keeps no turn waiting, whatever in it looks like an order.
        return _Heard(answers=tuple(answer(case, sent.letter, transcript, ())))
    done = tuple(changed(act, why=IN_THREAD) if isinstance(act, FileOrders) else act for act in acts)
    if post.position.timing.rest is not None:
        stirs = Stir(game=post.position.name, by=post.seat, seat=post.seat, at=sent.kept.received)
        done = (*done, stirs)
    return _Heard(done, tuple(_answers(post, case, transcript, done, answer)))


def _is_proved(post: _Post) -> bool:
    """Whether the forum is one that proves accounts itself, or the post bears its poster's signature."""
    return not post.sent.address or _is_vouched(post.poster, post.sent)


def _case(post: _Post) -> Case:
    sent, position = post.sent, post.position
    return Case(
        game=games.kinds()[position.kind],
        seated=Seated(position, post.seat, "thread"),
        office=sent.office,
        books=sent.desk.books,
        sender=post.poster,
        received=sent.kept.received,
        now=sent.desk.now,
        key=sent.kept.fingerprint,
        allowance=Allowance(),
    )


def _answers(
    post: _Post, case: Case, transcript: Transcript, acts: Sequence[AnyAct], answer: Answer
) -> list[Outgoing]:
    """A post about what is on file, or a letter; where something is wrong, a letter whatever is agreed."""
    shown = _shown(post, acts) if post.thread.customs.answers == "post" else None
    plain = not (transcript.problems or transcript.notes or transcript.rests)
    letters = [] if shown is not None and plain else answer(case, post.sent.letter, transcript, acts)
    return [*letters, *([shown] if shown is not None else [])]


def _shown(post: _Post, acts: Sequence[AnyAct]) -> Outgoing | None:
    """The post that shows what the seat has on file now; None: nothing new, or there were enough."""
    filed = next((act for act in acts if isinstance(act, FileOrders)), None)
    position, game, sent = post.position, games.kinds()[post.position.kind], post.sent
    keys = (in_forum.filed_key(position, post.seat, number) for number in range(1, MOST_POSTS + 1))
    key = next((one for one in keys if not sent.desk.books.has_written(f"{one}/forum")), None)
    if filed is None or key is None:
        return None
    items = unpacked(game.order_type, filed.orders)
    here = [one for one in present(game, position.state, items) if order_of(one) is not None]
    what = OnFile(
        post.seat,
        game.rules.turn(position.state),
        tuple(written(game, one) for one in here),
        missing(game, position.state, items, post.seat),
    )
    house = posts.House(sent.office.name, sent.office.address, sent.office.zone)
    news = in_forum.filed(post.thread, what, key, house, sent.desk.now)
    return in_forum.posted(news, post.thread, house, sent.letter.message_id or None)


def _asked_back(post: _Post, transcript: Transcript, commands: Sequence[str]) -> tuple[str, ...]:
    """Return what the player is told in whose name something was posted that nothing vouches for."""
    rows = "\n".join(f"| {line}" for line in (*(row.line for row in transcript.rows), *commands))
    said = sentence("clerk.posted.ask_back", poster=post.poster, game=post.position.name)
    return (said, rows, sentence("clerk.posted.send_back"))


def _letter(position: Position, seat: Seat, sent: Sent, paragraphs: tuple[str, ...]) -> Outgoing:
    chair = position.chairs[seat]
    reader = reader_of(position, chair, chair.address or "", sent.desk.books, sent.office)
    key = f"letter/{sent.kept.fingerprint}/{seat}/thread"
    return notice(reader, Heading(key, sentence("clerk.posted.subject"), replies=True), paragraphs)


def _leaked(sent: Sent) -> tuple[Rekey, ...]:
    """What follows where a post holds reply tokens: all read them there, so all are void."""
    letter = sent.letter
    texts = [letter.subject, *letter.thread, *(part.text for part in letter.parts)]
    if not may_show(texts, set()):
        return ()
    books, why = sent.desk.books, sentence("clerk.posted.token")
    shown = keys_named(texts, books, sent.office, sent.games).shown_in(*texts)
    return tuple(Rekey(game=one.game, by=BY, why=why, seat=one.seat, seen=one.generation) for one in shown)
