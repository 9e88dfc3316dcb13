"""Objections and concerns in words: what is wrong, and what to write instead."""

from collections.abc import Mapping
from typing import get_args

from games.boer_war import notation
from games.boer_war.components import EventId, LeaderId, Link, Point, materials
from games.boer_war.model import AnyOrder, PlayEvent
from games.boer_war.phrases import join_words, link_name, the_side
from games.protocol import Advice, Concern, Objection

# What is wrong, and what to write instead ("" for nothing). Names in braces are those of the detail, put into
# words by what they are; {near} is a list, {first} the first of it as it is written in an order.
_ADVICE: Mapping[str, tuple[str, str]] = {
    # Who, and when.
    "not-in-this-turn": ("that is no order of {side} in this Turn; there are {near}", ""),
    "not-your-round": ("it is not the round of {side}", ""),
    "not-yours": ("{leader} is not of that side; there are {near}", ""),
    "still-to-come": ("{leader} has not come yet", ""),
    "in-the-box": ("{leader} waits in the Reorganization box", "REORGANIZE {leader}"),
    "gone": ("{leader} is out of the game", ""),
    "not-on-map": ("{leader} is not on the map; there are {near}", ""),
    "boers-only": ("only Boers slip away; {leader} always stands", ""),
    "besieged": ("{leader} is shut up in {at} and may only sally", "ASSAULT {at}"),
    "besieged-town": ("{at} is besieged, and who is shut up there may only sally", "ASSAULT {at}"),
    "besieged-leader": ("{leader} is besieged; SP can come to {near}", ""),
    "shaken": ("{leader} was beaten off, and after Black Week may not attack in this round", ""),
    # Groups and ways.
    "twice": ("{leader} is named twice", ""),
    "apart": ("{leader} is at {at}, not at {start}; with him go {near}", ""),
    "no-chief": ("{leader} is no Commander-in-Chief and goes alone", ""),
    "too-many": ("{most} leaders at most go together", ""),
    "nowhere": ("a way needs a goal other than {at}; next to it lie {near}", ""),
    "no-way": ("there is no free way from {at} to {to}; next to {at} lie {near}", ""),
    "in-the-way": ("{at} is held by the enemy, and a way may end there but not go on", ""),
    "too-far": ("that is {links} links, and {leader} goes {most} at most: as far as {at}", ""),
    "unsupplied": ("{leader} is out of supply and goes one link, as far as {at}", ""),
    "no-station": ("no train leaves from {at}, which is not on an Empire-controlled railway", ""),
    "no-train": ("no train goes from {at} to {to}: cut, Boer-controlled, or Boers are there", ""),
    "attack-from-enemy": ("{at}, from where {goal} would be attacked, must be free of Empire SP", ""),
    "out-of-reach": ("{leader} does not reach {at}; these do: {near}", ""),
    "no-boers": ("there are no Boers at {at}; they are at {near}", ""),
    # Battles and sieges.
    "nothing-to-storm": ("{at} is no siege town held by the Empire; MOVE alone attacks", ""),
    "no-guns": ("the naval guns do not lie ready; the event that brings them is {event}", ""),
    "guns-out-of-reach": ("naval guns serve in an attack on the railway or one link from it", ""),
    "no-siege": ("there is no siege at {at}; besieged are {near}", ""),
    "too-few": ("a siege takes {least} SP, and {at} is besieged by {sp}", ""),
    "once-a-town": ("{at} was shelled in this round already", ""),
    "nobody-there": ("none of your SP are at {at}; it could be done at {near}", ""),
    "entrenched-already": ("your force at {at} is entrenched already; others are at {near}", ""),
    # Railways.
    "no-link": ("no link joins the two ends of {link}", ""),
    "no-railway": ("{link} is no railway; there are {near}", ""),
    "cut-already": ("{link} is cut already; in reach are {near}", ""),
    "nobody-near": ("no leader's men reach {link}; in reach are {near}", ""),
    "not-near": ("the men of {leader} do not reach {link}; those of {near} do", ""),
    "not-cut": ("{link} is not cut, or was named before; it could be {near}", "REPAIR {first}"),
    "nobody-to-repair": ("no SP of yours are near {link}; it could be {near}", "REPAIR {first}"),
    "too-many-links": ("from one to {most} links can be named; in reach are {near}", ""),
    "has-blockhouse": ("blockhouses stand along {link} already; free are {near}", "BLOCKHOUSE {first}"),
    "no-blockhouses-left": ("all blockhouses are built", ""),
    "not-empire-controlled": (
        "you do not control both ends of {link}; free are {near}",
        "BLOCKHOUSE {first}",
    ),
    # SP.
    "no-sp": ("{sp} is no number of SP to name", ""),
    "reinforced-already": ("REINFORCE or REORGANIZE was ordered in this round; one of them once a round", ""),
    "black-week": ("after Black Week the Empire is not reinforced in this round", ""),
    "pool-empty": ("the pool of {side} is empty", ""),
    "too-much": ("{most} SP are the most now", ""),
    "no-room": ("{leader} has room for {room} SP more; room have {near}", ""),
    "leader-unsupplied": ("{leader} is out of supply; in supply are {near}", "REINFORCE {first}"),
    "not-boer-controlled": ("{at}, where {leader} is, is not Boer-controlled; others are {near}", ""),
    "which-leader": ("say which leader gets the SP: {near}", "REINFORCE {first}"),
    "which-port": ("say at which port: {near}", ""),
    "no-port": ("{at} is no port of yours; there are {near}", ""),
    "elsewhere": ("{leader} is at {at}; only who comes out of the box is given a place", ""),
    "none-scattered": ("nothing of {side} lies in the Scattered box", ""),
    "where-back": ("say where {leader} comes back: {near}", "REORGANIZE {leader} {first}"),
    "no-haven": ("{leader} cannot come back at {at}; he can at {near}", "REORGANIZE {leader} {first}"),
    # Recruits and camps.
    "strong-enough": ("{leader} has three SP already; able to recruit are {near}", "REINFORCE {first}"),
    "no-recruits-left": ("the recruit pool is empty", ""),
    "no-boer-country": ("nobody can recruit at {at}: neither republic nor rebels; {near} can", ""),
    "empire-there": ("nobody can recruit at {at} beside Empire SP; able to are {near}", ""),
    "blockhouses-there": ("nobody can recruit at {at}, where a line of blockhouses ends; {near} can", ""),
    "camp-near": ("nobody can recruit at {at}, since a camp is there or next to it; {near} can", ""),
    "recruited-already": ("somebody has recruited at {at} in this Turn; able to are {near}", ""),
    "camp-already": ("a camp was set up in this round", ""),
    "camp-ban": ("after Miss Hobhouse's report no camp can be set up, for {rounds} rounds", ""),
    "no-camps-left": ("all camps are set up", ""),
    "no-camp-site": ("{at} is no camp site; possible are {near}", "CAMP {first}"),
    "has-camp": ("{at} has a camp; possible are {near}", "CAMP {first}"),
    "not-joined": ("no Empire-controlled railway joins {at} to a port; possible are {near}", "CAMP {first}"),
    # Free orders.
    "nobody-to-hand": ("name who hands over and who gets the SP; there are {near}", ""),
    "no-boer-garrisons": ("Boers leave no garrisons", ""),
    "one-sp": ("{leader} leaves one SP as a garrison, no more", ""),
    "too-weak": ("{leader} needs two SP or more to leave one behind", ""),
    "not-coming": ("{leader} is not on his way; {near} are", ""),
    "lands-elsewhere": ("{leader} does not come to {at}; he comes to {near}", "LAND {leader} {first}"),
    "lands-by-rail": ("{leader} comes to a point on a railway of the republics", ""),
    # Events.
    "event-already": ("an event was played in this round", ""),
    "not-your-event": ("{event} is not an event of yours; there are {near}", "EVENT {first}"),
    "not-this-turn": ("{event} is not for Turn {turn}; there are {near}", "EVENT {first}"),
    "played-already": ("{event} is used up; there are {near}", "EVENT {first}"),
    "no-condition": ("what {event} asks for is not so now", ""),
    "not-for-this-event": ("{event} takes no {what}", "EVENT {event}"),
    "which-point": ("{event} needs a point: {near}", "EVENT {event} {first}"),
    "not-this-point": ("{event} cannot be played at {at}; it can at {near}", "EVENT {event} {first}"),
    "not-this-leader": ("{event} is not for {leader}; it is for {near}", "EVENT {event} {first}"),
    "event-leader": ("{event} needs a leader: {near}", "EVENT {event} {first}"),
    "which-cuts": ("{event} takes from one to {most} cuts away: {near}", ""),
    "which-link": ("{event} needs one railway link more, for the blockhouses: {near}", ""),
    "which-links": ("{event} cuts from one to {most} railway links: {near}", ""),
    "no-rebel-country": ("{at} is not rebel country without Empire SP; such are {near}", ""),
    "no-empire-leader": ("no Empire leader is at {at}; they are at {near}", ""),
    # Free orders beside an action.
    "nothing-moves": ("SP change hands with a MOVE, RAIL or TREK of the same letter, and there is none", ""),
    "cannot-hand-over": ("there is not enough to give, no room for it, or they are not together", ""),
    "more-than-a-round": ("a round has three actions at most, so {most} can still be played", ""),
}
_ORDER_VERBS: Mapping[str, str] = {
    kind.__name__: "EVENT" if kind is PlayEvent else kind.__name__.upper() for kind in get_args(AnyOrder)
}
"""By the name of a kind of orders, the word that it begins with."""

_MAX_ALTERNATIVES_LISTED = 8
"""So many things are listed; of more the rest is left out."""

_PLACE_DETAILS = ("at", "to", "start", "goal", "point", "town", "port")
_LEADER_DETAILS = ("leader", "giver", "taker", "other", "by")


def describe_problem(code: str, detail: Mapping[str, str]) -> str:
    """Return what is wrong, as part of a sentence. Raises KeyError for a code that is not ours."""
    return _ADVICE[code][0].format(**_detail_words(detail))


def describe_objection(remark: Objection | Concern) -> Advice:
    """Return an objection or a concern in words. Raises KeyError for a code that is not ours."""
    words = _detail_words(remark.detail)
    instead = _ADVICE[remark.code][1]
    is_wanted = instead and ("{first}" not in instead or words["first"])
    written = {**words, **remark.detail, "first": words["first"]}
    return Advice(
        problem=describe_problem(remark.code, remark.detail),
        instead=instead.format(**written) if is_wanted else None,
    )


def _detail_words(detail: Mapping[str, str]) -> dict[str, str]:
    near = detail.get("near", "").split()
    words = {name: _describe_detail(name, value) for name, value in detail.items()}
    shown = [_describe_code(code) for code in near[:_MAX_ALTERNATIVES_LISTED]] + ["others"] * (
        len(near) > _MAX_ALTERNATIVES_LISTED
    )
    return {**words, "near": join_words(shown), "first": near[0] if near else ""}


def _describe_detail(name: str, value: str) -> str:
    if name == "side":
        return the_side("boers" if value == "boers" else "empire")
    return _describe_code(value) if name in (*_PLACE_DETAILS, *_LEADER_DETAILS, "event", "link") else value


def _describe_code(value: str) -> str:
    """Return a code in words: a leader, a point, an event or a link; anything else stays as it is."""
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
