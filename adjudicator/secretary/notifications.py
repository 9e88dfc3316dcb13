"""What others are told when something is done: welcomes, press, news, in the act's transaction."""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

import games
from adjudicator.catalogue import sentence
from adjudicator.clerk.annals import course_of
from adjudicator.clerk.commands.joining import JOINED, RESIGNED
from adjudicator.clerk.leaks import with_new_tokens
from adjudicator.clock import HOUR, Millis, spoken
from adjudicator.ledger.game_acts import (
    AnyAct,
    BeginGame,
    EndGame,
    FileOrders,
    Rekey,
    SetBot,
    SetPassword,
    SetReady,
    SetWait,
    Stir,
    TakeBack,
    TakeSeat,
)
from adjudicator.ledger.held_press import has_to_wait
from adjudicator.ledger.letters import Outgoing, Sealed
from adjudicator.ledger.people_acts import (
    Answered,
    AskBack,
    CastVote,
    ChooseDigest,
    ChooseLetters,
    ConfirmEmail,
    DropOffer,
    FillSeat,
    ForgetPoster,
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
    NoteUntold,
    OfferSeat,
    ReleasePress,
    SendPress,
    SetCustoms,
    SignOut,
    SignUp,
    TakeVoteBack,
    TellGamesmaster,
    Watch,
)
from adjudicator.ledger.positions import Chair, Position
from adjudicator.ledger.society import GAMESMASTER, HeldPress, Press
from adjudicator.ledger.solitude import is_solo
from adjudicator.office import Desk
from adjudicator.referee.talk import Talk
from adjudicator.reports import seats as words
from adjudicator.reports import times
from adjudicator.reports.attachments import deadline_file
from adjudicator.reports.messages import Enclosed, Heading, Reader, notice, turn_report
from adjudicator.reports.reader import caller_of
from adjudicator.reports.report import opening
from adjudicator.secretary.announcements import Announcer
from adjudicator.secretary.invitations import Inviter
from adjudicator.secretary.press_batches import release_press
from adjudicator.secretary.press_frames import press_frame
from adjudicator.secretary.threads import Threads
from adjudicator.secretary.writing import Writer, chart_for, map_for
from adjudicator.signs.guesses import FREE
from adjudicator.signs.passwords import seal as seal_password
from games.dice import commitment
from games.protocol import Seat
from games.record import Value, changed

PASSWORD_BYTES = 9


class Following(Value, frozen=True):
    """Acts as they are to be written down, and the letters that go out with them."""

    acts: tuple[AnyAct, ...]
    letters: tuple[Sealed, ...]


def following(acts: Iterable[AnyAct], writer: Writer, now: Millis) -> Following:
    """What follows from acts: passwords are drawn and sealed where somebody sits down; others are told.

    To press that bots hear they write their answers, which are acts as well.
    """
    acts = tuple(acts)
    void = tuple((act.game, act.seat) for act in acts if isinstance(act, Rekey))
    notifier, talk = Notifier(writer, now, void), Talk(writer.books.society)
    done: list[AnyAct] = []
    letters: list[Sealed] = []
    for act in acts:
        position = writer.books.position(act.game) if isinstance(act, SendPress) else None
        answers = talk.answers(position, act) if isinstance(act, SendPress) and position else ()
        for one in (act, *answers):
            made, told = notifier.follow(one)
            done.append(made)
            letters += told
    return Following((*done, *notifier.further), tuple(letters))


@dataclass(frozen=True)
class Notifier:
    """Tells people what concerns them. void: games and seats whose tokens die with what is told.

    sent: the press that was told of so far; further: what is to be written down beside the acts.
    """

    writer: Writer
    now: Millis
    void: tuple[tuple[str, Seat], ...] = ()
    sent: list[SendPress] = field(default_factory=list)
    further: list[HoldPress | ReleasePress] = field(default_factory=list)

    def follow(self, act: AnyAct) -> tuple[AnyAct, Sequence[Sealed]]:
        """An act as it is to be written down, and the letters that tell of it."""
        match act:
            case TakeSeat():
                return self.seated(act)
            case SetPassword():
                return self.resealed(act)
            case Rekey():
                return self.rekeyed(act)
            case OfferSeat():
                return self.offered(act)
            case SendPress():
                return self.dispatched(act)
            case NoteAbsence():
                return self.absent(act)
            case CastVote():
                return self.voted(act)
            case NoteGuesses():
                return self.guessed(act)
            case EndGame():
                return self.ended(act)
            case FileOrders():
                return act, Threads(self.writer, self.now).filed(act)
            case SetBot() | SetWait() | SetReady() | Stir() | BeginGame() | TakeBack():
                return act, ()
            case TellGamesmaster():
                email = self.writer.to_gamesmaster(act.key, act.subject, act.paragraphs, self.now)
                return act, [email]
            case Invite():
                return act, Inviter(self.writer, self.now).invited(act)
            case MakeOffer():
                return act, self._announcer.wanted(act.offer)
            case NotePerson() | SignUp() | SignOut() | Watch() | SetCustoms() | DropOffer():
                return act, ()
            case FillSeat() | TakeVoteBack() | AskBack() | Answered() | KnowPoster() | ForgetPoster():
                return act, ()
            case NoteCopyWarning() | HoldPress() | ReleasePress():
                return act, ()
            case ChooseLetters() | KeepChoice() | NoteUntold() | ChooseDigest() | NoteDigest():
                return act, ()
            case NoteSignature() | ConfirmEmail():
                return act, ()
            case _:
                assert_never(act)

    def seated(self, act: TakeSeat) -> tuple[AnyAct, Sequence[Sealed]]:
        """Somebody sits down: he is welcomed, with a password if the act brings none; or gets up."""
        position = self._position(act.game)
        before = position.chairs[act.seat]
        news = self._news(position, act)
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
        chair = before.taken_by(made.address, made.password)
        there = replace(position, chairs={**position.chairs, act.seat: chair})
        return made, [self.writer.welcome(there, chair, password, self.now), *news]

    def _news(self, position: Position, act: TakeSeat) -> list[Sealed]:
        """What the others in a game are told of a seat that changes hands by letter; not whose they are."""
        told = {
            RESIGNED: sentence("secretary.notifications.given_up", seat=act.seat),
            JOINED: sentence("secretary.notifications.taken_over", seat=act.seat),
        }
        if act.why not in told:
            return []
        letters = [
            notice(
                self.writer.reader(position, chair),
                Heading(
                    f"{act.game}/{position.rev}/{act.why}/{act.seat}/{chair.seat}",
                    sentence("secretary.notifications.changes_hands", seat=act.seat),
                ),
                (told[act.why],),
            )
            for chair in self._people(position)
            if chair.seat != act.seat
        ]
        return self._sealed(letters)

    def resealed(self, act: SetPassword) -> tuple[AnyAct, Sequence[Sealed]]:
        """A password of the player's own, sealed."""
        chair = self._position(act.game).chairs[act.seat]
        sealed = seal_password(act.password)
        made = TakeSeat(game=act.game, by=act.by, seat=act.seat, address=chair.address, password=sealed)
        return made, ()

    def rekeyed(self, act: Rekey) -> tuple[AnyAct, Sequence[Sealed]]:
        """Reply tokens that are void: their holder gets one that is good, and learns why."""
        position = self._position(act.game)
        chair = position.chairs[act.seat]
        if act.quietly or not chair.is_person:
            return act, ()
        subject, paragraphs = words.new_address(act.game, act.seat, act.why)
        key = f"{act.game}/address/{act.seat}/{chair.generation}"
        reader = self.writer.reader(position, chair)
        return act, self._sealed([notice(reader, Heading(key, subject), paragraphs)])

    def offered(self, act: OfferSeat) -> tuple[AnyAct, Sequence[Sealed]]:
        """A seat falls free: all on the waiting list get the position; the first to answer gets the seat."""
        position = self._position(act.game)
        game = games.kinds()[position.kind]
        headline = sentence("secretary.notifications.free", seat=act.seat, game=act.game)
        sealed_by = commitment(position.secret)
        stands = opening(game, position, None, commitment=sealed_by, now=self.now)
        report = changed(stands, headline=headline)
        drawn = map_for(game, position.state, (), None)
        letters = [
            turn_report(
                game,
                report,
                self._caller(one.address, act.game),
                Enclosed(picture=drawn.png if drawn else None),
                heading=Heading(
                    f"{act.game}/{position.rev}/free/{act.seat}/{one.address}",
                    sentence("secretary.notifications.free_subject", game=act.game, seat=act.seat),
                ),
            )
            for one in self.writer.books.society.signups(act.game)
            if one.address != position.chairs[act.seat].address
        ]
        return act, [*self._sealed(letters), *self._announcer.vacant(position, act)]

    def dispatched(self, act: SendPress) -> tuple[AnyAct, Sequence[Sealed]]:
        """Press: an email to each person who may hear it; but what is more than enough in an hour waits."""
        if any(one.key == act.key for one in self.sent):
            return act, ()
        emails = self.told(self._position(act.game), act, may_wait=True)
        self.sent.append(act)
        return act, emails

    def told(self, position: Position, act: SendPress, *, may_wait: bool = False) -> list[Sealed]:
        """The letters that carry a piece of press. position: the game as it is then.

        may_wait: a reader who gets much of it gets the rest together, later.
        """
        press = act.press
        if press.to == (GAMESMASTER,):
            if may_wait and self._waits(act, GAMESMASTER):
                return []
            writes = position.chairs[press.seat].address if press.seat else None
            heading = sentence(
                "secretary.notifications.writes_to_you", seat=press.seat, game=act.game, address=writes
            )
            rows = "\n".join(f"| {row}" for row in press.text.splitlines())
            return [self.writer.to_gamesmaster(act.key, heading, (rows,), self.now)]
        hearers = [
            chair for seat, chair in position.chairs.items() if seat != press.seat and press.is_heard_by(seat)
        ]
        letters = [
            self._press(
                press,
                act,
                self.writer.reader(position, one),
                press_frame(self.writer, position, press, one.seat),
            )
            for one in hearers
            if one.is_person and not (may_wait and self._waits(act, one.seat))
        ]
        if press.to is None:
            watching = self.writer.books.society.observers(act.game)
            letters += [
                self._press(press, act, self._caller(one, act.game))
                for one in watching
                if not (may_wait and self._waits(act, one))
            ]
        posts = self._announcer.spoke(position, act) if self.writer.office.channels else ()
        return [*self._sealed(letters), *posts]

    def _waits(self, act: SendPress, reader: str) -> bool:
        """Return whether press waits for a reader, and note that."""
        society, name, press = self.writer.books.society, act.game, act.press
        earlier = [one for one in society.press(name, press.at - HOUR) if one.seat is not None]
        earlier += [one.press for one in self.sent if one.game == name]
        held = [*society.held_press(name), *self._held_here(name)]
        if not has_to_wait(press, reader, earlier, held):
            return False
        self.further.append(HoldPress(by=act.by, game=name, key=act.key, reader=reader, at=self.now))
        return True

    def _held_here(self, game: str) -> Iterator[HeldPress]:
        press = {one.key: one.press for one in self.sent}
        for one in self.further:
            if isinstance(one, HoldPress) and one.game == game and one.key in press:
                yield HeldPress(game=game, key=one.key, press=press[one.key], reader=one.reader, since=one.at)

    def _press(self, press: Press, act: SendPress, reader: Reader, frame: tuple[str, ...] = ()) -> Outgoing:
        rows = "\n".join(f"| {row}" for row in press.text.splitlines())
        heading = f"{press.heading[:1].lower()}{press.heading[1:]}"
        return notice(
            reader,
            Heading(
                f"{act.key}/{reader.seat or reader.address}",
                sentence("secretary.notifications.press", heading=heading),
            ),
            (rows, *frame),
        )

    def absent(self, act: NoteAbsence) -> tuple[AnyAct, Sequence[Sealed]]:
        """An absence, or its end: all others are told the days."""
        position = self._position(act.game)
        anonymous = self.writer.books.society.customs(act.game).anonymous
        letters = []
        for chair in self._people(position):
            if chair.seat == act.seat:
                continue
            reader = self.writer.reader(position, chair)
            if act.absence is None:
                subject = sentence("secretary.notifications.here_subject", seat=act.seat)
                said = sentence("secretary.notifications.here", seat=act.seat)
            else:
                days = act.absence.first, act.absence.last
                first, last = times.span(*days, reader.zone, anywhere=anonymous)
                subject = sentence("secretary.notifications.away_subject", seat=act.seat)
                said = sentence("secretary.notifications.away", seat=act.seat, first=first, last=last)
            span = (act.absence.first, act.absence.last) if act.absence else (0, 0)
            key = f"{act.game}/{position.entries}/away/{act.seat}/{span[0]}-{span[1]}/{chair.seat}"
            letters.append(notice(reader, Heading(key, subject), (said,)))
        return act, self._sealed(letters)

    def voted(self, act: CastVote) -> tuple[AnyAct, Sequence[Sealed]]:
        """A draw or a concession is proposed: all others are told the same, once a turn, and not by whom.

        Its proposer reads in the reply that it is proposed.
        """
        position, to = self._position(act.game), act.vote.to
        earlier = self.writer.books.society.votes(act.game).values()
        if any((one.motion, one.to) == (act.vote.motion, to) for one in earlier):
            # All know of it; that somebody else agrees is nobody's business, the proposer's least of all.
            return act, ()
        words = "DRAW" if to is None else f"CONCEDE TO {to}"
        paragraphs = (
            sentence("secretary.notifications.proposed", to=to),
            sentence("secretary.notifications.how_to_agree", words=words),
        )
        letters = [
            notice(
                self.writer.reader(position, chair),
                Heading(
                    f"{act.game}/{position.entries}/{act.vote.motion}/{to or ''}/{chair.seat}",
                    sentence("secretary.notifications.proposed_subject", to=to),
                ),
                paragraphs,
            )
            for chair in self._people(position)
            if chair.seat != act.vote.seat
        ]
        return act, self._sealed(letters)

    def guessed(self, act: NoteGuesses) -> tuple[AnyAct, Sequence[Sealed]]:
        """The passwords of a seat begin to rest: its player is told, once for each rest."""
        position, until = self._position(act.game), act.after.until
        chair = position.chairs[act.seat]
        if until <= act.before.until or not chair.is_person:
            return act, ()
        reader = self.writer.reader(position, chair)
        end = spoken(until, reader.zone)
        paragraphs = (
            sentence("secretary.notifications.guessed", times=FREE, game=act.game, seat=act.seat, until=end),
            sentence("secretary.notifications.guessed_meanwhile"),
        )
        key = f"{act.game}/guessed/{act.seat}/{chair.generation}/{until}"
        subject = sentence("secretary.notifications.guessed_subject")
        letter = notice(reader, Heading(key, subject), paragraphs)
        return act, self._sealed([letter])

    def ended(self, act: EndGame) -> tuple[AnyAct, Sequence[Sealed]]:
        """A game is over: everybody gets how it stands at the end, and the secret of its dice."""
        position = self._position(act.game)
        game = games.kinds()[position.kind]
        over = replace(position, status="finished", deadline=None, agreed=act.result)
        drawn = map_for(game, position.state, (), None)
        course = course_of(game, over, self.writer.books.log(act.game))
        chart, clocked = chart_for(course), not is_solo(over)
        letters = []
        readers = [(chair.seat, self.writer.reader(position, chair)) for chair in self._people(position)]
        watching = self.writer.books.society.observers(act.game)
        for viewer, reader in [*readers, *((None, self._caller(one, act.game)) for one in watching)]:
            report = changed(
                opening(game, over, viewer, commitment=commitment(position.secret)),
                headline=sentence("secretary.notifications.over", game=act.game),
                result=act.result,
                turn=None,
                wanted=(),
                sheet=(),
                secret=position.secret.hex(),
                history=course,
            )
            key = f"{act.game}/{position.entries}/end/{reader.seat or reader.address}"
            picture = drawn.png if drawn else None
            gone = deadline_file(over, viewer, self.now, self.writer.organizer) if clocked else ()
            letters.append(
                turn_report(
                    game,
                    report,
                    reader,
                    Enclosed(picture=picture, chart=chart, attached=gone),
                    heading=Heading(
                        key, sentence("secretary.notifications.over_subject", reason=act.result.reason)
                    ),
                )
            )
        released = release_press(
            self.writer, position, self.writer.books.society.held_press(act.game), self.now
        )
        self.further.extend(released.deeds)
        return act, [*self._sealed([*released.emails, *letters]), *self._announcer.ended(over)]

    @property
    def _announcer(self) -> Announcer:
        return Announcer(self.writer, self.now)

    def _position(self, name: str) -> Position:
        position = self.writer.books.position(name)
        assert position is not None, "acts are about games that there are"
        for game, seat in self.void:
            position = with_new_tokens(position, seat) if game == name else position
        return position

    def _people(self, position: Position) -> list[Chair]:
        return [chair for chair in position.chairs.values() if chair.is_person]

    def _caller(self, address: str, game: str) -> Reader:
        return caller_of(address, Desk(self.writer.books, self.writer.office, self.now), game)

    def _sealed(self, letters: Sequence[Outgoing]) -> list[Sealed]:
        return [self.writer.seal(one, self.now) for one in letters]
