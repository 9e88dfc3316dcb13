"""Dice: sealed before the first order, fair, each roll by its label, and all recorded."""

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.turns.log import RecordingDice
from games.dice import LabelledDice, SealedDice, commitment
from tests.kit.dice import Scripted

SECRET = b"thirty-two bytes that stay secret"
DICE = SealedDice(SECRET, "demo", 7)
labels = st.text(min_size=1, max_size=12)


def test_a_number_can_be_computed_by_anybody_who_knows_the_secret() -> None:
    """HMAC-SHA256 over game, entry, label, place and attempt; the first 64 bits of it."""
    digest = hmac.digest(SECRET, b"demo|7|storm/b|0|0", hashlib.sha256)
    assert DICE.roll("storm/b", 6) == int.from_bytes(digest[:8], "big") % 6 + 1


@given(label=labels, sides=st.integers(1, 10_000))
def test_a_die_shows_one_of_its_sides(label: str, sides: int) -> None:
    assert 1 <= DICE.roll(label, sides) <= sides


@given(label=labels, items=st.lists(st.integers(), unique=True, max_size=60))
def test_a_shuffle_is_a_permutation(label: str, items: list[int]) -> None:
    assert sorted(DICE.shuffle(label, items)) == sorted(items)


@given(label=labels, sides=st.integers(2, 50), count=st.integers(2, 50))
def test_a_draw_is_of_different_numbers(label: str, sides: int, count: int) -> None:
    if count <= sides:
        numbers = DICE.draw(label, sides, count)
        assert len(set(numbers)) == count
        assert set(numbers) <= set(range(1, sides + 1))
    else:
        with pytest.raises(ValueError, match=f"cannot draw {count} of {sides}"):
            DICE.draw(label, sides, count)


def test_dice_are_fair() -> None:
    """Chi-square over 6,000 labels, below its 99.9 % point for five degrees of freedom; a shuffle too."""
    rolls = Counter(DICE.roll(f"label {n}", 6) for n in range(6000))
    assert sum((rolls[side] - 1000) ** 2 / 1000 for side in range(1, 7)) < 20.5
    orders = Counter(DICE.shuffle(f"deal {n}", "abc") for n in range(6000))
    assert len(orders) == 6
    assert sum((count - 1000) ** 2 / 1000 for count in orders.values()) < 20.5


def test_a_throw_does_not_move_another() -> None:
    """Whatever else is rolled, in any order."""
    one = RecordingDice(DICE)
    first = one.roll("a", 1000)
    other = RecordingDice(DICE)
    other.roll("before", 6)
    other.shuffle("b", range(9))
    assert other.roll("a", 1000) == first


def test_secret_game_entry_and_label_all_matter() -> None:
    seen = {
        SealedDice(secret, game, entry).draw(label, 1 << 40)
        for secret in (SECRET, b"another")
        for game in ("demo", "beaver")
        for entry in (7, 8)
        for label in ("a", "b")
    }
    assert len(seen) == 16


def test_the_secret_is_published_as_its_hash() -> None:
    assert commitment(SECRET) == hashlib.sha256(SECRET).hexdigest()


def test_every_throw_is_written_down() -> None:
    dice = RecordingDice(Scripted({"a": 3, "b": (2, 1), "c": 1}))
    assert dice.roll("a", 6) == 3
    assert dice.shuffle("b", "xy") == ("y", "x")
    assert dice.pick("c", "x") == "x"
    assert [(t.label, t.sides, t.numbers, t.forced) for t in dice.throws] == [
        ("a", 6, (3,), False),
        ("b", 2, (2, 1), False),
        ("c", 1, (1,), False),
    ]


def test_no_label_is_thrown_twice() -> None:
    dice = RecordingDice(DICE)
    dice.roll("a", 6)
    with pytest.raises(AssertionError, match="the die a was rolled already"):
        dice.roll("a", 6)


def test_a_forced_number_replaces_the_throw_and_is_marked() -> None:
    dice = RecordingDice(Scripted({"b": 2}), {"a": (6,)})
    assert (dice.roll("a", 6), dice.roll("b", 6)) == (6, 2)
    assert [throw.forced for throw in dice.throws] == [True, False]


@pytest.mark.parametrize("numbers", [(7,), (0,), (1, 2), (3, 3), ()])
def test_a_forced_number_that_no_such_throw_can_show_is_passed_over(numbers: tuple[int, ...]) -> None:
    dice = RecordingDice(Scripted({"a": 2}), {"a": numbers})
    assert dice.roll("a", 6) == 2
    assert [throw.forced for throw in dice.throws] == [False]


def test_a_bot_cannot_throw_another_label_than_its_own() -> None:
    """So it can't see the coming rolls of the rules."""
    record = RecordingDice(DICE)
    bot = LabelledDice(record, "bot/Dakota/")
    assert bot.roll("storm/b", 6) == DICE.roll("bot/Dakota/storm/b", 6)
    assert record.roll("storm/b", 6) == DICE.roll("storm/b", 6)
