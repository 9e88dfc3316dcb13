"""Composing our emails from the database: reports with their maps, welcomes and notices."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import tee
from typing import TYPE_CHECKING

from adjudicator import context as service_contexts
from adjudicator import order_page
from adjudicator.auth.reply_tokens import ReplyTokens, remove_foreign_tokens, reply_tokens_of_game
from adjudicator.inbound.game_history import build_history, ends_year
from adjudicator.mail.envelope import encode_letter
from adjudicator.messages import sentence
from adjudicator.model.people import (
    DEFAULT_STYLE,
    WHOLE_STYLE,
    GamePolicy,
    LetterChoice,
    NoteUntold,
    Style,
)
from adjudicator.reports import maps, messages, phone, posts
from adjudicator.reports import messages as dispatched
from adjudicator.reports.maps import DeferredPicture, attachments, sources
from adjudicator.reports.messages import LetterReader, caller_of, reader_of
from adjudicator.reports.report import (
    apply_reader_style,
    compile_report,
    describe_overrides,
    opening_report,
    without_proof,
)
from adjudicator.reports.times import Organizer
from adjudicator.reports.verdict import fates
from adjudicator.turns import log as game_log
from adjudicator.turns.log import counting_entries
from adjudicator.turns.runner import earlier_turns, position_after
from games.dice import commitment
from games.record import Value, replace_fields
from games.record import field as record_field

if TYPE_CHECKING:
    from adjudicator.clock import Millis
    from adjudicator.config.channels import Channel
    from adjudicator.context import ServiceContext
    from adjudicator.model.channel_posts import PostReason
    from adjudicator.model.games import AdjudicationResult, GamePosition, PlayedTurn, SeatAssignment
    from adjudicator.model.mail import Attachment, LetterDraft, OutgoingMessage
    from adjudicator.model.repository import Repository
    from adjudicator.reports.maps import Drawing
    from adjudicator.reports.posts import ChannelNews, GameThread
    from adjudicator.reports.report import History, Report
    from games.protocol import Event, Game, Seat, State
    from orders.verdict import LineVerdict

log = logging.getLogger(__name__)


class ReportComposer(Value, frozen=True):
    """Composes emails from the database, for one turn or one incoming email.

    Nothing is rendered inside a transaction. draws_later: whether the pictures of a turn's reports are
    drawn when the emails are sent. tokens_by_game, histories, earlier: what was computed once for all
    emails.
    """

    service_context: ServiceContext
    repository: Repository
    draws_later: bool = False
    tokens_by_game: dict[str, ReplyTokens] = record_field(default_factory=dict)
    histories: dict[tuple[str, int, int], History | None] = record_field(default_factory=dict)
    earlier: dict[tuple[str, int, int], Iterator[tuple[PlayedTurn, ...]]] = record_field(default_factory=dict)

    def seal(self, outgoing: LetterDraft, now: Millis) -> OutgoingMessage:
        """Return an email in its final bytes. All emails pass here, so none has another reader's token."""
        sealed = encode_letter(
            remove_foreign_tokens(outgoing, self.keys),
            key=self.service_context.key,
            service_address=self.service_context.address,
            service_name=self.service_context.name,
            now=now,
        )
        shown = [getattr(outgoing, name) for name in outgoing.__struct_fields__]
        drawn = sources([*shown, *(file.content for file in outgoing.attached)])
        return replace_fields(sealed, drawn=drawn) if drawn else sealed

    def reports(
        self,
        before: GamePosition,
        played: AdjudicationResult,
        now: Millis,
        replies: Sequence[LetterDraft] = (),
    ) -> tuple[list[OutgoingMessage], list[NoteUntold]]:
        """Return the reports of the turns that were just played: to players, observers, and channels.

        replies: to emails of players, which their reports take in.

        Also return the notes on players who get one email for each round: on those who get no report now, and
        on those whose report also contains earlier turns.
        """
        game = before.game
        after_turn = position_after(before, played)
        turns = _ReportedTurns(game, before, after_turn, draws_later=self.draws_later)
        players = [
            self._delivery_for(game, after_turn, played, assignment)
            for assignment in after_turn.assignments.values()
            if assignment.is_person
        ]
        request = service_contexts.RequestContext(self.repository, self.service_context, now)
        observer_style = replace_fields(WHOLE_STYLE, maps=self.service_context.letters.maps)
        observers = [
            ReaderDelivery(None, caller_of(address, request, before.name), played, observer_style)
            for address in self.repository.people.observers(before.name)
        ]
        reports = []
        for delivery in (*players, *observers):
            if delivery.played is not None:
                reader = delivery.seat, delivery.reader.address
                rows = tuple(
                    row for reply in replies if (reply.seat, reply.to) == reader for row in reply.rows
                )
                letter = self._turn_report(turns, replace_fields(delivery, rows=rows), now)
                reports.append(self.seal(letter, now))
        reports += self._turn_posts(turns, played, now)
        return reports, [delivery.untold for delivery in players if delivery.untold is not None]

    def _turn_report(self, turns: _ReportedTurns, delivery: ReaderDelivery, now: Millis) -> LetterDraft:
        """Return the report to one reader."""
        assert delivery.played is not None, "nothing is due to this reader yet"
        played = delivery.played
        drawn = turns.draw_map(played, delivery.seat)
        report = self._gather_report(turns.game, turns.before, turns.after, played, delivery.seat)
        if delivery.rows:
            report = replace_fields(report, answered=tuple(fates(delivery.rows)))
        style, on_page = self._style_of(turns, played, delivery.style, report), None
        if delivery.style != WHOLE_STYLE:
            view, tables = turns.game.rules.view, turns.game.telling.tables
            earlier = tables(view(played.steps[0].before, delivery.seat))
            current = tables(view(played.state, delivery.seat))
            whole, report = report, apply_reader_style(report, style, earlier, current)
            if delivery.style.detail == "changes" and not report.result:
                report = without_proof(report)
                on_page = phone.fit_phone(turns.game, whole, delivery.style, earlier, current)
        # The turn is not stored yet, so the game keeps its revision.
        position = replace(turns.after, rev=turns.before.rev)
        return messages.turn_report(
            turns.game,
            report,
            delivery.reader,
            messages.Enclosed(
                picture=drawn.png if drawn else None,
                front=drawn.front if drawn else None,
                chart=draw_chart(report.history, later=self.draws_later),
                attached=self._enclosures(report, position, delivery.reader, drawn, now, delivery.style),
            ),
            on_page=on_page,
        )

    def _style_of(
        self, turns: _ReportedTurns, played: AdjudicationResult, chosen: Style, report: Report
    ) -> Style:
        """Return the style of a report: tables that changed only for a reader who can compare them.

        That is somebody with an earlier report of a solo game that goes on, unchanged by the GM since then.
        """
        if chosen.detail != "changes":
            return chosen
        is_first = len(played.steps) > turns.before.played
        if (
            turns.game.campaign is None
            or is_first
            or report.result
            or self.repository.overrides(turns.before.name)
        ):
            return replace_fields(chosen, detail="full")
        return chosen

    def _turn_posts(
        self, turns: _ReportedTurns, played: AdjudicationResult, now: Millis
    ) -> list[OutgoingMessage]:
        """Return the posts about the turns that were played, to channels and to the game's thread."""
        reasons: tuple[PostReason, ...] = ("played", "ended") if played.result else ("played",)
        thread = self.thread(turns.after)
        if not thread and not (self.service_context.channels and self.channels(turns.before.name, *reasons)):
            return []
        report = self._gather_report(turns.game, turns.before, turns.after, played, None)
        drawn = turns.draw_map(played, None, with_front=False)
        chart = draw_chart(report.history, later=self.draws_later)
        news = posts.turn_news(turns.game, report, drawn, chart, self.service_info, now)
        sealed = self.seal_posts(news, now, *reasons)
        if thread:
            sealed.append(self.seal(posts.address_to_thread(news, thread, self.service_info), now))
        return sealed

    def channels(
        self, game: str, *what: PostReason, customs: GamePolicy | None = None
    ) -> tuple[Channel, ...]:
        """Return the channels with news of a game, except the one with its thread.

        customs: the game's settings, if they are not in the database yet.
        """
        named = [channel for channel in self.service_context.channels if channel.carries(game, *what)]
        known = customs or (self.repository.people.policy(game) if named and game else GamePolicy())
        if known.listed == "no":
            # Only a channel that the operator has given to this game by name.
            named = [channel for channel in named if game in (channel.games or ())]
        return tuple(
            channel
            for channel in named
            if not known.forum or known.forum not in (channel.name, channel.address)
        )

    def thread(self, position: GamePosition, customs: GamePolicy | None = None) -> GameThread | None:
        """Return the thread of a game, or None.

        customs: the game's settings, if they are not in the database.
        """
        customs = customs or self.repository.people.policy(position.name)
        if not customs.forum:
            return None
        return posts.thread_of(position.name, position.game, customs, self.service_context)

    def thread_paragraphs(self, thread: GameThread, assignment: SeatAssignment) -> tuple[str, ...]:
        """Return the paragraphs about the thread for the player of a seat."""
        return posts.thread_paragraphs_for(thread, assignment, self.repository, self.service_context)

    def seal_posts(
        self, news: ChannelNews, now: Millis, *what: PostReason, customs: GamePolicy | None = None
    ) -> list[OutgoingMessage]:
        """Return news as sealed posts to the channels that get it. customs: as for `channels`."""
        named = self.channels(news.post.game or "", *what, customs=customs)
        return [
            self.seal(posts.address_to_channel(news, channel, self.service_info), now) for channel in named
        ]

    @property
    def organizer(self) -> Organizer:
        """Return the organizer of the deadlines in calendars."""
        return Organizer(self.service_context.name, self.service_context.address)

    @property
    def service_info(self) -> posts.ServiceIdentity:
        """Return the details of the service in posts."""
        return posts.ServiceIdentity(
            self.service_context.name, self.service_context.address, self.service_context.zone
        )

    def _delivery_for(
        self, game: Game, after_turn: GamePosition, played: AdjudicationResult, assignment: SeatAssignment
    ) -> ReaderDelivery:
        """Return the turns that a player's report contains, including unreported earlier ones."""
        reader = self.reader(after_turn, assignment)
        chosen = self.letter_choice(after_turn.name, assignment)
        style = chosen.style(self.service_context.letters)
        waits_since = chosen.untold
        if style.every == "round" and self._may_wait(game, after_turn, played, assignment.seat):
            since = played.steps[0].entry.number if waits_since is None else waits_since
            return ReaderDelivery(
                assignment.seat, reader, None, style, _note_untold(after_turn.name, chosen, since)
            )
        if waits_since is None:
            return ReaderDelivery(assignment.seat, reader, played, style)
        log = self.repository.log(after_turn.name)
        counting = {entry.number for entry in counting_entries([entry for entry, _ in log])}
        steps = game_log.steps_since(game, after_turn, log, waits_since)
        earlier = tuple(step for step in steps if step.entry.number in counting)
        whole = replace_fields(played, steps=(*earlier, *played.steps))
        return ReaderDelivery(
            assignment.seat, reader, whole, style, _note_untold(after_turn.name, chosen, None)
        )

    def _may_wait(self, game: Game, after_turn: GamePosition, played: AdjudicationResult, seat: Seat) -> bool:
        """Return whether no round is over, and nothing is due from a seat or urgent."""
        rules, before = game.rules, played.steps[0].before
        if rules.plan_span(before, seat) is None or played.result is not None:
            return False
        over = any(
            rules.plan_span(before, other) != rules.plan_span(played.state, other)
            for other in after_turn.assignments
        )
        wanted = any(due.seat == seat for due in played.due)
        return (
            not over
            and not wanted
            and not describe_overrides(game, self.repository.overrides(after_turn.name), seat)
        )

    def letter_choice(self, game: str, assignment: SeatAssignment) -> LetterChoice:
        """Return a player's choices for their emails."""
        of_seat = (
            candidate
            for candidate in self.repository.people.choices(game)
            if candidate.seat == assignment.seat
        )
        own = next((candidate for candidate in of_seat if candidate.address == assignment.address), None)
        return own or LetterChoice(seat=assignment.seat, address=assignment.address or "")

    def welcomes(
        self,
        position: GamePosition,
        passwords: Mapping[Seat, str],
        now: Millis,
        customs: GamePolicy | None = None,
    ) -> list[OutgoingMessage]:
        """Return the first emails to all players of a new game, by seat.

        They share one map if nothing is hidden.
        """
        game = position.game
        shared = draw_map(game, position.state, (), None) if passwords and not game.about.hidden else None
        return [
            self.welcome(position, position.assignments[seat], password, now, shared, customs)
            for seat, password in passwords.items()
        ]

    def welcome(
        self,
        position: GamePosition,
        assignment: SeatAssignment,
        password: str | None,
        now: Millis,
        drawn: Drawing | None = None,
        customs: GamePolicy | None = None,
    ) -> OutgoingMessage:
        """Return the first email to a new player. position: with the seat's new assignment.

        drawn: the map, if it has been drawn already. customs: the settings of a game that is not in the
        database yet.
        """
        game = position.game
        report = opening_report(
            game, position, assignment.seat, commitment=commitment(position.secret), now=now
        )
        known = customs or self.repository.people.policy(position.name)
        report = replace_fields(report, table_rules=messages.table_rules(known))
        drawn = drawn or draw_map(game, position.state, (), assignment.seat)
        style = self.letter_choice(position.name, assignment).style(self.service_context.letters)
        reader = self.reader(position, assignment)
        letter = messages.welcome(
            game,
            report,
            reader,
            password=password,
            thread=self.thread_paragraphs(thread, assignment)
            if (thread := self.thread(position, customs))
            else (),
            enclosed=messages.Enclosed(
                picture=drawn.png if drawn else None,
                attached=self._enclosures(report, position, reader, drawn, now, style),
            ),
        )
        return self.seal(letter, now)

    def position_report(
        self,
        position: GamePosition,
        assignment: SeatAssignment,
        headline: str,
        now: Millis,
        remarks: tuple[str, ...] = (),
    ) -> OutgoingMessage:
        """Return a report of the position to a player, after an event that isn't a turn.

        headline: the event. remarks: further sentences.
        """
        game = position.game
        stands = opening_report(
            game, position, assignment.seat, commitment=commitment(position.secret), now=now
        )
        report = replace_fields(stands, headline=headline, by_hand=remarks)
        drawn = draw_map(game, position.state, (), assignment.seat)
        style = self.letter_choice(position.name, assignment).style(self.service_context.letters)
        reader = self.reader(position, assignment)
        letter = messages.turn_report(
            game,
            report,
            reader,
            messages.Enclosed(
                picture=drawn.png if drawn else None,
                attached=self._enclosures(report, position, reader, drawn, now, style),
            ),
            heading=messages.Heading(messages.report_key(report, reader), headline),
        )
        return self.seal(letter, now)

    def previews(
        self, before: GamePosition, played: AdjudicationResult
    ) -> list[tuple[Seat | None, LetterDraft]]:
        """Return the reports that would be sent, without maps. Without human players, the observers' one."""
        game = before.game
        after_turn = position_after(before, played)
        people = [assignment for assignment in after_turn.assignments.values() if assignment.is_person]
        readers: list[tuple[Seat | None, LetterReader]] = [
            (assignment.seat, self.reader(after_turn, assignment)) for assignment in people
        ]
        if not people:
            readers = [
                (None, LetterReader(address=self.service_context.address, zone=self.service_context.zone))
            ]
        return [
            (
                seat,
                messages.turn_report(
                    game, self._gather_report(game, before, after_turn, played, seat), reader
                ),
            )
            for seat, reader in readers
        ]

    def _earlier_turns(
        self, game: Game, before: GamePosition, number: int
    ) -> Iterator[tuple[PlayedTurn, ...]]:
        """Return the turns before an entry of the log, as `earlier_turns` does, once for all readers."""
        key = before.name, before.entries, number
        if key not in self.earlier:
            latest = partial(self.repository.latest, before.name)
            self.earlier[key] = earlier_turns(game, before, latest, number)
        self.earlier[key], turns = tee(self.earlier[key])
        return turns

    def _gather_report(
        self,
        game: Game,
        before: GamePosition,
        after_turn: GamePosition,
        played: AdjudicationResult,
        seat: Seat | None,
    ) -> Report:
        by_hand = describe_overrides(game, self.repository.overrides(before.name), seat)
        sealed_by = commitment(before.secret)
        press = dispatched.dispatches(self.repository.people, before.name, played, seat)
        if by_hand or press:
            # Press in old databases and the GM's reasons may still contain reply tokens.
            keys = self.keys(before.name)
            by_hand = tuple(map(keys.redact, by_hand))
            press = tuple(replace_fields(piece, text=keys.redact(piece.text)) for piece in press)
        # The game over time, after its first period.
        key = before.name, before.entries, len(played.steps)
        if key not in self.histories:
            self.histories[key] = (
                build_history(game, before, self.repository.log(before.name), played)
                if ends_year(game, played)
                else None
            )
        report = compile_report(
            game,
            after_turn,
            played,
            seat,
            commitment=sealed_by,
            press=press,
            by_hand=by_hand,
            history=self.histories[key],
            earlier=self._earlier_turns(game, before, played.steps[0].entry.number),
        )
        if not self.service_context.site_url:
            return report
        opens = seat is not None and bool(report.wanted) and not game.about.hidden
        sheet = (
            f"{self.service_context.site_url}/games/{before.name}/{order_page.order_page_file_name(seat)}"
            if seat and opens
            else ""
        )
        last = played.steps[-1].turn.short
        page = f"{self.service_context.site_url}/games/{before.name}/index.html#{last}"
        return replace_fields(report, page=page, sheet_page=sheet)

    def keys(self, game: str) -> ReplyTokens:
        """Return the valid reply tokens of a game, computed once for all emails."""
        if game not in self.tokens_by_game:
            self.tokens_by_game[game] = reply_tokens_of_game(game, self.repository, self.service_context)
        return self.tokens_by_game[game]

    def to_gamesmaster(
        self, key: str, subject: str, paragraphs: tuple[str, ...], now: Millis
    ) -> OutgoingMessage:
        """Return a notice to the GM, at the service's own address."""
        return self._to_address(self.service_context.address, key, subject, paragraphs, now)

    def alert(self, key: str, subject: str, paragraphs: tuple[str, ...], now: Millis) -> OutgoingMessage:
        """Return a notice to the address for alerts, or to the GM if gm.toml names none."""
        address = self.service_context.alert or self.service_context.address
        return self._to_address(address, key, subject, paragraphs, now)

    def _to_address(
        self, address: str, key: str, subject: str, paragraphs: tuple[str, ...], now: Millis
    ) -> OutgoingMessage:
        reader = LetterReader(address=address, zone=self.service_context.zone)
        return self.seal(messages.notice(reader, messages.Heading(key, subject), paragraphs), now)

    def reader(self, position: GamePosition, assignment: SeatAssignment) -> LetterReader:
        """Return the player of a seat as a reader of our emails. position: with the seat's assignment."""
        assert assignment.address is not None, "letters go to people"
        return reader_of(position, assignment, assignment.address, self.repository, self.service_context)

    def _enclosures(
        self,
        report: Report,
        position: GamePosition,
        reader: LetterReader,
        drawn: Drawing | None,
        now: Millis,
        style: Style,
    ) -> tuple[Attachment, ...]:
        """Return the attached files. position: the game when the email is read."""
        asked = drawn.svg if drawn and style.maps == "svg" else None
        files = attachments(report, position, asked, now, self.organizer)
        page = self._order_page(position, reader, now) if style.sheets == "page" else None
        return files if page is None else (*files, page)

    def _order_page(self, position: GamePosition, reader: LetterReader, now: Millis) -> Attachment | None:
        """Return the order page. A turn never waits for it: None if it fails."""
        try:
            return order_page.attach_order_page(position, reader, now)
        except Exception:  # logged; the order sheet in the email says the same
            log.exception(sentence("outbound.composer.no_order_page", game=position.name))
            return None


@dataclass(frozen=True)
class _ReportedTurns:
    """The reported turns and their maps. Each map is drawn once, for its first reader.

    before, after: the game before and after the turns. draws_later: whether the pictures are drawn when their
    emails are sent.
    """

    game: Game
    before: GamePosition
    after: GamePosition
    draws_later: bool
    drawings: dict[tuple[Seat | None, Seat | None, bool, int], Drawing | None] = field(default_factory=dict)

    def draw_map(
        self, played: AdjudicationResult, seat: Seat | None, *, with_front: bool = True
    ) -> Drawing | None:
        """Return the map for a seat (None: an observer). played: the turns in the reader's report."""
        game = self.game
        viewer = seat if game.about.hidden else None
        # When a game is over, nobody gets an enlarged part.
        close = with_front and maps.has_fronts(game) and played.result is None
        front = seat if close else None
        # All reports end with the same turn, but some begin with an earlier one.
        key = viewer, front, close, len(played.steps)
        if key not in self.drawings:
            events = tuple(event for step in played.steps for event in step.events)
            caption = map_caption(played.steps)
            self.drawings[key] = draw_map(
                game, played.state, events, viewer, caption, front, close=close, later=self.draws_later
            )
        return self.drawings[key]


class ReaderDelivery(Value, frozen=True):
    """The delivery to one reader: the turns (None: nothing yet), with earlier ones for some, and their style.

    untold: the change to note about turns that the reader hasn't seen. rows: the verdicts on the lines of the
    reader's emails that the report answers.
    """

    seat: Seat | None
    reader: LetterReader
    played: AdjudicationResult | None
    style: Style = DEFAULT_STYLE
    untold: NoteUntold | None = None
    rows: tuple[LineVerdict, ...] = ()


def _note_untold(game: str, chosen: LetterChoice, since: int | None) -> NoteUntold:
    return NoteUntold(by="clock", game=game, seat=chosen.seat, address=chosen.address, untold=since)


def map_caption(steps: Sequence[PlayedTurn]) -> str:
    """Return the caption of a map of some turns played in sequence: the first and the last of many."""
    names = [step.turn.name for step in steps]
    return sentence("outbound.composer.caption", names=names)


def draw_chart(history: History | None, *, later: bool = False) -> bytes | None:
    """Return the chart of a game over time as PNG, or None if drawing fails, so that a turn never waits.

    later: whether it is drawn when its email is sent.
    """
    try:
        return maps.chart_of(history, later=later) if history else None
    except Exception:  # logged; the table in the email says the same
        log.exception(sentence("outbound.composer.no_chart"))
        return None


def draw_map(
    game: Game,
    state: State,
    events: tuple[Event, ...],
    viewer: Seat | None,
    caption: str | None = None,
    front_of: Seat | None = None,
    *,
    close: bool = False,
    later: bool = False,
) -> Drawing | None:
    """Return the map in a viewer's view, or None if drawing fails, so that a turn never waits.

    caption: by default the coming turn. close: whether a part is also drawn enlarged: around the units of
    `front_of`, or the crowded part. later: whether the pictures are drawn when the email is sent.
    """
    seen = tuple(event for event in events if event.seen_by is None or viewer in event.seen_by)
    try:
        view = game.rules.view(state, viewer)
        whole = maps.svg(game, view, seen, caption)
        if whole is None:
            return None
        part = maps.front(game, view, front_of, seen, caption) if close else None
        draw = DeferredPicture.from_svg if later else maps.map_picture
        if part is None:
            return maps.Drawing(whole, draw(whole, maps.LETTER_PX))
        beside, close_up = draw(whole, maps.BESIDE_PX), draw(part, maps.CLOSE_UP_PX)
        return maps.Drawing(whole, beside, close_up)
    except Exception:  # logged; the text is complete without it
        log.exception(sentence("outbound.composer.no_map", kind=game.about.kind))
        return None
