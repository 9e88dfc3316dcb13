"""Objections and concerns in words: why an order is not possible, and what to write instead."""

from collections.abc import Mapping
from typing import get_args

from games.boer_war import notation
from games.boer_war.components import EventId, LeaderId, Link, Point, materials
from games.boer_war.model import AnyOrder, PlayEvent
from games.boer_war.phrases import link_name, the_side
from games.language import join_list
from games.messages import has_sentence, sentence
from games.protocol import Advice, Concern, Objection

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
