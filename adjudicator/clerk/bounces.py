"""Letters that tell of a letter of ours that came back: which one it was, and whether for good.

Each letter of ours goes out from an address of its own, to which servers send it back (VERP), so that nothing
has to be guessed from what they write. Reports are read as RFC 3464 has them; a server that writes prose
still writes its code.
"""

import re
from collections.abc import Sequence

from adjudicator.catalogue import sentence
from adjudicator.clerk.keys import NONE, keys_of
from adjudicator.clock import spoken
from adjudicator.ledger.books import Books
from adjudicator.ledger.letters import Handled, Outgoing
from adjudicator.ledger.returns import WINDOW, Bounce, Posting, is_too_much
from adjudicator.office import Desk, Office
from adjudicator.reports.messages import Heading, Reader, notice
from adjudicator.signs.addresses import bounced
from orders.letters.headers import safe
from orders.letters.letter import Letter

DELIVERY, ARRIVED = "delivery-status", frozenset({"delivered", "relayed", "expanded"})
_ACTION = re.compile(r"^action:[ \t]*([a-z]+)", re.IGNORECASE | re.MULTILINE)
_STATUS = re.compile(r"^status:[ \t]*([245])\.\d{1,3}\.\d{1,3}", re.IGNORECASE | re.MULTILINE)
_DIAGNOSIS = re.compile(
    r"^diagnostic-code:(?:[ \t]*[a-z]+;)?[ \t]*([^\n]{1,500}(?:\n[ \t][^\n]{1,500}){0,4})",
    re.IGNORECASE | re.MULTILINE,
)
_CODE = re.compile(r"(?<![\d.])([45])(?:\d\d(?=[ -])|\.\d{1,3}\.\d{1,3}(?!\.?\d))")
_LONGEST_WHY = 200


def returned(letter: Letter, desk: Desk) -> Handled:
    """What is done about a letter that the gate took for a server's report."""
    sender = bounced(desk.office.address, desk.office.key, letter.recipients)
    posting = desk.books.returns.posting(sender) if sender else None
    if posting is None:
        return _ignored(sentence("clerk.bounces.no_letter_of_ours"), letter)
    hard, why = verdict(letter)
    why = _veiled(why, posting, desk.books, desk.office)
    if hard is None:
        return _ignored(sentence("clerk.bounces.arrived", number=posting.number), letter, posting)
    bounce = Bounce(letter=posting.number, address=posting.to, hard=hard, why=why)
    before = [
        one
        for one in desk.books.returns.bounces(posting.to, desk.now - WINDOW)
        if one.letter != posting.number
    ]
    dead = is_too_much((*before, bounce)) and not desk.books.returns.is_dead(posting.to)
    if dead:
        bounce = Bounce(letter=posting.number, address=posting.to, hard=hard, why=why, dead=True)
    told = (_given_up(bounce, desk),) if dead else ()
    said = sentence("clerk.bounces.came_back", number=posting.number, address=posting.to, hard=hard, why=why)
    return _ignored(said, letter, posting, bounce, told)


def _veiled(why: str, posting: Posting, books: Books, office: Office) -> str:
    """What a server says, which may repeat of our letter what it likes."""
    keys = keys_of(posting.game, books, office) if posting.game else NONE
    return keys.redacted(why)


def verdict(letter: Letter) -> tuple[bool | None, str]:
    """Whether a letter of ours was refused for good (None: it has arrived), and what the server said."""
    reports = [part.text for part in letter.parts if part.name == DELIVERY and part.text.strip()]
    if not reports:
        return _from_prose("\n".join(part.text for part in letter.parts if part.kind == "plain"), letter)
    text = "\n".join(reports)
    actions = {action.lower() for action in _ACTION.findall(text)}
    if actions and actions <= ARRIVED:
        return None, ""
    diagnosis, code = _DIAGNOSIS.search(text), _STATUS.search(text)
    why = safe(diagnosis[1]) if diagnosis else safe(code[0]) if code else safe(letter.subject)
    final = code[1] == "5" if code else _first_code(why) == "5"
    return "failed" in actions and final, why[:_LONGEST_WHY]


def _from_prose(text: str, letter: Letter) -> tuple[bool, str]:
    line = next((line for line in text.splitlines() if _CODE.search(line)), letter.subject)
    return _first_code(line) == "5", safe(line)[:_LONGEST_WHY]


def _first_code(text: str) -> str | None:
    found = _CODE.search(text)
    return found[1] if found else None


def _given_up(bounce: Bounce, desk: Desk) -> Outgoing:
    """The notice to the gamesmaster; never one to the address itself."""
    paragraphs = (
        sentence(
            "clerk.bounces.given_up",
            address=bounce.address,
            seats=desk.books.seats_of(bounce.address),
            at=spoken(desk.now, desk.office.zone),
            why=bounce.why,
        ),
        sentence("clerk.bounces.nothing_more_is_sent"),
        f"gm mail revive {bounce.address}",
        sentence("clerk.bounces.another_address"),
    )
    reader = Reader(address=desk.office.address, zone=desk.office.zone)
    key = f"dead/{bounce.address}/{bounce.letter}"
    subject = sentence("clerk.bounces.given_up_subject", address=bounce.address)
    return notice(reader, Heading(key, subject), paragraphs)


def _ignored(
    why: str,
    letter: Letter,
    posting: Posting | None = None,
    bounce: Bounce | None = None,
    answers: Sequence[Outgoing] = (),
) -> Handled:
    return Handled(
        disposition="ignored",
        why=why,
        speaker=letter.sender or None,
        game=posting.game if posting else None,
        seat=posting.seat if posting else None,
        answers=tuple(answers),
        bounce=bounce,
    )
