"""How sure one meaning of a span is, and what is told of its repairs."""

from collections.abc import Sequence

from orders.parsing.forms import Match, Repair
from orders.parsing.lexicon import Names
from orders.verdict import Grade, Verdict
from orders.words import Word, words

_ENGLISH = {"i", "a"}


def grade_of(match: Match, read: str, names: Names) -> tuple[Grade, str | None]:
    """How sure one meaning is, and what to tell of it."""
    if match.repairs:
        told = "; ".join(_told(repair) for repair in match.repairs)
        return ("corrected" if _is_sure(match, words(read)) else "doubtful"), told
    if _is_sentence(match, read, names):
        return "doubtful", f"{read.split()[0]} may be a word and not a name"
    return "taken", None


def _is_sure(match: Match, line: Sequence[Word]) -> bool:
    """Whether what was repaired can be acted on: no guess, and something was spelt as it should be.

    Where no name was, each repaired word has to be long enough to be a slip of nothing else.
    """
    named = [repair for repair in match.repairs if repair.term]
    mended = sum(len(words(repair.typed)) for repair in match.repairs)
    if any(repair.doubt for repair in match.repairs) or mended >= len(line):
        return False
    return len(named) < len(match.slots) or all(len(repair.typed) > 4 for repair in named)


def _told(repair: Repair) -> str:
    if repair.term is None:
        return f"{repair.typed} was read as {repair.taken}"
    return f"no {repair.term.sort} is called {repair.typed}; {repair.taken} was taken"


def _is_sentence(match: Match, read: str, names: Names) -> bool:
    """Whether it begins like a sentence: a pronoun or article that is also a name, then a whole word."""
    line = words(read)
    if len(line) < 2 or line[0].key not in _ENGLISH or len(line[1].key) < 4:
        return False
    lone = {term.id for end, terms in names.at(line, 0) if end == 1 for term in terms}
    return next(iter(match.slots.values()), None) in lone


def unclear(meanings: Sequence[Match]) -> str:
    """What is unclear where there are several meanings: the words that may be several names."""
    typed: dict[str, list[str]] = {}
    for match in meanings:
        for repair in match.repairs:
            names = typed.setdefault(repair.typed, [])
            if repair.taken not in names:
                names.append(repair.taken)
    found = [f"{one} may be {_or(names)}" for one, names in typed.items() if len(names) > 1]
    return "; ".join(found) or "it has more than one meaning"


def _or(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + " or " + names[-1]


def as_doubt(verdict: Verdict, why: str) -> Verdict:
    """The verdict as a guess that is asked back, where it has an order at all."""
    if verdict.order is None:
        return verdict
    return Verdict(
        line=verdict.line,
        source=verdict.source,
        grade="doubtful",
        order=verdict.order,
        said=verdict.said,
        problem=why,
        instead=verdict.said,
    )
