"""Notifications: emails to other players about an act, written in the act's transaction."""

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

import games
from adjudicator.auth.admission import Admission, ask_consent
from adjudicator.auth.correspondents import find_gm_readers, invitation_mark
from adjudicator.auth.passwords import seal as seal_password
from adjudicator.auth.reply_tokens import increment_generation, reply_tokens_of_game
from adjudicator.clock import DAY, HOUR, Millis, format_instant
from adjudicator.config.terms import length_text, read_deadlines
from adjudicator.context import RequestContext
from adjudicator.inbound.commands.joining import JOINED, RESIGNED
from adjudicator.inbound.game_history import build_history
from adjudicator.messages import sentence
from adjudicator.model.addresses import is_own
from adjudicator.model.channel_posts import PostReason
from adjudicator.model.deadline_status import is_solo
from adjudicator.model.deadlines import Deadlines
from adjudicator.model.games import (
    AnyAct,
    BeginGame,
    CastBallot,
    EndGame,
    FileOrders,
    GamePosition,
    Rekey,
    ResetIdleTimer,
    SeatAssignment,
    SetBot,
    SetPassword,
    SetReady,
    SetWait,
    TakeBack,
    TakeBallotsBack,
    TakeSeat,
)
from adjudicator.model.mail import LetterDraft, OutgoingMessage
from adjudicator.model.people import (
    FORGET_AFTER_MS,
    GAMESMASTER_SEAT,
    JOIN_WORD,
    MAX_FREE_GUESSES,
    AdmitPlayer,
    Answered,
    AskBack,
    AskToForget,
    CastVote,
    ChooseDigest,
    ChooseLetters,
    ConfirmEmail,
    DropOffer,
    FillSeat,
    ForgetPoster,
    GameOffer,
    GamePolicy,
    HeldPress,
    HoldPress,
    Invite,
    KeepChoice,
    KnowPoster,
    MakeOffer,
    NoteAbsence,
    NoteCopyWarning,
    NoteDigest,
    NoteGuesses,
    NotePerson,
    NoteSignature,
    NoteTurnout,
    NoteUntold,
    OfferSeat,
    Press,
    QueueGmJob,
    ReleasePress,
    ScheduleForgetting,
    SendPress,
    SetCustoms,
    SetGms,
    SetPlayerBan,
    SetPlayerBlocks,
    SignOut,
    SignUp,
    TakeVoteBack,
    TellGamesmaster,
    Watch,
    has_to_wait,
    invitation_key,
    refusal_key,
)
from adjudicator.outbound.channels import ThreadWriter
from adjudicator.outbound.composer import ReportComposer, draw_chart, draw_map
from adjudicator.outbound.press_batches import press_frame, release_press
from adjudicator.reports import messages as words
from adjudicator.reports import posts, times
from adjudicator.reports.maps import Drawing, deadline_file
from adjudicator.reports.messages import (
    Enclosed,
    Heading,
    LetterReader,
    caller_of,
    gm_notice,
    how_to_answer_press,
    notice,
    turn_report,
)
from adjudicator.reports.posts import ChannelNews, address_to_thread
from adjudicator.reports.report import opening_report, rematch_line
from adjudicator.turns.bots import Talk
from adjudicator.turns.due_actions import MOTION_LIFETIME_MS
from adjudicator.turns.log import EntryOrigin, set_up
from games.dice import commitment
from games.protocol import Game, Seat, State
from games.record import Value, replace_fields

# Announcements: posts to channels other than the reports of turns.


@dataclass(frozen=True)
class Announcer:
    """Writes public news for all channels. Without a channel, it makes nothing."""

    writer: ReportComposer
    now: Millis

    def announce_start(
        self, position: GamePosition, customs: GamePolicy | None = None
    ) -> list[OutgoingMessage]:
        """Announce that a game begins. position: the first one.

        customs: the game's settings, if they are not in the database yet.
        """
        thread = ThreadWriter(self.writer, self.now).open_thread(position, customs)
        if not self.writer.channels(position.name, "begun", customs=customs):
            return thread
        game = position.game
        report = opening_report(game, position, None, commitment=commitment(position.secret))
        people = sum(assignment.is_person for assignment in position.assignments.values())
        # Before a player has a seat, the deadline isn't the one that will count.
        report = report if people else replace_fields(report, deadline=None)
        drawn = self._draw_map(position, "begun")
        begun = posts.start_news(game, report, people, drawn, self._service_info, self.now)
        return [*thread, *self.writer.seal_posts(begun, self.now, "begun", customs=customs)]

    def announce_end(self, position: GamePosition) -> list[OutgoingMessage]:
        """Announce that a game has ended by agreement or by the GM. position: the game then."""
        thread = self.writer.thread(position)
        if not thread and not self.writer.channels(position.name, "ended"):
            return []
        game, drawn = position.game, self._draw_map(position, "ended")
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
        game = position.game
        return self._seal_posts(
            posts.deadline_news(game, position, position.deadline, self._service_info, self.now)
        )

    def announce_offer(self, offer: GameOffer) -> list[OutgoingMessage]:
        """Announce that a game is open for players."""
        if not self.writer.channels(offer.name, "wanted", customs=offer.customs):
            return []
        news = posts.players_wanted_news(games.kinds()[offer.kind], offer, self._service_info, self.now)
        return self.writer.seal_posts(news, self.now, "wanted", customs=offer.customs)

    def announce_vacancy(self, position: GamePosition, act: OfferSeat) -> list[OutgoingMessage]:
        """Announce that a seat is free."""
        if not self.writer.channels(position.name, "wanted"):
            return []
        game = position.game
        return self._seal_posts(
            posts.vacancy_news(game, position, act.seat, act.at, self._service_info, self.now)
        )

    def announce_press(self, position: GamePosition, act: SendPress) -> list[OutgoingMessage]:
        """Announce press to all. Other press isn't public."""
        if act.press.to is not None or not self.writer.channels(position.name, "press"):
            return []
        keys = reply_tokens_of_game(position.name, self.writer.repository, self.writer.service_context)
        press = replace_fields(act.press, text=keys.redact(act.press.text))
        game = position.game
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
        game = position.game
        return draw_map(game, position.state, (), None)


PASSWORD_BYTES = 9


ActWithoutEmail = (
    SetBot
    | SetWait
    | SetReady
    | ResetIdleTimer
    | BeginGame
    | TakeBack
    | TakeBallotsBack
    | NotePerson
    | SignUp
    | SignOut
    | Watch
    | SetCustoms
    | DropOffer
    | FillSeat
    | TakeVoteBack
    | AskBack
    | Answered
    | KnowPoster
    | ForgetPoster
    | NoteCopyWarning
    | HoldPress
    | ReleasePress
    | ChooseLetters
    | KeepChoice
    | NoteUntold
    | ChooseDigest
    | NoteDigest
    | NoteSignature
    | ConfirmEmail
    | NoteTurnout
    | SetPlayerBlocks
    | SetPlayerBan
    | ScheduleForgetting
    | SetGms
    | QueueGmJob
)
"""The acts that other players get no email about."""


class NotifiedActs(Value, frozen=True):
    """Actions ready to be stored, and the emails about them."""

    acts: tuple[AnyAct, ...]
    letters: tuple[OutgoingMessage, ...]


def side_effects(acts: Iterable[AnyAct], composer: ReportComposer, now: Millis) -> NotifiedActs:
    """Return the side effects of actions: passwords for new players, emails to the others.

    Bots that read a piece of press write their answers, which are actions too.
    """
    acts = tuple(acts)
    void = tuple((act.game, act.seat) for act in acts if isinstance(act, Rekey))
    offers = {act.offer.name: act.offer for act in acts if isinstance(act, MakeOffer)}
    notifier, talk = Notifier(composer, now, void, offers), Talk(composer.repository.people)
    done: list[AnyAct] = []
    letters: list[OutgoingMessage] = []
    for act in acts:
        position = composer.repository.position(act.game) if isinstance(act, SendPress) else None
        answers = talk.answers(position, act) if isinstance(act, SendPress) and position else ()
        for each_act in (act, *answers):
            made, new_letters = notifier.notify_of(each_act)
            done.append(made)
            letters += new_letters
    return NotifiedActs((*done, *notifier.further), tuple(letters))


@dataclass(frozen=True)
class Notifier:
    """Notifies players of acts that concern them. void: the games and seats with revoked reply tokens.

    offers: the games that the same acts open for players. sent: the press with notifications so far. further:
    additional acts to store.
    """

    writer: ReportComposer
    now: Millis
    void: tuple[tuple[str, Seat], ...] = ()
    offers: Mapping[str, GameOffer] = field(default_factory=dict)
    sent: list[SendPress] = field(default_factory=list)
    further: list[HoldPress | ReleasePress] = field(default_factory=list)

    def notify_of(self, act: AnyAct) -> tuple[AnyAct, Sequence[OutgoingMessage]]:
        """Return an action ready to be stored, and the emails about it."""
        if isinstance(act, ActWithoutEmail):
            return act, ()
        match act:
            case TakeSeat():
                return self.notify_of_seat(act)
            case SetPassword():
                return self.seal_own_password(act)
            case Rekey():
                return self.notify_of_new_tokens(act)
            case OfferSeat():
                return self.notify_of_free_seat(act)
            case SendPress():
                return self.notify_of_press(act)
            case NoteAbsence():
                return self.notify_of_absence(act)
            case CastVote():
                return self.notify_of_vote(act)
            case CastBallot():
                return act, self._tell_of_motion(act) if act.moves else ()
            case NoteGuesses():
                return self.notify_of_guesses(act)
            case EndGame():
                return self.notify_of_end(act)
            case FileOrders():
                return act, ThreadWriter(self.writer, self.now).announce_orders(act)
            case TellGamesmaster():
                email = self.writer.to_gamesmaster(act.key, act.subject, act.paragraphs, self.now)
                return act, [email]
            case AskToForget():
                return act, [self._ask_to_forget(act)]
            case Invite():
                return act, InvitationWriter(self.writer, self.now, self.offers).write_invitation(act)
            case AdmitPlayer():
                return self.notify_of_admission(act)
            case MakeOffer():
                return act, self._announcer.announce_offer(act.offer)
            case _:
                assert_never(act)

    def notify_of_seat(self, act: TakeSeat) -> tuple[AnyAct, Sequence[OutgoingMessage]]:
        """Welcome the new player of a seat, with a password if the act has none.

        Tell the others about the change.
        """
        position = self._position(act.game)
        before = position.assignments[act.seat]
        news = self._write_seat_news(position, act)
        if act.address is None or act.address == before.address:
            return act, news
        password = None if act.password else secrets.token_urlsafe(PASSWORD_BYTES)
        made = TakeSeat(
            game=act.game,
            by=act.by,
            why=act.why,
            seat=act.seat,
            address=act.address,
            password=act.password or seal_password(password or ""),
        )
        assignment = before.with_player(made.address, made.password)
        there = replace(position, assignments={**position.assignments, act.seat: assignment})
        return made, [self.writer.welcome(there, assignment, password, self.now), *news]

    def _write_seat_news(self, position: GamePosition, act: TakeSeat) -> list[OutgoingMessage]:
        """Return the emails to other players about a seat's new player, without names."""
        texts = {
            RESIGNED: sentence("outbound.notifications.given_up", seat=act.seat),
            JOINED: sentence("outbound.notifications.taken_over", seat=act.seat),
        }
        if act.why not in texts:
            return []
        letters = [
            notice(
                self.writer.reader(position, assignment),
                Heading(
                    f"{act.game}/{position.rev}/{act.why}/{act.seat}/{assignment.seat}",
                    sentence("outbound.notifications.changes_hands_subject", seat=act.seat),
                ),
                (texts[act.why],),
            )
            for assignment in self._human_seats(position)
            if assignment.seat != act.seat
        ]
        return self._seal_all(letters)

    def seal_own_password(self, act: SetPassword) -> tuple[AnyAct, Sequence[OutgoingMessage]]:
        """Seal the password that a player has chosen."""
        assignment = self._position(act.game).assignments[act.seat]
        sealed = seal_password(act.password)
        made = TakeSeat(game=act.game, by=act.by, seat=act.seat, address=assignment.address, password=sealed)
        return made, ()

    def notify_of_new_tokens(self, act: Rekey) -> tuple[AnyAct, Sequence[OutgoingMessage]]:
        """Send a valid reply token to the holder of revoked ones, with the reason."""
        position = self._position(act.game)
        assignment = position.assignments[act.seat]
        if act.quietly or not assignment.is_person:
            return act, ()
        subject, paragraphs = words.new_address_notice(act.game, act.seat, act.why)
        key = f"{act.game}/address/{act.seat}/{assignment.generation}"
        reader = self.writer.reader(position, assignment)
        return act, self._seal_all([notice(reader, Heading(key, subject), paragraphs)])

    def notify_of_free_seat(self, act: OfferSeat) -> tuple[AnyAct, Sequence[OutgoingMessage]]:
        """Send the position of a free seat to all on the waiting list. The first to reply gets the seat.

        Those who wait for the GM's consent get it with that consent.
        """
        position = self._position(act.game)
        admission, leaves = (
            Admission(self.writer.repository, self.now),
            position.assignments[act.seat].address,
        )
        addresses: list[str] = []
        letters: list[OutgoingMessage] = []
        for signup in self.writer.repository.people.signups(act.game):
            hold = admission.find_hold_in(position, signup.address)
            if hold is not None:
                question = ask_consent(act.game, signup.address, hold)
                letters += self.notify_of(question)[1]
            elif signup.address != leaves:
                addresses.append(signup.address)
        letters += self._write_free_seat(position, act.seat, addresses)
        return act, [*letters, *self._announcer.announce_vacancy(position, act)]

    def notify_of_admission(self, act: AdmitPlayer) -> tuple[AnyAct, Sequence[OutgoingMessage]]:
        """Send the position of each free seat to a waiting person whom the GM lets in."""
        position = self.writer.repository.position(act.game)
        if position is None or not position.is_running:
            return act, ()
        vacancies = self.writer.repository.people.vacancies(act.game)
        return act, [
            letter for seat in vacancies for letter in self._write_free_seat(position, seat, [act.address])
        ]

    def _write_free_seat(
        self, position: GamePosition, seat: Seat, addresses: Sequence[str]
    ) -> list[OutgoingMessage]:
        game = position.game
        headline = sentence("outbound.notifications.free", seat=seat, game=position.name)
        sealed_by = commitment(position.secret)
        stands = opening_report(game, position, None, commitment=sealed_by, now=self.now)
        report = replace_fields(stands, headline=headline)
        drawn = draw_map(game, position.state, (), None)
        letters = [
            turn_report(
                game,
                report,
                self._caller(address, position.name),
                Enclosed(picture=drawn.png if drawn else None),
                heading=Heading(
                    f"{position.name}/{position.rev}/free/{seat}/{address}",
                    sentence("outbound.notifications.free_subject", game=position.name, seat=seat),
                ),
            )
            for address in addresses
        ]
        return self._seal_all(letters)

    def notify_of_press(self, act: SendPress) -> tuple[AnyAct, Sequence[OutgoingMessage]]:
        """Return an email with press to each reader. Too much press in an hour waits."""
        if any(earlier.key == act.key for earlier in self.sent):
            return act, ()
        emails = self.press_letters(self._position(act.game), act, may_wait=True)
        self.sent.append(act)
        return act, emails

    def press_letters(
        self, position: GamePosition, act: SendPress, *, may_wait: bool = False
    ) -> list[OutgoingMessage]:
        """Return the emails with a piece of press. position: the game at that time.

        may_wait: whether readers with much press get the rest together, later.
        """
        press = act.press
        if press.to == (GAMESMASTER_SEAT,):
            if may_wait and self._has_to_wait(act, GAMESMASTER_SEAT):
                return []
            return self._write_to_gms(position, act)
        hearers = [
            assignment
            for seat, assignment in position.assignments.items()
            if seat != press.seat and press.is_heard_by(seat)
        ]
        letters = [
            self._write_press(
                press,
                act,
                self.writer.reader(position, hearer),
                press_frame(self.writer, position, press, hearer.seat),
            )
            for hearer in hearers
            if hearer.is_person and not (may_wait and self._has_to_wait(act, hearer.seat))
        ]
        if press.to is None:
            watching = self.writer.repository.people.observers(act.game)
            letters += [
                self._write_press(press, act, self._caller(observer, act.game))
                for observer in watching
                if not (may_wait and self._has_to_wait(act, observer))
            ]
        posts = self._announcer.announce_press(position, act) if self.writer.service_context.channels else ()
        return [*self._seal_all(letters), *posts]

    def _write_to_gms(self, position: GamePosition, act: SendPress) -> list[OutgoingMessage]:
        """Return the emails with press to the GM: to the GMs of the game, or to the GM of the service.

        The GMs of a game answer by `GM SEND`, and don't read the writer's address.
        """
        press = act.press
        rows = "\n".join(f"| {row}" for row in press.text.splitlines())
        readers = find_gm_readers(self.writer.repository.people.gms(act.game), position)
        writes = position.assignments[press.seat].address if press.seat and not readers else None
        heading = sentence(
            "outbound.notifications.writes_to_you_subject", seat=press.seat, game=act.game, address=writes
        )
        if not readers:
            return [self.writer.to_gamesmaster(act.key, heading, (rows,), self.now)]
        paragraphs = (rows, how_to_answer_press([press.seat] if press.seat else ()))
        context = RequestContext(self.writer.repository, self.writer.service_context, self.now)
        drafts = [
            gm_notice(gm, act.game, Heading(f"{act.key}/gm/{gm.mark}", heading), paragraphs, context)
            for gm in readers
        ]
        return self._seal_all(drafts)

    def _has_to_wait(self, act: SendPress, reader: str) -> bool:
        """Return whether press waits for a reader, and record that."""
        people_repository, name, press = self.writer.repository.people, act.game, act.press
        earlier = [
            press_sent
            for press_sent in people_repository.press(name, press.at - HOUR)
            if press_sent.seat is not None
        ]
        earlier += [act_sent.press for act_sent in self.sent if act_sent.game == name]
        held = [*people_repository.held_press(name), *self._press_held_in_transaction(name)]
        if not has_to_wait(press, reader, earlier, held):
            return False
        self.further.append(HoldPress(by=act.by, game=name, key=act.key, reader=reader, at=self.now))
        return True

    def _press_held_in_transaction(self, game: str) -> Iterator[HeldPress]:
        press = {act.key: act.press for act in self.sent}
        for holding in self.further:
            if isinstance(holding, HoldPress) and holding.game == game and holding.key in press:
                yield HeldPress(
                    game=game,
                    key=holding.key,
                    press=press[holding.key],
                    reader=holding.reader,
                    since=holding.at,
                )

    def _write_press(
        self, press: Press, act: SendPress, reader: LetterReader, frame: tuple[str, ...] = ()
    ) -> LetterDraft:
        rows = "\n".join(f"| {row}" for row in press.text.splitlines())
        writer, readers = press.signature, press.readers
        subject = (
            sentence("outbound.notifications.press_subject", writer=writer, readers=readers)
            if readers
            else sentence("outbound.notifications.press_to_all_subject", writer=writer)
        )
        heading = Heading(f"{act.key}/{reader.seat or reader.address}", subject)
        return notice(reader, heading, (rows, *frame))

    def notify_of_absence(self, act: NoteAbsence) -> tuple[AnyAct, Sequence[OutgoingMessage]]:
        """Tell all others the days of an absence, or its end."""
        position = self._position(act.game)
        anonymous = self.writer.repository.people.policy(act.game).anonymous
        letters = []
        for assignment in self._human_seats(position):
            if assignment.seat == act.seat:
                continue
            reader = self.writer.reader(position, assignment)
            if act.absence is None:
                subject = sentence("outbound.notifications.here_subject", seat=act.seat)
                text = sentence("outbound.notifications.here", seat=act.seat)
            else:
                days = act.absence.first, act.absence.last
                first, last = times.span(*days, reader.zone, anywhere=anonymous)
                subject = sentence("outbound.notifications.away_subject", seat=act.seat)
                text = sentence("outbound.notifications.away", seat=act.seat, first=first, last=last)
            span = (act.absence.first, act.absence.last) if act.absence else (0, 0)
            key = f"{act.game}/{position.entries}/away/{act.seat}/{span[0]}-{span[1]}/{assignment.seat}"
            letters.append(notice(reader, Heading(key, subject), (text,)))
        return act, self._seal_all(letters)

    def notify_of_vote(self, act: CastVote) -> tuple[AnyAct, Sequence[OutgoingMessage]]:
        """Tell all players, once a turn, of a proposed draw or concession, without the proposer's name."""
        position, to = self._position(act.game), act.vote.to
        earlier = self.writer.repository.people.votes(act.game).values()
        if any((vote.motion, vote.to) == (act.vote.motion, to) for vote in earlier):
            # All players know of the proposal. Nobody may learn who agrees, not even the proposer.
            return act, ()
        draw = act.vote.motion == "draw"
        majority = draw and self.writer.repository.people.policy(act.game).draws == "majority"
        words = f"DRAW {to or ''}".strip() if draw else f"CONCEDE TO {to}"
        paragraphs = (
            sentence("outbound.notifications.proposed", to=to, draw=draw),
            sentence("outbound.notifications.how_to_agree", words=words, majority=majority),
        )
        letters = [
            notice(
                self.writer.reader(position, assignment),
                Heading(
                    f"{act.game}/{position.entries}/{act.vote.motion}/{to or ''}/{assignment.seat}",
                    sentence("outbound.notifications.proposed_subject", to=to, draw=draw),
                ),
                paragraphs,
            )
            for assignment in self._human_seats(position)
            if assignment.seat != act.vote.seat
        ]
        return act, self._seal_all(letters)

    def _tell_of_motion(self, act: CastBallot) -> list[OutgoingMessage]:
        """Tell all other players of a new motion, without its mover."""
        position = self._position(act.game)
        words = f"VOTE {act.motion.upper()}"
        words += f" {length_text(act.length)}" if act.length else ""
        paragraphs = (
            sentence("outbound.notifications.moved", motion=act.motion, length=length_text(act.length)),
            sentence(
                "outbound.notifications.how_to_vote",
                words=words,
                unanimous=self.writer.repository.people.policy(act.game).votes == "all",
                days=MOTION_LIFETIME_MS // DAY,
            ),
        )
        subject = sentence("outbound.notifications.moved_subject", motion=act.motion)
        letters = [
            notice(
                self.writer.reader(position, assignment),
                Heading(f"{act.game}/{position.entries}/moved/{words}/{act.at}/{assignment.seat}", subject),
                paragraphs,
            )
            for assignment in self._human_seats(position)
            if assignment.seat != act.seat
        ]
        return self._seal_all(letters)

    def notify_of_guesses(self, act: NoteGuesses) -> tuple[AnyAct, Sequence[OutgoingMessage]]:
        """Tell a seat's player that we accept no password after wrong ones, once for each time.

        For the word of a game, tell the GM.
        """
        if act.seat == JOIN_WORD:
            return act, self._tell_of_guessed_word(act)
        position, until = self._position(act.game), act.after.until
        assignment = position.assignments[act.seat]
        if until <= act.before.until or not assignment.is_person:
            return act, ()
        reader = self.writer.reader(position, assignment)
        end = format_instant(until, reader.zone)
        paragraphs = (
            sentence(
                "outbound.notifications.guessed",
                times=MAX_FREE_GUESSES,
                game=act.game,
                seat=act.seat,
                until=end,
            ),
            sentence("outbound.notifications.guessed_meanwhile"),
        )
        key = f"{act.game}/guessed/{act.seat}/{assignment.generation}/{until}"
        subject = sentence("outbound.notifications.guessed_subject", seat=act.seat)
        letter = notice(reader, Heading(key, subject), paragraphs)
        return act, self._seal_all([letter])

    def _tell_of_guessed_word(self, act: NoteGuesses) -> list[OutgoingMessage]:
        until = act.after.until
        if until <= act.before.until:
            return []
        end = format_instant(until, self.writer.service_context.zone)
        paragraphs = (
            sentence("outbound.notifications.word_guessed", times=MAX_FREE_GUESSES, game=act.game, until=end),
            sentence("outbound.notifications.word_guessed_meanwhile", game=act.game),
        )
        subject = sentence("outbound.notifications.word_guessed_subject", game=act.game)
        return [self.writer.to_gamesmaster(f"{act.game}/guessed-word/{until}", subject, paragraphs, self.now)]

    def notify_of_end(self, act: EndGame) -> tuple[AnyAct, Sequence[OutgoingMessage]]:
        """Send the final state of a game, and the secret of its dice, to all players and observers."""
        position = self._position(act.game)
        game = position.game
        over = replace(position, status="finished", deadline=None, agreed=act.result)
        drawn = draw_map(game, position.state, (), None)
        course = build_history(game, over, self.writer.repository.log(act.game))
        clocked = not is_solo(over)
        letters = []
        readers = [
            (assignment.seat, self.writer.reader(position, assignment))
            for assignment in self._human_seats(position)
        ]
        watching = self.writer.repository.people.observers(act.game)
        for viewer, reader in [
            *readers,
            *((None, self._caller(observer, act.game)) for observer in watching),
        ]:
            seen = replace_fields(course, viewer=viewer) if course else None
            report = replace_fields(
                opening_report(game, over, viewer, commitment=commitment(position.secret)),
                headline=sentence("outbound.notifications.over", game=act.game),
                result=act.result,
                turn=None,
                wanted=(),
                sheet=(),
                secret=position.secret.hex(),
                history=seen,
                rematch=rematch_line(position, viewer),
            )
            key = f"{act.game}/{position.entries}/end/{reader.seat or reader.address}"
            picture = drawn.png if drawn else None
            gone = deadline_file(over, viewer, self.now, self.writer.organizer) if clocked else ()
            letters.append(
                turn_report(
                    game,
                    report,
                    reader,
                    Enclosed(picture=picture, chart=draw_chart(seen), attached=gone),
                    heading=Heading(
                        key, sentence("outbound.notifications.over_subject", reason=act.result.reason)
                    ),
                )
            )
        released = release_press(
            self.writer, position, self.writer.repository.people.held_press(act.game), self.now
        )
        self.further.extend(released.person_actions)
        return act, [*self._seal_all([*released.emails, *letters]), *self._announcer.announce_end(over)]

    def _ask_to_forget(self, act: AskToForget) -> OutgoingMessage:
        """Ask the owner of an address whether they want to be forgotten. A reply names the question."""
        request, context = (
            act.request,
            RequestContext(self.writer.repository, self.writer.service_context, self.now),
        )
        reader = caller_of(request.address, context, mark=request.mark)
        days = FORGET_AFTER_MS // DAY
        paragraphs = (
            sentence("outbound.forgetting.question", address=request.address),
            sentence("outbound.forgetting.what", days=days),
            sentence("outbound.forgetting.not_you"),
        )
        heading = Heading(
            f"forget/{request.address}/{self.now}", sentence("outbound.forgetting.subject"), replies=True
        )
        return self.writer.seal(notice(reader, heading, paragraphs), self.now)

    @property
    def _announcer(self) -> Announcer:
        return Announcer(self.writer, self.now)

    def _position(self, name: str) -> GamePosition:
        position = self.writer.repository.position(name)
        assert position is not None, "acts are about games that there are"
        for game, seat in self.void:
            position = increment_generation(position, seat) if game == name else position
        return position

    def _human_seats(self, position: GamePosition) -> list[SeatAssignment]:
        return [assignment for assignment in position.assignments.values() if assignment.is_person]

    def _caller(self, address: str, game: str) -> LetterReader:
        return caller_of(
            address, RequestContext(self.writer.repository, self.writer.service_context, self.now), game
        )

    def _seal_all(self, letters: Sequence[LetterDraft]) -> list[OutgoingMessage]:
        return [self.writer.seal(draft, self.now) for draft in letters]


# Invitations: an email about a game and how to join it.
#
# An invitation signs nobody up. Each address gets one for a game, unless it has refused invitations.


@dataclass(frozen=True)
class InvitationWriter:
    """Writes invitations. offers: the games that are opened for players in the same transaction."""

    writer: ReportComposer
    now: Millis
    offers: Mapping[str, GameOffer] = field(default_factory=dict)

    def write_invitation(self, act: Invite) -> list[OutgoingMessage]:
        """Return the invitation to an address; none for players, repeated invitations, and refusals."""
        repository = self.writer.repository
        offer, position = repository.people.offer(act.game), repository.position(act.game)
        offer = offer or self.offers.get(act.game)
        if repository.has_written(invitation_key(act.game, act.address)):
            return []
        if repository.bounces.is_disabled(act.address) or repository.has_written(refusal_key(act.address)):
            return []
        if any(signup.address == act.address for signup in repository.people.signups(act.game)):
            return []
        if repository.people.ban(act.address) is not None:
            return []
        if "@" in act.by and Admission(repository, self.now).are_apart(act.address, act.by):
            return []
        if offer is not None:
            return [self._seal(act, self._describe_offer(act, offer))]
        if position is None or not position.is_running:
            return []
        if any(assignment.address == act.address for assignment in position.assignments.values()):
            return []
        return [self._seal(act, self._describe_running_game(act, position))]

    def _describe_offer(self, act: Invite, offer: GameOffer) -> tuple[str, ...]:
        game = games.kinds()[offer.kind]
        _, state = set_up(
            game, offer.name, offer.options, bytes(32), EntryOrigin.first(self.now, "", bytes(32))
        )
        admission = Admission(self.writer.repository, self.now)
        there = len(admission.sort_signups(offer).players) + (offer.name in self.offers)
        if offer.starts is None:
            waits = sentence("outbound.invitations.waits", count=offer.needed)
        else:
            starts = format_instant(offer.starts, self.writer.service_context.zone)
            waits = sentence("outbound.invitations.waits_until", count=offer.needed, starts=starts)
        stands = f"{waits} {sentence('outbound.invitations.so_far', count=there)}"
        pace = _describe_pace(
            read_deadlines(offer.terms, self.writer.service_context.terms), early=offer.early
        )
        paragraphs = self._write_paragraphs(act, game, state, (stands, pace), offer.customs.anonymous)
        if not offer.rematch:
            return paragraphs
        again = sentence("outbound.invitations.again", seat=act.by, earlier=offer.rematch, game=offer.name)
        return (again, *paragraphs[1:])

    def _describe_running_game(self, act: Invite, position: GamePosition) -> tuple[str, ...]:
        game = position.game
        free = self.writer.repository.people.vacancies(position.name)
        stands = sentence("outbound.invitations.runs", turn=game.rules.turn(position.state).name, free=free)
        anonymous = self.writer.repository.people.policy(position.name).anonymous
        pace = _describe_pace(position.deadlines, early=position.early)
        return self._write_paragraphs(act, game, position.state, (stands, pace), anonymous)

    def _write_paragraphs(
        self, act: Invite, game: Game, state: State, stands: tuple[str, str], anonymous: bool
    ) -> tuple[str, ...]:
        """Return the text of an invitation. stands: the state of the game, and the time that it takes."""
        view, telling = game.rules.view(state, None), game.telling
        about = tuple(filter(None, (telling.setting(view, None), *telling.introduction(view, None))))
        names_host = (
            not anonymous and "@" in act.by and not is_own(act.by, self.writer.service_context.address)
        )
        return (
            sentence(
                "outbound.invitations.invites",
                who=act.by if names_host else None,
                title=game.about.title,
                game=act.game,
            ),
            *filter(None, about),
            *stands,
            sentence("outbound.invitations.to_play", game=act.game),
            sentence("outbound.invitations.not_asked", game=act.game),
        )

    def _seal(self, act: Invite, paragraphs: tuple[str, ...]) -> OutgoingMessage:
        mark = invitation_mark(self.writer.service_context.key, act.address, act.game)
        reader = caller_of(
            act.address,
            RequestContext(self.writer.repository, self.writer.service_context, self.now),
            act.game,
            mark,
        )
        subject = sentence("outbound.invitations.subject", game=act.game)
        letter: LetterDraft = notice(
            reader, Heading(invitation_key(act.game, act.address), subject), paragraphs
        )
        return self.writer.seal(replace_fields(letter, leave=None), self.now)


def _describe_pace(terms: Deadlines, *, early: bool) -> str:
    """Return the sentence about how much time a game takes."""
    moves, *others = [length_text(terms.length(kind)) for kind in ("moves", "retreats", "builds")]
    return sentence(
        "outbound.invitations.costs",
        moves=moves,
        others=others,
        early=early,
        hours=terms.hours,
        days_off=terms.days_off,
    )
