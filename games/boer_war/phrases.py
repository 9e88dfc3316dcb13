"""Phrases that sentences share: names, numbers in words, sums, the odds of a draw, objections in words."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import get_args

from games.boer_war import notation
from games.boer_war.components import EventId, LeaderId, Link, Point, Side, materials
from games.boer_war.model import AnyOrder, PlayEvent
from games.language import join_list
from games.messages import has_sentence, sentence
from games.pool import DrawPool, RoundCounters
from games.protocol import Advice, Concern, Objection

_MAX_NUMBER_IN_WORDS, _MAX_ORDINAL_IN_WORDS = 11, 3


def number_in_words(number: int) -> str:
    """Return a number as a word up to eleven ("two", and "no" for 0), a higher one in figures."""
    return sentence(f"boer_war.numbers.{number}") if number <= _MAX_NUMBER_IN_WORDS else str(number)


def ordinal(number: int) -> str:
    """Return an ordinal as a word up to three ("second"), a higher one in figures."""
    return sentence(f"boer_war.ordinals.{number}") if number <= _MAX_ORDINAL_IN_WORDS else str(number)


def capitalize(text: str) -> str:
    """Return a name that begins a sentence, with a capital letter."""
    return text[:1].upper() + text[1:]


def the_side(side: Side) -> str:
    """Return the name of a side within a sentence: "the Boers"."""
    return sentence(f"boer_war.{side}.name")


def leader_names(leaders: Sequence[LeaderId]) -> str:
    """Return the names of leaders as a list, or "the garrison" if there are none."""
    names = join_list(notation.leader_name(leader) for leader in leaders)
    return names or sentence("boer_war.names.garrison")


def force_name(leaders: Sequence[LeaderId], sp: int) -> str:
    """Return the leaders of a force with its strength: "Buller and Clery (6 SP)"."""
    return sentence("boer_war.names.force", leaders=leader_names(leaders), sp=sp)


def place_names(points: Iterable[Point]) -> str:
    """Return the names of points as a list, or "none"."""
    return join_list(notation.place_name(point) for point in points) or sentence("boer_war.names.none")


def link_name(link: Link) -> str:
    """Return a link by the names of its ends: "Orange River Station - Modder River"."""
    return " - ".join(notation.place_name(Point(end)) for end in link.split("-"))


def link_names(links: Iterable[Link]) -> str:
    """Return the names of links as a list."""
    return join_list(link_name(link) for link in links)


def counter_digits(counters: RoundCounters) -> str:
    """Return the face-up Action counters in figures ("11 222 3"), or "none"."""
    shown = ("1" * counters.ones, "2" * counters.twos, "3" * counters.threes)
    return " ".join(row for row in shown if row) or sentence("boer_war.names.none")


def describe_odds(pool: DrawPool) -> str:
    """Return the markers of a pool and the chance of a further action in percent."""
    if pool.verdict == "GO!":
        return sentence("boer_war.odds.certain")
    if pool.verdict == "STOP":
        return sentence("boer_war.odds.none")
    chance = round(100 * Fraction(*pool.chance))
    return sentence("boer_war.odds.open", go=pool.go, stop=pool.stop, chance=chance)


def describe_sum(first: int, terms: Iterable[tuple[str, int]]) -> str:
    """Return a sum with the reason for each further term in brackets: "7 + 4 (die) - 2 (entrenched)".

    The reason of a term is given as the code of a modifier or of an event.
    """
    return str(first) + "".join(
        f" {'-' if number < 0 else '+'} {abs(number)} ({_modifier_name(code)})" for code, number in terms
    )


def nonzero(modifiers: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """Return the modifiers that change a result."""
    return tuple((code, number) for code, number in modifiers if number)


def _modifier_name(code: str) -> str:
    events = materials().events
    return events[EventId(code)].name if code in events else sentence(f"boer_war.modifiers.{code}")


_ORDER_VERBS: Mapping[str, str] = {
    kind.__name__: "EVENT" if kind is PlayEvent else kind.__name__.upper() for kind in get_args(AnyOrder)
}
"""The first word of an order, by the name of its class."""

_MAX_ALTERNATIVES_LISTED = 8
"""The number of possible names that a list shows before "others"."""

_PLACE_DETAILS = ("at", "to", "start", "goal", "point", "town", "port")
_LEADER_DETAILS = ("leader", "giver", "taker", "other", "by")


def describe_problem(code: str, detail: Mapping[str, str]) -> str:
    """Return the problem as a clause without a full stop. Raises KeyError for an unknown code.

    The values of its sentence are the details in words. The value `near` is a list of what is possible.
    """
    near = detail.get("near", "").split()
    shown = [_describe_code(name) for name in near[:_MAX_ALTERNATIVES_LISTED]]
    shown += [sentence("boer_war.names.others")] if len(near) > _MAX_ALTERNATIVES_LISTED else []
    words = {name: _describe_detail(name, value) for name, value in detail.items()}
    alternatives = join_list(shown) or sentence("boer_war.names.none")
    return sentence(f"boer_war.advice.{code}", **{**words, "near": alternatives})


def describe_objection(remark: Objection | Concern) -> Advice:
    """Return an objection or a concern in words. Raises KeyError for an unknown code."""
    instead, near = None, remark.detail.get("near", "").split()
    # What to write instead may need a possible name, the first of `near`.
    if near and has_sentence(f"boer_war.instead_first.{remark.code}"):
        words = {**remark.detail, "first": near[0]}
        instead = sentence(f"boer_war.instead_first.{remark.code}", **words)
    elif has_sentence(f"boer_war.instead.{remark.code}"):
        instead = sentence(f"boer_war.instead.{remark.code}", **remark.detail)
    return Advice(problem=describe_problem(remark.code, remark.detail), instead=instead)


def _describe_detail(name: str, value: str) -> str:
    if name == "side":
        return the_side("boers" if value == "boers" else "empire")
    return _describe_code(value) if name in (*_PLACE_DETAILS, *_LEADER_DETAILS, "event", "link") else value


def _describe_code(value: str) -> str:
    """Return the name of a leader, point, event or link, or the verb of an order.

    Any other value is returned unchanged.
    """
    box = materials()
    if value in box.leaders:
        return notation.leader_name(LeaderId(value))
    if value in box.places:
        return notation.place_name(Point(value))
    if value in _ORDER_VERBS:
        return _ORDER_VERBS[value]
    if value in box.events:
        return notation.event_name(EventId(value))
    return link_name(Link(value)) if "-" in value and value.partition("-")[0] in box.places else value
