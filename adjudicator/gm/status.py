"""``gm status``: how the games and the letters fare, on one page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.caretaker import health
from adjudicator.clock import moment
from adjudicator.gamesmaster import conduct
from adjudicator.gm.game_view import STOPPED, game_view
from adjudicator.gm.help_examples import Json, alone, example
from adjudicator.gm.opening import house_of
from adjudicator.gm.output import counted, document, heading, say, stamp, table
from adjudicator.store import inbox, incidents, meta, outbox, returned

if TYPE_CHECKING:
    from adjudicator.caretaker.findings import Finding, Grade
    from adjudicator.house import House

EXITS: Mapping[Grade, int] = {"good": 0, "odd": 3, "bad": 4}
"""Beside 1, where nothing can be told, and 2 for wrong usage."""

app = alone()


@app.command(
    epilog=example(
        "gm status",
        "gm status --check",
        then="gm game show NAME  tells more of a game, gm mail list  of letters, gm doctor  what to mend.",
    )
)
def status(
    ctx: typer.Context,
    check: Annotated[
        bool, typer.Option("--check", help="Say only what is wrong: exit code 0 nothing, 3 odd, 4 bad.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show how the games and the letters fare, and what is in the way.

    With --check, for monitoring: a line for each thing that is wrong. The exit code is 0 where all is well, 3
    where something is to be seen to, 4 where the service does not do its work, 1 where that cannot be told.
    """
    if check:
        with house_of(ctx) as house:
            _check(health.ailments(house, house.clock.now()), as_json)
        return
    with house_of(ctx) as house, house.database.session():
        sight = _sight(house)
        zone = house.office.zone

    def local(at: int | None) -> str | None:
        return None if at is None else f"{moment(at, zone):%Y-%m-%d %H:%M:%S %Z}"

    if as_json:
        document(_stamped(sight))
        return
    for trouble in sight["troubles"]:
        say(f"NO {trouble['name'].upper()} since {local(trouble['since'])}: {trouble['why']}")
    columns = ("game", "turn", "deadline", "waits for", "trouble")
    rows = [
        (
            one["game"],
            one["turn"] or one["status"],
            one["stopped"] or (local(one["deadline"]) if one["turn"] else None),
            one["missing"],
            one["trouble"],
        )
        for one in sight["games"]
    ]
    if rows:
        table(columns, rows)
    else:
        say("There is no game yet. Begin one:  gm game new indianomacy")
    heading("Letters")
    polled = local(sight["last_poll"]) or "never; run  gm serve"
    say(f"Mailbox last looked through: {polled}")
    say("In:  " + ", ".join(f"{count} {name}" for name, count in sight["letters_in"].items()))
    say("Out: " + ", ".join(f"{count} {name}" for name, count in sight["letters_out"].items()))
    if stuck := sight["stuck"]:
        say(f"{counted(stuck['count'], 'letter')} put off; last: {stuck['why']}")
    for dead in sight["given_up"]:
        say(f"Nothing is sent to {dead['address']} since {local(dead['since'])}: {dead['why']}")


def _check(found: Sequence[Finding], as_json: bool) -> None:
    worst = found[0].grade if found else "good"
    if as_json:
        document({"grade": worst, "findings": [asdict(one) for one in found]})
    else:
        say(*(f"{one.grade.upper()} {one.about}: {one.said} ({one.instead})" for one in found))
        if not found:
            say("All is well.")
    raise typer.Exit(EXITS[worst])


def _sight(house: House) -> dict[str, Any]:
    positions = [conduct.position_of(house, name) for name in house.books.games()]
    put_off = [one for one in outbox.list_posted(house.database, states=("ready", "unsure")) if one.why]
    return {
        "games": [_game(game_view(one), one.deadline if one.running else None) for one in positions],
        "last_poll": meta.last_poll(house.database),
        "letters_in": inbox.counts(house.database),
        "letters_out": outbox.counts(house.database),
        "stuck": {"count": len(put_off), "why": put_off[0].why} if put_off else None,
        "given_up": [
            {"address": one.address, "since": one.since, "why": one.why}
            for one in returned.dead(house.database)
        ],
        "troubles": [
            {"name": one.name, "since": one.since, "last": one.last, "why": one.why}
            for one in incidents.present(house.database)
        ],
    }


def _game(sight: dict[str, Any], deadline: int | None) -> dict[str, Any]:
    seats = sight["seats"]
    return {
        "game": sight["game"],
        "status": sight["status"],
        "turn": sight["turn"]["short"] if sight["turn"] else None,
        "deadline": deadline,
        "stopped": STOPPED[sight["stopped"]["kind"]] if sight["stopped"] else None,
        "missing": ", ".join(seat["seat"] for seat in seats if seat["missing"]) or None,
        "trouble": ", ".join(seat["seat"] for seat in seats if seat["trouble"]) or None,
    }


def _stamped(sight: dict[str, Any]) -> dict[str, Any]:
    """The same with its instants in ISO 8601."""
    return {
        **sight,
        "last_poll": stamp(sight["last_poll"]),
        "games": [{**one, "deadline": stamp(one["deadline"])} for one in sight["games"]],
        "given_up": [{**one, "since": stamp(one["since"])} for one in sight["given_up"]],
        "troubles": [
            {**one, "since": stamp(one["since"]), "last": stamp(one["last"])} for one in sight["troubles"]
        ],
    }
