"""Reply tokens in every spelling in which people pass them on, and a search that finds them in each."""

import html
import quopri
import re
from collections.abc import Callable, Iterable
from email import message_from_bytes, policy
from urllib.parse import unquote

from adjudicator.model.addresses import reply_token
from games.protocol import Seat
from tests.kit.attack_service import AttackedService

SPELLINGS: dict[str, Callable[[str], str]] = {
    "an address": lambda token: f"gm+demo.iroquois.{token}@example.org",
    "a tag": lambda token: f"Subject: [demo S1M Iroquois #{token}] orders",
    "a Message-ID": lambda token: f"<demo.iroquois.{token}.0123456789abcdef@example.org>",
    "alone": lambda token: token,
    "within a word": lambda token: f"xx{token}yy",
    "in capitals": str.upper,
    "broken in quoted-printable": lambda token: f"{token[:5]}=\n{token[5:]}",
    "broken between rows": lambda token: f"gm+demo.iroquois.{token[:6]}\n  * {token[6:]}@example.org",
    "spaced": " ".join,
    "dotted": ".".join,
    "spaced in HTML": "&nbsp;".join,
    "in tags": lambda token: f"<b>{token[:4]}</b><i style='x'>{token[4:]}</i>",
    "in entities": lambda token: "".join(f"&#{ord(char)};" for char in token),
    "in hexadecimal entities": lambda token: "".join(f"&#x{ord(char):X};" for char in token),
    "wholly in quoted-printable": lambda token: "".join(f"={ord(char):02X}" for char in token),
    "in an URL": lambda token: "mailto:gm%2Bdemo." + "".join(f"%{ord(char):02x}" for char in token),
    "with soft hyphens": "\u00ad".join,
    "in wide letters": lambda token: "".join(chr(ord(char) + 0xFEE0) for char in token),
}
"""The spellings of a token, by their names."""


def tokens_of(it: AttackedService, seat: str, game: str = "demo") -> frozenset[str]:
    """Return all tokens that a seat has ever had, including revoked ones."""
    position, key = it.position(game), it.service.service_context.key
    generations = range(1, position.assignments[Seat(seat)].generation + 1)
    turns = it.service.repository.turns(game)
    return frozenset(
        reply_token(key, game, Seat(seat), number, turn) for number in generations for turn in turns
    )


def spelt_out(text: str) -> Iterable[str]:
    """Return a text in all its possible readings, reduced to the characters of tokens."""
    plain = html.unescape(html.unescape(text))
    decoded = unquote(quopri.decodestring(plain.encode()).decode("utf-8", "replace"))
    for one in (text, plain, decoded, re.sub("<[^<>]*>", "", plain), re.sub("<[^<>]*>", "", decoded)):
        narrow = "".join(chr(ord(char) - 0xFEE0) if "！" <= char <= "～" else char for char in one)
        yield re.sub("[^a-z2-7]", "", narrow.lower())


def texts_of(raw: bytes) -> Iterable[str]:
    """Return all texts of an email: its headers, and each part that is text."""
    message = message_from_bytes(raw, policy=policy.default)
    yield "\n".join(f"{name}: {value}" for name, value in message.items())
    for part in message.walk():
        if not part.is_multipart() and part.get_content_maintype() == "text":
            yield str(part.get_content())
        yield "\n".join(f"{name}: {value}" for name, value in part.items())


def find_tokens(tokens: Iterable[str], *texts: str) -> set[str]:
    """Return the tokens that occur in some texts, in any spelling."""
    wanted = set(tokens)
    return {token for text in texts for one in spelt_out(text) for token in wanted if token in one}
