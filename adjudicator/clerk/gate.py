"""The gate: an ordered table of checks that a letter passes before anybody reads it.

Read GATE aloud: our own letter is ignored, one that came back is noted, a robot's is ignored, and so is one
whose subject says that somebody is away, if it has no order; a list's waits for the gamesmaster; the rest is
read. What is too heavy waits too, and is not taken apart. Silence means "no answer", never "order dropped".
"""

import re
from collections.abc import Callable
from functools import cache

from adjudicator.catalogue import sentence
from adjudicator.clerk.limits import head_of, weigh_body, weigh_head
from adjudicator.office import Office
from adjudicator.signs.addresses import bounced, is_own, valid_address
from games.data import read_toml
from games.record import Value
from orders.letters.letter import Letter, open_letter
from orders.words import fold

ROBOT_SENDER = re.compile(r"^(mailer-daemon|postmaster)@", re.IGNORECASE)
RECEIPT = re.compile(r"disposition-notification|feedback-report")
NO_REPLY = re.compile(r"^(no-?reply|do-?not-?reply)[^@]*@", re.IGNORECASE)


RETURNED, ABSENCE = "returned", "absence"


class Passed(Value, frozen=True):
    """How a letter came through: "read", "ignored" or "quarantined", and why.

    weak: it bears a sign of a robot that a person's letter may bear too; it is read only if it authenticates.
    returned: it tells of a letter of ours that came back; heavy: no more than its head was looked at.
    is_absence: its subject is that of a program which answers for somebody, and nothing else shows a robot:
    it is read if it has an order.
    """

    disposition: str
    why: str | None = None
    weak: bool = False
    returned: bool = False
    heavy: bool = False
    is_absence: bool = False


IsOurs = Callable[[str], bool]
"""Whether a Message-ID is that of a letter of ours."""

Check = Callable[[Letter, IsOurs, Office], str | None]


def _our_own(letter: Letter, is_ours: IsOurs, office: Office) -> str | None:
    ours = is_own(letter.sender, office.address) or "x-turnpost" in letter.marks
    return sentence("clerk.gate.our_own") if ours or is_ours(letter.message_id) else None


def _bounce(letter: Letter, is_ours: IsOurs, office: Office) -> str | None:
    kind = letter.marks.get("content-type", "").lower()
    report = kind.startswith("multipart/report") and not RECEIPT.search(kind)
    # Who is on holiday is told of by the same way; but that is no server, and says that it is a robot.
    server = ROBOT_SENDER.match(letter.sender) or not letter.sender
    prose = server and _auto(letter) == "no" and bounced(office.address, office.key, letter.recipients)
    return sentence("clerk.gate.of_a_server") if report or prose else None


def _robot(letter: Letter, is_ours: IsOurs, office: Office) -> str | None:
    if (auto := _auto(letter)) != "no":
        return sentence("clerk.gate.of_a_robot", auto=auto)
    if RECEIPT.search(letter.marks.get("content-type", "").lower()):
        return sentence("clerk.gate.a_receipt")
    if letter.marks.get("return-path", "-").strip() in ("<>", ""):
        return sentence("clerk.gate.no_return_path")
    if {"x-loop", "x-autoreply", "x-autorespond"} & set(letter.marks):
        return sentence("clerk.gate.a_loop_mark")
    if ROBOT_SENDER.match(letter.sender) or _begins(letter.subject, "servers"):
        return sentence("clerk.gate.sender_or_subject_of_a_robot")
    return None


@cache
def _subjects(sort: str) -> tuple[str, ...]:
    """How subjects of that sort begin, whatever their letters."""
    table = read_toml("orders", "robots.toml")[sort]
    return tuple(" ".join(fold(one).split()) for several in table.values() for one in several)


def _begins(subject: str, sort: str) -> bool:
    """Whether a subject begins as those of that sort do (orders/robots.toml)."""
    return " ".join(fold(subject[:200]).split()).startswith(_subjects(sort))


def _absence(letter: Letter, is_ours: IsOurs, office: Office) -> str | None:
    away = _begins(letter.subject, "absences")
    return sentence("clerk.gate.sender_or_subject_of_a_robot") if away else None


def _list(letter: Letter, is_ours: IsOurs, office: Office) -> str | None:
    precedence = letter.marks.get("precedence", "").strip().lower()
    listed = precedence == "list" or {"list-id", "list-post"} & set(letter.marks)
    return sentence("clerk.gate.through_a_list") if listed else None


def _nobody(letter: Letter, is_ours: IsOurs, office: Office) -> str | None:
    return None if valid_address(letter.sender) else sentence("clerk.gate.nobody_to_answer")


GATE: tuple[tuple[Check, str], ...] = (
    (_our_own, "ignored"),
    (_bounce, RETURNED),
    (_robot, "ignored"),
    (_absence, ABSENCE),
    (_list, "quarantined"),
    (_nobody, "quarantined"),
)


def disposition(letter: Letter, is_ours: IsOurs, office: Office) -> Passed:
    """Go down the table; the first check that matches decides, and what matches none is read."""
    for check, verdict in GATE:
        why = check(letter, is_ours, office)
        if why is not None:
            returned, is_absence = verdict == RETURNED, verdict == ABSENCE
            said = "ignored" if returned or is_absence else verdict
            return Passed(said, why, returned=returned, is_absence=is_absence)
    return Passed("read", weak=_weak(letter))


def admit(raw: bytes, is_ours: IsOurs, office: Office) -> tuple[Letter, Passed]:
    """A letter in its bytes, opened as far as it may be, and how it came through.

    What is too heavy is not taken apart: of such a letter the head alone is opened, or nothing at all.
    """
    if (why := weigh_head(raw)) is not None:
        return Letter(size_bytes=len(raw)), Passed("quarantined", why)
    why = weigh_body(raw, office.largest_letter)
    letter = open_letter(raw if why is None else head_of(raw))
    passed = disposition(letter, is_ours, office)
    if why is not None and passed.disposition == "read":
        passed = Passed("quarantined", why, passed.weak, heavy=True)
    return letter, passed


def vouched(raw: bytes) -> tuple[Letter, Passed]:
    """A letter that the gamesmaster wants to be read, whatever it bears."""
    return open_letter(raw), Passed("read")


def _auto(letter: Letter) -> str:
    return letter.marks.get("auto-submitted", "no").split(";")[0].strip().lower() or "no"


def _weak(letter: Letter) -> bool:
    precedence = letter.marks.get("precedence", "").strip().lower()
    suppressed = "x-auto-response-suppress" in letter.marks
    return precedence in ("bulk", "junk", "auto_reply") or suppressed or bool(NO_REPLY.match(letter.sender))
