"""Creating games: from a kind, a name and options to the records that the database stores at the start."""

import logging
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace

import games
from adjudicator.auth.admission import Admission, SortedSignups
from adjudicator.auth.passwords import seal as seal_password
from adjudicator.clock import Millis
from adjudicator.config.terms import read_deadlines
from adjudicator.errors import Fault
from adjudicator.messages import sentence
from adjudicator.model.deadline_status import is_solo, timing_without_clock
from adjudicator.model.deadlines import Deadlines
from adjudicator.model.games import FAILED_CHECK_INTERVAL_MS, BeginGame, GamePosition, SeatAssignment
from adjudicator.model.mail import OutgoingMessage
from adjudicator.model.people import (
    AnyPersonAction,
    DropOffer,
    GameOffer,
    OfferSeat,
    SetCustoms,
    SignUp,
    Signup,
)
from adjudicator.model.repository import Repository
from adjudicator.outbound.composer import ReportComposer
from adjudicator.outbound.notifications import Announcer
from adjudicator.storage import due_games, people, stored_games
from adjudicator.storage.database import Database
from adjudicator.storage.stored_games import NewGame
from adjudicator.turns.deadlines import next_deadline
from adjudicator.turns.gather import assign_seats
from adjudicator.turns.log import EntryOrigin, set_up
from adjudicator.turns.runner import rules_version
from games.dice import SealedDice
from games.protocol import Game, Options, Seat
from games.record import replace_fields

FIRST_PASSWORD_BYTES, DICE_SECRET_BYTES, GAME_PEPPER_BYTES = 9, 32, 32
SIGNUP_ACTOR = "sign-up"


@dataclass(frozen=True)
class GameSetup:
    """The settings of a game before its secret is chosen. options: checked. assignments: in order of the
    seats.

    by: the name of its creator for the log, not their address. founder: the address of a player who requested
    it by email.
    """

    name: str
    options: Options
    assignments: Sequence[SeatAssignment]
    deadlines: Deadlines
    early: bool = True
    by: str = "gm"
    founder: str | None = None


def new_game(game: Game, arranged: GameSetup, now: Millis, secret: bytes | None = None) -> NewGame:
    """Return a game that begins now. secret: the secret of its dice, random by default.

    Raises Invalid if no game is possible with these options.
    """
    name, options, deadlines = arranged.name, arranged.options, arranged.deadlines
    secret, pepper = secret or secrets.token_bytes(DICE_SECRET_BYTES), secrets.token_bytes(GAME_PEPPER_BYTES)
    entry, state = set_up(game, name, options, secret, EntryOrigin.first(now, arranged.by, pepper))
    new = NewGame(
        name=name,
        kind=game.about.kind,
        options=options,
        state=state,
        entry=entry,
        assignments=arranged.assignments,
        deadlines=deadlines,
        early=arranged.early,
        deadline=None,
        secret=secret,
        pepper=pepper,
        proven=rules_version(game),
        founder=arranged.founder,
    )
    position = initial_position(new)
    if is_solo(position):
        return replace(new, timing=timing_without_clock(new.timing, now))
    return replace(new, deadline=next_deadline(position, game.rules.turn(state).kind, now))


def create_requested_game(
    act: BeginGame, deadlines: Deadlines, composer: ReportComposer, now: Millis
) -> tuple[NewGame, tuple[OutgoingMessage, ...]]:
    """Return a game that a player requested, and the welcome with the seat's password."""
    game = games.kinds()[act.kind]
    password = secrets.token_urlsafe(FIRST_PASSWORD_BYTES)
    assignments = [
        SeatAssignment(
            seat=seat,
            address=act.by if seat == act.seat else None,
            password=seal_password(password) if seat == act.seat else None,
            bot=act.level,
            temper=act.temper,
        )
        for seat in game.about.seats(act.options)
    ]
    deadlines = replace_fields(deadlines, solo=act.solo or deadlines.solo)
    arranged = GameSetup(act.game, act.options, assignments, deadlines, by=act.seat, founder=act.by)
    new = new_game(game, arranged, now)
    position = initial_position(new)
    welcome = composer.welcome(position, position.assignments[act.seat], password, now)
    return new, (welcome, *Announcer(composer, now).announce_start(position))


def is_ready_to_begin(offer: GameOffer, signups: Sequence[Signup], now: Millis) -> bool:
    """Return whether an open game begins now: it is full, or its time has come and someone has joined.

    signups: those that count.
    """
    in_time = offer.starts is not None and now >= offer.starts
    least = 2 if offer.rematch else 1
    return len(signups) >= offer.needed or (in_time and len(signups) >= least)


def create_offered_game(
    offer: GameOffer, signups: SortedSignups, deadlines: Deadlines, composer: ReportComposer, now: Millis
) -> tuple[NewGame, tuple[AnyPersonAction, ...], list[OutgoingMessage]]:
    """Return a new game with the players who have joined, the actions, and a welcome to each player.

    The first players get the seats, and the others wait for one, or for the GM's consent. `assign_seats`
    weighs their wishes, with random choices from the game's own dice. Bots play the other seats.
    """
    game = games.kinds()[offer.kind]
    seats = game.about.seats(offer.options)
    playing = signups.players[: len(seats)]
    waiting = [*signups.players[len(seats) :], *(signup for signup, _ in signups.held)]
    secret = secrets.token_bytes(DICE_SECRET_BYTES)
    earlier = _earlier_seats(offer, playing, composer.repository)
    dice = SealedDice(secret, offer.name, 0)
    given = assign_seats([signup.wishes for signup in playing], seats, dice, earlier)
    passwords = {seat: secrets.token_urlsafe(FIRST_PASSWORD_BYTES) for seat in given}
    addresses = {seat: signup.address for seat, signup in zip(given, playing, strict=True)}
    assignments = [
        SeatAssignment(
            seat=seat,
            address=addresses.get(seat),
            password=seal_password(passwords[seat]) if seat in addresses else None,
            bot=offer.level,
            temper=offer.temper,
        )
        for seat in seats
    ]
    arranged = GameSetup(
        offer.name, offer.options, assignments, deadlines, early=offer.early, by=SIGNUP_ACTOR
    )
    new = new_game(game, arranged, now, secret)
    position = initial_position(new)
    letters = [
        *composer.welcomes(position, passwords, now, offer.customs),
        *Announcer(composer, now).announce_start(position, offer.customs),
    ]
    person_actions: list[AnyPersonAction] = [
        DropOffer(by=SIGNUP_ACTOR, name=offer.name),
        SetCustoms(by=SIGNUP_ACTOR, game=offer.name, customs=offer.customs),
        *(SignUp(by=signup.address, signup=signup) for signup in waiting),
    ]
    if offer.rematch:
        missing = [seat for seat in seats if seat not in addresses][: offer.needed - len(playing)]
        person_actions += [OfferSeat(by=SIGNUP_ACTOR, game=offer.name, seat=seat, at=now) for seat in missing]
    return new, tuple(person_actions), letters


def _earlier_seats(
    offer: GameOffer, playing: Sequence[Signup], repository: Repository
) -> list[frozenset[Seat]]:
    """Return for each player the seats that they had in the game that is played again."""
    before = repository.position(offer.rematch) if offer.rematch else None
    held = before.assignments.values() if before is not None else ()
    return [
        frozenset(assignment.seat for assignment in held if assignment.address == signup.address)
        for signup in playing
    ]


def initial_position(new: NewGame) -> GamePosition:
    """Return a new game in its first position."""
    return GamePosition(
        name=new.name,
        kind=new.kind,
        options=new.options,
        status=new.status,
        entries=new.entry.number + 1,
        rev=0,
        head_sha=new.entry.sha,
        state=new.state,
        filed={},
        assignments={assignment.seat: assignment for assignment in new.assignments},
        deadline=new.deadline,
        deadlines=new.deadlines,
        early=new.early,
        secret=new.secret,
        pepper=new.pepper,
        timing=new.timing,
    )


# Games that are open for players. They begin when enough players have signed up, or at a set time.


log = logging.getLogger(__name__)


@dataclass(frozen=True)
class GameStarts:
    """The starts of one service's games. deadlines: the default settings."""

    database: Database
    writer: ReportComposer
    deadlines: Deadlines

    def start_due_games(self, now: Millis) -> None:
        """Start each game that may begin now. Raises StoreFault."""
        for name, seen in due_games.offers_due(self.database, now).items():
            offer = self.writer.repository.people.offer(name)
            if offer is not None:
                again = due_games.within_a_day(name, self._start_if_ready(offer, now), now)
                due_games.put_off_offer(self.database, name, seen, again)

    def start_game(self, offer: GameOffer, now: Millis) -> None:
        """Start a game with the players who have signed up for it."""
        signups = Admission(self.writer.repository, now).sort_signups(offer)
        terms = read_deadlines(offer.terms, self.deadlines)
        new, person_actions, letters = create_offered_game(offer, signups, terms, self.writer, now)
        with self.database.writing():
            stored_games.create(self.database, new, letters, now)
            for action in person_actions:
                people.apply_action(self.database, action)
        playing = sum(assignment.is_person for assignment in new.assignments)
        log.info(sentence("service.mail.game_begun", game=offer.name, count=playing))

    def _start_if_ready(self, offer: GameOffer, now: Millis) -> Millis | None:
        """Start a game if it is ready. Returns when to check again, or None for the next sign-up."""
        signups = Admission(self.writer.repository, now).sort_signups(offer).players
        if not is_ready_to_begin(offer, signups, now):
            return offer.starts if offer.starts is not None and offer.starts > now else None
        try:
            self.start_game(offer, now)
        except Fault:
            raise
        except Exception:  # a game that can't begin doesn't stop the others
            log.exception(sentence("service.mail.game_not_begun", game=offer.name))
        return now + FAILED_CHECK_INTERVAL_MS
