"""What HELP answers."""

from adjudicator.reports.render import render
from games.options import settle
from games.protocol import Game

TOPICS = ("general", "orders", "signon", "sheet", "joining", "press", "ending", "absence")
"""What can be explained, each by ``templates/help/<topic>.txt``; the first is the answer to a bare HELP."""


_ELSEWHERE = {
    **dict.fromkeys(("join", "register", "preference", "observe", "resign", "list", "new"), "joining"),
    **dict.fromkeys(("broadcast", "endpress"), "press"),
    **dict.fromkeys(("draw", "nodraw", "concede"), "ending"),
    "timezone": "absence",
    **dict.fromkeys(("signoff", "password"), "signon"),
    **dict.fromkeys(("clear", "if", "phase", "stop"), "orders"),
}
"""Under which topic a word is explained that is none itself."""


def help_text(topic: str, game: Game | None = None) -> str:
    """The help on a topic, in paragraphs; on a word that is no topic, the general one, which lists them.

    game: shows how orders are written in it.
    """
    name = topic.strip().lower()
    name = _ELSEWHERE.get(name, name)
    known = name if name in TOPICS else TOPICS[0]
    return render(game, f"help/{known}.txt", {"game": game, "topics": TOPICS})


def rules_text(game: Game) -> str:
    """What a kind of game is, what may be chosen when one begins, and how its orders are written."""
    return render(
        game, "help/rules.txt", {"game": game, "seats": game.about.seats(settle(game.about.options, {}))}
    )
