"""Names with two meanings, told apart by the language of an email's other lines."""

# Rule 1: one meaning has a name that begins so in the language of the other lines, and no other has.
# Rule 2: each line is in the language that has most of its names, and all lines have to be in one.
# Rule 3: where that may be several, those that know such a name have to agree.

from collections.abc import Callable, Mapping, Sequence

from games.protocol import Lexicon
from games.record import changed
from orders.parsing.forms import Match
from orders.parsing.lexicon import Names, compiled
from orders.parsing.span import Reader
from orders.verdict import IN_FORCE, Verdict
from orders.words import keys, words


def settled(
    verdicts: Sequence[Verdict], reader: Reader, tongues: Callable[[], Mapping[str, Lexicon]]
) -> list[Verdict]:
    """Return the verdicts, those with several meanings settled where a language tells which is meant.

    tongues: the names of each language besides that of the game itself.
    """
    if not any(verdict.line in reader.unsettled for verdict in verdicts):
        return list(verdicts)
    names = {language: compiled(lexicon) for language, lexicon in tongues().items()}
    spoken = _spoken([one.line for one in verdicts if one.grade in IN_FORCE], reader, names)
    return [_settled(verdict, reader, names, spoken) for verdict in verdicts]


def _spoken(lines: Sequence[str], reader: Reader, names: Mapping[str, Names]) -> tuple[str, ...]:
    """The languages of all lines that have names which the game's own language has not."""
    own = reader.native[1] if reader.native else reader.names
    found: set[str] | None = None
    for line in lines:
        counts = {language: _names_in(line, one, own) for language, one in names.items()}
        most = max(counts.values(), default=0)
        if most:
            here = {language for language, count in counts.items() if count == most}
            found = here if found is None else found & here
    return tuple(language for language in names if language in (found or ()))


def _names_in(text: str, names: Names, own: Names) -> int:
    """How many names of a language a text has that are none of the game's own."""
    line = words(text)
    return sum(
        max((end for end, _ in names.at(line, place)), default=0)
        > max((end for end, _ in own.at(line, place)), default=0)
        for place in range(len(line))
    )


def _settled(verdict: Verdict, reader: Reader, names: Mapping[str, Names], spoken: Sequence[str]) -> Verdict:
    """A verdict with the one of its meanings that the languages spoken have."""
    meanings = reader.unsettled.get(verdict.line, ()) if verdict.grade == "ambiguous" else ()
    found = [
        [(order, match) for order, match in meanings if _is_named(match, names[language])]
        for language in spoken
    ]
    chosen = [one for some in found for one in some]
    if not chosen or any(order != chosen[0][0] for order, _ in chosen):
        return verdict
    order, match = chosen[0]
    if not reader.can_be(order):
        return verdict
    told = "; ".join(
        f"{one.typed} was read as {one.term.names[0]}, as your other lines are in {' and '.join(spoken)}"
        for one in match.repairs
        if one.term is not None
    )
    said = reader.written(order)
    return changed(verdict, grade="corrected", order=order, said=said, problem=told, candidates=())


def _is_named(match: Match, names: Names) -> bool:
    """Whether all that was repaired in a meaning begins like its name in a language."""
    for repair in match.repairs:
        typed = " ".join(keys(repair.typed))
        if repair.term is None or repair.term.id not in {
            term.id for term in names.begun(typed, frozenset((repair.term.sort,)))
        }:
            return False
    return True
