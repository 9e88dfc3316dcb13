"""Find a kind of game by its name."""

import games
from adjudicator.errors import Refusal
from games.protocol import Game


def find_kind(text: str) -> Game:
    """Return the kind of game with this name or alias. Raises Refusal if there is none."""
    game = games.find(text)
    if game is None:
        available = "Games: " + ", ".join(games.labels())
        defect = games.why_unplayable(text.strip().lower())
        if defect is not None:
            raise Refusal(
                f"Can't play {text}", f"its data in {defect.where} is wrong: {defect.why}", available
            )
        raise Refusal(f'No game is called "{text}"', "", available)
    return game
