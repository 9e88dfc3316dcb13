"""Lines that are looked at with care: below two hyphens, among lines of ours, or perhaps invisible."""

# Rule 1: below a line of two hyphens whole orders are read, a command is asked back, all else is left.
# Rule 2: in a signature (RFC 3676, 4.3) whole orders are asked back, and no turn waits for that.
# Rule 3: among lines of ours, quoted without marks, whole orders are read, but for those as we write them.
# Rule 4: an order before the words that say who is quoted is asked back.
# Rule 5: what may be invisible is acted upon in no way.

from collections.abc import Callable, Sequence

from games.protocol import Turn
from games.record import changed
from orders.commands import Given
from orders.letters.body import FreshLine
from orders.parsing import structure
from orders.parsing.beginnings import whole
from orders.parsing.column import OPENS, PHASE
from orders.parsing.phases import heading
from orders.parsing.prose import is_hypothetic
from orders.parsing.span import Reader
from orders.verdict import Verdict, doubted
from orders.words import keys, unbulleted

_SIGNED = "it stands in your signature"
_OURS = "it stands among lines of ours: if you mean it, write it above them"
_UNSEEN = "it may not be seen in your letter, so write it once more in plain text"
_COMMAND = "it stands below a line of two hyphens: if you mean it, write it above that line"


def below_hyphens(
    reader: Reader, line: FreshLine, text: str, given: Given | None, doubt: str
) -> list[Verdict]:
    """Return the verdicts on a line below two hyphens.

    given: the command that it is; doubt: why orders there may not be meant, "" for nothing.
    """
    if line.below == "attribution":
        return whole(reader, text, line.source)
    verdicts = reader.whole_orders(text, line.source)
    if (doubt or line.unsure) and line.below != "signature":
        verdicts = [doubted(one, doubt or _UNSEEN) for one in verdicts]
    if line.below == "signature":
        return [changed(doubted(one, _SIGNED), quiet=True) for one in verdicts]
    if line.below == "ours":
        # As we write it ourselves, it may be a line of ours that is not known.
        verdicts = [changed(doubted(one, _OURS), quiet=True) if one.said == text else one for one in verdicts]
    exact = given is not None and (not given.args or unbulleted(text).startswith(given.verb.name))
    if given is None or verdicts or not exact:
        return verdicts
    if line.below == "ours":
        return [changed(asked_command(given, line, _OURS), quiet=True)]
    return [asked_command(given, line, _COMMAND)]


def asked_command(given: Given, line: FreshLine, why: str) -> Verdict:
    """Return the question whether a command is meant."""
    return Verdict(line=given.shown, source=line.source, grade="unread", problem=why, instead=given.shown)


def name_no_unit(verdicts: Sequence[Verdict]) -> bool:
    """Whether orders were read and none is for a unit: their words may be the verb of a sentence."""
    return bool(verdicts) and all(one.order is not None and one.order.slot is None for one in verdicts)


def governs(reader: Reader, text: str, turns: Callable[[], Sequence[Turn]]) -> bool:
    """Whether what stands below a line there may hang on it: a condition, another turn, another's name."""
    plain = structure.in_english(unbulleted(text))
    if OPENS.match(plain) or PHASE.match(plain) or is_hypothetic(text) or reader.is_foreign_heading(text):
        return True
    named = heading(structure.turn_in_english(text), turns()) if keys(text) else None
    return named is not None and named != turns()[0]


def unseen(reader: Reader, line: FreshLine, text: str, given: Given | None) -> list[Verdict]:
    """Return the questions about a line that may be invisible. given: the command that it is."""
    verdicts = [doubted(one, _UNSEEN) for one in reader.read(text, line.source)]
    if not verdicts and given is not None:
        return [Verdict(line=given.shown, source=line.source, grade="unread", problem=_UNSEEN)]
    return verdicts
