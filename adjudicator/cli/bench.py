"""``gm bench``: how fast the service is on this machine."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli import lazy_import
from adjudicator.cli.arguments import Json, check_name, example, noun, write_image
from adjudicator.cli.output import document, say, table

if TYPE_CHECKING:
    from adjudicator.bench.start import Figure

# Rule: a bench is a module of adjudicator.bench, imported when it is asked for, and a command here.

bench_app = noun(
    "Measure how fast it is on this machine.",
    "gm bench adjudicate",
    "gm bench decisions",
    "gm bench load",
    "gm bench mail",
    "gm bench reading",
    "gm bench report",
    "gm bench site",
    "gm bench start",
    "gm bench turn",
)

MEASURED_KIND = "indianomacy"
"""The game that is measured if none is named."""
LOADED = "standard"
"""The game by which load is measured if none is named."""
ORDERS_PER_SEASON = {"indianomacy": range(36, 45), "standard": range(30, 35)}
"""How many orders a season has that is measured; in other games any."""
_ANY_NUMBER_OF_ORDERS = range(1, 1000)
SOLO = ("plains-indian-wars", "US")
"""A game for one of which a turn is played by hand, and the seat of its player."""
PEER = "diplomacy"
"""A package that plays standard Diplomacy too, and is measured beside if it is installed."""


@bench_app.command(
    epilog=example(
        "gm bench adjudicate",
        "gm bench adjudicate standard --games 20",
        then="More games make the medians steadier.",
    )
)
def adjudicate(
    kind: Annotated[str, typer.Argument(metavar="[KIND]", help="The kind of game.")] = MEASURED_KIND,
    games: Annotated[int, typer.Option(min=1, metavar="N", help="How many games of bots.")] = 5,
    as_json: Json = False,
) -> None:
    """Measure how long a season takes: alone, from the texts of its orders, and in a whole game.

    Standard Diplomacy is measured beside the diplomacy package, if that is installed.
    """
    units = ORDERS_PER_SEASON.get(kind, _ANY_NUMBER_OF_ORDERS)
    _print(_bench("adjudication").measure_adjudication(kind, games, units, PEER), as_json)


@bench_app.command(
    epilog=example(
        "gm bench decisions",
        "gm bench decisions --rounds 20",
        then="gm bench adjudicate  measures seasons as they come in games, with all that is told of them.",
    )
)
def decisions(
    kind: Annotated[str, typer.Argument(metavar="[KIND]", help="The kind of game.")] = "standard",
    rounds: Annotated[int, typer.Option(min=1, metavar="N", help="How many rounds of all seasons.")] = 5,
    as_json: Json = False,
) -> None:
    """Measure how long dense seasons take: decided alone, varied by an order, and from JSON to JSON.

    Standard Diplomacy is measured beside the diplomacy package in turn, if that is installed.
    """
    _print(_bench("adjudication").measure_decisions(kind, rounds, PEER), as_json)


@bench_app.command(
    epilog=example(
        "gm bench mail",
        "gm bench mail standard --letters 200",
        then="With Dovecot installed the letters come out of one of its own, otherwise out of a Maildir.",
    )
)
def mail(
    kind: Annotated[str, typer.Argument(metavar="[KIND]", help="The kind of game.")] = MEASURED_KIND,
    letters: Annotated[int, typer.Option(min=1, metavar="N", help="How many letters.")] = 1000,
    as_json: Json = False,
) -> None:
    """Measure how long letters take: from the mailbox to their answers, and from there to a server.

    Beside each figure stands what the bare libraries need for the same letters. It works in a folder of its
    own and touches no service that is set up here.
    """
    # As in a service that runs.
    import_module("adjudicator.daemon.daemon").settle_down([kind])
    _print(_bench("mail").measure_mail(kind, letters), as_json)


@bench_app.command(
    epilog=example(
        "gm bench reading",
        "gm bench reading standard --letters 200",
        then="gm bench mail  adds the mailbox, the books, the answer and its way out.",
    )
)
def reading(
    kind: Annotated[str, typer.Argument(metavar="[KIND]", help="The kind of game.")] = MEASURED_KIND,
    letters: Annotated[int, typer.Option(min=1, metavar="N", help="How many letters.")] = 400,
    as_json: Json = False,
) -> None:
    """Measure how long a letter of 4 KB takes to be read: parsed, cleaned, matched and judged."""
    _print(_bench("mail").measure_reading(kind, letters), as_json)


@bench_app.command(
    epilog=example(
        "gm bench report",
        "gm bench report standard --turns 12",
        then="More turns make the medians steadier.",
    )
)
def report(
    kind: Annotated[str, typer.Argument(metavar="[KIND]", help="The kind of game.")] = MEASURED_KIND,
    turns: Annotated[int, typer.Option(min=1, metavar="N", help="How many turns are told.")] = 6,
    as_json: Json = False,
) -> None:
    """Measure how long the reports of a turn take: text and HTML for every seat, the map once for all."""
    _print(_bench("turns").measure_reports(kind, turns), as_json)


@bench_app.command(
    epilog=example(
        "gm bench site",
        "gm bench site --games 1000 --jobs 2",
        then="It works in a folder of its own, of 1 MB a game; a thousand have to be built in three minutes.",
    )
)
def site(
    kind: Annotated[str, typer.Argument(metavar="[KIND]", help="The kind of game.")] = LOADED,
    games: Annotated[int, typer.Option(min=1, metavar="N", help="How many games of bots.")] = 24,
    turns: Annotated[int, typer.Option(min=1, metavar="N", help="How many turns each has.")] = 20,
    jobs: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="So many processes; else as many as it has cores.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure how long the archive takes: all of it, one turn, and nothing new; and how large a page is.

    The first two dozen games are played; of more there are copies in the database, each built by itself.
    """
    _print(_bench("turns").measure_archive(kind, games, turns, jobs=jobs), as_json)


@bench_app.command(
    epilog=example("gm bench start", "gm bench start --times 20", then="More runs make the medians steadier.")
)
def start(
    times: Annotated[int, typer.Option(min=1, metavar="N", help="How many runs of each.")] = 5,
    as_json: Json = False,
) -> None:
    """Measure how long it takes until a command answers, and until a turn is played by hand."""
    _print(_bench("start").measure_start(times, "standard", "France", SOLO), as_json)


@bench_app.command(
    epilog=example(
        "gm bench turn",
        "gm bench turn chaos --turns 12",
        then="It works in a folder of its own, and sends to a server of its own that keeps nothing.",
    )
)
def turn(
    kind: Annotated[str, typer.Argument(metavar="[KIND]", help="The kind of game.")] = MEASURED_KIND,
    turns: Annotated[int, typer.Option(min=1, metavar="N", help="How many turns are played.")] = 12,
    as_json: Json = False,
) -> None:
    """Measure how long a turn takes from its deadline until a server has the last report."""
    _print(_bench("turns").measure_turns(kind, turns), as_json)


def _bench(name: str) -> Any:
    lazy_import.all_loaded()  # what is loaded meanwhile would be measured too
    return import_module(f"adjudicator.bench.{name}")


@bench_app.command(
    epilog=example(
        "gm bench load --games 10,100",
        "gm bench load --games 100 --workers 1,2 --database postgresql://turnpost@127.0.0.1/turnpost",
        then="On the server it makes a database of its own, and drops it. docs/scaling.md has figures.",
    )
)
def load(
    kind: Annotated[str, typer.Argument(metavar="[KIND]", help="The kind of game.")] = LOADED,
    games: Annotated[str, typer.Option(metavar="N,…", help="How many games, one number or several.")] = "10",
    workers: Annotated[str, typer.Option(metavar="W,…", help="How many workers, likewise.")] = "1",
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="A PostgreSQL on which a database may be made.")
    ] = None,
    first: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Measure so many of them, while all the others wait."),
    ] = None,
    chart: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw processor time a turn into an .svg or .png.")
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep each run in this JSON file; the chart is of all."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure games whose letters come and whose turns end all at once, worked on by real processes.

    Every seat has a person. A run plays some games first that do not count. It says how often turns were
    adjudicated and letters read, too: no more often than there were.
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
        runs.append(bench.measure_load(kind, game_count, other, database, first))
        drawn = bench.keep(keep, runs[-1]) if keep is not None else runs
        if chart is not None:
            write_image(chart, bench.chart(drawn))
    if as_json:
        document(bench.plain(runs))
        return
    per = ("letters/s", "turns/s", "last report", "CPU/letter", "CPU/turn", "memory", "growth/turn")
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
    say("", f"Books: {runs[0].engine}; cores: {runs[0].cores}; turns and letters done twice: {twice}.")


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
    say("", "The machine was busy with other things too, if processor time is much less than what it took.")
