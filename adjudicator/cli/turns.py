"""``gm dice``, ``report``, ``edit``, ``map`` and ``turn``: the turns of a game, and their dice."""

from __future__ import annotations

import sys
from base64 import b64encode
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from adjudicator import game_kinds
from adjudicator.admin import game_admin, overrides, transfer
from adjudicator.admin import transfer as exports
from adjudicator.auth import tokens
from adjudicator.cli import game_changes, views
from adjudicator.cli.arguments import (
    GameName,
    Json,
    Silent,
    Why,
    alone,
    check_name,
    example,
    noun,
    warrant,
    write_image,
)
from adjudicator.cli.backup import contents
from adjudicator.cli.connect import config_of, open_service, use_own_variants
from adjudicator.cli.games import entry_view
from adjudicator.cli.output import document, heading, page_output, pluralise, say, table
from adjudicator.errors import Fault, Refusal
from adjudicator.reports import messages, posts
from adjudicator.reports import messages as readers
from games import dice, record

if TYPE_CHECKING:
    from adjudicator.context import ServiceContext
    from adjudicator.model.games import GamePosition
    from adjudicator.reports.maps import Drawing
    from adjudicator.reports.report import Report
    from games.protocol import Form


dice_app = noun(
    "Show the dice of a game, set the next roll, and verify all rolls.",
    "gm dice show beaver",
    "gm dice verify beaver.json",
)


@dice_app.command(
    epilog=example(
        "gm dice show beaver", then='"gm turn preview GAME --json" lists the rolls of the next turn.'
    )
)
def show(ctx: typer.Context, game: GameName, as_json: Json = False) -> None:
    """Show all dice of a game: their commitment, every roll, and rolls that were set.

    The secret is shown when the game is over.
    """
    with open_service(ctx) as service:
        position = game_admin.position_of(service, game)
        entries = overrides.entries_of(service, game)
    sealed, over = dice.commitment(position.secret), position.status == "finished"
    throws = [
        {"entry": entry.number, "turn": entry.turn, **record.plain(throw)}
        for entry in entries
        for throw in entry.throws
    ]
    if as_json:
        set_by_hand = {label: list(numbers) for label, numbers in position.forced.items()}
        secret = position.secret.hex() if over else None
        document({"game": game, "commitment": sealed, "secret": secret, "throws": throws, "set": set_by_hand})
        return
    with page_output():
        say(f"Commitment (SHA-256): {sealed}")
        if over:
            say(f"Secret: {position.secret.hex()}")
        if position.forced:
            heading("Set, not rolled yet")
            table(
                ("roll", "numbers"),
                [(label, _read(numbers_set)) for label, numbers_set in position.forced.items()],
            )
        heading("Rolls" if throws else "No rolls yet.")
        if throws:
            table(("entry", "turn", "roll", "die", "numbers", "set"), [_throw_row(throw) for throw in throws])


@dice_app.command(
    "set-next",
    epilog=example(
        'gm dice set-next beaver storm/b/U1 6 --why "rolled at the table"',
        then=('"gm game undo GAME" undoes this; "gm turn preview GAME --json" lists the next rolls.'),
    ),
)
def set_next(
    ctx: typer.Context,
    game: GameName,
    label: Annotated[
        str, typer.Argument(metavar="THROW", help='The label of the roll; "gm dice show" lists earlier ones.')
    ],
    numbers: Annotated[
        str, typer.Argument(metavar="NUMBERS", help="The number to show; for a draw, all numbers: 3,1,2.")
    ],
    why: Why = None,
    silent: Silent = False,
    yes: Annotated[
        bool,
        typer.Option(
            "--yes", "-y", help="Set it even if the next turn doesn't roll it with the current orders."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Set the result of a roll the next time it is made. The log and the report will say so."""
    asked = warrant(why, silent)
    try:
        shown = tuple(int(number) for number in numbers.split(","))
    except ValueError as fault:
        raise typer.BadParameter(
            f'"{numbers}" isn\'t a number. Write one number, or several like 3,1,2'
        ) from fault
    with open_service(ctx) as service:
        done = overrides.force(service, game, label, shown, asked, blindly=yes)
    if as_json:
        document(entry_view(done.entry))
        return
    say(f"The next roll {label} shows {_read(shown)} (entry {done.entry.number} of the log of {game}).")


@dice_app.command(
    epilog=example(
        "gm dice verify beaver.json",
        "gm dice verify beaver.json --commitment 5e884898da28047151d0e56f8dc62927",
        then="A public export of a running game shows only that its log is consistent.",
    )
)
def verify(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help='A file that "gm game export" wrote; - is standard input.')
    ],
    published: Annotated[
        str | None,
        typer.Option("--commitment", metavar="SHA256", help="The commitment in your own emails, to compare."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Verify the dice of an exported game: compute every roll again from its secret, without a service.

    It checks that the secret is the published one, that each entry of the log names the one before it, that
    each roll follows from secret, game, entry and label, and that each roll set by hand has an entry. Random
    personalities of bots are drawn again. The exit code is 1 if anything is wrong.
    """
    whole = exports.read(contents(file), file)
    proof = transfer.proof_of(whole, published)
    drawn = {} if proof.fault else transfer.tempers_of(whole)
    if as_json:
        document({"game": whole.game, **record.plain(proof), "temperaments": dict(drawn)})
    elif proof.fault:
        raise Refusal(f"Game {whole.game} failed verification", proof.fault)
    else:
        say(f"{whole.game}: {pluralise(proof.entries, 'entry', 'entries')}, each naming the one before it.")
        if proof.recorded:
            old = pluralise(proof.recorded, "entry of an older log", "entries of an older log")
            say(
                f"{old}, without private parts. Their contents can't be verified, only that "
                "the next entry names each."
            )
        if proof.sealed:
            forced_note = f", {proof.forced} of them set by hand and logged" if proof.forced else ""
            say(f"{pluralise(proof.throws, 'roll')}, all as the sealed secret determines{forced_note}.")
            if drawn:
                tempers = ", ".join(f"{seat} {temper}" for seat, temper in drawn.items())
                say(f"It drew these personalities: {tempers}.")
        else:
            say("The secret is revealed when the game is over. Until then the rolls can't be computed.")
    if proof.fault:
        raise typer.Exit(1)


def _throw_row(throw: dict[str, Any]) -> tuple[object, ...]:
    forced = "by hand" if throw["forced"] else None
    numbers = _read(tuple(throw["numbers"]))
    return (throw["entry"], throw["turn"], throw["label"], f"d{throw['sides']}", numbers, forced)


def _read(numbers: tuple[int, ...]) -> str:
    return ", ".join(str(number) for number in numbers)


# ``gm report``: print the report of a turn again, as it was mailed or for a forum.


report_app = alone()


class ReportFormat(StrEnum):
    """A format for printed reports."""

    text = "text"
    html = "html"
    bbcode = "bbcode"
    markdown = "markdown"


@report_app.command(
    "report",
    epilog=example(
        "gm report beaver",
        "gm report beaver --as bbcode",
        "gm report beaver --as markdown --turn F1M",
        "gm report beaver --as html --seat iroquois --out report.html",
        then="Paste it into the forum, and add the map: gm map beaver --out beaver.png",
    ),
)
def report(
    ctx: typer.Context,
    game: GameName,
    form: Annotated[
        ReportFormat, typer.Option("--as", help="The format: text, html, bbcode (phpBB) or markdown.")
    ] = ReportFormat.text,
    seat: Annotated[
        str | None,
        typer.Option(metavar="SEAT", help="The report for this seat (default: the public report)."),
    ] = None,
    turn: Annotated[
        str | None,
        typer.Option(metavar="TURN", help="The turn by its short name, like S1M (default: the last)."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to write the file (default: standard output).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Print the report of a turn again, as text, HTML or forum markup.

    The default is the last turn, or the opening if no turn has run.
    """
    with open_service(ctx) as service:
        position = game_admin.position_of(service, game)
        viewer = game_admin.seat_of(position, seat) if seat else None
        played = overrides.replayed_turns(service, position, turn)
        content = overrides.report_of(service, position, played, viewer)
        drawn = overrides.map_of(position, played, viewer) if form is ReportFormat.html else None
        page = _page(service.service_context, position, content, form, drawn)
    if out is not None:
        _write_page(out, page)
    if as_json:
        written = {"file": str(out)} if out else {"report": page}
        document({"game": game, "seat": viewer, "entry": content.entry, "as": form.value, **written})
    elif out is not None:
        say(f"Wrote the report of {game} to {out}.")
    else:
        typer.echo(page, nl=False)


def _page(
    service_context: ServiceContext,
    position: GamePosition,
    report: Report,
    form: ReportFormat,
    drawn: Drawing | None,
) -> str:
    game = position.game
    reader = readers.LetterReader(
        address=service_context.address, game=position.name, seat=report.viewer, zone=service_context.zone
    )
    if form in (ReportFormat.bbcode, ReportFormat.markdown):
        return posts.post(game, report, reader, "bbcode" if form is ReportFormat.bbcode else "markdown")
    if form is ReportFormat.text:
        return messages.turn_report(game, report, reader, messages.Enclosed(html=False)).text
    page = messages.turn_report(
        game, report, reader, messages.Enclosed(picture=drawn.png if drawn else None)
    ).html
    assert page is not None, "it was asked for"
    # On its own page the map is inline. In an email it is an attachment.
    inside = b64encode(drawn.png).decode() if drawn else ""
    return page.replace("cid:map", f"data:image/png;base64,{inside}")


def _write_page(out: Path, page: str) -> None:
    try:
        out.write_text(page, encoding="utf-8")
    except OSError as fault:
        raise Refusal(f"Can't write {out}", f"{fault.strerror}") from fault


# ``gm edit``: change the position of a game.


edit_app = alone()


class PerGame(TyperCommand):
    """A command whose help lists the possible changes in the named game or kind of game."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Remember the named game, because help is printed before the argument is read."""
        ctx.meta["named"] = next((word for word in args if not word.startswith("-")), None)
        return super().parse_args(ctx, args)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples, and after the name of a game the possible changes there."""
        changes = _changes_with_examples(_forms_of(ctx, ctx.meta.get("named")))
        if changes:
            with formatter.section(f"Changes in {ctx.meta['named']}, each with other ways to write it"):
                formatter.write_dl(changes)
        super().format_epilog(ctx, formatter)


@edit_app.command(
    cls=PerGame,
    epilog=example(
        'gm edit beaver place W Pima for Dakota --why "misread order"',
        'gm edit beaver remove Pima --why "see above" --silent',
        then=('"gm edit GAME --help" lists the possible changes; "gm game undo GAME" undoes one.'),
    ),
)
def edit(
    ctx: typer.Context,
    game: GameName,
    change: Annotated[
        list[str],
        typer.Argument(
            metavar="CHANGE...", help='The change; "gm edit GAME --help" lists the possible ones.'
        ),
    ],
    why: Why = None,
    silent: Silent = False,
    as_json: Json = False,
) -> None:
    """Change the position of a game by hand: units, owners, cards.

    The game checks each change, and rejects positions that its rules can't continue from. Saved orders stay,
    and are checked again when the turn runs. The next report shows the change and its reason.
    """
    asked = warrant(why, silent)
    with open_service(ctx) as service:
        done = overrides.edit(service, game, " ".join(change), asked)
    if as_json:
        document(entry_view(done.entry))
        return
    say(f"Done: {getattr(done.override, 'text', '')} (entry {done.entry.number} of the log of {game})")
    say(f"To undo it: gm game undo {game}")


def _forms_of(ctx: Any, name: str | None) -> tuple[Form, ...]:
    """Return the forms of changes in a game or kind of game with that name."""
    if name is None:
        return ()
    try:
        with open_service(ctx) as service:
            position = service.repository.position(name)
        kind = game_kinds.find_kind(position.kind if position else name)
    except (Refusal, Fault):
        try:
            use_own_variants(ctx)
            kind = game_kinds.find_kind(name)
        except Refusal:
            return ()
    return kind.edits.forms if kind.edits is not None else ()


def _changes_with_examples(forms: tuple[Form, ...]) -> list[tuple[str, str]]:
    """Return an example of each change as it is logged, with the other ways to write it."""
    ways: dict[str, list[str]] = {}
    for form in forms:
        ways.setdefault(form.name, []).append(form.example)
    return [(first, " | ".join(others)) for first, *others in ways.values()]


# ``gm turn preview``: adjudicate a turn without storing it.


preview_app = typer.Typer()


@preview_app.command(
    epilog=example(
        "gm turn preview beaver",
        "gm turn preview beaver --seat iroquois",
        then='"gm turn process GAME" runs it for real, with the same dice.',
    )
)
def preview(
    ctx: typer.Context,
    game: GameName,
    seat: Annotated[
        str | None, typer.Option(metavar="SEAT", help="The seat whose report to show (default: all).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Adjudicate a turn as it is now and show every report. Nothing is saved or sent."""
    with open_service(ctx) as service:
        played, reports = overrides.preview(service, game, seat)
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
                        "subject": tokens.redact_text(letter.subject),
                        "text": tokens.redact_text(letter.text),
                    }
                    for at, letter in reports
                ],
            }
        )
        return
    with page_output():
        for reader, report in reports:
            heading(f"To {reader or 'observers'}: {tokens.redact_text(report.subject)}")
            say("", tokens.redact_text(report.text))
        say("", f"Nothing was saved or sent. To run the turn: gm turn process {game}")


# ``gm map``: write a game's map to a file or to standard output.


map_app = alone()


@map_app.command(
    "map",
    epilog=example(
        "gm map beaver --out beaver.png",
        "gm map beaver --out beaver.svg",
        "gm map beaver > beaver.svg",
        then="SVG is sharp at any size; reports contain a PNG.",
    ),
)
def draw(
    ctx: typer.Context,
    game: GameName,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where to draw it: FILE.svg or FILE.png (default: SVG to a pipe)."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Draw the map of a game: the position now and the last moves."""
    check_name(out, "--out")
    if out is None and not as_json and sys.stdout.isatty():
        instead = f"Name a file: gm map {game} --out {game}.png"
        raise Refusal(f"Can't draw the map of {game} here", "SVG is of no use on a terminal", instead)
    with open_service(ctx) as service:
        position = game_admin.position_of(service, game)
        drawn = game_admin.drawing(service, game)
    if out is not None:
        write_image(out, drawn)
    if as_json:
        turn = position.game.rules.turn(position.state).short
        document(
            {"game": game, "turn": turn, "file": str(out) if out else None, "svg": None if out else drawn}
        )
    elif out is None:
        typer.echo(drawn)
    else:
        say(f"Drew the map of {game} in {out}.")


# ``gm turn``: show the turn that is due, change its time, run it.


turn_app = noun(
    "Preview, extend, hold or process the turn that is due.",
    "gm turn preview beaver",
    'gm turn extend beaver 24h --why "the Iroquois have moved house"',
    "gm turn process beaver",
)
turn_app.add_typer(preview_app)
turn_app.add_typer(game_changes.hours_app)


@turn_app.command(
    epilog=example(
        "gm turn process beaver",
        "gm turn process beaver --yes",
        then='"gm serve" or "gm run send" sends the reports.',
    )
)
def process(
    ctx: typer.Context,
    game: GameName,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Don't ask, even if orders are missing.")] = False,
    as_json: Json = False,
) -> None:
    """Process a game's turn at once, without waiting for its deadline.

    Units of players whose orders are missing follow the rules of civil disorder. On a terminal you are asked
    first if orders are missing.
    """
    ask = typer.confirm if sys.stdin.isatty() else None
    views.process(config_of(ctx), game, yes=yes, as_json=as_json, ask=ask)
