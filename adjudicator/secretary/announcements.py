"""Announcements: what channels are told beside the reports of turns."""

from dataclasses import dataclass

import games
from adjudicator.clerk.keys import keys_of
from adjudicator.clock import Millis
from adjudicator.ledger.letters import Sealed
from adjudicator.ledger.people_acts import OfferSeat, SendPress
from adjudicator.ledger.positions import Position
from adjudicator.ledger.posts import What
from adjudicator.ledger.society import Customs, Offer
from adjudicator.reports import posts
from adjudicator.reports.in_forum import posted
from adjudicator.reports.picture import Drawing
from adjudicator.reports.posts import News
from adjudicator.reports.report import opening
from adjudicator.secretary.threads import Threads
from adjudicator.secretary.writing import Writer, map_for
from games.dice import commitment
from games.record import changed


@dataclass(frozen=True)
class Announcer:
    """Writes for all channels what anybody may know. Where nobody is told, nothing is made."""

    writer: Writer
    now: Millis

    def begun(self, position: Position, customs: Customs | None = None) -> list[Sealed]:
        """A game begins. position: as it stands then; customs: where they are not on the books yet."""
        thread = Threads(self.writer, self.now).opened(position, customs)
        if not self.writer.channels(position.name, "begun", customs=customs):
            return thread
        game = games.kinds()[position.kind]
        report = opening(game, position, None, commitment=commitment(position.secret))
        people = sum(chair.is_person for chair in position.chairs.values())
        # While nobody sits in it yet its deadline is not that of whoever will.
        report = report if people else changed(report, deadline=None)
        drawn = self._map(position, "begun")
        begun = posts.begun(game, report, people, drawn, self._house, self.now)
        return [*thread, *self.writer.posted(begun, self.now, "begun", customs=customs)]

    def ended(self, position: Position) -> list[Sealed]:
        """A game ends without its rules. position: as it is then, with what was agreed."""
        thread = self.writer.thread(position)
        if not thread and not self.writer.channels(position.name, "ended"):
            return []
        game, drawn = games.kinds()[position.kind], self._map(position, "ended")
        stands = opening(game, position, None, commitment=commitment(position.secret))
        report = changed(stands, turn=None, deadline=None, result=position.agreed)
        news = posts.ended(game, report, drawn, self._house, self.now)
        there = [self.writer.seal(posted(news, thread, self._house), self.now)] if thread else []
        return [*there, *self._posted(news)]

    def due(self, position: Position) -> list[Sealed]:
        """A deadline is near."""
        if position.deadline is None or not self.writer.channels(position.name, "due"):
            return []
        game = games.kinds()[position.kind]
        return self._posted(posts.due(game, position, position.deadline, self._house, self.now))

    def wanted(self, offer: Offer) -> list[Sealed]:
        """A game waits for people."""
        if not self.writer.channels(offer.name, "wanted"):
            return []
        return self._posted(posts.wanted(games.kinds()[offer.kind], offer, self._house, self.now))

    def vacant(self, position: Position, act: OfferSeat) -> list[Sealed]:
        """A seat falls free."""
        if not self.writer.channels(position.name, "wanted"):
            return []
        game = games.kinds()[position.kind]
        return self._posted(posts.vacant(game, position, act.seat, act.at, self._house, self.now))

    def spoke(self, position: Position, act: SendPress) -> list[Sealed]:
        """Press to all; other press is nobody's business."""
        if act.press.to is not None or not self.writer.channels(position.name, "press"):
            return []
        keys = keys_of(position.name, self.writer.books, self.writer.office)
        press = changed(act.press, text=keys.redacted(act.press.text))
        game = games.kinds()[position.kind]
        return self._posted(posts.spoke(game, position, press, act.key, self._house, self.now))

    @property
    def _house(self) -> posts.House:
        return self.writer.of_house

    def _posted(self, news: News) -> list[Sealed]:
        what = news.post.what
        assert what != "test", "trials go to one place"
        assert what != "thread", "a thread is one place"
        return self.writer.posted(news, self.now, what)

    def _map(self, position: Position, what: What) -> Drawing | None:
        thread = self.writer.thread(position)
        channels = (*self.writer.channels(position.name, what), *([thread.channel] if thread else ()))
        if not any(one.map for one in channels):
            return None
        game = games.kinds()[position.kind]
        return map_for(game, position.state, (), None)
