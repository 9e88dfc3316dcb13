"""The words of boards with armies and fleets: convoys, coasts, builds by kind."""

from collections.abc import Iterator

from games.diplomacy.boards.board import Board, ProvinceEntry
from games.diplomacy.boards.coasts import COASTS
from games.diplomacy.boards.languages import NO_TONGUES, BoardLanguages
from games.diplomacy.model import Province, spot
from games.protocol import LexiconEntry


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
