"""The words of Plains Indian Wars: factions, cubes, and why an order cannot be carried out."""

import re
from collections.abc import Mapping, Sequence

from games.plains_indian_wars.board import board
from games.plains_indian_wars.components import Card, Scenario, materials
from games.plains_indian_wars.model import CardId, Colour, Region
from games.protocol import Advice, Concern, Objection

FACTIONS: Mapping[Colour | None, str] = {
    "Green": "Green, the northern tribes",
    "Orange": "Orange, the southern tribes",
    "Purple": "Purple, the enemies of the tribes",
    "White": "White, the wagons",
    "Blue": "Blue, the cavalry",
    "Brown": "Brown, the settlers",
    "Black": "Black, the railroad",
}

INSTRUCTIONS = ("instructions", "what is done when asked in the middle of a turn: HELP INSTRUCTIONS")
"""The row that tells where the standing instructions are explained."""

_NUMBERED = re.compile(r"(\D+)(\d+)")

LINES: Mapping[str, str] = {
    "union": "the Union Pacific",
    "mountains": "the mountain line",
    "central": "the Central Pacific",
}

# What is wrong, and an order that would do instead ("" for none); {near} is the nearest thing that is lawful.
ADVICE: Mapping[str, tuple[str, str]] = {
    "not-now": ("no such order is wanted now", ""),
    "not-in-hand": ("{card} is not in your hand{choice}", ""),
    "no-region": ("{card} is played without a region", "play {card}"),
    "wants-region": ("{card} is played in a region that it can reach{choice}", "play {card} in {near}"),
    "enough-events": ("no more Events may be played in this phase", ""),
    "other-disc": ("it is {disc}'s phase, and only {disc} cubes are placed", ""),
    "no-place-there": ("no cubes of this phase are placed in {at}{choice}", "{place} {near}"),
    "other-city": ("this card's cubes go to {near_name} when they go to a city", "{place} {near}"),
    "apart": ("Brown and Purple may stand together in {at} only with Blue", ""),
    "left-together": ("Brown and Purple would be left in {at} without Blue", ""),
    "too-many": ("{only} more may be placed", ""),
    "no-room": ("{at} takes {only} more: eight U.S. cubes are the limit", ""),
    "ready-box-empty": ("the Ready Box has {only} cubes left", ""),
    "nobody-fell": ("the {colour} Casualty Box is empty", ""),
    "no-activation": ("no activation is left for it", ""),
    "not-controlled": ("Purple does not control {start}: tribes are there", ""),
    "too-few": ("{start} has {only} {colour} that may move", ""),
    "no-influence": (
        "{lead} must lead the group, and takes along only as many others as its influence allows",
        "",
    ),
    "barred": ("{colour} may not go to {to}", ""),
    "too-far": (
        "{to} is out of reach from {start}: {reach} moves at most, and tribes stop a group{choice}",
        "",
    ),
    "no-target": ("{card} does nothing: it has no target there", ""),
    "nobody-there": ("{card} does nothing: no tribe is in {at}", ""),
    "line-complete": ("{card} does nothing: the plains are crossed already", ""),
    "no-workers": ("{card} does nothing: no Brown cube stands beside the railhead", ""),
    "no-such-choice": ("that cannot be chosen{choice}", ""),
    "never-asked": ("nobody asks for it in this scenario", ""),
    "whose-box": ("it does not say whose Casualty Box{choice}", "recover {near}"),
    "other-tribe": ("{colour} has no phase now{choice}", ""),
    "own-cubes": ("only {colour} cubes move in this phase", ""),
    "not-held": ("{at} is not held by that tribe alone{choice}", "{place} {near}"),
    "no-home": ("{at} is no home of that tribe; its cubes come where it holds one{choice}", "{place} {near}"),
    "play-an-action": ("you have a War Party card{choice}", "play {near}"),
    "wants-target": ("{card} reaches the region of the force and its neighbours only{choice}", ""),
    "no-target-wanted": ("{card} is played against no second region", "play {card}"),
    "out-of-reach": ("{to} is out of reach from {start}: {reach} moves at most{choice}", ""),
    "met": (
        "{to} is out of reach from {start}: {reach} moves at most, and the U.S. stops a group{choice}",
        "",
    ),
}
"""Each objection, concern and fault."""


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words as a list in a sentence: "Blue, Brown and Purple"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def spelt(number: int) -> str:
    """A small number in words: "none", "two"; a larger one in figures."""
    words = ("none", "one", "two", "three", "four", "five", "six")
    return words[number] if number < len(words) else str(number)


def runs(regions: Sequence[Region]) -> str:
    """Regions in a sentence, three and more that follow each other by their ends: "N1 to N4, N6 or SAC"."""
    found: list[list[str]] = []
    for one in regions:
        if found and _follows(found[-1][-1], one):
            found[-1].append(one)
        else:
            found.append([one])
    said = [one for run in found for one in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else run)]
    return listed(said, "or") or "nowhere"


def _follows(one: str, other: str) -> bool:
    first, second = _NUMBERED.fullmatch(one), _NUMBERED.fullmatch(other)
    return bool(first and second and first[1] == second[1] and int(first[2]) + 1 == int(second[2]))


def cubes(counts: Mapping[Colour, int], scenario: str = "1") -> str:
    """Cubes in words: "2 Blue and 3 Brown"; nothing is "nobody". scenario: it says what they are called."""
    called = materials().scenarios[scenario].called
    named = [(n, called.get(colour, (colour, colour))[n != 1]) for colour, n in counts.items() if n]
    return listed([f"{n} {noun}" for n, noun in named]) or "nobody"


def faction(disc: Colour | None, scenario: str) -> str:
    """What a disc stands for: "White, the wagons"."""
    return materials().scenarios[scenario].discs_called.get(disc or "Black") or FACTIONS[disc]


def place(region: Region | str | None) -> str:
    """A region in words: "Cheyenne (N3)"."""
    return board().name(Region(region)) if region else "nowhere"


def card(one: CardId | str) -> str:
    """A card's name."""
    return materials().cards[CardId(one)].name


def numbers(one: Card, scenario: Scenario) -> str:
    """What a card gives in a scenario: "4 cubes, 3 groups, 2 moves", or its effect."""
    if one.kind == "event":
        rounds = "round" if scenario.alone == 1 else f"{scenario.alone} rounds"
        return one.text.format(dice=scenario.card_dice, rounds=rounds)
    cubes = scenario.brings(one)
    return f"{cubes} cubes, {one.groups} groups, {one.moves} move{'s' * (one.moves != 1)}"


def advice(remark: Objection | Concern) -> Advice:
    """An objection or a concern in words. Raises KeyError for a code that has no words."""
    problem, instead = ADVICE[remark.code]
    words = _words(remark.detail)
    lacking = "{near" in instead and "near" not in words
    return Advice(
        problem=problem.format(**words), instead=instead.format(**words) if instead and not lacking else None
    )


def reason(code: str, detail: Mapping[str, str]) -> str:
    """Why an order was left out, as the end of a sentence."""
    return ADVICE[code][0].format(**_words(detail))


def _words(detail: Mapping[str, str]) -> dict[str, str]:
    near = detail.get("near", "").split()
    words = {**detail, "choice": f"; possible: {_choices(near)}" if near else "", "place": "place 1 at"}
    count = detail.get("count")
    if count is not None:
        words["only"] = "no" if count == "0" else f"only {count}"
    for key in ("at", "start", "to"):
        if detail.get(key):
            words[key] = place(detail[key])
    if detail.get("card"):
        words["card"] = card(detail["card"])
    if near:
        words |= {"near": near[0], "near_name": _choices(near[:1])}
    else:
        words.pop("near", None)
    return words


def _choices(ids: Sequence[str]) -> str:
    """Some of the things that would do, by name."""
    named = [
        card(one) if one in materials().cards else place(one) if one in board().places else one for one in ids
    ]
    return listed(named[:6], "or") + (" and others" if len(named) > 6 else "")
