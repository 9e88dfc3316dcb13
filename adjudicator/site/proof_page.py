"""The page that proves a game: it computes every hash and every throw again, in the browser."""

from adjudicator.site import typesetting
from adjudicator.site.exhibits import PublicGame, PublicSeal
from adjudicator.site.game_page import PageFrame


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
    return typesetting.page("proof.jinja", context, script="proof.js")
