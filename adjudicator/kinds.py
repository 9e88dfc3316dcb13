"""Which kind of game is meant."""

import games
from adjudicator.errors import Refusal
from games.protocol import Game


def kind_named(text: str) -> Game:
    """The kind of game of that name or alias. Raises Refusal."""
    game = games.find(text)
    if game is None:
        there = "there are: " + ", ".join(games.kinds())
        ill = next((one for one in games.unfit() if one.kind == text.strip().lower() and not one.lame), None)
        if ill is not None:
            raise Refusal(f"kind {text}", f"cannot be played, by what lies in {ill.where}: {ill.why}", there)
        raise Refusal(f"kind {text}", "there is no such kind of game", there)
    return game
