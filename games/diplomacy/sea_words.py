"""The words of boards with armies and fleets: convoys, coasts, builds by kind."""

from collections.abc import Iterator

from games.diplomacy.board import Board, Place
from games.diplomacy.coasts import COASTS
from games.diplomacy.languages import NO_TONGUES, Tongues
from games.diplomacy.model import Province, spot
from games.protocol import Term


def said_of(*short: str, whole: tuple[str, ...]) -> str:
    """The choice of what may stand before a province for whoever is there, nothing included."""
    articles = ("", "the ", "my ", "our ")
    long = (f"{article}{one}{at}" for one in whole for article in articles for at in _AT)
    return f"({'|'.join((*short, *long, *(article.strip() for article in articles[1:]), ''))})"


_AT = ("", " in", " in the", " at", " from", " of")
UNIT = said_of("a", "f", "flt", whole=("army", "fleet", "unit"))
"""What may stand before a province for whoever is there; which of them it is, the view knows."""

_CONVOYS = (
    "(c|con|conv|convoy|convoys|convoying|carry|carries|t|transport|transports|ferry|ferries|fast ferry|ff)"
)
_WHOSE = f"[{{nation:nation}}] {UNIT}"
_VIA = "(via|via convoy|by convoy|with convoy|convoy|via sea|by sea|by fleet|convoyed)"
_OVER = "(via|by|over|through) [the]"
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
        f"{UNIT} {{unit:province}} {_CONVOYS} {_WHOSE} {{other:province}} {_TO} [the] {{to:province}}",
        "F {f} C A {k} - {m}",
    ),
    (
        "convoy",
        f"(convoy|transport) {_WHOSE} {{other:province}} {_TO} {{to:province}} (with|by|via) "
        f"{UNIT} {{unit:province}}",
        "convoy {K} to {M} with {F}",
    ),
    ("move-via", f"{UNIT} {{unit:province}} {_TO} [the] {{to:province}} {_VIA}", "A {k} - {m} VIA"),
    ("move-via", f"{UNIT} {{unit:province}} {_VIA} {_TO} [the] {{to:province}}", "{K} by convoy to {M}"),
    (
        "move-via",
        f"{UNIT} {{unit:province}} {_TO} [the] {{to:province}} {_OVER} {{by1:province}}",
        "{K} to {M} via {F}",
    ),
    (
        "move-via",
        f"{UNIT} {{unit:province}} {_TO} [the] {{to:province}} {_OVER} {{by1:province}} (and|-|,|, and|) "
        "[the] {by2:province}",
        "{K} to {M} via {F} and {F}",
    ),
    ("hold", f"{UNIT} {{unit:province}} - h", "A {k} - H"),
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


def examples(board: Board) -> dict[str, Province]:
    """Places for the examples: a water f with a shore k where an army starts, and another shore m.

    Any shore will do where no army starts on one, and any places where nobody could be convoyed.
    """
    starts = [piece.at for pieces in board.starts.values() for piece in pieces if piece.kind == "A"]
    for shore in dict.fromkeys((*starts, *board.centres, *sorted(board.shores))):
        for water in board.fleet[shore]:
            others = [one for one in board.fleet[water] if board.is_land(one) and one != shore]
            far = [one for one in others if one not in board.army[shore]]
            if not board.is_land(water) and far:
                return {"f": water, "k": shore, "m": far[0]}
    lands = [place for place in board.places if board.is_land(place)]
    waters = [place for place in board.places if not board.is_land(place)]
    return {"f": (waters or lands)[0], "k": lands[0], "m": lands[-1]}


def coast_terms(board: Board, tongues: Tongues = NO_TONGUES) -> Iterator[Term]:
    """The names of each coast of a province that has several: ``STP/SC``, "St Petersburg (south coast)"."""
    for place in board.places.values():
        for coast in place.coasts:
            there = spot(place.id, coast)
            said = tongues.on_coast(place.id, coast, (place.name, place.abbr))
            names = (board.name(there), board.abbr(there), *_spellings(place, coast), *said)
            yield Term(sort="province", id=there, names=tuple(dict.fromkeys(names)))


def _spellings(place: Place, coast: str) -> Iterator[str]:
    side = COASTS[coast].removesuffix(" coast")
    for name in (place.name, place.abbr, *place.aliases):
        for word in (coast, COASTS[coast], side, f"{side}ern coast", side[0]):
            yield f"{name} {word}"
