"""Orders in a forum, filed as if each author had mailed them now: `gm orders read`."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import games
from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.clock import Millis
from adjudicator.errors import Refusal, WriteConflict
from adjudicator.inbound.error_flag import LetterRemarks, lines_told
from adjudicator.inbound.filing import FilingResult, file_orders
from adjudicator.inbound.forum_threads import ThreadPost, lines_by_seat, split_posts
from adjudicator.inbound.over_allowance import explain_over_allowance
from adjudicator.inbound.parse_contexts import parse_context
from adjudicator.model.filed_orders import pack_items
from adjudicator.model.game_acts import FileOrders
from adjudicator.model.games import GamePosition
from adjudicator.model.mail import LetterDraft
from adjudicator.model.overdue import overdue
from adjudicator.model.solo_games import is_solo
from adjudicator.reports.messages import verdict
from adjudicator.reports.order_sheet import held_up, missing, saved_orders, sheet_lines
from adjudicator.reports.reader import reader_of
from adjudicator.reports.times import why_no_deadline
from adjudicator.reports.verdict import Transcript
from adjudicator.service import Service
from adjudicator.storage import acts
from adjudicator.turns.due_actions import otherwise
from games.protocol import Seat
from orders.mail.body import FreshLine
from orders.reading.letter_reader import LetterReading, read_lines

COMMAND_IN_FORUM = "{verb} is for letters: nothing came of it here."


@dataclass(frozen=True)
class SeatPosts:
    """A seat's posts as they were read: its orders, and the reply that its player would get by mail."""

    seat: Seat
    filed: FilingResult
    answer: LetterDraft
    act: FileOrders | None


@dataclass(frozen=True)
class ReadThread:
    """A thread as it was read: what was heard of each seat, and the posts that were nobody's."""

    heard: tuple[SeatPosts, ...]
    unknown: tuple[ThreadPost, ...]


def read_thread(
    house: Service, position: GamePosition, text: str, authors: Mapping[str, Seat], seat: Seat | None = None
) -> ReadThread:
    """Read a thread in which a line ``author:`` begins a post. Nothing is filed yet.

    authors: further names, beside those of the seats. seat: all of it is that seat's, whatever stands there.
    Raises Refusal where nobody's post is in it, or a seat of it is a bot's.
    """
    if not position.is_running:
        raise Refusal(f"game {position.name}", "the game is over, or has not begun")
    whole = ThreadPost(seat or "", seat, 1, tuple(text.splitlines()))
    posts = (whole,) if seat else split_posts(text, {**_names(position), **authors})
    lines = lines_by_seat(posts)
    if not lines:
        seats = ", ".join(position.chairs)
        raise Refusal(
            "the thread",
            "no line of it begins a post of somebody in the game",
            f"write  NAME:  above what each wrote ({seats}), or name an author by  --who NAME=SEAT",
        )
    now = house.clock.now()
    heard = tuple(_read_seat_posts(house, position, at, some, now) for at, some in lines.items())
    return ReadThread(heard, tuple(post for post in posts if post.seat is None))


def file_thread(house: Service, thread: ReadThread, mail: bool) -> None:
    """File the orders that were read, all or nothing. mail: each player gets the reply as a letter too.

    Raises Refusal where the turn was played meanwhile.
    """
    now = house.clock.now()
    sealed = [house.composer.seal(posts.answer, now) for posts in thread.heard] if mail else []
    try:
        with house.database.session():
            acts.perform(house.database, [posts.act for posts in thread.heard if posts.act], sealed, now)
    except WriteConflict as fault:
        raise Refusal("the thread", "the turn was played meanwhile", "read it again") from fault


def _names(position: GamePosition) -> dict[str, Seat]:
    return {str(seat): seat for seat in position.chairs}


def _read_seat_posts(
    house: Service, position: GamePosition, seat: Seat, lines: Sequence[str], now: Millis
) -> SeatPosts:
    chair = position.chairs[seat]
    if chair.address is None:
        raise Refusal(
            f"seat {seat}",
            "is played by its bot, so nobody's orders are filed for it",
            f"gm seat assign {position.name} {seat.lower()} ADDRESS",
        )
    game, before = games.kinds()[position.kind], position.filed.get(seat, ())
    seated = AuthenticatedSeat(position, seat, "gm")
    reading = read_lines([FreshLine(text=line) for line in lines], parse_context(game, seated, house.books))
    allowance = LetterRemarks(beyond=reading.beyond)
    filed = file_orders(game, seated, reading.orders, before, now, remarks=allowance)
    act = FileOrders(
        game=position.name,
        by=house.hand,
        why="read in a forum",
        seat=seat,
        turn=game.rules.turn(position.state).short,
        orders=pack_items(filed.everything),
    )
    transcript = _transcript(position, seat, filed, reading, "\n".join(lines), now)
    reader = reader_of(position, chair, chair.address, house.books, house.office)
    return SeatPosts(
        seat, filed, verdict(game, transcript, reader), act if filed.everything != before else None
    )


def _transcript(
    position: GamePosition, seat: Seat, filed: FilingResult, reading: LetterReading, text: str, now: Millis
) -> Transcript:
    game, chair = games.kinds()[position.kind], position.chairs[seat]
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
        wait=chair.wait,
        ready=chair.ready,
        owes=any(due.seat == seat for due in game.rules.due(state)),
        flagged=filed.is_flagged,
        left_out=filed.left_out,
        otherwise=otherwise(game, replace(position, filed={**position.filed, seat: orders}), seat, now),
        sheet=sheet_lines(game, state, game.rules.due(state), orders, seat),
    )
