"""Texts of orders that differ only in the names of places: what one of them means, the others mean too."""

from itertools import pairwise
from typing import NamedTuple

from games.protocol import Form
from orders.reading.forms import FormMatch, Grammar
from orders.reading.lexicon import NameIndex

_NAME = "\0"
_MAX_SHAPES = 20_000


class _Meaning(NamedTuple):
    """The form of a shape, the slot of each of its names in the order of the text, and its other slots."""

    form: Form
    slots: tuple[str, ...]
    others: dict[str, str]


class TextShapes:
    """Remembers what texts mean without their names: ``A PAR - BUR`` is one shape with ``A MUN - TYR``.

    Only names count that are one word and nothing else: not a word of orders, not the name of two places, not
    the beginning of a longer name. A text is read in the same steps whatever such names it has.
    """

    def __init__(self, *readings: tuple[Grammar, NameIndex]) -> None:
        """readings: the forms and names by which a text may be read, the first ones first."""
        self._meanings: dict[str, _Meaning] = {}
        openings = frozenset[str]().union(*(names.openings(names.sorts) for _, names in readings))
        self._words = frozenset.intersection(*(grammar.literals for grammar, _ in readings)) - openings
        lone_names = [names.lone_names(grammar.main_sort, grammar.literals) for grammar, names in readings]
        first, *others = lone_names
        self._names = {
            key: place for key, place in first.items() if all(names.get(key) == place for names in others)
        }

    def learn(self, text: str, match: FormMatch) -> None:
        """Remember the only meaning of a text that was read as it is spelt."""
        shape, *places = self._split(text)
        if not self._is_plain(text, shape) or match.repairs:
            return
        slots = {place: slot for slot, place in match.slots.items()}
        if len(slots) < len(match.slots) or len({*places}) < len(places) or not slots.keys() >= {*places}:
            return
        if len(self._meanings) > _MAX_SHAPES:
            self._meanings.clear()
        named = tuple(slots[place] for place in places)
        others = {slot: place for slot, place in match.slots.items() if slot not in named}
        self._meanings[shape] = _Meaning(match.form, named, others)

    def find(self, text: str) -> tuple[str, ...] | None:
        """Return the shape of a text and its places, if a text of this shape was read; otherwise None."""
        if not text.isascii():
            return None
        found = self._split(text)
        return found if found[0] in self._meanings else None

    def match(self, found: tuple[str, ...]) -> FormMatch:
        """Return what a text means that was found."""
        shape, *places = found
        meaning = self._meanings[shape]
        slots = dict(zip(meaning.slots, places, strict=True))
        return FormMatch(meaning.form, slots | meaning.others if meaning.others else slots)

    def _split(self, text: str) -> tuple[str, ...]:
        """Return a text without its names, and behind it the places that they name."""
        names, parts = self._names, text.lower().split(" ")
        shape = " ".join([_NAME if part in names else part for part in parts])
        return (shape, *[names[part] for part in parts if part in names])

    def _is_plain(self, text: str, shape: str) -> bool:
        """Return whether each name stands alone: in front of a word of orders, or at the end.

        Otherwise what follows may be a part of the name, or the same name once more. A text with = or & may
        have lost characters on its way.
        """
        if not text.isascii() or not text.isprintable() or not text[:1].isalnum():
            return False
        parts = shape.split(" ")
        behind = [after for part, after in pairwise(parts) if part == _NAME]
        return "=" not in text and "&" not in text and all(word in self._words for word in behind)
