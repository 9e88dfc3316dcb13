"""Conditions as players write them, read by a game's forms and names."""

import re
from collections.abc import Callable, Sequence

from games.protocol import Condition, Form
from orders import forms as form_machine
from orders.conditions import Atom, Tree, parse
from orders.forms import Grammar
from orders.lexicon import Names
from orders.words import Word, words

KEYWORD = re.compile(r"\b(else\W+if|elseif|elsif|if|then|else|end ?if)\b", re.IGNORECASE)
"""The words by which an IF is built."""

NEXT = re.compile(r"\b(else\W+if|elseif|elsif|if|else|end ?if)\b", re.IGNORECASE)
"""Those that end an order; a THEN may be one of its words."""

LONGEST = 80
"""A condition of more words is none."""

_SPLIT = re.compile(r"[,:;]\s+")


class Conditions:
    """Reads conditions. phrase: an atom's canonical text; is_order: whether a text is spelt like an order."""

    def __init__(
        self,
        forms: tuple[Form, ...],
        names: Names,
        phrase: Callable[[Condition], str],
        is_order: Callable[[str], bool],
    ) -> None:
        self._grammar: Grammar = form_machine.compiled(forms)
        self._names, self._phrase, self._is_order = names, phrase, is_order
        self.example = f"IF {forms[0].example} THEN" if forms else None

    def read(self, text: str) -> Tree | None:
        """The condition that the whole text is, or None."""
        line = words(text)
        return parse(line, self._atom) if 0 < len(line) <= LONGEST else None

    def first(self, text: str) -> tuple[Tree, str] | None:
        """The condition that a text begins with, and what follows it; None: it begins with none.

        It ends at the next word of KEYWORD; where no THEN comes, at a comma, a colon or before a whole order.
        """
        keyword = KEYWORD.search(text)
        said, rest = (text[: keyword.start()], text[keyword.start() :]) if keyword else (text, "")
        tree = self.read(said)
        if tree is not None:
            return tree, rest
        end = NEXT.search(text)
        said, rest = (text[: end.start()], text[end.start() :]) if end else (text, "")
        return self._marked(said, rest) or self._unmarked(said, rest)

    def _marked(self, said: str, rest: str) -> tuple[Tree, str] | None:
        """A condition up to a comma or a colon. Where a THEN comes later, what follows must be an order."""
        for mark in _SPLIT.finditer(said):
            after = said[mark.end() :]
            if KEYWORD.search(after) is None or self._is_order(after.strip()):
                tree = self.read(said[: mark.start()])
                if tree is not None:
                    return tree, after + rest
        return None

    def _unmarked(self, said: str, rest: str) -> tuple[Tree, str] | None:
        """A condition with a whole order behind it, and no sign between them."""
        for word in reversed(words(said)[1:LONGEST]):
            if self._is_order(said[word.start :].strip()):
                tree = self.read(said[: word.start])
                if tree is not None:
                    return tree, said[word.start :] + rest
        return None

    def _atom(self, line: Sequence[Word]) -> Atom | None:
        meanings = [
            Condition(form=one.form.name, slots=dict(one.slots))
            for one in self._grammar.match(line, self._names)
        ]
        if not meanings or any(one != meanings[0] for one in meanings):
            return None
        return Atom(asks=meanings[0], text=self._phrase(meanings[0]))
