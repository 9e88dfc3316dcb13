"""``gm dice``: what was thrown, what is set, and the proof that nobody cheated."""

from typing import Annotated, Any

import typer

from adjudicator.admin import document as exports
from adjudicator.admin import game_admin, overrides, transfer
from adjudicator.cli.arguments import GameName, Json, example, noun
from adjudicator.cli.backup import contents
from adjudicator.cli.confirm import Silent, Why, warrant
from adjudicator.cli.connect import house_of
from adjudicator.cli.log_view import entry_view
from adjudicator.cli.output import document, heading, page_output, pluralise, say, table
from adjudicator.errors import Refusal
from games import dice, record

app = noun(
    "See a game's dice, set one, prove them all.",
    "gm dice show beaver",
    "gm dice verify beaver.json",
)


@app.command(
    epilog=example(
        "gm dice show beaver", then="gm turn preview GAME --json  lists those that the next turn would throw."
    )
)
def show(ctx: typer.Context, game: GameName, as_json: Json = False) -> None:
    """Show all dice of a game: by what they are sealed, what was thrown, and what is set.

    The secret is shown once the game is over.
    """
    with house_of(ctx) as house:
        position = game_admin.position_of(house, game)
        entries = overrides.entries_of(house, game)
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
        say(f"Sealed by SHA-256 {sealed}")
        if over:
            say(f"The secret was    {position.secret.hex()}")
        if position.forced:
            heading("Set, and not thrown yet")
            table(
                ("throw", "numbers"),
                [(label, _read(numbers_set)) for label, numbers_set in position.forced.items()],
            )
        heading("Thrown" if throws else "Nothing was thrown yet.")
        if throws:
            table(("entry", "turn", "throw", "die", "numbers", "set"), [_row(throw) for throw in throws])


@app.command(
    "set-next",
    epilog=example(
        'gm dice set-next beaver storm/b/U1 6 --why "thrown at the table"',
        then="gm game undo GAME  takes it back; gm turn preview GAME --json  lists the throws to come.",
    ),
)
def set_next(
    ctx: typer.Context,
    game: GameName,
    label: Annotated[
        str, typer.Argument(metavar="THROW", help="Its label: gm dice show lists earlier ones.")
    ],
    numbers: Annotated[
        str, typer.Argument(metavar="NUMBERS", help="What it shows; of a draw all numbers: 3,1,2")
    ],
    why: Why = None,
    silent: Silent = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Even if the next turn would not throw it as things stand.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Set what a throw shows the next time it is made. The log, the report and every proof will say so."""
    asked = warrant(why, silent)
    try:
        shown = tuple(int(number) for number in numbers.split(","))
    except ValueError as fault:
        raise typer.BadParameter(f"{numbers}: write a number, or several like 3,1,2") from fault
    with house_of(ctx) as house:
        done = overrides.force(house, game, label, shown, asked, blindly=yes)
    if as_json:
        document(entry_view(done.entry))
        return
    say(f"The next throw {label} shows {_read(shown)}  (entry {done.entry.number} of the log of {game}).")


@app.command(
    epilog=example(
        "gm dice verify beaver.json",
        "gm dice verify beaver.json --commitment 5e884898da28047151d0e56f8dc62927",
        then="A public export of a game that goes on proves only that its log hangs together.",
    )
)
def verify(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="What gm game export wrote; - is standard input.")
    ],
    published: Annotated[
        str | None,
        typer.Option("--commitment", metavar="SHA256", help="The one that your own letters name."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Prove the dice of an exported game: compute every throw again from the secret. Needs no service.

    Checked are: that the secret is the one that was published, that each entry of the log names the one
    before it, that each throw is what secret, game, entry and label make it, and that whatever was set by
    hand was set by an entry. Temperaments of bots that were drawn are drawn again. The exit code is 1 if
    anything is wrong.
    """
    whole = exports.read(contents(file), file)
    proof = transfer.proof_of(whole, published)
    drawn = {} if proof.fault else transfer.tempers_of(whole)
    if as_json:
        document({"game": whole.game, **record.plain(proof), "temperaments": dict(drawn)})
    elif proof.fault:
        raise Refusal(f"game {whole.game}", proof.fault)
    else:
        say(f"{whole.game}: {pluralise(proof.entries, 'entry', 'entries')}, each naming the one before it.")
        if proof.recorded:
            old = pluralise(proof.recorded, "entry of an older log", "entries of an older log")
            say(
                f"{old}, without something private: what stands there is not proved, only that "
                "the next one names it."
            )
        if proof.sealed:
            hand = f", {proof.forced} of them set by hand and logged" if proof.forced else ""
            say(f"{pluralise(proof.throws, 'throw')}, all as the sealed secret makes them{hand}.")
            if drawn:
                tempers = ", ".join(f"{seat} {temper}" for seat, temper in drawn.items())
                say(f"It has drawn these temperaments: {tempers}.")
        else:
            say("The secret is revealed when the game is over; until then the throws cannot be computed.")
    if proof.fault:
        raise typer.Exit(1)


def _row(throw: dict[str, Any]) -> tuple[object, ...]:
    forced = "by hand" if throw["forced"] else None
    numbers = _read(tuple(throw["numbers"]))
    return (throw["entry"], throw["turn"], throw["label"], f"d{throw['sides']}", numbers, forced)


def _read(numbers: tuple[int, ...]) -> str:
    return ", ".join(str(number) for number in numbers)
