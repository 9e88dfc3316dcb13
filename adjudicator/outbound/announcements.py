"""Announcements: posts to channels beside the reports of turns."""

from dataclasses import dataclass

import games
from adjudicator.auth.reply_tokens import reply_tokens_of_game
from adjudicator.clock import Millis
from adjudicator.model.channel_posts import PostReason
from adjudicator.model.games import GamePosition
from adjudicator.model.mail import OutgoingMessage
from adjudicator.model.people import GameOffer, GamePolicy
from adjudicator.model.people_acts import OfferSeat, SendPress
from adjudicator.outbound.composer import ReportComposer, draw_map
from adjudicator.outbound.threads import ThreadWriter
from adjudicator.reports import posts
from adjudicator.reports.in_forum import address_to_thread
from adjudicator.reports.picture import Drawing
from adjudicator.reports.posts import ChannelNews
from adjudicator.reports.report import opening_report
from games.dice import commitment
from games.record import replace_fields


@dataclass(frozen=True)
class Announcer:
    """Writes for all channels what anybody may know. Without a channel, nothing is made."""

    writer: ReportComposer
    now: Millis

    def announce_start(
        self, position: GamePosition, customs: GamePolicy | None = None
    ) -> list[OutgoingMessage]:
        """Announce that a game begins. position: the first one;

        customs: where they are not in the database yet.
        """
        thread = ThreadWriter(self.writer, self.now).open_thread(position, customs)
        if not self.writer.channels(position.name, "begun", customs=customs):
            return thread
        game = games.kinds()[position.kind]
        report = opening_report(game, position, None, commitment=commitment(position.secret))
        people = sum(chair.is_person for chair in position.chairs.values())
        # While nobody sits in it yet its deadline is not that of whoever will.
        report = report if people else replace_fields(report, deadline=None)
        drawn = self._draw_map(position, "begun")
        begun = posts.start_news(game, report, people, drawn, self._service_info, self.now)
        return [*thread, *self.writer.seal_posts(begun, self.now, "begun", customs=customs)]

    def announce_end(self, position: GamePosition) -> list[OutgoingMessage]:
        """Announce that a game ends without its rules. position: as it is then, with what was agreed."""
        thread = self.writer.thread(position)
        if not thread and not self.writer.channels(position.name, "ended"):
            return []
        game, drawn = games.kinds()[position.kind], self._draw_map(position, "ended")
        stands = opening_report(game, position, None, commitment=commitment(position.secret))
        report = replace_fields(stands, turn=None, deadline=None, result=position.agreed)
        news = posts.end_news(game, report, drawn, self._service_info, self.now)
        there = (
            [self.writer.seal(address_to_thread(news, thread, self._service_info), self.now)]
            if thread
            else []
        )
        return [*there, *self._seal_posts(news)]

    def announce_deadline(self, position: GamePosition) -> list[OutgoingMessage]:
        """Announce that a deadline is near."""
        if position.deadline is None or not self.writer.channels(position.name, "due"):
            return []
        game = games.kinds()[position.kind]
        return self._seal_posts(
            posts.deadline_news(game, position, position.deadline, self._service_info, self.now)
        )

    def announce_offer(self, offer: GameOffer) -> list[OutgoingMessage]:
        """Announce that a game is open for players."""
        if not self.writer.channels(offer.name, "wanted"):
            return []
        return self._seal_posts(
            posts.players_wanted_news(games.kinds()[offer.kind], offer, self._service_info, self.now)
        )

    def announce_vacancy(self, position: GamePosition, act: OfferSeat) -> list[OutgoingMessage]:
        """Announce that a seat falls free."""
        if not self.writer.channels(position.name, "wanted"):
            return []
        game = games.kinds()[position.kind]
        return self._seal_posts(
            posts.vacancy_news(game, position, act.seat, act.at, self._service_info, self.now)
        )

    def announce_press(self, position: GamePosition, act: SendPress) -> list[OutgoingMessage]:
        """Announce press to all; other press is nobody's business."""
        if act.press.to is not None or not self.writer.channels(position.name, "press"):
            return []
        keys = reply_tokens_of_game(position.name, self.writer.books, self.writer.office)
        press = replace_fields(act.press, text=keys.redact(act.press.text))
        game = games.kinds()[position.kind]
        return self._seal_posts(
            posts.press_news(game, position, press, act.key, self._service_info, self.now)
        )

    @property
    def _service_info(self) -> posts.ServiceIdentity:
        return self.writer.service_info

    def _seal_posts(self, news: ChannelNews) -> list[OutgoingMessage]:
        what = news.post.what
        assert what != "test", "trials go to one place"
        assert what != "thread", "a thread is one place"
        return self.writer.seal_posts(news, self.now, what)

    def _draw_map(self, position: GamePosition, what: PostReason) -> Drawing | None:
        thread = self.writer.thread(position)
        channels = (*self.writer.channels(position.name, what), *([thread.channel] if thread else ()))
        if not any(channel.map for channel in channels):
            return None
        game = games.kinds()[position.kind]
        return draw_map(game, position.state, (), None)
