"""Grades the meanings of a span, and records the candidates."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from games.language import join_list
from games.record import Record
from orders.messages import sentence
from orders.reading.forms import FormMatch, NameRepair
from orders.reading.lexicon import NameIndex
from orders.reading.near_misses import chat_in, is_courtesy
from orders.verdict import Grade, LineVerdict, Source
from orders.words import Word, words

_ENGLISH = {"i", "a"}


def grade_of(match: FormMatch, read: str, names: NameIndex) -> tuple[Grade, str | None]:
    """Return how sure one meaning is, and a note for the player."""
    if match.repairs:
        explanation = "; ".join(_describe_repair(repair) for repair in match.repairs)
        return ("corrected" if _is_sure(match, words(read)) else "doubtful"), explanation
    line = words(read)
    if len(line) >= 2 and line[0].key in _ENGLISH and len(line[1].key) >= 4:
        # It begins like a sentence: a pronoun or article that is also a name, then a word.
        lone = {term.id for end, terms in names.at(line, 0)[:1] if end == 1 for term in terms}
        if next(iter(match.slots.values()), None) in lone:
            return "doubtful", sentence("grading.may_be_a_word", word=read.split()[0])
    return "taken", None


def _is_sure(match: FormMatch, line: Sequence[Word]) -> bool:
    """Return whether a correction can be acted on: it isn't a guess, and some words were spelt correctly.

    Without a name, each corrected word must be so long that it can't be a misspelling of anything else.
    """
    named = [repair for repair in match.repairs if repair.term]
    mended = sum(len(words(repair.typed)) for repair in match.repairs)
    if any(repair.doubt for repair in match.repairs) or mended >= len(line):
        return False
    return len(named) < len(match.slots) or all(len(repair.typed) > 4 for repair in named)


def _describe_repair(repair: NameRepair) -> str:
    return sentence("grading.read_as", typed=repair.typed, name=repair.taken)


def explain_ambiguity(meanings: Sequence[FormMatch]) -> str:
    """Return what is unclear if there are several meanings: the words that may be several names."""
    typed: dict[str, list[str]] = {}
    for match in meanings:
        for repair in match.repairs:
            names = typed.setdefault(repair.typed, [])
            if repair.taken not in names:
                names.append(repair.taken)
    doubts = [
        sentence("grading.several_names", word=word, names=join_list(names, "or"))
        for word, names in typed.items()
        if len(names) > 1
    ]
    return "; ".join(doubts) or sentence("grading.several_orders")


def as_doubt(verdict: LineVerdict, why: str) -> LineVerdict:
    """Return the verdict as a guess about which we ask back, if it has an order at all."""
    if verdict.order is None:
        return verdict
    return LineVerdict(
        line=verdict.line,
        source=verdict.source,
        grade="doubtful",
        order=verdict.order,
        said=verdict.said,
        problem=why,
        instead=verdict.said,
    )


# The record of reading an email: the ways tried, the candidates, and why one won.


# It decides nothing: the result is the same with and without this record.

READING_WAYS = {
    "_read_exact": "ways.exact",
    "_read_remarked": "ways.remarked",
    "_read_labelled": "ways.labelled",
    "_read_numbered": "ways.numbered",
    "_read_list": "ways.list",
    "_read_run_on": "ways.run_on",
    "read_without_dash": "ways.without_dash",
    "_read_mended": "ways.corrected",
    "_read_sentences": "ways.sentences",
    "_read_doubtful": "ways.doubtful",
}
"""The slugs of the ways to read a span, in the order of trying."""


class NearName(Record, frozen=True, kw_only=True):
    """A name near to a typed word: the slips between them, and how unlike they are, from 0 to 1."""

    name: str
    slips: int
    unlike: float


class ReadingCandidate(Record, frozen=True, kw_only=True):
    """One meaning of a span: its order, its corrections, the nearest names, its result.

    fate: ``won``, ``as likely as another``, ``out of reach``.
    """

    order: str
    mended: tuple[str, ...] = ()
    nearest: tuple[tuple[NearName, ...], ...] = ()
    fate: str


class WeighedLine(Record, frozen=True, kw_only=True):
    """The reading of one line. tried: the ways up to the one with a result; because: the reason for it."""

    line: str
    source: Source
    taken_for: str
    tried: tuple[str, ...] = ()
    candidates: tuple[ReadingCandidate, ...] = ()
    because: str


@dataclass
class WeighingRecord:
    """Keeps the candidates and reasons, line by line."""

    lines: list[WeighedLine] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)
    candidates: list[ReadingCandidate] = field(default_factory=list)

    def begin(self) -> None:
        """Begin a line."""
        self.tried, self.candidates = [], []

    def way(self, name: str) -> None:
        """Note a way that is tried."""
        text = sentence(READING_WAYS[name])
        if text not in self.tried:
            self.tried.append(text)

    def meaning(self, order: str, match: FormMatch, names: NameIndex, fate: str) -> None:
        """Note a meaning that was found, and its result."""
        named = [repair for repair in match.repairs if repair.term is not None]
        candidate = ReadingCandidate(
            order=order,
            mended=tuple(
                sentence("grading.correction", typed=repair.typed, name=repair.taken)
                for repair in match.repairs
            ),
            nearest=tuple(_nearest(repair.typed, names, repair.term.sort) for repair in named if repair.term),
            fate=fate,
        )
        if candidate not in self.candidates:
            self.candidates.append(candidate)

    def end(
        self,
        line: str,
        source: Source,
        verdicts: Sequence[LineVerdict],
        verb: str | None,
        governs: bool,
        named: Callable[[str], frozenset[str]],
    ) -> None:
        """Finish the line. verb: its command; governs: others depend on it; named: returns a text's ids."""
        if verb is not None:
            taken_for, why = "command", sentence("grading.is_command", verb=verb)
        elif verdicts:
            taken_for, why = "order", _explain_verdicts(verdicts, self.tried)
        elif governs:
            taken_for, why = "structure", sentence("grading.is_condition")
        elif not self.tried:
            taken_for, why = "heading", sentence("grading.is_heading")
        else:
            taken_for, why = "prose", _explain_prose(line, named)
        tried, candidates = tuple(self.tried), tuple(self.candidates)
        line_record = WeighedLine(
            line=line, source=source, taken_for=taken_for, tried=tried, candidates=candidates, because=why
        )
        self.lines.append(line_record)


def _nearest(typed: str, names: NameIndex, sort: str) -> tuple[NearName, ...]:
    near = names.nearest(typed, frozenset((sort,)))
    return tuple(NearName(name=name, slips=slips, unlike=round(unlike, 3)) for name, slips, unlike in near)


def _explain_verdicts(verdicts: Sequence[LineVerdict], tried: Sequence[str]) -> str:
    """Return the reason for a line's verdicts."""
    won = next((verdict for verdict in verdicts if verdict.problem), None)
    if won is not None:
        return won.problem or ""
    return sentence("grading.is_order_read", way=tried[-1]) if tried else sentence("grading.is_order")


def _explain_prose(text: str, named: Callable[[str], frozenset[str]]) -> str:
    """Return why a text that isn't an order doesn't look like one either."""
    if is_courtesy(text):
        return sentence("grading.courtesy")
    if talk_words := chat_in(text):
        return sentence("grading.chatty", words=", ".join(talk_words))
    if not named(text):
        return sentence("grading.names_nothing")
    return sentence("grading.few_names")
