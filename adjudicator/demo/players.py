"""The scripted players: each reads its own mail and answers in a manner of its own.

They know what a player knows: the letters in their Maildir, and the game's rules. What to order they take
from the bots' first level; how to say it, and which slips to make on the way, is written here.
"""

import re
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime
from hashlib import sha256
from pathlib import Path

from adjudicator.clock import Millis, datetime_of
from games.protocol import Game, Seat, View


@dataclass(frozen=True)
class ScriptedPlayer:
    """One scripted player. hours: how long after a report the answer is written."""

    seat: Seat
    address: str
    name: str
    hours: int


IROQUOIS = ScriptedPlayer(Seat("Iroquois"), "iroquois@example.org", "The Iroquois", 5)
DAKOTA = ScriptedPlayer(Seat("Dakota"), "dakota@example.org", "The Dakota", 20)
MUSKHOGEAN = ScriptedPlayer(Seat("Muskhogean"), "muskhogean@example.org", "The Muskhogean", 26)
PLAYERS = (IROQUOIS, DAKOTA, MUSKHOGEAN)


def latest_letter(maildir: Path) -> EmailMessage:
    """Return the latest letter that can be replied to. Raises StopIteration if none ever came."""
    files = sorted((maildir / "new").iterdir(), key=lambda file: file.name, reverse=True)
    letters = (message_from_bytes(file.read_bytes(), policy=policy.default) for file in files)
    return next(letter for letter in letters if letter["Reply-To"])


def plain_text(letter: EmailMessage) -> str:
    """Return the text of a letter as its reader sees it."""
    body = letter.get_body(("plain",))
    return str(body.get_content()) if body else ""


def find_password(maildir: Path) -> str:
    """Return the password from a player's welcome letter."""
    for file in sorted((maildir / "new").iterdir(), key=lambda file: file.name):
        text = plain_text(message_from_bytes(file.read_bytes(), policy=policy.default))
        match = re.search(r"SIGNON \S+ \S+ (\S+)", text)
        if match:
            return match[1]
    raise LookupError("no letter with a password came")


def write_in_full(order: str, game: Game, view: View) -> str:
    """Return a canonical order with the names of provinces written out, as people write them."""
    names = {
        name: term.names[0] for term in game.notation.lexicon(view) for name in term.names if len(name) == 3
    }
    return re.sub(r"\b[A-Z]{3}\b", lambda match: names.get(match[0], match[0]), order)


def write_terse_letter(player: ScriptedPlayer, to: EmailMessage, orders: list[str], at: Millis) -> bytes:
    """Write from a terminal: lower case, abbreviations, the report quoted below, a signature."""
    quoted = "".join(f"> {line}\n" for line in plain_text(to).splitlines())
    lines = [order.lower().removeprefix("w ") for order in orders]
    text = "\n".join(lines) + f"\n\n{_attribution(to)}\n{quoted}\n-- \n{player.name}\nSent with mutt\n"
    return _answer(player, to, text, at).as_bytes(policy=policy.SMTP)


def write_phone_letter(player: ScriptedPlayer, to: EmailMessage, orders: list[str], at: Millis) -> bytes:
    """Write from a phone: names in full, arrows and dashes as the phone makes them, HTML beside the text."""
    lines = [
        order.removeprefix("W ").replace(" - ", " → ").replace(" S W ", " supports ") for order in orders
    ]
    text = "Hi,\n\nhere are my orders:\n\n" + "\n".join(lines) + "\n\nSent from my phone\n"
    letter = _answer(player, to, f"{text}\n{_attribution(to)}\n> …\n", at)
    page = "".join(_div(line) for line in ("Hi,", "here are my orders:", *lines, "", "Sent from my phone"))
    quoted = "<br>".join(_escape_html(line) for line in plain_text(to).splitlines())
    quote = f'{_div(_attribution(to))}<blockquote class="gmail_quote">{quoted}</blockquote>'
    letter.add_alternative(
        f'<html><body>{page}<div class="gmail_quote">{quote}</div></body></html>', subtype="html"
    )
    return letter.as_bytes(policy=policy.SMTP)


def write_office_letter(player: ScriptedPlayer, to: EmailMessage, orders: list[str], at: Millis) -> bytes:
    """Write as an office program does: the report's header block below, nothing marked as quoted."""
    head = f"From: {to['From']}\nSent: {to['Date']}\nTo: {player.address}\nSubject: {to['Subject']}\n"
    text = (
        "\n".join(orders) + f"\n\n{player.name}\n\n________________________________\n{head}\n{plain_text(to)}"
    )
    return _answer(player, to, text, at).as_bytes(policy=policy.SMTP)


def write_changed_sheet(player: ScriptedPlayer, to: EmailMessage, orders: list[str], at: Millis) -> bytes:
    """Quote the whole report, with the order sheet in it changed: a way that saves typing."""
    ordered = {" ".join(order.split()[:2]): order for order in orders}
    lines = []
    for line in plain_text(to).splitlines():
        mine = ordered.get(" ".join(line.split()[:2])) if re.match(r"W [A-Z]{3} ", line) else None
        lines.append(f"> {mine or line}")
    return _answer(player, to, f"{_attribution(to)}\n" + "\n".join(lines) + "\n", at).as_bytes(
        policy=policy.SMTP
    )


def write_password_letter(
    player: ScriptedPlayer, service: str, game: str, password: str, orders: list[str], at: Millis
) -> bytes:
    """Write a new letter, not a reply: the seat and its password come first."""
    letter = _letter(player, service, "Orders, mended", at)
    letter.set_content(f"SIGNON {game} {player.seat} {password}\n" + "\n".join(orders) + "\n")
    return letter.as_bytes(policy=policy.SMTP)


def _answer(player: ScriptedPlayer, to: EmailMessage, text: str, at: Millis) -> EmailMessage:
    letter = _letter(player, str(to["Reply-To"]), f"Re: {to['Subject']}", at)
    letter["In-Reply-To"] = str(to["Message-ID"])
    letter["References"] = str(to["Message-ID"])
    letter.set_content(text, cte="quoted-printable")
    return letter


def _letter(player: ScriptedPlayer, to: str, subject: str, at: Millis) -> EmailMessage:
    letter = EmailMessage(policy=policy.SMTP.clone(max_line_length=998))
    letter["From"] = f"{player.name} <{player.address}>"
    letter["To"] = to
    letter["Subject"] = subject
    letter["Date"] = format_datetime(datetime_of(at))
    mark = sha256(f"{player.address}|{at}|{subject}".encode()).hexdigest()[:16]
    letter["Message-ID"] = f"<{mark}@example.org>"
    return letter


def _attribution(to: EmailMessage) -> str:
    return f"On {to['Date']}, {to['From']} wrote:"


def _div(line: str) -> str:
    return f"<div>{_escape_html(line) or '<br>'}</div>"


def _escape_html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
