"""``gm turn``: the turn that is due, looked at, given time, played by hand."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

import games
from adjudicator.clock import spoken
from adjudicator.errors import Refusal
from adjudicator.gamesmaster import conduct
from adjudicator.gm import hours, preview
from adjudicator.gm.help_examples import GameName, Json, example, noun
from adjudicator.gm.opening import house_of
from adjudicator.gm.output import counted, document, say, stamp
from adjudicator.store import outbox
from games import record

if TYPE_CHECKING:
    from adjudicator.ledger.positions import Played, Position

app = noun(
    "Look at the turn that is due, give it time, play it by hand.",
    "gm turn preview beaver",
    'gm turn extend beaver 24h --why "the Iroquois have moved house"',
    "gm turn process beaver",
)
app.add_typer(preview.app)
app.add_typer(hours.app)


@app.command(
    epilog=example(
        "gm turn process beaver",
        "gm turn process beaver --yes",
        then="The reports go out with  gm serve  or  gm run send.",
    )
)
def process(
    ctx: typer.Context,
    game: GameName,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask, whoever is missing.")] = False,
    as_json: Json = False,
) -> None:
    """Play a game's turn at once, without waiting for its deadline.

    Units of people whose orders are missing do what the rules say of civil disorder. On a terminal you are
    asked first when somebody is missing.
    """
    with house_of(ctx) as house:
        position = conduct.position_of(house, game)
        if not yes and not as_json:
            _ask(position)
        played = conduct.play_now(house, game)
        ready = outbox.counts(house.database)["ready"]
        zone = house.office.zone
    turns = [step.turn.short for step in played.steps]
    if as_json:
        result = record.plain(played.result)
        document({"game": game, "played": turns, "deadline": stamp(played.deadline), "result": result})
        return
    say(f"Played {', '.join(turns)} of {game}. {counted(ready, 'letter')} ready to be sent.")
    if played.result is not None:
        say(f"The game is over: {played.result.reason}")
    elif played.deadline is not None:
        say(f"Next: {_next(position, played)}, until {spoken(played.deadline, zone)}")


def _ask(position: Position) -> None:
    owed = conduct.owed(position)
    late = [seat for seat, lacking in owed.items() if lacking and position.chairs[seat].is_person]
    if not position.running or not late or not sys.stdin.isatty():
        return
    if not typer.confirm(f"Orders of {', '.join(late)} are missing. Play {position.name} all the same?"):
        raise Refusal(f"game {position.name}", "was not played", "gm game show tells what is missing")


def _next(position: Position, played: Played) -> str:
    return games.kinds()[position.kind].rules.turn(played.state).name
