"""``gm turn process`` as it works: a game's turn played at once, and what is told of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import games
from adjudicator import clock
from adjudicator.admin import lookup, playing
from adjudicator.cli.connect import bureau_at
from adjudicator.cli.output import document, pluralise, say, stamp
from adjudicator.errors import Refusal
from adjudicator.storage import outbox
from games import record

if TYPE_CHECKING:
    from adjudicator.model.games import AdjudicationResult, GamePosition


def process(
    config: str | None, game: str, *, yes: bool, as_json: bool, ask: Callable[[str], bool] | None = None
) -> None:
    """Play a game's turn and print what was played. yes: without asking, whoever is missing.

    ask: puts a question to the gamesmaster; None: there is nobody to be asked.
    """
    with bureau_at(config) as bureau:
        position = lookup.position_of(bureau, game)
        if ask is not None and not yes and not as_json:
            _ask(ask, position)
        played = playing.play_now(bureau, game)
        ready = outbox.counts(bureau.database)["ready"]
        zone = bureau.zone
    turns = [step.turn.short for step in played.steps]
    if as_json:
        result = record.plain(played.result)
        document({"game": game, "played": turns, "deadline": stamp(played.deadline), "result": result})
        return
    say(f"Played {', '.join(turns)} of {game}. {pluralise(ready, 'letter')} ready to be sent.")
    if played.result is not None:
        say(f"The game is over: {played.result.reason}")
    elif played.deadline is not None:
        say(f"Next: {_next(position, played)}, until {clock.format_instant(played.deadline, zone)}")


def _ask(ask: Callable[[str], bool], position: GamePosition) -> None:
    owed = lookup.missing_orders(position)
    late = [seat for seat, lacking in owed.items() if lacking and position.chairs[seat].is_person]
    if not position.is_running or not late:
        return
    if not ask(f"Orders of {', '.join(late)} are missing. Play {position.name} all the same?"):
        raise Refusal(f"game {position.name}", "was not played", "gm game show tells what is missing")


def _next(position: GamePosition, played: AdjudicationResult) -> str:
    return games.kinds()[position.kind].rules.turn(played.state).name
