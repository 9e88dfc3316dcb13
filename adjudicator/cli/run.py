"""``gm run``: one of the service's jobs, done once. For cron, or to see what each of them does."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import typer

from adjudicator.cli.arguments import Json, example, noun
from adjudicator.cli.connect import house_of
from adjudicator.cli.output import document, pluralise, say
from adjudicator.daemon import tidying
from adjudicator.errors import Fault
from adjudicator.storage import inbox, outbox
from adjudicator.storage import stored_games as book_of_games

if TYPE_CHECKING:
    from adjudicator.service import Service

app = noun(
    "Do one of the service's jobs once: poll, process or send.",
    "gm run poll",
    "gm run process",
    "gm run send",
)

MOST_LETTERS = 10_000
"""No more letters than that are listed after one run."""


class Alarms(logging.Handler):
    """Counts what the house logged as gone wrong with a letter or a game."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        """One more."""
        self.count += 1


@app.command(epilog=example("gm run poll", then="What it kept is read by  gm run process."))
def poll(ctx: typer.Context, as_json: Json = False) -> None:
    """Keep every letter that has arrived in the mailbox."""
    with house_of(ctx) as house:
        _wake(house)
        count = house.poll()
        waiting = len(inbox.waiting_letters(house.database, MOST_LETTERS))
    if as_json:
        document({"kept": count, "waiting": waiting})
        return
    say(f"{pluralise(count, 'new letter')} kept, {waiting} to be read.")


@app.command(epilog=example("gm run process", then="What it wrote is sent by  gm run send."))
def process(ctx: typer.Context, as_json: Json = False) -> None:
    """Read the letters that were kept, and play the turns that are due.

    A turn is due when all its orders are in, or when its deadline and grace are over and the mailbox was
    polled since.
    """
    alarms = Alarms()
    logging.getLogger("adjudicator").addHandler(alarms)
    try:
        with house_of(ctx) as house:
            _wake(house)
            now = house.clock.now()
            before = _entries(house)
            house.process(now)
            tidying.tidy(house)
            letters = [
                letter for letter in inbox.list_letters(house.database, MOST_LETTERS) if letter.handled == now
            ]
            turns = {name: count - before.get(name, 1) for name, count in _entries(house).items()}
    finally:
        logging.getLogger("adjudicator").removeHandler(alarms)
    played = {name: count for name, count in turns.items() if count}
    if as_json:
        done = [
            {"letter": letter.number, "disposition": letter.disposition, "why": letter.why}
            for letter in letters
        ]
        document({"letters": done, "turns": played, "alarms": alarms.count})
    else:
        say(f"{pluralise(len(letters), 'letter')} handled, {pluralise(sum(played.values()), 'turn')} played.")
        say(
            *(
                f"  letter {letter.number}: {letter.disposition}{_because(letter.why)}"
                for letter in reversed(letters)
            )
        )
        say(*(f"  game {name}: {pluralise(count, 'turn')}" for name, count in played.items()))
    if alarms.count:
        raise typer.Exit(1)


@app.command(epilog=example("gm run send", then="gm mail list --out  shows how each letter fares."))
def send(ctx: typer.Context, as_json: Json = False) -> None:
    """Send the letters that are ready, then the posts to channels."""
    with house_of(ctx) as house:
        sent = house.send()
        posted = house.post_to_channels()
        counts = outbox.counts(house.database)
        stuck = outbox.put_off(house.database, ("ready",))
    if as_json:
        document({"sent": sent, "posted": posted, "outbox": counts, "stuck": stuck.why if stuck else None})
    else:
        say(f"{pluralise(sent, 'letter')} sent, {counts['ready']} ready, {counts['failed']} failed.")
        if posted:
            say(f"{pluralise(posted, 'post')} posted to channels.")
    if stuck and not sent:
        if as_json:
            raise typer.Exit(1)
        raise Fault("outbox", f"{pluralise(stuck.count, 'letter')} could not be sent: {stuck.why}")


def _wake(house: Service) -> None:
    """Where rounds are begun by a timetable, one that is long overdue shows that the machine was down."""
    if house.settings.rounds:
        house.resume_after_downtime()


def _entries(house: Service) -> dict[str, int]:
    return book_of_games.entries(house.database)


def _because(why: str | None) -> str:
    return f" ({why.splitlines()[0]})" if why else ""
