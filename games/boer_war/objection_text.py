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
    # Sides and turns.
    "not-in-this-turn": ("{side} can't give that order in this Turn. Possible: {near}", ""),
    "not-your-round": ("it isn't the round of {side}", ""),
    "not-yours": ("{leader} is on the other side. Your leaders: {near}", ""),
    "still-to-come": ("{leader} hasn't arrived yet", ""),
    "in-the-box": ("{leader} is in the Reorganization box", "REORGANIZE {leader}"),
    "gone": ("{leader} is out of the game", ""),
    "not-on-map": ("{leader} isn't on the map. Leaders on the map: {near}", ""),
    "boers-only": ("only Boers can slip away; {leader} always stands", ""),
    "besieged": ("{leader} is besieged in {at} and can only sally", "ASSAULT {at}"),
    "besieged-town": ("{at} is besieged, and the forces inside can only sally", "ASSAULT {at}"),
    "besieged-leader": ("{leader} is besieged. SP can go to {near}", ""),
    "shaken": ("{leader} was beaten off, and can't attack again this round after Black Week", ""),
    # Groups and ways.
    "twice": ("{leader} is named twice", ""),
    "apart": ("{leader} is at {at}, not at {start}. These can go along: {near}", ""),
    "no-chief": ("{leader} isn't a Commander-in-Chief and can only move alone", ""),
    "too-many": ("only {most} leaders can move together", ""),
    "nowhere": ("a move needs a goal other than {at}. Next to it: {near}", ""),
    "no-way": ("there's no free way from {at} to {to}. Next to {at}: {near}", ""),
    "in-the-way": ("{at} is enemy-held, so a move can end there but not pass through", ""),
    "too-far": ("that is {links} links, but {leader} can only move {most}: as far as {at}", ""),
    "unsupplied": ("{leader} is out of supply and can only move one link, as far as {at}", ""),
    "no-station": ("{at} isn't on an Empire-controlled railway, so no train leaves there", ""),
    "no-train": ("no train runs from {at} to {to}: the line is cut or Boer-held", ""),
    "attack-from-enemy": ("to attack {goal} from {at}, there must be no Empire SP at {at}", ""),
    "out-of-reach": ("{leader} can't reach {at}. These can: {near}", ""),
    "no-boers": ("there are no Boers at {at}. They are at {near}", ""),
    # Battles and sieges.
    "nothing-to-storm": ("{at} isn't a siege town held by the Empire. To attack it, MOVE without STORM", ""),
    "no-guns": ("you don't have the naval guns. The event {event} brings them", ""),
    "guns-out-of-reach": ("naval guns can only attack on the railway or one link from it", ""),
    "no-siege": ("there's no siege at {at}. Besieged: {near}", ""),
    "too-few": ("a siege needs {least} SP, and only {sp} besiege {at}", ""),
    "once-a-town": ("{at} has already been shelled this round", ""),
    "nobody-there": ("you have no SP at {at}. Possible: {near}", ""),
    "entrenched-already": ("your force at {at} is already entrenched. Others are at {near}", ""),
    # Railways.
    "no-link": ("no link joins the two ends of {link}", ""),
    "no-railway": ("{link} isn't a railway. Possible: {near}", ""),
    "cut-already": ("{link} is already cut. In reach: {near}", ""),
    "nobody-near": ("none of your leaders can reach {link}. In reach: {near}", ""),
    "not-near": ("{leader} can't reach {link}. These can: {near}", ""),
    "not-cut": ("{link} isn't cut, or you named it twice. Possible: {near}", "REPAIR {first}"),
    "nobody-to-repair": ("you have no SP near {link}. Possible: {near}", "REPAIR {first}"),
    "too-many-links": ("name one to {most} links. In reach: {near}", ""),
    "has-blockhouse": ("{link} already has blockhouses. Possible: {near}", "BLOCKHOUSE {first}"),
    "no-blockhouses-left": ("all blockhouses are built", ""),
    "not-empire-controlled": (
        "you don't control both ends of {link}. Possible: {near}",
        "BLOCKHOUSE {first}",
    ),
    # SP.
    "no-sp": ("{sp} isn't a possible number of SP", ""),
    "reinforced-already": ("you can order REINFORCE or REORGANIZE only once a round", ""),
    "black-week": ("the Empire can't reinforce this round, after Black Week", ""),
    "pool-empty": ("the pool of {side} is empty", ""),
    "too-much": ("{most} SP is the limit now", ""),
    "no-room": ("{leader} has room for only {room} more SP. These have room: {near}", ""),
    "leader-unsupplied": ("{leader} is out of supply. In supply: {near}", "REINFORCE {first}"),
    "not-boer-controlled": ("{leader} is at {at}, which isn't Boer-controlled. Possible: {near}", ""),
    "which-leader": ("say which leader gets the SP: {near}", "REINFORCE {first}"),
    "which-port": ("say which port: {near}", ""),
    "no-port": ("{at} isn't one of your ports. Possible: {near}", ""),
    "elsewhere": ("{leader} is at {at}. Only a leader from the box needs a place", ""),
    "none-scattered": ("{side} have no SP in the Scattered box", ""),
    "where-back": ("say where {leader} returns: {near}", "REORGANIZE {leader} {first}"),
    "no-haven": ("{leader} can't return at {at}. Possible: {near}", "REORGANIZE {leader} {first}"),
    # Recruits and camps.
    "strong-enough": ("{leader} already has three SP. These can recruit: {near}", "REINFORCE {first}"),
    "no-recruits-left": ("the recruit pool is empty", ""),
    "no-boer-country": (
        "{at} isn't in a republic or rebel country, so no one can recruit there. These can: {near}",
        "",
    ),
    "empire-there": ("{at} has Empire SP, so no one can recruit there. These can: {near}", ""),
    "blockhouses-there": (
        "a line of blockhouses ends at {at}, so no one can recruit there. These can: {near}",
        "",
    ),
    "camp-near": ("there's a camp at or next to {at}, so no one can recruit there. These can: {near}", ""),
    "recruited-already": ("a leader has already recruited at {at} this Turn. These can: {near}", ""),
    "camp-already": ("you have already set up a camp this round", ""),
    "camp-ban": ("you can't set up camps for {rounds} rounds after Miss Hobhouse's report", ""),
    "no-camps-left": ("all camps are set up", ""),
    "no-camp-site": ("{at} isn't a camp site. Possible: {near}", "CAMP {first}"),
    "has-camp": ("{at} already has a camp. Possible: {near}", "CAMP {first}"),
    "not-joined": ("no Empire-controlled railway joins {at} to a port. Possible: {near}", "CAMP {first}"),
    # Free orders.
    "nobody-to-hand": ("name the giver and the receiver of the SP. Possible: {near}", ""),
    "no-boer-garrisons": ("Boers can't leave garrisons", ""),
    "one-sp": ("{leader} can only leave one SP as a garrison", ""),
    "too-weak": ("{leader} needs at least two SP to leave one as a garrison", ""),
    "not-coming": ("{leader} isn't due to arrive. These are: {near}", ""),
    "lands-elsewhere": ("{leader} can't land at {at}. Possible: {near}", "LAND {leader} {first}"),
    "lands-by-rail": ("{leader} arrives at a point on a railway of the republics", ""),
    # Events.
    "event-already": ("an event has already been played this round", ""),
    "not-your-event": ("{event} isn't one of your events. Possible: {near}", "EVENT {first}"),
    "not-this-turn": ("{event} can't be played in Turn {turn}. Possible: {near}", "EVENT {first}"),
    "played-already": ("{event} is used up. Possible: {near}", "EVENT {first}"),
    "no-condition": ("the condition of {event} isn't met now", ""),
    "not-for-this-event": ("{event} doesn't need a {what}", "EVENT {event}"),
    "which-point": ("{event} needs a point: {near}", "EVENT {event} {first}"),
    "not-this-point": ("you can't play {event} at {at}. Possible: {near}", "EVENT {event} {first}"),
    "not-this-leader": ("you can't play {event} for {leader}. Possible: {near}", "EVENT {event} {first}"),
    "event-leader": ("{event} needs a leader: {near}", "EVENT {event} {first}"),
    "which-cuts": ("{event} repairs one to {most} cuts: {near}", ""),
    "which-link": ("{event} needs one more railway link, for the blockhouses: {near}", ""),
    "which-links": ("{event} cuts one to {most} railway links: {near}", ""),
    "no-rebel-country": ("{at} isn't rebel country free of Empire SP. Possible: {near}", ""),
    "no-empire-leader": ("there's no Empire leader at {at}. They are at {near}", ""),
    # Free orders beside an action.
    "nothing-moves": ("transfers need a MOVE, RAIL or TREK in the same email, and there is none", ""),
    "cannot-hand-over": ("there isn't enough SP or room, or the two aren't together", ""),
    "more-than-a-round": ("a round has at most three actions, so you can only play {most} more", ""),
}
_ORDER_VERBS: Mapping[str, str] = {
    kind.__name__: "EVENT" if kind is PlayEvent else kind.__name__.upper() for kind in get_args(AnyOrder)
}
"""By the name of a kind of orders, the word that it begins with."""

_MAX_ALTERNATIVES_LISTED = 8
"""The most alternatives in a list."""

_PLACE_DETAILS = ("at", "to", "start", "goal", "point", "town", "port")
_LEADER_DETAILS = ("leader", "giver", "taker", "other", "by")


def describe_problem(code: str, detail: Mapping[str, str]) -> str:
    """Return the problem as part of a sentence. Raises KeyError for an unknown code."""
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
