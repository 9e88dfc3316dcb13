"""The output of commands that show something: `gm status`, `gm game show`, `gm mail list` and others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import games
from adjudicator import clock
from adjudicator.admin import lookup, turns
from adjudicator.auth import tokens
from adjudicator.cli.connect import open_store, open_writable_store
from adjudicator.cli.output import document, heading, moment, pluralise, records, say, say_problem, table
from adjudicator.config import service
from adjudicator.config import service as service_config
from adjudicator.daemon import environment, metrics
from adjudicator.errors import Refusal
from adjudicator.model import deadline_status, mail, orders_on_file
from adjudicator.model import games as games_model
from adjudicator.model.channel_posts import channel_named, recipient_of
from adjudicator.reports import solo_records, times
from adjudicator.storage import bounces, due_games, inbox, metadata, outbox, queries, workers
from adjudicator.storage import people as stored_people
from adjudicator.turns import bots as bots_of
from games import record
from orders.mail import headers
from orders.mail import letter as opened

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from adjudicator.admin.lookup import PersonReport
    from adjudicator.cli.connect import Store
    from adjudicator.config.service import Settings
    from adjudicator.model.deadline_status import TurnoutRecord
    from adjudicator.model.games import GamePosition, Suspension
    from adjudicator.model.people import GameOffer, Signup
    from adjudicator.reports.solo_records import CaseRecord
    from adjudicator.storage.queries import DatabaseRepository
    from adjudicator.storage.workers import Worker
    from games.protocol import Seat
    from orders.mail.letter import Letter


SLOW = clock.MINUTE
"""A worker is slow if it didn't report, or was busy with one thing, for longer than this."""

MAX_GAMES_LISTED = 100
"""The maximum number of games that are listed for people."""


def show_status(config: str | None, *, as_json: bool) -> None:
    """Print the state of games and mail, and any problems."""
    with open_store(config) as store:
        names = store.repository.games()
        shown = names if as_json else _games_to_list(store, names)
        facts = _status_facts(store, shown)
        zone = store.zone
    if as_json:
        document(facts)
        return

    def local(at: datetime | None) -> str | None:
        return None if at is None else f"{at.astimezone(zone):%Y-%m-%d %H:%M:%S %Z}"

    for trouble in facts["troubles"]:
        if workers.channel_of(trouble["name"]) is None:
            what = environment.MAIL_ROUTES.get(trouble["name"], trouble["name"])
            say_problem(f"Problem with {what} since {local(trouble['since'])}: {trouble['why']}")
    _print_games(facts["games"], len(names) - len(shown), local)
    _print_letters(facts, local)
    if facts["channels"]:
        heading("Channels")
        columns = ("channel", "kind", "waiting", "down since", "why")
        table(
            columns,
            [
                [*(row[key] for key in columns[:3]), local(row["down_since"]), row["why"]]
                for row in facts["channels"]
            ],
            problems=("down since", "why"),
        )
    _print_workers(facts, local)
    for name in facts["bots_not_agreed"]:
        say_problem(f"Your bot {name} isn't started. If you know its command: gm seat bots --agree {name}")
    for dead in facts["given_up"]:
        say_problem(f"Delivery to {dead['address']} is disabled since {local(dead['since'])}: {dead['why']}")


LocalTime = Callable[[datetime | None], str | None]
"""Writes a time in the zone of the service. None stays None."""


def _print_games(shown: Sequence[dict[str, Any]], more: int, local: LocalTime) -> None:
    """Print the games as a table, then the suspended ones. more: the number of games that are left out."""
    rows = [
        (
            game["game"],
            game["turn"] or game["status"],
            "suspended"
            if game["held"]
            else game["stopped"] or deadline_cell(game["deadline"], game["orders_count_until"], local),
            game["missing"],
            game["trouble"],
        )
        for game in shown
    ]
    if rows:
        table(("game", "turn", "deadline", "waits for", "problem"), rows, problems=("problem",))
        if more:
            say(f'… and {pluralise(more, "game")} more. "gm game list" shows them all.')
    else:
        say("There are no games yet. To start one: gm game new indianomacy")
    for game in shown:
        if game["held"]:
            say_problem(f'{game["game"]} is suspended: {game["held"]}. "gm doctor" says what to do.')


def _print_letters(facts: dict[str, Any], local: LocalTime) -> None:
    heading("Mail")
    polled = local(facts["last_poll"]) or 'never. Is "gm serve" running?'
    say(f"Mailbox last polled: {polled}")
    say("In:  " + ", ".join(f"{count} {name}" for name, count in facts["letters_in"].items()))
    say("Out: " + ", ".join(f"{count} {name}" for name, count in facts["letters_out"].items()))
    if stuck := facts["stuck"]:
        say_problem(f"{pluralise(stuck['count'], 'email')} delayed. Last reason: {stuck['why']}")


def _print_workers(facts: dict[str, Any], local: LocalTime) -> None:
    if not facts["workers"]:
        return
    letters, due = (facts["backlog"][what] for what in ("letters", "games"))
    heading("Workers")
    say(f"To do: {pluralise(letters, 'email')} to read, {pluralise(due, 'game')} to process")
    rows = [_worker(worker, local) for worker in facts["workers"]]
    table(("worker", "jobs", "last seen", "working on", "done"), rows)


def _worker(worker: dict[str, Any], local: LocalTime) -> tuple[str | None, ...]:
    """Return a worker as a line of the table."""
    in_hand, done = worker["in_hand"], worker["done"]
    held = [pluralise(in_hand[what], what[:-1]) for what in in_hand if in_hand[what]]
    ends = {"turn committed": "turn", "letter handled": "email", "report sent": "batch"}
    return (
        f"{worker['host']} {worker['pid']}",
        ", ".join(worker["jobs"]),
        local(worker["seen"]) + (" (slow)" if worker["slow"] else ""),  # type: ignore[operator]  # it has been seen
        ", ".join(held) or None,
        ", ".join(pluralise(done[step], word) for step, word in ends.items() if step in done) or None,
    )


def _games_to_list(store: Store, names: Sequence[str]) -> Sequence[str]:
    """Return the games to list: all, or if there are too many, those with problems and those due next."""
    if len(names) <= MAX_GAMES_LISTED:
        return names
    database, late = store.database, clock.WallClock().now() - metrics.LATE
    ill = [*queries.suspects(database, games.kinds()), *queries.overdue(database, late)]
    ill += [name for name, _ in queries.unreachable_seats(database)]
    return list(dict.fromkeys([*ill, *queries.next_due(database, MAX_GAMES_LISTED)]))[:MAX_GAMES_LISTED]


def _status_facts(store: Store, names: Sequence[str]) -> dict[str, Any]:
    now = clock.WallClock().now()
    put_off = outbox.put_off(store.database)
    return {
        "games": [_game(store, name) for name in names],
        "last_poll": moment(metadata.last_poll(store.database)),
        "workers": [
            _worker_details(worker, now, due_games.GAME_LEASE_MS)
            for worker in workers.current_workers(store.database)
        ],
        "backlog": {
            "letters": inbox.counts(store.database)[mail.WAITING],
            "games": len(due_games.due(store.database, now)),
        },
        "channels": channel_rows(store),
        "letters_in": inbox.counts(store.database),
        "letters_out": outbox.counts(store.database),
        "bots_not_agreed": [bot.name for bot in store.settings.own_bots if not bot.is_agreed],
        "stuck": {"count": put_off.count, "why": put_off.why} if put_off else None,
        "given_up": [
            {"address": address.address, "since": moment(address.since), "why": address.why}
            for address in bounces.disabled_addresses(store.database)
        ],
        "troubles": [
            {
                "name": trouble.name,
                "since": moment(trouble.since),
                "last": moment(trouble.last),
                "why": trouble.why,
            }
            for trouble in workers.current_incidents(store.database)
        ],
    }


def _worker_details(worker: Worker, now: int, lease: int) -> dict[str, Any]:
    """Return a worker. slow: it didn't report, or was busy with one thing, for longer than SLOW."""
    held = now - (worker.until - lease) if worker.until is not None else 0
    return {
        "worker": worker.name,
        "host": worker.host,
        "pid": worker.pid,
        "jobs": list(worker.jobs),
        "began": moment(worker.began),
        "seen": moment(worker.seen),
        "in_hand": {"games": worker.games, "letters": worker.letters, "sendings": worker.sending},
        "until": moment(worker.until),
        "slow": max(now - worker.seen, held) > SLOW,
        "done": dict(sorted(worker.done.items())),
    }


def _game(store: Store, name: str) -> dict[str, Any]:
    position, stuck = store.repository.position(name), store.repository.suspension(name)
    if position is None:
        nothing = dict.fromkeys(("turn", "deadline", "orders_count_until", "stopped", "missing"))
        why = stuck.why if stuck else None
        return {"game": name, "status": "held", **nothing, "trouble": None, "held": why}
    details = game_view(position)
    seats = details["seats"]
    return {
        "game": name,
        "status": details["status"],
        "turn": details["turn"]["short"] if details["turn"] else None,
        "deadline": moment(position.deadline) if position.is_running else None,
        "orders_count_until": moment(orders_count_until(position)),
        "stopped": STOPPED[details["stopped"]["kind"]] if details["stopped"] else None,
        "missing": ", ".join(seat["seat"] for seat in seats if seat["missing"]) or None,
        "trouble": ", ".join(seat["seat"] for seat in seats if seat["trouble"]) or None,
        "held": stuck.why if stuck else None,
    }


# ``gm game show`` and ``gm game list``.


def show_game(config: str | None, name: str, *, as_json: bool) -> None:
    """Print a game, or an offer of one."""
    with open_store(config) as store:
        offer = store.repository.people.offer(name)
        if offer is not None:
            say_offer(offer, store.repository, store.settings, as_json)
            return
        position = lookup.position_of(store, name)
        zone = store.zone
    details = game_view(position)
    if as_json:
        document(details)
        return
    stopped = details["stopped"]
    say(f"{name}: {details['title']}, {STOPPED[stopped['kind']] if stopped else details['status']}")
    if position.stuck is not None:
        say(f"It is suspended: {position.stuck.why}.", f"What you can do: {position.stuck.instead}.")
    say_turn(position, zone, clock.WallClock().now())
    if details["result"]:
        winners = ", ".join(details["result"]["winners"]) or "no player"
        say(f"Won by {winners}: {details['result']['reason']}")
    heading("Seats")
    table(
        ("seat", "player", "orders", "says", "missed", "problem"),
        [_seat_row(seat) for seat in details["seats"]],
    )
    for content in details["tables"]:
        heading(content["title"])
        table(content["columns"], content["rows"])


def show_games(config: str | None, *, as_json: bool) -> None:
    """Print all games, including those that are open for players."""
    with open_store(config) as store:
        names, repository = store.repository.games(), store.repository
        positions = [here for name in names if (here := repository.position(name)) is not None]
        stuck = [why for name in names if (why := repository.suspension(name)) is not None]
        people_repository, zone = store.repository.people, store.zone
        offers = [
            offer_view(offer, people_repository.signups(offer.name)) for offer in people_repository.offers()
        ]
    played = [game_view(position) for position in positions]
    shown = {position.name for position in positions}
    unread = [held_view(held.game, held) for held in stuck if held.game not in shown]
    if as_json:
        document([*played, *unread, *offers])
        return
    if not played and not offers and not stuck:
        say("There are no games yet. To start one: gm game new indianomacy")
        return
    rows: list[tuple[object, ...]] = [
        (
            facts["game"],
            facts["kind"],
            facts["turn"]["short"] if facts["turn"] else facts["status"],
            "suspended" if facts["held"] else _deadline_cell(position, zone),
            sum(seat["player"] == "person" for seat in facts["seats"]),
            sum(bool(seat["missing"]) for seat in facts["seats"]),
        )
        for facts, position in zip(played, positions, strict=True)
    ]
    rows += [(facts["game"], facts["kind"], None, "suspended", None, None) for facts in unread]
    for offer in offers:
        there = len(offer["signed_up"])
        rows.append((offer["game"], offer["kind"], "open", None, there, offer["needed"] - there))
    table(("game", "kind", "turn", "deadline", "players", "missing"), rows)
    for held in stuck:
        say(f"{held.game} is suspended: {held.why}.")


def say_turn(position: GamePosition, zone: ZoneInfo, now: int) -> None:
    """Print which turn is due and its deadline."""
    if not position.is_running:
        return
    turn = position.game.rules.turn(position.state)
    say(f"Turn: {turn.name} ({turn.short})")
    if stopped := stop_line(position):
        say(stopped, f"To continue it: gm game resume {position.name}")
    elif deadline_status.is_solo(position):
        asleep = ", who hasn't written for a long time" if deadline_status.is_asleep(position.timing) else ""
        say(f"Deadline: none. The game waits for its player{asleep}.")
    elif (over := deadline_status.overdue(position, now)) is not None:
        say(times.overdue_line(over, zone))
    elif position.deadline is not None:
        say(f"Deadline: {clock.format_instant(position.deadline, zone)}")
        if position.early:
            say("The turn runs as soon as all players' orders are in.")


def say_offer(offer: GameOffer, repository: DatabaseRepository, settings: Settings, as_json: bool) -> None:
    """Print a game that is open for players."""
    signups = repository.people.signups(offer.name)
    if as_json:
        document(offer_view(offer, signups))
        return
    title = games.kinds()[offer.kind].about.title
    say(f"{offer.name}: {title}, open for players. {len(signups)} of {offer.needed} have joined.")
    if offer.starts is not None:
        say(f"Latest start: {clock.format_instant(offer.starts, settings.zone)}")
    if signups:
        table(("address", "would like"), [(signup.address, ", ".join(signup.wishes)) for signup in signups])
    say("", f"To join, players email {settings.address}: JOIN {offer.name}")
    say(f"To start it now with bots in the other seats: gm game start {offer.name}")


def _seat_row(seat: dict[str, Any]) -> tuple[object, ...]:
    orders = None
    if seat["owes"] and seat["player"] == "person":
        orders = "missing: " + ", ".join(seat["missing"]) if seat["missing"] else "in"
    says = "WAIT" if seat["wait"] else "READY" if seat["ready"] else None
    player = seat["address"] or bot_line(seat)
    return (seat["seat"], player, orders, says, seat["missed"] or None, seat["trouble"])


def _deadline_cell(position: GamePosition, zone: ZoneInfo) -> str | None:
    stop = position.timing.stop
    if stop is not None and position.is_running:
        return STOPPED[stop.kind]
    if deadline_status.is_solo(position):
        return "asleep" if deadline_status.is_asleep(position.timing) else "waits"
    deadline = moment(position.deadline) if position.is_running else None
    until = moment(orders_count_until(position))
    return deadline_cell(deadline, until, lambda at: f"{at.astimezone(zone):%Y-%m-%d %H:%M %Z}")


def deadline_cell(
    deadline: datetime | None, until: datetime | None, local: Callable[[datetime], str | None]
) -> str | None:
    """Return the deadline of a game as a cell; after it has passed, also until when orders count.

    local: writes a time.
    """
    now = clock.datetime_of(clock.WallClock().now())
    if deadline is None or until is None or now <= deadline:
        return None if deadline is None else local(deadline)
    if now > until:
        return f"was {local(deadline)}; orders no longer count"
    return f"was {local(deadline)}; orders count until {local(until)}"


# Games and seats as plain values, for `--json` and for the tables.


def game_view(position: GamePosition) -> dict[str, Any]:
    """Return a game's public data. Times are in ISO 8601; `turn` and `deadline` are null when it is over.

    orders_count_until: the end of the grace period.
    """
    game = position.game
    rules = game.rules
    owed = lookup.missing_orders(position)
    return {
        "game": position.name,
        "kind": position.kind,
        "title": game.about.title,
        "status": position.status,
        "turn": record.plain(rules.turn(position.state)) if position.is_running else None,
        "deadline": moment(position.deadline) if position.is_running else None,
        "grace_seconds": position.deadlines.grace // 1000,
        "orders_count_until": moment(orders_count_until(position)),
        "stopped": stop_view(position),
        "held": position.stuck.why if position.stuck else None,
        "early": position.early,
        "options": dict(position.options),
        "turns_played": position.played,
        "seats": [_seat(position, seat, owed) for seat in position.assignments],
        "tables": [record.plain(table) for table in game.telling.tables(rules.view(position.state, None))],
        "result": record.plain(games_model.outcome_of(game, position)),
    }


def orders_count_until(position: GamePosition) -> int | None:
    """Return when the grace period of the turn ends, or None while no deadline runs."""
    if not position.is_running or position.deadline is None or position.timing.stop is not None:
        return None
    return None if deadline_status.is_solo(position) else position.deadline + position.deadlines.grace


def held_view(game: str, stuck: Suspension) -> dict[str, Any]:
    """Return what is known of a game that can't be read."""
    return {"game": game, "kind": stuck.kind, "status": "held", "held": stuck.why, "instead": stuck.instead}


def stop_view(position: GamePosition) -> dict[str, Any] | None:
    """Return why a game doesn't run, or None if it runs. kind: "pause", "hold", or "nmr"."""
    stop = position.timing.stop
    if stop is None or not position.is_running:
        return None
    return {"kind": stop.kind, "since": moment(stop.since), "by": stop.by, "why": stop.why}


STOPPED = {"pause": "paused", "hold": "on hold", "nmr": "waits for you"}
"""What is printed for a game that doesn't run, by the kind of its stop."""


def stop_line(position: GamePosition) -> str | None:
    """Return the same as one line for people."""
    stop = stop_view(position)
    if stop is None:
        return None
    state = {"pause": "Paused", "hold": "The turn is on hold", "nmr": "The turn waits for you"}[stop["kind"]]
    return f"{state}, by {stop['by']}: {stop['why'] or 'no reason given'}"


def offer_view(offer: GameOffer, signups: Sequence[Signup]) -> dict[str, Any]:
    """Return a game that is open for players. bot, temperament: of its bots; null: weakest level, none."""
    return {
        "game": offer.name,
        "kind": offer.kind,
        "status": "open",
        "needed": offer.needed,
        "starts": moment(offer.starts),
        "signed_up": [{"address": signup.address, "wishes": list(signup.wishes)} for signup in signups],
        "options": dict(offer.options),
        "terms": dict(offer.terms),
        "customs": record.plain(offer.customs),
        "bot": offer.level,
        "temperament": offer.temper,
    }


def seat_view(position: GamePosition, seat: Seat) -> dict[str, Any]:
    """Return a seat of a game. player: "person" or "bot". missing: the orders that its player still has to
    send.

    bot: the level of its bot, null if the kind has none. temperament: its personality, null for none. drawn:
    the personality that was drawn at random, if temperament is "drawn".
    """
    return _seat(position, seat, lookup.missing_orders(position))


def _seat(position: GamePosition, seat: Seat, owed: Mapping[Seat, Sequence[str]]) -> dict[str, Any]:
    """Return the same. owed: the missing orders of all seats."""
    assignment, game = position.assignments[seat], position.game
    bots = bots_of.GameBots(game, position.name, position.secret)
    return {
        "seat": seat,
        "player": "person" if assignment.is_person else "bot",
        "address": assignment.address,
        "bot": bots_of.own_bot_name(assignment)
        or (bots_of.level_of(game, assignment) if game.bots else None),
        "temperament": assignment.temper,
        "drawn": bots.temper_of(assignment)
        if assignment.temper == bots_of.RANDOM_TEMPER and game.bots
        else None,
        "owes": seat in owed,
        "missing": list(owed.get(seat, ())) if assignment.is_person else [],
        "wait": assignment.wait,
        "ready": assignment.ready,
        "missed": assignment.missed,
        "trouble": assignment.trouble,
    }


def bot_line(seat: dict[str, Any], *, drawn: bool = True) -> str:
    """Return the bot of a seat in a phrase: "bot (intermediate, raider)". drawn: include a random
    personality.
    """
    temper = seat["temperament"]
    if temper == bots_of.RANDOM_TEMPER and drawn:
        temper = f"{seat['drawn']}, drawn"
    return f"bot ({', '.join(filter(None, (seat['bot'], temper)))})" if seat["bot"] else "bot"


# ``gm player list`` and ``gm player show``.


def show_players(config: str | None, *, as_json: bool) -> None:
    """Print all players."""
    with open_store(config) as store:
        people = [details_of(report) for report in lookup.everybody(store)]
    records(
        people,
        {
            "address": "address",
            "name": "name",
            "zone": "zone",
            "plays": lambda person: ", ".join(f"{at['seat']} ({at['game']})" for at in person["plays"]),
            "waits for": lambda person: ", ".join(person["waits_for"]),
            "observes": lambda person: ", ".join(person["watches"]),
        },
        as_json=as_json,
        empty="There are no players yet. To assign a seat: gm seat assign GAME SEAT ADDRESS",
    )


def show_bans(config: str | None, *, as_json: bool) -> None:
    """Print who is banned, and why."""
    with open_store(config) as store:
        bans = [
            {"address": ban.address, "why": ban.why, "since": moment(ban.at)}
            for ban in stored_people.bans(store.database)
        ]
    columns: dict[str, str | Callable[[Any], object]] = {"address": "address", "why": "why", "since": "since"}
    records(bans, columns, as_json=as_json, empty="Nobody is banned.")


def show_own_bots(config: str | None, agree: str | None, *, as_json: bool) -> None:
    """Print the GM's own bots. agree: the name of one that may be started from now on."""
    settings = service_config.load_settings(service_config.find_config(config))
    if agree is not None:
        bot = next((bot for bot in settings.own_bots if bot.name == agree), None)
        if bot is None:
            names = ", ".join(bot.name for bot in settings.own_bots) or "none"
            raise Refusal(f'No bot called "{agree}" in {settings.file}', "", f"Bots: {names}")
        service.agree(bot)
    rows = [
        {
            "name": bot.name,
            "command": bot.command,
            "seconds": bot.seconds,
            "memory": bot.memory_mb,
            "agreed": bot.is_agreed,
        }
        for bot in settings.own_bots
    ]
    columns: dict[str, str | Callable[[Any], object]] = {
        "name": "name",
        "command": "command",
        "seconds": "seconds",
        "MB": "memory",
        "agreed": lambda row: "yes" if row["agreed"] else f"no: gm seat bots --agree {row['name']}",
    }
    empty = f"{settings.file} has no bots. Add [[bot]] with a name and a command, see docs/own-bots.md."
    records(rows, columns, as_json=as_json, empty=empty)


def show_waiting(config: str | None, game: str, *, as_json: bool) -> None:
    """Print those who wait for a seat in a game, with their records, and why some need the GM's consent."""
    with open_store(config) as store:
        waiting = [
            {
                "address": entry.signup.address,
                "wishes": list(entry.signup.wishes),
                "since": moment(entry.signup.since),
                "turnout": turnout_view(entry.turnout),
                "needs_consent": entry.hold.text if entry.hold is not None else None,
            }
            for entry in lookup.waiting_people(store, game, clock.WallClock().now())
        ]
    columns: dict[str, str | Callable[[Any], object]] = {
        "address": "address",
        "would like": lambda entry: ", ".join(entry["wishes"]),
        "record": lambda entry: (
            "" if entry["turnout"]["percent"] is None else f"{entry['turnout']['percent']} %"
        ),
        "turns": lambda entry: entry["turnout"]["turns"],
        "needs your consent": "needs_consent",
    }
    records(waiting, columns, as_json=as_json, empty=f"Nobody waits for a seat in {game}.")


def show_person(config: str | None, address: str, *, as_json: bool) -> None:
    """Print a player, with their record in solo games."""
    with open_store(config) as store:
        person_report = lookup.find_person(store, address)
        record = lookup.solo_record(store, person_report.person.address)
        turnout = lookup.turnout_of(store, person_report.person.address, clock.WallClock().now())
    if as_json:
        record_by_case = [_chapter(chapter) for chapter in record]
        document({**details_of(person_report), "record": record_by_case, "turnout": turnout_view(turnout)})
        return
    say_person(person_report)
    say("", turnout_line(turnout))
    if record:
        say("", solo_records.record_text(record))


def turnout_view(record: TurnoutRecord) -> dict[str, Any]:
    """Return a player's record of turning up as plain values."""
    counts = {name: getattr(record, name) for name in ("turns", "in_time", "late", "missed", "taken_over")}
    return {"percent": record.percent, **counts}


def turnout_line(record: TurnoutRecord) -> str:
    """Return a player's record of turning up in a sentence."""
    if record.percent is None:
        return "Record of turning up: no turns with a deadline yet."
    return (
        f"Record of turning up: {record.percent} %. Turns: {record.turns}, in time {record.in_time}, "
        f"late {record.late}, missed {record.missed}. Seats taken over: {record.taken_over}."
    )


def say_person(report: PersonReport) -> None:
    """Print a player, for people."""
    table(
        ("player", report.person.address),
        [
            ("name", report.person.name),
            ("zone", report.person.zone),
            ("plays", ", ".join(f"{seat} in {game}" for game, seat in report.plays)),
            ("waits for", ", ".join(report.waits_for)),
            ("observes", ", ".join(report.watches)),
            ("has blocked", ", ".join(report.blocked)),
            ("banned", report.ban.why if report.ban is not None else None),
        ],
    )
    for game, why in report.held:
        say(
            f"Waits for your consent in {game}: {why}",
            f"To let them in: gm seat admit {game} {report.person.address}",
        )


def details_of(report: PersonReport) -> dict[str, Any]:
    """Return a player as plain values."""
    return {
        "address": report.person.address,
        "name": report.person.name,
        "zone": report.person.zone,
        "plays": [{"game": game, "seat": seat} for game, seat in report.plays],
        "waits_for": list(report.waits_for),
        "watches": list(report.watches),
        "blocked": list(report.blocked),
        "banned": report.ban.why if report.ban is not None else None,
        "held": [{"game": game, "why": why} for game, why in report.held],
    }


def _chapter(case_record: CaseRecord) -> dict[str, Any]:
    """Return the games of a case: their ends, the best game, and the bots' results. Counts are as stored."""
    game, got = case_record.best
    bots = case_record.bots and {
        "bot": case_record.bots.bot,
        "games": case_record.bots.games,
        "won": round(case_record.bots.share("won"), 4),
        "beaten": round(case_record.bots.share_beaten_by(case_record.case, got), 4),
    }
    return {
        "kind": case_record.kind,
        "case": case_record.case.name,
        "apart": list(case_record.apart),
        "won": case_record.count_ended("won"),
        "drawn": case_record.count_ended("drawn"),
        "lost": case_record.count_ended("lost"),
        "counted": case_record.case.thing,
        "parts": case_record.case.parts,
        "best": {"game": game, "end": got.end, "count": got.count},
        "games": [{"game": name, "end": each.end, "count": each.count} for name, each in case_record.played],
        "bots": bots,
    }


# ``gm turn process``: run a turn at once.


def process(
    config: str | None, game: str, *, yes: bool, as_json: bool, ask: Callable[[str], bool] | None = None
) -> None:
    """Process a game's turn and print the result. yes: don't ask, even if orders are missing.

    ask: asks the GM a question; None: nobody can be asked.
    """
    with open_writable_store(config) as store:
        position = lookup.position_of(store, game)
        if ask is not None and not yes and not as_json:
            _ask(ask, position)
        played = turns.play_now(store, game)
        ready = outbox.counts(store.database)["ready"]
        zone = store.zone
    names = [step.turn.short for step in played.steps]
    if as_json:
        result = record.plain(played.result)
        document({"game": game, "played": names, "deadline": moment(played.deadline), "result": result})
        return
    say(f"Processed {', '.join(names)} of {game}. {pluralise(ready, 'email')} ready to be sent.")
    if played.result is not None:
        say(f"The game is over: {played.result.reason}")
    elif played.deadline is not None:
        following = position.game.rules.turn(played.state)
        say(f"Next: {following.name}, due {clock.format_instant(played.deadline, zone)}")


def _ask(ask: Callable[[str], bool], position: GamePosition) -> None:
    owed = lookup.missing_orders(position)
    late = [seat for seat, lacking in owed.items() if lacking and position.assignments[seat].is_person]
    if not position.is_running or not late:
        return
    if not ask(f"Orders of {', '.join(late)} are missing. Process {position.name} anyway?"):
        raise Refusal(
            f"The turn of game {position.name} didn't run",
            "orders are missing",
            f'Use "gm game show {position.name}" to see them',
        )


# ``gm orders show``.


def show_orders(config: str | None, game: str, seat: str | None = None, *, as_json: bool) -> None:
    """Print the saved orders of a seat, or of all seats that players hold."""
    with open_store(config) as store:
        position = lookup.position_of(store, game)
    seats = (
        [lookup.seat_of(position, seat)]
        if seat
        else [at for at, assignment in position.assignments.items() if assignment.is_person]
    )
    saved = [saved_orders(position, at) for at in seats]
    if as_json:
        document(saved)
        return
    if not saved:
        say(f"Only bots play in {game}. They order when the turn runs.")
    for facts in saved:
        heading(facts["seat"])
        say(*(f"  {order}" for order in facts["orders"]))
        if facts["missing"]:
            say(f"  missing: {', '.join(facts['missing'])}")
        elif not facts["orders"]:
            say("  no saved orders, none due")


def saved_orders(position: GamePosition, seat: Seat) -> dict[str, Any]:
    """Return the saved orders of a seat, as plain values."""
    game = position.game
    return {
        "game": position.name,
        "seat": seat,
        "turn": game.rules.turn(position.state).short if position.is_running else None,
        "orders": [orders_on_file.write_item(game, item) for item in position.filed.get(seat, ())],
        "missing": list(lookup.missing_orders(position).get(seat, ())) if position.is_running else [],
    }


# ``gm mail list``.


DEFAULT_LETTERS_LISTED = 20
"""The number of emails that are listed by default."""


def show_emails(
    config: str | None,
    *,
    out: bool,
    as_json: bool,
    limit: int = DEFAULT_LETTERS_LISTED,
    only: str | None = None,
) -> None:
    """Print the latest emails, the newest first. out: outgoing ones; only: those in that state."""
    with open_store(config) as store:
        emails = _letters_out(store, limit, only) if out else _letters_in(store, limit, only)
        zone = store.zone
    columns: dict[str, str | Callable[[Any], object]] = {key: key for key in (emails or [{}])[0]}
    if only:
        empty = f"No email is {only}."
    else:
        empty = f"There are no {'outgoing' if out else 'incoming'} emails yet."
    columns["why"] = lambda email: email["why"] and email["why"].splitlines()[0]
    records(emails, columns, as_json=as_json, zone=zone, empty=empty)


def _letters_in(store: Store, limit: int, only: str | None) -> list[dict[str, Any]]:
    letters = inbox.list_letters(store.database, limit, only)
    return [head_in(letter, _head_of(letter.raw)) for letter in letters]


def _letters_out(store: Store, limit: int, only: str | None) -> list[dict[str, Any]]:
    letters = outbox.list_posted(store.database, limit, [only] if only else outbox.STATES)
    return [head_out(letter, _head_of(letter.sealed.raw)) for letter in letters]


def _head_of(raw: bytes) -> Letter:
    return opened.open_letter(headers.split_message(raw)[0])


def subject_of(raw: bytes) -> str:
    """Return the subject of one of our emails, without its token."""
    return tokens.redact_text(_head_of(raw).subject)


def head_in(incoming: inbox.ShownLetter, letter: Letter) -> dict[str, Any]:
    """Return what is listed of an incoming email."""
    return {
        "number": incoming.number,
        "received": moment(incoming.received),
        "from": incoming.speaker or letter.sender,
        "subject": tokens.redact_text(letter.subject),
        "game": incoming.game,
        "seat": incoming.seat,
        "decided": incoming.disposition or "waiting",
        "why": None if incoming.why is None else tokens.redact_text(incoming.why),
    }


def head_out(outgoing: outbox.OutboxLetter, letter: Letter) -> dict[str, Any]:
    """Return what is listed of an outgoing email."""
    return {
        "number": outgoing.number,
        "written": moment(outgoing.created),
        "to": outgoing.sealed.to,
        "subject": tokens.redact_text(letter.subject),
        "game": outgoing.sealed.game,
        "seat": outgoing.sealed.seat,
        "state": outgoing.state,
        "attempts": outgoing.attempts,
        "why": outgoing.why,
    }


def channel_rows(store: Store) -> list[dict[str, Any]]:
    """Return every channel in gm.toml, and removed channels that posts still wait for."""
    waiting = outbox.waiting(store.database)
    troubles = {trouble_now.name: trouble_now for trouble_now in workers.current_incidents(store.database)}
    rows = []
    for channel in store.settings.channels:
        trouble = troubles.get(workers.channel_incident_name(channel.display_name))
        rows.append(
            {
                "channel": channel.display_name,
                "kind": channel.kind,
                "to": channel.address or None,
                "games": sorted(channel.games) if channel.games is not None else None,
                "what": sorted(channel.what),
                "map": channel.map,
                "signed": channel.secret is not None,
                "waiting": waiting.pop(recipient_of(channel.name), 0) if channel.name else 0,
                "down_since": moment(trouble.since) if trouble else None,
                "why": trouble.why if trouble else None,
            }
        )
    nothing = dict.fromkeys(("to", "games", "map", "signed", "down_since"))
    for recipient, count in sorted(waiting.items()):
        name = channel_named(recipient)
        why = "it is no longer in gm.toml"
        rows.append({"channel": name, "kind": None, "what": [], **nothing, "waiting": count, "why": why})
    return rows
