"""The languages for orders on a board: names and small words, as data.

A language is a file ``names.<code>.toml`` of a variant. All languages of a variant are read together.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, cast

from games.diplomacy.boards.board import COASTS, Board, ProvinceEntry
from games.diplomacy.boards.misfits import read_entry
from games.diplomacy.model import Kind, Province, spot
from games.messages import sentence
from games.protocol import Invalid, LexiconEntry
from games.record import Record, Value

LANGUAGE_FILE = re.compile(r"names\.([a-z]{2,8})\.toml")
"""The name of a language's file, with its code."""


class LanguageWords(Record, frozen=True, kw_only=True):
    """The small words of orders in one language.

    the: articles; at: words between a unit and its place; to: words before the goal; goes: verbs of moving
    and attacking; around: verbs in two parts, before and after the goal; advance: nouns for a supported move;
    move: words that may begin an order to move; build, new, disband: words before or after the unit; apart:
    verbs of disbanding in two parts, before and after the unit; forgo: more ways to waive, which are only
    read while builds are due, because at other times they are chat; canoe, destroy, along: words for boards
    with canoe-fleets; there, occupied, empty, owns, owned: words in a condition after IF.
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
    """One language, as its file has it.

    language: its name; provinces, powers: more names, by the ids of the board; coasts: the words after a
    province for one of its coasts, by codes such as ``NC``.
    """

    language: str
    provinces: dict[str, tuple[str, ...]] = {}
    powers: dict[str, tuple[str, ...]] = {}
    coasts: dict[str, tuple[str, ...]] = {}
    words: LanguageWords = LanguageWords()


class BoardLanguages(Value, frozen=True, dict=True):
    """All languages of a board, read together.

    taken: the English names on the board, in small letters. They aren't small words in any language.
    """

    languages: tuple[Language, ...] = ()
    taken: frozenset[str] = frozenset()

    def province(self, place: str) -> tuple[str, ...]:
        """Return the names of a province in these languages."""
        return _once(name for language in self.languages for name in language.provinces.get(place, ()))

    def power(self, power: str) -> tuple[str, ...]:
        """Return the names of a power in these languages."""
        return _once(name for language in self.languages for name in language.powers.get(power, ()))

    def on_coast(self, place: str, coast: str, others: Sequence[str]) -> tuple[str, ...]:
        """Return the names of a province's coast in these languages. others: its names in any language."""
        return _once(
            f"{name} {word}"
            for language in self.languages
            for name in (*language.provinces.get(place, ()), *others)
            for word in language.coasts.get(coast, ())
        )

    def words(self, sort: str) -> tuple[str, ...]:
        """Return all words of a field of `LanguageWords`."""
        words = self._words_by_sort.get(sort)
        if words is None:
            words = self._words_by_sort[sort] = self._collect_words(sort)
        return words

    def _collect_words(self, sort: str) -> tuple[str, ...]:
        words = (word for language in self.languages for word in getattr(language.words, sort))
        return _once(word for word in words if len(word) == 1 or word.lower() not in self.taken)

    @cached_property
    def _words_by_sort(self) -> dict[str, tuple[str, ...]]:
        return {}

    @property
    def around(self) -> tuple[tuple[str, str], ...]:
        """Return the verbs of moving in two parts."""
        return tuple(dict.fromkeys(pair for language in self.languages for pair in language.words.around))

    @property
    def apart(self) -> tuple[tuple[str, str], ...]:
        """Return the verbs of disbanding in two parts."""
        return tuple(dict.fromkeys(pair for language in self.languages for pair in language.words.apart))

    def kinds(self) -> Mapping[str, Kind]:
        """Return the words for army and fleet, with and without accents, in small letters."""
        kinds: tuple[tuple[str, Kind], ...] = (("army", "A"), ("fleet", "F"))
        return {
            spelling: kind
            for sort, kind in kinds
            for word in self.words(sort)
            for spelling in (word.lower(), bare(word.lower()))
        }


NO_TONGUES = BoardLanguages()


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def bare(word: str) -> str:
    """Return a word without its accents."""
    return "".join(char for char in unicodedata.normalize("NFD", word) if not unicodedata.combining(char))


def read_languages(
    board: Board,
    own: Mapping[str, Any],
    below: Mapping[str, Any],
    other: Callable[[str, str], Mapping[str, Any]],
) -> BoardLanguages:
    """Return the languages from the plain values of files, by file name. Raises Invalid with file and entry.

    own: the variant's files; below: the files of its base variant, whose names are used as far as they are on
    the board; other: returns the file of another variant, which the key ``base`` names.
    """
    languages = []
    for file in sorted({*below, *own}):
        if file not in own:
            languages.append(_limit_to_board(board, _read_language(file, below[file], other)))
            continue
        language = _read_language(file, own[file], other)
        _check(board, file, language)
        languages.append(language)
    named = (name for at in board.places.values() for name in (at.id, at.abbr, at.name, *at.aliases))
    return BoardLanguages(tuple(languages), frozenset(name.lower() for name in named))


def _read_language(
    file: str, raw: Mapping[str, Any], other: Callable[[str, str], Mapping[str, Any]]
) -> Language:
    entries = {key: value for key, value in raw.items() if key != "base"}
    try:
        if "base" in raw:
            beneath = other(raw["base"], file)
            words = {key: list(value) for key, value in beneath.get("words", {}).items()}
            for sort, more in entries.get("words", {}).items():
                words[sort] = [*words.get(sort, ()), *more]
            entries = {"coasts": beneath.get("coasts", {}), **entries, "words": words}
    except (AttributeError, TypeError) as fault:
        raise Invalid(file, str(fault), sentence("diplomacy.variants.language_entries")) from fault
    return cast(Language, read_entry(Language, entries, file))


def _limit_to_board(board: Board, language: Language) -> Language:
    """Return the part of a language that concerns a board."""
    return Language(
        language=language.language,
        provinces={place: names for place, names in language.provinces.items() if place in board.places},
        powers={power: names for power, names in language.powers.items() if power in board.powers},
        coasts=language.coasts,
        words=language.words,
    )


def _check(board: Board, file: str, language: Language) -> None:
    for sort, ids, known in (
        ("provinces", language.provinces, board.places),
        ("powers", language.powers, board.powers),
        ("coasts", language.coasts, board.coast_names),
    ):
        for id_ in ids:
            if id_ not in known:
                why = sentence("diplomacy.variants.not_on_map")
                raise Invalid(f"{file}: {sort}: {id_}", why, sentence("diplomacy.variants.write_an_id"))


# Names for examples, and names of coasts.


def example_places(board: Board) -> dict[str, Province]:
    """Return places for the examples: a water f, a shore k where an army starts, and another shore m.

    If no army starts on a shore, k is any shore. If no convoy is possible, they are any places.
    """
    starts = [piece.at for pieces in board.starts.values() for piece in pieces if piece.kind == "A"]
    for shore in dict.fromkeys((*starts, *board.centres, *sorted(board.shores))):
        for water in board.fleet[shore]:
            others = [land for land in board.fleet[water] if board.is_land(land) and land != shore]
            far = [land for land in others if land not in board.army[shore]]
            if not board.is_land(water) and far:
                return {"f": water, "k": shore, "m": far[0]}
    lands = [place for place in board.places if board.is_land(place)]
    waters = [place for place in board.places if not board.is_land(place)]
    return {"f": (waters or lands)[0], "k": lands[0], "m": lands[-1]}


def coast_entries(board: Board, tongues: BoardLanguages = NO_TONGUES) -> Iterator[LexiconEntry]:
    """Yield the names of each coast of a province with several: ``STP/SC``, "St Petersburg (south coast)"."""
    for place in board.places.values():
        for coast in place.coasts:
            there = spot(place.id, coast)
            spoken_names = tongues.on_coast(place.id, coast, (place.name, place.abbr))
            names = (board.name(there), board.abbr(there), *_spellings(board, place, coast), *spoken_names)
            yield LexiconEntry(sort="province", id=there, names=tuple(dict.fromkeys(names)))


def _spellings(board: Board, place: ProvinceEntry, coast: str) -> Iterator[str]:
    whole = board.coast_names[coast]
    side = whole.removesuffix(" coast")
    usual = (f"{side}ern coast", side[0]) if coast in COASTS else ()
    for name in (place.name, place.abbr, *place.aliases):
        for word in (coast, whole, side, *usual):
            yield f"{name} {word}"
