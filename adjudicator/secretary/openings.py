"""Games begun: from a kind, a name and options to all that the books open with."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace

import games
from adjudicator.clock import Millis
from adjudicator.ledger.game_acts import BeginGame
from adjudicator.ledger.hours import Deadlines
from adjudicator.ledger.letters import Sealed
from adjudicator.ledger.people_acts import AnyDeed, DropOffer, SetCustoms, SignUp
from adjudicator.ledger.positions import Chair, Position
from adjudicator.ledger.society import Offer, Signup
from adjudicator.ledger.solitude import is_solo, resting
from adjudicator.referee.deadlines import next_deadline
from adjudicator.referee.grounds import grounds
from adjudicator.referee.log import Link, set_up
from adjudicator.referee.seat_assignment import seated
from adjudicator.secretary.announcements import Announcer
from adjudicator.secretary.writing import Writer
from adjudicator.signs.passwords import seal as seal_password
from adjudicator.store.games import NewGame
from games.dice import SealedDice
from games.protocol import Game, Options
from games.record import changed

PASSWORD_BYTES, SECRET_BYTES, PEPPER_BYTES = 9, 32, 32
BY_SIGNUP = "sign-up"


@dataclass(frozen=True)
class Arranged:
    """All that is agreed of a game before its dice are drawn. options: settled; chairs: in order.

    by: who wants it, as the log says it: no address; founder: that of a player who asked for it by mail.
    """

    name: str
    options: Options
    chairs: Sequence[Chair]
    deadlines: Deadlines
    early: bool = True
    by: str = "gm"
    founder: str | None = None


def new_game(game: Game, arranged: Arranged, now: Millis, secret: bytes | None = None) -> NewGame:
    """A game that begins now. secret: of the dice, drawn if not given.

    Raises Invalid when the options cannot make a game.
    """
    name, options, deadlines = arranged.name, arranged.options, arranged.deadlines
    secret, pepper = secret or secrets.token_bytes(SECRET_BYTES), secrets.token_bytes(PEPPER_BYTES)
    entry, state = set_up(game, name, options, secret, Link.first(now, arranged.by, pepper))
    new = NewGame(
        name=name,
        kind=game.about.kind,
        options=options,
        state=state,
        entry=entry,
        chairs=arranged.chairs,
        deadlines=deadlines,
        early=arranged.early,
        deadline=None,
        secret=secret,
        pepper=pepper,
        proven=grounds(game),
        founder=arranged.founder,
    )
    position = opened(new)
    if is_solo(position):
        return replace(new, timing=resting(new.timing, now))
    return replace(new, deadline=next_deadline(position, game.rules.turn(state).kind, now))


def begun(
    act: BeginGame, deadlines: Deadlines, writer: Writer, now: Millis
) -> tuple[NewGame, tuple[Sealed, ...]]:
    """The game that a player asked for, and the letters: the welcome to him, with his seat's password."""
    game = games.kinds()[act.kind]
    password = secrets.token_urlsafe(PASSWORD_BYTES)
    chairs = [
        Chair(
            seat=seat,
            address=act.by if seat == act.seat else None,
            password=seal_password(password) if seat == act.seat else None,
            bot=act.level,
            temper=act.temper,
        )
        for seat in game.about.seats(act.options)
    ]
    deadlines = changed(deadlines, solo=act.solo or deadlines.solo)
    arranged = Arranged(act.game, act.options, chairs, deadlines, by=act.seat, founder=act.by)
    new = new_game(game, arranged, now)
    position = opened(new)
    welcome = writer.welcome(position, position.chairs[act.seat], password, now)
    return new, (welcome, *Announcer(writer, now).begun(position))


def is_to_begin(offer: Offer, signups: Sequence[Signup], now: Millis) -> bool:
    """Whether a game that waits for people begins now: full, or its time has come with somebody there."""
    in_time = offer.starts is not None and now >= offer.starts
    return len(signups) >= offer.needed or (in_time and bool(signups))


def started(
    offer: Offer, signups: Sequence[Signup], deadlines: Deadlines, writer: Writer, now: Millis
) -> tuple[NewGame, tuple[AnyDeed, ...], list[Sealed]]:
    """The game that people have signed up for, what is done with it, and the letters: to each a welcome.

    The first who came play, as many as there are seats; the others wait for one. Wishes are weighed by
    `referee.seat_assignment`, with lots from the game's own dice. Bots play what is left.
    """
    game = games.kinds()[offer.kind]
    seats = game.about.seats(offer.options)
    playing, waiting = signups[: len(seats)], signups[len(seats) :]
    secret = secrets.token_bytes(SECRET_BYTES)
    given = seated([one.wishes for one in playing], seats, SealedDice(secret, offer.name, 0))
    passwords = {seat: secrets.token_urlsafe(PASSWORD_BYTES) for seat in given}
    sits = {seat: one.address for seat, one in zip(given, playing, strict=True)}
    chairs = [
        Chair(
            seat=seat,
            address=sits.get(seat),
            password=seal_password(passwords[seat]) if seat in sits else None,
            bot=offer.level,
            temper=offer.temper,
        )
        for seat in seats
    ]
    arranged = Arranged(offer.name, offer.options, chairs, deadlines, early=offer.early, by=BY_SIGNUP)
    new = new_game(game, arranged, now, secret)
    position = opened(new)
    letters = [
        *writer.welcomes(position, passwords, now, offer.customs),
        *Announcer(writer, now).begun(position, offer.customs),
    ]
    deeds: list[AnyDeed] = [
        DropOffer(by=BY_SIGNUP, name=offer.name),
        SetCustoms(by=BY_SIGNUP, game=offer.name, customs=offer.customs),
        *(SignUp(by=one.address, signup=one) for one in waiting),
    ]
    return new, tuple(deeds), letters


def opened(new: NewGame) -> Position:
    """A new game as it stands before anything happens."""
    return Position(
        name=new.name,
        kind=new.kind,
        options=new.options,
        status=new.status,
        entries=new.entry.number + 1,
        rev=0,
        head_sha=new.entry.sha,
        state=new.state,
        filed={},
        chairs={chair.seat: chair for chair in new.chairs},
        deadline=new.deadline,
        deadlines=new.deadlines,
        early=new.early,
        secret=new.secret,
        pepper=new.pepper,
        timing=new.timing,
    )
