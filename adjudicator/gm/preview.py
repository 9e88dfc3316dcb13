"""``gm turn preview``: a turn adjudicated, and nothing kept of it."""

from functools import partial
from typing import Annotated

import typer

import games
from adjudicator.errors import Refusal
from adjudicator.gamesmaster import conduct
from adjudicator.gm.help_examples import GameName, Json, example
from adjudicator.gm.opening import house_of
from adjudicator.gm.output import document, heading, paged, say
from adjudicator.referee import turn
from adjudicator.referee.lately import lately
from adjudicator.secretary import postponed_emails
from adjudicator.signs import redaction
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
        position = conduct.position_of(house, game)
        if not position.running:
            raise Refusal(f"game {game}", "the game is over", f"look at it with  gm game show {game}")
        press = house.books.society.press(game)
        kind = games.kinds()[position.kind]
        past = lately(kind, position, partial(house.books.latest, game))
        awaited = postponed_emails.find_awaited_turns(house.database, house.books, position)
        played = turn.play(kind, position, house.clock.now(), True, house.hand, press, past, awaited)
        assert played is not None, "nobody is waited for"
        reports = house.writer.previews(position, played)
    if seat is not None:
        wanted = conduct.seat_of(position, seat)
        reports = [one for one in reports if one[0] == wanted]
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
                        "subject": redaction.redacted(one.subject),
                        "text": redaction.redacted(one.text),
                    }
                    for at, one in reports
                ],
            }
        )
        return
    with paged():
        for reader, report in reports:
            heading(f"To {reader or 'whoever watches'}: {redaction.redacted(report.subject)}")
            say("", redaction.redacted(report.text))
        say("", f"Nothing was written down or sent. Play it:  gm turn process {game}")
