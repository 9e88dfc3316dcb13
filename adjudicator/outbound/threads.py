"""Threads of games in forums: posts beside reports, and letters about the thread."""

from collections.abc import Sequence
from dataclasses import dataclass

import games
from adjudicator.clock import Millis, format_instant
from adjudicator.inbound.forum_posts import REASON_POSTED
from adjudicator.messages import sentence
from adjudicator.model.filed_orders import order_of, unpack_items, write_item
from adjudicator.model.game_acts import FileOrders
from adjudicator.model.games import GamePosition
from adjudicator.model.mail import OutgoingMessage
from adjudicator.model.orders_on_file import present_items
from adjudicator.model.people import GamePolicy
from adjudicator.outbound.composer import ReportComposer
from adjudicator.reports import in_forum, posts
from adjudicator.reports.in_forum import MAX_ORDER_POSTS_PER_TURN, GameThread, ThreadOrders
from adjudicator.reports.messages import Heading, notice
from adjudicator.reports.order_sheet import missing
from adjudicator.reports.posts import ChannelNews


@dataclass(frozen=True)
class ThreadWriter:
    """Writes in the threads of games that are played in forums. Without a thread nothing is made."""

    writer: ReportComposer
    now: Millis

    def open_thread(self, position: GamePosition, customs: GamePolicy | None = None) -> list[OutgoingMessage]:
        """Return the post with which a game's thread begins.

        customs: where they are not in the database yet.
        """
        thread = self.writer.thread(position, customs)
        if thread is None:
            return []
        return [
            self._seal_post(
                thread,
                in_forum.opening_post(thread, self._describe_state(position), self._service_info, self.now),
            )
        ]

    def move_thread(self, position: GamePosition, customs: GamePolicy) -> list[OutgoingMessage]:
        """Begin a running game's new thread, or its new terms, and tell all players."""
        thread = self.writer.thread(position, customs)
        if thread is None:
            return []
        letters = [
            notice(
                self.writer.reader(position, chair),
                Heading(
                    f"{position.name}/thread/{in_forum.digest_of(thread)}/{chair.seat}/{chair.generation}",
                    sentence("secretary.threads.subject", game=position.name),
                ),
                self.writer.thread_paragraphs(thread, chair),
            )
            for chair in position.chairs.values()
            if chair.is_person
        ]
        return [
            *self.open_thread(position, customs),
            *(self.writer.seal(draft, self.now) for draft in letters),
        ]

    def announce_orders(self, act: FileOrders) -> list[OutgoingMessage]:
        """Announce in the thread that orders came in a letter, or what they are."""
        # Of every letter: a game without a thread costs no more than one short question.
        customs = self.writer.books.people.policy(act.game)
        position = (
            self.writer.books.position(act.game) if customs.forum and act.why != REASON_POSTED else None
        )
        thread = self.writer.thread(position, customs) if position and position.is_running else None
        if position is None or thread is None:
            return []
        game = games.kinds()[position.kind]
        turn = game.rules.turn(position.state)
        items = unpack_items(game.order_type, act.orders)
        lacks = missing(game, position.state, items, act.seat)
        due = any(due_entry.seat == act.seat for due_entry in game.rules.due(position.state))
        if turn.short != act.turn or not due:
            return []
        if thread.is_open:
            here = [item for item in present_items(game, position.state, items) if order_of(item) is not None]
            orders = tuple(write_item(game, item) for item in here)
            what = ThreadOrders(act.seat, turn, orders, lacks, by_letter=True)
            key = self._next_key(position, what)
            return (
                [
                    self._seal_post(
                        thread, in_forum.orders_filed_post(thread, what, key, self._service_info, self.now)
                    )
                ]
                if key
                else []
            )
        is_announced = self.writer.books.has_written(f"{in_forum.orders_sent_key(position, act.seat)}/forum")
        if lacks or is_announced:
            return []
        return [
            self._seal_post(
                thread,
                in_forum.orders_sent_post(thread, position, act.seat, turn, self._service_info, self.now),
            )
        ]

    def _next_key(self, position: GamePosition, what: ThreadOrders) -> str | None:
        """Return the key of the next post with a seat's saved orders; None: there are enough this turn."""
        keys = (
            in_forum.orders_filed_key(position, what.seat, number)
            for number in range(1, MAX_ORDER_POSTS_PER_TURN + 1)
        )
        return next(
            (candidate for candidate in keys if not self.writer.books.has_written(f"{candidate}/forum")), None
        )

    def _describe_state(self, position: GamePosition) -> Sequence[str]:
        if not position.is_running:
            return ()
        turn = games.kinds()[position.kind].rules.turn(position.state)
        people = sum(chair.is_person for chair in position.chairs.values())
        # While nobody sits in it yet its deadline is not that of whoever will.
        at = position.deadline if people else None
        deadline = None if at is None else format_instant(at, self._service_info.zone)
        bots = len(position.chairs) - people
        return (
            sentence("reports.posts.begun", people=people, bots=bots),
            sentence("reports.posts.next", turn=turn.name, deadline=deadline),
        )

    @property
    def _service_info(self) -> posts.ServiceIdentity:
        return self.writer.service_info

    def _seal_post(self, thread: GameThread, news: ChannelNews) -> OutgoingMessage:
        return self.writer.seal(in_forum.address_to_thread(news, thread, self._service_info), self.now)
