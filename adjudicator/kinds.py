"""Which kind of game is meant."""

import games
from adjudicator.errors import Refusal
from games.protocol import Game


def kind_named(text: str) -> Game:
    """The kind of game of that name or alias. Raises Refusal."""
    game = games.find(text)
    if game is None:
        raise Refusal(
            f"kind {text}", "there is no such kind of game", "there are: " + ", ".join(games.kinds())
        )
    return game
