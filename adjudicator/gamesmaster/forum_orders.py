"""Orders in a forum, filed as if each author had mailed them now: `gm orders read`."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import games
from adjudicator.clerk.error_flag import Said, lines_told
from adjudicator.clerk.filing import Filed, file_orders
from adjudicator.clerk.forum_threads import Post, by_seat, posts_of
from adjudicator.clerk.identity import Seated
from adjudicator.clerk.over_allowance import told_over_allowance
from adjudicator.clerk.parse_contexts import parse_context
from adjudicator.clock import Millis
from adjudicator.errors import Overtaken, Refusal
from adjudicator.house import House
from adjudicator.ledger.filed_orders import packed
from adjudicator.ledger.game_acts import FileOrders
from adjudicator.ledger.letters import Outgoing
from adjudicator.ledger.overdue import overdue
from adjudicator.ledger.positions import Position
from adjudicator.ledger.solitude import is_solo
from adjudicator.referee.errands import otherwise
from adjudicator.reports.messages import verdict
from adjudicator.reports.reader import reader_of
from adjudicator.reports.sheet import held_up, missing, on_file, sheet_lines
from adjudicator.reports.times import standing
from adjudicator.reports.transcript import Transcript
from adjudicator.store import acts
from games.protocol import Seat
from orders.letters.body import FreshLine
from orders.parsing.reading import Reading, read

FOR_LETTERS = "{verb} is for letters: nothing came of it here."


@dataclass(frozen=True)
class Heard:
    """What a seat's posts came to: its orders filed, and the answer that its player would get by mail."""

    seat: Seat
    filed: Filed
    answer: Outgoing
    act: FileOrders | None


@dataclass(frozen=True)
class Thread:
    """A thread as it was read: what was heard of each seat, and the posts that were nobody's."""

    heard: tuple[Heard, ...]
    unknown: tuple[Post, ...]


def read_thread(
    house: House, position: Position, text: str, authors: Mapping[str, Seat], seat: Seat | None = None
) -> Thread:
    """Read a thread in which a line ``author:`` begins a post. Nothing is filed yet.

    authors: further names, beside those of the seats. seat: all of it is that seat's, whatever stands there.
    Raises Refusal where nobody's post is in it, or a seat of it is a bot's.
    """
    if not position.running:
        raise Refusal(f"game {position.name}", "the game is over, or has not begun")
    whole = Post(seat or "", seat, 1, tuple(text.splitlines()))
    posts = (whole,) if seat else posts_of(text, {**_names(position), **authors})
    lines = by_seat(posts)
    if not lines:
        seats = ", ".join(position.chairs)
        raise Refusal(
            "the thread",
            "no line of it begins a post of somebody in the game",
            f"write  NAME:  above what each wrote ({seats}), or name an author by  --who NAME=SEAT",
        )
    now = house.clock.now()
    heard = tuple(_hear(house, position, at, some, now) for at, some in lines.items())
    return Thread(heard, tuple(post for post in posts if post.seat is None))


def file_thread(house: House, thread: Thread, mail: bool) -> None:
    """File what was heard, all or nothing. mail: each player gets his answer as a letter too.

    Raises Refusal where the turn was played meanwhile.
    """
    now = house.clock.now()
    sealed = [house.writer.seal(one.answer, now) for one in thread.heard] if mail else []
    try:
        with house.database.session():
            acts.perform(house.database, [one.act for one in thread.heard if one.act], sealed, now)
    except Overtaken as fault:
        raise Refusal("the thread", "the turn was played meanwhile", "read it again") from fault


def _names(position: Position) -> dict[str, Seat]:
    return {str(seat): seat for seat in position.chairs}


def _hear(house: House, position: Position, seat: Seat, lines: Sequence[str], now: Millis) -> Heard:
    chair = position.chairs[seat]
    if chair.address is None:
        raise Refusal(
            f"seat {seat}",
            "is played by its bot, so nobody's orders are filed for it",
            f"gm seat assign {position.name} {seat.lower()} ADDRESS",
        )
    game, before = games.kinds()[position.kind], position.filed.get(seat, ())
    seated = Seated(position, seat, "gm")
    reading = read([FreshLine(text=line) for line in lines], parse_context(game, seated, house.books))
    said = Said(beyond=reading.beyond)
    filed = file_orders(game, seated, reading.orders, before, now, said=said)
    act = FileOrders(
        game=position.name,
        by=house.hand,
        why="read in a forum",
        seat=seat,
        turn=game.rules.turn(position.state).short,
        orders=packed(filed.everything),
    )
    told = _transcript(position, seat, filed, reading, "\n".join(lines), now)
    reader = reader_of(position, chair, chair.address, house.books, house.office)
    return Heard(seat, filed, verdict(game, told, reader), act if filed.everything != before else None)


def _transcript(
    position: Position, seat: Seat, filed: Filed, reading: Reading, text: str, now: Millis
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
            *told_over_allowance(reading),
            *(FOR_LETTERS.format(verb=one.verb) for one in reading.commands),
            *filed.notes,
            *((standing(stop),) if stop is not None else ()),
        ),
        on_file=on_file(
            game, state, filed.everything, seat, position.filed.get(seat, ()), lines_told(filed.rows)
        ),
        missing=missing(game, state, orders, seat),
        held_up=tuple(one for one in held_up(game, state, orders, seat) if not one.untaken),
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
