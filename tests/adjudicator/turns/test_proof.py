"""The dice verified from a log alone: one changed byte or one invented roll is noticed."""

from collections.abc import Callable

import pytest

from adjudicator.model.games import DiceRoll, LogEntry
from adjudicator.turns.log import DiceVerification, EntryOrigin, set_up, verify_dice
from adjudicator.turns.runner import play_turns, position_after
from games.dice import commitment
from games.record import replace_fields
from tests.kit.memory_repository import NOON, SECRET, game_of, new_position

Log = list[LogEntry]


@pytest.fixture
def log() -> Log:
    """The log of a game of the toy that bots played to its end."""
    position = new_position("cairn")
    game = game_of(position)
    entries = [set_up(game, "demo", position.options, SECRET, EntryOrigin.first(NOON))[0]]
    while (done := play_turns(game, position, NOON, ripe=True)) is not None:
        entries += [step.entry for step in done.steps]
        position = position_after(position, done)
    return entries


def verify_log_dice(
    log: Log, secret: bytes | None = SECRET, published: str = "", head: str = ""
) -> DiceVerification:
    return verify_dice("demo", published or commitment(SECRET), secret, log, head or log[-1].sha)


def test_an_honest_log_is_proved(log: Log) -> None:
    throws = sum(len(entry.throws) for entry in log)
    assert verify_log_dice(log) == DiceVerification(len(log), throws, 0, sealed=True)


def test_without_the_secret_only_the_chain_is(log: Log) -> None:
    assert verify_log_dice(log, secret=None) == DiceVerification(
        len(log), sum(len(e.throws) for e in log), 0, sealed=False
    )


def test_another_secret_than_the_one_that_was_published(log: Log) -> None:
    assert (
        verify_log_dice(log, secret=b"another").fault
        == "the secret is not the one whose SHA-256 was published"
    )


def rechained(log: Log, place: int, change: Callable[[LogEntry], LogEntry]) -> Log:
    """The log with an entry changed, and the hashes of all after it made to fit."""
    forged = [*log[:place], change(log[place])]
    for entry in log[place + 1 :]:
        forged.append(replace_fields(entry, previous_sha=forged[-1].sha))
    return forged


def test_a_throw_that_was_made_up_is_seen_even_where_all_hashes_fit(log: Log) -> None:
    def lucky(entry: LogEntry) -> LogEntry:
        first = entry.throws[0]
        numbers = (first.numbers[0] % first.sides + 1,)
        return replace_fields(entry, throws=(replace_fields(first, numbers=numbers), *entry.throws[1:]))

    place = next(place for place, entry in enumerate(log) if place and entry.throws)
    fault = verify_log_dice(rechained(log, place, lucky)).fault
    assert fault is not None
    assert fault.startswith(
        f"entry {place} ({log[place].turn}), roll {log[place].throws[0].label}: it shows "
    )


def test_a_throw_that_calls_itself_set_needs_an_entry_that_says_so(log: Log) -> None:
    def claim(entry: LogEntry) -> LogEntry:
        return replace_fields(
            entry, throws=tuple(replace_fields(throw, forced=True) for throw in entry.throws)
        )

    place = next(place for place, entry in enumerate(log) if place and entry.throws)
    fault = verify_log_dice(rechained(log, place, claim)).fault
    assert fault is not None
    assert fault.endswith("it was set, and no entry says by whom")


def test_a_throw_that_no_dice_make(log: Log) -> None:
    def absurd(entry: LogEntry) -> LogEntry:
        return replace_fields(entry, throws=(DiceRoll(label="x", sides=1, numbers=(1, 1)),))

    fault = verify_log_dice(rechained(log, 1, absurd)).fault
    assert fault is not None
    assert fault.endswith("no dice can roll that")


def test_an_entry_that_was_changed_cut_out_or_cut_off(log: Log) -> None:
    changed_one = [*log[:2], replace_fields(log[2], at=log[2].at + 1), *log[3:]]
    assert verify_log_dice(changed_one).fault == "entry 3 does not follow the one before it"
    assert verify_log_dice([*log[:2], *log[3:]]).fault == "entry 3 does not follow the one before it"
    cut = "the last entry is not the one that is named as the last"
    assert verify_log_dice(log[:-1], head=log[-1].sha).fault == cut
