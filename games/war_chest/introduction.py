"""War Chest in a few sentences for a new player: goal, time, surprises."""

from games.own_box import DATA, short_hash
from games.protocol import Seat
from games.war_chest.model import View

_NUMBER_WORDS = {1: "One", 2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six"}


def setting(view: View, seat: Seat | None) -> str:
    """A duel, against whom, and what a turn of it is."""
    if view.is_solo:
        against = ", alone against an automaton that plays by a decision list"
    else:
        against = f"; you play {seat}" if seat else ""
    return (
        f"A duel with coins on a board of hexes{against}. {_many(view)} a round come out of your bag at "
        "random, and each of them is a move."
    )


def _cards(view: View) -> str:
    if DATA in view.options:
        return f"The numbers are those of an owner's box, {short_hash(str(view.options[DATA]))}."
    return "The cards and their abilities are the publisher's; of the Royal Guard we play the revised card."


def _many(view: View) -> str:
    hand = view.box.board.hand
    return f"{_NUMBER_WORDS.get(hand, str(hand))} coin{'s' * (hand != 1)}"


def introduction(view: View) -> tuple[str, ...]:
    """Return the goal of the game, how long it takes, and what is special."""
    against = (
        "Each report says by which line of its list the automaton chose."
        if view.is_solo
        else "Coins in hand, in the bag and face down are hidden: your reports show you yours alone."
    )
    markers = view.box.board.markers
    return (
        f"You win as soon as {markers} of your markers lie on locations: a unit that stands on "
        "one controls it with a coin of its own.",
        "Each line plays one coin; a letter may hold your whole hand, and the other side plays in between. "
        "It lasts until a side has laid its last marker.",
        "A coin deploys, bolsters or moves the unit that it shows, or is laid face down to recruit "
        f"or pass. {against}",
        _cards(view),
    )
