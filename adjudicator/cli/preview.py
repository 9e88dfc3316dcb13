"""``gm turn preview``: a turn adjudicated, and nothing kept of it."""

from functools import partial
from typing import Annotated

import typer

import games
from adjudicator.admin import game_admin
from adjudicator.auth import redaction
from adjudicator.cli.arguments import GameName, Json, example
from adjudicator.cli.connect import house_of
from adjudicator.cli.output import document, heading, page_output, say
from adjudicator.errors import Refusal
from adjudicator.outbound import postponed_emails
from adjudicator.turns import runner
from adjudicator.turns.lately import recent_turns
from games import record

app = typer.Typer()


@app.command(
    epilog=example(
        "gm turn preview beaver",
        "gm turn preview beaver --seat iroquois",
        then="gm turn process GAME  plays it in earnest, with the same dice, whatever was ordered meanwhile.",
    )
)
def preview(
    ctx: typer.Context,
    game: GameName,
    seat: Annotated[str | None, typer.Option(metavar="SEAT", help="The report to that seat only.")] = None,
    as_json: Json = False,
) -> None:
    """Adjudicate a turn as it stands and show every report. Nothing is written down, nothing is sent."""
    with house_of(ctx) as house:
        position = game_admin.position_of(house, game)
        if not position.is_running:
            raise Refusal(f"game {game}", "the game is over", f"look at it with  gm game show {game}")
        press = house.books.people.press(game)
        kind = games.kinds()[position.kind]
        past = recent_turns(kind, position, partial(house.books.latest, game))
        awaited = postponed_emails.find_awaited_turns(house.database, house.books, position)
        played = runner.play_turns(kind, position, house.clock.now(), True, house.hand, press, past, awaited)
        assert played is not None, "nobody is waited for"
        reports = house.composer.previews(position, played)
    if seat is not None:
        wanted = game_admin.seat_of(position, seat)
        reports = [pair for pair in reports if pair[0] == wanted]
        if not reports:
            raise Refusal(f"seat {wanted}", "is played by a bot, which gets no report")
    if as_json:
        document(
            {
                "game": game,
                "played": [step.turn.short for step in played.steps],
                "throws": [record.plain(throw) for step in played.steps for throw in step.entry.throws],
                "result": record.plain(played.result),
                "reports": [
                    {
                        "seat": at,
                        "subject": redaction.redact_text(letter.subject),
                        "text": redaction.redact_text(letter.text),
                    }
                    for at, letter in reports
                ],
            }
        )
        return
    with page_output():
        for reader, report in reports:
            heading(f"To {reader or 'whoever watches'}: {redaction.redact_text(report.subject)}")
            say("", redaction.redact_text(report.text))
        say("", f"Nothing was written down or sent. Play it:  gm turn process {game}")
