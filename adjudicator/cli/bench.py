"""``gm bench``: benchmarks of the service on this machine."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from adjudicator import compile_cache
from adjudicator.cli import lazy_import
from adjudicator.cli.arguments import Json, check_name, example, noun, write_image
from adjudicator.cli.output import document, say, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudicator.bench.load import LoadRun
    from adjudicator.bench.start import Figure

# Rule: each benchmark is a module of adjudicator.bench, imported when it runs, and a command here.

bench_app = noun(
    "Measure how fast the program is on this machine.",
    "gm bench start",
    "gm bench mail standard --letters 200",
    "gm bench load --games 10,100",
)

MEASURED_KIND = "indianomacy"
"""The default game for benchmarks."""
LOADED = "standard"
"""The default game for the load benchmark."""
ORDERS_PER_SEASON = {"indianomacy": range(36, 45), "standard": range(30, 35)}
"""The number of orders in the measured seasons. Other games have no limits."""
_ANY_NUMBER_OF_ORDERS = range(1, 1000)
SOLO = ("plains-indian-wars", "US")
"""A solo game whose turns can be run by hand, and its player's seat."""
PEER = "diplomacy"
"""A package that also plays standard Diplomacy, measured for comparison if it is installed."""


@bench_app.command(
    epilog=example(
        "gm bench adjudicate",
        "gm bench adjudicate standard --games 20",
        then="More games make the medians steadier.",
    )
)
def adjudicate(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="The game to measure.")] = MEASURED_KIND,
    games: Annotated[int, typer.Option(min=1, metavar="N", help="The number of bot games.")] = 5,
    as_json: Json = False,
) -> None:
    """Measure how long the rules take for a season.

    It shows the time of a season alone, of reading its orders from text, and of a whole game of bots.
    Standard Diplomacy is compared with the diplomacy package, if that is installed.
    """
    units = ORDERS_PER_SEASON.get(kind, _ANY_NUMBER_OF_ORDERS)
    _print(_bench("adjudication").measure_adjudication(kind, games, units, PEER), as_json)


@bench_app.command(
    epilog=example(
        "gm bench decisions",
        "gm bench decisions --rounds 20",
        then='"gm bench adjudicate" measures seasons of whole games, with all their results.',
    )
)
def decisions(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="The game to measure.")] = "standard",
    rounds: Annotated[
        int, typer.Option(min=1, metavar="N", help="The number of rounds over all seasons.")
    ] = 5,
    as_json: Json = False,
) -> None:
    """Measure how long the rules take for crowded seasons.

    It shows the time of a season alone, with one order changed, and from JSON to JSON. Standard
    Diplomacy is compared with the diplomacy package, if that is installed.
    """
    _print(_bench("adjudication").measure_decisions(kind, rounds, PEER), as_json)


@bench_app.command(
    epilog=example(
        "gm bench mail",
        "gm bench mail standard --letters 200",
        then=("The emails come from a Dovecot server if it is installed, otherwise from a Maildir."),
    )
)
def mail(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="The game to measure.")] = MEASURED_KIND,
    letters: Annotated[int, typer.Option(min=1, metavar="N", help="The number of emails.")] = 1000,
    as_json: Json = False,
) -> None:
    """Measure how long we take to answer and send an email.

    Each figure stands next to the time that the bare libraries need for the same emails. It works in a
    temporary folder and doesn't touch your service.
    """
    # This is how a running service works.
    import_module("adjudicator.daemon.daemon").settle_down([kind])
    _print(_bench("mail").measure_mail(kind, letters), as_json)


@bench_app.command(
    epilog=example(
        "gm bench reading",
        "gm bench reading standard --letters 200",
        then=('"gm bench mail" also measures the mailbox, the database, the reply and sending.'),
    )
)
def reading(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="The game to measure.")] = MEASURED_KIND,
    letters: Annotated[int, typer.Option(min=1, metavar="N", help="The number of emails.")] = 400,
    as_json: Json = False,
) -> None:
    """Measure how long we take to read an email of 4 KB.

    Reading means to parse and clean it, to recognise its orders, and to check them.
    """
    _print(_bench("mail").measure_reading(kind, letters), as_json)


@bench_app.command(
    epilog=example(
        "gm bench report",
        "gm bench report standard --turns 12",
        then="More turns make the medians steadier.",
    )
)
def report(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="The game to measure.")] = MEASURED_KIND,
    turns: Annotated[int, typer.Option(min=1, metavar="N", help="The number of turns to report.")] = 6,
    as_json: Json = False,
) -> None:
    """Measure how long we take to write the reports of a turn.

    It writes text and HTML for every seat, and one map.
    """
    _print(_bench("turns").measure_reports(kind, turns), as_json)


@bench_app.command(
    epilog=example(
        "gm bench site",
        "gm bench site --games 1000 --jobs 2",
        then=("It uses a temporary folder of 1 MB a game. A thousand games must take at most three minutes."),
    )
)
def site(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="The game to measure.")] = LOADED,
    games: Annotated[int, typer.Option(min=1, metavar="N", help="The number of bot games.")] = 24,
    turns: Annotated[int, typer.Option(min=1, metavar="N", help="The number of turns of each game.")] = 20,
    jobs: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="The number of processes (default: one per core).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure how long we take to build the archive of games.

    It builds all of it, then one new turn, then nothing new, and shows the size of a page. The
    first two dozen games are played. Further games are copies in the database, each built by itself.
    """
    _print(_bench("turns").measure_archive(kind, games, turns, jobs=jobs), as_json)


@bench_app.command(
    epilog=example("gm bench start", "gm bench start --times 20", then="More runs make the medians steadier.")
)
def start(
    times: Annotated[int, typer.Option(min=1, metavar="N", help="The number of runs of each command.")] = 5,
    as_json: Json = False,
) -> None:
    """Measure how long commands such as "gm status" take.

    The last one processes a turn by hand.
    """
    _print(_bench("start").measure_start(times, "standard", "France", SOLO), as_json)


@bench_app.command(
    epilog=example(
        "gm bench turn",
        "gm bench turn chaos --turns 12",
        then=("It uses a temporary folder, and a mail server of its own that discards everything."),
    )
)
def turn(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="The game to measure.")] = MEASURED_KIND,
    turns: Annotated[int, typer.Option(min=1, metavar="N", help="The number of turns to process.")] = 12,
    as_json: Json = False,
) -> None:
    """Measure how long a turn takes until all reports are sent.

    It starts at the deadline of the turn and ends when the mail server has the last report.
    """
    _print(_bench("turns").measure_turns(kind, turns), as_json)


def _bench(name: str) -> Any:
    lazy_import.all_loaded()  # what is loaded meanwhile would be measured too
    compile_cache.enable(os.environ)
    return import_module(f"adjudicator.bench.{name}")


@bench_app.command(
    epilog=example(
        "gm bench load --games 10,100",
        "gm bench load --games 10 --orders dense",
        "gm bench load --games 100 --workers 1,2 --database postgresql://turnpost@127.0.0.1/turnpost",
        then=(
            "It creates a database on the server and drops it afterwards. See docs/scaling.md for figures."
        ),
    )
)
def load(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="The game to measure.")] = LOADED,
    games: Annotated[
        str, typer.Option(metavar="N,…", help="The number of games; several numbers mean several runs.")
    ] = "10",
    workers: Annotated[
        str, typer.Option(metavar="W,…", help="The number of workers; several numbers mean several runs.")
    ] = "1",
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="A PostgreSQL server on which to create a database.")
    ] = None,
    first: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Measure this many games while all others wait."),
    ] = None,
    orders: Annotated[
        Literal["hold", "dense"],
        typer.Option(
            metavar="hold|dense",
            help="What players write: all hold, or a bot's orders after six turns, each in a new spelling.",
        ),
    ] = "hold",
    chart: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the processor time per turn to an .svg or .png file."),
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Save each run in this JSON file; the chart shows all of them."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure many games whose emails and deadlines come at once.

    Real worker processes do the work. Every seat has a player. Each run begins with some games that don't
    count. The last line says how often turns and emails were processed twice: it must be 0.
    """
    check_name(chart, "--chart")
    bench = _bench("load")
    sizes = [
        (game_count, other)
        for other in _numbers(workers, "--workers")
        for game_count in _numbers(games, "--games")
    ]
    runs = []
    for game_count, other in sizes:
        runs.append(bench.measure_load(bench.Load(kind, game_count, orders), other, database, first))
        drawn = bench.keep(keep, runs[-1]) if keep is not None else runs
        if chart is not None:
            write_image(chart, bench.chart(drawn))
    if as_json:
        document(bench.plain(runs))
        return
    _print_load(runs)


def _print_load(runs: Sequence[LoadRun]) -> None:
    per = ("emails/s", "turns/s", "last report", "CPU/email", "CPU/turn", "memory", "growth/turn")
    columns = ("games", "workers", *per)
    rows = [
        (
            str(run.games),
            str(run.workers),
            f"{run.letters_a_second:.3g}",
            f"{run.turns_a_second:.3g}",
            f"{run.turns_seconds:.3g} s",
            f"{run.cpu_ms_a_letter:.3g} ms",
            f"{run.cpu_ms_a_turn:.3g} ms",
            f"{run.memory_mb:.3g} MB",
            f"{run.growth_kb_a_turn:.3g} KB",
        )
        for run in runs
    ]
    table(columns, rows)
    twice = sum(run.adjudicated - run.turns + run.read - run.letters for run in runs)
    say("", f"Database: {runs[0].engine}. Cores: {runs[0].cores}. Turns and emails done twice: {twice}.")


def _numbers(text: str, option: str) -> list[int]:
    words = text.split(",")
    if not all(word.strip().isdigit() and int(word) for word in words):
        raise typer.BadParameter("write numbers, like 10,100", param_hint=option)
    return [int(word) for word in words]


def _print(figures: tuple[Figure, ...], as_json: bool) -> None:
    if as_json:
        document(
            [
                {name: getattr(figure, name) for name in ("what", "value", "unit", "note")}
                for figure in figures
            ]
        )
        return
    table(("what", "value", "unit", "note"), [(f.what, f"{f.value:.3g}", f.unit, f.note) for f in figures])
    say("", "If processor time is much lower than the time taken, the machine was busy with other work.")
