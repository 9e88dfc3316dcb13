"""War Chest in a few sentences, for whoever has just sat down: goal, time, surprises."""

from games.protocol import Seat
from games.war_chest.components import BOARD
from games.war_chest.model import View


def setting(view: View, seat: Seat | None) -> str:
    """A duel, against whom, and what a turn of it is."""
    if view.is_solo:
        against = ", alone against an automaton that plays by a decision list"
    else:
        against = f"; you play {seat}" if seat else ""
    return (
        f"A duel with coins on a board of hexes{against}. Three coins a round come out of your bag at "
        "random, and each of them is a move."
    )


def introduction(view: View) -> tuple[str, ...]:
    """How one wins, how long it takes, and what is special."""
    against = (
        "Each report says by which line of its list the automaton chose."
        if view.is_solo
        else "Coins in hand, in the bag and face down are hidden: your reports show you yours alone."
    )
    return (
        f"You win as soon as {BOARD.markers} of your markers lie on locations: a unit that stands on one "
        "controls it with a coin of its own.",
        "Each line plays one coin; a letter may hold your whole hand, and the other side plays in between. "
        "It lasts until a sixth marker falls.",
        "A coin deploys, bolsters or moves the unit that it shows, or is laid face down to recruit "
        f"or pass. {against}",
        "The cards and their abilities are the publisher's; of the Royal Guard we play the revised card.",
    )
