"""``gm status`` as it looks: games, letters, channels and workers on one page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import games
from adjudicator import clock
from adjudicator.caretaker import health
from adjudicator.gm import channel_view
from adjudicator.gm.game_view import STOPPED, game_view, orders_count_until
from adjudicator.gm.look_game import deadline_cell
from adjudicator.gm.opening import shelf_at
from adjudicator.gm.output import counted, document, heading, say, stamp, table
from adjudicator.ledger import dispositions
from adjudicator.store import glance, inbox, incidents, looks, meta, outbox, returned, workers

if TYPE_CHECKING:
    from adjudicator.gm.opening import Shelf
    from adjudicator.store.workers import Worker

SLOW = clock.MINUTE
"""Of a worker nothing is heard for so long, or it has something in hand: it is slow."""

MOST = 100
"""So many games are listed for people."""


def show(config: str | None, *, as_json: bool) -> None:
    """Print how the games and the letters fare, and what is in the way."""
    with shelf_at(config) as shelf:
        names = shelf.books.games()
        shown = names if as_json else _chosen(shelf, names)
        sight = _sight(shelf, shown)
        zone, now = shelf.zone, clock.WallClock().now()

    def local(at: int | None) -> str | None:
        return None if at is None else f"{clock.moment(at, zone):%Y-%m-%d %H:%M:%S %Z}"

    if as_json:
        document(_stamped(sight))
        return
    for trouble in sight["troubles"]:
        if incidents.channel_of(trouble["name"]) is not None:
            continue
        say(f"NO {trouble['name'].upper()} since {local(trouble['since'])}: {trouble['why']}")
    columns = ("game", "turn", "deadline", "waits for", "trouble")
    rows = [
        (
            one["game"],
            one["turn"] or one["status"],
            "held" if one["held"] else one["stopped"] or _deadline(one, now, local),
            one["missing"],
            one["trouble"],
        )
        for one in sight["games"]
    ]
    if rows:
        table(columns, rows)
        if more := len(names) - len(shown):
            say(f"… and {counted(more, 'game')} more; gm game list  has them all.")
    else:
        say("There is no game yet. Begin one:  gm game new indianomacy")
    for one in sight["games"]:
        if one["held"]:
            say(f"{one['game']} is held: {one['held']}.  gm doctor  says what to do.")
    heading("Letters")
    polled = local(sight["last_poll"]) or "never; run  gm serve"
    say(f"Mailbox last looked through: {polled}")
    say("In:  " + ", ".join(f"{count} {name}" for name, count in sight["letters_in"].items()))
    say("Out: " + ", ".join(f"{count} {name}" for name, count in sight["letters_out"].items()))
    if stuck := sight["stuck"]:
        say(f"{counted(stuck['count'], 'letter')} put off; last: {stuck['why']}")
    if sight["channels"]:
        heading("Channels")
        rows = [
            (one["channel"], one["kind"], one["waiting"], local(one["down_since"]), one["why"])
            for one in sight["channels"]
        ]
        table(("channel", "kind", "waiting", "down since", "why"), rows)
    if sight["workers"]:
        letters, due = (sight["backlog"][what] for what in ("letters", "games"))
        heading("Workers")
        say(f"To do: {counted(letters, 'letter')} to read, {counted(due, 'game')} to see to")
        lines = [_worker(one, local) for one in sight["workers"]]
        table(("worker", "does", "seen", "in hand", "has done"), lines)
    for dead in sight["given_up"]:
        say(f"Nothing is sent to {dead['address']} since {local(dead['since'])}: {dead['why']}")


def _deadline(one: dict[str, Any], now: int, local: Callable[[int | None], str | None]) -> str | None:
    """The deadline of a game as a cell of the table."""
    deadline = one["deadline"] if one["turn"] else None
    return deadline_cell(deadline, one["orders_count_until"], now, lambda at: str(local(at)))


def _worker(one: dict[str, Any], local: Callable[[int | None], str | None]) -> tuple[str | None, ...]:
    """A worker as a line of the table."""
    hand, done = one["in_hand"], one["done"]
    held = [counted(hand[what], what[:-1]) for what in hand if hand[what]]
    ends = {"turn committed": "turn", "letter handled": "letter", "report sent": "sending"}
    return (
        f"{one['host']} {one['pid']}",
        ", ".join(one["jobs"]),
        local(one["seen"]) + (" (slow)" if one["slow"] else ""),  # type: ignore[operator]  # it has been seen
        ", ".join(held) or None,
        ", ".join(counted(done[step], word) for step, word in ends.items() if step in done) or None,
    )


def _chosen(shelf: Shelf, names: Sequence[str]) -> Sequence[str]:
    """The games that are listed: all, or of more than MOST those in trouble and those that are next."""
    if len(names) <= MOST:
        return names
    database, late = shelf.database, clock.WallClock().now() - health.LATE
    ill = [*glance.suspects(database, games.kinds()), *glance.overdue(database, late)]
    ill += [name for name, _ in glance.lost(database)]
    return list(dict.fromkeys([*ill, *glance.next_due(database, MOST)]))[:MOST]


def _sight(shelf: Shelf, names: Sequence[str]) -> dict[str, Any]:
    now = clock.WallClock().now()
    put_off = outbox.put_off(shelf.database)
    return {
        "games": [_game(shelf, name) for name in names],
        "last_poll": meta.last_poll(shelf.database),
        "workers": [_at_work(one, now, looks.LEASE) for one in workers.present(shelf.database)],
        "backlog": {
            "letters": inbox.counts(shelf.database)[dispositions.WAITING],
            "games": len(looks.due(shelf.database, now)),
        },
        "channels": channel_view.channels(shelf),
        "letters_in": inbox.counts(shelf.database),
        "letters_out": outbox.counts(shelf.database),
        "stuck": {"count": put_off.count, "why": put_off.why} if put_off else None,
        "given_up": [
            {"address": one.address, "since": one.since, "why": one.why}
            for one in returned.dead(shelf.database)
        ],
        "troubles": [
            {"name": one.name, "since": one.since, "last": one.last, "why": one.why}
            for one in incidents.present(shelf.database)
        ],
    }


def _at_work(one: Worker, now: int, lease: int) -> dict[str, Any]:
    """A worker. slow: nothing was heard of it, or it has had something in hand, for longer than SLOW."""
    held = now - (one.until - lease) if one.until is not None else 0
    return {
        "worker": one.name,
        "host": one.host,
        "pid": one.pid,
        "jobs": list(one.jobs),
        "began": one.began,
        "seen": one.seen,
        "in_hand": {"games": one.games, "letters": one.letters, "sendings": one.sending},
        "until": one.until,
        "slow": max(now - one.seen, held) > SLOW,
        "done": dict(sorted(one.done.items())),
    }


def _game(shelf: Shelf, name: str) -> dict[str, Any]:
    position, stuck = shelf.books.position(name), shelf.books.stuck(name)
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
        "deadline": position.deadline if position.running else None,
        "orders_count_until": orders_count_until(position),
        "stopped": STOPPED[sight["stopped"]["kind"]] if sight["stopped"] else None,
        "missing": ", ".join(seat["seat"] for seat in seats if seat["missing"]) or None,
        "trouble": ", ".join(seat["seat"] for seat in seats if seat["trouble"]) or None,
        "held": stuck.why if stuck else None,
    }


def _stamped(sight: dict[str, Any]) -> dict[str, Any]:
    """The same with its instants in ISO 8601."""
    return {
        **sight,
        "last_poll": stamp(sight["last_poll"]),
        "workers": [
            {**one, "began": stamp(one["began"]), "seen": stamp(one["seen"]), "until": stamp(one["until"])}
            for one in sight["workers"]
        ],
        "games": [
            {**one, **{key: stamp(one[key]) for key in ("deadline", "orders_count_until")}}
            for one in sight["games"]
        ],
        "given_up": [{**one, "since": stamp(one["since"])} for one in sight["given_up"]],
        "channels": [{**one, "down_since": stamp(one["down_since"])} for one in sight["channels"]],
        "troubles": [
            {**one, "since": stamp(one["since"]), "last": stamp(one["last"])} for one in sight["troubles"]
        ],
    }
