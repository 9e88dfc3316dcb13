"""Engagements in words: who met, the faces of every roll, and the cubes left at the end."""

from collections.abc import Mapping, Sequence

from games.plains_indian_wars.components import materials
from games.plains_indian_wars.events import EngagementRound, Fought, NightRaid, Retreat, WagonsFought
from games.plains_indian_wars.model import TRIBES, Colour, Face
from games.plains_indian_wars.phrases import cubes_text, join_words, region_name


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
