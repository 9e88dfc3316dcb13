"""Our letters, written from the books: reports with their maps, welcomes, notices, each sealed."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import games
from adjudicator import office as offices
from adjudicator.catalogue import sentence
from adjudicator.clerk import annals
from adjudicator.clerk.keys import Keys, guarded, keys_of
from adjudicator.ledger.letter_choice import WHOLE, LetterChoice, Style
from adjudicator.ledger.people_acts import NoteUntold
from adjudicator.ledger.society import Customs
from adjudicator.order_page import enclosing
from adjudicator.post.envelope import seal
from adjudicator.referee import log as game_log
from adjudicator.referee.edits import line
from adjudicator.referee.turn import after
from adjudicator.reports import brief, in_forum, messages, picture, posts
from adjudicator.reports import press as dispatched
from adjudicator.reports.attachments import attachments
from adjudicator.reports.by_hand import tellings
from adjudicator.reports.calendar import Organizer
from adjudicator.reports.drawn_from import Undrawn, sources
from adjudicator.reports.messages import Reader
from adjudicator.reports.reader import caller_of, reader_of
from adjudicator.reports.report import gather, opening
from games.dice import commitment
from games.protocol.optional import Planned
from games.record import Value, changed

if TYPE_CHECKING:
    from adjudicator.clock import Millis
    from adjudicator.ledger.books import Books
    from adjudicator.ledger.letters import Attachment, Outgoing, Sealed
    from adjudicator.ledger.positions import Chair, Played, Position, Step
    from adjudicator.ledger.posts import What
    from adjudicator.office import Office
    from adjudicator.reports.history import History
    from adjudicator.reports.in_forum import Thread
    from adjudicator.reports.picture import Drawing
    from adjudicator.reports.posts import News
    from adjudicator.reports.report import Report
    from adjudicator.settings.channel import Channel
    from games.protocol import Event, Game, Seat, State

log = logging.getLogger(__name__)


class Writer(Value, frozen=True, dict=True):
    """Writes for an office from its books, for one errand: what a turn or a letter calls for.

    Nothing is rendered while a transaction is open. draws_later: the pictures of a turn's reports are drawn
    when these go.
    """

    office: Office
    books: Books
    draws_later: bool = False

    @cached_property
    def _keys(self) -> dict[str, Keys]:
        return {}

    @cached_property
    def _histories(self) -> dict[tuple[str, int, int], History | None]:
        return {}

    def seal(self, outgoing: Outgoing, now: Millis) -> Sealed:
        """A letter in its final bytes. The only way out: it passes no token but the reader's own."""
        sealed = seal(
            guarded(outgoing, self.keys),
            key=self.office.key,
            service_address=self.office.address,
            service_name=self.office.name,
            now=now,
        )
        shown = [getattr(outgoing, name) for name in outgoing.__struct_fields__]
        drawn = sources([*shown, *(one.content for one in outgoing.attached)])
        return changed(sealed, drawn=drawn) if drawn else sealed

    def reports(self, before: Position, played: Played, now: Millis) -> tuple[list[Sealed], list[NoteUntold]]:
        """The report of what was just played: for each person's seat, those who watch, and the channels.

        A map is drawn when the first who reads it is written to, so none where all are bots. Besides, who is
        told later, since he wants a letter for each round, and who has been told now of what he was not.
        """
        game = games.kinds()[before.kind]
        told = after(before, played)
        stands = replace(told, rev=before.rev)

        drawings: dict[tuple[Seat | None, Seat | None, bool, int], Drawing | None] = {}

        def drawn_for(seat: Seat | None, shown: Played, *, with_front: bool = True) -> Drawing | None:
            # Of more turns are told to some than to others, all of them up to the same. When a game is over
            # nobody has a front any more.
            viewer = seat if game.about.hidden else None
            close = with_front and picture.has_fronts(game) and shown.result is None
            front = seat if close else None
            key = viewer, front, close, len(shown.steps)
            if key not in drawings:
                events = tuple(event for step in shown.steps for event in step.events)
                drawings[key] = map_for(
                    game,
                    shown.state,
                    events,
                    viewer,
                    caption_of(shown.steps),
                    front,
                    close=close,
                    later=self.draws_later,
                )
            return drawings[key]

        fares = [self._fare(game, told, played, chair) for chair in told.chairs.values() if chair.is_person]
        watchers = Style(maps=self.office.letters.maps)
        watching = [
            Fare(
                None,
                caller_of(address, offices.Desk(self.books, self.office, now), before.name),
                played,
                watchers,
            )
            for address in self.books.society.observers(before.name)
        ]
        reports = []
        for fare in [*fares, *watching]:
            if fare.played is None:
                continue
            seat, reader = fare.seat, fare.reader
            drawn = drawn_for(seat, fare.played)
            report = self._report(game, before, told, fare.played, seat)
            report = _in_style(game, report, fare)
            letter = messages.turn_report(
                game,
                report,
                reader,
                messages.Enclosed(
                    picture=drawn.png if drawn else None,
                    front=drawn.front if drawn else None,
                    chart=chart_for(report.history, later=self.draws_later),
                    attached=self._enclosures(report, stands, reader, drawn, now, fare.style),
                ),
            )
            reports.append(self.seal(letter, now))
        of_end: tuple[What, ...] = ("ended",) if played.result else ()
        thread = self.thread(told)
        if thread or (self.office.channels and self.channels(before.name, "played", *of_end)):
            report = self._report(game, before, told, played, None)
            drawn = drawn_for(None, played, with_front=False)
            chart = chart_for(report.history, later=self.draws_later)
            news = posts.played(game, report, drawn, chart, self.of_house, now)
            reports += self.posted(news, now, "played", *of_end)
            reports += [self.seal(in_forum.posted(news, thread, self.of_house), now)] if thread else []
        return reports, [fare.untold for fare in fares if fare.untold is not None]

    def channels(self, game: str, *what: What, customs: Customs | None = None) -> tuple[Channel, ...]:
        """The channels in which one of some things is told of a game: but for that which holds its thread.

        customs: where they are not on the books yet.
        """
        named = [one for one in self.office.channels if one.carries(game, *what)]
        known = customs or (self.books.society.customs(game) if named and game else Customs())
        return tuple(one for one in named if not known.forum or known.forum not in (one.name, one.address))

    def thread(self, position: Position, customs: Customs | None = None) -> Thread | None:
        """The thread in which a game is played, if there is one. customs: where they are not on the books."""
        customs = customs or self.books.society.customs(position.name)
        if not customs.forum:
            return None
        return in_forum.thread_of(position.name, games.kinds()[position.kind], customs, self.office)

    def told_of_thread(self, thread: Thread, chair: Chair) -> tuple[str, ...]:
        """What the player in a chair is told of the thread, in paragraphs."""
        return in_forum.told_to(thread, chair, self.books, self.office)

    def posted(self, news: News, now: Millis, *what: What, customs: Customs | None = None) -> list[Sealed]:
        """News as the posts to the channels that are told of it. customs: as for `channels`."""
        named = self.channels(news.post.game or "", *what, customs=customs)
        return [self.seal(posts.addressed(news, one, self.of_house), now) for one in named]

    @property
    def organizer(self) -> Organizer:
        """Who publishes deadlines for calendars."""
        return Organizer(self.office.name, self.office.address)

    @property
    def of_house(self) -> posts.House:
        """What posts say of the service."""
        return posts.House(self.office.name, self.office.address, self.office.zone)

    def _fare(self, game: Game, told: Position, played: Played, chair: Chair) -> Fare:
        """What a player is to read of what was just played, with what he was not told of before, and how."""
        reader = self.reader(told, chair)
        chosen = self.choice(told.name, chair)
        style = chosen.style(self.office.letters)
        waits_since = chosen.untold
        if style.every == "round" and self._may_wait(game, told, played, chair.seat):
            since = played.steps[0].entry.number if waits_since is None else waits_since
            return Fare(chair.seat, reader, None, style, _untold(told.name, chosen, since))
        if waits_since is None:
            return Fare(chair.seat, reader, played, style)
        log = self.books.log(told.name)
        counting = {entry.number for entry in line([entry for entry, _ in log])}
        steps = game_log.steps_since(game, told, log, waits_since)
        earlier = tuple(step for step in steps if step.entry.number in counting)
        whole = changed(played, steps=(*earlier, *played.steps))
        return Fare(chair.seat, reader, whole, style, _untold(told.name, chosen, None))

    def _may_wait(self, game: Game, told: Position, played: Played, seat: Seat) -> bool:
        """Whether nobody's round is over, and nothing is wanted of a seat, or has to be said at once."""
        rules, before = game.rules, played.steps[0].before
        if not isinstance(rules, Planned) or played.result is not None:
            return False
        over = any(rules.span(before, one) != rules.span(played.state, one) for one in told.chairs)
        wanted = any(due.seat == seat for due in played.due)
        return not over and not wanted and not tellings(game, self.books.overrides(told.name), seat)

    def choice(self, game: str, chair: Chair) -> LetterChoice:
        """What whoever sits in a chair has chosen for it."""
        said = (one for one in self.books.society.choices(game) if one.seat == chair.seat)
        own = next((one for one in said if one.address == chair.address), None)
        return own or LetterChoice(seat=chair.seat, address=chair.address or "")

    def welcomes(
        self, position: Position, passwords: Mapping[Seat, str], now: Millis, customs: Customs | None = None
    ) -> list[Sealed]:
        """The first letters to all whose game begins, by seat; one map for all where nothing is hidden."""
        game = games.kinds()[position.kind]
        shared = map_for(game, position.state, (), None) if passwords and not game.about.hidden else None
        return [
            self.welcome(position, position.chairs[seat], password, now, shared, customs)
            for seat, password in passwords.items()
        ]

    def welcome(
        self,
        position: Position,
        chair: Chair,
        password: str | None,
        now: Millis,
        drawn: Drawing | None = None,
        customs: Customs | None = None,
    ) -> Sealed:
        """The first letter to whoever takes a seat. position: with the chair as it is from now on.

        drawn: the map, where it has been drawn already; customs: of a game that is not on the books yet.
        """
        game = games.kinds()[position.kind]
        report = opening(game, position, chair.seat, commitment=commitment(position.secret), now=now)
        drawn = drawn or map_for(game, position.state, (), chair.seat)
        style = self.choice(position.name, chair).style(self.office.letters)
        reader = self.reader(position, chair)
        letter = messages.welcome(
            game,
            report,
            reader,
            password=password,
            thread=self.told_of_thread(thread, chair) if (thread := self.thread(position, customs)) else (),
            enclosed=messages.Enclosed(
                picture=drawn.png if drawn else None,
                attached=self._enclosures(report, position, reader, drawn, now, style),
            ),
        )
        return self.seal(letter, now)

    def standing(
        self, position: Position, chair: Chair, headline: str, now: Millis, remarks: tuple[str, ...] = ()
    ) -> Sealed:
        """How the game stands, to a player, after something that was no turn.

        headline: what it was; remarks: what else is to be said of it.
        """
        game = games.kinds()[position.kind]
        stands = opening(game, position, chair.seat, commitment=commitment(position.secret), now=now)
        report = changed(stands, headline=headline, by_hand=remarks)
        drawn = map_for(game, position.state, (), chair.seat)
        style = self.choice(position.name, chair).style(self.office.letters)
        reader = self.reader(position, chair)
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

    def previews(self, before: Position, played: Played) -> list[tuple[Seat | None, Outgoing]]:
        """The reports that would go out, without their maps; what anybody may see where no person sits."""
        game = games.kinds()[before.kind]
        told = after(before, played)
        people = [chair for chair in told.chairs.values() if chair.is_person]
        readers: list[tuple[Seat | None, Reader]] = [(one.seat, self.reader(told, one)) for one in people]
        if not people:
            readers = [(None, Reader(address=self.office.address, zone=self.office.zone))]
        return [
            (seat, messages.turn_report(game, self._report(game, before, told, played, seat), reader))
            for seat, reader in readers
        ]

    def _report(
        self, game: Game, before: Position, told: Position, played: Played, seat: Seat | None
    ) -> Report:
        by_hand = tellings(game, self.books.overrides(before.name), seat)
        sealed_by = commitment(before.secret)
        press = dispatched.dispatches(self.books.society, before.name, played, seat)
        if by_hand or press:
            # What lies on the books since before it was veiled there, and reasons that are given by hand.
            keys = self.keys(before.name)
            by_hand = tuple(map(keys.redacted, by_hand))
            press = tuple(changed(one, text=keys.redacted(one.text)) for one in press)
        report = gather(
            game,
            told,
            played,
            seat,
            commitment=sealed_by,
            press=press,
            by_hand=by_hand,
            history=self._history(game, before, played),
        )
        if not self.office.site_url:
            return report
        opens = seat is not None and bool(report.wanted) and not game.about.hidden
        sheet = (
            f"{self.office.site_url}/games/{before.name}/{enclosing.sheet_name(seat)}"
            if seat and opens
            else ""
        )
        return changed(report, page=self._page(before.name, played), sheet_page=sheet)

    def _page(self, name: str, played: Played) -> str:
        """Where the archive shows the last of the turns that were played."""
        return f"{self.office.site_url}/games/{name}/index.html#{played.steps[-1].turn.short}"

    def _history(self, game: Game, before: Position, played: Played) -> History | None:
        """The game over time, where a part of its time is over: the same for all readers, so told once."""
        key = before.name, before.entries, len(played.steps)
        if key not in self._histories:
            wanted = annals.ends_time(game, played)
            told = annals.course_of(game, before, self.books.log(before.name), played) if wanted else None
            self._histories[key] = told
        return self._histories[key]

    def keys(self, game: str) -> Keys:
        """The reply tokens that are good in a game, computed once for all letters of this writer."""
        if game not in self._keys:
            self._keys[game] = keys_of(game, self.books, self.office)
        return self._keys[game]

    def to_gamesmaster(self, key: str, subject: str, paragraphs: tuple[str, ...], now: Millis) -> Sealed:
        """A notice to the gamesmaster, at the service's own address."""
        reader = Reader(address=self.office.address, zone=self.office.zone)
        return self.seal(messages.notice(reader, messages.Heading(key, subject), paragraphs), now)

    def reader(self, position: Position, chair: Chair) -> Reader:
        """The person in a chair as a reader of our letters. position: with the chair as it is."""
        assert chair.address is not None, "letters go to people"
        return reader_of(position, chair, chair.address, self.books, self.office)

    def _enclosures(
        self,
        report: Report,
        position: Position,
        reader: Reader,
        drawn: Drawing | None,
        now: Millis,
        style: Style,
    ) -> tuple[Attachment, ...]:
        """The files that go along. position: as it will stand when the letter is read."""
        asked = drawn.svg if drawn and style.maps == "svg" else None
        files = attachments(report, position, asked, now, self.organizer)
        page = self._order_page(position, reader, now) if style.sheets == "page" else None
        return files if page is None else (*files, page)

    def _order_page(self, position: Position, reader: Reader, now: Millis) -> Attachment | None:
        """The order sheet to touch. A turn never waits for it: None if it fails."""
        try:
            return enclosing.order_sheet(position, reader, now)
        except Exception:  # logged; the sheet in the letter says the same
            log.exception(sentence("secretary.writing.no_order_page", game=position.name))
            return None


class Fare(Value, frozen=True):
    """What somebody gets to read: of which turns (None: nothing yet), and how it is written.

    untold: what is to be noted of that.
    """

    seat: Seat | None
    reader: Reader
    played: Played | None
    style: Style = WHOLE
    untold: NoteUntold | None = None


def _untold(game: str, chosen: LetterChoice, since: int | None) -> NoteUntold:
    return NoteUntold(by="clock", game=game, seat=chosen.seat, address=chosen.address, untold=since)


def _in_style(game: Game, report: Report, fare: Fare) -> Report:
    if fare.style == WHOLE or fare.played is None:
        return report
    rules, steps = game.rules, fare.played.steps
    earlier = game.telling.tables(rules.view(steps[0].before, fare.seat))
    return brief.styled(
        report, fare.style, earlier, game.telling.tables(rules.view(fare.played.state, fare.seat))
    )


def caption_of(steps: Sequence[Step]) -> str:
    """What stands above the map of some turns played, one after the other: the first and the last of many."""
    names = [step.turn.name for step in steps]
    return sentence("secretary.writing.caption", names=names)


def chart_for(history: History | None, *, later: bool = False) -> bytes | None:
    """The chart of a game over time as PNG. A turn never waits for a drawing: None if it fails.

    later: it is drawn when its letter goes.
    """
    try:
        return picture.chart_of(history, later=later) if history else None
    except Exception:  # logged; the table beside it says the same
        log.exception(sentence("secretary.writing.no_chart"))
        return None


def map_for(
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
    """The map as a viewer may see it. A turn never waits for a drawing: None if it fails.

    caption: the turn that is told; the one to come if nothing is said. close: a part of it is drawn larger
    besides, of what the viewer sees: front_of's own, or where the board is crowded. later: its pictures are
    drawn when their letter goes.
    """
    seen = tuple(event for event in events if event.seen_by is None or viewer in event.seen_by)
    try:
        view = game.rules.view(state, viewer)
        whole = picture.svg(game, view, seen, caption)
        if whole is None:
            return None
        part = picture.front(game, view, front_of, seen, caption) if close else None
        draw = Undrawn.from_svg if later else picture.drawn
        if part is None:
            return picture.Drawing(whole, draw(whole, picture.LETTER_PX))
        beside, close_up = draw(whole, picture.BESIDE_PX), draw(part, picture.front_px(part))
        return picture.Drawing(whole, beside, close_up)
    except Exception:  # logged; the text is complete without it
        log.exception(sentence("secretary.writing.no_map", kind=game.about.kind))
        return None
