"""The fixed forms in which bots write and read press: what may be proposed, accepted, refused."""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from games.diplomacy.boards.board import Board
from games.diplomacy.model import Province
from games.protocol import Seat
from games.record import Record, replace_fields

PHRASES = (
    "propose truce",
    "propose attack on PLACE",
    "propose attack on NATION",
    "propose demilitarised PLACE",
    "accept",
    "refuse",
)
"""What a bot understands, as people are to write it."""


class Matter(Record, frozen=True, kw_only=True):
    """The subject of a proposal: an attack on a place, a nation or an unknown name, or else a truce.

    empty: the place is not to be attacked, but left empty by both.
    """

    place: Province | None = None
    foe: Seat | None = None
    unknown: str | None = None
    empty: bool = False

    @property
    def is_truce(self) -> bool:
        """True if nobody is to be attacked."""
        return self == TRUCE


TRUCE = Matter()

Act = Literal["propose", "accept", "refuse"]


class Utterance(Record, frozen=True, kw_only=True):
    """One form. matter None: whatever has been proposed last."""

    act: Act
    matter: Matter | None = None


_ACT_VERBS: Mapping[str, Act] = {
    **dict.fromkeys(("propose", "proposes", "offer", "offers", "suggest", "suggests"), "propose"),
    **dict.fromkeys(("accept", "accepts", "accepted", "agree", "agrees", "agreed"), "accept"),
    **dict.fromkeys(("refuse", "refuses", "refused", "decline", "declines", "declined"), "refuse"),
    **dict.fromkeys(("reject", "rejects", "rejected"), "refuse"),
}
_LEADING_POLITENESS = re.compile(
    "hello|hi|dear|greetings|please|kindly|we|i|our|my|nation|hereby|would|like|to|wish|want|and|also|then|"
    "gladly|happily|sadly|sorry|thanks?|you"
)
"""Politeness that may stand before a form."""
_TRAILING_POLITENESS = re.compile(
    "please|kindly|thanks?|you|with|to|between|us|for|now|together|sir|friends?"
)
"""Politeness that may stand behind it."""
# The dots of "St. Petersburg" and "N. Atlantic" end no sentence.
_SENTENCE_BREAK = re.compile(
    rf"(?<!\bst)(?<!\b\w)[.!?;:]+(?=\s|$)|\band\s+(?=(?:{'|'.join(_ACT_VERBS)})\b)", re.IGNORECASE
)
_PRESS_GREETING = re.compile(r"\s*(?:hello|hi|dear|greetings|good \w+|ok|yes|well)\b[^,]*,", re.IGNORECASE)
_TRUCE_PATTERN = re.compile(r"(?:to )?(?:(?:a|the|your|this|that|our) )?(?:truce|peace)")
_ATTACK_PATTERN = re.compile(
    r"(?:to )?(?:(?:a|an|the|your|this|that|our) )?(?:joint |common )?"
    r"attack (?:on|against|upon) (?:the )?(.+)"
)
_DEMILITARISED_PATTERN = re.compile(
    r"(?:to )?(?:(?:a|the|your|this|that|our) )?demilitari[sz]ed? "
    r"(?:(?:zone|place) (?:in|of|at) )?(?:the )?(.+)"
)
_WHATEVER = re.compile(r"(?:to )?(?:(?:the|your|this|that) )?(?:proposal|offer|it|this|that)?")
_PRESS_WORD = re.compile(r"[^\W_]+")


_OPEN_MATTER = Matter(unknown="")
"""Stands for whatever lies open."""
_MAX_NAME_WORDS = 3
"""In words; what is longer is no name, but a sentence that goes on."""
_LETTERS_KEPT = 4096


class Wording:
    """The forms on one board, with its names; what was read once is kept."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._places = _matters_by_place(board)
        self._targets = _matters_by_target(board, self._places)
        self.read = lru_cache(_LETTERS_KEPT)(self._read_forms)

    def write(self, utterance: Utterance) -> str:
        """A form as bots write it, which `read` reads back."""
        verb = utterance.act.capitalize()
        return f"{verb} {self.describe(utterance.matter)}." if utterance.matter is not None else f"{verb}."

    def describe(self, matter: Matter) -> str:
        """Return a proposal in words: "truce", "attack on Belgium", "demilitarised Burgundy"."""
        if matter.is_truce:
            return "truce"
        what = "demilitarised" if matter.empty else "attack on"
        if matter.place is None:
            return f"{what} {matter.foe or str(matter.unknown).title()}"
        name, abbr = self._board.name(matter.place), self._board.abbr(matter.place)
        # Some nations are called as places are; the nation is meant where the name of an attack is said.
        known = self._places if matter.empty else self._targets
        return f"{what} {name if known[' '.join(_words(name))].place == matter.place else abbr}"

    def _read_forms(self, text: str) -> tuple[Utterance, ...]:
        """The forms in a letter, in order.

        Case, politeness, and sentences that are no form do not matter; a form with anything else in its
        sentence is none. There are none at all where one thing is both accepted and refused.
        """
        rows = [row for row in text.splitlines() if not row.lstrip().startswith((">", "|"))]
        sentences = [
            part for row in rows for part in _SENTENCE_BREAK.split(_PRESS_GREETING.sub("", row, count=1))
        ]
        forms = [form for form in (self._read_form(_words(part)) for part in sentences) if form is not None]
        decided: dict[Matter | None, set[Act]] = {}
        for form in forms:
            if form.act != "propose":
                decided.setdefault(form.matter, set()).add(form.act)
        return () if any(len(acts) > 1 for acts in decided.values()) else tuple(forms)

    def _read_form(self, words: list[str]) -> Utterance | None:
        while words and _LEADING_POLITENESS.fullmatch(words[0]):
            words = words[1:]
        if not words or words[0] not in _ACT_VERBS:
            return None
        act, rest = _ACT_VERBS[words[0]], words[1:]
        for end in range(len(rest), -1, -1):
            matter = self._read_matter(act, " ".join(rest[:end]))
            if matter is not None:
                return Utterance(act=act, matter=None if matter == _OPEN_MATTER else matter)
            if end and not _TRAILING_POLITENESS.fullmatch(rest[end - 1]):
                break
        empty = _DEMILITARISED_PATTERN.fullmatch(" ".join(rest))
        named = empty or _ATTACK_PATTERN.fullmatch(" ".join(rest))
        # What nobody knows is worth an answer, if that can be a name.
        if named is None or len(named[1].split()) > _MAX_NAME_WORDS:
            return None
        return Utterance(act=act, matter=Matter(unknown=named[1], empty=empty is not None))

    def _read_matter(self, act: Act, words: str) -> Matter | None:
        if _TRUCE_PATTERN.fullmatch(words):
            return TRUCE
        if act != "propose" and _WHATEVER.fullmatch(words):
            return _OPEN_MATTER
        empty = _DEMILITARISED_PATTERN.fullmatch(words)
        if empty:
            place_matter = self._places.get(empty[1])
            return replace_fields(place_matter, empty=True) if place_matter else None
        attack = _ATTACK_PATTERN.fullmatch(words)
        return self._targets.get(attack[1]) if attack else None


_FOUND: dict[int, Wording] = {}


def wording(board: Board) -> Wording:
    """The forms on a board; a variant keeps its boards for good, so that one is known by its identity."""
    if id(board) not in _FOUND:
        _FOUND[id(board)] = Wording(board)
    return _FOUND[id(board)]


def _matters_by_place(board: Board) -> Mapping[str, Matter]:
    """The places by all their names."""
    matters: dict[str, Matter] = {}
    for place in board.places.values():
        for name in (place.name, place.abbr, place.id, *place.aliases):
            matters.setdefault(" ".join(_words(name)), Matter(place=place.id))
    return matters


def _matters_by_target(board: Board, places: Mapping[str, Matter]) -> Mapping[str, Matter]:
    """Return what may be attacked by all its names; a nation where a place is called the same."""
    matters = dict(places)
    for seat, power in board.powers.items():
        for name in (str(seat), power.name, *power.aliases):
            matters[" ".join(_words(name))] = Matter(foe=seat)
            matters[" ".join(_words(name)) + "s"] = Matter(foe=seat)
    return matters


def _words(text: str) -> list[str]:
    """The words of a text in small letters, without accents and signs."""
    bare = unicodedata.normalize("NFKD", text.casefold().replace("'", "").replace("\u2019", ""))
    return _PRESS_WORD.findall("".join(char for char in bare if not unicodedata.combining(char)))
