"""Positions of Variant II of Plains Indian Wars from text, and results of plans and engagements."""

from collections.abc import Mapping
from typing import Any

from games.dice import Dice
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.model import NATIONS_SEAT, CavalryColumn, Region, State
from games.plains_indian_wars.nations.execution import (
    EngagementBonus,
    TribePhase,
    carry_out_plan,
    fight_region,
)
from games.plains_indian_wars.rules import PlainsRules
from games.plains_indian_wars.working_state import WorkingState
from tests.kit.plains import Fixed, faces, orders, parse_cubes

RULES = PlainsRules()
TRAILS, RAILS, CUSTER = ("2.1", "2.2", "2.3"), ("2.4", "2.5", "2.6"), "2.7"
ALL_SCENARIOS = (*TRAILS, *RAILS, CUSTER)

HANDS = {"Northern": ("NPT-02", "NPT-06", "NPT-10"), "Southern": ("SPT-03", "SPT-06", "SPT-10")}
"""The default action cards: Sitting Bull, Dull Knife, Little Wolf and similar ones."""

COLUMNS = {"White": "EASTN", "Blue": "NE3", "Brown": "S2"}


def state(scenario: str, cubes: str = "", **fields: Any) -> State:
    """Return a position: ``N3: 2 Green; N5: 3 Blue 1 Brown``. Regions that aren't named are empty.

    The Ready Boxes of tribes get the rest of the supply, unless they are given. columns: by colour, as
    ``{"White": "N10: 7 White 1 Purple 1 Black"}``. By default a campaign has all three at their starts.
    """
    rules, placed = materials().scenarios[scenario], parse_cubes(cubes)
    ready = {colour: materials().supply[colour] for colour, box in rules.boxes.items() if box != "gone"}
    for here in placed.values():
        for colour, count in here.items():
            if colour in ready:
                ready[colour] -= count
    for colour, count in fields.get("fallen", {}).items():
        ready[colour] -= count
    hands = {name: HANDS[name] for name in rules.decks} | fields.pop("hands", {})
    decks = {
        name: tuple(card.id for card in materials().decks[name].cards if card.id not in hand)
        for name, hand in hands.items()
    }
    given = {
        "turn": 3,
        "disc": rules.tribes[0] if len(rules.tribes) == 1 or rules.discs else None,
        "played": dict.fromkeys(hands, ()),
        "decks": decks,
        "columns": _columns(fields.pop("columns", None)) if rules.campaign else {},
        "parties": {"union": 0} if rules.works else {},
        **fields,
        "ready": ready | fields.get("ready", {}),
    }
    return WorkingState(State(options={"scenario": scenario}, cubes=placed, hands=hands, **given)).freeze()


def _columns(said: Mapping[str, str] | None) -> dict[Any, CavalryColumn]:
    if said is None:
        said = {name: f"{at}: 7 {name} 1 Purple 1 Black" for name, at in COLUMNS.items()}
    found: dict[Any, CavalryColumn] = {}
    for name, text in said.items():
        ((at, cubes),) = parse_cubes(text).items()
        found[name] = CavalryColumn(at=at, cubes=cubes)
    return found


def table(
    scenario: str,
    cubes: str = "",
    dice: Mapping[str, int | tuple[int, ...]] | None = None,
    rest: int | None = None,
    **fields: Any,
) -> WorkingState:
    """Return a position in play, with dice."""
    return WorkingState(state(scenario, cubes, **fields), Fixed(dice or {}, rest))


def plan_phase(play: WorkingState, *lines: str, colour: str | None = None) -> TribePhase:
    """Carry out a tribe's plan, up to the engagements."""
    whose: Any = colour or play.now.disc or "Green"
    wanted = orders(play.freeze(), *lines)
    play.set(disc=whose)
    plan = TribePhase(play, whose, wanted)
    carry_out_plan(plan)
    return plan


def fight_engagement(
    scenario: str, region: str, cubes: str, *rounds: str, favour: EngagementBonus | None = None, **fields: Any
) -> WorkingState:
    """Fight the engagement of a region on turn 3, with the given rolls. All of them must be used."""
    disc = fields.get("disc") or ("Green" if region.startswith("N") else "Orange")
    label = f"T3/{disc}/{region}#1"
    play = table(scenario, f"{region}: {cubes}", faces(label, *rounds), **{**fields, "disc": disc})
    fight_region(play, Region(region), favour)
    assert isinstance(play.dice, Fixed)
    assert not play.dice.left, play.dice.left
    return play


def adjudicate_plan(before: State, dice: Dice, *lines: str) -> Any:
    """Adjudicate a plan of the nations by the rules."""
    return RULES.adjudicate(before, {NATIONS_SEAT: orders(before, *lines)}, dice)


def train(
    scenario: str, at: str, cubes: str = "10 White 8 Brown 4 Blue", more: str = "", **fields: Any
) -> Any:
    """Return arguments of `table` for a wagon train in a region, with other cubes there or elsewhere."""
    belt = "north" if scenario == "2.1" else "south"
    return {"scenario": scenario, "cubes": f"{at}: {cubes}{more}", "trains": {belt: Region(at)}, **fields}
