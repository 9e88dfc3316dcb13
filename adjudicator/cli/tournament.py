"""``gm tournament``: many games between bots, and statistics of the results."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import isinf, nan
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import console as consoles
from rich import progress as bars

from adjudicator import game_kinds
from adjudicator.cli.arguments import GameOptions, Json, Kind, alone, check_name, example, pair, write_image
from adjudicator.cli.output import document, heading, pluralise, read_file_options, say, table
from adjudicator.errors import Refusal
from adjudicator.reports import charts
from adjudicator.tournament import balance as boards
from adjudicator.tournament import tournament as tournaments
from games.record import as_json

if TYPE_CHECKING:
    from adjudicator.tournament.balance import DraftResult, Measure, TuningRound
    from adjudicator.tournament.match import PlayedGame
    from adjudicator.tournament.tournament import Fixture, Interval, Tournament, TournamentStanding
    from games.protocol import Game, OptionValue


tournament_app = alone()

_MAX_DANGER_STEPS = 9
"""The maximum number of steps by which a centre counts as nearer or farther."""

_MAX_REMARKS = 20
"""The maximum number of printed remarks about external bots."""

Games = Annotated[int, typer.Option(min=1, metavar="N", help="The number of games to play.")]
Seats = Annotated[
    str,
    typer.Option(
        metavar="WHO",
        help=(
            "Who plays: SEAT=PLAYER,others=PLAYER by seats, or a mix like "
            "advanced*3,beginner (the last player fills the other seats). PLAYER is a "
            "level of the game's bots, or an opponent to compare with: hold never orders, "
            "and some games have more (random, dumbbot). You can add /TEMPERAMENT and @N "
            "adjudications: advanced/raider@200. Unnamed seats get the weakest level."
        ),
    ),
]
Rotate = Annotated[bool, typer.Option("--rotate", help="Move all players on by one seat after each game.")]
OwnBots = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=COMMAND",
        help=("Your own bot for --seats, and the command that starts it; see docs/own-bots.md."),
    ),
]
Years = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="Y",
        help="A game is a draw after so many years; "
        f"{tournaments.DEFAULT_MAX_YEARS} where nothing else ends it.",
    ),
]
Chart = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Where to draw the mean scores over time: FILE.svg or FILE.png."),
]
Balance = Annotated[
    int,
    typer.Option(
        min=0,
        metavar="ROUNDS",
        help=("Measure other boards that this game could have, up to N steps away, with --games games each."),
    ),
]
Leaps = Annotated[
    int,
    typer.Option(
        min=0,
        metavar="N",
        help=(
            "With --balance: measure N random boards per step, including distant ones, "
            "instead of all near ones."
        ),
    ),
]
Sieve = Annotated[
    str,
    typer.Option(
        metavar="N,N",
        help=("With --balance: play N games on each board first; the best third go on, up to --games."),
    ),
]
BalanceMeasure = Annotated[
    boards.Measure,
    typer.Option(help=("With --balance: what to share evenly, points or the squares of the final scores.")),
]
Draft = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Play on another board, or begin --balance there; --balance prints their names.",
    ),
]
DangerRounds = Annotated[
    int,
    typer.Option(
        min=0,
        metavar="ROUNDS",
        help=(
            "Find out how dangerous bots should consider each seat so that all win equally "
            "often, in N rounds of --games games."
        ),
    ),
]
SeatDangers = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SEAT=STEPS",
        help=(
            "Let bots consider a seat's centres N steps nearer (default: the value of the "
            "board). Seats that you don't name get 0. --dangers begins here. May be "
            "repeated."
        ),
    ),
]
Record = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help=("Save the best bot's results in --games games of each scenario of a solo game, for RECORD."),
    ),
]
CountOrders = Annotated[
    bool, typer.Option("--orders", help="Also count each kind of order, by seat and time.")
]
Seed = Annotated[str, typer.Option(help="The seed of the bots' dice.")]
Jobs = Annotated[int, typer.Option(min=1, metavar="J", help="The number of processes.")]


@tournament_app.command(
    "tournament",
    epilog=example(
        "gm tournament indianomacy --games 10",
        "gm tournament standard --seats advanced,intermediate --rotate --games 210 --years 15 --jobs 2",
        "gm tournament standard --seats austria=advanced,others=beginner --chart tournament.svg",
        "gm tournament indianomacy --seats intermediate --balance 2 --games 200 --jobs 2",
        "gm tournament standard --seats advanced@300 --years 25 --dangers 80 --games 4",
        "gm tournament plains-indian-wars --games 100 --option scenario=2.7",
        "gm tournament boer-war --games 100 --seats boers=no-raid --orders",
        "gm tournament war-chest --games 1000 --seed record --record bot_results.json",
        then="The same seed plays the same games with any number of processes.",
    ),
)
def run_tournament(
    kind: Kind,
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

    A win counts one point; a draw is one point shared by all survivors. Each number comes with the interval
    that contains the true value 19 times out of 20.
    """
    check_name(chart, "--chart")
    game = game_kinds.find_kind(kind)
    if record is not None:
        others = (seats, option, stdio, rotate, balance, draft, dangers, danger, orders, chart, years)
        if any(value not in (None, False, 0, "", []) for value in others):
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
        dangers=_dangers(danger) if danger else None,
    )
    plan = tournaments.fixture(game, {**given, **_ending(game, given, years)}, request)
    _check_modes(balance, dangers, chart, describes_balance=bool(leaps or sieve or by != "points"))
    if balance:
        search = boards.DraftSearch(games, balance, by, leaps, _sieves(sieve, games))
        _weigh(game, plan, search, jobs, as_json)
    elif dangers:
        _tune_dangers(plan, dangers, games, jobs, as_json)
    else:
        if not as_json and years is None and _is_endless(game, given):
            say(f"A game is a draw after {tournaments.DEFAULT_MAX_YEARS} years. Use --years to change this.")
        played = _play_with_progress(game, plan, games, jobs, as_json)
        _print_results(game, played, chart, orders, as_json)


def _check_modes(balance: int, dangers: int, chart: Path | None, *, describes_balance: bool) -> None:
    """Raise BadParameter for options that exclude each other.

    describes_balance: whether an option is given that only --balance understands.
    """
    if (balance or dangers) and chart is not None:
        raise typer.BadParameter("--chart draws games of one kind. Leave out --balance, --dangers or --chart")
    if balance and dangers:
        raise typer.BadParameter(
            "--balance changes the board and --dangers the bots. Run one after the other"
        )
    if not balance and describes_balance:
        raise typer.BadParameter(
            "--leaps, --sieve and --by say how --balance looks for boards. Add --balance 1"
        )


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


def _sieves(text: str, games: int) -> tuple[int, ...]:
    """Return the games per preliminary trial. Raises BadParameter unless the numbers are rising."""
    numbers = [text_part.strip() for text_part in text.split(",")] if text else []
    if not all(text_part.isdecimal() and int(text_part) for text_part in numbers):
        raise typer.BadParameter("--sieve takes numbers of games, like --sieve 8,40")
    sieves = tuple(map(int, numbers))
    if [*sieves, games] != sorted({*sieves, games}):
        raise typer.BadParameter(f"the numbers of --sieve must rise and stay below the {games} of --games")
    return sieves


def _dangers(given: list[str]) -> dict[str, float]:
    """Return the dangers of seats. Raises BadParameter for anything but a number of steps."""
    dangers = {}
    for seat, steps in map(pair, given):
        try:
            dangers[seat] = float(steps)
        except ValueError:
            dangers[seat] = nan
        if not abs(dangers[seat]) <= _MAX_DANGER_STEPS:
            limit = f"{_MAX_DANGER_STEPS} at most either way"
            raise typer.BadParameter(f"--danger takes a number of steps, {limit}, like --danger {seat}=0.5")
    return dangers


def _tune_dangers(plan: Fixture, count: int, games: int, jobs: int, as_json: bool) -> None:
    """Play rounds of games, and print the result of each as soon as it is known."""
    played = []
    for tuning_round in boards.play_rounds(plan, count, games, jobs):
        played.append(tuning_round)
        if not as_json:
            won = ", ".join(" and ".join(game.result.winners) or "nobody" for game in tuning_round.games)
            say(f"round {tuning_round.number + 1}: won by {won}")
    if as_json:
        document(dangers_data(played))
    else:
        show_dangers(played)


def _weigh(game: Game, plan: Fixture, how: boards.DraftSearch, jobs: int, as_json: bool) -> None:
    """Compare boards, and print the result of each as soon as it is known."""
    weighed = []
    for result in boards.search(game, plan, how, jobs):
        weighed.append(result)
        if not as_json:
            chance = f"chance alone: up to {_percent(result.noise)}"
            say(
                f"{result.words}: {pluralise(result.games, 'game')}, shares {_percent(result.spread)} "
                f"apart ({chance})"
            )
    weighed.sort(key=lambda result: (-result.games, result.cost))
    if as_json:
        document([draft_data(result) for result in weighed])
    else:
        show_drafts(weighed, how.by)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


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
    with _progress(count) as progress:
        task = progress.add_task(game.about.title, total=count)
        for played_game in tournaments.contest(plan, count, jobs):
            games_played.append(played_game)
            progress.advance(task)
            if not quiet:
                winners = " and ".join(played_game.result.winners) or "nobody"
                ended = f"{played_game.result.reason}), {pluralise(played_game.turns, 'turn')}"
                say(f"game {played_game.number + 1}: {winners} ({ended}")
    assert game.score is not None, "fixture refuses a kind without one"
    return tournaments.Tournament(seats=plan.seating.seats, score=game.score, games=tuple(games_played))


@contextmanager
def _progress(count: int) -> Iterator[bars.Progress]:
    """Show a progress bar on the terminal, never in a file."""
    console = consoles.Console(stderr=True)
    columns = (
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TimeRemainingColumn(),
    )
    hidden = count == 1 or not console.is_terminal
    with bars.Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        yield progress


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
    table(("seat", "won", *map(str, times)), rows)
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
    table(("seat", "order", *map(str, times)), rows)


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
    return charts.line_chart(game.about.title, note, score.time, score.thing, series)


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


def show_dangers(played: Sequence[TuningRound]) -> None:
    """Print the results of rounds for each seat: the mean danger and the wins in the later half."""
    dangers = boards.mean_dangers(played)
    games = [game for tuning_round in played[len(played) // 2 :] for game in tuning_round.games]
    heading(f"The danger of each seat in steps, and its results in {pluralise(len(games), 'game')}")
    rows = [
        (
            seat,
            f"{danger:+.2f}",
            f"{played[-1].dangers[seat]:+.2f}",
            sum(seat in game.result.winners for game in games),
            f"{100 * fmean(game.points(seat) for game in games):.1f}",
        )
        for seat, danger in dangers.items()
    ]
    table(("seat", "danger", "in the last round", "won", "points, %"), rows)


def dangers_data(played: Sequence[TuningRound]) -> dict[str, Any]:
    """Return the same as plain values, for programs."""
    return {
        "dangers": {seat: round(danger, 3) for seat, danger in boards.mean_dangers(played).items()},
        "rounds": [
            {
                "round": tuning_round.number + 1,
                "dangers": {seat: round(danger, 3) for seat, danger in tuning_round.dangers.items()},
                "shares": {seat: round(share, 4) for seat, share in tuning_round.shares.items()},
                "winners": [list(game.result.winners) for game in tuning_round.games],
            }
            for tuning_round in played
        ],
    }


def show_drafts(results: Sequence[DraftResult], by: Measure) -> None:
    """Print the results of boards, in the given order: each seat's share in percent, and the games won."""
    of = "points" if by == "points" else "squares of the last scores"
    heading(f"Shares of the {of} and games won, the fairest board first")
    seats = list(results[0].shares)
    rows = [
        (
            result.draft or "-",
            result.words,
            f"{100 * result.spread:.1f}",
            *(f"{100 * result.shares[seat].value:.1f}" for seat in seats),
            f"{100 * result.wins:.0f}",
            f"{min(result.kept.values()):.1f}",
            result.games,
        )
        for result in results
    ]
    table(("draft", "difference", "spread", *seats, "won", "kept at least", "games"), rows)


def draft_data(result: DraftResult) -> dict[str, Any]:
    """Return the result of one board as plain values, for programs."""
    return {
        "draft": result.draft,
        "words": result.words,
        "games": result.games,
        "spread": result.spread,
        "noise": result.noise,
        "wins": result.wins,
        "kept": dict(result.kept),
        "cost": result.cost,
        "shares": {seat: _ends(span) for seat, span in result.shares.items()},
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
        "wins": _ends(standing.wins),
        "points": _ends(standing.points),
        "score": _ends(standing.score),
    }


def _ends(span: Interval) -> list[float | None]:
    """Return the low end, the value and the high end. The ends are None if they are meaningless."""
    return [None if isinf(value) else value for value in (span.low, span.value, span.high)]


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
