"""Find a kind of game by its name."""

import games
from adjudicator.errors import Refusal
from games.protocol import Game


def find_kind(text: str) -> Game:
    """Return the kind of game of that name or alias. Raises Refusal."""
    game = games.find(text)
    if game is None:
        available = "there are: " + ", ".join(games.kinds())
        defect = next(
            (
                unfit
                for unfit in games.unplayable_kinds()
                if unfit.kind == text.strip().lower() and not unfit.lame
            ),
            None,
        )
        if defect is not None:
            raise Refusal(
                f"kind {text}", f"cannot be played, by what lies in {defect.where}: {defect.why}", available
            )
        raise Refusal(f"kind {text}", "there is no such kind of game", available)
    return game
