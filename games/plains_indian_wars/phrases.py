"""The words of Plains Indian Wars: factions, cubes, objections, engagements roll by roll."""

import re
from collections.abc import Mapping, Sequence

from games.plains_indian_wars.board import board
from games.plains_indian_wars.components import Card, Scenario, materials
from games.plains_indian_wars.events import EngagementRound, Fought, NightRaid, Retreat, WagonsFought
from games.plains_indian_wars.model import TRIBES, CardId, Colour, Face, Region
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

INSTRUCTIONS_ROW = (
    "instructions",
    "your standing instructions for decisions during a turn; send HELP INSTRUCTIONS to read more",
)
"""The row that tells where the standing instructions are explained."""

_NUMBERED_REGION = re.compile(r"(\D+)(\d+)")

RAILROAD_LINES: Mapping[str, str] = {
    "union": "the Union Pacific",
    "mountains": "the mountain line",
    "central": "the Central Pacific",
}

# The problem, and an order to write instead ("" for none); {near} is the nearest legal choice.
ADVICE: Mapping[str, tuple[str, str]] = {
    "not-now": ("no such order is due now", ""),
    "not-in-hand": ("{card} isn't in your hand{choice}", ""),
    "no-region": ("{card} doesn't need a region", "play {card}"),
    "wants-region": ("{card} needs a region that it can reach{choice}", "play {card} in {near}"),
    "enough-events": ("you can't play more Events in this phase", ""),
    "other-disc": ("it is {disc}'s phase, so you can only place {disc} cubes", ""),
    "no-place-there": ("you can't place cubes of this phase in {at}{choice}", "{place} {near}"),
    "other-city": ("the only city for this card's cubes is {near_name}", "{place} {near}"),
    "apart": ("Brown and Purple can only share {at} if Blue is there", ""),
    "left-together": ("this would leave Brown and Purple in {at} without Blue", ""),
    "too-many": ("{only} more can be placed", ""),
    "no-room": ("{at} has room for {only} more: the limit is eight U.S. cubes", ""),
    "ready-box-empty": ("the Ready Box has {only} cubes left", ""),
    "nobody-fell": ("the {colour} Casualty Box is empty", ""),
    "no-activation": ("you have no activation left for it", ""),
    "not-controlled": ("Purple doesn't control {start}: there are tribes", ""),
    "too-few": ("{start} has {only} {colour} that can move", ""),
    "no-influence": (
        "{lead} must lead the group, and its influence limits how many others can go along",
        "",
    ),
    "barred": ("{colour} can't enter {to}", ""),
    "too-far": (
        "{to} is out of reach from {start}: the limit is {reach} moves, and tribes stop a group{choice}",
        "",
    ),
    "no-target": ("{card} has no effect: there's no target there", ""),
    "nobody-there": ("{card} has no effect: there's no tribe in {at}", ""),
    "line-complete": ("{card} has no effect: the railroad has already crossed the plains", ""),
    "no-workers": ("{card} has no effect: there's no Brown cube at the railhead", ""),
    "no-such-choice": ("you can't choose that{choice}", ""),
    "never-asked": ("this scenario doesn't use that choice", ""),
    "whose-box": ("say whose Casualty Box{choice}", "recover {near}"),
    "other-tribe": ("{colour} has no phase now{choice}", ""),
    "own-cubes": ("only {colour} cubes can move in this phase", ""),
    "not-held": ("that tribe doesn't hold {at} alone{choice}", "{place} {near}"),
    "no-home": (
        "{at} isn't a home of that tribe. Place its cubes in a home that it holds{choice}",
        "{place} {near}",
    ),
    "play-an-action": ("you have a War Party card{choice}", "play {near}"),
    "wants-target": ("{card} only reaches the force's region and its neighbours{choice}", ""),
    "no-target-wanted": ("{card} doesn't need a second region", "play {card}"),
    "out-of-reach": ("{to} is out of reach from {start}: the limit is {reach} moves{choice}", ""),
    "met": (
        "{to} is out of reach from {start}: the limit is {reach} moves, and the U.S. stops a group{choice}",
        "",
    ),
}
"""Each objection, concern and fault."""


def join_words(words: Sequence[str], last: str = "and") -> str:
    """Return words as a list in a sentence: "Blue, Brown and Purple"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def number_word(number: int) -> str:
    """Return a small number in words: "none", "two"; a larger one in figures."""
    words = ("none", "one", "two", "three", "four", "five", "six")
    return words[number] if number < len(words) else str(number)


def region_list(regions: Sequence[Region]) -> str:
    """Return regions as a list, three or more in a row by their ends: "N1 to N4, N6 or SAC"."""
    groups: list[list[str]] = []
    for region in regions:
        if groups and _is_next_region(groups[-1][-1], region):
            groups[-1].append(region)
        else:
            groups.append([region])
    texts = [text for run in groups for text in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else run)]
    return join_words(texts, "or") or "nowhere"


def _is_next_region(region: str, other: str) -> bool:
    first, second = _NUMBERED_REGION.fullmatch(region), _NUMBERED_REGION.fullmatch(other)
    return bool(first and second and first[1] == second[1] and int(first[2]) + 1 == int(second[2]))


def cubes_text(counts: Mapping[Colour, int], scenario: str = "1") -> str:
    """Return cubes in words: "2 Blue and 3 Brown", or "none". scenario: the scenario that names them."""
    called = materials().scenarios[scenario].called
    named = [(n, called.get(colour, (colour, colour))[n != 1]) for colour, n in counts.items() if n]
    return join_words([f"{n} {noun}" for n, noun in named]) or "none"


def faction_name(disc: Colour | None, scenario: str) -> str:
    """Return the side that a disc belongs to: "White, the wagons"."""
    return materials().scenarios[scenario].discs_called.get(disc or "Black") or FACTIONS[disc]


def region_name(region: Region | str | None) -> str:
    """Return a region in words: "Cheyenne (N3)"."""
    return board().name(Region(region)) if region else "nowhere"


def card_name(card_id: CardId | str) -> str:
    """Return a card's name."""
    return materials().cards[CardId(card_id)].name


def card_text(game_card: Card, scenario: Scenario) -> str:
    """Return what a card gives in a scenario: "4 cubes, 3 groups, 2 moves", or its effect."""
    if game_card.kind == "event":
        rounds = "round" if scenario.alone == 1 else f"{scenario.alone} rounds"
        return game_card.text.format(dice=scenario.card_dice, rounds=rounds)
    cubes = scenario.cubes_of_card(game_card)
    return f"{cubes} cubes, {game_card.groups} groups, {game_card.moves} move{'s' * (game_card.moves != 1)}"


def advice(remark: Objection | Concern) -> Advice:
    """Return an objection or a concern in words. Raises KeyError for an unknown code."""
    problem, instead = ADVICE[remark.code]
    words = _words(remark.detail)
    lacking = "{near" in instead and "near" not in words
    return Advice(
        problem=problem.format(**words), instead=instead.format(**words) if instead and not lacking else None
    )


def fault_text(code: str, detail: Mapping[str, str]) -> str:
    """Return why an order wasn't carried out, as the end of a sentence."""
    return ADVICE[code][0].format(**_words(detail))


def _words(detail: Mapping[str, str]) -> dict[str, str]:
    near = detail.get("near", "").split()
    words = {**detail, "choice": f"; possible: {_choices_text(near)}" if near else "", "place": "place 1 at"}
    count = detail.get("count")
    if count is not None:
        words["only"] = "no" if count == "0" else f"only {count}"
    for key in ("at", "start", "to"):
        if detail.get(key):
            words[key] = region_name(detail[key])
    if detail.get("card"):
        words["card"] = card_name(detail["card"])
    if near:
        words |= {"near": near[0], "near_name": _choices_text(near[:1])}
    else:
        words.pop("near", None)
    return words


def _choices_text(ids: Sequence[str]) -> str:
    """Return some of the possible choices, by name."""
    named = [
        card_name(choice)
        if choice in materials().cards
        else region_name(choice)
        if choice in board().places
        else choice
        for choice in ids
    ]
    return join_words(named[:6], "or") + (" and others" if len(named) > 6 else "")


# Engagements in words: who met, the faces of every roll, and the cubes left at the end.


def engagement_text(event: Fought) -> str:
    """Return an engagement from first roll to last, in one line."""
    ours: dict[Colour, int] = {colour: n for colour, n in event.cubes.items() if colour not in TRIBES}
    theirs = {colour: n for colour, n in event.cubes.items() if colour in TRIBES}
    sides = [cubes_text(ours, event.scenario), cubes_text(theirs)]
    if materials().scenarios[event.scenario].plays == "Nations":
        sides.reverse()
    sentences = [f"{region_name(event.at)}: {' against '.join(sides)}{_sitting_out_text(event)}."]
    if event.ambush:
        sentences.append(f"Ambush: {event.ambush}{', 1 U.S. cube fell' * (event.ambush == 'hit')}.")
    sentences += [
        _round_text(number, fight_round, event.scenario) for number, fight_round in enumerate(event.rounds, 1)
    ]
    if event.retreats:
        sentences.append(f"The treaty parted them: {_retreats_text(event.retreats)}.")
    return " ".join([*sentences, f"There now: {cubes_text(event.left, event.scenario)}."])


def wagon_raid_text(event: WagonsFought) -> str:
    """Return an attack on wagons, in one line."""
    theirs: dict[Colour, int] = {c: n for c, n in event.cubes.items() if c != "White"}
    wagons = cubes_text({"White": event.cubes["White"]})
    sentences = [f"{region_name(event.at)}: {cubes_text(theirs)} fell upon {wagons}."]
    sentences += [
        _round_text(number, fight_round, event.scenario) for number, fight_round in enumerate(event.rounds, 1)
    ]
    if event.to:
        sentences.append(f"The treaty let the wagons go on to {region_name(event.to)}.")
    return " ".join([*sentences, f"There at the end: {cubes_text(event.left)}."])


def night_raid_text(event: NightRaid) -> str:
    """Return the night die of a trail, and what it struck."""
    head = f"Night on the {event.trail}ern trail, die {event.number}"
    if event.foiled:
        return f"{head}: the wagons had circled, and nothing happened."
    if not event.thrown:
        return f"{head}: no wagon was there."
    parts = [f"{region_name(region)} {', '.join(faces)}" for region, faces in event.thrown.items()]
    lost = sum(faces.count("hit") for faces in event.thrown.values())
    return (
        f"{head}: {join_words(parts)}; "
        f"{'no wagon was lost' if not lost else cubes_text({'White': lost}) + ' lost'}."
    )


def faces_text(thrown: Mapping[Colour, Sequence[Face]]) -> str:
    """Return dice by colour: "Blue hit, blank; Green treaty"."""
    return "; ".join(f"{colour} {', '.join(shown)}" for colour, shown in thrown.items())


def _round_text(number: int, fight_round: EngagementRound, scenario: str) -> str:
    text = f"{number}) {faces_text(fight_round.faces)}"
    if fight_round.treaty:
        return f"{text}: treaty, no hit counts."
    text += f": {cubes_text(fight_round.fell, scenario)} fell" if fight_round.fell else ": nobody fell"
    return f"{text}; {_retreats_text(fight_round.withdrew)}." if fight_round.withdrew else f"{text}."


def _retreats_text(some: Sequence[Retreat]) -> str:
    return join_words([f"{retreat.count} {retreat.colour} {_retreat_end_text(retreat)}" for retreat in some])


def _retreat_end_text(retreat: Retreat) -> str:
    return f"withdrew to {region_name(retreat.to)}" if retreat.to else "had nowhere to go and fell"


def _sitting_out_text(event: Fought) -> str:
    return f"; {cubes_text(event.aside)} sat out" if event.aside else ""
