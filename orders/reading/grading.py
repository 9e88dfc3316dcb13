"""Grade the meanings of a span, and record the candidates that were weighed."""

from collections.abc import Sequence

from orders.reading.forms import FormMatch, NameRepair
from orders.reading.lexicon import NameIndex
from orders.verdict import Grade, LineVerdict
from orders.words import Word, words

_ENGLISH = {"i", "a"}


def grade_of(match: FormMatch, read: str, names: NameIndex) -> tuple[Grade, str | None]:
    """Return how sure one meaning is, and what to say of it."""
    if match.repairs:
        explanation = "; ".join(_describe_repair(repair) for repair in match.repairs)
        return ("corrected" if _is_sure(match, words(read)) else "doubtful"), explanation
    if _is_sentence(match, read, names):
        return "doubtful", f"{read.split()[0]} may be a word and not a name"
    return "taken", None


def _is_sure(match: FormMatch, line: Sequence[Word]) -> bool:
    """Return whether a repair can be acted on: it is no guess, and something was spelt as it should be.

    Where no name was, each repaired word has to be long enough to be a slip of nothing else.
    """
    named = [repair for repair in match.repairs if repair.term]
    mended = sum(len(words(repair.typed)) for repair in match.repairs)
    if any(repair.doubt for repair in match.repairs) or mended >= len(line):
        return False
    return len(named) < len(match.slots) or all(len(repair.typed) > 4 for repair in named)


def _describe_repair(repair: NameRepair) -> str:
    if repair.term is None:
        return f"{repair.typed} was read as {repair.taken}"
    return f"no {repair.term.sort} is called {repair.typed}; {repair.taken} was taken"


def _is_sentence(match: FormMatch, read: str, names: NameIndex) -> bool:
    """Return whether it begins like a sentence: a pronoun or article that is also a name, then a word."""
    line = words(read)
    if len(line) < 2 or line[0].key not in _ENGLISH or len(line[1].key) < 4:
        return False
    lone = {term.id for end, terms in names.at(line, 0) if end == 1 for term in terms}
    return next(iter(match.slots.values()), None) in lone


def explain_ambiguity(meanings: Sequence[FormMatch]) -> str:
    """Return what is unclear where there are several meanings: the words that may be several names."""
    typed: dict[str, list[str]] = {}
    for match in meanings:
        for repair in match.repairs:
            names = typed.setdefault(repair.typed, [])
            if repair.taken not in names:
                names.append(repair.taken)
    doubts = [f"{word} may be {_or(names)}" for word, names in typed.items() if len(names) > 1]
    return "; ".join(doubts) or "it has more than one meaning"


def _or(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + " or " + names[-1]


def as_doubt(verdict: LineVerdict, why: str) -> LineVerdict:
    """The verdict as a guess that is asked back, where it has an order at all."""
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
