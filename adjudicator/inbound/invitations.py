"""Answers to invitations: a yes signs up, a no is the end of it, and all else is neither."""

from collections.abc import Iterable, Sequence
from typing import Literal

from adjudicator.auth.correspondents import invitation_mark
from adjudicator.model.repository import Repository
from orders.mail.body import FreshLine

InvitationReply = Literal["yes", "no", "neither"]

_ACCEPTING_WORDS: tuple[str, ...] = (
    "yes",
    "yep",
    "yeah",
    "sure",
    "ok",
    "okay",
    "gladly",
    "with pleasure",
    "i'm in",
    "im in",
    "i am in",
)
_ACCEPTING_WORDS += ("count me in", "join", "ja", "gerne", "oui", "si", "sí", "sim")
_DECLINING_WORDS = (
    "no",
    "nope",
    "nein",
    "non",
    "not now",
    "no interest",
    "not interested",
    "unsubscribe",
    "stop",
)
_POLITE_ENDINGS = (
    "please",
    "thanks",
    "thank you",
    "danke",
    "merci",
    *_ACCEPTING_WORDS,
    *_DECLINING_WORDS[-5:],
)
"""What may follow either, and changes nothing."""


def find_inviting_games(marks: Iterable[str], key: bytes, address: str, books: Repository) -> tuple[str, ...]:
    """Return the games to which we invited an address, by the marks of the addresses it answers at."""
    wanted = set(marks)
    if not wanted:
        return ()
    names = [*books.games(), *(offer.name for offer in books.people.offers())]
    return tuple(name for name in names if invitation_mark(key, address, name) in wanted)


def read_invitation_reply(lines: Sequence[FreshLine]) -> InvitationReply:
    """Return the meaning of an answer: of its first line alone, and only where that is all it says.

    In doubt it is neither: a wrong yes seats somebody who does not want to play.
    """
    texts = [line.text.strip(" \t.!*_").casefold() for line in lines if line.source != "subject"]
    first = next((text for text in texts if text), "")
    word, _, rest = first.partition(",") if "," in first else _split_first_word(first)
    if rest.strip() and rest.strip() not in _POLITE_ENDINGS:
        return "neither"
    return (
        "yes" if word.strip() in _ACCEPTING_WORDS else "no" if word.strip() in _DECLINING_WORDS else "neither"
    )


def _split_first_word(text: str) -> tuple[str, str, str]:
    """Split a text at the first space after one of the words; return all of it where none stands so."""
    for word in sorted((*_ACCEPTING_WORDS, *_DECLINING_WORDS), key=len, reverse=True):
        if text == word or text.startswith(f"{word} "):
            return word, " ", text.removeprefix(word)
    return text, "", ""
