"""The Great War in a few sentences for a new player: goal, time, surprises."""

from games import marks
from games.great_war.components import plain_card, printed_rows, solo
from games.great_war.model import PLAYER, View
from games.protocol import Seat


def setting(view: View, seat: Seat | None) -> str:
    """Cards against the AI, and which side one leads."""
    side = {"entente": "the Allies", "central": "the Central Powers"}[view.armies[PLAYER].nation]
    return (
        "The trenches of 1914 to 1918 in cards, alone against an AI that plays by the publisher's solitaire "
        f"rules. You lead {side}."
    )


def introduction(view: View) -> tuple[str, ...]:
    """Return the goal, how long it takes, what is special, and how much of it is ours."""
    levels = [f"{level.name} from {level.low}" for level in solo().victory_levels if level.low]
    ours = {row.id: plain_card(row) for row in printed_rows()}
    theirs = {card.id for card in view.changes if card != ours[card.id]}
    rows = [row for row in printed_rows() if row.id not in theirs]
    counted = [
        (f"cards for {what}", (sum(row.provenance.get(field) == "A" for row in rows), len(rows)))
        for field, what in (("bp", "Battle Points"), ("effects", "effects"))
    ]
    return (
        "You win a Turn by more Battle Points face-up, and capture the high cards of the other side. In the "
        f"end the captured points decide: a victory is {', '.join(levels)} ahead.",
        f"A campaign has {view.length} Turns (TURNS {solo().turns.long} plays as many), a Turn two Combat "
        "Rounds and a Bonus phase: two letters, or three.",
        "Cards are added to others by links: what links to what stands beside your hand. "
        "You attack in odd Turns and defend in even ones.",
        f"Of the printed game, {marks.describe_counts(counted)}.",
    )
