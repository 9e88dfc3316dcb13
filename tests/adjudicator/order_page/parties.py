"""The seats for the tests of order sheets, one of each kind, and the set-up of their games."""

from games.protocol import Game, OptionValue

WHO: dict[str, str] = {
    "standard": "France",
    "indianomacy": "Iroquois",
    "chaos": "Paris",
    "plains-indian-wars": "US",
    "war-chest": "player",
    "great-war": "player",
    "boer-war": "Empire",
}


def settled(game: Game) -> dict[str, OptionValue]:
    """A game's options, none of them chosen."""
    return {one.name: one.default for one in game.about.options if one.default is not None}
