"""Parts of sentences for The Second Boer War: lists, numbers, points and leaders."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from games.boer_war import notation
from games.boer_war.components import EventId, LeaderId, Link, Point, Side, materials
from games.boer_war.model import SIDE_NAMES
from games.pool import DrawPool, RoundCounters

ORDINALS = ("", "first", "second", "third")
_COUNT_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")


def join_words(items: Iterable[str], joint: str = "and", none: str = "none") -> str:
    """Return several things in words: "a, b and c"."""
    words = tuple(items)
    if not words:
        return none
    return f"{', '.join(words[:-1])} {joint} {words[-1]}" if len(words) > 1 else words[0]


def count_words(number: int, singular: str, plural: str | None = None) -> str:
    """Return a small number of things in words: "two camps"."""
    word = _COUNT_WORDS[number] if 0 <= number < len(_COUNT_WORDS) else str(number)
    return f"{word} {singular if number == 1 else plural or singular + 's'}"


def capitalize(text: str) -> str:
    """Return the text with its first letter large."""
    return text[:1].upper() + text[1:]


def the_side(side: Side) -> str:
    """Return a side in a sentence: "the Boers"."""
    return f"the {SIDE_NAMES[side]}"


def possessive_of(side: Side) -> str:
    """Return the possessive of a side: "the Boers'"."""
    return "the Boers'" if side == "boers" else "the Empire's"


def verb_form(side: Side, plural: str, singular: str) -> str:
    """Return the form of a verb that goes with a side."""
    return plural if side == "boers" else singular


def leader_names(leaders: Sequence[LeaderId], sp: int | None = None) -> str:
    """Return leaders by name, with their strength if it is given; without leaders a garrison."""
    who = join_words([notation.leader_name(leader) for leader in leaders], none="the garrison")
    return who if sp is None else f"{who} ({sp} SP)"


def place_names(points: Iterable[Point]) -> str:
    """Return points by name."""
    return join_words([notation.place_name(point) for point in points])


def link_name(link: Link) -> str:
    """Return a link by the names of its ends: "Orange River Station - Modder River"."""
    return " - ".join(notation.place_name(Point(end)) for end in link.split("-"))


def link_names(links: Iterable[Link]) -> str:
    """Return several links by name."""
    return join_words([link_name(link) for link in links])


def counter_digits(counters: RoundCounters) -> str:
    """Return the Action counters that lie open, in figures: "11 222 3"."""
    shown = ("1" * counters.ones, "2" * counters.twos, "3" * counters.threes)
    return " ".join(row for row in shown if row) or "none"


def describe_odds(pool: DrawPool) -> str:
    """Return the pool that a draw is made from, and the chance of a further action."""
    if pool.verdict == "GO!":
        return "certain, without a draw"
    if pool.verdict == "STOP":
        return "none, without a draw"
    chance = round(100 * Fraction(*pool.chance))
    return f"{pool.go} GO! : {pool.stop} STOP, {chance} %"


_MODIFIER_WORDS = {
    "trenches": "entrenched",
    "unsupplied": "out of supply",
    "command": "Command",
    "columns": "more columns",
    "numbers": "superior numbers",
    "surprise": "commandos attack",
    "veld": "off the railway",
}
"""The names of modifiers in sentences, if they differ from their slugs."""


def describe_modifiers(modifiers: Iterable[tuple[str, int]]) -> str:
    """Return modifiers with their reasons: " - 2 (entrenched)"; nothing where there are none."""
    return "".join(
        f" {'-' if number < 0 else '+'} {abs(number)} ({_modifier_name(name)})"
        for name, number in modifiers
        if number
    )


def _modifier_name(name: str) -> str:
    if name in materials().events:
        return materials().events[EventId(name)].name
    return _MODIFIER_WORDS.get(name, name)
