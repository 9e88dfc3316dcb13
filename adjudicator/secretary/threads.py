"""Threads of games in forums: what is posted there beside reports, and letters about them."""

from collections.abc import Sequence
from dataclasses import dataclass

import games
from adjudicator.catalogue import sentence
from adjudicator.clerk.posted import IN_THREAD
from adjudicator.clock import Millis, spoken
from adjudicator.ledger.filed_orders import order_of, unpacked, written
from adjudicator.ledger.game_acts import FileOrders
from adjudicator.ledger.letters import Sealed
from adjudicator.ledger.orders_in_force import present
from adjudicator.ledger.positions import Position
from adjudicator.ledger.society import Customs
from adjudicator.reports import in_forum, posts
from adjudicator.reports.in_forum import MOST_POSTS, OnFile, Thread
from adjudicator.reports.messages import Heading, notice
from adjudicator.reports.posts import News
from adjudicator.reports.sheet import missing
from adjudicator.secretary.writing import Writer


@dataclass(frozen=True)
class Threads:
    """Writes in the threads of games that are played in forums. Where there is none nothing is made."""

    writer: Writer
    now: Millis

    def opened(self, position: Position, customs: Customs | None = None) -> list[Sealed]:
        """The post with which a game's thread begins. customs: where they are not on the books yet."""
        thread = self.writer.thread(position, customs)
        if thread is None:
            return []
        return [
            self._posted(thread, in_forum.beginning(thread, self._stands(position), self._house, self.now))
        ]

    def moved(self, position: Position, customs: Customs) -> list[Sealed]:
        """A running game is played in another thread from now on, or otherwise: that begins, all are told."""
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
                self.writer.told_of_thread(thread, chair),
            )
            for chair in position.chairs.values()
            if chair.is_person
        ]
        return [*self.opened(position, customs), *(self.writer.seal(one, self.now) for one in letters)]

    def filed(self, act: FileOrders) -> list[Sealed]:
        """Orders were filed that came in a letter: the thread is told that they did, or what they are."""
        # Of every letter: a game without a thread costs no more than one short question.
        customs = self.writer.books.society.customs(act.game)
        position = self.writer.books.position(act.game) if customs.forum and act.why != IN_THREAD else None
        thread = self.writer.thread(position, customs) if position and position.running else None
        if position is None or thread is None:
            return []
        game = games.kinds()[position.kind]
        turn = game.rules.turn(position.state)
        items = unpacked(game.order_type, act.orders)
        lacks = missing(game, position.state, items, act.seat)
        due = any(one.seat == act.seat for one in game.rules.due(position.state))
        if turn.short != act.turn or not due:
            return []
        if thread.is_open:
            here = [one for one in present(game, position.state, items) if order_of(one) is not None]
            orders = tuple(written(game, one) for one in here)
            what = OnFile(act.seat, turn, orders, lacks, by_letter=True)
            key = self._next_key(position, what)
            return (
                [self._posted(thread, in_forum.filed(thread, what, key, self._house, self.now))]
                if key
                else []
            )
        told = self.writer.books.has_written(f"{in_forum.sent_key(position, act.seat)}/forum")
        if lacks or told:
            return []
        return [self._posted(thread, in_forum.sent(thread, position, act.seat, turn, self._house, self.now))]

    def _next_key(self, position: Position, what: OnFile) -> str | None:
        """What names the next post that shows what a seat has on file; None: there are enough this turn."""
        keys = (in_forum.filed_key(position, what.seat, number) for number in range(1, MOST_POSTS + 1))
        return next((one for one in keys if not self.writer.books.has_written(f"{one}/forum")), None)

    def _stands(self, position: Position) -> Sequence[str]:
        if not position.running:
            return ()
        turn = games.kinds()[position.kind].rules.turn(position.state)
        people = sum(chair.is_person for chair in position.chairs.values())
        # While nobody sits in it yet its deadline is not that of whoever will.
        at = position.deadline if people else None
        said = None if at is None else spoken(at, self._house.zone)
        bots = len(position.chairs) - people
        return (
            sentence("reports.posts.begun", people=people, bots=bots),
            sentence("reports.posts.next", turn=turn.name, deadline=said),
        )

    @property
    def _house(self) -> posts.House:
        return self.writer.of_house

    def _posted(self, thread: Thread, news: News) -> Sealed:
        return self.writer.seal(in_forum.posted(news, thread, self._house), self.now)
