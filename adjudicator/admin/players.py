"""The gamesmaster's actions on people: tell names, merge two, invite, write to players."""

import hashlib
from collections.abc import Sequence

import games
from adjudicator.admin.acquaintances import PersonReport, address_of, of, person_report
from adjudicator.admin.game_admin import player_address, position_of, seat_of
from adjudicator.auth.reply_tokens import reply_tokens_of_game
from adjudicator.config.zones import zone_called
from adjudicator.errors import Refusal
from adjudicator.model.people import Person, Press
from adjudicator.model.people_acts import Invite, NotePerson, SendPress
from adjudicator.outbound.notifications import side_effects
from adjudicator.service import Service
from adjudicator.storage import acts, people
from games.record import replace_fields


def describe(house: Service, address: str, name: str | None, zone: str | None) -> PersonReport:
    """Note what somebody is called and where he lives; "" strikes it out, None leaves it."""
    person = Person(address=address_of(address))
    person = house.books.people.person(person.address) or person
    if name is not None:
        person = replace_fields(person, name=" ".join(name.split()) or None)
    if zone is not None:
        person = replace_fields(person, zone=zone_called("zone", zone, "--zone {zone}") if zone else None)
    acts.perform(house.database, [NotePerson(by=house.hand, person=person)], (), house.clock.now())
    return person_report(house, person)


def merge(house: Service, address: str, into: str) -> int:
    """Let somebody go by another address everywhere. Returns how many seats he has taken along.

    What was mailed to the old address speaks for its seats no longer.
    """
    old, other = of(house, address).person.address, address_of(into)
    if old == other:
        raise Refusal(f"player {address}", "is the same address", "name the one that stays last")
    both = [game for game, _ in house.books.seats_of(old) if game in dict(house.books.seats_of(other))]
    if both:
        raise Refusal(
            f"players {old} and {other}",
            f"play against each other in {', '.join(both)}",
            f"gm seat replace {both[0]} SEAT ADDRESS  gives one of the seats away first",
        )
    return people.merge(house.database, old, other)


def invite(house: Service, name: str, addresses: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Invite people to a game that waits for people, or runs, each once for it.

    Returns who is written to, and who is not: he is in it, was invited before, or wants no invitations.
    """
    if house.books.people.offer(name) is None and not position_of(house, name).is_running:
        raise Refusal(f"game {name}", "the game is over", "gm game new KIND NAME --open  offers another")
    checked = tuple(dict.fromkeys(player_address(house, address) for address in addresses))
    asked = [Invite(by=house.hand, game=name, address=address) for address in checked]
    now = house.clock.now()
    follow = side_effects(asked, house.composer, now)
    acts.perform(house.database, follow.acts, follow.letters, now)
    written = tuple(letter.to for letter in follow.letters)
    return written, tuple(address for address in checked if address not in written)


def write(house: Service, name: str, to: Sequence[str], text: str, kind: str = "white") -> Press:
    """Write to players of a game (nobody named: to all, and those who watch) as the gamesmaster.

    It is mailed, and stands in the next report, as other press.
    """
    position = position_of(house, name)
    if not position.is_running:
        raise Refusal(f"game {name}", "the game is over", "write by mail instead")
    if not text.strip():
        raise Refusal(
            "press", "there is no text", 'write it last, as in  gm press send beaver "All is well."'
        )
    hearers = tuple(dict.fromkeys(seat_of(position, seat) for seat in to))
    turn, now = games.kinds()[position.kind].rules.turn(position.state).short, house.clock.now()
    clean = reply_tokens_of_game(name, house.books, house.office).redact(text.strip())
    press = Press(turn=turn, seat=None, kind=kind, to=hearers or None, text=clean, at=now)
    mark = hashlib.sha256(f"{now}|{hearers}|{text}".encode()).hexdigest()[:16]
    follow = side_effects(
        [SendPress(game=name, by=house.hand, press=press, key=f"{name}/press/{mark}")], house.composer, now
    )
    acts.perform(house.database, follow.acts, follow.letters, now)
    return press
