"""What people are told when the time of a turn changes: a subject, and paragraphs by the reader's clock."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, tzinfo

from adjudicator.clock import EASTERNMOST, WESTERNMOST, Millis, day_spoken, moment, spoken
from adjudicator.ledger.hours import Stop
from games.protocol import Seat, Turn

Words = Callable[[Seat | None, tzinfo], tuple[str, ...]]
"""The paragraphs for one reader, by his seat and his time zone."""


def both(at: Millis, zone: tzinfo) -> str:
    """An instant by the reader's clock, and by UTC where that is another one."""
    here, there = moment(at, zone), moment(at, UTC)
    if here.utcoffset() == there.utcoffset():
        return spoken(at, zone)
    day = "" if here.date() == there.date() else f"{there:%A} "
    return f"{spoken(at, zone)} ({day}{there:%H:%M} UTC)"


def span(first: Millis, last: Millis, zone: tzinfo, *, anywhere: bool) -> tuple[str, str]:
    """The days from one instant until another: of the reader's zone; or, anywhere, of no zone at all.

    The hours would tell where somebody lives whose days these are.
    """
    begins, ends = (EASTERNMOST, WESTERNMOST) if anywhere else (zone, zone)
    return day_spoken(first, begins), day_spoken(last, ends)


def put_off(turn: Turn, deadline: Millis, silent: Sequence[Seat]) -> tuple[str, Words]:
    """The deadline is put off, since orders are missing."""

    def words(seat: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        told = (
            f"At the deadline there was not a single order from {listed(silent)}. So it is put off, once: "
            f"{turn.name} waits until {both(deadline, zone)}.",
        )
        if seat in silent:
            return (*told, "Yours are missing. Answer this letter with your orders, one a line.")
        return (*told, "Your orders stay on file, and you may still change them.")

    return f"{turn.name}: the deadline is put off", words


def heeded(turn: Turn, deadline: Millis, gone: Sequence[Seat]) -> tuple[str, Words]:
    """The deadline is put off, since somebody is away."""

    def words(seat: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        return (
            f"{listed(gone)} cannot write for a while, as was announced, so the deadline is put off: "
            f"{turn.name} waits until {both(deadline, zone)}.",
        )

    return f"{turn.name}: the deadline is put off", words


def moved(turn: Turn, deadline: Millis, why: str) -> tuple[str, Words]:
    """The gamesmaster has set the deadline."""

    def words(seat: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        return (f"The deadline of {turn.name} is now {both(deadline, zone)}.", *by_gamesmaster(why))

    return f"{turn.name}: a new deadline", words


def after_outage(turn: Turn, deadline: Millis, since: Millis, until: Millis) -> tuple[str, Words]:
    """The service was down, and everybody gets that time again."""

    def words(seat: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        return (
            f"We were out of order from {both(since, zone)} until {both(until, zone)}. So that nobody loses "
            f"by it, the deadline of {turn.name} is now {both(deadline, zone)}.",
            "What you sent meanwhile has come, and is answered.",
        )

    return f"{turn.name}: the deadline is put off", words


def agreed(changed: Mapping[str, str], why: str) -> tuple[str, Words]:
    """The terms of the game are others. changed: how each is written, by what it means."""

    def words(seat: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        rows = "\n".join(f"  {text}: {meaning}" for meaning, text in changed.items())
        return (
            "The gamesmaster has changed the terms of the game. From now on:",
            rows,
            *by_gamesmaster(why),
            "The deadline of the turn that is due stays where it is.",
        )

    return "New terms", words


def waiting(turn: Turn, silent: Sequence[Seat]) -> tuple[str, Words]:
    """Orders are missing, and the gamesmaster is asked."""

    def words(seat: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        told = (
            f"At the deadline there was not a single order from {listed(silent)}. {turn.name} waits now "
            "until the gamesmaster says what becomes of it.",
        )
        if seat in silent:
            return (*told, "You can still send yours: answer this letter, one order a line.")
        return (*told, "Your orders stay on file.")

    return f"{turn.name} waits for the gamesmaster", words


def stopped(turn: Turn, stop: Stop) -> tuple[str, Words]:
    """The game is paused, or its turn is held."""
    what = "The game is paused" if stop.kind == "pause" else f"{turn.name} is held"

    def words(seat: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        return (
            f"{what}: no turn is played and no deadline runs until the gamesmaster lets it go on.",
            *by_gamesmaster(stop.why),
            "What you have on file stays there, and orders that you send meanwhile are taken.",
        )

    return what, words


def standing(stop: Stop) -> str:
    """Why there is no deadline now, in one sentence."""
    if stop.kind == "nmr":
        return f"The turn waits for the gamesmaster: {stop.why}."
    what = "The game is paused" if stop.kind == "pause" else "The turn is held"
    return f"{what}, and no deadline runs{f': {stop.why}' if stop.why else ''}."


def resumed(turn: Turn, deadline: Millis, why: str) -> tuple[str, Words]:
    """The game goes on."""

    def words(seat: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        return (f"The deadline of {turn.name} is {both(deadline, zone)}.", *by_gamesmaster(why))

    return f"{turn.name}: the game goes on", words


def left(seat: Seat, turns: int) -> tuple[str, Words]:
    """A seat goes to its bot, since it was silent too often."""

    def words(reader: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        if reader == seat:
            return (
                f"There were no orders from you in {turns} turns in a row, so your seat goes to its bot. You "
                "may ask the gamesmaster to have it back.",
            )
        return (
            f"{seat} has sent no orders in {turns} turns in a row, and is played by its bot from now on.",
        )

    return f"{seat} is played by its bot from now on", words


def lent(seat: Seat, until: Millis, *, anywhere: bool) -> tuple[str, Words]:
    """A substitute plays a seat. anywhere: until its day is over everywhere."""

    def words(reader: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        _, last = span(until, until, zone, anywhere=anywhere)
        return (f"{seat} is away, as was announced, and is played by a substitute until {last}.",)

    return f"{seat} is played by a substitute", words


def given_back(seat: Seat) -> tuple[str, Words]:
    """The player of a seat is back."""

    def words(reader: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        if reader == seat:
            return (
                f"You play {seat} yourself again: answer this letter with your orders. What your substitute "
                "has on file stays until you order something else.",
            )
        return (f"The player of {seat} is back.",)

    return f"{seat} is back", words


def by_gamesmaster(why: str) -> tuple[str, ...]:
    """What the gamesmaster says of it, if anything."""
    return (f"The gamesmaster says: {why}",) if why else ()


def listed(seats: Sequence[Seat]) -> str:
    """Names in a row: "Iroquois", "Iroquois and Dakota", "Iroquois, Dakota and Choctaw"."""
    *most, last = seats
    return f"{', '.join(most)} and {last}" if most else str(last)
