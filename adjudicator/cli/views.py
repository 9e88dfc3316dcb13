"""``gm status`` as it looks: games, letters, channels and workers on one page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import games
from adjudicator import clock
from adjudicator.cli import channel_view
from adjudicator.cli.connect import shelf_at
from adjudicator.cli.game_view import STOPPED, game_view, orders_count_until
from adjudicator.cli.look_game import deadline_cell
from adjudicator.cli.output import document, heading, pluralise, say, stamp, table
from adjudicator.daemon import health
from adjudicator.model import dispositions
from adjudicator.storage import bounces, due_games, glance, inbox, incidents, metadata, outbox, workers

if TYPE_CHECKING:
    from adjudicator.cli.connect import Shelf
    from adjudicator.storage.workers import Worker

SLOW = clock.MINUTE
"""Of a worker nothing is heard for so long, or it has something in hand: it is slow."""

MAX_GAMES_LISTED = 100
"""So many games are listed for people."""


def show(config: str | None, *, as_json: bool) -> None:
    """Print how the games and the letters fare, and what is in the way."""
    with shelf_at(config) as shelf:
        names = shelf.books.games()
        shown = names if as_json else _games_to_list(shelf, names)
        sight = _sight(shelf, shown)
        zone, now = shelf.zone, clock.WallClock().now()

    def local(at: int | None) -> str | None:
        return None if at is None else f"{clock.datetime_of(at, zone):%Y-%m-%d %H:%M:%S %Z}"

    if as_json:
        document(_with_iso_times(sight))
        return
    for trouble in sight["troubles"]:
        if incidents.channel_of(trouble["name"]) is not None:
            continue
        say(f"NO {trouble['name'].upper()} since {local(trouble['since'])}: {trouble['why']}")
    columns = ("game", "turn", "deadline", "waits for", "trouble")
    rows = [
        (
            game["game"],
            game["turn"] or game["status"],
            "held" if game["held"] else game["stopped"] or _deadline(game, now, local),
            game["missing"],
            game["trouble"],
        )
        for game in sight["games"]
    ]
    if rows:
        table(columns, rows)
        if more := len(names) - len(shown):
            say(f"… and {pluralise(more, 'game')} more; gm game list  has them all.")
    else:
        say("There is no game yet. Begin one:  gm game new indianomacy")
    for game in sight["games"]:
        if game["held"]:
            say(f"{game['game']} is held: {game['held']}.  gm doctor  says what to do.")
    heading("Letters")
    polled = local(sight["last_poll"]) or "never; run  gm serve"
    say(f"Mailbox last looked through: {polled}")
    say("In:  " + ", ".join(f"{count} {name}" for name, count in sight["letters_in"].items()))
    say("Out: " + ", ".join(f"{count} {name}" for name, count in sight["letters_out"].items()))
    if stuck := sight["stuck"]:
        say(f"{pluralise(stuck['count'], 'letter')} put off; last: {stuck['why']}")
    if sight["channels"]:
        heading("Channels")
        rows = [
            (
                channel["channel"],
                channel["kind"],
                channel["waiting"],
                local(channel["down_since"]),
                channel["why"],
            )
            for channel in sight["channels"]
        ]
        table(("channel", "kind", "waiting", "down since", "why"), rows)
    if sight["workers"]:
        letters, due = (sight["backlog"][what] for what in ("letters", "games"))
        heading("Workers")
        say(f"To do: {pluralise(letters, 'letter')} to read, {pluralise(due, 'game')} to see to")
        lines = [_worker(worker, local) for worker in sight["workers"]]
        table(("worker", "does", "seen", "in hand", "has done"), lines)
    for dead in sight["given_up"]:
        say(f"Nothing is sent to {dead['address']} since {local(dead['since'])}: {dead['why']}")


def _deadline(one: dict[str, Any], now: int, local: Callable[[int | None], str | None]) -> str | None:
    """The deadline of a game as a cell of the table."""
    deadline = one["deadline"] if one["turn"] else None
    return deadline_cell(deadline, one["orders_count_until"], now, lambda at: str(local(at)))


def _worker(worker: dict[str, Any], local: Callable[[int | None], str | None]) -> tuple[str | None, ...]:
    """A worker as a line of the table."""
    hand, done = worker["in_hand"], worker["done"]
    held = [pluralise(hand[what], what[:-1]) for what in hand if hand[what]]
    ends = {"turn committed": "turn", "letter handled": "letter", "report sent": "sending"}
    return (
        f"{worker['host']} {worker['pid']}",
        ", ".join(worker["jobs"]),
        local(worker["seen"]) + (" (slow)" if worker["slow"] else ""),  # type: ignore[operator]  # it has been seen
        ", ".join(held) or None,
        ", ".join(pluralise(done[step], word) for step, word in ends.items() if step in done) or None,
    )


def _games_to_list(shelf: Shelf, names: Sequence[str]) -> Sequence[str]:
    """Return the games to list: all, or of more than MAX_GAMES_LISTED those in trouble and those next due."""
    if len(names) <= MAX_GAMES_LISTED:
        return names
    database, late = shelf.database, clock.WallClock().now() - health.LATE
    ill = [*glance.suspects(database, games.kinds()), *glance.overdue(database, late)]
    ill += [name for name, _ in glance.unreachable_seats(database)]
    return list(dict.fromkeys([*ill, *glance.next_due(database, MAX_GAMES_LISTED)]))[:MAX_GAMES_LISTED]


def _sight(shelf: Shelf, names: Sequence[str]) -> dict[str, Any]:
    now = clock.WallClock().now()
    put_off = outbox.put_off(shelf.database)
    return {
        "games": [_game(shelf, name) for name in names],
        "last_poll": metadata.last_poll(shelf.database),
        "workers": [
            _at_work(worker, now, due_games.GAME_LEASE_MS)
            for worker in workers.current_workers(shelf.database)
        ],
        "backlog": {
            "letters": inbox.counts(shelf.database)[dispositions.WAITING],
            "games": len(due_games.due(shelf.database, now)),
        },
        "channels": channel_view.channels(shelf),
        "letters_in": inbox.counts(shelf.database),
        "letters_out": outbox.counts(shelf.database),
        "stuck": {"count": put_off.count, "why": put_off.why} if put_off else None,
        "given_up": [
            {"address": address.address, "since": address.since, "why": address.why}
            for address in bounces.disabled_addresses(shelf.database)
        ],
        "troubles": [
            {"name": trouble.name, "since": trouble.since, "last": trouble.last, "why": trouble.why}
            for trouble in incidents.current_incidents(shelf.database)
        ],
    }


def _at_work(worker: Worker, now: int, lease: int) -> dict[str, Any]:
    """A worker. slow: nothing was heard of it, or it has had something in hand, for longer than SLOW."""
    held = now - (worker.until - lease) if worker.until is not None else 0
    return {
        "worker": worker.name,
        "host": worker.host,
        "pid": worker.pid,
        "jobs": list(worker.jobs),
        "began": worker.began,
        "seen": worker.seen,
        "in_hand": {"games": worker.games, "letters": worker.letters, "sendings": worker.sending},
        "until": worker.until,
        "slow": max(now - worker.seen, held) > SLOW,
        "done": dict(sorted(worker.done.items())),
    }


def _game(shelf: Shelf, name: str) -> dict[str, Any]:
    position, stuck = shelf.books.position(name), shelf.books.suspension(name)
    if position is None:
        nothing = dict.fromkeys(("turn", "deadline", "orders_count_until", "stopped", "missing"))
        why = stuck.why if stuck else None
        return {"game": name, "status": "held", **nothing, "trouble": None, "held": why}
    sight = game_view(position)
    seats = sight["seats"]
    return {
        "game": name,
        "status": sight["status"],
        "turn": sight["turn"]["short"] if sight["turn"] else None,
        "deadline": position.deadline if position.is_running else None,
        "orders_count_until": orders_count_until(position),
        "stopped": STOPPED[sight["stopped"]["kind"]] if sight["stopped"] else None,
        "missing": ", ".join(seat["seat"] for seat in seats if seat["missing"]) or None,
        "trouble": ", ".join(seat["seat"] for seat in seats if seat["trouble"]) or None,
        "held": stuck.why if stuck else None,
    }


def _with_iso_times(sight: dict[str, Any]) -> dict[str, Any]:
    """Return the same with its instants in ISO 8601."""
    return {
        **sight,
        "last_poll": stamp(sight["last_poll"]),
        "workers": [
            {
                **worker,
                "began": stamp(worker["began"]),
                "seen": stamp(worker["seen"]),
                "until": stamp(worker["until"]),
            }
            for worker in sight["workers"]
        ],
        "games": [
            {**game, **{key: stamp(game[key]) for key in ("deadline", "orders_count_until")}}
            for game in sight["games"]
        ],
        "given_up": [{**address, "since": stamp(address["since"])} for address in sight["given_up"]],
        "channels": [
            {**channel, "down_since": stamp(channel["down_since"])} for channel in sight["channels"]
        ],
        "troubles": [
            {**trouble, "since": stamp(trouble["since"]), "last": stamp(trouble["last"])}
            for trouble in sight["troubles"]
        ],
    }
