"""Text around orders: politeness, labels, remarks, changes of mind, running prose."""

import re
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from games.data import read_toml
from games.record import Value
from orders.mail.service_text import order_in
from orders.messages import sentence
from orders.reading.lexicon import NameIndex
from orders.reading.near_misses import past_lead
from orders.words import DASH, fold, keys, spell_umlauts, strip_bullets, tidy, words

FULL_LINE_CHARS = 62
"""A line of this many characters has probably been broken by a program."""

_HANGING = re.compile(
    r"^(?:if|when|unless|in case)\b.*[^.!?]$|\b(?:if|unless|or|not)[^\w.!?]*$|,$", re.IGNORECASE
)
_GREETING_PATTERN = re.compile(
    r"^(?:hi|hello|hey|dear|greetings|good (?:morning|day|afternoon|evening)|hallo|liebe[rs]?|guten|moin"
    r"|servus|bonjour|bonsoir|salut|ch[eè]re?s?|hola|buen[oa]s|estimad\w+|ciao)\b|^\W*\w+(?: \w+)?\W*$",
    re.IGNORECASE,
)
_MIN_SENTENCE_WORDS = 4
_MIN_BROKEN_LINE_CHARS = 45
"""A line of this many characters may have been broken by a program, if the one below reads so."""
_MARKED = re.compile(r"\s-\s|->|-\w{3}$|\w-\w{3}\b")
_HYPOTHETIC = re.compile(
    r"^\W*(?:option|plan|alternative|scenario|variant|version|idea)(?: (?:\w{1,2}|one|two|three))?\W*$"
    r"|^\W*(?:draft|example|proposal)\W*$"
    r"|\bfor you:$"
    r"|\b(?:do not|don't) (?:process|count|file|use|take)\b|\bignore (?:this|these|the following|below)\b"
    r"|\bplease ignore\b|^\W*draft\b",
    re.IGNORECASE,
)
_HYPOTHETIC_LEAD_PATTERN = re.compile(
    r"\b(?:if|unless|in case|provided|assuming|suppose|supposing|otherwise|depending|wenn|falls|si)\b"
    r"|\b(?:your|his|her|their)\b|\b(?:proposals?|suggestions?) (?:for|to)\b"
    r"|\b(?:last|previous|next) (?:turn|year|season|spring|fall|autumn|winter|time)\b",
    re.IGNORECASE,
)
"""Words that turn the text after a line's final colon into an idea."""

_OWN_ORDERS_PATTERN = re.compile(r"\b(?:my|our|mine|these are the|final)\b.*\borders?\b", re.IGNORECASE)
_CONDITION = re.compile(r"\b(?:if|unless|in case|provided|assuming|depending)\b", re.IGNORECASE)


def is_hypothetic(text: str) -> bool:
    """Return whether a line of prose makes the orders below an idea, another player's or another turn's."""
    if _OWN_ORDERS_PATTERN.search(text) and not _CONDITION.search(text):
        return False
    if _HYPOTHETIC.search(text):
        return True
    return text.endswith(":") and bool(
        _HYPOTHETIC_LEAD_PATTERN.search(text) or (begins_changing(text) and not is_opening(text[:-1]))
    )


def runs_on(above: str, line: str, after_gap: bool) -> bool:
    """Return whether the line above ("" for none) may apply to a line or continue on it.

    It is incomplete ("If you agree"), or the line's first word didn't fit on it. after_gap: an empty or a
    quoted line is between them.
    """
    if not after_gap and _HANGING.search(above) and not _GREETING_PATTERN.search(above):
        return True
    if after_gap or above[-1:] in ("", *".!?:;)"):
        return False
    return len(above) + 1 + len(line.split()[0]) >= FULL_LINE_CHARS


def goes_through(above: str, below: str) -> bool:
    """Return whether a sentence of prose begins in the line above and continues in the one below.

    above, below: "" if there is no adjacent line.
    """
    if above[-1:] in ("", *".!?:;)") or _GREETING_PATTERN.search(above):
        return False
    return len(above.split()) >= _MIN_SENTENCE_WORDS and below.lstrip()[:1].islower()


def continues_sentence(above: str, line: str) -> bool:
    """Return whether a line continues a sentence of the line of prose right above, which a program broke."""
    if len(above) < _MIN_BROKEN_LINE_CHARS or above[-1:] in ".!?:;)" or _MARKED.search(line):
        return False
    return line[:1].islower() or line[-1:] in ".!?,"


@lru_cache(maxsize=1)
def _closings() -> frozenset[tuple[str, ...]]:
    lines: list[str] = read_toml("orders", "chat.toml")["closing"]["lines"]
    return frozenset(line_keys for line in lines for line_keys in (keys(line), keys(spell_umlauts(line))))


def is_closing(line_keys: tuple[str, ...]) -> bool:
    """Return whether a line, by its keys, is a farewell above a name: "Best,"."""
    return (line_keys[:-1] if line_keys[-1:] == (",",) else line_keys) in _closings()


# Text around an order that isn't part of it: bullets, names, politeness.


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


class TextVariants(NamedTuple):
    """A tidy text as it is, then without comment, bullet, title, announcement and politeness, all different.

    plainest: without all of that, with a space between a letter and a number; unsplit: without that space.
    """

    texts: tuple[str, ...]
    unsplit: str
    plainest: str


class Filler(Value, frozen=True):
    """Removes all text around an order.

    titles: the sender's names, as keys. literals, sorts: the words and the kinds of names in orders. verbs:
    their first words. present: the words for the current turn, none: any turn may be meant.
    """

    titles: frozenset[tuple[str, ...]]
    literals: frozenset[str]
    verbs: frozenset[str]
    sorts: frozenset[str]
    names: NameIndex
    present: Callable[[], frozenset[str]]
    known: dict[str, TextVariants] = {}

    def variants(self, text: str) -> TextVariants:
        """Return the text without what is around its order, computed once."""
        if text in self.known:
            return self.known[text]
        plain = _LINE_COMMENT_PATTERN.sub("", tidy(text))
        bare = strip_bullets(plain)
        texts = [tidy(text), plain, bare]
        if (ours := order_in(plain)) is not None and not begins_changing(bare):
            texts.append(ours)
        bare = self._past_label(bare)
        texts.append(bare)
        bare = past_lead(past_second_thought(bare), self.titles, self.present())
        texts.append(bare)
        bare = _without_politeness(_without_politeness(bare)).rstrip(" ,;")
        texts.append(bare)
        bare = self._past_title(bare)
        texts.append(bare)
        if "(" in bare:
            texts.append(_without_politeness(" ".join(_BRACKET.sub(" ", bare).split())))
        texts.append(_GLUED.sub(" ", bare))
        variants = TextVariants(tuple(dict.fromkeys(texts)), texts[-2], texts[-1])
        self.known[text] = variants
        return variants

    def without_lead(self, text: str) -> str:
        """Return the text without the announcement of its orders."""
        return past_lead(self._past_label(strip_bullets(text)), self.titles, self.present())

    def from_first_order(self, text: str) -> str:
        """Return the text without introductions before its orders, but with everything after them."""
        bare = self._past_label(strip_bullets(_LINE_COMMENT_PATTERN.sub("", tidy(text))))
        bare = past_lead(past_second_thought(bare), self.titles, self.present())
        return self._past_title(_POLITE_BEGINNING_PATTERN.sub("", bare))

    def label(self, text: str) -> str | None:
        """Return the label before a colon at the head of a tidy text, except the sender's name or a lead.

        Return None if there is no other label. A verb of the game isn't one: "Build: A PAR".
        """
        label = label_of(self.without_lead(text))
        if label is None or self.is_title(label[1]) or self._is_verb(label[1]):
            return None
        return label[1]

    def _past_label(self, text: str) -> str:
        """Return the text without the sender's name and a colon, or a label that only announces orders."""
        label = label_of(text) if ":" in text else None
        if label is None:
            return text
        drops = self.is_title(label[1]) or (
            is_opening(label[1]) and not self._is_verb(label[1]) and not self._is_unit(label[1])
        )
        return strip_bullets(text[label.end() :]) if drops else text

    def _is_verb(self, label: str) -> bool:
        """Return whether a label is a single word that can begin an order."""
        return len(line := words(label)) == 1 and line[0].key in self.verbs

    def _is_unit(self, label: str) -> bool:
        """Return whether a label may be only the name of a unit: "Par", although French has "par terre"."""
        line, at, named = words(label), 0, False
        while at < len(line):
            readings = self.names.at(line, at)
            if not readings and line[at].key not in self.literals:
                return False
            named = named or any(term.sort in self.sorts for _, terms in readings for term in terms)
            at = readings[0][0] if readings else at + 1
        return named and not is_phrase(label)

    def as_written(self, text: str, term: str) -> str:
        """Return the original word of a term: ``g3``, if a letter and a number were split."""
        for word in tidy(text).split():
            parts = _GLUED.sub(" ", word)
            if parts != word and term in [parts[token.start : token.end] for token in words(parts)]:
                return word.rstrip(".,:;!?")
        return term

    def is_title(self, text: str) -> bool:
        """Return whether the text is one of the sender's names."""
        return tuple(word.key for word in words(text)) in self.titles

    def _past_title(self, text: str) -> str:
        """Return the text without the sender's name before it: "France A Par - Bur".

        The colon after an order word is removed too: "Build: A Par".
        """
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


def _without_politeness(text: str) -> str:
    """Return the text without a polite word at either end."""
    bare = _POLITE_WORDS_PATTERN.sub("", text)
    # It isn't in the expression, which would search a run of commas from each of them.
    return bare if len(bare) == len(text) else bare.rstrip(" ,")


# Labels that players write before a colon and their orders: "Final:", "On land:", "Instead of:".


_LABEL_PATTERN = re.compile(r"^([^:]{1,200}):\s*(?=\S)")
_LABEL_SIGNS = frozenset((",", "-", "(", ")", "/", "&"))


@lru_cache(maxsize=1)
def _openings() -> tuple[tuple[frozenset[str], frozenset[tuple[str, ...]]], ...]:
    """Return for each language the words of such a label, and whole labels."""
    table: dict[str, Any] = read_toml("orders", "labels.toml")
    return tuple(
        (
            frozenset(
                key
                for phrase in language["words"]
                for spelling in (phrase, spell_umlauts(phrase))
                for key in keys(spelling)
            ),
            frozenset(keys(phrase) for phrase in language.get("phrases", ())),
        )
        for language in table.values()
    )


def label_of(text: str) -> re.Match[str] | None:
    """Match a label before a colon at the head of a tidy text. The match ends where the rest begins."""
    return _LABEL_PATTERN.match(text)


@lru_cache(maxsize=1024)
def is_opening(label: str) -> bool:
    """Return whether a label only announces orders."""
    word_keys = tuple(key for key in keys(label) if key not in _LABEL_SIGNS)
    if not word_keys:
        return False
    return any(
        word_keys in phrases or vocabulary.issuperset(word_keys) for vocabulary, phrases in _openings()
    )


def is_phrase(label: str) -> bool:
    """Return whether a whole label is in the lists."""
    phrase = tuple(key for key in keys(label) if key not in _LABEL_SIGNS)
    return any(phrase in phrases for _, phrases in _openings())


# Text after a whole order on its line: a remark, or words that may change the order.


_REMARK_SLUGS = {
    "denies": "prose.denies",
    "depends": "prose.depends",
    "chooses": "prose.chooses",
    "doubts": "prose.doubts",
    "at_another_time": "prose.at_another_time",
}
"""The slugs of the ways in which words may change an order, by the table of remarks.toml."""

_CHANGES_BEFORE = frozenset(("prose.denies", "prose.depends", "prose.chooses"))
_MAX_REMARK_PHRASE_WORDS = 4


@lru_cache(maxsize=1)
def _changing() -> dict[tuple[str, ...], str]:
    """Return the words that may change the order before them, each with the slug of its effect."""
    table: dict[str, dict[str, list[str]]] = read_toml("orders", "remarks.toml")
    return {
        keys(spelling): slug
        for sort, slug in _REMARK_SLUGS.items()
        for several in table[sort].values()
        for phrase in several
        for spelling in (phrase, spell_umlauts(phrase))
    }


@lru_cache(maxsize=1)
def _choosing() -> frozenset[tuple[str, ...]]:
    """Return the words that a choice begins with."""
    return frozenset(map(keys, read_toml("orders", "remarks.toml")["choice"]["begins"]))


@lru_cache(maxsize=1)
def _talk() -> frozenset[str]:
    """Return the first words of remarks."""
    table: dict[str, list[str]] = read_toml("orders", "remarks.toml")["talk"]
    return frozenset(key for entries in table.values() for entry in entries for key in keys(entry))


def is_talk(key: str) -> bool:
    """Return whether a remark may begin with a word, even if it is like a name."""
    return key in _talk()


def begins_changing(text: str) -> bool:
    """Return whether a text begins with words that deny, condition or offer a choice: "Instead of:".

    Words about another turn count if there are no others: "Later:".
    """
    word_keys = tuple(word.key for word in words(tidy(text)) if word.key != ":")
    if any(word_keys[:size] in _choosing() and len(word_keys[0]) > 1 for size in (1, 2)):
        return True
    slugs = [
        _changing()[word_keys[:size]]
        for size in range(_MAX_REMARK_PHRASE_WORDS, 0, -1)
        if word_keys[:size] in _changing()
    ]
    if not slugs or len(word_keys[0]) == 1:
        return False
    return slugs[0] in _CHANGES_BEFORE or word_keys in _changing()


def why_changing(text: str) -> str | None:
    """Return why words before or after an order may change it; None if they are a remark."""
    line = words(tidy(text))
    word_keys = [word.key for word in line]
    if any(tuple(word_keys[:size]) in _choosing() for size in (1, 2)):
        return sentence("prose.chooses", words=text.split()[0])
    for place, size in _spans(word_keys, _changing()):
        typed = tidy(text)[line[place].start : line[place + size - 1].end]
        return sentence(_changing()[tuple(word_keys[place : place + size])], words=typed)
    return sentence("prose.question") if "?" in word_keys else None


def _spans(word_keys: list[str], known: Collection[tuple[str, ...]]) -> Iterator[tuple[int, int]]:
    """Yield the start and the number of known words in a text."""
    for place in range(len(word_keys)):
        for size in range(min(_MAX_REMARK_PHRASE_WORDS, len(word_keys) - place), 0, -1):
            if tuple(word_keys[place : place + size]) in known:
                yield place, size
                break


def past_choice(text: str) -> str:
    """Return the tidy text after a word that begins a choice: "either A PAR H or ..."."""
    line = words(text)
    for size in (2, 1):
        if tuple(word.key for word in line[:size]) in _choosing() and len(line) > size:
            return text[line[size].start :]
    return text


# Lines that change the player's mind: their first words are removed.


_SECOND_THOUGHT_SIGNS = frozenset((",", ":", ";", DASH))
_MAX_SECOND_THOUGHT_WORDS = 7


@lru_cache(maxsize=1)
def _begins() -> tuple[frozenset[str], frozenset[tuple[str, ...]]]:
    """Return the first words of all beginnings, and these as a whole."""
    table: dict[str, list[str]] = read_toml("orders", "second_thoughts.toml")["begins"]
    spellings = (
        spelling
        for several in table.values()
        for begin in several
        for spelling in (begin, spell_umlauts(begin))
    )
    whole = frozenset(map(keys, spellings))
    return frozenset(spelling[0] for spelling in whole), whole


def past_second_thought(text: str) -> str:
    """Return the tidy text after words that change the writer's mind, or the whole text."""
    heads, begins = _begins()
    line = words(text)
    if not line or line[0].key not in heads:
        return text
    word_keys: tuple[str, ...] = ()
    rest = text
    for place, word in enumerate(line[: 2 * _MAX_SECOND_THOUGHT_WORDS]):
        if word.key not in _SECOND_THOUGHT_SIGNS:
            word_keys = (*word_keys, word.key)
        if word_keys in begins:
            behind = next(
                (
                    later_word
                    for later_word in line[place + 1 :]
                    if later_word.key not in _SECOND_THOUGHT_SIGNS
                ),
                None,
            )
            rest = text[behind.start :] if behind is not None else rest
        if len(word_keys) >= _MAX_SECOND_THOUGHT_WORDS:
            break
    return rest
