"""What people are told when a turn's time changes: a subject, and paragraphs by their clock."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, tzinfo

from adjudicator.catalogue import sentence
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
        at = both(deadline, zone)
        told = sentence("reports.times.put_off", silent=listed(silent), turn=turn.name, deadline=at)
        if seat in silent:
            return told, sentence("reports.times.yours_missing")
        return told, sentence("reports.times.yours_on_file")

    return sentence("reports.times.put_off_subject", turn=turn.name), words


def heeded(turn: Turn, deadline: Millis, gone: Sequence[Seat]) -> tuple[str, Words]:
    """The deadline is put off, since somebody is away."""

    def words(seat: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        at = both(deadline, zone)
        return (sentence("reports.times.heeded", gone=listed(gone), turn=turn.name, deadline=at),)

    return sentence("reports.times.put_off_subject", turn=turn.name), words


def moved(turn: Turn, deadline: Millis, why: str) -> tuple[str, Words]:
    """The gamesmaster has set the deadline."""

    def words(seat: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        told = sentence("reports.times.moved", turn=turn.name, deadline=both(deadline, zone))
        return (told, *by_gamesmaster(why))

    return sentence("reports.times.moved_subject", turn=turn.name), words


def after_outage(
    turn: Turn, deadline: Millis, since: Millis, until: Millis, *, of_game: bool = False
) -> tuple[str, Words]:
    """The service was down, or the game alone was held, and everybody gets that time again."""

    def words(seat: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        told = sentence(
            "reports.times.out_of_order",
            since=both(since, zone),
            until=both(until, zone),
            turn=turn.name,
            deadline=both(deadline, zone),
            of_game=of_game,
        )
        return told, sentence("reports.times.came_meanwhile")

    return sentence("reports.times.put_off_subject", turn=turn.name), words


def agreed(changed: Mapping[str, str], why: str) -> tuple[str, Words]:
    """The terms of the game are others. changed: how each is written, by what it means."""

    def words(seat: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        rows = "\n".join(f"  {text}: {meaning}" for meaning, text in changed.items())
        return (
            sentence("reports.times.new_terms"),
            rows,
            *by_gamesmaster(why),
            sentence("reports.times.new_terms_later"),
        )

    return sentence("reports.times.new_terms_subject"), words


def waiting(turn: Turn, silent: Sequence[Seat]) -> tuple[str, Words]:
    """Orders are missing, and the gamesmaster is asked."""

    def words(seat: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        told = sentence("reports.times.waiting", silent=listed(silent), turn=turn.name)
        if seat in silent:
            return told, sentence("reports.times.waiting_for_yours")
        return told, sentence("reports.times.waiting_with_yours")

    return sentence("reports.times.waiting_subject", turn=turn.name), words


def stopped(turn: Turn, stop: Stop) -> tuple[str, Words]:
    """The game is paused, or its turn is held."""
    paused = stop.kind == "pause"

    def words(seat: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        return (
            sentence("reports.times.stopped", paused=paused, turn=turn.name),
            *by_gamesmaster(stop.why),
            sentence("reports.times.stopped_meanwhile"),
        )

    return sentence("reports.times.stopped_subject", paused=paused, turn=turn.name), words


def standing(stop: Stop) -> str:
    """Why there is no deadline now, in one sentence."""
    if stop.kind == "nmr":
        return sentence("reports.times.standing_nmr", why=stop.why)
    return sentence("reports.times.standing", paused=stop.kind == "pause", why=stop.why)


def why_restored(made: Millis) -> str:
    """Why a restore has stopped a game. made: when the backup was made."""
    return sentence("reports.times.why_restored", made=spoken(made))


def restored(turn: Turn, why: str) -> tuple[str, Words]:
    """The game stands where it stood in a backup, and is paused. why: as `why_restored` says it."""

    def words(seat: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        return (
            sentence("reports.times.restored", why=why, turn=turn.name),
            sentence("reports.times.restored_emails"),
        )

    return sentence("reports.times.restored_subject"), words


def resumed(turn: Turn, deadline: Millis | None, why: str) -> tuple[str, Words]:
    """The game goes on. deadline None: it has no clock."""

    def words(seat: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        if deadline is None:
            told = sentence("reports.times.waits_for_you", turn=turn.name)
        else:
            told = sentence("reports.times.resumed", turn=turn.name, deadline=both(deadline, zone))
        return (told, *by_gamesmaster(why))

    return sentence("reports.times.resumed_subject", turn=turn.name), words


def unwound(turn: Turn) -> tuple[str, Words]:
    """One person plays alone from now on, without a clock."""

    def words(seat: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        told = sentence("reports.times.unwound")
        return told, sentence("reports.times.waits_for_you", turn=turn.name)

    return sentence("reports.times.unwound_subject"), words


def wound_up(turn: Turn, deadline: Millis) -> tuple[str, Words]:
    """There is a clock again."""

    def words(seat: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        at = both(deadline, zone)
        return (sentence("reports.times.wound_up", turn=turn.name, deadline=at),)

    return sentence("reports.times.moved_subject", turn=turn.name), words


def left(seat: Seat, turns: int) -> tuple[str, Words]:
    """A seat goes to its bot, since it was silent too often."""

    def words(reader: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        if reader == seat:
            return (sentence("reports.times.left_you", turns=turns),)
        return (sentence("reports.times.left", seat=seat, turns=turns),)

    return sentence("reports.times.left_subject", seat=seat), words


def lent(seat: Seat, until: Millis, *, anywhere: bool) -> tuple[str, Words]:
    """A substitute plays a seat. anywhere: until its day is over everywhere."""

    def words(reader: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        _, last = span(until, until, zone, anywhere=anywhere)
        return (sentence("reports.times.lent", seat=seat, last=last),)

    return sentence("reports.times.lent_subject", seat=seat), words


def given_back(seat: Seat) -> tuple[str, Words]:
    """The player of a seat is back."""

    def words(reader: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        if reader == seat:
            return (sentence("reports.times.given_back_you", seat=seat),)
        return (sentence("reports.times.given_back", seat=seat),)

    return sentence("reports.times.given_back_subject", seat=seat), words


def by_gamesmaster(why: str) -> tuple[str, ...]:
    """What the gamesmaster says of it, if anything."""
    return (sentence("reports.times.gamesmaster_says", why=why),) if why else ()


def listed(seats: Sequence[str]) -> str:
    """Names in a row: "Iroquois", "Iroquois and Dakota", "Iroquois, Dakota and Choctaw"; none: nothing."""
    return sentence("reports.times.listed", names=seats)
