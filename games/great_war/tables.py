"""What a report shows in rows: the cards on the table, the player's hand, the score, the decks."""

from collections.abc import Iterator

from games.great_war.components import HIDDEN, PILES, Card
from games.great_war.decisions import decisions, event_text
from games.great_war.in_play import Table as Position
from games.great_war.model import AI, PLAYER, Army, View
from games.great_war.phrases import effect_text, listed, selected
from games.great_war.sequence import level
from games.great_war.uses import uses
from games.protocol import Seat, Table

_ROLES = {"attack": "attacker", "defend": "defender"}
_PILES = {
    "entente": "Allies",
    "central": "Central Powers",
    "neutral": "Neutral",
    "bonus": "Bonus",
    "event": "Random Event",
}


def tables(view: View) -> tuple[Table, ...]:
    """All tables of a view; those without rows are left out by whoever prints them."""
    return (
        Table(title="What you decide now", columns=("What", "How"), rows=tuple(decisions(view)), about="due"),
        _table(view),
        *(_row(view, seat) for seat in (PLAYER, AI)),
        _hand(view),
        _uses(view),
        _score(view),
        _decks(view),
    )


def side_name(army: Army) -> str:
    """A side as a report calls it."""
    return _PILES[army.nation]


def _table(view: View) -> Table:
    turn = f"{view.turn} of {view.length}" if view.stage != "over" else f"{view.turn}, the last"
    rows = [
        ("Turn", turn),
        ("You are", f"{_ROLES[view.role(PLAYER)]}, {side_name(view.armies[PLAYER])}"),
        ("Random Event", event_text(view)),
        ("Battle Points", f"{view.total(PLAYER)} of yours, {view.total(AI)} of the AI's"),
        ("Cards in the AI's hand", str(len(view.armies[AI].hand))),
    ]
    if view.die:
        rows.append(("The AI's die", str(view.die)))
    position = Position(view)
    held = dict.fromkeys(one for one in view.armies[PLAYER].hand if one != HIDDEN)
    able = [one for one in held if position.stops_leaders(one)]
    if view.leader:
        rows.append(("Against a leader", f"{', '.join(view.leader)} stands ready"))
    elif able:
        rows.append(("Against a leader", f"nothing is ordered; write CANCEL LEADER WITH {', '.join(able)}"))
    if view.split:
        rows.append(("Your next hand", f"{view.split.text} (Neutral/Nationality/Bonus)"))
    return Table(title="How it stands", columns=("What", "Now"), rows=tuple(rows), later=True)


def _row(view: View, seat: Seat) -> Table:
    rows = tuple(
        (
            laid.card,
            view.book[laid.card].name,
            str(laid.bp) if laid.up else "-",
            laid.link or "",
            "face-up" if laid.up else "cancelled",
        )
        for laid in view.armies[seat].row
    )
    whose = "yours" if seat == PLAYER else "the AI's"
    title = f"On the table: {whose}, {view.total(seat)} Battle Points"
    return Table(title=title, columns=("Card", "Name", "BP", "On", "State"), rows=rows)


def _hand(view: View) -> Table:
    hand = [one for one in view.armies[PLAYER].hand if one != HIDDEN]
    position = Position(view)
    rows = tuple(
        (one, view.book[one].name, str(position.bp(one)), _links(view.book[one]), _effects(view.book[one]))
        for one in hand
    )
    columns = ("Card", "Name", "BP", "Links to", "Effect")
    return Table(title="Your hand", columns=columns, rows=rows, about="own")


def _uses(view: View) -> Table:
    """For each card of the hand what it may be laid as, as the picture marks it."""
    asked = view.stage in ("round 1", "round 2", "bonus")
    rows = tuple((one, "; ".join(said)) for one, said in uses(view).items()) if asked else ()
    return Table(
        title="What your cards may be laid as now",
        columns=("Card", "Now"),
        rows=rows,
        about="own",
        later=True,
    )


def _links(card: Card) -> str:
    return listed([selected(host) for host in card.links_to], "or") if card.plus else ""


def _effects(card: Card) -> str:
    return "; ".join(effect_text(effect) for effect in card.effects)


def _score(view: View) -> Table:
    rows = tuple(
        (name, str(view.score(seat)), ", ".join(view.armies[seat].captured))
        for seat, name in ((PLAYER, "you"), (AI, "the AI"))
    )
    mine, theirs = view.score(PLAYER), view.score(AI)
    reached = level(mine - theirs).name
    result = "a draw" if reached == "draw" else f"{reached} {'victory' if mine > theirs else 'defeat'}"
    title = f"Captured: {mine} by you, {theirs} by the enemy: {result}{'' if view.ended else ' so far'}"
    return Table(title=title, columns=("By", "BP", "Cards"), rows=rows, later=True)


def _decks(view: View) -> Table:
    rows = tuple(_deck(view))
    return Table(
        title="Decks", columns=("Deck", "Cards", "Discards", "Top of the discards"), rows=rows, later=True
    )


def _deck(view: View) -> Iterator[tuple[str, ...]]:
    for pile in PILES:
        stack = view.piles[pile]
        top = stack.discards[-1] if stack.shown and stack.discards else HIDDEN
        name = view.book.called(top) if top != HIDDEN else "face-down" if stack.discards else ""
        yield (_PILES[pile], str(len(stack.deck)), str(len(stack.discards)), name)
