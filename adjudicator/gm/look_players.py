"""``gm player list`` and ``show`` as they look: who plays, waits and watches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudicator.gamesmaster import acquaintances
from adjudicator.gm.opening import shelf_at
from adjudicator.gm.output import document, say, table
from adjudicator.reports import campaign_record

if TYPE_CHECKING:
    from adjudicator.gamesmaster.acquaintances import Acquaintance
    from adjudicator.reports.campaign_record import Chapter


def show_all(config: str | None, *, as_json: bool) -> None:
    """Print everybody on the books."""
    with shelf_at(config) as shelf:
        found = acquaintances.everybody(shelf)
    if as_json:
        document([sight_of(one) for one in found])
    elif not found:
        say("Nobody is on the books yet. Give somebody a seat:  gm seat assign GAME SEAT ADDRESS")
    else:
        table(
            ("address", "name", "zone", "plays", "waits for", "watches"),
            [
                (
                    one.person.address,
                    one.person.name,
                    one.person.zone,
                    ", ".join(f"{seat} ({game})" for game, seat in one.plays),
                    ", ".join(one.waits_for),
                    ", ".join(one.watches),
                )
                for one in found
            ],
        )


def show(config: str | None, address: str, *, as_json: bool) -> None:
    """Print what is known of somebody, and his record in games played alone."""
    with shelf_at(config) as shelf:
        one = acquaintances.of(shelf, address)
        record = acquaintances.record(shelf, one.person.address)
    if as_json:
        document({**sight_of(one), "record": [_chapter(chapter) for chapter in record]})
        return
    say_person(one)
    if record:
        say("", campaign_record.record_text(record))


def say_person(one: Acquaintance) -> None:
    """Print what is known of somebody, for people."""
    table(
        ("player", one.person.address),
        [
            ("name", one.person.name),
            ("zone", one.person.zone),
            ("plays", ", ".join(f"{seat} in {game}" for game, seat in one.plays)),
            ("waits for", ", ".join(one.waits_for)),
            ("watches", ", ".join(one.watches)),
        ],
    )


def sight_of(one: Acquaintance) -> dict[str, Any]:
    """What is known of somebody, as plain values."""
    return {
        "address": one.person.address,
        "name": one.person.name,
        "zone": one.person.zone,
        "plays": [{"game": game, "seat": seat} for game, seat in one.plays],
        "waits_for": list(one.waits_for),
        "watches": list(one.watches),
    }


def _chapter(one: Chapter) -> dict[str, Any]:
    """The games of a case: their ends, the best, and what bots got; counts as they are kept."""
    game, got = one.best
    bots = one.bots and {
        "bot": one.bots.bot,
        "games": one.bots.games,
        "won": round(one.bots.share("won"), 4),
        "beaten": round(one.bots.beaten(one.case, got), 4),
    }
    return {
        "kind": one.kind,
        "case": one.case.name,
        "apart": list(one.apart),
        "won": one.ended("won"),
        "drawn": one.ended("drawn"),
        "lost": one.ended("lost"),
        "counted": one.case.thing,
        "parts": one.case.parts,
        "best": {"game": game, "end": got.end, "count": got.count},
        "games": [{"game": name, "end": each.end, "count": each.count} for name, each in one.played],
        "bots": bots,
    }
