"""Lines that need care: set apart, below a sheet's line, joined, damaged, or in several languages."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice, product

from games.language import join_list
from games.protocol import Lexicon, Turn
from games.record import canonical, replace_fields
from orders.commands import ParsedCommand
from orders.conditions import NOW
from orders.mail.body import FreshLine
from orders.messages import sentence
from orders.reading import structure
from orders.reading.condition_blocks import CONDITION_START_PATTERN, PHASE_PATTERN
from orders.reading.forms import FormMatch
from orders.reading.lexicon import NameIndex, index_lexicon
from orders.reading.near_misses import begins_with_verb, is_chat, looks_like_order
from orders.reading.prose import is_hypothetic, is_talk, why_changing
from orders.reading.replacements import mark_superseded
from orders.reading.spans import JOINT_AT_END_PATTERN, MAX_LINE_CHARS, MAX_LINE_WORDS, SpanReader, read_whole
from orders.reading.structure import turn_in_heading
from orders.verdict import IN_FORCE, LineVerdict, Source, mark_doubtful
from orders.words import ARROW, DASH, fold, keys, past_cross, split, strip_bullets, tidy, words

# Rule 1: below a line of two hyphens only whole orders are read; for a command we ask back. Rule 2: in a
# signature (RFC 3676, 4.3) we ask back about whole orders, and no turn waits for that. Rule 3: among unmarked
# quoted lines of our emails, whole orders are read, except in our own notation. Rule 4: for an order before
# an attribution we ask back. Rule 5: invisible text is never acted on.


def read_below_hyphens(
    reader: SpanReader, line: FreshLine, text: str, given: ParsedCommand | None, doubt: str
) -> list[LineVerdict]:
    """Return the verdicts on a line below two hyphens.

    given: its command, if it is one; doubt: why orders there may not be meant, "" for no doubt.
    """
    if line.below == "attribution":
        return read_whole(reader, text, line.source)
    verdicts = reader.whole_orders(text, line.source)
    if (doubt or line.unsure) and line.below != "signature":
        verdicts = [mark_doubtful(verdict, doubt or sentence("careful_lines.unseen")) for verdict in verdicts]
    if line.below == "signature":
        return [
            replace_fields(mark_doubtful(verdict, sentence("careful_lines.in_signature")), quiet=True)
            for verdict in verdicts
        ]
    if line.below == "ours":
        # In our own notation it may be an unknown line from our emails.
        verdicts = [
            replace_fields(mark_doubtful(verdict, sentence("careful_lines.among_ours")), quiet=True)
            if verdict.said == text
            else verdict
            for verdict in verdicts
        ]
    exact = given is not None and (not given.args or strip_bullets(text).startswith(given.verb.name))
    if given is None or verdicts or not exact:
        return verdicts
    if line.below == "ours":
        return [replace_fields(ask_command(given, line, sentence("careful_lines.among_ours")), quiet=True)]
    return [ask_command(given, line, sentence("careful_lines.command_below_hyphens"))]


def ask_command(given: ParsedCommand, line: FreshLine, why: str) -> LineVerdict:
    """Return a question whether a command is meant."""
    return LineVerdict(line=given.shown, source=line.source, grade="unread", problem=why, instead=given.shown)


def name_nothing(reader: SpanReader, text: str, verdicts: Sequence[LineVerdict]) -> bool:
    """Return whether orders were read in words that name nothing, and that may be the verb of a sentence."""
    return (
        bool(verdicts)
        and all(verdict.order is not None and verdict.order.slot is None for verdict in verdicts)
        and not reader.named_ids(text)
    )


def begins_like_order(reader: SpanReader, text: str) -> bool:
    """Return whether a line would get its own reply, so that it doesn't continue a sentence above it."""
    plain = reader.filler.variants(text).plainest
    return (
        reader.is_exact(tidy(text))
        or looks_like_order(text, reader.grammar, reader.names)
        or begins_with_verb(plain, reader.grammar, reader.names)
    )


def begins_with_order(reader: SpanReader, text: str) -> bool:
    """Return whether a line begins with a whole, correctly spelt order, whatever follows it."""
    if len(text) > MAX_LINE_CHARS or not reader.names_something(text):
        return False
    return reader.is_exact(text) or bool(
        reader.whole_sizes(words(reader.filler.from_first_order(text))[:MAX_LINE_WORDS])
    )


def governs_lines_below(reader: SpanReader, text: str, turns: Callable[[], Sequence[Turn]]) -> bool:
    """Return whether lines below may depend on this one: a condition, another turn, another player's name."""
    plain = structure.in_english(strip_bullets(text))
    if (
        CONDITION_START_PATTERN.match(plain)
        or PHASE_PATTERN.match(plain)
        or is_hypothetic(text)
        or reader.is_foreign_heading(text)
    ):
        return True
    named = turn_in_heading(structure.turn_in_english(text), turns()) if keys(text) else None
    return named is not None and named != turns()[0]


def ask_unseen(
    reader: SpanReader, line: FreshLine, text: str, given: ParsedCommand | None
) -> list[LineVerdict]:
    """Return the questions about a line that may be invisible. given: its command, if it is one."""
    why = sentence("careful_lines.unseen")
    verdicts = [mark_doubtful(verdict, why) for verdict in reader.read(text, line.source)]
    if not verdicts and given is not None:
        return [LineVerdict(line=given.shown, source=line.source, grade="unread", problem=why)]
    return verdicts


# Text below a line of the quoted order sheet that contains only the change to that line.


def read_below_sheet_line(reader: "SpanReader", text: str, under: str, source: Source) -> list[LineVerdict]:
    """Return the verdict on a text that changes the order above it: "- Mao" below "F BRE H"; or none.

    under: the line of the sheet. The changed order must be for the same unit, and possible now.
    """
    plain = tidy(text).strip(" .!")
    above = reader.exact(tidy(under))
    if not above or not words(plain):
        return []
    slot = reader.build_order(above[0]).slot
    goal = plain.removeprefix(ARROW).lstrip(DASH).strip()
    line = words(under)
    for size in range(1, len(line)):
        unit = under[: line[size - 1].end]
        for candidate in (f"{unit} - {goal}", f"{unit} {plain}"):
            for verdict in reader.whole_orders(candidate, source):
                if verdict.order.slot == slot and verdict.grade in IN_FORCE:
                    problem = sentence("careful_lines.changes_line_above", line=under)
                    return [replace_fields(verdict, line=text, grade="corrected", problem=problem)]
    return []


# Lines that format=flowed has joined. The player may have ended each of them.


def split_flowed(reader: SpanReader, line: FreshLine) -> list[FreshLine]:
    """Return the parts of a joined line if they contain all its orders, otherwise the line itself."""
    parted = [replace_fields(line, text=piece, pieces=()) for piece in line.pieces if piece.strip()]
    whole = [part for part in parted if reader.whole_orders(tidy(part.text), line.source)]
    joined = reader.read(line.text, line.source, in_prose=True) if whole else []
    if (
        not whole
        or (len(joined) >= len(whole) and all(verdict.grade in IN_FORCE for verdict in joined))
        or not _orders_said(joined) <= _orders_said(_read_parts(reader, parted))
    ):
        return [replace_fields(line, pieces=())]
    return [parted[0], *(replace_fields(part, after_gap=False) for part in parted[1:])]


def _read_parts(reader: SpanReader, parts: Sequence[FreshLine]) -> list[LineVerdict]:
    """Return the verdicts on the parts of a line, each by itself, or two that are one order together."""
    verdicts: list[LineVerdict] = []
    at = 0
    while at < len(parts):
        text = JOINT_AT_END_PATTERN.sub("", tidy(parts[at].text))
        both = " ".join((text, *(tidy(part.text) for part in parts[at + 1 : at + 2])))
        size = 2 if reader.is_unfinished(text) and not reader.is_exact(text) and reader.is_exact(both) else 1
        verdicts += reader.read(both if size == 2 else text, parts[at].source, in_prose=True)
        at += size
    return verdicts


def _orders_said(verdicts: Sequence[LineVerdict]) -> set[str | None]:
    return {verdict.said for verdict in verdicts if verdict.order is not None}


# Words that lost a letter in transit. U+FFFD replaces it, and only one name may fit.


# A line is accepted only if exactly one order that is possible now fits. Otherwise we ask back.


REPLACEMENT_CHARACTER = "\ufffd"
_DAMAGED_WORD_PATTERN = re.compile(rf"[^\W_]*(?:{REPLACEMENT_CHARACTER}{{1,3}}[^\W_]*)+")
_LOST_LETTER_PATTERN = re.compile(REPLACEMENT_CHARACTER)
_MAX_FILLINGS = 60
"""The most ways to fill the gaps of a line that are tried."""


def read_damaged(reader: SpanReader, text: str, source: Source) -> list[LineVerdict]:
    """Return the verdicts on a line with lost letters; none if it doesn't have exactly one meaning.

    Each part of a list is read by itself.
    """
    all_verdicts: list[LineVerdict] = []
    for piece in split(text):
        verdicts = (
            _restore_order(reader, piece, source)
            if REPLACEMENT_CHARACTER in piece
            else reader.read(piece, source)
        )
        if not verdicts or any(verdict.grade not in IN_FORCE for verdict in verdicts):
            return []
        all_verdicts += verdicts
    return all_verdicts


def ask_damaged(reader: SpanReader, text: str, source: Source) -> list[LineVerdict]:
    """Return the questions about a line with lost letters that isn't an order as it is."""
    verdicts = reader.read(text, source) or reader.read(_LOST_LETTER_PATTERN.sub("x", text), source)
    questions = [mark_doubtful(verdict, sentence("careful_lines.damaged")) for verdict in verdicts]
    return [replace_fields(questions[0], line=text)] if len(questions) == 1 else questions


def _restore_order(reader: SpanReader, text: str, source: Source) -> list[LineVerdict]:
    """Return the verdict on one order with lost letters."""
    meanings: dict[bytes, tuple[LineVerdict, str]] = {}
    for whole, correction in islice(_fill_gaps(reader, text), _MAX_FILLINGS):
        for candidate in reader.whole_orders(whole, source):
            meanings.setdefault(canonical(candidate.order), (candidate, correction))
    if len(meanings) != 1:
        return []
    ((verdict, correction),) = meanings.values()
    if verdict.grade not in IN_FORCE:
        return []
    problem = f"{verdict.problem}; {correction}" if verdict.problem else correction
    return [replace_fields(verdict, line=text, grade="corrected", problem=problem)]


def _fill_gaps(reader: SpanReader, text: str) -> Iterator[tuple[str, str]]:
    """Yield the text with words of the game for the damaged ones, and an explanation."""
    gaps = list(_DAMAGED_WORD_PATTERN.finditer(text))
    vocabulary = reader.names.vocabulary | reader.grammar.literals
    choices = [sorted(word for word in vocabulary if _fits(gap[0], word)) for gap in gaps]
    for chosen in product(*choices):
        whole, end = "", 0
        for gap, word in zip(gaps, chosen, strict=True):
            whole += text[end : gap.start()] + word
            end = gap.end()
        correction = "; ".join(
            sentence("careful_lines.restored", typed=gap[0], name=word.title())
            for gap, word in zip(gaps, chosen, strict=True)
        )
        yield whole + text[end:], correction


def _fits(typed: str, word: str) -> bool:
    """Return whether a word may have been typed. Each gap replaces one letter of any number of bytes."""
    pieces = re.split(f"{REPLACEMENT_CHARACTER}+", typed)
    if sum(map(len, pieces)) + len(pieces) - 1 != len(word) or len(word) < 3:
        return False
    at = 0
    for piece in pieces:
        if word[at : at + len(piece)] != fold(piece):
            return False
        at += len(piece) + 1
    return True


# Names with two meanings, decided by the language of the other lines of an email.


# Rule 1: one meaning has a name that begins so in the language of the other lines, and no other has.
# Rule 2: each line is in the language of most of its names, and all lines have to be in one language.
# Rule 3: if several languages are possible, those that contain such a name have to agree.


def settle_by_language(
    verdicts: Sequence[LineVerdict], reader: SpanReader, tongues: Callable[[], Mapping[str, Lexicon]]
) -> list[LineVerdict]:
    """Return the verdicts, with ambiguities resolved if a language decides.

    tongues: the names of each language other than the game's own.
    """
    if not any(verdict.line in reader.unsettled for verdict in verdicts):
        return list(verdicts)
    names = {language: index_lexicon(lexicon) for language, lexicon in tongues().items()}
    spoken = _languages_of([verdict.line for verdict in verdicts if verdict.grade in IN_FORCE], reader, names)
    return [_settle_verdict(verdict, reader, names, spoken) for verdict in verdicts]


def _languages_of(
    lines: Sequence[str], reader: SpanReader, names: Mapping[str, NameIndex]
) -> tuple[str, ...]:
    """Return the languages of all lines with names that the game's own language doesn't have."""
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
    """Return how many names in a text are from a language and not from the game's own."""
    line = words(text)
    return sum(
        max((end for end, _ in names.at(line, place)), default=0)
        > max((end for end, _ in own.at(line, place)), default=0)
        for place in range(len(line))
    )


def _settle_verdict(
    verdict: LineVerdict, reader: SpanReader, names: Mapping[str, NameIndex], spoken: Sequence[str]
) -> LineVerdict:
    """Return a verdict with the meaning that the languages of the lines have."""
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
        sentence(
            "careful_lines.read_by_language",
            typed=repair.typed,
            name=repair.term.names[0],
            languages=join_list(spoken),
        )
        for repair in match.repairs
        if repair.term is not None
    )
    text = reader.order_text(order)
    return replace_fields(verdict, grade="corrected", order=order, said=text, problem=problem, candidates=())


def _is_named(match: FormMatch, names: NameIndex) -> bool:
    """Return whether each corrected name in a meaning begins like that name in a language."""
    for repair in match.repairs:
        typed = " ".join(keys(repair.typed))
        if repair.term is None or repair.term.id not in {
            term.id for term in names.terms_beginning(typed, frozenset((repair.term.sort,)))
        }:
            return False
    return True


# Lines of chat that repeat an order which another line of the same email gives in full. They are remarks.


# Rule 1: the order must be for a unit or another thing that has one order. Others may be meant twice.
# Rule 2: we ask back if words may deny the order, make it conditional, leave a choice, doubt it or name
# another place.


def says_nothing_else(reader: SpanReader, text: str, around: str, verdicts: Sequence[LineVerdict]) -> bool:
    """Return whether a line contains nothing about its orders that would contradict them elsewhere.

    around: the line with its possible continuation above and below.
    """
    if past_cross(tidy(text))[0] or is_hypothetic(text) or why_changing(around) is not None:
        return False
    label = reader.filler.label(text) if ":" in text else None
    if label is not None and keys(label) in reader.seats:
        return False
    canonical = " ".join(verdict.said or "" for verdict in verdicts)
    if any(any(map(str.isdigit, key)) for key in set(keys(text)) - set(keys(canonical))):
        # A number may name a year, a place or a coast.
        return False
    return _named_places(reader, text) <= reader.named_ids(canonical)


def _named_places(reader: SpanReader, text: str) -> frozenset[str]:
    """Return the places that a text names, except words of chat that are abbreviations too: "all", "i"."""
    line = words(tidy(text))
    return frozenset(
        term.id
        for at in range(len(line))
        for end, terms in reader.names.at(line, at)[:1]
        for term in terms
        if term.sort == reader.grammar.main_sort
        and not (end == at + 1 and (is_talk(line[at].key) or is_chat(line[at].key)))
    )


def drop_repetitions(verdicts: Sequence[LineVerdict], candidates: Collection[int]) -> list[LineVerdict]:
    """Return the verdicts without the questions about orders that another line gives in full.

    candidates: the places of the verdicts on lines that contain nothing else.
    """
    given = {
        verdict.said
        for verdict in mark_superseded(verdicts)
        if verdict.in_force and verdict.order is not None and (verdict.when or NOW) == NOW
    }
    return [
        verdict
        for place, verdict in enumerate(verdicts)
        if place not in candidates
        or verdict.grade != "doubtful"
        or verdict.order is None
        or verdict.order.slot is None
        or verdict.said not in given
    ]
