"""What HELP answers."""

from adjudicator.reports.render import render
from games.protocol import Game

TOPICS = ("general", "orders", "signon", "sheet")
"""What can be explained, each by ``templates/help/<topic>.txt``; the first is the answer to a bare HELP."""


def help_text(topic: str, game: Game | None = None) -> str:
    """The help on a topic, in paragraphs; on a word that is no topic, the general one, which lists them.

    game: shows how orders are written in it.
    """
    name = topic.strip().lower()
    known = name if name in TOPICS else TOPICS[0]
    return render(game, f"help/{known}.txt", {"game": game, "topics": TOPICS})
