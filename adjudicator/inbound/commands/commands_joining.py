"""JOIN, PREFERENCE, OBSERVE, RESIGN: taking a seat, waiting for one, watching, and leaving."""

import re
from collections.abc import Sequence

import games
from adjudicator.inbound.commands.choosing import choose_seats
from adjudicator.inbound.commands.context import CommandContext, CommandResult, SeatCommandContext, reply_with
from adjudicator.messages import sentence
from adjudicator.model.addresses import valid_address
from adjudicator.model.game_acts import AnyAct, TakeSeat
from adjudicator.model.games import GamePosition
from adjudicator.model.people import GameOffer, Signup
from adjudicator.model.people_acts import FillSeat, OfferSeat, SignOut, SignUp, Watch
from adjudicator.reports.times import join_names
from games.protocol import Seat
from orders.commands import Command

_WISH_LEAD_IN = re.compile(r"^(?:\s*(?:as|with|for|my|preferences?)\b[\s:]*)*", re.IGNORECASE)
RESIGNED, JOINED = "resigned", "joined"
"""Why a seat changes hands by letter."""


def join_game(caller: CommandContext, command: Command) -> CommandResult:
    """Sign up for a game that is open for players; take a free seat of one that runs, or wait for one."""
    if not command.args:
        return reply_with(sentence("clerk.joining.join_which"))
    if valid_address(caller.address) is None or caller.address == caller.office.address:
        return reply_with(sentence("clerk.joining.unreachable"))
    name, wishes = _game_name(command.args[0]), " ".join(command.args[1:])
    offer = caller.books.people.offer(name)
    if offer is not None:
        return _sign_up(caller, offer, wishes)
    position = caller.books.position(name)
    if position is None and caller.books.suspension(name) is not None:
        return reply_with(sentence("clerk.joining.held", game=name))
    if position is None:
        return reply_with(sentence("clerk.joining.no_such_game", game=name))
    return _join_running_game(caller, position, wishes)


def set_preference(caller: CommandContext, command: Command) -> CommandResult:
    """Set the seats that the sender would like in a game that they have signed up for."""
    text = command.args[0]
    word, _, rest = text.replace(":", " ", 1).partition(" ")
    signed = caller.signups
    named = _game_name(word) in signed
    if not signed:
        return reply_with(sentence("clerk.joining.not_signed_up"))
    if not named and len(signed) > 1:
        return reply_with(sentence("clerk.joining.prefer_which", game=next(iter(signed))))
    game = _game_name(word) if named else next(iter(signed))
    offer = caller.books.people.offer(game)
    if offer is not None:
        return _sign_up(caller, offer, rest if named else text)
    position = caller.books.position(game)
    if position is None and caller.books.suspension(game) is not None:
        return reply_with(sentence("clerk.joining.held", game=game))
    if position is None:
        return reply_with(sentence("clerk.joining.game_gone", game=game))
    return _join_waiting_list(caller, position, rest if named else text)


def observe_game(caller: CommandContext, command: Command) -> CommandResult:
    """Watch a game: its reports come by email, as anybody may see them."""
    if not command.args:
        return reply_with(sentence("clerk.joining.observe_which"))
    name = _game_name(command.args[0])
    position = caller.books.position(name)
    if position is None and caller.books.suspension(name) is not None:
        return reply_with(sentence("clerk.joining.held", game=name))
    if position is None or not position.is_running:
        return reply_with(sentence("clerk.joining.none_to_watch", game=name))
    if any(chair.address == caller.address for chair in position.chairs.values()):
        return reply_with(sentence("clerk.joining.watches_anyway", game=name))
    act = Watch(game=name, by=caller.address, address=caller.address)
    return CommandResult(acts=(act,), notes=(sentence("clerk.joining.watches", game=name),))


def resign(caller: CommandContext, command: Command) -> CommandResult:
    """Leave: a seat, the list of those who wait for one, the circle of those who watch."""
    name = _game_name(command.args[0]) if command.args else None
    if isinstance(caller, SeatCommandContext) and name in (None, caller.name):
        return _resign_seat(caller)
    if name is None:
        return reply_with(sentence("clerk.joining.resign_which"))
    acts, notes = list[AnyAct](), list[str]()
    if any(signup.game == name for signup in caller.books.people.signed_up(caller.address)):
        acts.append(SignOut(game=name, by=caller.address, address=caller.address))
        notes.append(sentence("clerk.joining.signed_out", game=name))
    if caller.address in caller.books.people.observers(name):
        acts.append(Watch(game=name, by=caller.address, address=caller.address, watches=False))
        notes.append(sentence("clerk.joining.watches_no_longer", game=name))
    if acts:
        return CommandResult(acts=tuple(acts), notes=tuple(notes))
    if any(game == name for game, _ in caller.books.seats_of(caller.address)):
        return reply_with(sentence("clerk.joining.resign_by_answer", game=name))
    return reply_with(sentence("clerk.joining.nothing_to_resign", game=name))


def _resign_seat(case: SeatCommandContext) -> CommandResult:
    position = case.seated.position
    if not position.is_running:
        return reply_with(sentence("clerk.joining.nothing_left_to_resign"))
    free = TakeSeat(game=case.name, by=case.seat, why=RESIGNED, seat=case.seat, address=None)
    offer = OfferSeat(game=case.name, by=case.seat, why=RESIGNED, seat=case.seat, at=case.received)
    others = any(chair.is_person and seat != case.seat for seat, chair in position.chairs.items())
    note = sentence("clerk.joining.given_up", seat=case.seat, game=case.name, others=others)
    return CommandResult(acts=(free, offer) if others else (free,), notes=(note,))


def _sign_up(caller: CommandContext, offer: GameOffer, wishes: str) -> CommandResult:
    seats = games.kinds()[offer.kind].about.seats(offer.options)
    chosen = choose_seats(_strip_lead_in(wishes), seats)
    if chosen.unknown:
        return _no_such_seat(chosen.unknown, offer.name, seats)
    signed = caller.signups.get(offer.name)
    liked = chosen.seats or (signed.wishes if signed else ())
    signup = Signup(game=offer.name, address=caller.address, wishes=liked, since=caller.received)
    others = [other for other in caller.books.people.signups(offer.name) if other.address != caller.address]
    there = len(others) + 1
    notes = [
        sentence("clerk.joining.signed_up", game=offer.name, liked=liked, there=there, needed=offer.needed)
    ]
    if not liked:
        notes.append(sentence("clerk.joining.say_which_seats", game=offer.name))
    return CommandResult(acts=(SignUp(by=caller.address, signup=signup),), notes=tuple(notes))


def _join_running_game(caller: CommandContext, position: GamePosition, wishes: str) -> CommandResult:
    """Take a free seat of a running game, or wait for one."""
    name = position.name
    if not position.is_running:
        return reply_with(sentence("clerk.joining.game_over", game=name))
    if any(chair.address == caller.address for chair in position.chairs.values()):
        return reply_with(sentence("clerk.joining.plays_already", game=name))
    free = caller.books.people.vacancies(name)
    chosen = choose_seats(_strip_lead_in(wishes), position.chairs)
    if chosen.unknown:
        return _no_such_seat(chosen.unknown, name, tuple(position.chairs))
    seat = next((wish for wish in chosen.seats if wish in free), None)
    if seat is None and free and not chosen.seats:
        seat = free[0]
    return (
        _join_waiting_list(caller, position, wishes) if seat is None else _take_seat(caller, position, seat)
    )


def _take_seat(caller: CommandContext, position: GamePosition, seat: Seat) -> CommandResult:
    name, by = position.name, caller.address
    acts: list[AnyAct] = [
        FillSeat(game=name, by=by, seat=seat, must=True),
        TakeSeat(game=name, by=by, why=JOINED, seat=seat, address=by),
        SignOut(game=name, by=by, address=by),
    ]
    if by in caller.books.people.observers(name):
        acts.append(Watch(game=name, by=by, address=by, watches=False))
    return CommandResult(acts=tuple(acts), notes=(sentence("clerk.joining.taken", seat=seat, game=name),))


def _join_waiting_list(caller: CommandContext, position: GamePosition, wishes: str) -> CommandResult:
    """Put the sender on the waiting list."""
    chosen = choose_seats(_strip_lead_in(wishes), position.chairs)
    if chosen.unknown:
        return _no_such_seat(chosen.unknown, position.name, tuple(position.chairs))
    waiting = caller.books.people.signups(position.name)
    place = next(
        (n for n, waiting_signup in enumerate(waiting, 1) if waiting_signup.address == caller.address),
        len(waiting) + 1,
    )
    signup = Signup(game=position.name, address=caller.address, wishes=chosen.seats, since=caller.received)
    note = sentence("clerk.joining.waits", game=position.name, place=place)
    return CommandResult(acts=(SignUp(by=caller.address, signup=signup),), notes=(note,))


def _no_such_seat(unknown: Sequence[str], game: str, seats: Sequence[Seat]) -> CommandResult:
    return reply_with(
        sentence("clerk.joining.no_such_seat", unknown=join_names(unknown), game=game, seats=seats)
    )


def _game_name(word: str) -> str:
    return word.lower().strip(" .,;:")


def _strip_lead_in(text: str) -> str:
    """Return wishes without the words that lead up to them."""
    return _WISH_LEAD_IN.sub("", text)
