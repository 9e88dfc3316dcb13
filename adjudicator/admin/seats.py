"""The GM's actions on seats that players hold: replace a player, remove them, issue new credentials."""

import hashlib
import secrets
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from adjudicator.admin import website
from adjudicator.admin.game_admin import player_address, position_of, seat_of
from adjudicator.admin.lookup import (
    HasPeople,
    PersonReport,
    address_of,
    find_person,
    person_report,
    waiting_people,
)
from adjudicator.auth.passwords import seal as seal_password
from adjudicator.auth.reply_tokens import reply_tokens_of_game
from adjudicator.clock import Millis
from adjudicator.config.servers import Imap
from adjudicator.config.terms import zone_called
from adjudicator.context import RequestContext
from adjudicator.errors import Refusal, WriteConflict
from adjudicator.model.games import GamePosition, SeatAssignment
from adjudicator.model.mail import LetterDraft, OutgoingMessage
from adjudicator.model.people import (
    AdmitPlayer,
    AnyPersonAction,
    Ban,
    Invite,
    NotePerson,
    OfferSeat,
    Person,
    Press,
    ScheduleForgetting,
    SendPress,
    SetPlayerBan,
    SignOut,
    Watch,
)
from adjudicator.outbound.notifications import side_effects
from adjudicator.outbound.reminders import clock_minutes, replace_assignment, seated_with_clock
from adjudicator.outbound.signups import FIRST_PASSWORD_BYTES
from adjudicator.reports import messages as words
from adjudicator.reports.messages import Heading, caller_of, notice
from adjudicator.service import Service
from adjudicator.storage import outbox, people, personal_data, stored_games
from adjudicator.storage.database import POSTGRESQL
from adjudicator.storage.forgotten import FORGOTTEN_FILE
from adjudicator.storage.migrating import COPY_MARK
from adjudicator.storage.personal_data import ErasedData
from adjudicator.storage.stored_games import Minute, SideEffects
from games.protocol import Seat
from games.record import replace_fields

_FORGET_TRIES = 5


@dataclass(frozen=True)
class _OccupiedSeat:
    """A seat that a player holds, before it changes."""

    service: Service
    position: GamePosition
    seat: Seat
    now: Millis

    @property
    def assignment(self) -> SeatAssignment:
        return self.position.assignments[self.seat]

    def farewell(self, why: str) -> OutgoingMessage:
        """Return the email that tells the former player, at their own address, that they lost the seat."""
        service, name = self.service, self.position.name
        assert self.assignment.address is not None, "somebody sits there"
        reader = caller_of(
            self.assignment.address,
            RequestContext(service.repository, service.service_context, self.now),
            name,
        )
        subject, paragraphs = words.lost_seat_notice(name, self.seat, why)
        key = f"{name}/{self.position.entries}/farewell/{self.seat}/{self.assignment.generation}"
        return service.composer.seal(notice(reader, Heading(key, subject), paragraphs), self.now)

    def news(self, after: GamePosition, by_bot: bool) -> list[OutgoingMessage]:
        """Return the emails to the other players."""
        others = [assignment for seat, assignment in after.assignments.items() if seat != self.seat]
        notice = words.new_player_notice(self.seat, by_bot)
        return self.service.clock_actions.notify_all(after, f"hands/{self.seat}", notice, self.now, others)

    def write(
        self,
        after: GamePosition,
        what: str,
        why: str,
        sealed: Sequence[OutgoingMessage],
        person_actions: Sequence[AnyPersonAction] = (),
    ) -> None:
        """Save the change. Raises Refusal if the game has changed meanwhile."""
        minute = Minute(game=self.position.name, at=self.now, by=self.service.actor, what=what, why=why)
        try:
            effects = SideEffects(self.now, sealed, person_actions)
            with self.service.database.writing():
                stored_games.change(self.service.database, self.position, after, minute, effects)
                for clock_minute in clock_minutes(self.position, after, self.now):
                    stored_games.note(self.service.database, clock_minute)
        except WriteConflict as fault:
            raise Refusal(
                f"Can't change game {self.position.name}", "it changed meanwhile", "Try again"
            ) from fault


def replace_player(service: Service, name: str, seat: str, address: str, why: str) -> str:
    """Give a seat to another player, and mail them the position and a password. Returns the password.

    The former player's reply addresses and password are revoked. The saved orders stay.
    """
    table = _table(service, name, seat)
    new = player_address(service, address)
    if new == table.assignment.address:
        raise Refusal(
            f"Can't replace the player of {table.seat}",
            f"{new} already plays it",
            f'Use "gm seat rekey {name} {seat}" for a new password',
        )
    password = secrets.token_urlsafe(FIRST_PASSWORD_BYTES)
    assignment = table.assignment.with_player(new, seal_password(password))
    after = seated_with_clock(table.position, assignment, table.now)
    sealed = [
        service.composer.welcome(after, assignment, password, table.now),
        table.farewell(why),
        *table.news(after, by_bot=False),
    ]
    table.write(after, f"{table.seat} to another player", why, sealed)
    return password


def kick(service: Service, name: str, seat: str, why: str, *, offer: bool = True) -> None:
    """Remove a player from a seat. Its bot plays it. offer: offer the seat to the waiting list."""
    table = _table(service, name, seat)
    after = replace_assignment(table.position, table.assignment.with_player(None))
    sealed = [table.farewell(why), *table.news(after, by_bot=True)]
    person_actions: list[AnyPersonAction] = []
    if offer:
        free = OfferSeat(by=service.actor, why=why, game=name, seat=table.seat, at=table.now)
        sealed += side_effects([free], service.composer, table.now).letters
        person_actions.append(free)
    table.write(after, f"{table.seat} to its bot", why, sealed, person_actions)


def rekey(service: Service, name: str, seat: str, why: str) -> str:
    """Revoke a seat's reply addresses and password, and mail new ones to its player. Returns the password."""
    table = _table(service, name, seat)
    password = secrets.token_urlsafe(FIRST_PASSWORD_BYTES)
    before = table.assignment
    assignment = replace_fields(before, generation=before.generation + 1, password=seal_password(password))
    lapses = {
        assignment.lapse_key if key == before.lapse_key else key: turns
        for key, turns in table.position.timing.lapses.items()
    }
    timing = replace_fields(table.position.timing, lapses=lapses)
    after = replace(replace_assignment(table.position, assignment), timing=timing)
    reader = service.composer.reader(after, assignment)
    subject, paragraphs = words.new_credentials_notice(name, table.seat, password)
    key = f"{name}/keys/{table.seat}/{assignment.generation}"
    letter = notice(reader, Heading(key, subject), paragraphs)
    table.write(after, f"{table.seat}: new keys", why, [service.composer.seal(letter, table.now)])
    return password


def _table(service: Service, name: str, seat: str) -> _OccupiedSeat:
    position = position_of(service, name)
    at = seat_of(position, seat)
    if not position.is_running:
        raise Refusal(f"Can't change game {name}", "the game is over")
    if not position.assignments[at].is_person:
        raise Refusal(
            f"Can't replace the player of {at}",
            "nobody plays it",
            f'Use "gm seat assign {name} {seat} ADDRESS" to give it to a player',
        )
    return _OccupiedSeat(service, position, at, service.clock.now())


# The GM's actions on people: set names, merge two, invite, write to players.


def set_person_details(service: Service, address: str, name: str | None, zone: str | None) -> PersonReport:
    """Set a person's name and time zone. An empty text deletes the value, None keeps it."""
    person = Person(address=address_of(address))
    person = service.repository.people.person(person.address) or person
    if name is not None:
        person = replace_fields(person, name=" ".join(name.split()) or None)
    if zone is not None:
        person = replace_fields(person, zone=zone_called("zone", zone, "--zone {zone}") if zone else None)
    stored_games.perform(
        service.database, [NotePerson(by=service.actor, person=person)], (), service.clock.now()
    )
    return person_report(service, person)


def ban_player(service: Service, address: str, why: str) -> PersonReport:
    """Let a person into no further game, and take them off all waiting lists. Their seats stay theirs."""
    banned, now = player_address(service, address), service.clock.now()
    repository, by = service.repository, service.actor
    acts: list[AnyPersonAction] = [
        SetPlayerBan(by=by, why=why, address=banned, ban=Ban(address=banned, why=why, at=now)),
        *(
            SignOut(by=by, why=why, game=signup.game, address=banned)
            for signup in repository.people.signed_up(banned)
        ),
        *(
            Watch(by=by, why=why, game=name, address=banned, watches=False)
            for name in repository.games()
            if banned in repository.people.observers(name)
        ),
    ]
    stored_games.perform(service.database, acts, (), now)
    return person_report(service, repository.people.person(banned) or Person(address=banned))


def lift_ban(service: Service, address: str) -> None:
    """Let a banned person play again. Raises Refusal if they aren't banned."""
    banned = address_of(address)
    if service.repository.people.ban(banned) is None:
        raise Refusal(f"{banned} isn't banned", "", 'Use "gm player list --banned" to see who is')
    act = SetPlayerBan(by=service.actor, address=banned, ban=None)
    stored_games.perform(service.database, [act], (), service.clock.now())


def admit(service: Service, name: str, address: str, why: str) -> bool:
    """Consent to a seat for a person who waits for that. Raises Refusal if they don't.

    Returns whether they can take a seat now. In a running game they get an email for each free one.
    """
    person, now = address_of(address), service.clock.now()
    waiting = {entry.signup.address: entry for entry in waiting_people(service, name, now)}
    if person not in waiting:
        raise Refusal(
            f"{person} doesn't wait for a seat in {name}",
            "",
            f'Use "gm seat waiting {name}" to see who does, or "gm seat assign {name} SEAT {person}"',
        )
    if waiting[person].hold is None:
        raise Refusal(f"{person} needs no consent for {name}", "they get the next free seat on the list")
    act = AdmitPlayer(by=service.actor, why=why, game=name, address=person)
    follow = side_effects([act], service.composer, now)
    with service.database.writing():
        stored_games.perform(service.database, follow.acts, follow.letters, now)
        what = f"{person} may have a seat"
        stored_games.note(service.database, Minute(game=name, at=now, by=service.actor, what=what, why=why))
    return bool(follow.letters)


def merge_people(service: Service, address: str, into: str) -> int:
    """Move a person to another address everywhere. Returns the number of seats that moved with them.

    Anything mailed to the old address no longer acts for those seats.
    """
    old, other = find_person(service, address).person.address, address_of(into)
    if old == other:
        raise Refusal(
            f"Can't merge {address}", "both addresses are the same", "Name the address that stays last"
        )
    both = [
        game
        for game, _ in service.repository.seats_of(old)
        if game in dict(service.repository.seats_of(other))
    ]
    if both:
        raise Refusal(
            f"Can't merge {old} and {other}",
            f"they play each other in {', '.join(both)}",
            f'Use "gm seat replace {both[0]} SEAT ADDRESS" to hand one of the seats over first',
        )
    return people.merge(service.database, old, other)


@dataclass(frozen=True)
class ForgottenReport:
    """A forgotten person. scrubbed: whether the space of the database was overwritten.

    notes: sentences about what the operator still has to do.
    """

    erased: ErasedData
    scrubbed: bool
    notes: tuple[str, ...]


def forget_person(service: Service, address: str) -> ForgottenReport:
    """Forget a person at once. Raises Refusal if the database has nothing about them."""
    person, settings = address_of(address), service.settings
    if service.service_context.is_ours(person):
        raise Refusal(f"Can't forget {person}", "it is the service's own address", "Name a player's address")
    if person not in personal_data.all_addresses(service.database):
        raise Refusal(f'Nothing is stored about "{person}"', "", 'Use "gm player list" to see all players')
    forgetter, now = service.forgetter, service.clock.now()
    for _ in range(_FORGET_TRIES):
        with suppress(WriteConflict):
            erased = forgetter.forget(person, now, service.actor)
            break
    else:
        raise Refusal(f"Can't forget {person}", "their games change all the time", "Try again")
    scrubbed = forgetter.scrub()
    if settings.site is not None and not erased.waiting:
        website.build(service, settings.site.folder)
    return ForgottenReport(erased, scrubbed, tuple(_forgotten_notes(service)))


def _forgotten_notes(service: Service) -> Iterator[str]:
    """Yield what else may still hold a forgotten person, and what to do about it."""
    settings = service.settings
    if any(isinstance(box, Imap) for box in (settings.inbox, *settings.also)):
        yield "Your mailbox keeps the emails that were read: search it for the address, and delete them."
    if settings.database.startswith(POSTGRESQL):
        yield "The server's write-ahead log, replicas and dumps hold the old rows until you delete those."
    else:
        copies = sorted(Path(settings.database).parent.glob(f"{Path(settings.database).name}{COPY_MARK}*"))
        if copies:
            yield f"Copies from before an upgrade hold the person: delete {', '.join(map(str, copies))}."
    yield (
        f"Earlier backups hold the person too. If you restore one, {FORGOTTEN_FILE} beside gm.toml removes "
        "the person again: keep that file."
    )
    yield "Emails that others received can't be called back."


def keep_person(service: Service, address: str) -> bool:
    """Take back that a person will be forgotten. Return whether that was planned."""
    person, now = address_of(address), service.clock.now()
    is_planned = service.repository.people.forgetting(person) is not None
    act = ScheduleForgetting(by=service.actor, address=person, due=None, at=now)
    stored_games.perform(service.database, [act], (), now)
    return is_planned


def export_person(service: HasPeople, address: str, now: Millis) -> dict[str, Any]:
    """Return everything that is stored about a person. Raises Refusal if nothing is."""
    person = address_of(address)
    if person not in personal_data.all_addresses(service.database):
        raise Refusal(f'Nothing is stored about "{person}"', "", 'Use "gm player list" to see all players')
    return personal_data.collect(service.database, person, now)


def invite(service: Service, name: str, addresses: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Invite people to a game that is open for players or running, at most once each.

    Returns the addresses that get the invitation, and those that don't: they are in the game, were invited
    before, or refuse invitations.
    """
    if service.repository.people.offer(name) is None and not position_of(service, name).is_running:
        raise Refusal(
            f"Can't invite players to game {name}",
            "the game is over",
            'Use "gm game new KIND NAME --open" to open another game',
        )
    checked = tuple(dict.fromkeys(player_address(service, address) for address in addresses))
    asked = [Invite(by=service.actor, game=name, address=address) for address in checked]
    now = service.clock.now()
    follow = side_effects(asked, service.composer, now)
    stored_games.perform(service.database, follow.acts, follow.letters, now)
    written = tuple(letter.to for letter in follow.letters)
    return written, tuple(address for address in checked if address not in written)


def write(service: Service, name: str, to: Sequence[str], text: str, kind: str = "white") -> Press:
    """Write to players of a game as the GM (by default to all players and observers).

    The message is mailed, and appears in the next report like other press.
    """
    position = position_of(service, name)
    if not position.is_running:
        raise Refusal(
            f"Can't send press in game {name}", "the game is over", "Write to the players by email instead"
        )
    if not text.strip():
        raise Refusal(
            "No text to send", "the press is empty", 'Put the text last: gm press send beaver "All is well."'
        )
    hearers = tuple(dict.fromkeys(seat_of(position, seat) for seat in to))
    turn, now = position.game.rules.turn(position.state).short, service.clock.now()
    clean = reply_tokens_of_game(name, service.repository, service.service_context).redact(text.strip())
    press = Press(turn=turn, seat=None, kind=kind, to=hearers or None, text=clean, at=now)
    mark = hashlib.sha256(f"{now}|{hearers}|{text}".encode()).hexdigest()[:16]
    follow = side_effects(
        [SendPress(game=name, by=service.actor, press=press, key=f"{name}/press/{mark}")],
        service.composer,
        now,
    )
    stored_games.perform(service.database, follow.acts, follow.letters, now)
    return press


# Emails of the GM to players of a game, who can reply with orders.


def send_letter(
    service: Service, name: str, seats: Sequence[str], subject: str, text: str
) -> tuple[LetterDraft, ...]:
    """Put an email to some seats of a game in the outbox (by default to all seats with players).

    It carries the seats' own reply addresses. Raises Refusal if it has no text or no recipient.
    """
    paragraphs = tuple(part.strip("\n") for part in text.split("\n\n") if part.strip())
    if not paragraphs or not subject.strip():
        raise Refusal(
            "Can't send the email", "it has no text" if subject.strip() else "it has no subject", "Add one"
        )
    position, now = position_of(service, name), service.clock.now()
    letters = [
        notice(
            service.composer.reader(position, position.assignments[seat]),
            Heading(f"{name}/composed/{now}/{seat}", subject),
            paragraphs,
        )
        for seat in _people(service, name, seats)
    ]
    with service.database.session():
        outbox.put(service.database, [service.composer.seal(letter, now) for letter in letters], now)
    return tuple(letters)


def _people(service: Service, name: str, seats: Sequence[str]) -> tuple[Seat, ...]:
    position = position_of(service, name)
    people = tuple(seat for seat, assignment in position.assignments.items() if assignment.is_person)
    if not seats:
        if not people:
            raise Refusal(
                f"Can't write to game {name}",
                "only bots play in it",
                'Use "gm seat assign" to give a seat to a player',
            )
        return people
    wanted = tuple(dict.fromkeys(seat_of(position, seat) for seat in seats))
    for seat in wanted:
        if seat not in people:
            raise Refusal(f"Can't write to {seat}", "a bot plays it and reads no email")
    return wanted
