"""``gm tournament``: bots play many games of a kind; who wins, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import console as consoles
from rich import progress as bars

from adjudicator import kinds
from adjudicator.cli import standings
from adjudicator.cli.arguments import Json, Kind, alone, example, pair
from adjudicator.cli.bot_results import write_results
from adjudicator.cli.image_file import check_name, write_image
from adjudicator.cli.option_files import with_files
from adjudicator.cli.output import document, pluralise, say
from adjudicator.tournament import balance as boards
from adjudicator.tournament import contest
from adjudicator.tournament import dangers as menaces
from adjudicator.tournament import tournament as tournaments

if TYPE_CHECKING:
    from adjudicator.tournament.contest import Fixture
    from adjudicator.tournament.match import PlayedGame
    from games.protocol import Game, OptionValue


app = alone()

_FAREST = 9
"""No centre counts more steps nearer than that, or farther."""

_TOLD = 20
"""So many remarks about bots of others are told."""


@app.command(
    epilog=example(
        "gm tournament indianomacy --games 10",
        "gm tournament standard --seats advanced,intermediate --rotate --games 210 --years 15 --jobs 2",
        "gm tournament standard --seats austria=advanced,others=beginner --chart tournament.svg",
        "gm tournament indianomacy --seats intermediate --balance 2 --games 200 --jobs 2",
        "gm tournament standard --seats advanced@300 --years 25 --dangers 80 --games 4",
        "gm tournament plains-indian-wars --games 100 --option scenario=2.7",
        "gm tournament boer-war --games 100 --seats boers=no-raid --orders",
        "gm tournament war-chest --games 1000 --seed record --record bot_results.json",
        then="The same seed plays the same games, in however many processes.",
    )
)
def tournament(
    kind: Kind,
    games: Annotated[int, typer.Option(min=1, metavar="N", help="How many games are played.")] = 10,
    seats: Annotated[
        str,
        typer.Option(
            metavar="WHO",
            help=(
                "Who plays: SEAT=PLAYER,others=PLAYER by seats, or a mix such as advanced*3,beginner, whose "
                "last player fills the seats that are left. PLAYER is a level of the game's bots, or an "
                "opponent to measure them against: hold never orders, some games have more (random, "
                "dumbbot). /TEMPERAMENT and @N adjudications may follow: advanced/raider@200. Unnamed seats "
                "get the weakest level."
            ),
        ),
    ] = "",
    rotate: Annotated[bool, typer.Option("--rotate", help="All move on a seat from game to game.")] = False,
    stdio: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=COMMAND",
            help="A bot of your own for --seats: COMMAND starts it. docs/own-bots.md says what it is told.",
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="As gm rules KIND lists them; may be repeated."),
    ] = None,
    years: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="Y",
            help="A game is a draw after so many years; "
            f"{contest.DEFAULT_MAX_YEARS} where nothing else ends it.",
        ),
    ] = None,
    chart: Annotated[
        Path | None, typer.Option(metavar="FILE", help="FILE.svg or FILE.png: the mean scores over time.")
    ] = None,
    balance: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="ROUNDS",
            help="Weigh other boards that the game might have had, --games games each, so many steps far.",
        ),
    ] = 0,
    leaps: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            help="With --balance: a step weighs N boards drawn by lot, also far ones, and not all near ones.",
        ),
    ] = 0,
    sieve: Annotated[
        str,
        typer.Option(
            metavar="N,N",
            help="With --balance: weigh a step's boards by N games first; a third go on, at last to --games.",
        ),
    ] = "",
    by: Annotated[
        boards.Measure,
        typer.Option(
            help="With --balance: what is to be shared evenly, points or the squares of the last scores."
        ),
    ] = "points",
    draft: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Play on a board that the game might have had, or begin --balance there: as that names it.",
        ),
    ] = "",
    dangers: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="ROUNDS",
            help="Find out how dangerous bots are to reckon each seat, so that all win alike: in so many "
            "rounds of --games games.",
        ),
    ] = 0,
    danger: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SEAT=STEPS",
            help="By how many steps bots reckon that seat's centres to be nearer, 0 for who is not named; "
            "may be repeated. Without it they go by what the board says; --dangers begins here.",
        ),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write what the best bot gets in --games of each case of a game for one, for RECORD.",
        ),
    ] = None,
    orders: Annotated[
        bool, typer.Option("--orders", help="Also how often each kind of order was given, by seat and time.")
    ] = False,
    seed: Annotated[str, typer.Option(help="What the bots' dice are drawn from.")] = "0",
    jobs: Annotated[int, typer.Option(min=1, metavar="J", help="In how many processes.")] = 1,
    as_json: Json = False,
) -> None:
    """Let bots play many games, and see who wins and how the scores go.

    A win counts one point, a draw one shared by all who are still in the game. Each number stands with the
    interval that holds the truth 19 times of 20.
    """
    check_name(chart, "--chart")
    game = kinds.find_kind(kind)
    if record is not None:
        others = (seats, option, stdio, rotate, balance, draft, dangers, danger, orders, chart, years)
        if any(value not in (None, False, 0, "", []) for value in others):
            raise typer.BadParameter("--record goes with --games, --seed, --jobs and --json alone")
        write_results(game, record, games, seed, jobs, as_json)
        return
    given = with_files(game, dict(pair(value) for value in option or []))
    options = {**given, **_ending(game, given, years)}
    foreign = dict(pair(value) for value in stdio or [])
    plan = contest.fixture(
        game,
        options,
        seats,
        rotates=rotate,
        seed=seed,
        foreign=foreign,
        draft=draft,
        dangers=_dangers(danger) if danger else None,
    )
    if (balance or dangers) and chart is not None:
        raise typer.BadParameter("--chart draws games of one kind: leave out --balance, --dangers or --chart")
    if balance and dangers:
        raise typer.BadParameter("--balance changes the board, --dangers the bots: one after the other")
    if not balance and (leaps or sieve or by != "points"):
        raise typer.BadParameter("--leaps, --sieve, --by say how --balance looks for boards: add --balance 1")
    if balance:
        how = boards.DraftSearch(games, balance, by, leaps, _sieves(sieve, games))
        _weigh(game, plan, how, jobs, as_json)
        return
    if dangers:
        _tune_dangers(plan, dangers, games, jobs, as_json)
        return
    if not as_json and years is None and _is_endless(game, given):
        say(f"A game is a draw after {contest.DEFAULT_MAX_YEARS} years: --years says otherwise.")
    played = _play_with_progress(game, plan, games, jobs, as_json)
    _complain(played)
    if chart is not None:
        write_image(chart, standings.scores_chart(game, played))
    if as_json:
        document(standings.sight(played))
    else:
        standings.show(game, played)
        if orders:
            standings.show_orders(played)
        if chart is not None:
            say("", f"The chart is in {chart}.")


def _sieves(text: str, games: int) -> tuple[int, ...]:
    """The numbers of games of the sieves. Raises BadParameter for what are none, or do not rise."""
    numbers = [text_part.strip() for text_part in text.split(",")] if text else []
    if not all(text_part.isdecimal() and int(text_part) for text_part in numbers):
        raise typer.BadParameter("--sieve takes numbers of games: --sieve 8,40")
    sieves = tuple(map(int, numbers))
    if [*sieves, games] != sorted({*sieves, games}):
        raise typer.BadParameter(f"the numbers of --sieve rise, and are below the {games} of --games")
    return sieves


def _dangers(given: list[str]) -> dict[str, float]:
    """The dangers of seats. Raises BadParameter for what is no number of steps."""
    dangers = {}
    for seat, steps in map(pair, given):
        try:
            dangers[seat] = float(steps)
        except ValueError:
            dangers[seat] = nan
        if not abs(dangers[seat]) <= _FAREST:
            why = f"--danger takes a number of steps, {_FAREST} at most either way: --danger {seat}=0.5"
            raise typer.BadParameter(why)
    return dangers


def _tune_dangers(plan: Fixture, count: int, games: int, jobs: int, as_json: bool) -> None:
    """Play round after round, and say what each comes to as soon as it is known."""
    played = []
    for tuning_round in menaces.play_rounds(plan, count, games, jobs):
        played.append(tuning_round)
        if not as_json:
            won = ", ".join(" and ".join(game.result.winners) or "nobody" for game in tuning_round.games)
            say(f"round {tuning_round.number + 1}: won by {won}")
    if as_json:
        document(standings.dangers_data(played))
    else:
        standings.show_dangers(played)


def _weigh(game: Game, plan: Fixture, how: boards.DraftSearch, jobs: int, as_json: bool) -> None:
    """Weigh board after board, and say what each comes to as soon as it is known."""
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
        document([standings.draft_data(result) for result in weighed])
    else:
        standings.show_drafts(weighed, how.by)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _complain(played: tournaments.Tournament) -> None:
    """Say what was amiss with bots of others, the first of it in words."""
    remarks = [remark for game in played.games for remark in game.remarks]
    for remark in remarks[:_TOLD]:
        typer.echo(remark, err=True)
    if len(remarks) > _TOLD:
        typer.echo(f"and {len(remarks) - _TOLD} more remarks of this kind", err=True)


def _is_endless(game: Game, given: dict[str, OptionValue]) -> bool:
    """Return whether games may never end: they can be given a last year, and are not."""
    return contest.counts_years(game) and "last_year" not in given


def _ending(game: Game, given: dict[str, OptionValue], years: int | None) -> dict[str, OptionValue]:
    if years is None and not _is_endless(game, given):
        return {}
    return dict(contest.ending_after(game, years or contest.DEFAULT_MAX_YEARS))


def _play_with_progress(
    game: Game, plan: Fixture, count: int, jobs: int, quiet: bool
) -> tournaments.Tournament:
    games_played: list[PlayedGame] = []
    with _progress(count) as progress:
        task = progress.add_task(game.about.title, total=count)
        for played_game in contest.contest(plan, count, jobs):
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
    """A bar beside what is printed, where somebody looks on: it goes to the terminal, never to a file."""
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
