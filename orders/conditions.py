"""The conditions of an order: a later turn (PHASE) or facts about the position (IF), and their reader.

As in the Judge, NOT applies to one condition, AND and OR have the same rank and are read from left to right,
and brackets change that. Canonical texts have brackets wherever AND meets OR.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, assert_never

from games.protocol import Condition
from games.record import Record

if TYPE_CHECKING:
    from orders.words import Word

# A tree is a value. The code that processes the turn asks the game once whether its atoms are true.
# Other text isn't a condition. `condition_texts` corrects slips in names, and the reply says so.

_AND_KEY, _OR_KEY, _NOT_KEY, _OPENING_BRACKET, _CLOSING_BRACKET = "and", "or", "not", "(", ")"
MAX_CONDITION_DEPTH = 20
"""No player nests more brackets and NOTs than this."""

Holds = Callable[[Condition], bool]


class Atom(Record, frozen=True, kw_only=True, tag=True):
    """One question about the position, and its canonical text."""

    asks: Condition
    text: str


class Not(Record, frozen=True, kw_only=True, tag=True):
    """True if the other is false."""

    of: Tree


class Joined(Record, frozen=True, kw_only=True, tag=True):
    """Two conditions. If `every`, both must be true, otherwise at least one."""

    every: bool
    left: Tree
    right: Tree


Tree = Atom | Not | Joined


def is_true(tree: Tree, holds: Holds) -> bool:
    """Return whether a condition is true. holds: returns whether the game says that an atom is true."""
    if isinstance(tree, Atom):
        return holds(tree.asks)
    if isinstance(tree, Not):
        return not is_true(tree.of, holds)
    if isinstance(tree, Joined):
        if tree.every:
            return is_true(tree.left, holds) and is_true(tree.right, holds)
        return is_true(tree.left, holds) or is_true(tree.right, holds)
    assert_never(tree)


def count_questions(tree: Tree) -> int:
    """Return the number of questions in a condition."""
    if isinstance(tree, Atom):
        return 1
    if isinstance(tree, Not):
        return count_questions(tree.of)
    if isinstance(tree, Joined):
        return count_questions(tree.left) + count_questions(tree.right)
    assert_never(tree)


def text_of(tree: Tree) -> str:
    """Return the canonical text: ``NOT A VEN``, ``(A VEN OR A ROM) AND A TYR``."""
    if isinstance(tree, Atom):
        return tree.text
    if isinstance(tree, Not):
        return f"NOT {_bracket_joined(tree.of)}"
    if isinstance(tree, Joined):
        word = "AND" if tree.every else "OR"
        return f"{_side(tree.left, tree.every)} {word} {_bracket_joined(tree.right)}"
    assert_never(tree)


def _side(tree: Tree, every: bool) -> str:
    """The left side needs no brackets if the same word goes on."""
    return text_of(tree) if isinstance(tree, Joined) and tree.every == every else _bracket_joined(tree)


def _bracket_joined(tree: Tree) -> str:
    return f"({text_of(tree)})" if isinstance(tree, Joined) else text_of(tree)


class Branch(Record, frozen=True, kw_only=True):
    """One way through an IF. refused: the conditions above it, which must all be false; tried: its own.

    tried None: ELSE. block: the number of its IF in the email, which its branches share.
    """

    refused: tuple[Tree, ...] = ()
    tried: Tree | None = None
    block: int = 0

    @property
    def text(self) -> str:
        """The branch as it is written below the others: ``IF A VEN``, ``ELSE IF A ROM``, ``ELSE``."""
        if self.tried is None:
            return "ELSE"
        return f"{'ELSE ' if self.refused else ''}IF {text_of(self.tried)}"

    @property
    def whole(self) -> Tree | None:
        """The whole condition of this branch; None for none."""
        parts = [_negate(tree) for tree in self.refused]
        parts += [self.tried] if self.tried is not None else []
        condition: Tree | None = None
        for part in parts:
            condition = part if condition is None else Joined(every=True, left=condition, right=part)
        return condition

    def holds(self, holds: Holds) -> bool:
        """Return whether this branch counts."""
        return self.whole is None or is_true(self.whole, holds)


def _negate(tree: Tree) -> Tree:
    return tree.of if isinstance(tree, Not) else Not(of=tree)


Scope = tuple[str | None, tuple[tuple[tuple[Tree, ...], Tree | None], ...]]


class When(Record, frozen=True, kw_only=True):
    """The condition of an order: a turn's short name (None: the present one), and IFs, outermost first."""

    turn: str | None = None
    path: tuple[Branch, ...] = ()

    @property
    def text(self) -> str:
        """The canonical text, as in an email: ``PHASE F1901M``, ``IF NOT A VEN``, ``ELSE``."""
        phase = [f"PHASE {self.turn}"] if self.turn else []
        return " ".join([*phase, *(branch.text for branch in self.path)])

    @property
    def scope(self) -> Scope:
        """The things that the order depends on. The later of two orders with one scope replaces the other."""
        return self.turn, tuple((branch.refused, branch.tried) for branch in self.path)

    def holds(self, holds: Holds) -> bool:
        """Return whether every IF is true. The turn isn't checked."""
        return all(branch.holds(holds) for branch in self.path)

    def around(self, order: str) -> str:
        """Return an order's text under this condition on one line: ``IF NOT A VEN THEN A TYR - VEN ENDIF``.

        ELSE has no line above it there, so its condition is spelt out.
        """
        for branch in reversed(self.path):
            if branch.whole is not None:
                order = f"IF {text_of(branch.whole)} THEN {order} ENDIF"
        return f"PHASE {self.turn}: {order}" if self.turn else order


NOW = When()
"""No condition: the order is for the present turn in any position."""


def covers(later: When, earlier: When) -> bool:
    """Return whether an order under `later` counts whenever one under `earlier` would, and replaces it."""
    turn, path = later.scope
    return turn == earlier.scope[0] and path == earlier.scope[1][: len(path)]


class _Read(NamedTuple):
    tree: Tree
    end: int


def parse(
    line: Sequence[Word], atom: Callable[[Sequence[Word]], Tree | None], *, closes: bool = True
) -> Tree | None:
    """Return the condition of a whole line, or None. atom: returns the question that some of its words ask.

    closes: whether each bracket has to be closed. At the end of a line the Judge closes them all.
    """
    result = _Parser(line, atom, closes).parse_joined(0, 0)
    return result.tree if result is not None and result.end == len(line) else None


class _Parser:
    """Reads a condition by descent. Every method returns the part that was read from a place on, or None."""

    def __init__(
        self, line: Sequence[Word], atom: Callable[[Sequence[Word]], Tree | None], closes: bool
    ) -> None:
        self._line, self._ask, self._closes = line, atom, closes
        self._keys = [word.key for word in line]

    def parse_joined(self, at: int, depth: int) -> _Read | None:
        result = self._operand(at, depth)
        while result is not None and self._key(result.end) in (_AND_KEY, _OR_KEY):
            right = self._operand(result.end + 1, depth)
            if right is None:
                return None
            every = self._key(result.end) == _AND_KEY
            result = _Read(Joined(every=every, left=result.tree, right=right.tree), right.end)
        return result

    def _operand(self, at: int, depth: int) -> _Read | None:
        if depth > MAX_CONDITION_DEPTH:
            return None
        if self._key(at) == _NOT_KEY:
            inner = self._operand(at + 1, depth + 1)
            if inner is not None:
                return _Read(Not(of=inner.tree), inner.end)
        if self._key(at) == _OPENING_BRACKET:
            inner = self.parse_joined(at + 1, depth + 1)
            if inner is not None and self._key(inner.end) == _CLOSING_BRACKET:
                return _Read(inner.tree, inner.end + 1)
            ended = inner is not None and inner.end == len(self._line)
            return inner if ended and not self._closes else None
        return self._atom(at)

    def _atom(self, at: int) -> _Read | None:
        """Read the fewest words that are a question. A name may contain "and" or brackets."""
        for end in range(at + 1, len(self._line) + 1):
            if self._key(end) in (_AND_KEY, _OR_KEY, _CLOSING_BRACKET, None):
                question = self._ask(self._line[at:end])
                if question is not None:
                    return _Read(question, end)
        return None

    def _key(self, at: int) -> str | None:
        return self._keys[at] if at < len(self._keys) else None
