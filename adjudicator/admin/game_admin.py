"""The GM's actions on whole games: start one, assign seats, verify the log."""

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from adjudicator.admin import forums
from adjudicator.admin.lookup import position_of as position_of
from adjudicator.admin.lookup import seat_of as seat_of
from adjudicator.admin.turns import play_now as play_now
from adjudicator.auth.passwords import seal as seal_password
from adjudicator.auth.private_games import read_customs
from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.clock import Millis
from adjudicator.config.terms import read_deadlines, sort_settings
from adjudicator.context import ServiceContext
from adjudicator.errors import Refusal, WriteConflict
from adjudicator.game_kinds import find_kind
from adjudicator.inbound.filing import FilingResult, LetterRemarks, file_orders
from adjudicator.inbound.parse_contexts import parse_context
from adjudicator.messages import sentence
from adjudicator.model.addresses import is_game_name, is_own, short_seat_name, valid_address
from adjudicator.model.games import (
    DiceRoll,
    DieForced,
    EndGame,
    GamePosition,
    LogEntry,
    SeatAssignment,
    SetBot,
)
from adjudicator.model.mail import OutgoingMessage
from adjudicator.model.orders_on_file import Item
from adjudicator.model.people import DropOffer, FillSeat, GameOffer, GamePolicy, MakeOffer, SetCustoms
from adjudicator.model.repository import Repository
from adjudicator.outbound import signups
from adjudicator.outbound.notifications import Announcer, side_effects
from adjudicator.outbound.reminders import clock_minutes, seated_with_clock
from adjudicator.reports.maps import svg
from adjudicator.service import Service
from adjudicator.storage import people, stored_games
from adjudicator.storage.queries import broken_offers
from adjudicator.storage.stored_games import Minute
from adjudicator.turns.bots import OWN_BOT_PREFIX, default_level, has_open_positions, parse_bot_choice
from adjudicator.turns.log import Replay, can_show, counting_entries, events_of, replay
from adjudicator.turns.runner import TurnBackground, play_turns, recent_turns
from games.options import settle_for_new_game
from games.protocol import Edit, Edits, Game, GameResult, Invalid, OptionValue, Seat, State, ThrowForm
from games.record import canonical, replace_fields
from orders.mail.body import FreshLine
from orders.reading.budget import unlimited_budget
from orders.reading.forms import NameRepair, compile_forms, match_text
from orders.reading.letter_reader import read_lines
from orders.reading.lexicon import index_lexicon as names_of

BOT = "bot"
"""The word that a GM types to give a seat to a bot."""

ATTEMPTS = 5
"""The number of attempts if an email or a turn changes the game in the meantime."""


@dataclass(frozen=True)
class GameRequest:
    """A request for a new game, in the GM's words.

    name: its name, or a free one if none is given. terms: settings as `settings.terms` reads them, over the
    service's defaults. early: whether a turn runs as soon as all orders are in. level, temper: the bots, by
    their names. seats: the players' addresses by seat.
    """

    kind: str
    name: str | None = None
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    terms: Mapping[str, str] = field(default_factory=dict)
    early: bool = True
    level: str | None = None
    temper: str | None = None
    seats: Mapping[str, str] = field(default_factory=dict)


def player_address(service: Service, text: str) -> str:
    """Return the address of a player. Raises Refusal if they can't play."""
    address = valid_address(text)
    if address is None or is_own(address, service.service_context.address):
        raise Refusal(f"\"{text}\" isn't a player's address", "", "Write it like iroquois@example.org")
    ban = service.repository.people.ban(address)
    if ban is not None:
        raise Refusal(
            f"Can't let {address} play",
            f"they're banned: {ban.why}",
            f'Use "gm player unban {address}" first',
        )
    return address


def new_game(service: Service, asked: GameRequest, *, secret: bytes | None = None) -> GamePosition:
    """Start a game with the given players, who get the welcome, and bots on the other seats.

    secret: the secret of the dice (default: random).
    """
    game = find_kind(asked.kind)
    name = asked.name or free_name(service, game.about.kind)
    check_name(service, name)
    now = service.clock.now()
    times, customs, early_said = sort_settings(asked.terms)
    agreed = read_customs(customs, GamePolicy())
    forums.check(service.service_context, game, agreed)
    deadlines = read_deadlines(times, service.settings.deadlines)
    early = asked.early if early_said is None else early_said
    try:
        settled = settle_for_new_game(game.about, asked.options)
        bot, manner = parse_bot_choice(game, asked.level or default_level(game), asked.temper)
        assignments, passwords = _chairs(service, asked.seats, game.about.seats(settled), bot, manner)
        arranged = signups.GameSetup(name, settled, assignments, deadlines, early=early)
        new = signups.new_game(game, arranged, now, secret)
    except Invalid as fault:
        raise Refusal(fault.what, fault.why, fault.instead) from fault
    position, writer = signups.initial_position(new), service.composer
    letters = [
        *writer.welcomes(position, passwords, now, agreed),
        *Announcer(writer, now).announce_start(position, agreed),
    ]
    with service.database.writing():
        stored_games.create(service.database, new, letters, now)
        if customs:
            people.apply_action(service.database, SetCustoms(by=service.actor, game=name, customs=agreed))
    return position_of(service, name)


def _chairs(
    service: Service, asked: Mapping[str, str], seats: Sequence[Seat], bot: str | None, manner: str | None
) -> tuple[list[SeatAssignment], dict[Seat, str]]:
    """Return the chairs of a new game, and the passwords of its players by seat.

    asked: the addresses by seat, as typed. Raises Refusal for an unknown seat.
    """
    known = {short_seat_name(seat): seat for seat in seats}
    people: dict[Seat, str] = {}
    for text, address in asked.items():
        seat = known.get(short_seat_name(text))
        if seat is None:
            raise Refusal(f'The game has no seat "{text}"', "", f"Seats: {', '.join(seats)}")
        if seat in people:
            raise Refusal(f"Can't assign {seat}", "it is named twice", "Name each seat once")
        if address.lower() != BOT:
            people[seat] = player_address(service, address)
    passwords = {seat: secrets.token_urlsafe(signups.FIRST_PASSWORD_BYTES) for seat in people}
    assignments = [
        SeatAssignment(
            seat=seat,
            address=people.get(seat),
            password=seal_password(passwords[seat]) if seat in people else None,
            bot=bot,
            temper=manner,
        )
        for seat in seats
    ]
    return assignments, passwords


def assign(service: Service, name: str, seat: str, address: str | None, why: str = "") -> str | None:
    """Give a seat to a player (None: to its bot) and mail them a password. Returns the password.

    The welcome states the deadline after this change. Raises Refusal if another player holds the seat,
    because they need a notice.
    """
    at = seat_of(position_of(service, name), seat)
    checked = None if address is None else player_address(service, address)
    password = None if checked is None else secrets.token_urlsafe(signups.FIRST_PASSWORD_BYTES)
    sealed = None if password is None else seal_password(password)
    for _ in range(ATTEMPTS):
        position = position_of(service, name)
        if not position.is_running:
            raise Refusal(f"Can't change game {name}", "the game is over")
        if checked is not None and position.assignments[at].address not in (None, checked):
            raise Refusal(
                f"Can't assign {at}",
                f"{position.assignments[at].address} plays it",
                f'Use "gm seat replace {name} {seat} {address}" to hand it over; both players get an email',
            )
        assignment, now = position.assignments[at].with_player(checked, sealed), service.clock.now()
        after = seated_with_clock(position, assignment, now)
        letters = [service.composer.welcome(after, assignment, password, now)] if checked else []
        minute = Minute(
            game=name,
            at=now,
            by=service.actor,
            what=f"{at} to {'somebody' if checked else 'its bot'}",
            why=why,
        )
        try:
            _write_seat(service, position, after, minute, letters)
        except WriteConflict:
            continue
        return password
    raise Refusal(f"Can't change game {name}", "other changes came in first, again and again", "Try again")


def _write_seat(
    service: Service,
    position: GamePosition,
    after: GamePosition,
    minute: Minute,
    letters: Sequence[OutgoingMessage],
) -> None:
    """Save who holds a seat from now on, and what that changes in the deadline, in one transaction."""
    database, vacant = service.database, service.repository.people.vacancies(position.name)
    taken = [
        seat
        for seat, assignment in after.assignments.items()
        if assignment != position.assignments[seat] and seat in vacant
    ]
    person_actions = [FillSeat(by=minute.by, game=position.name, seat=seat) for seat in taken]
    with database.writing():
        stored_games.change(
            database, position, after, minute, stored_games.SideEffects(minute.at, letters, person_actions)
        )
        for clock_minute in clock_minutes(position, after, minute.at):
            stored_games.note(database, clock_minute)


def choose_bot(
    context: ServiceContext, position: GamePosition, level: str, temper: str | None
) -> tuple[str | None, str | None]:
    """Return the bot for a seat, as `SetBot` stores it: a level or one of the GM's own bots in gm.toml.

    Raises Refusal for an unknown one, for a game that hides something from its seats, and for a program that
    the operator hasn't agreed to.
    """
    own = {bot.name: bot for bot in context.own_bots}
    try:
        bot, manner = parse_bot_choice(position.game, level, temper, own)
    except Invalid as fault:
        raise Refusal(fault.what, fault.why, fault.instead) from fault
    program = own.get((bot or "").removeprefix(OWN_BOT_PREFIX)) if bot not in position.game.bots else None
    if program is not None and not has_open_positions(position.game, position.options):
        raise Refusal(
            f"Can't let {program.name} play {position.kind}",
            "it has hidden information, so its positions can't be sent",
            f"Choose: {', '.join(position.game.bots)}",
        )
    if program is not None and not program.is_agreed:
        raise Refusal(
            f"Can't let {program.name} play",
            "you haven't agreed to start its command on this machine",
            f'Use "gm seat bots --agree {program.name}"',
        )
    return bot, manner


def set_bot(
    service: Service, name: str, seat: str, level: str, temper: str | None = None, why: str = ""
) -> None:
    """Set the bot that plays a seat without a player: its level, and its personality or None.

    level: also the name of one of the GM's own bots in gm.toml.
    """
    position = position_of(service, name)
    at = seat_of(position, seat)
    if not position.is_running:
        raise Refusal(f"Can't change game {name}", "the game is over")
    bot, manner = choose_bot(service.service_context, position, level, temper)
    now, by = service.clock.now(), service.actor
    what = f"{at}: its bot is {', '.join(filter(None, (bot, manner)))}"
    with service.database.writing():
        act = SetBot(game=name, by=by, why=why, seat=at, level=bot, temper=manner)
        stored_games.perform(service.database, [act], (), now)
        stored_games.note(service.database, Minute(game=name, at=now, by=by, what=what, why=why))


def prove(service: Service, name: str) -> Replay:
    """Replay a game's log and compare every roll and every state."""
    position = position_of(service, name)
    game = position.game
    log = stored_games.log(service.database, name)
    replayed = replay(
        game, name, position.secret, log, position.head_sha, position.game_at if position.copies else None
    )
    counting = counting_entries([entry for entry, _ in log[: replayed.agreed]])
    return replace_fields(replayed, turns=sum(entry.kind == "turn" for entry in counting))


def drawing(service: Service, name: str, place: int = -1) -> str:
    """Return the public map of a game after its last turn, as SVG.

    place: the number of a log entry, to draw another turn.
    """
    position = position_of(service, name)
    game = position.game
    log = stored_games.log(service.database, name)
    events = events_of(game, name, position.secret, log, place)
    state = game.state_from(log[place][1])
    before = game.state_from(log[place % len(log) - 1][1]) if events else state
    seen = tuple(event for event in events if event.seen_by is None)
    drawn = svg(game, game.rules.view(state, None), seen, game.rules.turn(before).name)
    if drawn is None:
        raise Refusal(f"Can't draw a map of {position.kind}", "this game has none")
    return drawn


def check_name(service: Service, name: str) -> None:
    """Check that a new game can have this name. Raises Refusal."""
    if is_game_name(name) and stored_games.is_taken(service.database, name):
        raise Refusal(f'Can\'t call a game "{name}"', "another game has that name", "Choose another name")
    check_unused(service, name)
    if stored_games.was_deleted(service.database, name) or name in broken_offers(service.database):
        why = "a deleted game had that name, and players have emails about it"
        raise Refusal(f'Can\'t call a game "{name}"', why, "Choose another name")


def check_unused(service: Service, name: str, *, imported: bool = False) -> None:
    """Check that a name is valid, and that no game open for players has it. Raises Refusal."""
    if not is_game_name(name, imported=imported):
        instead = 'Use 1 to 20 of a-z, 0-9 and the hyphen, but not "b", "gm" or "sent"'
        raise Refusal(
            f"Can't call a game {name!r}" if not name.isprintable() else f'Can\'t call a game "{name}"',
            "names have a fixed form",
            instead,
        )
    if service.repository.people.offer(name) is not None:
        raise Refusal(
            f'Can\'t call a game "{name}"',
            "a game of that name is open for players",
            f'Use "gm game start {name}" to start it',
        )


def free_name(service: Service, kind: str) -> str:
    """Return a free name for a game: its kind and the lowest free number."""
    taken = service.repository.names()
    stem = kind[:14].rstrip("-")
    numbers = (f"{stem}-{number}" for number in range(1, len(taken) + 2))
    return next(name for name in numbers if name not in taken)


# The GM's requests are read and checked before they are carried out.


GAMESMASTER = "gm"
"""The name in the log for changes by hand."""


def edits_of(game: Game) -> Edits[State, Edit]:
    """Return the edits of a game. Raises Refusal if the game has none."""
    if game.edits is None:
        raise Refusal(f"Can't edit a game of {game.about.kind}", "this game can't be changed by hand")
    return game.edits


def parse_edit(edits: Edits[State, Edit], state: State, text: str) -> Edit:
    """Return the edit that a text asks for, in the words of a game. Raises Invalid.

    Nothing is guessed: a misspelt name is rejected, with suggestions.
    """
    matches = match_text(text, compile_forms(tuple(edits.forms)), names_of(tuple(edits.lexicon(state))))
    built = {canonical(edit): edit for edit in (edits.build(state, m.form.name, m.slots) for m in matches)}
    repairs = [repair for form_match in matches for repair in form_match.repairs]
    if len(built) == 1 and not repairs:
        return next(iter(built.values()))
    if not built:
        examples = "; ".join(form.example for form in edits.forms[:3])
        raise Invalid(
            f'Can\'t read the change "{text}"', "this game has no such change", f"Write it like {examples}"
        )
    meant = "  or  ".join(edits.write(edit) for edit in built.values())
    why = "; ".join(dict.fromkeys(map(_unknown, repairs))) or "we can't read it"
    raise Invalid(
        f"Can't {text}", why, f"Write one of these: {meant}" if len(built) > 1 else f"Write {meant}"
    )


def _unknown(repair: NameRepair) -> str:
    """Return the error for a name that was nearly another."""
    if repair.term is None:
        return f'"{repair.typed}" has no place in a change'
    return f'no {repair.term.sort} is called "{repair.typed}"'


def override_to_undo(name: str, possible: Sequence[LogEntry], number: int | None) -> LogEntry:
    """Return the override to undo, the latest by default. Raises Refusal."""
    if not possible:
        why = "nothing was changed by hand since the last turn"
        raise Refusal(
            f"Nothing to undo in game {name}", why, f'To go back further, use "gm game rollback {name} TURN"'
        )
    for entry in possible:
        if number in (None, entry.number):
            return entry
    numbers = ", ".join(str(entry.number) for entry in possible)
    raise Refusal(
        f"Can't undo entry {number}",
        "it isn't a manual change that can be undone",
        f'Entries that can be undone: {numbers}. See "gm game log {name}"',
    )


def person_at(position: GamePosition, text: str) -> Seat:
    """Return a seat that a player holds, by its name. Raises Refusal for any other seat."""
    seat = seat_of(position, text)
    if not position.assignments[seat].is_person:
        raise Refusal(
            f"Can't enter orders for {seat}",
            "a bot plays it",
            f'Use "gm seat assign {position.name} {seat.lower()} you@example.org" to give it to a player',
        )
    return seat


def file_lines(
    repository: Repository,
    game: Game,
    seated: AuthenticatedSeat,
    lines: Sequence[str],
    before: tuple[Item, ...],
) -> FilingResult:
    """Return a seat's saved orders after some further lines, as if they were in time. Raises Invalid.

    Nothing is guessed: where an email would be corrected, this rejects the line, with suggestions.
    """
    fresh = [FreshLine(text=text) for text in lines]
    reading = read_lines(fresh, parse_context(game, seated, repository), unlimited_budget())
    if reading.commands:
        raise Invalid(
            reading.commands[0].line,
            "this is a command, not an order",
            "Only players send commands, by email",
        )
    for row in reading.orders:
        if row.grade == "corrected":
            raise Invalid(row.line, row.problem or "this order isn't clear", f"Write {row.said}")
    # Read the lines as if they had come when the turn began, because the GM is never late.
    return file_orders(
        game, seated, reading.orders, before, 0, remarks=LetterRemarks(ready=True, afresh=True)
    )


def next_rolls(
    repository: Repository, game: Game, position: GamePosition, now: Millis
) -> tuple[DiceRoll, ...]:
    """Return the dice that would be rolled if the next turn ran now."""
    press = repository.people.press(position.name)
    past = recent_turns(game, position, partial(repository.latest, position.name))
    background = TurnBackground(press=press, past=past)
    played = play_turns(game, position, now, ripe=True, background=background)
    return tuple(throw for step in played.steps for throw in step.entry.throws) if played else ()


def check_forced_roll(
    forced: DieForced, throws: Sequence[DiceRoll], known: Sequence[ThrowForm] | None, *, blindly: bool
) -> None:
    """Check that a label is among the next rolls, and that it can show the wanted numbers. Raises Invalid.

    known: the rolls that the rules of the game can make, or None if they are unknown. blindly: accept a label
    that is in `known` but not among the next rolls.
    """
    label, numbers = forced.label, forced.numbers
    if not numbers or min(numbers) < 1:
        raise Invalid("numbers", "a roll shows numbers from 1 up", "Write one number, or several like 3,1,2")
    throw = next((candidate for candidate in throws if candidate.label == label), None)
    if throw is not None and not can_show(throw.sides, len(throw.numbers), numbers):
        count = f"{len(throw.numbers)} different numbers" if len(throw.numbers) > 1 else "one number"
        raise Invalid(f"roll {label}", f"it can't show this, but only {count} from 1 to {throw.sides}")
    if throw is None and known is not None:
        _check_known(forced, known)
    if throw is None and not blindly:
        labels = ", ".join(candidate.label for candidate in throws) or "none"
        why = "the saved orders don't lead to this roll"
        raise Invalid(f"roll {label}", why, f"Next rolls: {labels}. Add --yes to set it anyway")


def _check_known(forced: DieForced, known: Sequence[ThrowForm]) -> None:
    """Check that the rules of a game can make a roll with that label and result. Raises Invalid."""
    label, numbers = forced.label, forced.numbers
    form = next((form for form in known if re.fullmatch(form.label, label)), None)
    if form is None:
        examples = ", ".join(known_form.example for known_form in known)
        instead = f"Its rolls have labels like: {examples}" if known else "Its rules don't roll dice"
        raise Invalid(f'No roll of this game is called "{label}"', "", instead)
    if not can_show(form.most, form.takes or len(numbers), numbers):
        count = "one number" if form.takes == 1 else "different numbers"
        raise Invalid(f"roll {label}", f"it can't show this, but only {count} from 1 to {form.most} at most")


# The GM offers, starts, ends and deletes games.


def offer(
    service: Service, asked: GameRequest, *, players: int | None = None, starts: Millis | None = None
) -> GameOffer:
    """Open a game for players, who sign up by email.

    players: the number of players that starts it (default: one for every seat). starts: the latest time
    for the start. Bots then play the free seats.
    """
    game = find_kind(asked.kind)
    name = asked.name or free_name(service, game.about.kind)
    times, customs, early_said = sort_settings(asked.terms)
    read_deadlines(times, service.settings.deadlines)
    agreed = read_customs(customs, GamePolicy())
    forums.check(service.service_context, game, agreed)
    try:
        settled = settle_for_new_game(game.about, asked.options)
        bot, manner = parse_bot_choice(game, asked.level or default_level(game), asked.temper)
        seats = game.about.seats(settled)
    except Invalid as fault:
        raise Refusal(fault.what, fault.why, fault.instead) from fault
    check_name(service, name)
    if players is not None and not 1 <= players <= len(seats):
        raise Refusal(
            f"Can't wait for {players} players", f"the game has {len(seats)} seats", f"Use 1 to {len(seats)}"
        )
    if starts is not None and starts <= service.clock.now():
        raise Refusal("Can't start the game then", "that time has passed", "Name a later time")
    made = GameOffer(
        name=name,
        kind=game.about.kind,
        options=dict(settled),
        customs=agreed,
        needed=players or len(seats),
        starts=starts,
        early=asked.early if early_said is None else early_said,
        terms=times,
        level=bot,
        temper=manner,
    )
    now = service.clock.now()
    follow = side_effects([MakeOffer(by=service.actor, offer=made, at=now)], service.composer, now)
    stored_games.perform(service.database, follow.acts, follow.letters, now)
    return made


def start(service: Service, name: str) -> GamePosition:
    """Start a game that is open for players with the players it has, and bots on the other seats."""
    offer = service.repository.people.offer(name)
    if offer is None:
        running = name in service.repository.games()
        why = "it has already started" if running else f"no game is called {name}"
        raise Refusal(
            f"Can't start game {name}", why, 'Use "gm game list" to see the games that are open for players'
        )
    service.game_starts.start_game(offer, service.clock.now())
    return position_of(service, name)


def end(service: Service, name: str, winners: Sequence[str], why: str) -> GamePosition:
    """End a game outside its rules: those seats have won, or nobody. Everyone gets the final position.

    why: for the log only. Players read that the GM has ended the game.
    """
    position = position_of(service, name)
    if not position.is_running:
        raise Refusal(f"Can't change game {name}", "the game is over")
    seats = tuple(seat_of(position, winner) for winner in winners)
    result = GameResult(winners=seats, reason=sentence("outbound.notifications.ended_by_gm"))
    act = EndGame(game=name, by=service.actor, why=why, result=result)
    now = service.clock.now()
    follow = side_effects([act], service.composer, now)
    stored_games.perform(service.database, follow.acts, follow.letters, now)
    return position_of(service, name)


def delete(service: Service, name: str, why: str) -> None:
    """Delete a game, or one that is open for players, from the database. Its minutes stay."""
    now = service.clock.now()
    if service.repository.people.offer(name) is not None or name in broken_offers(service.database):
        with service.database.writing():
            stored_games.perform(service.database, [DropOffer(by=service.actor, why=why, name=name)], (), now)
            people.forget_admitted(service.database, name)
        return
    if service.repository.suspension(name) is None:
        position_of(service, name)
    stored_games.delete(service.database, name, service.actor, why, now)
