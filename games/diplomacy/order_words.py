"""The English words in the forms of orders. An empty choice means that the word may be left out."""

from collections.abc import Sequence

UNIT = "<unit>"
"""Stands for the words before a province for its unit, which differ by board and language."""

OWN = f"{UNIT} {{unit:province}}"
"""The place of the unit that has the order."""
OTHER = f"[{{nation:nation}}] {UNIT} {{other:province}}"
"""The place of the unit that it helps."""
TO = "{to:province}"

MOVES = (
    "(-|to|into|m|mv|move|moves|move to|moves to|move into|moves into|attack|attacks|go to|goes to"
    "|r|retreat|retreats|retreat to|retreats to|retreats -|withdraw to|withdraws to"
    "|fall back to|falls back to|flees to)"
)
INTO = "(-|to|into|m|mv|move|moves|moving|move to|moves to|moving to|moving into|attack on|attacking)"
SUPPORTS = "(s|sup|supp|support|supports|supporting)"
STANDS = "(h|hold|holds|holding|hold position|holds in place|stand|stands|stay|stays|stays put)"
HOLDS = "(h|hold|holds|holding|to hold|in holding|stand|stands|)"
DISBANDS = (
    "(d|disband|disbands|disbanded|is disbanded|remove|removes|removed|is removed|otb|off the board"
    "|retreats otb|retreat otb|retreats off the board|retreat off the board)"
)
PARTY = "(war party|party|army|fleet|unit)"
THE_MOVE = "(the move|the attack|the advance|move|attack) (of|from|by|)"

# Boards with armies and fleets.
CONVOYS = (
    "(c|con|conv|convoy|convoys|convoying|carry|carries|t|transport|transports|ferry|ferries|fast ferry|ff)"
)
VIA = "(via|via convoy|by convoy|with convoy|convoy|via sea|by sea|by fleet|convoyed)"
OVER = "(via|by|over|through) [the]"
SAILS_TO = "(-|to|into|m|move|moves|move to|moves to|moving to)"
HOP = "(-|m|move|moves|move to|moves to)"

# Boards with canoe-fleets.
_ARTICLES = ("", "a ", "the ", "one ", "its ")
_WITH = (
    "",
    "with ",
    "with a ",
    "with the ",
    "with its ",
    "by ",
    "in ",
    "in a ",
    "and ",
    "& ",
    "+ ",
    "taking a ",
)


def _canoe(before: Sequence[str], *others: str) -> str:
    """Return the choice of all ways to say canoe after some words, or of saying something else."""
    vessels = ("canoe", "canoes", "canoe-fleet", "canoe fleet", "canoefleet")
    return f"({'|'.join([word + vessel for word in before for vessel in vessels] + [*others])})"


CANOE, CANOE_OR_NOT, WITH_CANOE = _canoe(_ARTICLES), _canoe(_ARTICLES, ""), _canoe(_WITH)
DESTROYS = "(destroy|destroys|burn|burns|scuttle|scuttles|sink|sinks)"
