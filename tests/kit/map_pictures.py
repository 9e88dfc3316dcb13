"""Draws ten maps and four parts of maps from bots' games: `python -m tests.kit.map_pictures FOLDER [WIDTH]`.

The pictures are always the same. Those in docs/gallery show maps before and after a change.
"""

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import games
from adjudicator.reports.maps import front, png, svg
from games.options import settle
from games.protocol import Game, Seat
from tests.kit.bot_games import Round, rounds

WIDTH_PX = 600
"""The width of a map in an email."""

TURNS = (
    ("standard-fight", "standard", 6),
    ("standard-convoys", "standard", 9),
    ("standard-winter", "standard", 11),
    ("indianomacy-stand-offs", "indianomacy", 12),
    ("indianomacy-fight", "indianomacy", 22),
    ("chaos", "chaos", 14),
    ("plains-indian-wars", "plains-indian-wars", 9),
    ("great-war", "great-war", 3),
    ("war-chest", "war-chest", 13),
    ("boer-war", "boer-war", 9),
)
"""The name, the kind of game, and the number of turns before the one in the picture."""

FRONTS = {
    "standard-fight": Seat("Austria"),
    "indianomacy-fight": Seat("Dakota"),
    "plains-indian-wars": Seat("US"),
    "boer-war": Seat("Boers"),
}
"""The seat whose part of the map is drawn too, for some pictures."""

READERS = {"war-chest": Seat("player"), "great-war": Seat("player")}
"""The seat whose view is shown if its player has a hand. Otherwise the public view."""


def turns() -> Iterator[tuple[str, Game, Round]]:
    """Yield each picture's name, its game and its turn."""
    for name, kind, before in TURNS:
        game = games.kinds()[kind]
        bot = "intermediate" if "intermediate" in game.bots else next(iter(game.bots))
        options = settle(game.about.options, {})
        shown = next(islice(rounds(game, b"gallery", bot=bot, options=options), before, None))
        yield name, game, shown


def main(folder: Path, width_px: int) -> None:
    """Draw all pictures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, game, shown in turns():
        open_to_all = tuple(event for event in shown.events if event.seen_by is None)
        view, caption = game.rules.view(shown.after, READERS.get(name)), game.rules.turn(shown.before).name
        drawing = svg(game, view, open_to_all, caption)
        assert drawing is not None, "each of these games has a picture"
        (folder / f"{name}.png").write_bytes(png(drawing, width_px))
        if name in FRONTS:
            own = front(game, view, FRONTS[name], open_to_all, caption)
            assert own is not None, "these are no wider than half the board"
            (folder / f"{name}-front.png").write_bytes(png(own, width_px))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else WIDTH_PX)
