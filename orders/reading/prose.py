"""Text that people write around orders: politeness, labels, remarks, changes of mind, running prose."""

import re
from functools import lru_cache

from games.data import read_toml
from orders.reading.labels import is_opening
from orders.reading.near_misses import is_courtesy
from orders.reading.remarks import begins_changing
from orders.words import keys, spell_umlauts

FULL_LINE_CHARS = 62
"""A line of so many characters is likely to have been broken by a program."""

_HANGING = re.compile(
    r"^(?:if|when|unless|in case)\b.*[^.!?]$|\b(?:if|unless|or|not)[^\w.!?]*$|,$", re.IGNORECASE
)
_GREETING_PATTERN = re.compile(
    r"^(?:hi|hello|hey|dear|greetings|good (?:morning|day|afternoon|evening)|hallo|liebe[rs]?|guten|moin"
    r"|servus|bonjour|bonsoir|salut|ch[eè]re?s?|hola|buen[oa]s|estimad\w+|ciao)\b|^\W*\w+(?: \w+)?\W*$",
    re.IGNORECASE,
)
_MIN_SENTENCE_WORDS = 4
_MIN_CONTINUATION_WORDS = 3
_MIN_BROKEN_LINE_CHARS = 45
"""A line of so many characters may have been broken by a program, if the one below reads so."""
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
"""What makes an idea of what follows where a colon ends the line."""

_OWN_ORDERS_PATTERN = re.compile(r"\b(?:my|our|mine|these are the|final)\b.*\borders?\b", re.IGNORECASE)
_CONDITION = re.compile(r"\b(?:if|unless|in case|provided|assuming|depending)\b", re.IGNORECASE)


def is_hypothetic(text: str) -> bool:
    """Return whether a line of prose makes the orders below it an idea, another's or another time's."""
    if _OWN_ORDERS_PATTERN.search(text) and not _CONDITION.search(text):
        return False
    if _HYPOTHETIC.search(text):
        return True
    return text.endswith(":") and bool(
        _HYPOTHETIC_LEAD_PATTERN.search(text) or (begins_changing(text) and not is_opening(text[:-1]))
    )


def runs_on(above: str, line: str, after_gap: bool) -> bool:
    """Return whether what stands above, "" for nothing that counts, may govern a line or go on in it.

    It hangs in the air ("If you agree"), or the line's first word had no room there. after_gap: an empty
    or a quoted line stands between them.
    """
    if not after_gap and _HANGING.search(above) and not _GREETING_PATTERN.search(above):
        return True
    if after_gap or above[-1:] in ("", *".!?:;)"):
        return False
    return len(above) + 1 + len(line.split()[0]) >= FULL_LINE_CHARS


def goes_through(above: str, below: str) -> bool:
    """Return whether a sentence of prose begins in the line above and goes on in the one below.

    above, below: "" for none that stands right there.
    """
    if above[-1:] in ("", *".!?:;)") or _GREETING_PATTERN.search(above):
        return False
    return len(above.split()) >= _MIN_SENTENCE_WORDS and below.lstrip()[:1].islower()


def begins_sentence(below: str) -> bool:
    """Return whether a line may go on in a sentence that a word above begins: "Wait / until I know"."""
    return below[:1].islower() and len(below.split()) >= _MIN_CONTINUATION_WORDS and not is_courtesy(below)


def continues_sentence(above: str, line: str) -> bool:
    """Return whether a sentence that a program broke goes on in a line, right below one of prose."""
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
