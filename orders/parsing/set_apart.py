"""Lines that need care: set apart, below a sheet's line, joined, damaged, or in several languages."""

# Rule 1: below a line of two hyphens whole orders are read, a command is asked back, all else is left.
# Rule 2: in a signature (RFC 3676, 4.3) whole orders are asked back, and no turn waits for that.
# Rule 3: among lines of ours, quoted without marks, whole orders are read, but for those as we write them.
# Rule 4: an order before the words that say who is quoted is asked back.
# Rule 5: what may be invisible is acted upon in no way.

from collections.abc import Callable, Sequence

from games.protocol import Turn
from games.record import replace_fields
from orders.commands import ParsedCommand
from orders.letters.body import FreshLine
from orders.parsing import structure
from orders.parsing.beginnings import MAX_LINE_WORDS, read_whole
from orders.parsing.column import CONDITION_START_PATTERN, PHASE_PATTERN
from orders.parsing.near_misses import begins_with_verb, looks_like_order
from orders.parsing.phases import turn_in_heading
from orders.parsing.prose import is_hypothetic
from orders.parsing.span import MAX_LINE_CHARS, SpanReader
from orders.verdict import LineVerdict, mark_doubtful
from orders.words import keys, strip_bullets, tidy, words

_IN_SIGNATURE_DOUBT = "it stands in your signature"
_AMONG_OURS_DOUBT = "it stands among lines of ours: if you mean it, write it above them"
_UNSEEN_DOUBT = "it may not be seen in your letter, so write it once more in plain text"
_COMMAND_BELOW_HYPHENS_DOUBT = (
    "it stands below a line of two hyphens: if you mean it, write it above that line"
)


def read_below_hyphens(
    reader: SpanReader, line: FreshLine, text: str, given: ParsedCommand | None, doubt: str
) -> list[LineVerdict]:
    """Return the verdicts on a line below two hyphens.

    given: the command that it is; doubt: why orders there may not be meant, "" for nothing.
    """
    if line.below == "attribution":
        return read_whole(reader, text, line.source)
    verdicts = reader.whole_orders(text, line.source)
    if (doubt or line.unsure) and line.below != "signature":
        verdicts = [mark_doubtful(verdict, doubt or _UNSEEN_DOUBT) for verdict in verdicts]
    if line.below == "signature":
        return [
            replace_fields(mark_doubtful(verdict, _IN_SIGNATURE_DOUBT), quiet=True) for verdict in verdicts
        ]
    if line.below == "ours":
        # As we write it ourselves, it may be a line of ours that is not known.
        verdicts = [
            replace_fields(mark_doubtful(verdict, _AMONG_OURS_DOUBT), quiet=True)
            if verdict.said == text
            else verdict
            for verdict in verdicts
        ]
    exact = given is not None and (not given.args or strip_bullets(text).startswith(given.verb.name))
    if given is None or verdicts or not exact:
        return verdicts
    if line.below == "ours":
        return [replace_fields(ask_command(given, line, _AMONG_OURS_DOUBT), quiet=True)]
    return [ask_command(given, line, _COMMAND_BELOW_HYPHENS_DOUBT)]


def ask_command(given: ParsedCommand, line: FreshLine, why: str) -> LineVerdict:
    """Return the question whether a command is meant."""
    return LineVerdict(line=given.shown, source=line.source, grade="unread", problem=why, instead=given.shown)


def name_nothing(reader: SpanReader, text: str, verdicts: Sequence[LineVerdict]) -> bool:
    """Return whether orders were read in words that name nothing, which may be the verb of a sentence."""
    return (
        bool(verdicts)
        and all(one.order is not None and one.order.slot is None for one in verdicts)
        and not reader.named_ids(text)
    )


def begins_like_order(reader: SpanReader, text: str) -> bool:
    """Return whether a line would be answered by itself, so that it goes on in no sentence above it."""
    plain = reader.filler.plainest(text)
    return (
        reader.is_exact(tidy(text))
        or looks_like_order(text, reader.grammar, reader.names)
        or begins_with_verb(plain, reader.grammar, reader.names)
    )


def begins_with_order(reader: SpanReader, text: str) -> bool:
    """Return whether a line begins with a whole order as it is spelt, whatever stands behind it."""
    if len(text) > MAX_LINE_CHARS or not reader.names_something(text):
        return False
    return reader.is_exact(text) or bool(
        reader.whole_sizes(words(reader.filler.from_first_order(text))[:MAX_LINE_WORDS])
    )


def governs_lines_below(reader: SpanReader, text: str, turns: Callable[[], Sequence[Turn]]) -> bool:
    """Return whether lines below may depend on this one: a condition, another turn, another's name."""
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
    """Return the questions about a line that may be invisible. given: the command that it is."""
    verdicts = [mark_doubtful(verdict, _UNSEEN_DOUBT) for verdict in reader.read(text, line.source)]
    if not verdicts and given is not None:
        return [LineVerdict(line=given.shown, source=line.source, grade="unread", problem=_UNSEEN_DOUBT)]
    return verdicts
