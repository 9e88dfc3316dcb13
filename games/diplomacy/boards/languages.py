"""The languages in which a board may be ordered: names and small words, as data.

A language is a file ``names.<code>.toml`` of a variant. None is chosen: all that are there are read together.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, cast

from games.diplomacy.boards.board import COASTS, Board, ProvinceEntry
from games.diplomacy.model import Kind, Province, spot
from games.messages import sentence
from games.protocol import Invalid, LexiconEntry
from games.record import Malformed, Record, Value, revive

LANGUAGE_FILE = re.compile(r"names\.([a-z]{2,8})\.toml")
"""What the file of a language is called, and the code in it."""


class LanguageWords(Record, frozen=True, kw_only=True):
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
    words: LanguageWords = LanguageWords()


class BoardLanguages(Value, frozen=True, dict=True):
    """All languages of a board, read together.

    taken: what is a name on the board in English, in small letters; there it is a small word of no language.
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
        """Return all words of a sort, as `LanguageWords` has them."""
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
        """The verbs in two parts."""
        return tuple(dict.fromkeys(pair for language in self.languages for pair in language.words.around))

    @property
    def apart(self) -> tuple[tuple[str, str], ...]:
        """The verbs of disbanding in two parts."""
        return tuple(dict.fromkeys(pair for language in self.languages for pair in language.words.apart))

    def kinds(self) -> Mapping[str, Kind]:
        """The words that say army or fleet, with accents and without, in small letters."""
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
    """A word without its accents."""
    return "".join(char for char in unicodedata.normalize("NFD", word) if not unicodedata.combining(char))


def read_languages(
    board: Board,
    own: Mapping[str, Any],
    below: Mapping[str, Any],
    other: Callable[[str, str], Mapping[str, Any]],
) -> BoardLanguages:
    """The languages in the plain values of files, by their names. Raises Invalid that names file and entry.

    own: the variant's files; below: those of the variant whose map it changes, of which it takes over what is
    on its board; other: the file of another variant, on whose words one with the key ``base`` rests.
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
        return cast(Language, revive(Language, entries))
    except (Malformed, AttributeError, TypeError) as fault:
        raise Invalid(file, str(fault), sentence("diplomacy.variants.language_entries")) from fault


def _limit_to_board(board: Board, language: Language) -> Language:
    """Return as much of a language as a board has."""
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
        ("coasts", language.coasts, COASTS),
    ):
        for id_ in ids:
            if id_ not in known:
                raise Invalid(f"{file}: {sort}: {id_}", sentence("diplomacy.variants.not_on_map"))


# The words of boards with armies and fleets: convoys, coasts, builds by kind.


def unit_words(*short: str, whole: tuple[str, ...]) -> str:
    """Return the choice of words that may stand before a province for the unit there, none included."""
    articles = ("", "the ", "my ", "our ")
    long = (f"{article}{noun}{at}" for noun in whole for article in articles for at in _PLACE_PREPOSITIONS)
    return f"({'|'.join((*short, *long, *(article.strip() for article in articles[1:]), ''))})"


_PLACE_PREPOSITIONS = ("", " in", " in the", " at", " from", " of")
FLEET_UNIT_WORDS = unit_words("a", "f", "flt", whole=("army", "fleet", "unit"))
"""What may stand before a province for whoever is there; which of them it is, the view knows."""

_CONVOY_WORDS = (
    "(c|con|conv|convoy|convoys|convoying|carry|carries|t|transport|transports|ferry|ferries|fast ferry|ff)"
)
_FLEET_OF_NATION = f"[{{nation:nation}}] {FLEET_UNIT_WORDS}"
_VIA = "(via|via convoy|by convoy|with convoy|convoy|via sea|by sea|by fleet|convoyed)"
_OVER_WORDS = "(via|by|over|through) [the]"
_SAIL_TO_WORDS = "(-|to|into|m|move|moves|move to|moves to|moving to)"
_HOP = "(-|m|move|moves|move to|moves to)"
_HOPS = 5
"""The longest way over the water that may be spelt out, in waters. Longer ones need no spelling either."""


def _along(waters: int) -> str:
    hops = " ".join(f"{_HOP} {{by{number}:province}}" for number in range(waters))
    return f"{FLEET_UNIT_WORDS} {{unit:province}} {hops} {_HOP} {{to:province}}"


FLEET_FORMS: tuple[tuple[str, str, str], ...] = (
    (
        "convoy",
        f"{FLEET_UNIT_WORDS} {{unit:province}} {_CONVOY_WORDS} {_FLEET_OF_NATION} {{other:province}} "
        f"{_SAIL_TO_WORDS} [the] {{to:province}}",
        "F {f} C A {k} - {m}",
    ),
    (
        "convoy",
        f"(convoy|transport) {_FLEET_OF_NATION} {{other:province}} {_SAIL_TO_WORDS} {{to:province}} "
        f"(with|by|via) "
        f"{FLEET_UNIT_WORDS} {{unit:province}}",
        "convoy {K} to {M} with {F}",
    ),
    (
        "move-via",
        f"{FLEET_UNIT_WORDS} {{unit:province}} {_SAIL_TO_WORDS} [the] {{to:province}} {_VIA}",
        "A {k} - {m} VIA",
    ),
    (
        "move-via",
        f"{FLEET_UNIT_WORDS} {{unit:province}} {_VIA} {_SAIL_TO_WORDS} [the] {{to:province}}",
        "{K} by convoy to {M}",
    ),
    (
        "move-via",
        f"{FLEET_UNIT_WORDS} {{unit:province}} {_SAIL_TO_WORDS} [the] {{to:province}} {_OVER_WORDS} "
        f"{{by1:province}}",
        "{K} to {M} via {F}",
    ),
    (
        "move-via",
        f"{FLEET_UNIT_WORDS} {{unit:province}} {_SAIL_TO_WORDS} [the] {{to:province}} {_OVER_WORDS} "
        f"{{by1:province}} (and|-|,|, and|) "
        "[the] {by2:province}",
        "{K} to {M} via {F} and {F}",
    ),
    ("hold", f"{FLEET_UNIT_WORDS} {{unit:province}} - h", "A {k} - H"),
    ("build-army", "(a|army) {unit:province} (b|build|builds)", "A {a} B"),
    (
        "build-army",
        "(b|build|builds|raise) (a|army|an army|a new army|new army) (in|at|) {unit:province}",
        "build army {A}",
    ),
    ("build-fleet", "(f|fleet|flt) {unit:province} (b|build|builds)", "F {k} B"),
    (
        "build-fleet",
        "(b|build|builds|raise) (f|fleet|flt|a fleet|a new fleet|new fleet) (in|at|) {unit:province}",
        "build fleet {K}",
    ),
    *(("move-via", _along(waters), "A {k} - {m} VIA") for waters in range(1, _HOPS + 1)),
)
"""Name, pattern and example of each form."""


def example_places(board: Board) -> dict[str, Province]:
    """Return places for the examples: a water f with a shore k where an army starts, and another shore m.

    Any shore will do where no army starts on one, and any places where nobody could be convoyed.
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
            names = (board.name(there), board.abbr(there), *_spellings(place, coast), *spoken_names)
            yield LexiconEntry(sort="province", id=there, names=tuple(dict.fromkeys(names)))


def _spellings(place: ProvinceEntry, coast: str) -> Iterator[str]:
    side = COASTS[coast].removesuffix(" coast")
    for name in (place.name, place.abbr, *place.aliases):
        for word in (coast, COASTS[coast], side, f"{side}ern coast", side[0]):
            yield f"{name} {word}"
