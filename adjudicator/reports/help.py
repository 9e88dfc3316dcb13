"""What HELP answers."""

from adjudicator.reports.render import render
from adjudicator.reports.report import examples
from games.options import settle
from games.protocol import Game, View

TOPICS = ("general", "orders", "signon", "sheet", "joining", "press", "ending", "absence", "letters")
"""What can be explained, each by ``templates/help/<topic>.txt``; the first is the answer to a bare HELP."""


_ELSEWHERE = {
    **dict.fromkeys(("join", "register", "preference", "observe", "resign", "list", "new"), "joining"),
    **dict.fromkeys(("broadcast", "endpress"), "press"),
    **dict.fromkeys(("draw", "nodraw", "concede"), "ending"),
    "timezone": "absence",
    **dict.fromkeys(("brief", "full", "digest", "round", "reasons"), "letters"),
    **dict.fromkeys(("signoff", "password"), "signon"),
    **dict.fromkeys(("clear", "if", "phase", "stop"), "orders"),
}
"""Under which topic a word is explained that is none itself."""


def help_text(topic: str, game: Game | None = None, view: View | None = None) -> str:
    """The help on a topic, in paragraphs; on a word that is no topic, the general one, which lists them.

    game: shows how orders are written in it; view: in a game that stands so.
    """
    name = topic.strip().lower()
    name = _ELSEWHERE.get(name, name)
    known = name if name in TOPICS else TOPICS[0]
    ways = examples(game, view) if game is not None else ()
    return render(game, f"help/{known}.txt", {"game": game, "topics": TOPICS, "ways": ways})


def rules_text(game: Game) -> str:
    """What a kind of game is, what may be chosen when one begins, and how its orders are written."""
    return render(
        game, "help/rules.txt", {"game": game, "seats": game.about.seats(settle(game.about.options, {}))}
    )
