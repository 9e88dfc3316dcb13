"""JOIN, PREFERENCE, OBSERVE, RESIGN: who plays where, who waits for a seat, who watches."""

import re
from collections.abc import Sequence

import games
from adjudicator.catalogue import sentence
from adjudicator.clerk.commands.case import Caller, Case, Done, told
from adjudicator.clerk.commands.choosing import choose_seats
from adjudicator.ledger.game_acts import AnyAct, TakeSeat
from adjudicator.ledger.people_acts import FillSeat, OfferSeat, SignOut, SignUp, Watch
from adjudicator.ledger.positions import Position
from adjudicator.ledger.society import Offer, Signup
from adjudicator.reports.times import listed
from adjudicator.signs.addresses import valid_address
from games.protocol import Seat
from orders.commands import Command

_LEAD = re.compile(r"^(?:\s*(?:as|with|for|my|preferences?)\b[\s:]*)*", re.IGNORECASE)
RESIGNED, JOINED = "resigned", "joined"
"""Why a seat changes hands by letter."""


def join(caller: Caller, command: Command) -> Done:
    """Sign up for a game that waits for people; take a free seat of one that runs, or wait for one."""
    if not command.args:
        return told(sentence("clerk.joining.join_which"))
    if valid_address(caller.address) is None or caller.address == caller.office.address:
        return told(sentence("clerk.joining.unreachable"))
    name, wishes = _name(command.args[0]), " ".join(command.args[1:])
    offer = caller.books.society.offer(name)
    if offer is not None:
        return _sign_up(caller, offer, wishes)
    position = caller.books.position(name)
    if position is None and caller.books.stuck(name) is not None:
        return told(sentence("clerk.joining.held", game=name))
    if position is None:
        return told(sentence("clerk.joining.no_such_game", game=name))
    return _enter(caller, position, wishes)


def prefer(caller: Caller, command: Command) -> Done:
    """Say which seats one would like, where one has signed up."""
    said = command.args[0]
    word, _, rest = said.replace(":", " ", 1).partition(" ")
    signed = caller.signups
    named = _name(word) in signed
    if not signed:
        return told(sentence("clerk.joining.not_signed_up"))
    if not named and len(signed) > 1:
        return told(sentence("clerk.joining.prefer_which", game=next(iter(signed))))
    game = _name(word) if named else next(iter(signed))
    offer = caller.books.society.offer(game)
    if offer is not None:
        return _sign_up(caller, offer, rest if named else said)
    position = caller.books.position(game)
    if position is None and caller.books.stuck(game) is not None:
        return told(sentence("clerk.joining.held", game=game))
    if position is None:
        return told(sentence("clerk.joining.game_gone", game=game))
    return _wait(caller, position, rest if named else said)


def observe(caller: Caller, command: Command) -> Done:
    """Watch a game: its reports come by mail, as anybody may see them."""
    if not command.args:
        return told(sentence("clerk.joining.observe_which"))
    name = _name(command.args[0])
    position = caller.books.position(name)
    if position is None and caller.books.stuck(name) is not None:
        return told(sentence("clerk.joining.held", game=name))
    if position is None or not position.running:
        return told(sentence("clerk.joining.none_to_watch", game=name))
    if any(chair.address == caller.address for chair in position.chairs.values()):
        return told(sentence("clerk.joining.watches_anyway", game=name))
    act = Watch(game=name, by=caller.address, address=caller.address)
    return Done(acts=(act,), notes=(sentence("clerk.joining.watches", game=name),))


def resign(caller: Caller, command: Command) -> Done:
    """Leave: a seat, the list of those who wait for one, the circle of those who watch."""
    name = _name(command.args[0]) if command.args else None
    if isinstance(caller, Case) and name in (None, caller.name):
        return _give_up(caller)
    if name is None:
        return told(sentence("clerk.joining.resign_which"))
    left, notes = list[AnyAct](), list[str]()
    if any(one.game == name for one in caller.books.society.signed_up(caller.address)):
        left.append(SignOut(game=name, by=caller.address, address=caller.address))
        notes.append(sentence("clerk.joining.signed_out", game=name))
    if caller.address in caller.books.society.observers(name):
        left.append(Watch(game=name, by=caller.address, address=caller.address, watches=False))
        notes.append(sentence("clerk.joining.watches_no_longer", game=name))
    if left:
        return Done(acts=tuple(left), notes=tuple(notes))
    if any(game == name for game, _ in caller.books.seats_of(caller.address)):
        return told(sentence("clerk.joining.resign_by_answer", game=name))
    return told(sentence("clerk.joining.nothing_to_resign", game=name))


def _give_up(case: Case) -> Done:
    position = case.seated.position
    if not position.running:
        return told(sentence("clerk.joining.nothing_left_to_resign"))
    free = TakeSeat(game=case.name, by=case.seat, why=RESIGNED, seat=case.seat, address=None)
    offer = OfferSeat(game=case.name, by=case.seat, why=RESIGNED, seat=case.seat, at=case.received)
    others = any(chair.is_person and seat != case.seat for seat, chair in position.chairs.items())
    note = sentence("clerk.joining.given_up", seat=case.seat, game=case.name, others=others)
    return Done(acts=(free, offer) if others else (free,), notes=(note,))


def _sign_up(caller: Caller, offer: Offer, wishes: str) -> Done:
    seats = games.kinds()[offer.kind].about.seats(offer.options)
    chosen = choose_seats(_without_as(wishes), seats)
    if chosen.unknown:
        return _no_such_seat(chosen.unknown, offer.name, seats)
    signed = caller.signups.get(offer.name)
    liked = chosen.seats or (signed.wishes if signed else ())
    signup = Signup(game=offer.name, address=caller.address, wishes=liked, since=caller.received)
    others = [one for one in caller.books.society.signups(offer.name) if one.address != caller.address]
    there = len(others) + 1
    notes = [
        sentence("clerk.joining.signed_up", game=offer.name, liked=liked, there=there, needed=offer.needed)
    ]
    if not liked:
        notes.append(sentence("clerk.joining.say_which_seats", game=offer.name))
    return Done(acts=(SignUp(by=caller.address, signup=signup),), notes=tuple(notes))


def _enter(caller: Caller, position: Position, wishes: str) -> Done:
    """Take a free seat of a running game, or wait for one."""
    name = position.name
    if not position.running:
        return told(sentence("clerk.joining.game_over", game=name))
    if any(chair.address == caller.address for chair in position.chairs.values()):
        return told(sentence("clerk.joining.plays_already", game=name))
    free = caller.books.society.vacancies(name)
    chosen = choose_seats(_without_as(wishes), position.chairs)
    if chosen.unknown:
        return _no_such_seat(chosen.unknown, name, tuple(position.chairs))
    seat = next((one for one in chosen.seats if one in free), None)
    if seat is None and free and not chosen.seats:
        seat = free[0]
    return _wait(caller, position, wishes) if seat is None else _take(caller, position, seat)


def _take(caller: Caller, position: Position, seat: Seat) -> Done:
    name, by = position.name, caller.address
    acts: list[AnyAct] = [
        FillSeat(game=name, by=by, seat=seat, must=True),
        TakeSeat(game=name, by=by, why=JOINED, seat=seat, address=by),
        SignOut(game=name, by=by, address=by),
    ]
    if by in caller.books.society.observers(name):
        acts.append(Watch(game=name, by=by, address=by, watches=False))
    return Done(acts=tuple(acts), notes=(sentence("clerk.joining.taken", seat=seat, game=name),))


def _wait(caller: Caller, position: Position, wishes: str) -> Done:
    """A place on the waiting list."""
    chosen = choose_seats(_without_as(wishes), position.chairs)
    if chosen.unknown:
        return _no_such_seat(chosen.unknown, position.name, tuple(position.chairs))
    waiting = caller.books.society.signups(position.name)
    place = next((n for n, one in enumerate(waiting, 1) if one.address == caller.address), len(waiting) + 1)
    signup = Signup(game=position.name, address=caller.address, wishes=chosen.seats, since=caller.received)
    note = sentence("clerk.joining.waits", game=position.name, place=place)
    return Done(acts=(SignUp(by=caller.address, signup=signup),), notes=(note,))


def _no_such_seat(unknown: Sequence[str], game: str, seats: Sequence[Seat]) -> Done:
    return told(sentence("clerk.joining.no_such_seat", unknown=listed(unknown), game=game, seats=seats))


def _name(word: str) -> str:
    return word.lower().strip(" .,;:")


def _without_as(text: str) -> str:
    """Wishes without the words that lead up to them."""
    return _LEAD.sub("", text)
