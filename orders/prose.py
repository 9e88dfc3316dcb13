"""Whether a line of prose runs on into the line below it, which reads like an order."""

import re

FULL_LINE = 62
"""A line of so many characters is likely to have been broken by a program."""

_HANGING = re.compile(
    r"^(?:if|when|unless|in case)\b.*[^.!?]$|\b(?:if|unless|or|not)[^\w.!?]*$|,$", re.IGNORECASE
)
_GREETING = re.compile(
    r"^(?:hi|hello|hey|dear|greetings|good (?:morning|day|afternoon|evening)|hallo|liebe[rs]?|guten|moin"
    r"|servus|bonjour|bonsoir|salut|ch[eè]re?s?|hola|buen[oa]s|estimad\w+|ciao)\b|^\W*\w+(?: \w+)?\W*$",
    re.IGNORECASE,
)


def runs_on(above: str, line: str, after_gap: bool) -> bool:
    """Whether what stands above, "" for nothing that counts, may govern a line or go on in it.

    It hangs in the air ("If you agree"), or the line's first word had no room there. after_gap: an empty or a
    quoted line stands between them.
    """
    if not after_gap and _HANGING.search(above) and not _GREETING.search(above):
        return True
    if after_gap or above[-1:] in ("", *".!?:;)"):
        return False
    return len(above) + 1 + len(line.split()[0]) >= FULL_LINE
