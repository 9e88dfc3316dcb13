"""Answers to invitations: a yes signs up, a no is the end of it, and all else is neither."""

from collections.abc import Iterable, Sequence
from typing import Literal

from adjudicator.ledger.books import Books
from adjudicator.signs.callers import invitation_mark
from orders.letters.body import FreshLine

Said = Literal["yes", "no", "neither"]

_YES: tuple[str, ...] = (
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
_YES += ("count me in", "join", "ja", "gerne", "oui", "si", "sí", "sim")
_NO = ("no", "nope", "nein", "non", "not now", "no interest", "not interested", "unsubscribe", "stop")
_POLITE = ("please", "thanks", "thank you", "danke", "merci", *_YES, *_NO[-5:])
"""What may follow either, and changes nothing."""


def games_meant(marks: Iterable[str], key: bytes, address: str, books: Books) -> tuple[str, ...]:
    """The games to which a letter of ours invited an address, by the marks of the addresses it answers at."""
    wanted = set(marks)
    if not wanted:
        return ()
    names = [*books.games(), *(offer.name for offer in books.society.offers())]
    return tuple(name for name in names if invitation_mark(key, address, name) in wanted)


def said(lines: Sequence[FreshLine]) -> Said:
    """What an answer says: its first line alone, and only where that is all it says.

    In doubt it is neither: a wrong yes seats somebody who does not want to play.
    """
    texts = [line.text.strip(" \t.!*_").casefold() for line in lines if line.source != "subject"]
    first = next((text for text in texts if text), "")
    word, _, rest = first.partition(",") if "," in first else _parted(first)
    if rest.strip() and rest.strip() not in _POLITE:
        return "neither"
    return "yes" if word.strip() in _YES else "no" if word.strip() in _NO else "neither"


def _parted(text: str) -> tuple[str, str, str]:
    """A text before and after the first space behind one of the words; all of it where none stands so."""
    for word in sorted((*_YES, *_NO), key=len, reverse=True):
        if text == word or text.startswith(f"{word} "):
            return word, " ", text.removeprefix(word)
    return text, "", ""
