"""The tables of a report: the cards on the table, the player's hand, the score, the decks."""

from collections.abc import Iterator

from games.great_war.components import HIDDEN_CARD, PILES, Card
from games.great_war.legal_orders import decisions, event_text
from games.great_war.model import AI, PLAYER, Army, View
from games.great_war.phrases import effect_text, join_words, selector_text
from games.great_war.sequence import victory_level_for
from games.great_war.working_state import WorkingState as Position
from games.protocol import ReportTable, Seat

_ROLE_TITLES = {"attack": "attacker", "defend": "defender"}
_PILE_TITLES = {
    "entente": "Allies",
    "central": "Central Powers",
    "neutral": "Neutral",
    "bonus": "Bonus",
    "event": "Random Event",
}


def tables(view: View) -> tuple[ReportTable, ...]:
    """All tables of a view; those without rows are left out by whoever prints them."""
    return (
        ReportTable(
            title="Your decisions now", columns=("What", "How"), rows=tuple(decisions(view)), about="due"
        ),
        _table(view),
        *(_row(view, seat) for seat in (PLAYER, AI)),
        _hand(view),
        _score(view),
        _decks(view),
    )


def side_name(army: Army) -> str:
    """A side as a report calls it."""
    return _PILE_TITLES[army.nation]


def _table(view: View) -> ReportTable:
    turn = f"{view.turn} of {view.length}" if view.stage != "over" else f"{view.turn}, the last"
    rows = [
        ("Turn", turn),
        ("You are", f"{_ROLE_TITLES[view.role(PLAYER)]}, {side_name(view.armies[PLAYER])}"),
        ("Random Event", event_text(view)),
        ("Battle Points", f"you {view.total(PLAYER)}, the AI {view.total(AI)}"),
        ("Cards in the AI's hand", str(len(view.armies[AI].hand))),
    ]
    if view.die:
        rows.append(("The AI's die", str(view.die)))
    position = Position(view)
    held = dict.fromkeys(card_id for card_id in view.armies[PLAYER].hand if card_id != HIDDEN_CARD)
    able = [card_id for card_id in held if position.stops_leaders(card_id)]
    if view.leader:
        rows.append(("Against a leader", f"{', '.join(view.leader)} is ready"))
    elif able:
        rows.append(("Against a leader", f"no order; write CANCEL LEADER WITH {', '.join(able)}"))
    if view.split:
        rows.append(("Your next hand", f"{view.split.text} (Neutral/Nationality/Bonus)"))
    return ReportTable(title="Current state", columns=("What", "Now"), rows=tuple(rows), later=True)


def _row(view: View, seat: Seat) -> ReportTable:
    rows = tuple(
        (
            table_card.card,
            view.book[table_card.card].name,
            str(table_card.bp) if table_card.up else "-",
            table_card.link or "",
            "face-up" if table_card.up else "cancelled",
        )
        for table_card in view.armies[seat].row
    )
    whose = "yours" if seat == PLAYER else "the AI's"
    title = f"On the table: {whose}, {view.total(seat)} Battle Points"
    return ReportTable(title=title, columns=("Card", "Name", "BP", "On", "State"), rows=rows)


def _hand(view: View) -> ReportTable:
    hand = [card_id for card_id in view.armies[PLAYER].hand if card_id != HIDDEN_CARD]
    position = Position(view)
    rows = tuple(
        (
            card_id,
            view.book[card_id].name,
            str(position.bp(card_id)),
            _links(view.book[card_id]),
            "; ".join(effect_text(effect) for effect in view.book[card_id].effects),
        )
        for card_id in hand
    )
    columns = ("Card", "Name", "BP", "Links to", "Effect")
    return ReportTable(title="Your hand", columns=columns, rows=rows, about="own")


def _links(card: Card) -> str:
    return join_words([selector_text(host) for host in card.links_to], "or") if card.plus else ""


def _score(view: View) -> ReportTable:
    rows = tuple(
        (name, str(view.score(seat)), ", ".join(view.armies[seat].captured))
        for seat, name in ((PLAYER, "you"), (AI, "the AI"))
    )
    mine, theirs = view.score(PLAYER), view.score(AI)
    reached = victory_level_for(mine - theirs).name
    result = "a draw" if reached == "draw" else f"{reached} {'victory' if mine > theirs else 'defeat'}"
    title = f"Captured: {mine} by you, {theirs} by the enemy: {result}{'' if view.ended else ' so far'}"
    return ReportTable(title=title, columns=("By", "BP", "Cards"), rows=rows, later=True)


def _decks(view: View) -> ReportTable:
    rows = tuple(_deck(view))
    return ReportTable(
        title="Decks", columns=("Deck", "Cards", "Discards", "Top of the discards"), rows=rows, later=True
    )


def _deck(view: View) -> Iterator[tuple[str, ...]]:
    for pile in PILES:
        stack = view.piles[pile]
        top = stack.discards[-1] if stack.shown and stack.discards else HIDDEN_CARD
        name = view.book.full_name(top) if top != HIDDEN_CARD else "face-down" if stack.discards else ""
        yield (_PILE_TITLES[pile], str(len(stack.deck)), str(len(stack.discards)), name)
