"""The gamesmaster's actions on whole games: begin one, seat people, verify the log."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import games
from adjudicator.admin import gamesmaster_forums
from adjudicator.admin.lookup import position_of as position_of
from adjudicator.admin.lookup import seat_of as seat_of
from adjudicator.admin.playing import play_now as play_now
from adjudicator.auth.passwords import seal as seal_password
from adjudicator.config.terms import read_deadlines, read_policy, sort_settings
from adjudicator.errors import Refusal, WriteConflict
from adjudicator.kinds import find_kind
from adjudicator.model.addresses import is_game_name, is_own, short_seat_name, valid_address
from adjudicator.model.game_acts import SetBot
from adjudicator.model.games import GamePosition, SeatAssignment
from adjudicator.model.mail import OutgoingMessage
from adjudicator.model.people import GamePolicy
from adjudicator.model.people_acts import FillSeat, SetCustoms
from adjudicator.outbound import signups
from adjudicator.outbound.announcements import Announcer
from adjudicator.outbound.reminders import clock_minutes, seated_with_clock
from adjudicator.reports.picture import svg
from adjudicator.service import Service
from adjudicator.storage import acts, clocks, people
from adjudicator.storage import stored_games as book_of_games
from adjudicator.storage.clocks import Minute
from adjudicator.storage.society import broken_offers
from adjudicator.turns.bots import default_level, parse_bot_choice
from adjudicator.turns.log import Replay, events_of, replay
from adjudicator.turns.overrides import counting_entries
from games.options import settle_for_new_game
from games.protocol import Invalid, OptionValue, Seat
from games.record import replace_fields

BOT = "bot"
"""Whom a gamesmaster names where nobody is to sit."""

ATTEMPTS = 5
"""So often somebody is seated again when a letter or a turn comes in between."""


@dataclass(frozen=True)
class GameRequest:
    """A new game as it is asked for, in words. name: a free one where none is asked for.

    terms: as `settings.terms` reads them, the service's usual ones where nothing is said; early: whether a
    turn is played as soon as all is in; level, temper: of the bots, by their names; seats: addresses
    of the people with whom it begins, by their seats.
    """

    kind: str
    name: str | None = None
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    terms: Mapping[str, str] = field(default_factory=dict)
    early: bool = True
    level: str | None = None
    temper: str | None = None
    seats: Mapping[str, str] = field(default_factory=dict)


def player_address(house: Service, text: str) -> str:
    """The address of somebody who may play."""
    address = valid_address(text)
    if address is None or is_own(address, house.office.address):
        raise Refusal(f"address {text}", "is no address of a player", "write it like  iroquois@example.org")
    return address


def new_game(house: Service, asked: GameRequest, *, secret: bytes | None = None) -> GamePosition:
    """Begin a game with the people who are named, each of whom is welcomed, and bots in the other seats.

    secret: of the dice, drawn if not given.
    """
    game = find_kind(asked.kind)
    name = asked.name or free_name(house, game.about.kind)
    check_name(house, name)
    now = house.clock.now()
    times, customs, early_said = sort_settings(asked.terms)
    agreed = read_policy(customs, GamePolicy())
    gamesmaster_forums.check(house.office, game, agreed)
    deadlines = read_deadlines(times, house.settings.deadlines)
    early = asked.early if early_said is None else early_said
    try:
        settled = settle_for_new_game(game.about, asked.options)
        bot, manner = parse_bot_choice(game, asked.level or default_level(game), asked.temper)
        chairs, passwords = _chairs(house, asked.seats, game.about.seats(settled), bot, manner)
        arranged = signups.GameSetup(name, settled, chairs, deadlines, early=early)
        new = signups.new_game(game, arranged, now, secret)
    except Invalid as fault:
        raise Refusal(fault.what, fault.why, fault.instead) from fault
    position, writer = signups.initial_position(new), house.composer
    letters = [
        *writer.welcomes(position, passwords, now, agreed),
        *Announcer(writer, now).announce_start(position, agreed),
    ]
    with house.database.writing():
        book_of_games.create(house.database, new, letters, now)
        if customs:
            people.apply_action(house.database, SetCustoms(by=house.hand, game=name, customs=agreed))
    return position_of(house, name)


def _chairs(
    house: Service, asked: Mapping[str, str], seats: Sequence[Seat], bot: str | None, manner: str | None
) -> tuple[list[SeatAssignment], dict[Seat, str]]:
    """Return the chairs of a new game, and the passwords of those who sit in it, by seat.

    asked: addresses by seat, as they were written. Raises Refusal for a seat that there is not.
    """
    known = {short_seat_name(seat): seat for seat in seats}
    people: dict[Seat, str] = {}
    for text, address in asked.items():
        seat = known.get(short_seat_name(text))
        if seat is None:
            raise Refusal(f"seat {text}", "the game has no such seat", f"it has: {', '.join(seats)}")
        if seat in people:
            raise Refusal(f"seat {seat}", "is named twice", "name each seat once")
        if address.lower() != BOT:
            people[seat] = player_address(house, address)
    passwords = {seat: secrets.token_urlsafe(signups.FIRST_PASSWORD_BYTES) for seat in people}
    chairs = [
        SeatAssignment(
            seat=seat,
            address=people.get(seat),
            password=seal_password(passwords[seat]) if seat in people else None,
            bot=bot,
            temper=manner,
        )
        for seat in seats
    ]
    return chairs, passwords


def assign(house: Service, name: str, seat: str, address: str | None, why: str = "") -> str | None:
    """Give a seat to a person (None: to its bot), who is mailed a password; it is returned.

    The welcome tells the deadline that the game has then. Raises Refusal where another person sits there: he
    is to be told.
    """
    at = seat_of(position_of(house, name), seat)
    checked = None if address is None else player_address(house, address)
    password = None if checked is None else secrets.token_urlsafe(signups.FIRST_PASSWORD_BYTES)
    sealed = None if password is None else seal_password(password)
    for _ in range(ATTEMPTS):
        position = position_of(house, name)
        if not position.is_running:
            raise Refusal(f"game {name}", "the game is over")
        if checked is not None and position.chairs[at].address not in (None, checked):
            raise Refusal(
                f"seat {at}",
                f"is held by {position.chairs[at].address}",
                f"gm seat replace {name} {seat} {address}  gives it to another, and tells both",
            )
        chair, now = position.chairs[at].with_player(checked, sealed), house.clock.now()
        after = seated_with_clock(position, chair, now)
        letters = [house.composer.welcome(after, chair, password, now)] if checked else []
        minute = Minute(
            game=name,
            at=now,
            by=house.hand,
            what=f"{at} to {'somebody' if checked else 'its bot'}",
            why=why,
        )
        try:
            _write_seat(house, position, after, minute, letters)
        except WriteConflict:
            continue
        return password
    raise Refusal(f"game {name}", "is changed by others all the time", "try again")


def _write_seat(
    house: Service,
    position: GamePosition,
    after: GamePosition,
    minute: Minute,
    letters: Sequence[OutgoingMessage],
) -> None:
    """Write down who sits where from now on, and what that does to the clock, in one transaction."""
    database, vacant = house.database, house.books.people.vacancies(position.name)
    taken = [
        seat for seat, chair in after.chairs.items() if chair != position.chairs[seat] and seat in vacant
    ]
    deeds = [FillSeat(by=minute.by, game=position.name, seat=seat) for seat in taken]
    with database.writing():
        clocks.change(database, position, after, minute, acts.SideEffects(minute.at, letters, deeds))
        for one in clock_minutes(position, after, minute.at):
            clocks.note(database, one)


def set_bot(
    house: Service, name: str, seat: str, level: str, temper: str | None = None, why: str = ""
) -> None:
    """Say who plays a seat while nobody holds it: a bot of that level, with a temperament or none."""
    position = position_of(house, name)
    at = seat_of(position, seat)
    if not position.is_running:
        raise Refusal(f"game {name}", "the game is over")
    try:
        bot, manner = parse_bot_choice(games.kinds()[position.kind], level, temper)
    except Invalid as fault:
        raise Refusal(fault.what, fault.why, fault.instead) from fault
    now, by = house.clock.now(), house.hand
    what = f"{at}: its bot is {', '.join(filter(None, (bot, manner)))}"
    with house.database.writing():
        act = SetBot(game=name, by=by, why=why, seat=at, level=bot, temper=manner)
        acts.perform(house.database, [act], (), now)
        clocks.note(house.database, Minute(game=name, at=now, by=by, what=what, why=why))


def prove(house: Service, name: str) -> Replay:
    """Play a game's log again and compare every throw and every state."""
    position = position_of(house, name)
    game = games.kinds()[position.kind]
    log = book_of_games.log(house.database, name)
    found = replay(game, name, position.secret, log, position.head_sha)
    counting = counting_entries([entry for entry, _ in log[: found.agreed]])
    return replace_fields(found, turns=sum(entry.kind == "turn" for entry in counting))


def drawing(house: Service, name: str, place: int = -1) -> str:
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


def check_name(house: Service, name: str) -> None:
    """Raise Refusal where a new game cannot be called so."""
    if is_game_name(name) and book_of_games.is_taken(house.database, name):
        raise Refusal(f"game {name}", "there is a game of that name already", "choose another name")
    check_unused(house, name)
    if clocks.was_deleted(house.database, name) or name in broken_offers(house.database):
        why = "was the name of a game that is deleted, and people have letters of it"
        raise Refusal(f"game {name}", why, "choose another name")


def check_unused(house: Service, name: str) -> None:
    """Raise Refusal where no game can be called so, or one that waits for people is."""
    if not is_game_name(name):
        instead = "take 1 to 20 of a-z, 0-9 and the hyphen, but neither b nor sent"
        raise Refusal(
            f"game {name!r}" if not name.isprintable() else f"game {name}",
            "a game cannot be called so",
            instead,
        )
    if house.books.people.offer(name) is not None:
        raise Refusal(f"game {name}", "waits for people under that name", f"gm game start {name}  begins it")


def free_name(house: Service, kind: str) -> str:
    """A name for a game that has none: its kind and the first number that is free."""
    taken = house.books.names()
    stem = kind[:14].rstrip("-")
    numbers = (f"{stem}-{number}" for number in range(1, len(taken) + 2))
    return next(name for name in numbers if name not in taken)
