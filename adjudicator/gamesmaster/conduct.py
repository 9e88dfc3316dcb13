"""What a gamesmaster does to games: begin one, seat people, prove the log.

`gm` parses, calls these and prints. Each raises Refusal for what cannot be done.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import games
from adjudicator.errors import Refusal
from adjudicator.gamesmaster import forums
from adjudicator.gamesmaster.looking import position_of as position_of
from adjudicator.gamesmaster.looking import seat_of as seat_of
from adjudicator.gamesmaster.playing import play_now as play_now
from adjudicator.house import House
from adjudicator.kinds import kind_named
from adjudicator.ledger.game_acts import SetBot, TakeSeat
from adjudicator.ledger.letters import Sealed
from adjudicator.ledger.people_acts import FillSeat, SetCustoms
from adjudicator.ledger.positions import Chair, Position
from adjudicator.ledger.society import Customs
from adjudicator.referee.bots import chosen, usual
from adjudicator.referee.edits import line
from adjudicator.referee.log import Replay, events_of, replay
from adjudicator.reports.picture import svg
from adjudicator.secretary import openings
from adjudicator.secretary.announcements import Announcer
from adjudicator.settings.terms import customs_of, sorted_out, terms_of
from adjudicator.signs.addresses import is_game_name, is_own, valid_address
from adjudicator.signs.passwords import seal as seal_password
from adjudicator.store import acts, clocks, people
from adjudicator.store import games as book_of_games
from adjudicator.store.clocks import Minute
from adjudicator.store.society import broken_offers
from games.options import settle_for_good
from games.protocol import Invalid, OptionValue
from games.record import changed


@dataclass(frozen=True)
class GameRequest:
    """What a new game is asked to be, in words. name: a free one where none is asked for.

    terms: as `settings.terms` reads them, the service's usual ones where nothing is said; early: whether a
    turn is played as soon as all is in; level, temper: of the bots, by their names.
    """

    kind: str
    name: str | None = None
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    terms: Mapping[str, str] = field(default_factory=dict)
    early: bool = True
    level: str | None = None
    temper: str | None = None


def player_address(house: House, text: str) -> str:
    """The address of somebody who may play."""
    address = valid_address(text)
    if address is None or is_own(address, house.office.address):
        raise Refusal(f"address {text}", "is no address of a player", "write it like  iroquois@example.org")
    return address


def new_game(house: House, asked: GameRequest, *, secret: bytes | None = None) -> Position:
    """Begin a game, all seats with bots. secret: of the dice, drawn if not given."""
    game = kind_named(asked.kind)
    name = asked.name or free_name(house, game.about.kind)
    check_name(house, name)
    now = house.clock.now()
    times, customs, early_said = sorted_out(asked.terms)
    agreed = customs_of(customs, Customs())
    forums.check(house.office, game, agreed)
    deadlines = terms_of(times, house.settings.deadlines)
    early = asked.early if early_said is None else early_said
    try:
        settled = settle_for_good(game.about, asked.options)
        bot, manner = chosen(game, asked.level or usual(game), asked.temper)
        chairs = [Chair(seat=seat, bot=bot, temper=manner) for seat in game.about.seats(settled)]
        arranged = openings.Arranged(name, settled, chairs, deadlines, early=early)
        new = openings.new_game(game, arranged, now, secret)
    except Invalid as fault:
        raise Refusal(fault.what, fault.why, fault.instead) from fault
    told = Announcer(house.writer, now).begun(openings.opened(new), agreed)
    with house.database.writing():
        book_of_games.create(house.database, new, told, now)
        if customs:
            people.do(house.database, SetCustoms(by=house.hand, game=name, customs=agreed))
    return position_of(house, name)


def assign(house: House, name: str, seat: str, address: str | None, why: str = "") -> str | None:
    """Give a seat to a person (None: to its bot), who is mailed a password; it is returned.

    Raises Refusal where another person sits there: he is to be told.
    """
    position = position_of(house, name)
    at = seat_of(position, seat)
    if not position.running:
        raise Refusal(f"game {name}", "the game is over")
    if address is None:
        _perform(house, TakeSeat(game=name, by=house.hand, why=why, seat=at, address=None), ())
        return None
    checked = player_address(house, address)
    if position.chairs[at].address not in (None, checked):
        raise Refusal(
            f"seat {at}",
            f"is held by {position.chairs[at].address}",
            f"gm seat replace {name} {seat} {address}  gives it to another, and tells both",
        )
    password = secrets.token_urlsafe(openings.PASSWORD_BYTES)
    sealed = seal_password(password)
    act = TakeSeat(game=name, by=house.hand, why=why, seat=at, address=checked, password=sealed)
    chair = position.chairs[at].taken_by(checked, act.password)
    there = replace(position, chairs={**position.chairs, at: chair})
    _perform(house, act, (house.writer.welcome(there, chair, password, house.clock.now()),))
    return password


def set_bot(house: House, name: str, seat: str, level: str, temper: str | None = None, why: str = "") -> None:
    """Say who plays a seat while nobody holds it: a bot of that level, with a temperament or none."""
    position = position_of(house, name)
    at = seat_of(position, seat)
    if not position.running:
        raise Refusal(f"game {name}", "the game is over")
    try:
        bot, manner = chosen(games.kinds()[position.kind], level, temper)
    except Invalid as fault:
        raise Refusal(fault.what, fault.why, fault.instead) from fault
    now, by = house.clock.now(), house.hand
    what = f"{at}: its bot is {', '.join(filter(None, (bot, manner)))}"
    with house.database.writing():
        act = SetBot(game=name, by=by, why=why, seat=at, level=bot, temper=manner)
        acts.perform(house.database, [act], (), now)
        clocks.note(house.database, Minute(game=name, at=now, by=by, what=what, why=why))


def prove(house: House, name: str) -> Replay:
    """Play a game's log again and compare every throw and every state."""
    position = position_of(house, name)
    game = games.kinds()[position.kind]
    log = book_of_games.log(house.database, name)
    found = replay(game, name, position.secret, log, position.head_sha)
    counting = line([entry for entry, _ in log[: found.agreed]])
    return changed(found, turns=sum(entry.kind == "turn" for entry in counting))


def drawing(house: House, name: str, place: int = -1) -> str:
    """The map of a game as anybody may see it, with what happened in its last turn, as SVG.

    place: in the log, of another turn to draw.
    """
    position = position_of(house, name)
    game = games.kinds()[position.kind]
    log = book_of_games.log(house.database, name)
    events = events_of(game, name, position.secret, log, place)
    state = game.state_from(log[place][1])
    before = game.state_from(log[place % len(log) - 1][1]) if events else state
    seen = tuple(event for event in events if event.seen_by is None)
    drawn = svg(game, game.rules.view(state, None), seen, game.rules.turn(before).name)
    if drawn is None:
        raise Refusal(f"kind {position.kind}", "has no map")
    return drawn


def check_name(house: House, name: str) -> None:
    """Raise Refusal where a new game cannot be called so."""
    if is_game_name(name) and book_of_games.is_taken(house.database, name):
        raise Refusal(f"game {name}", "there is a game of that name already", "choose another name")
    check_unused(house, name)
    if clocks.was_deleted(house.database, name) or name in broken_offers(house.database):
        why = "was the name of a game that is deleted, and people have letters of it"
        raise Refusal(f"game {name}", why, "choose another name")


def check_unused(house: House, name: str) -> None:
    """Raise Refusal where no game can be called so, or one that waits for people is."""
    if not is_game_name(name):
        instead = "take 1 to 20 of a-z, 0-9 and the hyphen, but neither b nor sent"
        raise Refusal(
            f"game {name!r}" if not name.isprintable() else f"game {name}",
            "a game cannot be called so",
            instead,
        )
    if house.books.society.offer(name) is not None:
        raise Refusal(f"game {name}", "waits for people under that name", f"gm game start {name}  begins it")


def free_name(house: House, kind: str) -> str:
    """A name for a game that has none: its kind and the first number that is free."""
    taken = house.books.names()
    stem = kind[:14].rstrip("-")
    numbers = (f"{stem}-{number}" for number in range(1, len(taken) + 2))
    return next(name for name in numbers if name not in taken)


def _perform(house: House, act: TakeSeat, sealed: tuple[Sealed, ...]) -> None:
    now, database = house.clock.now(), house.database
    what = f"{act.seat} to {'somebody' if act.address else 'its bot'}"
    with database.writing():
        free = act.seat in house.books.society.vacancies(act.game)
        fill = [FillSeat(by=act.by, game=act.game, seat=act.seat)] if free else []
        acts.perform(database, [act, *fill], sealed, now)
        clocks.note(database, Minute(game=act.game, at=now, by=act.by, what=what, why=act.why))
