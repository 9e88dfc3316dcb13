"""Conditions as players write them, read by a game's forms and names."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from games.protocol import Condition, Form
from orders.conditions import Atom, Not, Tree, parse
from orders.reading import forms as form_machine
from orders.reading.budget import ReadingBudget
from orders.reading.column import CONDITION_KEYWORD_PATTERN
from orders.reading.denials import affirmative_readings
from orders.reading.forms import FormMatch, Grammar
from orders.reading.grading import grade_of
from orders.reading.lexicon import NameIndex
from orders.verdict import IN_FORCE
from orders.words import Word, tidy, words

ORDER_END_KEYWORD_PATTERN = re.compile(r"\b(else\W+if|elseif|elsif|if|else|end ?if)\b", re.IGNORECASE)
"""Those that end an order; a THEN may be one of its words."""

MAX_CONDITION_WORDS = 80
"""A condition of more words is none."""

_MAX_CONDITION_ENDS, _MAX_UNMARKED_ORDER_WORDS = 12, 40
"""So many commas and colons may end a condition; an order behind it without any has no more words."""

_CONDITION_END_PATTERN = re.compile(r"[,:;]\s+")


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
        names: NameIndex,
        phrase: Callable[[Condition], str],
        is_order: Callable[[str], bool],
        allowance: ReadingBudget | None = None,
    ) -> None:
        self._grammar: Grammar = form_machine.compile_forms(forms)
        self._names, self._phrase, self._is_order = names, phrase, is_order
        self._allowance = allowance or ReadingBudget()
        self._begun: dict[str, tuple[Tree, str] | None] = {}
        self.example = f"IF {forms[0].example} THEN" if forms else None

    def read(self, text: str, *, closes: bool = True) -> Tree | None:
        """The condition that the whole text is, or None. closes: whether its brackets have to be closed."""
        line = words(text)
        self._allowance.spend(len(line))
        return parse(line, self._question, closes=closes) if 0 < len(line) <= MAX_CONDITION_WORDS else None

    def nearly(self, text: str) -> Nearly | None:
        """The condition that a text up to THEN, or up to a comma or colon, nearly is; None: it is none.

        It is for what is an IF beyond doubt: talk would be mended into conditions.
        """
        end = CONDITION_KEYWORD_PATTERN.search(text)
        condition_text, rest = (text[: end.start()], text[end.start() :]) if end else (text, "")
        marks = islice(_CONDITION_END_PATTERN.finditer(condition_text), _MAX_CONDITION_ENDS)
        for head, tail in (
            (condition_text, rest),
            *((condition_text[: m.start()], condition_text[m.end() :] + rest) for m in marks),
        ):
            plain = tidy(head)
            line = words(plain)
            repairs: dict[str, bool] = {}
            tree = (
                parse(line, partial(self._mend_question, plain, repairs))
                if 0 < len(line) <= MAX_CONDITION_WORDS
                else None
            )
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
        keyword = CONDITION_KEYWORD_PATTERN.search(text)
        condition_text, rest = (text[: keyword.start()], text[keyword.start() :]) if keyword else (text, "")
        tree = self.read(condition_text, closes=False)
        if tree is not None:
            return tree, rest
        end = ORDER_END_KEYWORD_PATTERN.search(text)
        condition_text, rest = (text[: end.start()], text[end.start() :]) if end else (text, "")
        return self._first_before_sign(condition_text, rest) or self._first_before_order(condition_text, rest)

    def _first_before_sign(self, condition_text: str, rest: str) -> tuple[Tree, str] | None:
        """Return a condition up to a comma or colon. Where a THEN comes later, an order must follow."""
        last = max(
            (keyword.start() for keyword in CONDITION_KEYWORD_PATTERN.finditer(condition_text)), default=-1
        )
        for mark in islice(_CONDITION_END_PATTERN.finditer(condition_text), _MAX_CONDITION_ENDS):
            after = condition_text[mark.end() :]
            if mark.end() > last or self._is_order(after.strip()):
                tree = self.read(condition_text[: mark.start()])
                if tree is not None:
                    return tree, after + rest
        return None

    def _first_before_order(self, condition_text: str, rest: str) -> tuple[Tree, str] | None:
        """Return a condition with a whole order behind it, and no sign between them."""
        line = words(condition_text)
        for word in reversed(line[max(1, len(line) - _MAX_UNMARKED_ORDER_WORDS) : MAX_CONDITION_WORDS]):
            if self._is_order(condition_text[word.start :].strip()):
                tree = self.read(condition_text[: word.start])
                if tree is not None:
                    return tree, condition_text[word.start :] + rest
        return None

    def _question(self, line: Sequence[Word]) -> Tree | None:
        """Return what some words ask: an atom, or one that is denied within them."""
        atom = self._atom(line)
        if atom is not None:
            return atom
        denied = (self._atom(affirmative) for affirmative in affirmative_readings(line))
        return next((Not(of=affirmative) for affirmative in denied if affirmative is not None), None)

    def _atom(self, line: Sequence[Word]) -> Atom | None:
        self._allowance.spend(len(line))
        return self._shared_meaning(self._grammar.match(line, self._names))

    def _mend_question(self, text: str, repairs: dict[str, bool], line: Sequence[Word]) -> Tree | None:
        """Return what words ask or nearly ask. repairs: what to say of it, and whether it is sure."""
        exact = self._question(line)
        if exact is not None:
            return exact
        condition_text = text[line[0].start : line[-1].end]
        matches = self._grammar.mend(words(condition_text), condition_text, self._names, self._allowance)
        atom = self._shared_meaning(matches)
        if atom is not None:
            grade, correction = grade_of(matches[0], condition_text, self._names)
            repairs[correction or condition_text] = grade in IN_FORCE
        return atom

    def _shared_meaning(self, matches: Sequence[FormMatch]) -> Atom | None:
        """Return what is asked, where all meanings ask the same."""
        meanings = [Condition(form=meaning.form.name, slots=dict(meaning.slots)) for meaning in matches]
        if not meanings or any(meaning != meanings[0] for meaning in meanings):
            return None
        return Atom(asks=meanings[0], text=self._phrase(meanings[0]))
