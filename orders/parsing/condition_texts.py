"""Conditions as players write them, read by a game's forms and names."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from games.protocol import Condition, Form
from orders.allowance import Allowance
from orders.conditions import Atom, Not, Tree, parse
from orders.parsing import forms as form_machine
from orders.parsing.column import KEYWORD
from orders.parsing.denials import affirmed
from orders.parsing.forms import Grammar, Match
from orders.parsing.grading import grade_of
from orders.parsing.lexicon import Names
from orders.verdict import IN_FORCE
from orders.words import Word, tidy, words

NEXT = re.compile(r"\b(else\W+if|elseif|elsif|if|else|end ?if)\b", re.IGNORECASE)
"""Those that end an order; a THEN may be one of its words."""

LONGEST = 80
"""A condition of more words is none."""

_MOST_SIGNS, _LONGEST_ORDER = 12, 40
"""So many commas and colons may end a condition; an order behind it without any has no more words."""

_SPLIT = re.compile(r"[,:;]\s+")


class Nearly(NamedTuple):
    """A condition with slips in it: as it was taken, what follows it, what to tell, whether it is sure."""

    tree: Tree
    rest: str
    told: str
    is_sure: bool


class Conditions:
    """Reads conditions. phrase: an atom's canonical text; is_order: whether a text is spelt like an order."""

    def __init__(
        self,
        forms: tuple[Form, ...],
        names: Names,
        phrase: Callable[[Condition], str],
        is_order: Callable[[str], bool],
        allowance: Allowance | None = None,
    ) -> None:
        self._grammar: Grammar = form_machine.compiled(forms)
        self._names, self._phrase, self._is_order = names, phrase, is_order
        self._allowance = allowance or Allowance()
        self._begun: dict[str, tuple[Tree, str] | None] = {}
        self.example = f"IF {forms[0].example} THEN" if forms else None

    def read(self, text: str, *, closes: bool = True) -> Tree | None:
        """The condition that the whole text is, or None. closes: whether its brackets have to be closed."""
        line = words(text)
        self._allowance.spend(len(line))
        return parse(line, self._asked, closes=closes) if 0 < len(line) <= LONGEST else None

    def nearly(self, text: str) -> Nearly | None:
        """The condition that a text up to THEN, or up to a comma or colon, nearly is; None: it is none.

        It is for what is an IF beyond doubt: talk would be mended into conditions.
        """
        end = KEYWORD.search(text)
        said, rest = (text[: end.start()], text[end.start() :]) if end else (text, "")
        marks = islice(_SPLIT.finditer(said), _MOST_SIGNS)
        for head, tail in ((said, rest), *((said[: m.start()], said[m.end() :] + rest) for m in marks)):
            plain = tidy(head)
            line = words(plain)
            repairs: dict[str, bool] = {}
            tree = parse(line, partial(self._mended, plain, repairs)) if 0 < len(line) <= LONGEST else None
            if tree is not None and repairs:
                return Nearly(tree, tail, "; ".join(repairs), all(repairs.values()))
        return None

    def first(self, text: str) -> tuple[Tree, str] | None:
        """The condition that a text begins with, and what follows it; None: it begins with none.

        It ends at the next word of KEYWORD; where no THEN comes, at a comma, a colon or before a whole order.
        """
        if text not in self._begun:
            self._begun[text] = self._first(text)
        return self._begun[text]

    def _first(self, text: str) -> tuple[Tree, str] | None:
        keyword = KEYWORD.search(text)
        said, rest = (text[: keyword.start()], text[keyword.start() :]) if keyword else (text, "")
        tree = self.read(said, closes=False)
        if tree is not None:
            return tree, rest
        end = NEXT.search(text)
        said, rest = (text[: end.start()], text[end.start() :]) if end else (text, "")
        return self._marked(said, rest) or self._unmarked(said, rest)

    def _marked(self, said: str, rest: str) -> tuple[Tree, str] | None:
        """A condition up to a comma or a colon. Where a THEN comes later, what follows must be an order."""
        last = max((one.start() for one in KEYWORD.finditer(said)), default=-1)
        for mark in islice(_SPLIT.finditer(said), _MOST_SIGNS):
            after = said[mark.end() :]
            if mark.end() > last or self._is_order(after.strip()):
                tree = self.read(said[: mark.start()])
                if tree is not None:
                    return tree, after + rest
        return None

    def _unmarked(self, said: str, rest: str) -> tuple[Tree, str] | None:
        """A condition with a whole order behind it, and no sign between them."""
        line = words(said)
        for word in reversed(line[max(1, len(line) - _LONGEST_ORDER) : LONGEST]):
            if self._is_order(said[word.start :].strip()):
                tree = self.read(said[: word.start])
                if tree is not None:
                    return tree, said[word.start :] + rest
        return None

    def _asked(self, line: Sequence[Word]) -> Tree | None:
        """What some words ask: an atom, or one that is denied within them."""
        atom = self._atom(line)
        if atom is not None:
            return atom
        denied = (self._atom(one) for one in affirmed(line))
        return next((Not(of=one) for one in denied if one is not None), None)

    def _atom(self, line: Sequence[Word]) -> Atom | None:
        self._allowance.spend(len(line))
        return self._only(self._grammar.match(line, self._names))

    def _mended(self, text: str, repairs: dict[str, bool], line: Sequence[Word]) -> Tree | None:
        """What some words ask or nearly ask. repairs: what to tell of it, and whether it is sure."""
        exact = self._asked(line)
        if exact is not None:
            return exact
        said = text[line[0].start : line[-1].end]
        found = self._grammar.mend(words(said), said, self._names, self._allowance)
        atom = self._only(found)
        if atom is not None:
            grade, told = grade_of(found[0], said, self._names)
            repairs[told or said] = grade in IN_FORCE
        return atom

    def _only(self, found: Sequence[Match]) -> Atom | None:
        """What is asked, where all meanings ask the same."""
        meanings = [Condition(form=one.form.name, slots=dict(one.slots)) for one in found]
        if not meanings or any(one != meanings[0] for one in meanings):
            return None
        return Atom(asks=meanings[0], text=self._phrase(meanings[0]))
