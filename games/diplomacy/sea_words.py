"""The words of boards with armies and fleets: convoys, coasts, builds by kind."""

from collections.abc import Iterator

from games.diplomacy.board import Board, Place
from games.diplomacy.coasts import COASTS
from games.diplomacy.model import Province, spot
from games.protocol import Term

UNIT = "(a|army|f|fleet|flt|)"
"""What may stand before a province for whoever is there; which of them it is, the view knows."""

_CONVOYS = (
    "(c|con|convoy|convoys|convoying|carry|carries|t|transport|transports|ferry|ferries|fast ferry|ff|f)"
)
_WHOSE = f"[{{nation:nation}}] {UNIT}"
_VIA = "(via|via convoy|by convoy|via sea|by sea|by fleet|convoyed)"
_TO = "(-|to|into|m|move|moves|move to|moves to|moving to)"
_HOP = "(-|m|move|moves|move to|moves to)"
_HOPS = 5
"""The longest way over the water that may be spelt out, in waters. Longer ones need no spelling either."""


def _along(waters: int) -> str:
    hops = " ".join(f"{_HOP} {{by{number}:province}}" for number in range(waters))
    return f"{UNIT} {{unit:province}} {hops} {_HOP} {{to:province}}"


ROWS: tuple[tuple[str, str, str], ...] = (
    (
        "convoy",
        f"{UNIT} {{unit:province}} {_CONVOYS} {_WHOSE} {{other:province}} {_TO} {{to:province}}",
        "F {f} C A {k} - {m}",
    ),
    (
        "convoy",
        f"(convoy|transport) {_WHOSE} {{other:province}} {_TO} {{to:province}} (with|by|via) "
        f"{UNIT} {{unit:province}}",
        "convoy {K} to {M} with {F}",
    ),
    ("move-via", f"{UNIT} {{unit:province}} {_TO} {{to:province}} {_VIA}", "A {k} - {m} VIA"),
    ("move-via", f"{UNIT} {{unit:province}} {_VIA} {_TO} {{to:province}}", "{K} by convoy to {M}"),
    ("build-army", "(a|army) {unit:province} (b|build|builds)", "A {a} B"),
    ("build-army", "(b|build|builds|raise) (a|army|an army) (in|at|) {unit:province}", "build army {A}"),
    ("build-fleet", "(f|fleet|flt) {unit:province} (b|build|builds)", "F {k} B"),
    (
        "build-fleet",
        "(b|build|builds|raise) (f|fleet|flt|a fleet) (in|at|) {unit:province}",
        "build fleet {K}",
    ),
    *(("move-via", _along(waters), "A {k} - {m} VIA") for waters in range(1, _HOPS + 1)),
)
"""Name, pattern and example of each form."""


def examples(board: Board) -> dict[str, Province]:
    """Places for the examples: a water f with a shore k where an army starts, and another shore m."""
    starts = [piece.at for pieces in board.starts.values() for piece in pieces if piece.kind == "A"]
    starts = starts or [centre for centre in board.centres if centre in board.shores]
    for shore in starts:
        for water in board.fleet[shore]:
            others = [one for one in board.fleet[water] if board.is_land(one) and one != shore]
            far = [one for one in others if one not in board.army[shore]]
            if not board.is_land(water) and far:
                return {"f": water, "k": shore, "m": far[0]}
    return {}


def coast_terms(board: Board) -> Iterator[Term]:
    """The names of each coast of a province that has several: ``STP/SC``, "St Petersburg (south coast)"."""
    for place in board.places.values():
        for coast in place.coasts:
            there = spot(place.id, coast)
            names = (board.name(there), board.abbr(there), *_spellings(place, coast))
            yield Term(sort="province", id=there, names=tuple(dict.fromkeys(names)))


def _spellings(place: Place, coast: str) -> Iterator[str]:
    side = COASTS[coast].removesuffix(" coast")
    for name in (place.name, place.abbr, *place.aliases):
        for word in (coast, COASTS[coast], side, f"{side}ern coast", side[0]):
            yield f"{name} {word}"
