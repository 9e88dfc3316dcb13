"""``gm tournament``: many games between bots, and statistics of the results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import isinf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from adjudicator import game_kinds
from adjudicator.cli import board_search, connect
from adjudicator.cli.arguments import (
    GameOptions,
    Json,
    alone,
    check_name,
    completes,
    example,
    pair,
    write_image,
)
from adjudicator.cli.board_search import (
    Balance,
    BalanceMeasure,
    DangerRounds,
    Draft,
    Leaps,
    SeatDangers,
    Sieve,
)
from adjudicator.cli.output import document, heading, pluralise, progress, read_file_options, say, table
from adjudicator.errors import Refusal
from adjudicator.reports import charts
from adjudicator.tournament import tournament as tournaments
from games.record import as_json

if TYPE_CHECKING:
    from adjudicator.tournament.match import PlayedGame
    from adjudicator.tournament.tournament import Fixture, Interval, Tournament, TournamentStanding
    from games.protocol import Game, OptionValue


tournament_app = alone()

_MAX_REMARKS = 20
"""The maximum number of printed remarks about external bots."""

HELP_SECTIONS = {
    "Arguments": ("kind",),
    "Who plays": ("seats", "rotate"),
    "The games": ("games", "years", "option"),
    "Results": ("chart", "as_json", "help"),
}
"""The sections of the help, each with the names of its parameters. docs/bots.md lists the other options."""


class SectionedCommand(TyperCommand):
    """A command whose help lists its options in the sections of HELP_SECTIONS."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write each section with its options."""
        params = {param.name: param for param in self.get_params(ctx)}
        for title, names in HELP_SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([params[name].get_help_record(ctx) for name in names])


KINDS = (
    "boer-war, chaos, england-turkey, fleet-rome, france-austria, france-germany-austria, germany-italy, "
    "great-war, gulf, indianomacy, plains-indian-wars, standard"
)
"""The games that bots can play alone, and with a count. The help names them without loading them."""

KindToPlay = Annotated[
    str,
    typer.Argument(
        metavar="KIND",
        help=f"The game to play: {KINDS}.",
        autocompletion=completes("tournament_kinds"),
    ),
]


Seats = Annotated[
    str,
    typer.Option(
        metavar="WHO",
        help=(
            "The level of the bot of each seat, such as austria=advanced,others=beginner, or a mix, such as "
            'advanced*3,beginner. The player "hold" never orders. Default: the weakest level everywhere.'
        ),
    ),
]
Rotate = Annotated[bool, typer.Option("--rotate", help="Move all players on by one seat after each game.")]
Games = Annotated[int, typer.Option(min=1, metavar="N", help="The number of games to play.")]
Years = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        help=(
            "End each game as a draw after N years, for games that count years "
            f"(default: {tournaments.DEFAULT_MAX_YEARS}, if nothing else ends it)."
        ),
    ),
]
Chart = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Draw the mean scores over time to an .svg or .png file."),
]

# Options for authors of bots and games. docs/bots.md describes them, the help leaves them out.

OwnBots = Annotated[list[str] | None, typer.Option(metavar="NAME=COMMAND", hidden=True)]
Record = Annotated[Path | None, typer.Option(metavar="FILE", hidden=True)]
CountOrders = Annotated[bool, typer.Option("--orders", hidden=True)]
Seed = Annotated[str, typer.Option(hidden=True)]
Jobs = Annotated[int, typer.Option(min=1, metavar="N", hidden=True)]


@tournament_app.command(
    "tournament",
    cls=SectionedCommand,
    epilog=example(
        "gm tournament indianomacy --games 20",
        "gm tournament standard --seats austria=advanced,others=beginner --chart chart.svg",
        "gm tournament standard --seats advanced,intermediate --rotate --games 70 --years 15",
        "gm tournament plains-indian-wars --option scenario=2.7",
        then=(
            "docs/bots.md lists the levels and further options: your own bots, other dice, several processes."
        ),
    ),
)
def run_tournament(
    ctx: typer.Context,
    kind: KindToPlay,
    games: Games = 10,
    seats: Seats = "",
    rotate: Rotate = False,
    stdio: OwnBots = None,
    option: GameOptions = None,
    years: Years = None,
    chart: Chart = None,
    balance: Balance = 0,
    leaps: Leaps = 0,
    sieve: Sieve = "",
    by: BalanceMeasure = "points",
    draft: Draft = "",
    dangers: DangerRounds = 0,
    danger: SeatDangers = None,
    record: Record = None,
    orders: CountOrders = False,
    seed: Seed = "0",
    jobs: Jobs = 1,
    as_json: Json = False,
) -> None:
    """Let bots play many games, and show who wins and how scores grow.

    A win counts one point. The survivors of a draw share one point. Each number comes with the range that
    contains the true value 19 times out of 20.
    """
    check_name(chart, "--chart")
    searching = board_search.SearchOptions(balance, leaps, sieve, by, draft, dangers, tuple(danger or ()))
    board_search.warn(searching)
    connect.use_own_variants(ctx)
    game = game_kinds.find_kind(kind)
    if record is not None:
        if any((seats, option, stdio, rotate, searching.used(), orders, chart, years)):
            raise typer.BadParameter("--record works only with --games, --seed, --jobs and --json")
        write_results(game, record, games, seed, jobs, as_json)
        return
    given = read_file_options(game, dict(pair(value) for value in option or []))
    request = tournaments.FixtureRequest(
        seats,
        rotates=rotate,
        seed=seed,
        foreign=dict(pair(value) for value in stdio or []),
        draft=draft,
        dangers=board_search.read_dangers(danger) if danger else None,
    )
    plan = plan_games(game, given, years, request)
    board_search.check(searching, chart)
    if balance:
        board_search.weigh_boards(game, plan, searching, games, jobs, as_json)
    elif dangers:
        board_search.tune_dangers(plan, dangers, games, jobs, as_json)
    else:
        if not as_json and years is None and _is_endless(game, given):
            say(f"A game is a draw after {tournaments.DEFAULT_MAX_YEARS} years. Use --years to change this.")
        played = _play_with_progress(game, plan, games, jobs, as_json)
        _print_results(game, played, chart, orders, as_json)


def plan_games(
    game: Game, options: dict[str, OptionValue], years: int | None, request: tournaments.FixtureRequest
) -> Fixture:
    """Return the games to play, which end after that many years if they don't end before."""
    return tournaments.fixture(game, {**options, **_ending(game, options, years)}, request)


def _print_results(
    game: Game, played: tournaments.Tournament, chart: Path | None, orders: bool, as_json: bool
) -> None:
    """Print the wins and scores, and draw the chart. orders: also print how often each order was given."""
    _print_remarks(played)
    if chart is not None:
        write_image(chart, scores_chart(game, played))
    if as_json:
        document(details(played))
        return
    show(game, played)
    if orders:
        show_orders(played)
    if chart is not None:
        say("", f"The chart is in {chart}.")


def _print_remarks(played: tournaments.Tournament) -> None:
    """Print the problems with external bots, the first ones in full."""
    remarks = [remark for game in played.games for remark in game.remarks]
    for remark in remarks[:_MAX_REMARKS]:
        typer.echo(remark, err=True)
    if len(remarks) > _MAX_REMARKS:
        typer.echo(f"and {len(remarks) - _MAX_REMARKS} more remarks of this kind", err=True)


def _is_endless(game: Game, given: dict[str, OptionValue]) -> bool:
    """Return whether games may never end: they can have a last year, but don't."""
    return tournaments.counts_years(game) and "last_year" not in given


def _ending(game: Game, given: dict[str, OptionValue], years: int | None) -> dict[str, OptionValue]:
    if years is None and not _is_endless(game, given):
        return {}
    return dict(tournaments.ending_after(game, years or tournaments.DEFAULT_MAX_YEARS))


def _play_with_progress(
    game: Game, plan: Fixture, count: int, jobs: int, quiet: bool
) -> tournaments.Tournament:
    games_played: list[PlayedGame] = []
    with progress(game.about.title) as done:
        done(0, count)
        for played_game in tournaments.contest(plan, count, jobs):
            games_played.append(played_game)
            done(len(games_played), count)
            if not quiet:
                winners = " and ".join(played_game.result.winners) or "nobody"
                ended = f"{played_game.result.reason}), {pluralise(played_game.turns, 'turn')}"
                say(f"game {played_game.number + 1}: {winners} ({ended}")
    assert game.score is not None, "fixture refuses a kind without one"
    return tournaments.Tournament(seats=plan.seating.seats, score=game.score, games=tuple(games_played))


_MOMENTS_PRINTED = 8
"""The approximate number of times for which scores are printed."""


def show(game: Game, played: Tournament) -> None:
    """Print the results of the games: by player if there are several, by seat, and over time."""
    means, score = played.means(), played.score
    ended = ", ".join(f"{count} ended by {reason}" for reason, count in played.endings().items())
    say("", f"{pluralise(len(played.games), 'game')} of {game.about.title}: {ended}.")
    say(f"On average a game lasted {played.length():.1f} {score.time}s.")
    if len(played.players) > 1:
        heading("By player, per seat and game")
        _standings("player", played, played.by_player())
    heading("By seat")
    _standings("seat", played, played.by_seat())
    times = _moments(list(means))
    heading(f"Games won, and {score.thing} on average after {score.time} ...")
    rows: list[tuple[object, ...]] = [
        (seat, wins, *(f"{means[time][seat]:.1f}" for time in times)) for seat, wins in played.wins().items()
    ]
    for name, count in (("nobody", played.draws()), ("undecided", played.count_undecided())):
        if count:
            rows.append((name, count, *("" for _ in times)))
    table(("seat", "won", *map(score.name, times)), rows)
    heading(f"Distribution of {score.thing} at the end")
    spread = [(seat, *(f"{value:.1f}" for value in played.spread()[seat])) for seat in played.wins()]
    table(("seat", "minimum", "lower quartile", "median", "upper quartile", "maximum"), spread)


def show_orders(played: Tournament) -> None:
    """Print how often each kind of order was given, by seat and over time."""
    times, score = _moments(list(played.means())), played.score
    heading(f"Orders of each kind per game, by {score.time}")
    rows = [
        (seat, kind, *(f"{counts[time]:.1f}" for time in times))
        for seat, kinds in played.orders().items()
        for kind, counts in kinds.items()
    ]
    table(("seat", "order", *map(score.name, times)), rows)


def scores_chart(game: Game, played: Tournament) -> str:
    """Return the mean scores over time as SVG: of the players if there are several, or of the seats."""
    score = played.score
    note = f"{score.thing} on average, {pluralise(len(played.games), 'game')} of bots"
    if len(played.players) > 1:
        of_players = played.means_of_players()
        series = {name: [(time, of_players[time][name]) for time in of_players] for name in played.players}
        note += ", each seat of a player"
    else:
        of_seats = played.means()
        series = {str(seat): [(time, of_seats[time][seat]) for time in of_seats] for seat in played.sides}
    return charts.line_chart(game.about.title, note, score.time, score.thing, series, name_time=score.name)


def details(played: Tournament) -> dict[str, Any]:
    """Return the results as plain values, for programs."""
    return {
        "games": [
            {
                "game": game.number + 1,
                "winners": list(game.result.winners),
                "reason": game.result.reason,
                "turns": game.turns,
                played.score.time: game.end,
                "players": dict(game.players),
                "scores": dict(game.scores[game.end]),
            }
            for game in played.games
        ],
        "players": {standing.name: _plain(standing) for standing in played.by_player()},
        "seats": {standing.name: _plain(standing) for standing in played.by_seat()},
        "wins": dict(played.wins()),
        "draws": played.draws(),
        "undecided": played.count_undecided(),
        "endings": dict(played.endings()),
        "score": played.score.thing,
        "spread": {seat: list(values) for seat, values in played.spread().items()},
        "orders": {
            seat: {
                kind: {str(time): round(count, 3) for time, count in counts.items()}
                for kind, counts in kinds.items()
            }
            for seat, kinds in played.orders().items()
        },
        "means": {str(time): dict(scores) for time, scores in played.means().items()},
    }


def _standings(who: str, played: Tournament, standings: Sequence[TournamentStanding]) -> None:
    columns = (who, "played", "won", "drawn", "wins, 95 %", "points, 95 %", f"{played.score.thing}, 95 %")
    rows = [
        (
            standing.name,
            standing.played,
            standing.won,
            standing.drawn,
            _format_share(standing.wins),
            _format_share(standing.points),
            _format_score(standing.score),
        )
        for standing in standings
    ]
    table(columns, rows)


def _format_share(span: Interval) -> str:
    return f"{100 * span.value:.1f} % ({100 * span.low:.1f} to {100 * span.high:.1f})"


def _format_score(span: Interval) -> str:
    if isinf(span.low):
        return f"{span.value:.2f}"
    return f"{span.value:.2f} ({span.low:.2f} to {span.high:.2f})"


def _plain(standing: TournamentStanding) -> dict[str, Any]:
    return {
        "played": standing.played,
        "won": standing.won,
        "drawn": standing.drawn,
        "wins": standing.wins.as_list(),
        "points": standing.points.as_list(),
        "score": standing.score.as_list(),
    }


def _moments(times: list[int]) -> list[int]:
    """Return some of the times, evenly spread, including the first and the last."""
    step = max((len(times) - 1) / (_MOMENTS_PRINTED - 1), 1)
    places = dict.fromkeys(round(number * step) for number in range(_MOMENTS_PRINTED))
    return [times[place] for place in places if place < len(times)]


# ``gm tournament KIND --record FILE``: write the bots' results in solo games to a file.


def write_results(game: Game, file: Path, count: int, seed: str, jobs: int, quiet: bool) -> None:
    """Play that many games of each case and write the results. quiet: print JSON instead of text."""
    results_by_case = {}
    for case, got in tournaments.play_cases(game, count, seed, jobs):
        results_by_case[case.name] = got
        if not quiet:
            won, drawn = (sum(result.end == end for result in got) for end in ("won", "drawn"))
            say(f"{case.name}: {won} won and {drawn} drawn of {len(got)}")
    results = as_json(tournaments.results_table(game, results_by_case, seed))
    try:
        file.write_text(json.dumps(results, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except OSError as fault:
        raise Refusal(f"Can't write {file}", f"{fault.strerror}") from fault
    if quiet:
        document(results)
    else:
        say("", f"Wrote the results of the bot {tournaments.bot_of(game)} to {file}.")
