"""Conditions as values: whether they are true, their canonical texts, what replaces what."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.protocol import Condition
from games.record import canonical, load
from orders.conditions import (
    MAX_CONDITION_DEPTH,
    NOW,
    Atom,
    Branch,
    Joined,
    Not,
    Tree,
    When,
    covers,
    is_true,
    parse,
    text_of,
)
from orders.words import Word, words

LETTERS = "pqrst"


def atom(letter: str) -> Atom:
    return Atom(asks=Condition(form="is", slots={"letter": letter}), text=letter.upper())


def ask(line: Sequence[Word]) -> Atom | None:
    """Parse a condition of one letter, optionally in brackets with an x: ``p (x)``."""
    keys = [word.key for word in line]
    return atom(keys[0]) if keys[0] in LETTERS and keys[1:] in ([], ["(", "x", ")"]) else None


def read(text: str) -> Tree | None:
    return parse(words(text), ask)


def truth(tree: Tree, true: str) -> bool:
    """Return whether it is true if these letters are true."""
    return is_true(tree, lambda condition: condition.slots["letter"] in true)


TREES = st.recursive(
    st.sampled_from([atom(letter) for letter in LETTERS]),
    lambda inner: (
        st.builds(lambda of: Not(of=of), inner)
        | st.builds(
            lambda every, left, right: Joined(every=every, left=left, right=right),
            st.booleans(),
            inner,
            inner,
        )
    ),
    max_leaves=8,
)


@given(TREES, st.sets(st.sampled_from(LETTERS)))
def test_a_text_means_what_was_written(tree: Tree, true: set[str]) -> None:
    """Read back, it is true where it was; and where Python says so of its words."""
    text = text_of(tree)
    again = read(text)
    assert again is not None
    assert truth(again, "".join(true)) == truth(tree, "".join(true))
    assert text_of(again) == text
    python = re.sub(r"\b[A-Z]\b", lambda letter: str(letter[0].lower() in true), text)
    python = re.sub(r"\b(AND|OR|NOT)\b", lambda word: word[0].lower(), python)
    assert eval(python) == truth(tree, "".join(true))
    assert load(Tree, canonical(tree)) == tree


@pytest.mark.parametrize(
    ("text", "canon"),
    [
        ("p or q and r", "(P OR Q) AND R"),
        ("p and q or r", "(P AND Q) OR R"),
        ("p or q or r", "P OR Q OR R"),
        ("p or (q or r)", "P OR (Q OR R)"),
        ("not p and q", "NOT P AND Q"),
        ("not (p and q)", "NOT (P AND Q)"),
        ("p (x) and q", "P AND Q"),
    ],
)
def test_and_and_or_are_read_from_left_to_right(text: str, canon: str) -> None:
    """As the Judge reads them; the canonical text shows it by brackets."""
    tree = read(text)
    assert tree is not None
    assert text_of(tree) == canon


@pytest.mark.parametrize(
    "text", ["", "p and", "and p", "(p", "p)", "not", "p q", "()", "not " * (MAX_CONDITION_DEPTH + 2) + "p"]
)
def test_what_is_no_condition_is_none(text: str) -> None:
    assert read(text) is None


def test_a_branch_holds_where_those_above_it_do_not() -> None:
    p, q = atom("p"), atom("q")
    chain = (Branch(tried=p), Branch(refused=(p,), tried=q), Branch(refused=(p, q)))
    for true, taken in (("p", 0), ("pq", 0), ("q", 1), ("", 2)):
        holds = [one.holds(lambda condition, true=true: condition.slots["letter"] in true) for one in chain]
        assert holds == [number == taken for number in range(3)]
    assert [one.text for one in chain] == ["IF P", "ELSE IF Q", "ELSE"]


def test_what_hangs_on_less_covers_what_hangs_on_more() -> None:
    p, q = Branch(tried=atom("p"), block=1), Branch(tried=atom("q"), block=2)
    assert covers(NOW, When(path=(p,)))
    assert covers(When(path=(p,)), When(path=(p, q)))
    assert not covers(When(path=(p,)), NOW)
    assert not covers(When(path=(q,)), When(path=(p, q)))
    assert not covers(NOW, When(turn="F1M"))
    assert covers(When(turn="F1M"), When(turn="F1M", path=(p,)))
    assert covers(When(path=(p,)), When(path=(Branch(tried=atom("p"), block=9),)))
