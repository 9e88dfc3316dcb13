"""``gm tournament``: bots play many games of a kind; who wins, and how the scores go."""

from pathlib import Path
from typing import Annotated, Any

import typer

from adjudicator.gm.easel import check_name, hang
from adjudicator.gm.lessons import Json, Kind, alone, example, pair
from adjudicator.gm.paper import counted, document, heading, say, table
from adjudicator.kinds import kind_named
from adjudicator.reports.chart import line_chart
from adjudicator.arena.tournament import Played, Tournament, contest, ending_after
from games.options import settle
from games.protocol import Game, Options, OptionValue

_SHOWN = 8
"""At about so many moments the scores are printed."""

app = alone()


@app.command(
    epilog=example(
        "gm tournament indianomacy --games 10",
        "gm tournament indianomacy --games 50 --years 20 --chart tournament.svg",
        "gm tournament plains-indian-wars --games 100 --option scenario=2.7",
        then="The same seed plays the same games.",
    )
)
def tournament(
    kind: Kind,
    games: Annotated[int, typer.Option(min=1, metavar="N", help="How many games are played.")] = 10,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="As gm rules KIND lists them; may be repeated."),
    ] = None,
    years: Annotated[
        int | None, typer.Option(min=1, metavar="Y", help="A game is a draw after so many years.")
    ] = None,
    chart: Annotated[
        Path | None, typer.Option(metavar="FILE", help="FILE.svg or FILE.png: the mean scores over time.")
    ] = None,
    seed: Annotated[str, typer.Option(help="What the bots' dice are drawn from.")] = "0",
    as_json: Json = False,
) -> None:
    """Let bots play many games, and see who wins and how the scores go."""
    check_name(chart, "--chart")
    game = kind_named(kind)
    given = dict(pair(one) for one in option or [])
    options: dict[str, OptionValue] = {**given, **({} if years is None else ending_after(game, years))}
    played = _watched(game, games, options, seed, as_json)
    if chart is not None:
        hang(chart, _drawn(game, played))
    if as_json:
        document(_sight(played))
    else:
        _show(game, played)
        if chart is not None:
            say("", f"The chart is in {chart}.")


def _watched(game: Game, count: int, options: Options, seed: str, quiet: bool) -> Tournament:
    found: list[Played] = []
    for one in contest(game, count, options, seed):
        found.append(one)
        if not quiet:
            winners = " and ".join(one.result.winners) or "nobody"
            say(f"game {one.number + 1}: {winners} ({one.result.reason}), {one.turns} turns")
    assert game.score is not None, "contest refuses a kind without one"
    seats = game.about.seats(settle(game.about.options, options))
    return Tournament(seats=seats, score=game.score, games=tuple(found))


def _show(game: Game, played: Tournament) -> None:
    means, score = played.means(), played.score
    ended = ", ".join(f"{count} ended by {reason}" for reason, count in played.endings().items())
    say("", f"{counted(len(played.games), 'game')} of {game.about.title}: {ended}.")
    say(f"On average a game lasted {played.length():.1f} {score.time}s.")
    times = _moments(list(means))
    heading(f"Games won, and {score.thing} on average after {score.time} ...")
    rows: list[tuple[object, ...]] = [
        (seat, wins, *(f"{means[time][seat]:.1f}" for time in times)) for seat, wins in played.wins().items()
    ]
    if played.draws():
        rows.append(("nobody", played.draws(), *("" for _ in times)))
    table(("seat", "won", *map(str, times)), rows)
    heading(f"How {score.thing} lay at the end")
    spread = [(seat, *(f"{value:.1f}" for value in played.spread()[seat])) for seat in played.wins()]
    table(("seat", "least", "a quarter below", "half below", "a quarter above", "most"), spread)


def _moments(times: list[int]) -> list[int]:
    """Some of the moments, evenly spread, the first and the last among them."""
    step = max((len(times) - 1) / (_SHOWN - 1), 1)
    places = dict.fromkeys(round(number * step) for number in range(_SHOWN))
    return [times[place] for place in places if place < len(times)]


def _drawn(game: Game, played: Tournament) -> str:
    means, score = played.means(), played.score
    note = f"{score.thing} on average, {counted(len(played.games), 'game')} of bots"
    series = {str(seat): [(time, means[time][seat]) for time in means] for seat in played.sides}
    return line_chart(game.about.title, note, score.time, score.thing, series)


def _sight(played: Tournament) -> dict[str, Any]:
    return {
        "games": [
            {
                "game": one.number + 1,
                "winners": list(one.result.winners),
                "reason": one.result.reason,
                "turns": one.turns,
                played.score.time: one.end,
            }
            for one in played.games
        ],
        "wins": dict(played.wins()),
        "draws": played.draws(),
        "endings": dict(played.endings()),
        "score": played.score.thing,
        "spread": {seat: list(values) for seat, values in played.spread().items()},
        "means": {str(time): dict(scores) for time, scores in played.means().items()},
    }
