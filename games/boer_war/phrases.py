"""Small words of The Second Boer War: lists, numbers, points and leaders in a sentence."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from games.boer_war import names
from games.boer_war.codes import EventId, LeaderId, Link, Point, Side
from games.boer_war.components import materials
from games.boer_war.model import SIDE_NAMES
from games.pool import Counters, Pool

ORDINALS = ("", "first", "second", "third")
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")


def listed(items: Iterable[str], joint: str = "and", none: str = "none") -> str:
    """Several things in words: "a, b and c"."""
    said = tuple(items)
    if not said:
        return none
    return f"{', '.join(said[:-1])} {joint} {said[-1]}" if len(said) > 1 else said[0]


def counted(number: int, one: str, many: str | None = None) -> str:
    """A small number of things in words: "two camps"."""
    word = _COUNTS[number] if 0 <= number < len(_COUNTS) else str(number)
    return f"{word} {one if number == 1 else many or one + 's'}"


def capital(text: str) -> str:
    """With its first letter large."""
    return text[:1].upper() + text[1:]


def the(side: Side) -> str:
    """A side in a sentence: "the Boers"."""
    return f"the {SIDE_NAMES[side]}"


def of(side: Side) -> str:
    """Whose something is: "the Boers'"."""
    return "the Boers'" if side == "boers" else "the Empire's"


def has(side: Side, plural: str, singular: str) -> str:
    """The form of a verb that goes with a side."""
    return plural if side == "boers" else singular


def led(leaders: Sequence[LeaderId], sp: int | None = None) -> str:
    """Leaders by name, with their strength if it is said; without leaders a garrison."""
    who = listed([names.leader(one) for one in leaders], none="the garrison")
    return who if sp is None else f"{who} ({sp} SP)"


def places(points: Iterable[Point]) -> str:
    """Points by name."""
    return listed([names.place(point) for point in points])


def linked(link: Link) -> str:
    """A link by the names of its ends: "Orange River Station - Modder River"."""
    return " - ".join(names.place(Point(end)) for end in link.split("-"))


def lines(links: Iterable[Link]) -> str:
    """Several links by name."""
    return listed([linked(link) for link in links])


def open_counters(counters: Counters) -> str:
    """The Action counters that lie open, in figures: "11 222 3"."""
    shown = ("1" * counters.ones, "2" * counters.twos, "3" * counters.threes)
    return " ".join(row for row in shown if row) or "none"


def odds(pool: Pool) -> str:
    """What a draw is made from, and the chance of a further action."""
    if pool.verdict == "GO!":
        return "certain, nothing is drawn"
    if pool.verdict == "STOP":
        return "none, nothing is drawn"
    chance = round(100 * Fraction(*pool.chance))
    return f"{pool.go} GO! : {pool.stop} STOP, {chance} %"


_MODIFIERS = {
    "trenches": "entrenched",
    "unsupplied": "out of supply",
    "command": "Command",
    "columns": "more columns",
    "numbers": "superior numbers",
    "surprise": "commandos attack",
    "veld": "off the railway",
}
"""What modifiers are called in sentences, where not by their own names."""


def signed(modifiers: Iterable[tuple[str, int]]) -> str:
    """Modifiers with their reasons: " - 2 (entrenched)"; nothing where there are none."""
    return "".join(
        f" {'-' if number < 0 else '+'} {abs(number)} ({_modifier(name)})"
        for name, number in modifiers
        if number
    )


def _modifier(name: str) -> str:
    if name in materials().events:
        return materials().events[EventId(name)].name
    return _MODIFIERS.get(name, name)
