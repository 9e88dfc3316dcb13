"""The Boer War in a few sentences, for a new player: goal, time, surprises."""

from games import marks
from games.boer_war.model import View
from games.own_box import DATA, short_hash
from games.protocol import Seat

_COUNTED_FILES = (
    ("leaders", "data/leaders.json", "leaders"),
    ("points", "data/map.json", "points"),
    ("battle cards", "data/cards.json", "cards"),
    ("events", "data/events.json", "events"),
)


def setting(view: View, seat: Seat | None) -> str:
    """Return what the war is, by which rules, and which side the seat leads."""
    by = "The war in South Africa, 1899 to 1902: leaders march, besiege towns and raid railways"
    if view.mode == "table":
        return f"{by}. The board is yours; here the markers are drawn that say who acts how often."
    if view.mode == "both":
        return f"{by}. You lead both sides in turn."
    return f"{by}. You lead the {seat}." if seat else f"{by}."


def introduction(view: View, seat: Seat | None) -> tuple[str, ...]:
    """Return how to win, how long it takes, what is special, and how much of it is ours."""
    values = f"The procedure is the publisher's; {_source_note(view)}."
    if view.mode == "table":
        return (
            "You play on your own board: write DONE after each action, and you are told whether "
            "another follows.",
            _LENGTH_NOTE,
            _POOL_NOTE,
        )
    boers, empire = _boer_goal(view), _empire_goal(view)
    goals = {"Boers": (boers,), "Empire": (empire,)}.get(str(seat), (boers, empire))
    return (" ".join(goals), _LENGTH_NOTE, _POOL_NOTE, values)


def _source_note(view: View) -> str:
    if DATA in view.options:
        return f"the numbers are those of an owner's box, {short_hash(str(view.options[DATA]))}"
    return marks.describe_counts(
        [(things, marks.count_assumed("games.boer_war", file, key)) for things, file, key in _COUNTED_FILES]
    )


_LENGTH_NOTE = "It has four Turns of eleven rounds a side, and a letter is a round of one to three actions."
_POOL_NOTE = (
    "The pool decides: after each action GO! or STOP is drawn out of it, and every report tells the odds. "
    "Troops go with leaders, and railways carry them."
)


def _boer_goal(view: View) -> str:
    numbers = view.box.numbers.victory
    return (
        f"The Boers win in Turns I and II by {numbers.sieges} completed sieges, by a port or by "
        f"{numbers.targets} objectives; else by {numbers.unbeaten} strength points (SP) left after Turn IV."
    )


def _empire_goal(view: View) -> str:
    numbers = view.box.numbers.victory
    return (
        "The Empire wins by the three political centres in Turns I and II, later by camps, or when fewer "
        f"than {numbers.gone} strength points (SP) of the Boers are left."
    )
