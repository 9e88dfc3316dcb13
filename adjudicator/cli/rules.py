"""``gm rules`` and ``gm variant``: the kinds of games, their options and their rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import games
from adjudicator import game_kinds, variants
from adjudicator.cli import connect, tournament
from adjudicator.cli.arguments import (
    Json,
    Kind,
    Yes,
    alone,
    check_name,
    confirm,
    example,
    noun,
    write_image,
)
from adjudicator.cli.output import document, heading, progress, say, table
from adjudicator.errors import Refusal
from adjudicator.tournament import tournament as tournaments
from adjudicator.turns import bots
from games import data, options, protocol, record

if TYPE_CHECKING:
    from adjudicator.tournament.match import PlayedGame
    from adjudicator.tournament.tournament import Tournament
    from games.protocol import Game, GameOption, Survey


rules_app = alone()


@rules_app.command(
    epilog=example(
        "gm rules",
        "gm rules indianomacy",
        "gm rules indianomacy --clauses",
        then='"gm game new KIND" starts a game of this kind.',
    )
)
def rules(
    ctx: typer.Context,
    kind: Annotated[
        str | None, typer.Argument(metavar="KIND", help="The game to show (default: list all).")
    ] = None,
    clauses: Annotated[
        bool,
        typer.Option("--clauses", help="Show the rules clause by clause, with their source and tests."),
    ] = False,
    as_json: Json = False,
) -> None:
    """List the games that can be played, and show their rules."""
    connect.use_own_variants(ctx)
    if kind is None:
        if clauses:
            raise typer.BadParameter("name a game: gm rules indianomacy --clauses", param_hint="--clauses")
        _list_kinds(as_json)
        return
    game = game_kinds.find_kind(kind)
    if clauses:
        _list_clauses(game, as_json)
    elif as_json:
        document(_kind_details(game))
    else:
        _show_kind(game)


def _list_kinds(as_json: bool) -> None:
    kinds = [_kind_details(game) for game in games.kinds().values()]
    if as_json:
        document(kinds)
        return
    rows = [
        (details["kind"], details["title"], details["designer"], len(details["seats"])) for details in kinds
    ]
    table(("kind", "title", "designer", "seats"), rows)
    say("", "To see one of them: gm rules KIND")


def _kind_details(game: Game) -> dict[str, Any]:
    about = game.about
    return {
        "kind": about.kind,
        "aliases": list(about.aliases),
        "title": about.title,
        "designer": about.designer,
        "source": about.source,
        "seats": list(about.seats(options.settle(about.options, {}))),
        "hidden": about.hidden,
        "bots": list(game.bots),
        "temperaments": list(dict.fromkeys(name for bot in game.bots.values() for name in bot.temperaments)),
        "options": [
            {name: getattr(option, name) for name in option.__struct_fields__}
            | {"meaning": options.describe_option(option)}
            for option in about.options
        ],
    }


def _show_kind(game: Game) -> None:
    about, details = game.about, _kind_details(game)
    say(f"{about.title}, by {about.designer}", f"Source: {about.source}")
    say(f"Kind: {about.kind}" + (f" (or {', '.join(about.aliases)})" if about.aliases else ""))
    say(f"Seats: {', '.join(details['seats'])}", f"Bots: {', '.join(game.bots)}")
    if details["temperaments"]:
        say(f"Personalities: {', '.join(details['temperaments'])}, or {bots.RANDOM_TEMPER}")
    if about.hidden:
        say("This game has hidden information.")
    if about.options:
        heading("Options for a new game")
        rows = [
            (
                option.name,
                _values(option),
                options.starting_text(option) or None,
                options.describe_option(option),
                option.ruling,
            )
            for option in about.options
        ]
        table(("option", "values", "default", "meaning", "ruling"), rows)
        older = [
            f"{option.name}={options.option_text(option.default)}"
            for option in about.options
            if option.begins is not None
        ]
        if older:
            say("", f"A position for gm judge that doesn't name them has {', '.join(older)}.")
    say(
        "",
        f"To start a game: gm game new {about.kind}",
        f"To read its rules: gm rules {about.kind} --clauses",
    )


def _list_clauses(game: Game, as_json: bool) -> None:
    try:
        clauses = data.read_clauses(game.package, game.clauses)
    except protocol.Invalid as fault:
        raise Refusal(fault.what, fault.why, fault.instead) from fault
    if as_json:
        document([{name: getattr(clause, name) for name in clause.__struct_fields__} for clause in clauses])
        return
    rows = [
        (clause.id, clause.text, clause.source, clause.mark, clause.option, len(clause.tests))
        for clause in clauses
    ]
    table(("clause", "text", "source", "mark", "option", "tests"), rows)


def _values(option: GameOption) -> str:
    if option.sort == "choice":
        return " | ".join(option.values)
    if option.sort == "flag":
        return "yes | no"
    if option.sort == "number":
        return f"{options.option_text(option.low)}..{options.option_text(option.high)}"
    return option.sort


# ``gm variant``: check further variants of a game before they are played, add, list and remove them.


variant_app = noun(
    "Check, import, export, add, list and remove variants of your own.",
    "gm variant check my-variant",
    "gm variant list",
)
_LOAD_AGAIN = 'A running "gm serve" needs a restart or SIGHUP ("systemctl reload turnpost") to know it.'


@variant_app.command(
    epilog=example(
        "gm variant check my-variant",
        "gm variant check my-variant --out my-variant.png",
        "gm variant check my-variant --play 20 --chart centres.svg",
        then='See docs/variants.md for the files. "gm variant add" makes it playable.',
    )
)
def check(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The folder with map.json and rulebook.toml.")
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to draw the opening: FILE.svg or FILE.png.")
    ] = None,
    borders: Annotated[bool, typer.Option("--borders", help="List the neighbours of each province.")] = False,
    play: Annotated[
        int, typer.Option(min=0, metavar="N", help="Let bots play N games, and show who wins.")
    ] = 0,
    chart: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="With --play: draw the mean scores over time (.svg or .png)."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Check a variant: errors by file and entry, warnings, a count of everything, and a drawing."""
    check_name(out, "--out")
    check_name(chart, "--chart")
    survey = variants.check_variant(folder)
    if out is not None:
        write_image(out, variants.draw_opening(survey))
    played, unused = _play_bots(survey, play, as_json)
    if chart is not None and played is not None:
        write_image(chart, tournament.scores_chart(survey.game, played))
    if as_json:
        document(
            {
                "kind": survey.game.about.kind,
                "title": survey.game.about.title,
                "tables": {content.title: [list(row) for row in content.rows] for content in survey.tables},
                "findings": list(survey.findings),
                "file": str(out) if out else None,
                "played": tournament.details(played) if played else None,
                "unused": list(unused),
            }
        )
        return
    say(f"{survey.game.about.title} can be played.")
    for content in survey.tables[: None if borders else 1]:
        heading(content.title)
        table(content.columns, content.rows)
    heading("Warnings")
    say(*(survey.findings or ("none",)))
    if out is not None:
        say("", f"Drew the opening in {out}.")
    if played is not None:
        tournament.show(survey.game, played)
        say("", *(unused or ("Games used all supply centres and borders.",)))


def _play_bots(survey: Survey, count: int, quiet: bool) -> tuple[Tournament | None, tuple[str, ...]]:
    """Return the games of bots on a variant, and what none of them made use of. quiet: show no progress."""
    if not count:
        return None, ()
    if survey.game.score is None or not survey.game.bots:
        raise Refusal(f"Can't let bots play {survey.game.about.title}", "there are none for it")
    games_played: list[PlayedGame] = []
    unused: tuple[str, ...] = ()
    with progress(survey.game.about.title) as done:
        for played_game, use in tournaments.try_out(survey, count):
            games_played.append(played_game)
            unused = use.findings()
            if not quiet:
                done(len(games_played), count)
    seats = tuple(games_played[0].players)
    return tournaments.Tournament(seats=seats, score=survey.game.score, games=tuple(games_played)), unused


@variant_app.command(
    "import",
    epilog=example(
        "gm variant import ancmed.map",
        "gm variant import modern.map --into variants --drawing modern.svg",
        "gm variant import archipelago.json --drawing archipelago.svg",
        then="A file that builds on another (MAP, USE) needs that file in its folder, or one of our boards.",
    ),
)
def import_variant(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The board of another program: FILE.map or FILE.json.")
    ],
    into: Annotated[
        Path, typer.Option(metavar="FOLDER", help="The folder in which the variant gets its own folder.")
    ] = Path(),
    drawing: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A drawing of the board: FILE.svg.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Import a board of another program, and say line by line what wasn't taken."""
    imported = variants.import_board(file, drawing)
    folder = into / json.loads(imported.files["map.json"])["name"]
    if folder.exists():
        raise Refusal(f"Can't write {folder}", "it exists already", "Name another folder with --into")
    survey = variants.check_files(folder.name, imported.files)
    folder.mkdir(parents=True)
    for name, text in imported.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    if as_json:
        document(
            {
                "folder": str(folder),
                "title": survey.game.about.title,
                "notes": [
                    {name: getattr(note, name) for name in note.__struct_fields__} for note in imported.notes
                ],
                "findings": list(survey.findings),
            }
        )
        return
    say(f"{survey.game.about.title} can be played. It is in {folder}.")
    heading("What wasn't taken")
    if imported.notes:
        table(
            ("line", "what", "changes play"),
            [(note.line or "", note.text, "yes" if note.changes_play else "no") for note in imported.notes],
        )
    else:
        say("nothing")
    heading("Warnings")
    say(*(survey.findings or ("none",)))
    if file.suffix == ".map":
        say("", f"The file has no title and no designer. Write them into {folder / 'map.json'}.")


@variant_app.command(
    epilog=example(
        "gm variant draw my-variant my-variant.svg",
        "gm variant draw my-variant my-variant.svg --tolerance 3 --out my-variant.png",
        then="The drawing needs a path for each province, with its id as id or label. See docs/variants.md.",
    )
)
def draw(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder with map.json.")],
    drawing: Annotated[Path, typer.Argument(metavar="DRAWING", help="The drawing: FILE.svg.")],
    tolerance: Annotated[
        float | None,
        typer.Option(min=0, help="The widest gap between neighbours to close (default: 1/400 of the width)."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to draw the opening: FILE.svg or FILE.png.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Take a drawing of your own: write outline.geojson, and the places of names and units into map.json."""
    check_name(out, "--out")
    drawn = variants.draw_board(folder, drawing, tolerance)
    survey = variants.check_files(folder.name, {**variants.read_files(folder), **drawn.files})
    for name, text in drawn.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    notes = [note.text for note in drawn.notes]
    if out is not None:
        write_image(out, variants.draw_opening(survey))
    if as_json:
        document(
            {
                "files": [str(folder / name) for name in drawn.files],
                "notes": notes,
                "findings": list(survey.findings),
                "file": str(out) if out else None,
            }
        )
        return
    say(f"{survey.game.about.title} has this drawing now, and can be played.", *notes)
    heading("Warnings")
    say(*(survey.findings or ("none",)))
    if out is not None:
        say("", f"Drew the opening in {out}.")


@variant_app.command(
    epilog=example(
        "gm variant borders my-variant --from-drawing my-variant.svg",
        then="Read the list and write what is right into map.json. Nothing is written for you.",
    )
)
def borders(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder with map.json.")],
    from_drawing: Annotated[
        Path, typer.Option("--from-drawing", metavar="DRAWING", help="The drawing to look at: FILE.svg.")
    ],
    as_json: Json = False,
) -> None:
    """Propose the borders of each province from a drawing, as entries of map.json to read."""
    proposed = variants.propose_borders(folder, from_drawing)
    if as_json:
        document([{**row.entry, "same": row.same} for row in proposed])
        return
    for row in proposed:
        typer.echo(f"{'  ' if row.same else '* '}{json.dumps(row.entry, ensure_ascii=False)}")
    say("", f"* map.json has other borders: {sum(not row.same for row in proposed)} of {len(proposed)}.")


@variant_app.command(
    epilog=example(
        "gm variant export standard > standard.map",
        "gm variant export france-austria --folder my-board",
        then="Give a copy another name in its map.json before you change and add it.",
    )
)
def export(
    ctx: typer.Context,
    kind: Kind,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The file to write (default: standard output).")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write the variant's own files into a new folder.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Write a board as a .map file, for other programs, or as a folder of our own form."""
    connect.use_own_variants(ctx)
    game = game_kinds.find_kind(kind)
    if folder is not None:
        if out is not None:
            raise typer.BadParameter("write a file or a folder, not both", param_hint="--folder")
        names = variants.export_folder(game, folder)
        if as_json:
            document({"folder": str(folder), "files": list(names)})
        else:
            say(f"Wrote {', '.join(names)} into {folder}.")
        return
    text, left = variants.export_board(game)
    if out is not None:
        out.write_text(text, encoding="utf-8")
    if as_json:
        document({"file": str(out) if out else None, "text": text, "left": list(left)})
        return
    for line in left:
        typer.echo(line, err=True)
    if out is None:
        typer.echo(text, nl=False)
    else:
        say(f"Wrote {out}.")


@variant_app.command("list", epilog=example("gm variant list"))
def list_variants(ctx: typer.Context, as_json: Json = False) -> None:
    """List the variants in your folder and in installed packages, and say why one can't be played."""
    folder = connect.use_own_variants(ctx)
    listed = variants.list_variants(folder)
    if as_json:
        document([record.plain(one) for one in listed])
        return
    if not listed:
        say(f"No variants in {folder}, and none in installed packages.")
        return
    rows = [(one.name, one.title, one.origin, one.why or "yes") for one in listed]
    table(("name", "title", "from", "can be played"), rows)


@variant_app.command(
    epilog=example(
        "gm variant add my-variant",
        "gm variant add my-variant.zip --replace",
        then='"gm game new NAME" starts a game of it.',
    )
)
def add(
    ctx: typer.Context,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A folder with map.json and rulebook.toml, or a ZIP file of one."
        ),
    ],
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace the variant of that name; running games keep theirs.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Check a variant and copy it into your folder of variants, so that it can be played."""
    folder = connect.use_own_variants(ctx)
    survey = variants.add_variant(file, folder, replace=replace)
    about = survey.game.about
    if as_json:
        document({"kind": about.kind, "title": about.title, "findings": list(survey.findings)})
        return
    say(f"{about.title} can be played now: gm game new {about.kind}", _LOAD_AGAIN)
    if survey.findings:
        heading("Warnings")
        say(*survey.findings)


@variant_app.command(epilog=example("gm variant remove my-variant --yes"))
def remove(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The variant, as in its map.json.")],
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Remove a variant from your folder of variants. Its games go on by their own copy."""
    folder = connect.use_own_variants(ctx)
    confirm(f"Remove {folder / name}?", yes, f"variant {name}")
    place = variants.remove_variant(name, folder)
    if as_json:
        document({"kind": name, "removed": str(place)})
        return
    say(f"Removed {place}. No new game of {name} can begin.", _LOAD_AGAIN)
