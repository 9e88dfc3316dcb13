"""The languages in which a board may be ordered: names and small words, as data.

A language is a file ``names.<code>.toml`` of a variant. None is chosen: all that are there are read together.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, cast

from games.diplomacy.board import Board
from games.diplomacy.coasts import COASTS
from games.diplomacy.model import Kind
from games.protocol import Invalid
from games.record import Malformed, Record, Value, revive

FILE = re.compile(r"names\.([a-z]{2,8})\.toml")
"""What the file of a language is called, and the code in it."""


class Words(Record, frozen=True, kw_only=True):
    """The small words of orders in one language, each as it is written.

    the: articles; at: between a unit and its place; to: before the place that it goes to; goes: verbs of
    moving and of attacking; around: such verbs as stand on both sides of the place, in two parts;
    advance: nouns for a move that is supported; move: what an order to move may begin with; build, new,
    disband: also behind or before the unit; apart: verbs of disbanding in two parts, on both sides of it;
    forgo: further ways to waive, which are read where builds are due alone, since elsewhere they are
    talk; destroy, canoe, along: on boards that have canoe-fleets; there, occupied, empty, owns, owned:
    what is asked behind an IF: whether somebody is in a place, whether that is so.
    """

    army: tuple[str, ...] = ()
    fleet: tuple[str, ...] = ()
    unit: tuple[str, ...] = ()
    the: tuple[str, ...] = ()
    at: tuple[str, ...] = ()
    to: tuple[str, ...] = ()
    goes: tuple[str, ...] = ()
    around: tuple[tuple[str, str], ...] = ()
    stands: tuple[str, ...] = ()
    supports: tuple[str, ...] = ()
    advance: tuple[str, ...] = ()
    convoys: tuple[str, ...] = ()
    via: tuple[str, ...] = ()
    move: tuple[str, ...] = ()
    retreats: tuple[str, ...] = ()
    build: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    disband: tuple[str, ...] = ()
    apart: tuple[tuple[str, str], ...] = ()
    waive: tuple[str, ...] = ()
    forgo: tuple[str, ...] = ()
    canoe: tuple[str, ...] = ()
    destroy: tuple[str, ...] = ()
    along: tuple[str, ...] = ()
    there: tuple[str, ...] = ()
    occupied: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    owns: tuple[str, ...] = ()
    owned: tuple[str, ...] = ()


class Language(Record, frozen=True, kw_only=True):
    """One language as its file has it.

    language: what it is called; provinces, powers: further names by the ids of the board; coasts: what is
    written behind a province for one of its coasts, by ``NC`` and the like.
    """

    language: str
    provinces: dict[str, tuple[str, ...]] = {}
    powers: dict[str, tuple[str, ...]] = {}
    coasts: dict[str, tuple[str, ...]] = {}
    words: Words = Words()


class Tongues(Value, frozen=True, dict=True):
    """All languages of a board, read together.

    taken: what is a name on the board in English, in small letters; there it is a small word of no language.
    """

    languages: tuple[Language, ...] = ()
    taken: frozenset[str] = frozenset()

    def province(self, place: str) -> tuple[str, ...]:
        """What a province is called in them."""
        return _once(name for one in self.languages for name in one.provinces.get(place, ()))

    def power(self, power: str) -> tuple[str, ...]:
        """What a power is called in them."""
        return _once(name for one in self.languages for name in one.powers.get(power, ()))

    def on_coast(self, place: str, coast: str, others: Sequence[str]) -> tuple[str, ...]:
        """What a coast of a province is called in them. others: names of the province in any language."""
        return _once(
            f"{name} {word}"
            for one in self.languages
            for name in (*one.provinces.get(place, ()), *others)
            for word in one.coasts.get(coast, ())
        )

    def words(self, sort: str) -> tuple[str, ...]:
        """All words of a sort, as `Words` has them."""
        found = self._found.get(sort)
        if found is None:
            found = self._found[sort] = self._sought(sort)
        return found

    def _sought(self, sort: str) -> tuple[str, ...]:
        said = (word for one in self.languages for word in getattr(one.words, sort))
        return _once(word for word in said if len(word) == 1 or word.lower() not in self.taken)

    @cached_property
    def _found(self) -> dict[str, tuple[str, ...]]:
        return {}

    @property
    def around(self) -> tuple[tuple[str, str], ...]:
        """The verbs in two parts."""
        return tuple(dict.fromkeys(pair for one in self.languages for pair in one.words.around))

    @property
    def apart(self) -> tuple[tuple[str, str], ...]:
        """The verbs of disbanding in two parts."""
        return tuple(dict.fromkeys(pair for one in self.languages for pair in one.words.apart))

    def kinds(self) -> Mapping[str, Kind]:
        """The words that say army or fleet, with accents and without, in small letters."""
        kinds: tuple[tuple[str, Kind], ...] = (("army", "A"), ("fleet", "F"))
        return {
            said: kind
            for sort, kind in kinds
            for word in self.words(sort)
            for said in (word.lower(), bare(word.lower()))
        }


NO_TONGUES = Tongues()


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def bare(word: str) -> str:
    """A word without its accents."""
    return "".join(char for char in unicodedata.normalize("NFD", word) if not unicodedata.combining(char))


def tongues(
    board: Board,
    own: Mapping[str, Any],
    below: Mapping[str, Any],
    other: Callable[[str, str], Mapping[str, Any]],
) -> Tongues:
    """The languages in the plain values of files, by their names. Raises Invalid that names file and entry.

    own: the variant's files; below: those of the variant whose map it changes, of which it takes over what is
    on its board; other: the file of another variant, on whose words one with the key ``base`` rests.
    """
    found = []
    for file in sorted({*below, *own}):
        if file not in own:
            found.append(_on(board, _language(file, below[file], other)))
            continue
        one = _language(file, own[file], other)
        _check(board, file, one)
        found.append(one)
    named = (name for at in board.places.values() for name in (at.id, at.abbr, at.name, *at.aliases))
    return Tongues(tuple(found), frozenset(name.lower() for name in named))


def _language(file: str, raw: Mapping[str, Any], other: Callable[[str, str], Mapping[str, Any]]) -> Language:
    said = {key: value for key, value in raw.items() if key != "base"}
    try:
        if "base" in raw:
            beneath = other(raw["base"], file)
            words = {key: list(value) for key, value in beneath.get("words", {}).items()}
            for sort, more in said.get("words", {}).items():
                words[sort] = [*words.get(sort, ()), *more]
            said = {"coasts": beneath.get("coasts", {}), **said, "words": words}
        return cast(Language, revive(Language, said))
    except (Malformed, AttributeError, TypeError) as fault:
        raise Invalid(file, str(fault), "docs/variants.md tells what may stand there") from fault


def _on(board: Board, one: Language) -> Language:
    """As much of a language as a board has."""
    return Language(
        language=one.language,
        provinces={place: said for place, said in one.provinces.items() if place in board.places},
        powers={power: said for power, said in one.powers.items() if power in board.powers},
        coasts=one.coasts,
        words=one.words,
    )


def _check(board: Board, file: str, one: Language) -> None:
    for sort, ids, known in (
        ("provinces", one.provinces, board.places),
        ("powers", one.powers, board.powers),
        ("coasts", one.coasts, COASTS),
    ):
        for id_ in ids:
            if id_ not in known:
                raise Invalid(f"{file}: {sort}: {id_}", "the map has none of that name")
