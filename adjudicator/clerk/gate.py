"""The gate: an ordered table of checks that a letter passes before anybody reads it.

Read GATE aloud: our own letter is ignored, a bounce is ignored, a robot's is ignored, a list's and an
overlarge one wait for the gamesmaster; the rest is read. Silence means "no answer", never "order dropped".
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from adjudicator.office import Office
from orders.letter import Letter

VACATION = re.compile(
    r"^\s*("
    r"automatic reply|auto(matic)?[ -]?(response|reply|antwort)|automatische antwort|out of (the )?office"
    r"|abwesenheitsnotiz|abwesend|réponse automatique|absence du bureau"
    r"|respuesta automática|fuera de la oficina"
    r"|undelivered mail|delivery status notification|mail delivery (failed|subsystem)"
    r")",
    re.IGNORECASE,
)
ROBOT_SENDER = re.compile(r"^(mailer-daemon|postmaster)@", re.IGNORECASE)
NO_REPLY = re.compile(r"^(no-?reply|do-?not-?reply)[^@]*@", re.IGNORECASE)


@dataclass(frozen=True)
class Passed:
    """How a letter came through: "read", "ignored" or "quarantined", and why.

    weak: it bears a sign of a robot that a person's letter may bear too; it is read only if it authenticates.
    """

    disposition: str
    why: str | None = None
    weak: bool = False


IsOurs = Callable[[str], bool]
"""Whether a Message-ID is that of a letter of ours."""

Check = Callable[[Letter, IsOurs, Office], str | None]


def _our_own(letter: Letter, is_ours: IsOurs, office: Office) -> str | None:
    ours = letter.sender == office.address or "x-turnpost" in letter.marks
    return "a letter of our own came back" if ours or is_ours(letter.message_id) else None


def _bounce(letter: Letter, is_ours: IsOurs, office: Office) -> str | None:
    report = letter.marks.get("content-type", "").lower().startswith("multipart/report")
    return "a mail server reports on a letter of ours" if report else None


def _robot(letter: Letter, is_ours: IsOurs, office: Office) -> str | None:
    auto = letter.marks.get("auto-submitted", "no").split(";")[0].strip().lower()
    if auto != "no":
        return f"a robot wrote it (Auto-Submitted: {auto})"
    if letter.marks.get("return-path", "-").strip() in ("<>", ""):
        return "a robot wrote it (no return path)"
    if {"x-loop", "x-autoreply", "x-autorespond"} & set(letter.marks):
        return "a robot wrote it (a loop mark)"
    if ROBOT_SENDER.match(letter.sender) or VACATION.match(letter.subject):
        return "a robot wrote it (by its sender or subject)"
    return None


def _list(letter: Letter, is_ours: IsOurs, office: Office) -> str | None:
    precedence = letter.marks.get("precedence", "").strip().lower()
    listed = precedence == "list" or {"list-id", "list-post"} & set(letter.marks)
    return "it came through a mailing list" if listed else None


def _overlarge(letter: Letter, is_ours: IsOurs, office: Office) -> str | None:
    if letter.size_bytes <= office.largest_letter:
        return None
    return f"it has {letter.size_bytes:,} bytes; we read up to {office.largest_letter:,}"


def _nobody(letter: Letter, is_ours: IsOurs, office: Office) -> str | None:
    return None if letter.sender else "it has no sender that could be answered"


GATE: tuple[tuple[Check, str], ...] = (
    (_our_own, "ignored"),
    (_bounce, "ignored"),
    (_robot, "ignored"),
    (_list, "quarantined"),
    (_overlarge, "quarantined"),
    (_nobody, "quarantined"),
)


def disposition(letter: Letter, is_ours: IsOurs, office: Office) -> Passed:
    """Go down the table; the first check that matches decides, and what matches none is read."""
    for check, verdict in GATE:
        why = check(letter, is_ours, office)
        if why is not None:
            return Passed(verdict, why)
    return Passed("read", weak=_weak(letter))


def _weak(letter: Letter) -> bool:
    precedence = letter.marks.get("precedence", "").strip().lower()
    suppressed = "x-auto-response-suppress" in letter.marks
    return precedence in ("bulk", "junk", "auto_reply") or suppressed or bool(NO_REPLY.match(letter.sender))
