"""The page that proves a game: it computes every hash and every throw again, in the browser."""

from adjudicator.site import typesetting
from adjudicator.site.exhibits import Exhibit, Seal
from adjudicator.site.game_page import Frame


def proof_page(exhibit: Exhibit, seal: Seal, frame: Frame) -> bytes:
    """What proves a game, with what goes over it."""
    chain = [
        {"turn": one.turn, "sha": one.sha, "text": one.text, "cast": one.cast, "parts": one.parts}
        for one in seal.chain
    ]
    told = {
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
        "told": told,
        "has_log": any(one.name == "log.json" for one in exhibit.downloads),
    }
    return typesetting.page("proof.jinja", context, script="proof.js")
