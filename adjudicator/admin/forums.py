"""Orders in a forum, saved as if each author had mailed them now: `gm orders read`."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from adjudicator.admin.lookup import position_of, seat_of
from adjudicator.auth.correspondents import forum_address, poster_word
from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.clock import Millis
from adjudicator.context import ServiceContext
from adjudicator.errors import Refusal, WriteConflict
from adjudicator.inbound.filing import (
    FilingResult,
    LetterRemarks,
    explain_over_allowance,
    file_orders,
    lines_told,
)
from adjudicator.inbound.forum_posts import ThreadPost, lines_by_seat, split_posts
from adjudicator.inbound.parse_contexts import parse_context
from adjudicator.model.addresses import is_own, valid_address
from adjudicator.model.deadline_status import is_solo, overdue
from adjudicator.model.games import AnyAct, FileOrders, GamePosition
from adjudicator.model.mail import LetterDraft
from adjudicator.model.orders_on_file import is_flagged, pack_items
from adjudicator.model.people import ForgetPoster, GamePolicy, KnowPoster, Poster
from adjudicator.reports.messages import reader_of, verdict
from adjudicator.reports.order_sheet import held_up, missing, saved_orders, sheet_lines
from adjudicator.reports.posts import GameThread, forum_channel, thread_of
from adjudicator.reports.times import why_no_deadline
from adjudicator.reports.verdict import Transcript
from adjudicator.service import Service
from adjudicator.storage import stored_games
from adjudicator.storage.stored_games import Minute
from adjudicator.turns.due_actions import otherwise
from games.protocol import Game, Seat
from orders.mail.body import FreshLine
from orders.reading.letter_reader import LetterReading, read_lines

COMMAND_IN_FORUM = "{verb} works only by email, so it did nothing here."


@dataclass(frozen=True)
class SeatPosts:
    """A seat's posts after reading: its orders, and the reply that its player would get by email."""

    seat: Seat
    filed: FilingResult
    answer: LetterDraft
    act: FileOrders | None


@dataclass(frozen=True)
class ReadThread:
    """A thread after reading: the result for each seat, and the posts without a known author."""

    by_seat: tuple[SeatPosts, ...]
    unknown: tuple[ThreadPost, ...]


def read_thread(
    service: Service, position: GamePosition, text: str, authors: Mapping[str, Seat], seat: Seat | None = None
) -> ReadThread:
    """Read a thread whose posts each begin with a line ``author:``. Saves nothing yet.

    authors: names for authors, in addition to the seats' names. seat: the author of the whole thread,
    regardless of such lines. Raises Refusal if the thread contains no player's post, or if one of its seats
    is a bot's.
    """
    if not position.is_running:
        raise Refusal(f"Can't read posts for game {position.name}", "it is over or hasn't begun")
    whole = ThreadPost(seat or "", seat, 1, tuple(text.splitlines()))
    seats_by_name = {str(seat_known): seat_known for seat_known in position.assignments}
    posts = (whole,) if seat else split_posts(text, {**seats_by_name, **authors})
    lines = lines_by_seat(posts)
    if not lines:
        seats = ", ".join(position.assignments)
        raise Refusal(
            "No posts found in the thread",
            "no line names a player of the game",
            f"Write NAME: above each post ({seats}), or match an author to a seat with --who NAME=SEAT",
        )
    now = service.clock.now()
    by_seat = tuple(_read_seat_posts(service, position, at, some, now) for at, some in lines.items())
    return ReadThread(by_seat, tuple(post for post in posts if post.seat is None))


def file_thread(service: Service, thread: ReadThread, mail: bool) -> None:
    """Save the orders of a thread, all or nothing. mail: also send each player the reply by email.

    Raises Refusal if the turn has run since the thread was read.
    """
    now = service.clock.now()
    sealed = [service.composer.seal(posts.answer, now) for posts in thread.by_seat] if mail else []
    try:
        with service.database.session():
            stored_games.perform(
                service.database, [posts.act for posts in thread.by_seat if posts.act], sealed, now
            )
    except WriteConflict as fault:
        raise Refusal(
            "Can't save the orders from the thread", "the turn ran meanwhile", "Read the thread again"
        ) from fault


def _read_seat_posts(
    service: Service, position: GamePosition, seat: Seat, lines: Sequence[str], now: Millis
) -> SeatPosts:
    assignment = position.assignments[seat]
    if assignment.address is None:
        raise Refusal(
            f"Can't save orders for {seat}",
            "a bot plays it",
            f'Use "gm seat assign {position.name} {seat.lower()} ADDRESS" to give it to a player',
        )
    game, before = position.game, position.filed.get(seat, ())
    seated = AuthenticatedSeat(position, seat, "gm")
    reading = read_lines(
        [FreshLine(text=line) for line in lines], parse_context(game, seated, service.repository)
    )
    allowance = LetterRemarks(beyond=reading.beyond)
    filed = file_orders(game, seated, reading.orders, before, now, remarks=allowance)
    act = FileOrders(
        game=position.name,
        by=service.actor,
        why="read in a forum",
        seat=seat,
        turn=game.rules.turn(position.state).short,
        orders=pack_items(filed.everything),
    )
    transcript = _transcript(position, seat, filed, reading, "\n".join(lines), now)
    reader = reader_of(position, assignment, assignment.address, service.repository, service.service_context)
    return SeatPosts(
        seat, filed, verdict(game, transcript, reader), act if filed.everything != before else None
    )


def _transcript(
    position: GamePosition, seat: Seat, filed: FilingResult, reading: LetterReading, text: str, now: Millis
) -> Transcript:
    game, assignment = position.game, position.assignments[seat]
    alone, stop = is_solo(position), position.timing.stop
    state, orders = position.state, filed.orders
    mark = hashlib.sha256(f"{position.name}/{position.rev}/{seat}/{text}".encode()).hexdigest()
    return Transcript(
        fingerprint=f"forum/{mark}",
        subject="Your post",
        rows=filed.rows,
        notes=(
            *explain_over_allowance(reading),
            *(COMMAND_IN_FORUM.format(verb=command.verb) for command in reading.commands),
            *filed.notes,
            *((why_no_deadline(stop),) if stop is not None else ()),
        ),
        on_file=saved_orders(
            game, state, filed.everything, seat, position.filed.get(seat, ()), lines_told(filed.rows)
        ),
        missing=missing(game, state, orders, seat),
        held_up=tuple(order for order in held_up(game, state, orders, seat) if not order.untaken),
        turn=game.rules.turn(state),
        deadline=None if alone else position.deadline,
        overdue=overdue(position, now),
        stopped=stop is not None,
        early=(position.early or alone) and stop is None,
        alone=alone,
        wait=assignment.wait,
        ready=assignment.ready,
        owes=any(due.seat == seat for due in game.rules.due(state)),
        flagged=is_flagged(filed.everything),
        left_out=filed.left_out,
        otherwise=otherwise(game, replace(position, filed={**position.filed, seat: orders}), seat, now),
        sheet=sheet_lines(game, state, game.rules.due(state), orders, seat),
    )


# The GM's actions on a game's forum.


FORUM_CHANNEL_KINDS = frozenset({"address", "discourse"})
"""The kinds of channels that can send posts back to us."""


def check(service_context: ServiceContext, game: Game, customs: GamePolicy) -> None:
    """Check that a game can be played in the forum of its settings. Raises Refusal."""
    forum = customs.forum
    if not forum:
        return
    channel = forum_channel(forum, service_context)
    if channel is None:
        raise Refusal(
            f"forum={forum}",
            f'gm.toml has no channel called "{forum}"',
            f'Add [[channel]] with name = "{forum}" there, or give the address of a mailing list',
        )
    if channel.kind not in FORUM_CHANNEL_KINDS:
        why = f"no posts come back from a channel of kind {channel.kind}"
        raise Refusal(
            f"forum={forum}", why, 'Use a channel with kind = "address", or the address of a mailing list'
        )
    if is_own(channel.address, service_context.address):
        raise Refusal(
            f"forum={forum}", "that is the service's own address", "Give the address of the mailing list"
        )
    if customs.orders == "open" and game.about.hidden:
        why = "open orders would reveal secrets"
        raise Refusal("orders=open", f"{why} in {game.about.title}", "Leave it at orders=sent")
    if customs.orders == "open" and customs.anonymous:
        why = "open orders show who plays which seat, but the game is anonymous"
        raise Refusal("orders=open", why, "Leave it at orders=sent, or set anonymous=no")


@dataclass(frozen=True)
class ForumLink:
    """A game's thread.

    subscribed: our address for the forum's posts. words: by seat, the text that its player can
    post to identify themselves.
    """

    thread: GameThread
    subscribed: str
    posters: tuple[Poster, ...]
    words: dict[Seat, str]


def forum_link(service: Service, name: str) -> ForumLink:
    """Return the thread of a game. Raises Refusal if it has none."""
    position = position_of(service, name)
    game, customs = position.game, service.repository.people.policy(name)
    thread = thread_of(name, game, customs, service.service_context)
    if thread is None:
        raise Refusal(
            f"Game {name} isn't played in a forum",
            "no forum is set",
            f'Use "gm game terms {name} forum=turns@lists.example.org" to start a thread there',
        )
    forum, key = thread.customs.forum, service.service_context.key
    known = service.repository.people.posters(name)
    used = {poster.seat: poster.used for poster in known}
    words = {
        seat: poster_word(key, name, seat, assignment.address, used.get(seat, 0))
        for seat, assignment in position.assignments.items()
        if assignment.address is not None
    }
    here = tuple(
        poster
        for poster in known
        if poster.name
        and poster.place == forum
        and poster.address == position.assignments[poster.seat].address
    )
    return ForumLink(thread, forum_address(key, service.service_context.address, forum), here, words)


def set_poster(service: Service, name: str, seat: str, poster: str, why: str) -> Poster:
    """Set by hand which poster plays a seat."""
    link = forum_link(service, name)
    position = position_of(service, name)
    at = seat_of(position, seat)
    address = position.assignments[at].address
    if address is None:
        raise Refusal(f"Can't link a poster to {at}", "a bot plays it and posts nothing")
    named = valid_address(poster)
    if (
        named is None
        or is_own(named, service.service_context.address)
        or named == link.thread.channel.address
    ):
        raise Refusal(
            f"Can't link {poster}", "no player has this address", "Give the address that they post from"
        )
    before = next(
        (poster_known for poster_known in service.repository.people.posters(name) if poster_known.seat == at),
        None,
    )
    used = before.used if before else 0
    now = service.clock.now()
    forum = link.thread.customs.forum
    new_poster = Poster(seat=at, address=address, place=forum, name=named, used=used + 1, since=now)
    _do(
        service,
        name,
        KnowPoster(by=service.actor, why=why, game=name, poster=new_poster, before=used),
        f"{at}: poster",
        why,
    )
    return new_poster


def forget_poster(service: Service, name: str, seat: str, why: str) -> None:
    """Remove the poster of a seat, until its player identifies themselves again."""
    at = seat_of(position_of(service, name), seat)
    if not any(poster.seat == at for poster in forum_link(service, name).posters):
        raise Refusal(
            f"Nothing to forget for {at}",
            "it isn't linked to a poster",
            f'Use "gm forum show {name}" to see who is',
        )
    _do(
        service,
        name,
        ForgetPoster(by=service.actor, why=why, game=name, seat=at),
        f"{at}: poster forgotten",
        why,
    )


def _do(service: Service, name: str, act: AnyAct, what: str, why: str) -> None:
    now = service.clock.now()
    with service.database.writing():
        stored_games.perform(service.database, [act], (), now)
        stored_games.note(service.database, Minute(game=name, at=now, by=service.actor, what=what, why=why))
