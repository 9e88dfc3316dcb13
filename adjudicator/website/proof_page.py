"""The page that proves a game: it computes every hash and every throw again, in the browser."""

from adjudicator.website import pages
from adjudicator.website.game_page import PageFrame
from adjudicator.website.public_game import PublicGame, PublicSeal


def proof_page(exhibit: PublicGame, seal: PublicSeal, frame: PageFrame) -> bytes:
    """Return the page that proves a game, with the script that checks it."""
    chain = [
        {"turn": link.turn, "sha": link.sha, "text": link.text, "cast": link.cast, "parts": link.parts}
        for link in seal.chain
    ]
    proof = {
        "game": exhibit.name,
        "commitment": seal.commitment,
        "secret": seal.secret,
        "chain": chain,
    }
    context = {
        "house": frame.house,
        "up": "../../",
        "game": exhibit,
        "seal": seal,
        "told": proof,
        "has_log": any(download.name == "log.json" for download in exhibit.downloads),
    }
    return pages.page("proof.jinja", context, script="proof.js")
