"""What each card of the hand may do now, in short, by the rules' own list."""

from collections.abc import Iterator

from games.great_war.components import HIDDEN, CardId
from games.great_war.in_play import Table
from games.great_war.model import PLAYER, AnyOrder, BonusPlay, GuardLeader, Lay, StopEvent, Strike, View
from games.great_war.phrases import listed
from games.great_war.possible import possible

NOTHING = "not now"

_KINDS = (
    "base",
    "added to {}",
    "as wild",
    "led by {}",
    "helps {}",
    "cancels {}",
    "Bonus phase",
    "stands against {}",
)
"""In the order in which they are told; what is named together stands in one of them."""


def uses(view: View) -> dict[CardId, tuple[str, ...]]:
    """For each card of the player's hand what it may be laid as; nothing for others' eyes."""
    hand = [one for one in dict.fromkeys(view.armies[PLAYER].hand) if one != HIDDEN]
    found: dict[CardId, dict[str, dict[str, None]]] = {one: {} for one in hand}
    for one in possible(view, PLAYER) if hand else ():
        for card, kind, what in _uses(Table(view), one.order):
            if card in found:
                found[card].setdefault(kind, {})[what] = None
    return {card: tuple(_said(kinds)) or (NOTHING,) for card, kinds in found.items()}


def _said(kinds: dict[str, dict[str, None]]) -> Iterator[str]:
    for kind in _KINDS:
        if kind in kinds:
            yield kind.format(listed([*kinds[kind]], "or"))


def _uses(table: Table, order: AnyOrder) -> Iterator[tuple[CardId, str, str]]:
    """The card, the kind of use and the card that it is used on."""
    match order:
        case Lay(base=None, plus=(play,)) if play.wild:
            yield play.card, "as wild", ""
        case Lay(base=None, plus=(play,)):
            yield play.card, "added to {}", str(table.host(PLAYER, play.card) or "a card")
        case Lay(base=base, plus=(play,)) if base is not None:
            yield play.card, "added to {}", base.card
        case Lay(base=base, led=(play,)) if base is not None:
            yield play.card, "led by {}", base.card
        case Lay(base=base, helper=helper) if base is not None and helper is not None:
            yield helper, "helps {}", base.card
        case Lay(base=base) if base is not None:
            yield base.card, "base", ""
        case Strike():
            yield order.joker, "cancels {}", order.aim
        case StopEvent():
            yield order.card, "cancels {}", "the event"
        case BonusPlay(play=play) if play is not None:
            yield play.card, "Bonus phase", ""
        case GuardLeader():
            yield from ((card, "stands against {}", "a leader") for card in order.cards)
