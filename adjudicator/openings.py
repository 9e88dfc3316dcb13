"""Games begun: from a kind, a name and options to all that the books open with."""

import secrets
from collections.abc import Sequence

import games
from adjudicator.clock import Millis
from adjudicator.ledger import BeginGame, Chair, Deadlines, Position, Sealed
from adjudicator.passwords import seal as seal_password
from adjudicator.referee.log import set_up
from adjudicator.store.games import NewGame
from adjudicator.writing import Writer
from games.protocol import Game, Options

PASSWORD_BYTES, SECRET_BYTES = 9, 32


def new_game(
    game: Game,
    name: str,
    options: Options,
    chairs: Sequence[Chair],
    deadlines: Deadlines,
    now: Millis,
    *,
    early: bool = True,
    secret: bytes | None = None,
    by: str = "gm",
) -> NewGame:
    """A game that begins now. options: settled; secret: of the dice, drawn if not given; by: who wants it.

    Raises Invalid when the options cannot make a game.
    """
    secret = secret or secrets.token_bytes(SECRET_BYTES)
    entry, state = set_up(game, name, options, secret, now, by)
    return NewGame(
        name=name,
        kind=game.about.kind,
        options=options,
        state=state,
        entry=entry,
        chairs=chairs,
        deadlines=deadlines,
        early=early,
        deadline=now + deadlines.length(game.rules.turn(state).kind),
        secret=secret,
    )


def begun(act: BeginGame, deadlines: Deadlines, writer: Writer, now: Millis) -> tuple[NewGame, Sealed]:
    """The game that a player asked for, and the welcome to him, with the password of his seat."""
    game = games.kinds()[act.kind]
    password = secrets.token_urlsafe(PASSWORD_BYTES)
    chairs = [
        Chair(seat=seat, address=act.by, password=seal_password(password))
        if seat == act.seat
        else Chair(seat=seat)
        for seat in game.about.seats(act.options)
    ]
    new = new_game(game, act.game, act.options, chairs, deadlines, now, by=act.by)
    position = _opened(new)
    return new, writer.welcome(position, position.chairs[act.seat], password, now)


def _opened(new: NewGame) -> Position:
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
    )
