"""JOIN, PREFERENCE, OBSERVE, RESIGN: who plays where, who waits for a seat, who watches."""

import re

import games
from adjudicator.clerk.commands.case import Caller, Case, Done, listed, told
from adjudicator.clerk.commands.choosing import choose_seats
from adjudicator.ledger.game_acts import AnyAct, TakeSeat
from adjudicator.ledger.people_acts import FillSeat, OfferSeat, SignOut, SignUp, Watch
from adjudicator.ledger.positions import Position
from adjudicator.ledger.society import Offer, Signup
from adjudicator.signs.addresses import valid_address
from games.protocol import Seat
from orders.commands import Command

_LEAD = re.compile(r"^(?:\s*(?:as|with|for|my|preferences?)\b[\s:]*)*", re.IGNORECASE)
RESIGNED, JOINED = "resigned", "joined"
"""Why a seat changes hands by letter."""

UNREACHABLE = "No letter of ours can go to the address that you write from, so nobody can play from there."


def join(caller: Caller, command: Command) -> Done:
    """Sign up for a game that waits for people; take a free seat of one that runs, or wait for one."""
    if not command.args:
        return told(
            "Say which game: JOIN and its name. LIST on a line of its own shows those that wait for people."
        )
    if valid_address(caller.address) is None or caller.address == caller.office.address:
        return told(UNREACHABLE)
    name, wishes = _name(command.args[0]), " ".join(command.args[1:])
    offer = caller.books.society.offer(name)
    if offer is not None:
        return _sign_up(caller, offer, wishes)
    position = caller.books.position(name)
    if position is None:
        return told(f"There is no game called {name}. LIST on a line of its own shows those there are.")
    return _enter(caller, position, wishes)


def prefer(caller: Caller, command: Command) -> Done:
    """Say which seats one would like, where one has signed up."""
    said = command.args[0]
    word, _, rest = said.replace(":", " ", 1).partition(" ")
    signed = {one.game: one for one in caller.books.society.signed_up(caller.address)}
    named = _name(word) in signed
    if not signed:
        return told(
            "You have signed up for no game. JOIN, its name and the seats that you would like does both."
        )
    if not named and len(signed) > 1:
        return told(f"Say for which game: PREFERENCE {next(iter(signed))} and the seats that you would like.")
    game = _name(word) if named else next(iter(signed))
    offer = caller.books.society.offer(game)
    if offer is not None:
        return _sign_up(caller, offer, rest if named else said)
    position = caller.books.position(game)
    return _wait(caller, position, rest if named else said) if position else told(f"There is no game {game}.")


def observe(caller: Caller, command: Command) -> Done:
    """Watch a game: its reports come by mail, as anybody may see them."""
    if not command.args:
        return told("Say which game: OBSERVE and its name. LIST on a line of its own shows them.")
    name = _name(command.args[0])
    position = caller.books.position(name)
    if position is None or not position.running:
        return told(f"There is no game called {name} that could be watched. LIST shows those there are.")
    if any(chair.address == caller.address for chair in position.chairs.values()):
        return told(f"You play in {name}, so its reports come to you anyway.")
    act = Watch(game=name, by=caller.address, address=caller.address)
    return Done(acts=(act,), notes=(f"From now on you get the reports of {name}. RESIGN {name} ends that.",))


def resign(caller: Caller, command: Command) -> Done:
    """Leave: a seat, the list of those who wait for one, the circle of those who watch."""
    name = _name(command.args[0]) if command.args else None
    if isinstance(caller, Case) and name in (None, caller.name):
        return _give_up(caller)
    if name is None:
        return told("Say which game: RESIGN and its name. From a seat, answer a letter that came for it.")
    left, notes = list[AnyAct](), list[str]()
    if any(one.game == name for one in caller.books.society.signed_up(caller.address)):
        left.append(SignOut(game=name, by=caller.address, address=caller.address))
        notes.append(f"You are no longer signed up for {name}.")
    if caller.address in caller.books.society.observers(name):
        left.append(Watch(game=name, by=caller.address, address=caller.address, watches=False))
        notes.append(f"The reports of {name} come to you no longer.")
    if left:
        return Done(acts=tuple(left), notes=tuple(notes))
    if any(game == name for game, _ in caller.books.seats_of(caller.address)):
        return told(f"To give up your seat in {name}, answer a letter that came for it with RESIGN.")
    return told(f"You have neither a seat nor a place on a list in {name}, so that changes nothing.")


def _give_up(case: Case) -> Done:
    position = case.seated.position
    if not position.running:
        return told("The game is over, so that changes nothing.")
    free = TakeSeat(game=case.name, by=case.seat, why=RESIGNED, seat=case.seat, address=None)
    offer = OfferSeat(game=case.name, by=case.seat, why=RESIGNED, seat=case.seat, at=case.received)
    others = any(chair.is_person and seat != case.seat for seat, chair in position.chairs.items())
    note = f"You have given up {case.seat} in {case.name}; a bot plays on"
    if not others:
        return Done(acts=(free,), notes=(f"{note}.",))
    return Done(acts=(free, offer), notes=(f"{note} until somebody takes the seat over.",))


def _sign_up(caller: Caller, offer: Offer, wishes: str) -> Done:
    seats = games.kinds()[offer.kind].about.seats(offer.options)
    chosen = choose_seats(_without_as(wishes), seats)
    if chosen.unknown:
        return told(f"{listed(chosen.unknown)} is no seat of {offer.name}. There are: {', '.join(seats)}.")
    signed = next(
        (one for one in caller.books.society.signed_up(caller.address) if one.game == offer.name), None
    )
    liked = chosen.seats or (signed.wishes if signed else ())
    signup = Signup(game=offer.name, address=caller.address, wishes=liked, since=caller.received)
    there = len(caller.books.society.signups(offer.name)) + (signed is None)
    likes = f", best of all {', then '.join(liked)}" if liked else ""
    notes = [f"You are signed up for {offer.name}{likes}. {there} of {offer.needed} are there."]
    if not liked:
        notes.append(
            f"PREFERENCE {offer.name} and the seats that you would like, the dearest first, says which."
        )
    return Done(acts=(SignUp(by=caller.address, signup=signup),), notes=tuple(notes))


def _enter(caller: Caller, position: Position, wishes: str) -> Done:
    """Take a free seat of a running game, or wait for one."""
    name = position.name
    if not position.running:
        return told(f"The game {name} is over.")
    if any(chair.address == caller.address for chair in position.chairs.values()):
        return told(f"You play in {name} already.")
    free = caller.books.society.vacancies(name)
    chosen = choose_seats(_without_as(wishes), position.chairs)
    if chosen.unknown:
        return told(
            f"{listed(chosen.unknown)} is no seat of {name}. There are: {', '.join(position.chairs)}."
        )
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
    return Done(
        acts=tuple(acts), notes=(f"You play {seat} in {name} from now on; its welcome comes by itself.",)
    )


def _wait(caller: Caller, position: Position, wishes: str) -> Done:
    """A place on the waiting list."""
    chosen = choose_seats(_without_as(wishes), position.chairs)
    if chosen.unknown:
        unknown = listed(chosen.unknown)
        return told(f"{unknown} is no seat of {position.name}. There are: {', '.join(position.chairs)}.")
    waiting = caller.books.society.signups(position.name)
    place = next((n for n, one in enumerate(waiting, 1) if one.address == caller.address), len(waiting) + 1)
    signup = Signup(game=position.name, address=caller.address, wishes=chosen.seats, since=caller.received)
    note = f"No such seat of {position.name} is free now. You are number {place} on its waiting list"
    return Done(
        acts=(SignUp(by=caller.address, signup=signup),),
        notes=(f"{note}, and are told, with the position, when one is.",),
    )


def _name(word: str) -> str:
    return word.lower().strip(" .,;:")


def _without_as(text: str) -> str:
    """Wishes without the words that lead up to them."""
    return _LEAD.sub("", text)
