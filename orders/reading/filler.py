"""Text around an order that is no part of it: bullets, names, politeness."""

import re
from collections.abc import Callable, Iterable, Iterator

from games.record import Value
from orders.mail.service_text import order_in
from orders.reading.labels import is_opening, is_phrase, label_of
from orders.reading.lexicon import NameIndex
from orders.reading.near_misses import past_lead
from orders.reading.remarks import begins_changing
from orders.reading.second_thoughts import past_second_thought
from orders.words import fold, strip_bullets, tidy, words

_POLITE_WORDS_PATTERN = re.compile(
    r"^(?:please|pls|hi|ok|okay|and|bitte|por favor|per favore|s'il vous pla[iî]t|svp)\b[\s,:-]*"
    r"|[\s,](?:please|pls|thanks|thank you|thx|cheers|now|this turn|this season"
    r"|bitte|danke|merci|svp|stp|s'il (?:vous|te) pla[iî]t|por favor|gracias|obrigad[oa]|grazie|per favore"
    r"|alstublieft|aub|graag)[\s.!]*$",
    re.IGNORECASE,
)
_POLITE_BEGINNING_PATTERN = re.compile(
    r"^(?:please|pls|hi|ok|okay|and|bitte|por favor|per favore|svp)\b[\s,:-]*", re.IGNORECASE
)
_LINE_COMMENT_PATTERN = re.compile(r"\s+(?:#|//).*$")
_BRACKET = re.compile(r"[()]")
_GLUED = re.compile(r"(?<=\d)(?=[A-Za-z])|(?<=\b[A-Za-z])(?=\d)|(?<=\d[A-Za-z])(?=\d)")
_MIN_OWN_LINE_WORDS = 3


class Filler(Value, frozen=True):
    """Takes all that off.

    titles: one's own names, as keys; literals, sorts: the words and the sorts of names that orders have;
    verbs: the words with which they begin;
    present: the words by which the present turn is called, none: any turn may be meant.
    """

    titles: frozenset[tuple[str, ...]]
    literals: frozenset[str]
    verbs: frozenset[str]
    sorts: frozenset[str]
    names: NameIndex
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
        plain = _LINE_COMMENT_PATTERN.sub("", text)
        yield plain
        bare = strip_bullets(plain)
        yield bare
        if (ours := order_in(plain)) is not None and not begins_changing(bare):
            yield ours
        if (behind := self._past_label(bare)) != bare:
            bare = behind
            yield bare
        bare = self._past_announcement(bare)
        yield bare
        bare = _curt(_curt(bare)).rstrip(" ,;")
        yield bare
        bare = self._past_title(bare)
        yield bare
        if "(" in bare:
            yield _curt(" ".join(_BRACKET.sub(" ", bare).split()))
        yield _GLUED.sub(" ", bare)

    def without_lead(self, text: str) -> str:
        """Return the text without what announces the orders in it."""
        return past_lead(self._past_label(strip_bullets(text)), self.titles, self.present())

    def from_first_order(self, text: str) -> str:
        """Return the text without what stands before its orders, and with all that stands behind them."""
        bare = self._past_label(strip_bullets(_LINE_COMMENT_PATTERN.sub("", tidy(text))))
        bare = self._past_announcement(bare)
        return self._past_title(_POLITE_BEGINNING_PATTERN.sub("", bare))

    def _past_announcement(self, bare: str) -> str:
        """Return the text behind words by which orders are changed or announced."""
        return past_lead(past_second_thought(bare), self.titles, self.present())

    def label(self, text: str) -> str | None:
        """Return what precedes a colon at the head of a tidy text, unless it is one's own name or a lead.

        A verb of the game is none: "Build: A PAR".
        """
        label = label_of(self.without_lead(text))
        if label is None or self.is_title(label[1]) or self._is_verb(label[1]):
            return None
        return label[1]

    def _past_label(self, text: str) -> str:
        """The text without one's own name and a colon, or a label that only announces orders."""
        label = label_of(text) if ":" in text else None
        if label is None:
            return text
        drops = self.is_title(label[1]) or (
            is_opening(label[1]) and not self._is_verb(label[1]) and not self._is_unit(label[1])
        )
        return strip_bullets(text[label.end() :]) if drops else text

    def _is_verb(self, label: str) -> bool:
        """Return whether a label is a single word with which an order may begin."""
        return len(line := words(label)) == 1 and line[0].key in self.verbs

    def _is_unit(self, label: str) -> bool:
        """Whether a label may be nothing but the name of a unit: "Par", where French says "par terre"."""
        line, at, named = words(label), 0, False
        while at < len(line):
            found = self.names.at(line, at)
            if not found and line[at].key not in self.literals:
                return False
            named = named or any(term.sort in self.sorts for _, terms in found for term in terms)
            at = found[0][0] if found else at + 1
        return named and not is_phrase(label)

    def plainest(self, text: str) -> str:
        """The text with all of that taken off."""
        return self._all(text)[-1]

    def plainest_unsplit(self, text: str) -> str:
        """Return the text with all of that taken off, and no letter parted from a number."""
        return self._all(text)[-2]

    def as_written(self, text: str, term: str) -> str:
        """Return the word from which a term was taken: ``g3``, if a letter and a number were parted."""
        for word in tidy(text).split():
            parts = _GLUED.sub(" ", word)
            if parts != word and term in [parts[token.start : token.end] for token in words(parts)]:
                return word.rstrip(".,:;!?")
        return term

    def is_title(self, text: str) -> bool:
        """Return whether the text is one's own name."""
        return tuple(word.key for word in words(text)) in self.titles

    def _past_title(self, text: str) -> str:
        """The text without one's own name before it ("France A Par - Bur"), with "Build: " as "Build "."""
        head, _, rest = text.partition(" ")
        key = fold(head.rstrip(":"))
        if not key:
            return text
        if key in self.literals and head.endswith(":"):
            return f"{head.rstrip(':')} {rest}"
        own = len(key) >= _MIN_OWN_LINE_WORDS and any(title[0].startswith(key) for title in self.titles)
        return rest if own and rest and not self._is_name(head) else text

    def _is_name(self, text: str) -> bool:
        """Return whether an order may begin with that name."""
        line = words(text)
        return any(term.sort in self.sorts for _, terms in self.names.at(line, 0) for term in terms)


def _curt(text: str) -> str:
    """The text without a polite word at either end."""
    bare = _POLITE_WORDS_PATTERN.sub("", text)
    # Not in the expression, which would look at a run of commas from each of them.
    return bare if len(bare) == len(text) else bare.rstrip(" ,")
