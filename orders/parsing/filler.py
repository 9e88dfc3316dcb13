"""What people write around an order that is no part of it: bullets, names, politeness."""

import re
from collections.abc import Callable, Iterable, Iterator

from games.record import Value
from orders.parsing.lexicon import Names
from orders.parsing.near_misses import past_lead
from orders.parsing.second_thoughts import past_second_thought
from orders.words import fold, tidy, unbulleted, words

_POLITE = re.compile(
    r"^(?:please|pls|hi|ok|okay|and|bitte|por favor|per favore|s'il vous pla[iî]t|svp)\b[\s,:-]*"
    r"|[\s,](?:please|pls|thanks|thank you|thx|cheers|now|this turn|this season"
    r"|bitte|danke|merci|svp|stp|s'il (?:vous|te) pla[iî]t|por favor|gracias|obrigad[oa]|grazie|per favore"
    r"|alstublieft|aub|graag)[\s.!]*$",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"\s+(?:#|//).*$")
_BRACKET = re.compile(r"[()]")
_TITLE = re.compile(r"^([^:]{1,40}):\s*(?=\S)")
_GLUED = re.compile(r"(?<=\d)(?=[A-Za-z])|(?<=\b[A-Za-z])(?=\d)|(?<=\d[A-Za-z])(?=\d)")
_SHORTEST_OWN = 3


class Filler(Value, frozen=True):
    """Takes all that off.

    titles: one's own names, as keys; literals, sorts: the words and the sorts of names that orders have;
    present: the words by which the present turn is called, none: any turn may be meant.
    """

    titles: frozenset[tuple[str, ...]]
    literals: frozenset[str]
    sorts: frozenset[str]
    names: Names
    present: Callable[[], frozenset[str]]
    known: dict[str, tuple[str, ...]] = {}

    def of(self, text: str) -> Iterable[str]:
        """The tidy text as it stands, then without comment, bullet, title, announcement and politeness."""
        return dict.fromkeys(self._all(text))

    def _all(self, text: str) -> tuple[str, ...]:
        """Each of these, worked out once for a text."""
        if text not in self.known:
            self.known[text] = tuple(self._of(tidy(text)))
        return self.known[text]

    def _of(self, text: str) -> Iterator[str]:
        yield text
        plain = _COMMENT.sub("", text)
        yield plain
        bare = unbulleted(plain)
        yield bare
        title = _TITLE.match(bare)
        if title and self.is_title(title[1]):
            bare = unbulleted(bare[title.end() :])
            yield bare
        bare = past_lead(past_second_thought(bare), self.titles, self.present())
        yield bare
        bare = _curt(_curt(bare)).rstrip(" ,;")
        yield bare
        bare = self._past_title(bare)
        yield bare
        if "(" in bare:
            yield _curt(" ".join(_BRACKET.sub(" ", bare).split()))
        yield _GLUED.sub(" ", bare)

    def led(self, text: str) -> str:
        """The text without what announces the orders in it."""
        return past_lead(unbulleted(text), self.titles, self.present())

    def plainest(self, text: str) -> str:
        """The text with all of that taken off."""
        return self._all(text)[-1]

    def unparted(self, text: str) -> str:
        """The text with all of that taken off, and no letter parted from a number."""
        return self._all(text)[-2]

    def as_written(self, text: str, said: str) -> str:
        """The word of a text out of which that was taken: ``g3``, where a letter and a number were parted."""
        for word in tidy(text).split():
            parts = _GLUED.sub(" ", word)
            if parts != word and said in [parts[one.start : one.end] for one in words(parts)]:
                return word.rstrip(".,:;!?")
        return said

    def is_title(self, text: str) -> bool:
        """Whether the text is one's own name."""
        return tuple(word.key for word in words(text)) in self.titles

    def foreign(self, text: str) -> str | None:
        """What stands before a colon at the head of a list of orders and is neither one's name nor a verb."""
        bare = self._past_title(self.led(text))
        title = _TITLE.match(bare)
        return None if title is None or self.is_title(title[1]) else title[1]

    def _past_title(self, text: str) -> str:
        """The text without one's own name before it ("France A Par - Bur"), with "Build: " as "Build "."""
        head, _, rest = text.partition(" ")
        key = fold(head.rstrip(":"))
        if not key:
            return text
        if key in self.literals and head.endswith(":"):
            return f"{head.rstrip(':')} {rest}"
        own = len(key) >= _SHORTEST_OWN and any(title[0].startswith(key) for title in self.titles)
        return rest if own and rest and not self._is_name(head) else text

    def _is_name(self, text: str) -> bool:
        """Whether an order may begin with that name."""
        line = words(text)
        return any(term.sort in self.sorts for _, terms in self.names.at(line, 0) for term in terms)


def _curt(text: str) -> str:
    """The text without a polite word at either end."""
    bare = _POLITE.sub("", text)
    # Not in the expression, which would look at a run of commas from each of them.
    return bare if len(bare) == len(text) else bare.rstrip(" ,")


def heading_of(text: str) -> re.Match[str] | None:
    """What stands before a colon at the head of a text: the match ends where the rest begins."""
    return _TITLE.match(text)
