"""Conditions of IF on a board: which unit stands in a place, and which nation owns it."""

from collections.abc import Iterator

from games.diplomacy.boards.board import Board
from games.diplomacy.model import Province, View, split_spot
from games.protocol import Condition

_IN_WORDS = "(in|at|on)"
_KIND_FORMS = {
    "W": ("unit", "(w|wp|war party|a|army)", "W"),
    "A": ("army", "(a|army)", "A"),
    "F": ("fleet", "(f|flt|fleet)", "F"),
}
"""For each kind of unit what conditions of it are called, how it is said, and its letter."""

# Of whatever kind the unit is.
_CONDITION_ROWS: tuple[tuple[str, str, str], ...] = (
    ("unit-at", "{place:province} (is occupied|occupied|has a unit|is not empty|is taken)", "{A} has a unit"),
    ("unit-at", "{place:province}", "{A}"),
    (
        "empty-at",
        "{place:province} (is empty|empty|is vacant|vacant|is free|is unoccupied|is not occupied)",
        "{A} is empty",
    ),
    (
        "unit-of-at",
        f"{{nation:nation}} (is|stands|sits|has a unit|) {_IN_WORDS} {{place:province}}",
        "{N} is in {A}",
    ),
    ("unit-of-at", "{nation:nation} {place:province}", "{N} {A}"),
    ("owned-by", "{nation:nation} (owns|controls|holds) {place:province}", "{N} owns {A}"),
    (
        "owned-by",
        "{place:province} (is owned by|is controlled by|is held by|belongs to) {nation:nation}",
        "{A} is owned by {N}",
    ),
)


# Where a nation may be called as a province is, whichever stands first is the nation.
_EITHER_WAY = (
    ("{nation:nation} {place:province} SORT", "{N} {a} X"),
    ("{place:province} {nation:nation} SORT", "{a} {N} X"),
    ("SORT {place:province} {nation:nation}", "X {a} {N}"),
    ("{place:province} SORT {nation:nation}", "{a} X {N}"),
)


def condition_forms(board: Board) -> tuple[tuple[str, str, str], ...]:
    """Return name, pattern and example of each form. The Judge takes nation, kind and place in any order."""
    kinds = sorted({board.walker, *board.kinds})
    places = {name.lower() for place in board.places.values() for name in (place.name, *place.aliases)}
    apart = not any(str(power).lower() in places for power in board.powers)
    forms = (*(row for kind in kinds for row in _of_a_kind(kind, apart)), *_CONDITION_ROWS)
    return (*forms, ("unit-of-at", "{place:province} {nation:nation}", "{A} {N}")) if apart else forms


def _of_a_kind(kind: str, apart: bool) -> Iterator[tuple[str, str, str]]:
    name, sort, letter = _KIND_FORMS[kind]
    article, word = "a" if kind == "F" else "(a|an)", sort[1:-1].split("|")[-1]
    for pattern, example in (
        ("SORT {place:province}", "X {a}"),
        ("{place:province} SORT", "{A} X"),
        (f"{{place:province}} has {article} SORT", f"{{A}} has a {word}"),
    ):
        yield f"{name}-at", pattern.replace("SORT", sort), example.replace("X", letter)
    for pattern, example in (
        ("{nation:nation} SORT {place:province}", "{N} X {a}"),
        ("SORT {nation:nation} {place:province}", "X {N} {a}"),
        *(_EITHER_WAY if apart else ()),
        (f"(a|an|the|) {{nation:nation}} SORT (is|stands|) {_IN_WORDS} {{place:province}}", "{N} X in {A}"),
        (
            f"{{nation:nation}} has {article} SORT {_IN_WORDS} {{place:province}}",
            f"{{N}} has a {word} in {{A}}",
        ),
    ):
        yield f"{name}-of-at", pattern.replace("SORT", sort), example.replace("X", letter)


def write(condition: Condition, place: str, has_fleets: bool) -> str:
    """The canonical text of a condition; `place` is its province, abbreviated."""
    form, nation = condition.form, condition.slots.get("nation")
    if form == "owned-by":
        return f"{nation} owns {place}"
    if form == "empty-at":
        return f"{place} is empty"
    if form == "unit-at" and has_fleets:
        return f"{place} is occupied"
    if form == "unit-of-at" and has_fleets:
        return f"{nation} in {place}"
    letter = next(letter for name, _, letter in _KIND_FORMS.values() if form.startswith(name))
    return f"{nation} {letter} {place}" if nation else f"{letter} {place}"


def is_met(view: View, condition: Condition) -> bool:
    """Return whether the condition is met. Raises KeyError for a form that is none of `condition_forms`."""
    place, _ = split_spot(Province(condition.slots["place"]))
    nation, form = condition.slots.get("nation"), condition.form
    if form == "owned-by":
        return view.centres.get(place) == nation
    there = [unit for unit in view.units if unit.at == place]
    if form == "empty-at":
        return not there
    kinds = {"unit": "WAF", "army": "A", "fleet": "F"}[form.partition("-")[0]]
    return any(unit.kind in kinds and nation in (None, unit.power) for unit in there)
