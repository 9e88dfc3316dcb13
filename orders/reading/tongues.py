"""Names with two meanings, told apart by the language in which the other lines of an email are written."""

# Rule 1: one meaning has a name that begins so in the language of the other lines, and no other has.
# Rule 2: each line is in the language that has most of its names, and all lines have to be in one.
# Rule 3: where that may be several, those that know such a name have to agree.

from collections.abc import Callable, Mapping, Sequence

from games.protocol import Lexicon
from games.record import replace_fields
from orders.reading.forms import FormMatch
from orders.reading.lexicon import NameIndex, index_lexicon
from orders.reading.spans import SpanReader
from orders.verdict import IN_FORCE, LineVerdict
from orders.words import keys, words


def settle_by_language(
    verdicts: Sequence[LineVerdict], reader: SpanReader, tongues: Callable[[], Mapping[str, Lexicon]]
) -> list[LineVerdict]:
    """Return the verdicts, those with several meanings settled where a language tells which is meant.

    tongues: the names of each language besides that of the game itself.
    """
    if not any(verdict.line in reader.unsettled for verdict in verdicts):
        return list(verdicts)
    names = {language: index_lexicon(lexicon) for language, lexicon in tongues().items()}
    spoken = _languages_of([verdict.line for verdict in verdicts if verdict.grade in IN_FORCE], reader, names)
    return [_settle_verdict(verdict, reader, names, spoken) for verdict in verdicts]


def _languages_of(
    lines: Sequence[str], reader: SpanReader, names: Mapping[str, NameIndex]
) -> tuple[str, ...]:
    """Return the languages of all lines that have names which the game's own language has not."""
    own = reader.native[1] if reader.native else reader.names
    common: set[str] | None = None
    for line in lines:
        counts = {
            language: _count_names(line, language_names, own) for language, language_names in names.items()
        }
        most = max(counts.values(), default=0)
        if most:
            here = {language for language, count in counts.items() if count == most}
            common = here if common is None else common & here
    return tuple(language for language in names if language in (common or ()))


def _count_names(text: str, names: NameIndex, own: NameIndex) -> int:
    """Return how many names of a language a text has that are none of the game's own."""
    line = words(text)
    return sum(
        max((end for end, _ in names.at(line, place)), default=0)
        > max((end for end, _ in own.at(line, place)), default=0)
        for place in range(len(line))
    )


def _settle_verdict(
    verdict: LineVerdict, reader: SpanReader, names: Mapping[str, NameIndex], spoken: Sequence[str]
) -> LineVerdict:
    """Return a verdict with the one of its meanings that the languages of the lines have."""
    meanings = reader.unsettled.get(verdict.line, ()) if verdict.grade == "ambiguous" else ()
    by_language = [
        [(order, match) for order, match in meanings if _is_named(match, names[language])]
        for language in spoken
    ]
    chosen = [meaning for some in by_language for meaning in some]
    if not chosen or any(order != chosen[0][0] for order, _ in chosen):
        return verdict
    order, match = chosen[0]
    if not reader.can_be(order):
        return verdict
    problem = "; ".join(
        f"{repair.typed} was read as {repair.term.names[0]}, as your other lines are in "
        f"{' and '.join(spoken)}"
        for repair in match.repairs
        if repair.term is not None
    )
    text = reader.order_text(order)
    return replace_fields(verdict, grade="corrected", order=order, said=text, problem=problem, candidates=())


def _is_named(match: FormMatch, names: NameIndex) -> bool:
    """Return whether all that was repaired in a meaning begins like its name in a language."""
    for repair in match.repairs:
        typed = " ".join(keys(repair.typed))
        if repair.term is None or repair.term.id not in {
            term.id for term in names.terms_beginning(typed, frozenset((repair.term.sort,)))
        }:
            return False
    return True
