"""The introduction for a new player in a few sentences: goal, time, surprises."""

from games import marks
from games.own_box import DATA, short_hash
from games.plains_indian_wars.components import Scenario
from games.plains_indian_wars.model import View
from games.plains_indian_wars.owner_data import box
from games.protocol import Seat


def setting(view: View, seat: Seat | None) -> str:
    """Return the war, its rules, and which side the player leads."""
    scenario = box(view.options).materials.scenarios[str(view.options["scenario"])]
    by = "The wars on the Great Plains, alone by the published solitaire system"
    if scenario.plays == "US":
        side = "the U.S., its cavalry, its settlers and its railroad; rules and dice lead the tribes"
    else:
        side = f"the Plains nations, and the U.S. acts by rules and dice. The scenario is {scenario.title}"
    return f"{by}: you lead {side}."


def introduction(view: View) -> tuple[str, ...]:
    """Return how to win, how long it takes, what is special, and how much of the data is ours."""
    scenario = box(view.options).materials.scenarios[str(view.options["scenario"])]
    return (
        *(_us_paragraphs() if scenario.plays == "US" else _nations_paragraphs(scenario)),
        _data_note(view, scenario),
    )


def _data_note(view: View, scenario: Scenario) -> str:
    if DATA in view.options:
        whose = f"the numbers are those of an owner's box, {short_hash(str(view.options[DATA]))}"
    else:
        counted = marks.count_assumed("games.plains_indian_wars", "data/cards.json", "decks", scenario.decks)
        whose = marks.describe_counts([("cards", counted)])
    return f"The rules are those of the solitaire system; {whose}."


def _us_paragraphs() -> tuple[str, ...]:
    return (
        "You win with more points than the tribes when the game ends; ties are theirs. Points come from the "
        "railroad, open trails, wagons through, and regions and key locations held.",
        "It ends with the turn in which the railroad is complete or a deck of yours has run out; a "
        "turn is seven "
        "discs, and three of them ask you for a plan.",
        "Discs are drawn one by one: wagons roll west, the railroad is built, tribes gather in "
        "bands. Where both "
        "sides stand there is an engagement, and dice decide; what is asked amid it you say in advance.",
    )


def _nations_paragraphs(scenario: Scenario) -> tuple[str, ...]:
    turns = (
        f"at most {scenario.turns} turns"
        if scenario.turns
        else "until the railroad is done or a deck runs out"
    )
    if scenario.trains:
        goal = "You win if no wagon comes through to the Rockies"
        goal += "; wagons on one trail alone make a draw." if len(scenario.trains) > 1 else "."
        special = "The wagon train moves one step each turn, and its fighters defend by procedure and dice."
    elif scenario.works:
        goal = "You win if the railroad is not complete when the game ends."
        special = (
            "Workers and their escorts build on; an attack on them comes before they build the next space."
        )
    else:
        goal = (
            "You win if no U.S. cube is in the Black Hills in the end, or as soon as all columns "
            "are destroyed."
        )
        special = "Three columns of cavalry ride for the Black Hills, each by a way that you know."
    return (
        goal,
        f"It lasts {turns}, and each of them asks you for a plan: a card, cubes, groups that move, Events.",
        special,
    )
